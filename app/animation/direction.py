"""Directions as arrays [..., 3] of float64, and the turns that lead from one to another."""

import numpy as np

from app.animation import quat
from app.animation.types import F64

TINY = 1e-12  # a vector shorter than that has no direction
_OPPOSITE = 1e-12  # 1 + cosine, from where the way between two directions is not theirs to tell


def dot(a: F64, b: F64) -> F64:
    """Return the scalar products [...]."""
    return np.einsum("...i,...i->...", a, b)


def cross(a: F64, b: F64) -> F64:
    """Return the vector products [..., 3]; np.cross takes three times as long for one."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=-1)


def unit(v: F64, otherwise: F64) -> F64:
    """Return vectors at length 1; `otherwise` [..., 3] where one is too short."""
    length = np.sqrt(dot(v, v))[..., None]
    short = length < TINY
    return np.where(short, otherwise, v / np.where(short, 1.0, length))


def reject(v: F64, n: F64) -> F64:
    """Return the part of v at right angles to the direction n."""
    return v - dot(v, n)[..., None] * n


def across(n: F64, v: F64, up: F64) -> F64:
    """Return the direction at right angles to n that v lies in.

    Where v is parallel to n: to the left of n, which is `up` x n; where that is nothing either,
    any.
    """
    least = np.eye(3)[np.argmin(np.abs(n), axis=-1)]
    left = unit(cross(up, n), unit(reject(least, n), least))
    return unit(reject(v, n), left)


def angle(a: F64, b: F64) -> F64:
    """Return the angles [...] between directions, radians."""
    apart, together = a - b, a + b
    return 2.0 * np.arctan2(np.sqrt(dot(apart, apart)), np.sqrt(dot(together, together)))


def toward(a: F64, b: F64, radians: F64, up: F64) -> F64:
    """Return the direction [..., 3] so far from a on the way to b: beyond it where that is more."""
    side = across(a, b, up)
    return np.cos(radians)[..., None] * a + np.sin(radians)[..., None] * side


def within(v: F64, axis: F64, limit: float, up: F64) -> F64:
    """Return the direction nearest to v in the cone of half-angle `limit` around `axis`."""
    inside = angle(axis, v) <= limit
    return np.where(inside[..., None], v, toward(axis, v, np.full(inside.shape, limit), up))


def turn(axis: F64, radians: F64) -> F64:
    """Return the quaternions [..., 4] of turns about directions."""
    half = (radians / 2)[..., None]
    return np.concatenate((np.sin(half) * axis, np.cos(half)), axis=-1)


def arc(a: F64, b: F64, up: F64) -> F64:
    """Return the quaternions [..., 4] of the shortest turn from a to b.

    Where they are opposite the turn goes by the left, about what of `up` is at right angles to a.
    """
    cosine = dot(a, b)[..., None]
    opposite = 1.0 + cosine < _OPPOSITE
    axis = np.where(opposite, cross(a, across(a, b, up)), cross(a, b))
    return quat.normalize(np.concatenate((axis, np.where(opposite, 0.0, 1.0 + cosine)), axis=-1))
