"""The outliner's state, and the rows of its lists, which are kept from frame to frame."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..animation.types import Bool
from ..model.mesh_parts import Part
from ..model.model import Model
from ..model.morph_weights import morph_weights
from ..model.skin_joints import moved_vertices, weighted_joints
from ..scene.selected import Selected, name_of
from .type_ahead import TypeAhead

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


@dataclass(frozen=True, slots=True)
class MorphRow:
    """A morph target, or the name of the mesh above its targets."""

    value: int  # index in Pose.values, -1: a mesh
    label: str
    searched: str  # names of mesh and target


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
    filter_meshes: str = ""
    filter_morphs: str = ""
    tab: str = ""
    scroll_to_selected: bool = False
    focused: bool = False  # the joint tree has the keyboard focus: letters are type-ahead
    had_focus: bool = False  # in the frame before
    typed: TypeAhead = field(default_factory=TypeAhead)
    _model: Model | None = None  # of what is kept
    _moved: list[int] = field(default_factory=list)
    _weighted: frozenset[int] = frozenset()
    _rigid: frozenset[int] = frozenset()
    _meshes: list[MeshRow] = field(default_factory=list)
    _morphs: list[MorphRow] = field(default_factory=list)
    _tree_key: tuple[object, ...] = ()
    _tree: list[TreeRow] = field(default_factory=list)
    _depth: int = 0

    def next_frame(self) -> None:
        """Take the focus away, unless the tree keeps it in this frame."""
        self.had_focus, self.focused = self.focused, False

    def searched_joints(self, model: Model, prefix: str) -> tuple[list[int], list[str]]:
        """Return all joints of the tree from top to bottom, and their names without a prefix."""
        shown = np.zeros(model.skeleton.count, bool)
        shown[model.scene_joints] = True
        joints = [row.joint for row in tree_rows(model, set(), shown)]
        return joints, [model.skeleton.names[joint].removeprefix(prefix) for joint in joints]

    def tree(self, model: Model, folded: set[int], find: Find) -> list[TreeRow]:
        """Return the rows of all nodes of the scene; with a search those that it finds."""
        self._keep(model)
        key = frozenset(folded), self.filter
        if key != self._tree_key:
            shown = np.zeros(model.skeleton.count, bool)
            shown[model.scene_joints] = True
            self._tree = tree_rows(model, folded, shown, find if self.filter.strip() else None)
            self._tree_key = key
            self._depth = max((row.depth for row in self._tree), default=0)
        return self._tree

    @property
    def depth(self) -> int:
        """The depth of the deepest row of the tree that was returned last."""
        return self._depth

    def meshes(self, model: Model, find: Find | None = None) -> list[MeshRow]:
        """Return a row for each part of the meshes in the scene; with a search those it finds."""
        self._keep(model)
        if find is None or not self.filter_meshes.strip():
            return self._meshes
        return [row for row in self._meshes if find(f"{row.name} {row.material}")]

    def morphs(self, model: Model, find: Find | None = None) -> list[MorphRow]:
        """Return a row for each morph target; with a search those that it finds.

        Of several meshes with targets, each has a row with its name above them.
        """
        self._keep(model)
        if find is None or not self.filter_morphs.strip():
            return self._morphs
        found = [row for row in self._morphs if row.value < 0 or find(row.searched)]
        headings = [row.value < 0 for row in found] + [True]
        return [
            row
            for row, below in zip(found, headings[1:], strict=True)
            if row.value >= 0 or not below
        ]

    def moved(self, model: Model, joint: int) -> int:
        """Return the number of vertices that a joint moves; -1 if it is in no skin and moves none.

        Vertices of a rigid mesh count for its node.
        """
        self._keep(model)
        return self._moved[joint] or (0 if joint in self._weighted else -1)

    def is_rigid(self, model: Model, joint: int) -> bool:
        """Return whether a node carries a mesh without a skin."""
        self._keep(model)
        return joint in self._rigid

    def _keep(self, model: Model) -> None:
        if self._model is not model:
            self._model, self._tree_key = model, ()
            self._moved = moved_vertices(model).tolist()
            self._weighted = frozenset(weighted_joints(model))
            self._rigid = frozenset(each.joint for each in model.instances if each.skin < 0)
            self._meshes, self._morphs = _mesh_rows(model), _morph_rows(model)


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


def _morph_rows(model: Model) -> list[MorphRow]:
    weights = morph_weights(model)
    several, above = len({weight.node for weight in weights}) > 1, -1
    rows: list[MorphRow] = []
    for weight in weights:
        if several and weight.node != above:
            rows.append(MorphRow(-1, weight.mesh, ""))
        above = weight.node
        rows.append(MorphRow(weight.value, weight.target, f"{weight.mesh} {weight.target}"))
    return rows


def _material(model: Model, number: int) -> str:
    """Return the name of a material."""
    if number < 0:
        return "default material"
    return model.materials[number].name or f"material {number}"
