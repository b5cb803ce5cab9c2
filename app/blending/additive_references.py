"""Whether a pose is suitable as the reference pose of an additive clip."""

from collections.abc import Sequence

import numpy as np

from ..animation import quat
from ..animation.model_space import to_model_rotations
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.types import F32, F64
from ..animation.vectors import dot
from .cone_limits import LimitViolation

HIPS = np.radians(10.0)  # greatest hip rotation of a reference pose; more makes the result lean
ARMS = np.radians(20.0)  # the same for shoulders and elbows; breathing moves them by less
SAME = np.radians(20.0)  # greatest difference per joint of poses that count as one core pose


def unfit_reference(
    reference: Pose,
    neutral: Pose,
    skeleton: Skeleton,
    hips: Sequence[int],
    arms: Sequence[int],
) -> list[LimitViolation]:
    """Return the joints that make a pose unsuitable as an additive reference.

    The difference from a reference that leans or raises its arms adds the opposite of that to
    every target pose.

    Parameters
    ----------
    reference
        R, without a batch: the first pose of a clip.
    neutral
        The pose to compare with: the core pose that the additive is applied to, which is the first
        pose of the base layer's clip. (The rest pose is unsuitable if its arms are stretched out.)
    skeleton
        Of both.
    hips
        Joints limited to HIPS in model space.
    arms
        Shoulders and elbows, limited to ARMS relative to their parents.
    """
    shown = to_model_rotations(skeleton, reference.rotation)
    ought = to_model_rotations(skeleton, neutral.rotation)
    return [
        *_exceeding(hips, _angles(shown, ought), float(HIPS)),
        *_exceeding(arms, _angles(reference.rotation, neutral.rotation), float(ARMS)),
    ]


def core_poses(poses: Sequence[Pose], joints: Sequence[int]) -> list[list[int]]:
    """Return groups of poses that are the same core pose, as indices.

    An additive is made for one core pose: more than one group among the first poses of the clips
    beneath it means that it is applied to poses that it was not made for.

    Parameters
    ----------
    poses
        Without a batch: the first pose of each clip that the additive is applied to.
    joints
        The joints to compare: in the skin, and animated by the additive.
    """
    groups: list[list[int]] = []
    compared = np.array(joints, np.intp)
    for number, pose in enumerate(poses):
        for group in groups:
            angles = _angles(poses[group[0]].rotation[compared], pose.rotation[compared])
            if angles.max(initial=0.0) <= SAME:
                group.append(number)
                break
        else:
            groups.append([number])
    return groups


def _angles(a: F32, b: F32) -> F64:
    """Return the angles between rotations [..., 4], radians."""
    near: F64 = np.where(dot(a, b)[..., None] < 0, -b, b).astype(np.float64)
    begin: F64 = a.astype(np.float64)
    return 2 * quat.arc(begin, near)


def _exceeding(joints: Sequence[int], angles: F64, limit: float) -> list[LimitViolation]:
    return [LimitViolation(j, float(angles[j]), limit) for j in joints if angles[j] > limit]
