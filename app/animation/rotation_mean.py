"""Weighted means of rotations, by normalised sum (nlerp) or on the sphere (slerp)."""

from typing import Literal

import numpy as np

from . import quat
from .types import F32, F64, Bool, Index
from .vectors import dot, length

Blend = Literal["nlerp", "slerp"]
TOO_SHORT = 1e-4  # a shorter sum has no direction: the heaviest rotation is used
_STEPS = 50  # at most; two rotations need one step, four within a right angle about ten
_SETTLED = 1e-8  # radians, below the precision of float32


def between(a: F32, b: F32, weight: F32 | float, rotation: Blend) -> F32:
    """Return `a` and `b` [..., 4] interpolated on the shorter arc by weights [...]."""
    if rotation == "slerp":
        return quat.slerp(a, b, weight)
    return quat.nlerp(a, b, weight)


def mean_of(q: F32, weights: F32, heaviest: Index, rotation: Blend) -> F32:
    """Return the weighted means of n rotations.

    Parameters
    ----------
    q
        [..., n, J, 4] unit quaternions.
    weights
        [..., n], of sum 1.
    heaviest
        [...] index of the rotation that the signs of the others are aligned with.
    rotation
        "nlerp": the normalised weighted sum; "slerp": the point of the sphere with the least
        weighted sum of squared distances, which for two rotations is slerp.

    Returns
    -------
    F32
        [..., J, 4]

    Notes
    -----
    Buss, Fillmore: Spherical Averages and Applications to Spherical Splines (2001), algorithm A1.
    """
    reference = np.take_along_axis(q, heaviest[..., None, None, None], axis=-3)
    behind = dot(q, reference) < 0  # [..., n, J]
    if rotation == "nlerp":
        weight = weights[..., None]
        total = np.einsum("...ij,...ijk->...jk", np.where(behind, -weight, weight), q)
        return _unit(total, reference[..., 0, :, :])
    near: F64 = np.where(behind[..., None], -q, q).astype(np.float64)
    return _spherical(near, weights.astype(np.float64)[..., None, None]).astype(np.float32)


def _unit(total: F32, heaviest: F32) -> F32:
    """Return sums [..., 4] of unit length; `heaviest` [..., 4] where one is too short."""
    size: F32 = length(total)[..., None]
    short: Bool = size < TOO_SHORT
    if short.any():
        return np.where(short, heaviest, total / np.where(short, 1, size))
    return total / size


def _spherical(q: F64, weights: F64) -> F64:
    """Return the mean [..., J, 4] on the sphere of q [..., n, J, 4], all in one hemisphere."""
    middle: F64 = quat.normalize((weights * q).sum(axis=-3, keepdims=True))
    for _ in range(_STEPS):
        angle: F64 = quat.arc(middle, q)[..., None]
        towards = (q - middle * np.cos(angle)) * (angle / np.sin(angle))
        step = (weights * towards).sum(axis=-3, keepdims=True)
        size = length(step)[..., None]
        middle = quat.normalize(middle * np.cos(size) + step * np.sinc(size / np.pi))
        if size.max(initial=0) < _SETTLED:
            break
    return middle[..., 0, :, :]
