"""Rigid transforms on the ground: a translation in metres and a rotation about +Y."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from .types import F64


class RootTransform(NamedTuple):
    """A rigid transform: rotate about +Y, then translate; as a matrix T(translation) R(yaw).

    The angle is not wrapped to ±180°, so that weighting scales the whole rotation.
    """

    translation: F64  # [..., 3] metres, in the axes at its start
    yaw: F64  # [...] radians about +Y

    @classmethod
    def identity(cls, batch: tuple[int, ...] = ()) -> Self:
        """Return the identity."""
        return cls(np.zeros((*batch, 3)), np.zeros(batch))

    def compose(self, translation: F64, yaw: F64) -> "RootTransform":
        """Return this motion followed by another, given in the axes at this one's end.

        Parameters
        ----------
        translation
            [..., 3] metres.
        yaw
            [...] radians about +Y; the angles are added.
        """
        rotated = rotate_about_y(translation, self.yaw)
        return RootTransform(self.translation + rotated, self.yaw + yaw)

    def inverse(self) -> "RootTransform":
        """Return the inverse motion."""
        return RootTransform(-rotate_about_y(self.translation, -self.yaw), -self.yaw)

    def repeat(self, count: ArrayLike) -> "RootTransform":
        """Return this motion repeated `count` [...] whole times; negative: its inverse.

        Closed form of the sum of R(yaw)^j translation over j < count: the end points lie on an
        arc, and the sum is its chord.
        """
        k = np.asarray(count, np.float64)
        angle = np.pi - np.mod(np.pi - self.yaw, 2 * np.pi)  # full rotations do not change the sum
        chord = k * np.sinc(k * angle / (2 * np.pi)) / np.sinc(angle / (2 * np.pi))
        along = rotate_about_y(self.translation, (k - 1) * angle / 2) * chord[..., None]
        along[..., 1] = self.translation[..., 1] * k
        return RootTransform(along, self.yaw * k)

    def matrix(self) -> F64:
        """Return the matrices [..., 4, 4], `M @ [x, y, z, 1]`."""
        yaw = np.asarray(self.yaw)
        cosine, sine = np.cos(yaw), np.sin(yaw)
        shape = np.broadcast_shapes(yaw.shape, self.translation.shape[:-1])
        out = np.zeros((*shape, 4, 4))
        out[..., 0, 0] = out[..., 2, 2] = cosine
        out[..., 0, 2] = sine
        out[..., 2, 0] = -sine
        out[..., 1, 1] = out[..., 3, 3] = 1
        out[..., :3, 3] = self.translation
        return out


def rotate_about_y(v: F64, angle: F64 | float) -> F64:
    """Return vectors [..., 3] rotated about +Y by angles [...], radians: +Z towards +X."""
    cosine, sine = np.cos(angle), np.sin(angle)
    x, y, z = v[..., 0], v[..., 1], v[..., 2]
    out = np.empty((*np.broadcast_shapes(x.shape, np.shape(angle)), 3))
    out[..., 0] = cosine * x + sine * z
    out[..., 1] = y
    out[..., 2] = cosine * z - sine * x
    return out
