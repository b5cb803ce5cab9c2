"""Limits of additives: cones that joints stay in, and references that make bad differences."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..animation import model_rotations, quat
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.types import F32, F64

HIPS = np.radians(10.0)  # a reference that turns hips further makes every target lean (SPEC D9)
ARMS = np.radians(20.0)  # the same of shoulders and elbows; a breath moves them by less
SAME = np.radians(20.0)  # two poses are one core pose where no joint differs by more
_TOUCHING = 1e-5  # radians past a cone that are float32's, not a limit broken


class Past(NamedTuple):
    """A joint further from where it ought to be than it may be."""

    joint: int
    angle: float  # radians that it is, or was, away
    limit: float  # radians that it may be
    character: int = 0  # in a batch of several


class ConeLimits:
    """How far joints may turn from a reference pose (SPEC D9).

    The angle is that of the whole turn between a joint's rotation and the reference's, in its
    parent's space: a head that looks aside about its own length axis is limited, too.

    Parameters
    ----------
    angles
        Joint to radians; joints not named are free.
    reference
        The additive's reference pose, where that stands still.
    """

    def __init__(self, angles: Mapping[int, float], reference: Pose) -> None:
        self._reference = reference
        self._joints = np.array(sorted(angles), np.intp)
        self._limits: F64 = np.array([angles[joint] for joint in sorted(angles)], np.float64)

    def apply(
        self, pose: Pose, reference: Pose | None = None, weights: F64 | None = None
    ) -> list[Past]:
        """Turn joints that are past their cone back to it, in place, and report them.

        Parameters
        ----------
        pose
            What an additive has made. Joints within their cones are left alone, bit for bit.
        reference
            The additive's reference pose at this time, where that moves.
        weights
            [..., J] of the additive; joints that it does not touch are not turned back either.

        Returns
        -------
        list of Past
            By character, then joint.
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
            Past(int(self._joints[k]), float(angles[i, k]), float(self._limits[k]), i)
            for i, k in found
        ]


def unfit_reference(
    reference: Pose,
    neutral: Pose,
    skeleton: Skeleton,
    hips: Sequence[int],
    arms: Sequence[int],
) -> list[Past]:
    """Return what makes a pose a bad reference of an additive (SPEC D9).

    A difference to a reference that itself leans or holds its arms up carries that, turned round,
    into whatever it is put on.

    Parameters
    ----------
    reference
        R, without a batch: of a clip, its first pose.
    neutral
        The pose to compare with: the core pose that the additive is put on, which is the first
        pose of the base layer's clip. (The rest pose will not do where arms are stretched out
        in it.)
    skeleton
        Of both.
    hips
        Joints that may not turn by more than HIPS in model space; those the body hangs from.
    arms
        Shoulders and elbows, that may not turn by more than ARMS from their parents.
    """
    shown = model_rotations.to_model(skeleton, reference.rotation)
    ought = model_rotations.to_model(skeleton, neutral.rotation)
    return [
        *_past(hips, _angles(shown, ought), float(HIPS)),
        *_past(arms, _angles(reference.rotation, neutral.rotation), float(ARMS)),
    ]


def core_poses(poses: Sequence[Pose], joints: Sequence[int]) -> list[list[int]]:
    """Sort poses that are the same core pose into groups, by their numbers.

    One additive fits one core pose (SPEC D9): with more than one group among the poses that the
    clips beneath an additive begin in, it is put on poses that it was not made for.

    Parameters
    ----------
    poses
        Without a batch: the first pose of each clip that the additive is put on.
    joints
        Those that count: of the skin, and that the additive moves.
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


def _past(joints: Sequence[int], angles: F64, limit: float) -> list[Past]:
    return [Past(j, float(angles[j]), limit) for j in joints if angles[j] > limit]
