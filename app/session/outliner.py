"""The outliner's state, and the rows of its lists, which are kept from frame to frame."""

from collections.abc import Set
from dataclasses import dataclass, field
from typing import NamedTuple, Self

import numpy as np

from ..animation.types import Bool
from ..memo import Memo
from ..model.mesh_parts import Part
from ..model.model import Model
from ..model.morph_weights import morph_weights
from ..model.skin_joints import moved_vertices, weighted_joints
from ..scene.selected import Selected, name_of
from .search import Find, searched
from .type_ahead import TypeAhead


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


class ModelLists(NamedTuple):
    """What lists show of a model.

    Attributes
    ----------
    moved
        [J] the number of vertices that each joint moves.
    weighted, rigid
        The joints of skins, and the nodes that carry meshes without a skin.
    """

    moved: list[int]
    weighted: frozenset[int]
    rigid: frozenset[int]
    meshes: list[MeshRow]
    morphs: list[MorphRow]

    @classmethod
    def of(cls, model: Model) -> Self:
        """Return what lists show of a model."""
        return cls(
            moved_vertices(model).tolist(),
            frozenset(weighted_joints(model)),
            frozenset(each.joint for each in model.instances if each.skin < 0),
            _mesh_rows(model),
            _morph_rows(model),
        )


@dataclass(slots=True)
class Outliner:
    """State of the outliner.

    Attributes
    ----------
    tab
        The tab that is shown.
    scroll_to_selected
        Scroll the list to the selection in the next frame.
    depth
        The depth of the deepest of some rows; `depth_of`.
    """

    filter: str = ""
    filter_meshes: str = ""
    filter_morphs: str = ""
    tab: str = ""
    scroll_to_selected: bool = False
    focused: bool = False  # the joint tree has the keyboard focus: letters are type-ahead
    had_focus: bool = False  # in the frame before
    typed: TypeAhead = field(default_factory=TypeAhead)
    depth: Memo[[list[TreeRow]], int] = field(default_factory=lambda: Memo(depth_of))
    _lists: Memo[[Model], ModelLists] = field(default_factory=lambda: Memo(ModelLists.of))
    _tree: Memo[[Model, frozenset[int], str], list[TreeRow]] = field(
        default_factory=lambda: Memo(_scene_tree)
    )

    def next_frame(self) -> None:
        """Take the focus away, unless the tree keeps it in this frame."""
        self.had_focus, self.focused = self.focused, False

    def searched_joints(self, model: Model, prefix: str) -> tuple[list[int], list[str]]:
        """Return all joints of the tree from top to bottom, and their names without a prefix."""
        joints = [row.joint for row in _scene_tree(model, set())]
        return joints, [model.skeleton.names[joint].removeprefix(prefix) for joint in joints]

    def tree(self, model: Model, folded: Set[int]) -> list[TreeRow]:
        """Return the rows of all nodes of the scene; with a search those that it finds."""
        return self._tree(model, frozenset(folded), self.filter)

    def meshes(self, model: Model, text: str = "") -> list[MeshRow]:
        """Return a row for each part of the meshes in the scene; with a search those it finds."""
        rows, find = self._lists(model).meshes, searched(text)
        return rows if find is None else [row for row in rows if find(f"{row.name} {row.material}")]

    def morphs(self, model: Model, text: str = "") -> list[MorphRow]:
        """Return a row for each morph target; with a search those that it finds.

        Of several meshes with targets, each has a row with its name above them.
        """
        rows, find = self._lists(model).morphs, searched(text)
        if find is None:
            return rows
        found = [row for row in rows if row.value < 0 or find(row.searched)]
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
        lists = self._lists(model)
        return lists.moved[joint] or (0 if joint in lists.weighted else -1)

    def is_rigid(self, model: Model, joint: int) -> bool:
        """Return whether a node carries a mesh without a skin."""
        return joint in self._lists(model).rigid


def _scene_tree(model: Model, folded: Set[int], text: str = "") -> list[TreeRow]:
    shown = np.zeros(model.skeleton.count, bool)
    shown[model.scene_joints] = True
    return tree_rows(model, folded, shown, searched(text))


def depth_of(rows: list[TreeRow]) -> int:
    """Return the depth of the deepest row."""
    return max((row.depth for row in rows), default=0)


def tree_rows(
    model: Model, folded: Set[int], shown: Bool, find: Find | None = None
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
