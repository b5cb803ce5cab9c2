"""Directions as arrays [..., 3] of float64, and rotations between them."""

import numpy as np

from . import scalar_math as scalar
from .scalar_math import OPPOSITE
from .types import F64, Bool, Floats

TINY = scalar.TINY
_YZX, _ZXY = np.array((1, 2, 0)), np.array((2, 0, 1))


def some(flags: Bool | F64) -> bool:
    """Return whether any flag is set; of a single one numpy's `any` takes a microsecond."""
    return bool(flags) if flags.size == 1 else bool(flags.any())


def all_set(flags: Bool) -> bool:
    """Return whether all flags are set."""
    return bool(flags) if flags.size == 1 else bool(flags.all())


def dot(a: Floats, b: Floats) -> Floats:
    """Return the scalar products [...] of vectors of any dimension, or of quaternions."""
    if a.ndim == 1 == b.ndim and a.dtype == b.dtype == np.float64:
        return a.dot(b)
    return np.einsum("...i,...i->...", a, b)


def length(v: Floats) -> Floats:
    """Return the lengths [...] of vectors of any dimension."""
    squares: Floats = dot(v, v)
    return np.sqrt(squares)


def extent(points: Floats) -> Floats:
    """Return the least and greatest values [2, K] of points [N, K].

    For many points it takes a tenth of the time of `min(axis=0)` and `max(axis=0)`.
    """
    columns = np.ascontiguousarray(points.T)
    return np.stack([columns.min(axis=1), columns.max(axis=1)])


def cross(a: F64, b: F64) -> F64:
    """Return the vector products [..., 3]; np.cross takes several times as long for one."""
    if a.ndim == 1 == b.ndim:
        return np.array(scalar.cross(a.tolist(), b.tolist()))
    return a.take(_YZX, -1) * b.take(_ZXY, -1) - a.take(_ZXY, -1) * b.take(_YZX, -1)


def rotate(q: F64, v: F64) -> F64:
    """Return vectors [..., 3] rotated by unit quaternions [..., 4]."""
    axis = q[..., :3]
    twice = 2.0 * cross(axis, v)
    return v + q[..., 3:] * twice + cross(axis, twice)


def unit(v: F64, otherwise: F64) -> F64:
    """Return vectors of length 1; `otherwise` [..., 3] where one is too short."""
    if v.ndim == 1:
        return np.array(scalar.unit(v.tolist(), otherwise.tolist()))
    size = length(v)[..., None]
    short = size < TINY
    if not some(short):
        return v / size
    return np.where(short, otherwise, v / np.where(short, 1.0, size))


def reject(v: F64, n: F64) -> F64:
    """Return the component of v perpendicular to the direction n."""
    return v - dot(v, n)[..., None] * n


def across(n: F64, v: F64, up: F64) -> F64:
    """Return the direction of the component of v perpendicular to n.

    Where v is parallel to n, it is the left of n, `up` x n; where n is parallel to `up` as well,
    any perpendicular direction.
    """
    if n.ndim == 1 == v.ndim:
        return np.array(scalar.across(n.tolist(), v.tolist(), up.tolist()))
    side = reject(v, n)
    length2 = dot(side, side)
    if not some(~(length2 > TINY * TINY)):
        return side / np.sqrt(length2)[..., None]
    least = np.eye(3)[np.argmin(np.abs(n), axis=-1)]
    left = unit(cross(up, n), unit(reject(least, n), least))
    return unit(side, left)


def angle(a: F64, b: F64) -> F64:
    """Return the angles [...] between directions, radians."""
    if a.ndim == 1 == b.ndim:
        return np.float64(scalar.angle(a.tolist(), b.tolist()))  # type: ignore[return-value]
    apart, together = a - b, a + b
    return 2.0 * np.arctan2(length(apart), length(together))


def toward(a: F64, b: F64, radians: F64, up: F64) -> F64:
    """Return direction a [..., 3] rotated towards b by an angle [...], past b where it is less."""
    side = across(a, b, up)
    return np.cos(radians)[..., None] * a + np.sin(radians)[..., None] * side


def within(v: F64, axis: F64, limit: float, up: F64) -> F64:
    """Return v clamped to the cone of half-angle `limit` around `axis`."""
    inside = angle(axis, v) <= limit
    if not some(~inside):
        return v
    return np.where(inside[..., None], v, toward(axis, v, np.full(inside.shape, limit), up))


def turn(axis: F64, radians: F64) -> F64:
    """Return the quaternions [..., 4] of rotations about axes [..., 3] by angles [...]."""
    half = (radians / 2)[..., None]
    return np.concatenate((np.sin(half) * axis, np.cos(half)), axis=-1)


def arc(a: F64, b: F64, up: F64) -> F64:
    """Return the quaternions [..., 4] of the shortest rotation from a to b.

    Opposite directions rotate by way of the left, about the component of `up` perpendicular to a.
    """
    if a.ndim == 1 == b.ndim:
        return np.array(scalar.arc(a.tolist(), b.tolist(), up.tolist()))
    cosine = dot(a, b)[..., None]
    q = np.concatenate((cross(a, b), 1.0 + cosine), axis=-1)
    opposite = q[..., 3:] < OPPOSITE
    if some(opposite):
        left = cross(a, across(a, b, up))
        half = np.concatenate((left, np.zeros_like(cosine)), axis=-1)
        q = np.where(opposite, half, q)
    return q / length(q)[..., None]
