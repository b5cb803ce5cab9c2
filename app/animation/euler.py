"""Euler angles: rotations about X, then Y, then Z of the parent's axes."""

import math
from itertools import pairwise

import numpy as np

from . import quat
from .types import F64

_LOCKED = 1e-6  # gimbal lock: cosine of y below which only the sum of x and z is defined


def to_euler(q: F64) -> F64:
    """Return the angles [..., 3] x, y, z of unit quaternions, radians: R = Rz Ry Rx.

    Blender's "XYZ Euler". y is from -90° to 90°; at these limits (gimbal lock) z is 0.
    """
    m = quat.to_matrix(np.asarray(q, np.float64))
    flat = np.hypot(m[..., 0, 0], m[..., 1, 0])
    locked = flat < _LOCKED
    x = np.where(
        locked,
        np.arctan2(-m[..., 1, 2], m[..., 1, 1]),
        np.arctan2(m[..., 2, 1], m[..., 2, 2]),
    )
    y = np.arctan2(-m[..., 2, 0], flat)
    z = np.where(locked, 0.0, np.arctan2(m[..., 1, 0], m[..., 0, 0]))
    return np.stack((x, y, z), axis=-1)


def from_euler(angles: F64) -> F64:
    """Return unit quaternions [..., 4] of angles [..., 3] as of `to_euler`, radians."""
    half = np.asarray(angles, np.float64) / 2.0
    turns = np.zeros((3, *half.shape[:-1], 4))
    for axis in range(3):
        turns[axis, ..., axis], turns[axis, ..., 3] = (
            np.sin(half[..., axis]),
            np.cos(half[..., axis]),
        )
    found: F64 = quat.multiply(turns[2], quat.multiply(turns[1], turns[0]))
    return found


def unroll(angles: F64) -> F64:
    """Return angles of the same rotations [n, 3] without jumps, each nearest to the one before.

    A rotation has two triples of angles, and each angle is defined up to whole turns.
    """
    out = np.array(angles, np.float64)
    for before, now in pairwise(out):
        now[:] = _nearest(now.tolist(), before.tolist())
    return out


def _nearest(now: list[float], before: list[float]) -> list[float]:
    x, y, z = now
    if abs(math.cos(y)) < 2 * _LOCKED:  # any z is valid: keep the last one
        x, z = (x + before[2], before[2]) if math.sin(y) > 0 else (x - before[2], before[2])
    choices = [
        [
            last + math.remainder(angle - last, math.tau)
            for angle, last in zip(way, before, strict=True)
        ]
        for way in ((x, y, z), (x + math.pi, math.pi - y, z + math.pi))
    ]
    return min(choices, key=lambda way: sum(abs(a - b) for a, b in zip(way, before, strict=True)))
