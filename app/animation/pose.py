"""A pose: where every joint stands relative to its parent, and every other animated value."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from app.animation.types import F32


@dataclass(slots=True, eq=False)
class Pose:
    """Local transforms of J joints and P other values, any batch in front.

    Mutable on purpose: the arrays are the buffers of the frame path, written in place.
    """

    translation: F32  # [..., J, 3] metres, parent space
    rotation: F32  # [..., J, 4] unit quaternions xyzw
    scale: F32  # [..., J, 3]
    values: F32  # [..., P] morph weights and other channels

    @classmethod
    def like(cls, rest: Self, batch: tuple[int, ...] = ()) -> Self:
        """Return new buffers of `batch` + the shape of `rest`, filled with `rest`."""
        return cls(
            _spread(rest.translation, batch),
            _spread(rest.rotation, batch),
            _spread(rest.scale, batch),
            _spread(rest.values, batch),
        )

    @property
    def batch(self) -> tuple[int, ...]:
        """What stands before the joints."""
        return self.translation.shape[:-2]

    def copy(self) -> Self:
        """Return a pose with buffers of its own."""
        return type(self).like(self)

    def assign(self, other: Self) -> None:
        """Copy `other` into these buffers, bit for bit; it may have fewer axes in front."""
        self.translation[...] = other.translation
        self.rotation[...] = other.rotation
        self.scale[...] = other.scale
        self.values[...] = other.values

    def equals(self, other: Self) -> bool:
        """Tell whether both hold the same numbers, bit for bit (q and -q differ)."""
        return (
            np.array_equal(self.translation, other.translation)
            and np.array_equal(self.rotation, other.rotation)
            and np.array_equal(self.scale, other.scale)
            and np.array_equal(self.values, other.values)
        )


def _spread(array: F32, batch: tuple[int, ...]) -> F32:
    out = np.empty(batch + array.shape, np.float32)
    out[...] = array
    return out
