"""A pose: the local transforms of all joints, and the other animated values."""

from collections.abc import Iterator
from typing import Self

import numpy as np

from ..notebook import ShownAsPicture
from .types import F32, Index

PARTS = 10  # numbers per joint: translation 3, scale 3, rotation 4
BLOCK = 200  # poses computed at once: larger blocks exceed the CPU cache


def blocks(count: int) -> Iterator[slice]:
    """Yield the rows of each block of at most `BLOCK` of `count` poses."""
    return (slice(k, min(k + BLOCK, count)) for k in range(0, count, BLOCK))


def as_slice(numbers: Index) -> Index | slice:
    """Return ascending numbers without gaps as a slice, which copies faster."""
    first = int(numbers[0]) if len(numbers) else 0
    if (numbers == np.arange(first, first + len(numbers))).all():
        return slice(first, first + len(numbers))
    return numbers


class Pose(ShownAsPicture):
    """Local transforms of J joints and P other values, any batch in front.

    Mutable: the arrays are buffers that are rewritten every frame. They are views into one array,
    so that a copy is one copy and a weighted sum one product.

    Parameters
    ----------
    translation, rotation, scale, values
        Initial values, with the shapes below.

    Examples
    --------
    >>> pose = model.skeleton.rest.copy()
    >>> pose.translation[model.skeleton.find("Hips"), 1] += 0.1
    >>> poses = rigview.Pose.like(pose, (8,))  # of eight characters
    >>> poses.rotation.shape == (8, model.skeleton.count, 4)
    True
    """

    __slots__ = ("__weakref__", "data", "rest", "rotation", "scale", "translation", "values")

    data: F32  # [..., 10 J + P] all translations, then scales, rotations, values
    translation: F32  # [..., J, 3] metres, parent space
    rotation: F32  # [..., J, 4] unit quaternions xyzw
    scale: F32  # [..., J, 3]
    values: F32  # [..., P] morph weights and other channels
    rest: "Pose | None"  # the rest pose that it was made from, if it was

    def __init__(self, translation: F32, rotation: F32, scale: F32, values: F32) -> None:
        joints, width = translation.shape[-2], values.shape[-1]
        batch = translation.shape[:-2]
        self._view(np.empty((*batch, PARTS * joints + width), np.float32), joints)
        self.translation[...] = translation
        self.rotation[...] = rotation
        self.scale[...] = scale
        self.values[...] = values

    def __repr__(self) -> str:
        batch = f", batch {self.batch}" if self.batch else ""
        return f"<Pose {self.count} joints, {self.values.shape[-1]} values{batch}>"

    @classmethod
    def over(cls, data: F32, joints: int) -> Self:
        """Return a pose of J joints that views `data` [..., 10 J + P]."""
        pose = cls.__new__(cls)
        pose._view(data, joints)
        return pose

    @classmethod
    def like(cls, rest: Self, batch: tuple[int, ...] = ()) -> Self:
        """Return new buffers of `batch` + the shape of `rest`, filled with `rest`."""
        data = np.empty(batch + rest.data.shape, np.float32)
        data[...] = rest.data
        pose = cls.over(data, rest.count)
        pose.rest = rest.rest or rest
        return pose

    def _view(self, data: F32, joints: int) -> None:
        batch = data.shape[:-1]
        self.data, self.rest = data, None
        self.translation = data[..., : 3 * joints].reshape(*batch, joints, 3)
        self.scale = data[..., 3 * joints : 6 * joints].reshape(*batch, joints, 3)
        self.rotation = data[..., 6 * joints : PARTS * joints].reshape(*batch, joints, 4)
        self.values = data[..., PARTS * joints :]

    @property
    def count(self) -> int:
        """J, the number of joints."""
        return self.translation.shape[-2]

    @property
    def batch(self) -> tuple[int, ...]:
        """The shape in front of the joints."""
        return self.data.shape[:-1]

    def copy(self) -> Self:
        """Return a copy with its own buffers."""
        return type(self).like(self)

    def assign(self, other: Self) -> None:
        """Copy `other` into these buffers, bit for bit; it may have fewer axes in front."""
        self.data[...] = other.data

    def equals(self, other: Self) -> bool:
        """Return whether both are equal, bit for bit (q and -q differ)."""
        return self.count == other.count and np.array_equal(self.data, other.data)
