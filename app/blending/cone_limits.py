"""Cone limits: the largest rotation of joints in additive layers, relative to a reference pose."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..animation import quat
from ..animation.pose import Pose
from ..animation.types import F64
from ..animation.vectors import length

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
        sine = length(turn[..., :3])
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
