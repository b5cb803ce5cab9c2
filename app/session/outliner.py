"""The outliner's state, and the rows of its lists, which are kept from frame to frame."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..animation.types import Bool
from ..model.mesh_parts import Part
from ..model.model import Model
from ..model.skin_joints import moved_vertices, weighted_joints
from ..scene.selected import Selected, name_of

Find = Callable[[str], bool]  # whether a search finds a name


@dataclass(frozen=True, slots=True)
class TreeRow:
    """A row of a joint tree."""

    joint: int
    depth: int
    has_children: bool


@dataclass(frozen=True, slots=True)
class MeshRow:
    """A part of a mesh."""

    part: Part
    name: str
    material: str
    triangles: int


@dataclass(slots=True)
class Outliner:
    """State of the outliner.

    Attributes
    ----------
    tab
        The tab that is shown.
    scroll_to_selected
        Scroll the list to the selection in the next frame.
    """

    filter: str = ""
    tab: str = ""
    scroll_to_selected: bool = False
    _model: Model | None = None  # of what is kept
    _moved: list[int] = field(default_factory=list)
    _weighted: frozenset[int] = frozenset()
    _meshes: list[MeshRow] = field(default_factory=list)
    _tree_key: tuple[object, ...] = ()
    _tree: list[TreeRow] = field(default_factory=list)

    def tree(self, model: Model, folded: set[int], find: Find) -> list[TreeRow]:
        """Return the rows of all nodes of the scene; with a search those that it finds."""
        self._keep(model)
        key = frozenset(folded), self.filter
        if key != self._tree_key:
            shown = np.zeros(model.skeleton.count, bool)
            shown[model.scene_joints] = True
            self._tree = tree_rows(model, folded, shown, find if self.filter.strip() else None)
            self._tree_key = key
        return self._tree

    def meshes(self, model: Model) -> list[MeshRow]:
        """Return a row for each part of the meshes in the scene."""
        self._keep(model)
        return self._meshes

    def moved(self, model: Model, joint: int) -> int:
        """Return the number of vertices that a joint moves; -1 if it is in no skin and moves none.

        Vertices of a rigid mesh count for its node.
        """
        self._keep(model)
        return self._moved[joint] or (0 if joint in self._weighted else -1)

    def _keep(self, model: Model) -> None:
        if self._model is not model:
            self._model, self._tree_key = model, ()
            self._moved = moved_vertices(model).tolist()
            self._weighted = frozenset(weighted_joints(model))
            self._meshes = _mesh_rows(model)


def tree_rows(
    model: Model, folded: set[int], shown: Bool, find: Find | None = None
) -> list[TreeRow]:
    """Return the rows of a joint tree from top to bottom, without folded children.

    With a search, those that it finds, without their tree.

    Parameters
    ----------
    shown
        [J] the joints to list; a joint stands below the nearest listed one above it.
    """
    joints = np.flatnonzero(shown).tolist()
    if find is not None:
        names = model.skeleton.names
        return [TreeRow(joint, 0, has_children=False) for joint in joints if find(names[joint])]
    parents = model.skeleton.parents.tolist()
    children: dict[int, list[int]] = {}
    for joint in joints:
        parent = parents[joint]
        while parent >= 0 and not shown[parent]:
            parent = parents[parent]
        children.setdefault(parent, []).append(joint)
    listed: list[TreeRow] = []
    waiting = [(joint, 0) for joint in reversed(children.get(-1, []))]
    while waiting:
        joint, depth = waiting.pop()
        below = children.get(joint, [])
        listed.append(TreeRow(joint, depth, bool(below)))
        if joint not in folded:
            waiting += [(child, depth + 1) for child in reversed(below)]
    return listed


def unfold_above(model: Model, folded: set[int], joint: int) -> None:
    """Unfold all joints above a joint, so that its row is listed."""
    parent = int(model.skeleton.parents[joint])
    while parent >= 0:
        folded.discard(parent)
        parent = int(model.skeleton.parents[parent])


def _mesh_rows(model: Model) -> list[MeshRow]:
    return [
        MeshRow(
            (instance.joint, number),
            name_of(model, Selected(instance.joint, number)),
            _material(model, primitive.material),
            primitive.triangle_count,
        )
        for instance in model.instances
        if instance.in_scene
        for number, primitive in enumerate(model.meshes[instance.mesh].primitives)
    ]


def _material(model: Model, number: int) -> str:
    """Return the name of a material."""
    if number < 0:
        return "default material"
    return model.materials[number].name or f"material {number}"
