"""The direction that a character faces, for views, the key light, aims and statistics."""

import math
from collections.abc import Mapping
from functools import partial

import numpy as np

from ..animation import quat
from ..animation.skeleton import Skeleton
from ..animation.types import F64
from ..animation.vectors import extent
from ..retargeting.body_heading import (
    Side,
    agreed_yaw,
    mirrored_pairs,
    yaw_of_eyes,
    yaw_of_feet,
    yaw_of_sides,
)
from ..retargeting.joint_aliases import BodyPart
from ..retargeting.joint_matching import MappedSkeleton, body_parts_of, normalized_names_of
from ..retargeting.reference_pose import ReferencePose, descendants, reference_pose_of
from .model import Model
from .skin_joints import mapped_skeleton_of, outermost_skin_points

Direction = tuple[float, float, float]
DEFAULT_FACING: Direction = (0.0, 0.0, 1.0)  # glTF 2.0, section 3.4
_OFFSET = 0.1  # of a foot's length: the middle of its mesh is farther in front of the ankle


@np.errstate(all="ignore")  # extreme values of a file may overflow
def find_facing(model: Model) -> Direction | None:
    """Return the direction that a character faces in its rest pose, None if it is not recognised.

    It is the nearest of ±X and ±Z to the mean of three directions: that of the left and right
    joints, from the ankles to the toes, and from the head to the eyes. At least two of them must
    be known, by the names of the joints, and they must agree.
    """
    body = mapped_skeleton_of(model)
    parts = body_parts_of(body)
    rest = reference_pose_of(model.skeleton, model.skeleton.rest)
    if not parts or not np.isfinite(rest.position).all():
        return None
    yaw = agreed_yaw(
        (
            yaw_of_sides(rest.position, mirrored_pairs(_sides(body, parts))),
            yaw_of_feet(rest, model.skeleton, parts, partial(_foot_offset, model, rest)),
            yaw_of_eyes(rest, parts),
        )
    )
    return None if yaw is None else direction_of(yaw)


def _sides(body: MappedSkeleton, parts: Mapping[int, BodyPart]) -> dict[int, Side]:
    """Return side, body part or word, and number of the joints whose name has a side."""
    found: dict[int, Side] = {}
    for joint, name in normalized_names_of(body).items():
        part = parts.get(joint)
        side, word, number = part if part is not None and part.side else name
        if side:
            found[joint] = side, word, number
    return found


def _foot_offset(model: Model, rest: ReferencePose, foot: int) -> F64 | None:
    """Return the horizontal offset [3] of the middle of a foot's mesh from its ankle, metres."""
    points = [
        rest.position[joint] + quat.rotate(rest.rotation[joint], found)
        for joint, found in outermost_skin_points(model, descendants(model.skeleton, foot)).items()
    ]
    if not points:
        return None
    ends = np.concatenate(points)[:, ::2]
    low, high = extent(ends)
    x, z = ((low + high) / 2.0 - rest.position[foot, ::2]).tolist()
    return np.array([x, 0.0, z]) if math.hypot(x, z) > _OFFSET * math.dist(low, high) else None


def direction_of(yaw: float) -> Direction:
    """Return the horizontal unit vector of an angle about +Y, radians, 0 for +Z."""
    return round(math.sin(yaw), 15) + 0.0, 0.0, round(math.cos(yaw), 15) + 0.0


def yaw_of(direction: Direction) -> float:
    """Return the angle about +Y of a direction, radians, 0 for +Z."""
    return math.atan2(direction[0], direction[2])


def forward_axis(skeleton: Skeleton, joint: int, facing: Direction) -> Direction:
    """Return the axis of a joint that is forward: +Z, or if that is not the facing, the nearest.

    The nearest of the six axes of the joint's own space to the facing, in the rest pose.
    """
    if facing == DEFAULT_FACING:
        return DEFAULT_FACING
    local = local_direction(skeleton, joint, facing)
    axis = int(np.abs(local).argmax())
    x, y, z = (np.sign(local[axis]) * np.eye(3)[axis] + 0.0).tolist()
    return x, y, z


def local_direction(skeleton: Skeleton, joint: int, direction: Direction) -> F64:
    """Return a model-space direction [3] in a joint's own space, in the rest pose."""
    matrix = skeleton.to_model(skeleton.rest)[joint, :3, :3].astype(np.float64)
    turn = matrix / np.maximum(np.linalg.norm(matrix, axis=0), 1e-12)
    return np.asarray(turn.T @ np.array(direction))


def axis_name(direction: Direction) -> str:
    """Return a direction as text: an axis, or its components."""
    axes = {(1.0, 0.0): "+X", (-1.0, 0.0): "-X", (0.0, 1.0): "+Z", (0.0, -1.0): "-Z"}
    x, y, z = direction
    return axes.get((x, z), f"{x:.3g}, {y:.3g}, {z:.3g}")
