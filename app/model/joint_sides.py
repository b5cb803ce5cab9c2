"""The side of each joint: left, right or the middle."""

import numpy as np
from numpy.typing import NDArray

from ..animation.types import F64, Bool
from ..animation.vectors import extent
from ..retargeting.joint_matching import normalized_names_of
from .facing import DEFAULT_FACING, find_facing
from .model import Model
from .skin_joints import mapped_skeleton_of, weighted_joints

Sides = NDArray[np.int8]
_NAMED = {"left": 1, "right": -1}
MOST = 1500  # joints that are paired by position
_MIDDLE, _PAIRED = (
    0.02,
    0.05,
)  # of the size of the skeleton: half width of the middle, error of pairs


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
    paired = _has_counterpart(points - away[:, None] * left, away, _PAIRED * size)
    side = np.where((np.abs(away) > _MIDDLE * size) & paired, np.sign(away), 0.0)
    sides[joints] = side.astype(np.int8)
    return sides


def _has_counterpart(flat: F64, away: F64, reach: float) -> Bool:
    """Return which of points [N] have another one mirrored at the middle, within a distance.

    Parameters
    ----------
    flat
        [N, 3] the points moved into the plane of the middle.
    away
        [N] their distances from it.
    """
    gaps = np.linalg.norm(flat[:, None] - flat[None], axis=-1)
    gaps = np.hypot(gaps, away[:, None] + away[None])
    np.fill_diagonal(gaps, np.inf)
    return np.asarray(gaps.min(axis=1) <= reach)
