"""The joints of a model as overlays draw them: bones, trees, lengths of axes."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..animation.types import F32, F64, Bool, Index
from ..animation.vectors import extent
from ..memo import Memo
from ..model.facing import DEFAULT_FACING, find_facing
from ..model.model import Model
from ..model.skin_joints import mapped_skeleton_of, weighted_joints
from ..retargeting.joint_matching import body_parts_of, normalized_names_of

Sides = NDArray[np.int8]
_NAMED = {"left": 1, "right": -1}
MOST = 1500  # joints that are paired by position
_MIDDLE = 0.02  # half width of the middle, of the size of the skeleton
_PAIRED = 0.05  # greatest error of pairs, of that size


def joint_sides(model: Model) -> Sides:
    """Return 1 for each joint [J] on the left of the character, -1 on the right, 0 in the middle.

    By the joints' names; a joint without a side in its name is on that of its parent. If no name
    has a side, by the rest pose: joints that have a counterpart across the middle of the skeleton.
    """
    skeleton = model.skeleton
    sides: Sides = np.zeros(skeleton.count, np.int8)
    every = np.arange(skeleton.count, dtype=np.int32)
    for joint, name in normalized_names_of(mapped_skeleton_of(model), every).items():
        sides[joint] = _NAMED.get(name.side, 0)
    if not sides.any():
        sides = _by_position(model)
    for level in skeleton.levels[1:]:
        own = sides[level]
        sides[level] = np.where(own == 0, sides[skeleton.parents[level]], own)
    return sides


@np.errstate(all="ignore")  # extreme values of a file may overflow
def _by_position(model: Model) -> Sides:
    skeleton = model.skeleton
    sides: Sides = np.zeros(skeleton.count, np.int8)
    joints = np.array(weighted_joints(model), np.intp)
    points = skeleton.to_model(skeleton.rest)[joints, :3, 3].astype(np.float64)
    if not 2 < len(joints) <= MOST or not np.isfinite(points).all():
        return sides
    forward = np.array(find_facing(model) or DEFAULT_FACING)
    left = np.array([forward[2], 0.0, -forward[0]])
    low, high = extent(points)
    size = float(np.linalg.norm(high - low))
    away = points @ left
    away -= extent(away[:, None]).mean()
    flat = points - away[:, None] * left
    gaps = np.linalg.norm(flat[:, None] - flat[None], axis=-1)
    gaps = np.hypot(gaps, away[:, None] + away[None])  # from the mirrored points
    np.fill_diagonal(gaps, np.inf)
    paired = gaps.min(axis=1) <= _PAIRED * size
    side = np.where((np.abs(away) > _MIDDLE * size) & paired, np.sign(away), 0.0)
    sides[joints] = side.astype(np.int8)
    return sides


def shown_joints(model: Model) -> Bool:
    """Return the joints [J] to draw: those of the skins and the joints between them.

    All nodes of the scene if there is no skin.
    """
    skeleton = model.skeleton
    shown = np.zeros(skeleton.count, bool)
    if not model.skins:
        shown[model.scene_joints] = True
        return shown
    for skin in model.skins:
        shown[skin.joints] = True
    return skeleton.below(shown) & skeleton.above(shown)


_FROM_FLOOR = 3.0  # of the median length: least length of a bone from a root on the floor
AXIS_LENGTH = 0.35  # of the bones at a joint
AXIS_RANGE = 0.008, 0.06  # least and greatest length of an axis, of the size of the skeleton


class DrawnJoints:
    """The D joints of a model that overlays draw; see `shown_joints`.

    Attributes
    ----------
    joints
        [D] indices of the joints, ascending.
    bones
        [B, 2] rows of `joints`: parent and child.
    roots
        [D] for each joint the row of the topmost joint above it.
    axis_lengths
        [D] lengths of the axes, model space, metres: a part of the length of the joint's bones in
        the rest pose.
    sides
        [D] 1 on the left of the character, -1 on the right, 0 in the middle.
    roll_axes
        [B] axis of the parent joint that is most across the bone in the rest pose.
    shortest
        [D] lengths of the shortest bone at each joint in the rest pose, model space, metres;
        infinite without one.
    thick_lengths
        [B] greatest length that the thickness of a bone is a part of, model space, metres: of a
        long bone from a root, which stands on the floor, the median length in the rest pose.
    size
        Diagonal of the joints in the rest pose, model space, metres.
    heads
        Indices of the joints of heads, by their names.
    """

    @np.errstate(all="ignore")  # extreme values of a file may overflow
    def __init__(self, model: Model) -> None:
        skeleton = model.skeleton
        self._model = model
        self.joints = np.flatnonzero(shown_joints(model))
        row_of = np.full(skeleton.count + 1, -1)  # the last entry: of the parent of a root, -1
        row_of[self.joints] = np.arange(len(self.joints))
        parents = row_of[skeleton.parents[self.joints]]
        children = np.flatnonzero(parents >= 0)
        self.bones = np.stack([parents[children], children], axis=-1)
        self.roots = np.arange(len(self.joints))
        for row in children.tolist():  # parents come before children
            self.roots[row] = self.roots[parents[row]]
        rest = skeleton.to_model(skeleton.rest)[self.joints]
        positions = rest[:, :3, 3]
        self.sides = joint_sides(model)[self.joints]
        self.roll_axes = _roll_axes(rest, self.bones)
        self.size = float(np.linalg.norm(np.ptp(positions, axis=0))) if len(positions) else 0.0
        lengths = np.linalg.norm(positions[self.bones[:, 1]] - positions[self.bones[:, 0]], axis=-1)
        self.shortest: F64 = np.full(len(positions), np.inf)
        np.minimum.at(self.shortest, self.bones, lengths[:, None])
        self.thick_lengths = _thick_lengths(lengths, self.bones)
        self.axis_lengths = _axis_lengths(lengths, self.bones, len(positions), self.size or 1.0)
        self._visible = Memo(_visible)

    @cached_property
    def heads(self) -> list[int]:  # noqa: D102 - above
        parts = body_parts_of(mapped_skeleton_of(self._model))
        return [joint for joint, part in parts.items() if part.part == "head"]

    def visible(self, hidden: frozenset[int]) -> tuple[Index, Index]:
        """Return the rows of `joints` that are not hidden, and of `bones` with neither end hidden.

        The last ones are cached.
        """
        return self._visible(self.joints, self.bones, hidden)

    def chain(self, joint: int) -> tuple[Index, Index]:
        """Return the rows of `bones` from a joint to its children, and those above the joint."""
        rows = np.flatnonzero(self.joints == joint)
        none = np.zeros(0, np.intp)
        if not len(rows):
            return none, none
        row = int(rows[0])
        own = np.flatnonzero(self.bones[:, 0] == row)
        above: list[int] = []
        while len(found := np.flatnonzero(self.bones[:, 1] == row)):
            above.append(int(found[0]))
            row = int(self.bones[found[0], 0])
        return own, np.array(above, np.intp)


def _visible(joints: Index, bones: Index, hidden: frozenset[int]) -> tuple[Index, Index]:
    """Return the rows of joints [D] that are not hidden, and of bones [B, 2] between such rows."""
    shown = ~np.isin(joints, list(hidden))
    return np.flatnonzero(shown), np.flatnonzero(shown[bones].all(axis=1))


def _roll_axes(rest: F32, bones: Index) -> Index:
    """Return the axis [B] of joints [D, 4, 4] that is most across their bones [B, 2]."""
    steps = rest[bones[:, 1], :3, 3] - rest[bones[:, 0], :3, 3]
    axes = rest[bones[:, 0], :3, :3]
    along = np.abs((axes * steps[:, :, None]).sum(axis=1)) / np.linalg.norm(axes, axis=1)
    return np.nan_to_num(along, nan=np.inf, posinf=np.inf).argmin(axis=1)


def _thick_lengths(lengths: F32, bones: Index) -> F64:
    out = np.full(len(lengths), np.inf)
    if len(lengths):
        median = np.median(lengths)
        out[~np.isin(bones[:, 0], bones[:, 1]) & (lengths > _FROM_FLOOR * median)] = median
    return out


def _axis_lengths(lengths: F32, bones: Index, joints: int, size: float) -> F32:
    """Return the lengths of the axes of some joints, with bones [B, 2] of lengths [B].

    A joint has the mean length of the bones to its children; without children, of its own bone.
    """
    parents, children = bones.T
    total, count, own = np.zeros((3, joints))
    there = lengths > 0.0
    np.add.at(total, parents[there], lengths[there])
    np.add.at(count, parents[there], 1.0)
    own[children] = lengths
    mean = np.where(count > 0.0, total / np.maximum(count, 1.0), own)
    least, greatest = AXIS_RANGE
    return np.clip(AXIS_LENGTH * mean, least * size, greatest * size).astype(np.float32)


def only_skeleton(model: Model) -> bool:
    """Return whether a model has no meshes in its scene."""
    return not any(
        model.drawn_mesh(instance).primitives for instance in model.instances if instance.in_scene
    )
