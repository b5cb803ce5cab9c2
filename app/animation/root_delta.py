"""Ground motion: a translation in metres and a rotation about +Y, and their composition."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from .types import F32, F64


class RootDelta(NamedTuple):
    """A rigid transform: rotate about +Y, then translate; as a matrix T(travel) R(turn).

    Turns are not wrapped to half a circle, so that a weighted turn is a part of the whole turn.
    """

    travel: F64  # [..., 3] metres, in the axes at its start
    turn: F64  # [...] radians about +Y

    @classmethod
    def still(cls, batch: tuple[int, ...] = ()) -> Self:
        """Return the identity."""
        return cls(np.zeros((*batch, 3)), np.zeros(batch))

    def then(self, travel: F64, turn: F64) -> "RootDelta":
        """Return this motion followed by a travel [..., 3] and turn [...], in the axes at its end.

        The turns are added.
        """
        return RootDelta(self.travel + turned(travel, self.turn), self.turn + turn)

    def inverse(self) -> "RootDelta":
        """Return the inverse motion."""
        return RootDelta(-turned(self.travel, -self.turn), -self.turn)

    def repeat(self, count: ArrayLike) -> "RootDelta":
        """Return this motion repeated `count` [...] whole times; negative: its inverse.

        Closed form of the sum of R(turn)^j travel over j < count: the end points lie on an arc, and
        the sum is its chord.
        """
        k = np.asarray(count, np.float64)
        angle = np.pi - np.mod(np.pi - self.turn, 2 * np.pi)  # whole turns do not change the sum
        chord = k * np.sinc(k * angle / (2 * np.pi)) / np.sinc(angle / (2 * np.pi))
        along = turned(self.travel, (k - 1) * angle / 2) * chord[..., None]
        along[..., 1] = self.travel[..., 1] * k
        return RootDelta(along, self.turn * k)

    def matrix(self) -> F32:
        """Return the matrices [..., 4, 4], `M @ [x, y, z, 1]`."""
        turn = np.asarray(self.turn)
        cosine, sine = np.cos(turn), np.sin(turn)
        out = np.zeros((*np.broadcast_shapes(turn.shape, self.travel.shape[:-1]), 4, 4), np.float32)
        out[..., 0, 0] = out[..., 2, 2] = cosine
        out[..., 0, 2] = sine
        out[..., 2, 0] = -sine
        out[..., 1, 1] = out[..., 3, 3] = 1
        out[..., :3, 3] = self.travel
        return out


def turned(v: F64, angle: F64) -> F64:
    """Return vectors [..., 3] rotated about +Y by angles [...], radians: +Z towards +X."""
    cosine, sine = np.cos(angle), np.sin(angle)
    x, y, z = v[..., 0], v[..., 1], v[..., 2]
    out = np.empty((*np.broadcast_shapes(x.shape, np.shape(angle)), 3))
    out[..., 0] = cosine * x + sine * z
    out[..., 1] = y
    out[..., 2] = cosine * z - sine * x
    return out
