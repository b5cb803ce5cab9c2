"""The outliner's state, the rows of its lists, kept from frame to frame, and its type-ahead."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from ..animation.types import F32, Bool
from ..memo import Memo
from ..model.mesh_parts import Part
from ..model.model import Model
from ..model.morph_weights import morph_weights
from ..model.skin_joints import moved_vertices, weighted_joints
from ..scene.selected import Selected, name_of
from .search import Find, searched

PAUSE = 1.0  # seconds after which typed letters begin a new name
_PUNCTUATION = frozenset("_-.:|#")  # within names; at their beginning they are shortcuts
MorphOrder = Literal["file", "weight", "effect"]


@dataclass(slots=True)
class TypeAhead:
    """The letters typed so far."""

    text: str = ""
    until: float = 0.0  # global time at which they are forgotten, seconds

    def type(self, letter: str, now: float) -> None:
        """Add a letter typed at a global time, seconds."""
        self.text = (self.text if now < self.until else "") + letter.casefold()
        self.until = now + PAUSE

    def takes(self, character: str, now: float) -> bool:
        """Return whether a character belongs to a name, rather than being a shortcut."""
        begun = bool(self.text) and now < self.until
        return character.isalnum() or (begun and character in _PUNCTUATION)

    def find(self, names: Sequence[str], current: int) -> int | None:
        """Return the index of the first name from the current one that begins with the letters.

        After the last name it continues with the first. With a first letter, or the same one
        several times, the current name is passed over. None: no name begins so.
        """
        text = self.text
        if not text:
            return None
        same = len(set(text)) == 1
        found = None
        if not same or len(text) > 1:
            found = _next(names, text, max(current, 0))
        return _next(names, text[0], current + 1) if same and found is None else found


def _next(names: Sequence[str], text: str, start: int) -> int | None:
    count = len(names)
    order = ((start + k) % count for k in range(count))
    return next((k for k in order if names[k].casefold().startswith(text)), None)


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

    def vertices(self, joint: int) -> int:
        """Return the number of vertices that a joint moves; -1 if it is in no skin and moves none.

        Vertices of a rigid mesh count for its node.
        """
        return self.moved[joint] or (0 if joint in self.weighted else -1)


@Memo
def model_lists(model: Model) -> ModelLists:
    """Return what lists show of a model."""
    return ModelLists(
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
    morph_order
        How the morph targets are sorted.
    tab
        The tab that is shown.
    scroll_to_selected
        Scroll the list to the selection in the next frame.
    """

    filter: str = ""
    filter_meshes: str = ""
    filter_morphs: str = ""
    morph_order: MorphOrder = "file"
    tab: str = ""
    scroll_to_selected: bool = False
    focused: bool = False  # the joint tree has the keyboard focus: letters are type-ahead
    had_focus: bool = False  # in the frame before
    typed: TypeAhead = field(default_factory=TypeAhead)

    def next_frame(self) -> None:
        """Take the focus away, unless the tree keeps it in this frame."""
        self.had_focus, self.focused = self.focused, False


def searched_joints(model: Model, prefix: str) -> tuple[list[int], list[str]]:
    """Return all joints of the tree from top to bottom, and their names without a prefix."""
    joints = [row.joint for row in tree_rows(model, frozenset(), _in_scene(model))]
    return joints, [model.skeleton.names[joint].removeprefix(prefix) for joint in joints]


@Memo
def scene_tree(model: Model, folded: frozenset[int], text: str = "") -> list[TreeRow]:
    """Return the rows of all nodes of the scene; with a search those that it finds."""
    return tree_rows(model, folded, _in_scene(model), searched(text))


def searched_meshes(model: Model, text: str = "") -> list[MeshRow]:
    """Return a row for each part of the meshes in the scene; with a search those it finds."""
    rows, find = model_lists(model).meshes, searched(text)
    return rows if find is None else [row for row in rows if find(f"{row.name} {row.material}")]


def searched_morphs(model: Model, text: str = "") -> list[MorphRow]:
    """Return a row for each morph target; with a search those that it finds.

    Of several meshes with targets, each has a row with its name above them.
    """
    rows, find = model_lists(model).morphs, searched(text)
    if find is None:
        return rows
    found = [row for row in rows if row.value < 0 or find(row.searched)]
    headings = [row.value < 0 for row in found] + [True]
    return [
        row for row, below in zip(found, headings[1:], strict=True) if row.value >= 0 or not below
    ]


def sorted_morphs(
    rows: list[MorphRow], order: MorphOrder, values: F32, reaches: Mapping[int, float]
) -> list[MorphRow]:
    """Return the rows of morph targets by their weights, or by their effect on the selection.

    Rows of equal rank stay in the order of the file; only that has the rows of meshes.

    Parameters
    ----------
    values
        [P] values of the pose.
    reaches
        How far a weight of 1 moves the selection, metres, by its index in the values; missing: 0.
    """
    if order == "file":
        return rows
    targets = [row for row in rows if row.value >= 0]
    if order == "weight":
        return sorted(targets, key=lambda row: -abs(values[row.value]))
    reach = [reaches.get(row.value, 0.0) for row in targets]
    ranks = [(-far * abs(values[row.value]), -far) for row, far in zip(targets, reach, strict=True)]
    return [targets[k] for k in sorted(range(len(targets)), key=ranks.__getitem__)]


def _in_scene(model: Model) -> Bool:
    """Return which joints are in the scene [J]."""
    shown = np.zeros(model.skeleton.count, bool)
    shown[model.scene_joints] = True
    return shown


@Memo
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
        for number, primitive in enumerate(model.drawn_mesh(instance).primitives)
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
