"""Cone limits of joints in additive layers, and checks of additive reference poses."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..animation import quat
from ..animation.model_space import to_model_rotations
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.types import F32, F64

HIPS = np.radians(10.0)  # greatest hip rotation of a reference pose; more makes the result lean
ARMS = np.radians(20.0)  # the same for shoulders and elbows; breathing moves them by less
SAME = np.radians(20.0)  # greatest difference per joint of poses that count as one core pose
_TOUCHING = 1e-5  # radians: tolerance of float32


class LimitViolation(NamedTuple):
    """A joint rotated beyond its limit."""

    joint: int
    angle: float  # radians, before clamping
    limit: float  # radians
    character: int = 0  # index in a batch


class ConeLimits:
    """Limits of joint rotations relative to a reference pose.

    The angle is that of the whole rotation from the reference, in the parent's space; twist about
    the joint's own axis counts, too.

    Parameters
    ----------
    angles
        Joint to radians; other joints are free.
    reference
        The additive reference pose, if it is constant.
    """

    def __init__(self, angles: Mapping[int, float], reference: Pose) -> None:
        self._reference = reference
        self._joints = np.array(sorted(angles), np.intp)
        self._limits: F64 = np.array([angles[joint] for joint in sorted(angles)], np.float64)

    def apply(
        self, pose: Pose, reference: Pose | None = None, weights: F64 | None = None
    ) -> list[LimitViolation]:
        """Clamp joints beyond their cones, in place, and return them.

        Parameters
        ----------
        pose
            Pose with the additive applied. Joints within their cones are unchanged, bit for bit.
        reference
            The additive reference pose at this time, if it is animated.
        weights
            [..., J] of the additive; joints of weight 0 are not clamped.

        Returns
        -------
        list of LimitViolation
            Sorted by character, then joint.
        """
        if not self._joints.size:
            return []
        begin: F64 = (
            (reference or self._reference).rotation[..., self._joints, :].astype(np.float64)
        )
        end: F64 = pose.rotation[..., self._joints, :].astype(np.float64)
        turn = quat.multiply(quat.conjugate(begin), end)
        turn = np.where(turn[..., 3:] < 0, -turn, turn)
        sine = np.sqrt(np.einsum("...i,...i->...", turn[..., :3], turn[..., :3]))
        angle = 2 * np.arctan2(sine, turn[..., 3])
        past = angle > self._limits + _TOUCHING
        if weights is not None:
            past &= weights[..., self._joints] > 0
        if not past.any():
            return []
        half = np.broadcast_to(self._limits / 2, angle.shape)
        axis = turn[..., :3] / np.where(past, sine, 1.0)[..., None]
        kept = np.concatenate([axis * np.sin(half)[..., None], np.cos(half)[..., None]], axis=-1)
        held = quat.multiply(np.broadcast_to(begin, end.shape), kept)
        turned = pose.rotation[..., self._joints, :]
        turned[past] = held[past]
        pose.rotation[..., self._joints, :] = turned
        angles = angle.reshape(-1, len(self._joints))
        found = np.argwhere(past.reshape(angles.shape)).tolist()
        return [
            LimitViolation(int(self._joints[k]), float(angles[i, k]), float(self._limits[k]), i)
            for i, k in found
        ]


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
        *_past(hips, _angles(shown, ought), float(HIPS)),
        *_past(arms, _angles(reference.rotation, neutral.rotation), float(ARMS)),
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
    chosen = np.array(joints, np.intp)
    for number, pose in enumerate(poses):
        for group in groups:
            apart = _angles(poses[group[0]].rotation[chosen], pose.rotation[chosen])
            if apart.max(initial=0.0) <= SAME:
                group.append(number)
                break
        else:
            groups.append([number])
    return groups


def _angles(a: F32, b: F32) -> F64:
    """Return the angles between rotations [..., 4], radians."""
    near: F64 = np.where(quat.dot(a, b)[..., None] < 0, -b, b).astype(np.float64)
    begin: F64 = a.astype(np.float64)
    return 2 * quat.arc(begin, near)


def _past(joints: Sequence[int], angles: F64, limit: float) -> list[LimitViolation]:
    return [LimitViolation(j, float(angles[j]), limit) for j in joints if angles[j] > limit]
