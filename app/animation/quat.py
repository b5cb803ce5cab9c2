"""Quaternions xyzw as arrays [..., 4]; every function takes any batch and broadcasts."""

import numpy as np

from . import scalar_math as scalar
from .scalar_math import NEARLY_PARALLEL, SHORT
from .types import Floats
from .vectors import dot, length


def _is_single(q: Floats) -> bool:
    """Return whether this is one quaternion of float64, which plain numbers compute faster."""
    return q.ndim == 1 and q.dtype == np.float64


def multiply(a: Floats, b: Floats) -> Floats:
    """Return the Hamilton product: rotation by `b` first, then by `a`."""
    if _is_single(a) and _is_single(b):
        return np.array(scalar.multiply(a.tolist(), b.tolist()))
    ax, ay, az, aw = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bx, by, bz, bw = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    x: Floats = aw * bx + ax * bw + ay * bz - az * by
    out: Floats = np.empty((*x.shape, 4), x.dtype)
    out[..., 0] = x
    out[..., 1] = aw * by - ax * bz + ay * bw + az * bx
    out[..., 2] = aw * bz + ax * by - ay * bx + az * bw
    out[..., 3] = aw * bw - ax * bx - ay * by - az * bz
    return out


def conjugate(q: Floats) -> Floats:
    """Return the conjugates: the inverse rotations of unit quaternions."""
    return q * np.array((-1, -1, -1, 1), q.dtype)


def normalize(q: Floats) -> Floats:
    """Return `q` of unit length; the identity where it is shorter than 1e-6."""
    if _is_single(q):
        return np.array(scalar.normalize(q.tolist()))
    size = length(q)[..., None]
    short = size < SHORT
    unit = q / np.where(short, 1, size)
    return np.where(short, np.array((0, 0, 0, 1), q.dtype), unit)


def rotate(q: Floats, v: Floats) -> Floats:
    """Return vectors [..., 3] rotated by unit quaternions [..., 4]."""
    axis, w = q[..., :3], q[..., 3:]
    twice = 2 * _cross(axis, v)
    return v + w * twice + _cross(axis, twice)


def _cross(a: Floats, b: Floats) -> Floats:
    """Return the vector products [..., 3]; np.cross takes two to five times as long."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    x: Floats = ay * bz - az * by
    out: Floats = np.empty((*x.shape, 3), x.dtype)
    out[..., 0] = x
    out[..., 1] = az * bx - ax * bz
    out[..., 2] = ax * by - ay * bx
    return out


def nlerp(a: Floats, b: Floats, u: Floats | float) -> Floats:
    """Return the normalised linear interpolation on the shorter arc.

    Parameters
    ----------
    a, b
        [..., 4] unit quaternions.
    u
        [...] fraction, 0 gives `a`, 1 gives `b` (or -b, the same rotation).

    Returns
    -------
    Floats
        [..., 4] unit quaternions.
    """
    fraction: Floats = np.asarray(u, a.dtype)[..., None]
    return normalize(a * (1 - fraction) + _nearer(a, b) * fraction)


def slerp(a: Floats, b: Floats, u: Floats | float) -> Floats:
    """Return the spherical linear interpolation on the shorter arc, at constant angular speed.

    Parameters
    ----------
    a, b
        [..., 4] unit quaternions.
    u
        [...] fraction, 0 gives `a`, 1 gives `b` (or -b, the same rotation).

    Returns
    -------
    Floats
        [..., 4] unit quaternions. Where `a` and `b` are nearly parallel this is nlerp.

    Notes
    -----
    glTF 2.0, appendix C.4.
    """
    if isinstance(u, float) and _is_single(a) and _is_single(b):
        return np.array(scalar.slerp(a.tolist(), b.tolist(), u))
    fraction: Floats = np.asarray(u, a.dtype)
    near = _nearer(a, b)
    angle = arc(a, near)
    sine = np.sin(angle)
    from_a = np.sin((1 - fraction) * angle) / sine
    from_b = np.sin(fraction * angle) / sine
    return normalize(from_a[..., None] * a + from_b[..., None] * near)


def _nearer(a: Floats, b: Floats) -> Floats:
    """Return `b` or -b, whichever is nearer to `a`."""
    return np.where(dot(a, b)[..., None] < 0, -b, b)


def align_signs(q: Floats) -> Floats:
    """Return the rotations [K, ..., 4] with signs flipped so that each is nearest to the last."""
    far = dot(q[1:], q[:-1]) < 0
    signs = np.ones(q.shape[:-1], q.dtype)
    signs[1:][np.cumsum(far, axis=0) % 2 == 1] = -1
    return q * signs[..., None]


def arc(a: Floats, b: Floats) -> Floats:
    """Return the angle between `a` and `b` as vectors, [...] radians, at least NEARLY_PARALLEL.

    The minimum makes sin(u x) / sin(x) equal u in float32 where the two are parallel: nlerp
    without a branch or 0 / 0. Unlike arccos, the arctangent of two lengths is exact near 0.
    """
    apart, together = a - b, a + b
    angle = 2 * np.arctan2(length(apart), length(together))
    return np.maximum(angle, np.asarray(NEARLY_PARALLEL, a.dtype))


def angle(a: Floats, b: Floats) -> Floats:
    """Return the angle between rotations, [...] radians; exact near 0, unlike arccos."""
    chord = np.minimum(length(a - b), length(a + b))
    return 4 * np.arcsin(np.minimum(chord / 2, 1))


def to_matrix(q: Floats) -> Floats:
    """Return the rotation matrices [..., 3, 3] of unit quaternions [..., 4]."""
    if _is_single(q):
        return np.array(scalar.to_matrix(q.tolist()))
    out = np.empty((*q.shape[:-1], 3, 3), q.dtype)
    for (row, column), entry in matrix_entries(q).items():
        out[..., row, column] = entry
    return out


def matrix_entries(q: Floats) -> dict[tuple[int, int], Floats]:
    """Return the nine entries [...] of the rotation matrices, by row and column.

    Per entry, numpy's loops run over the batch instead of over three numbers.
    """
    x, y, z, w = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    x2, y2, z2 = x + x, y + y, z + z
    xx, yy, zz = x * x2, y * y2, z * z2
    xy, xz, yz = x * y2, x * z2, y * z2
    wx, wy, wz = w * x2, w * y2, w * z2
    return {
        (0, 0): 1 - (yy + zz),
        (0, 1): xy - wz,
        (0, 2): xz + wy,
        (1, 0): xy + wz,
        (1, 1): 1 - (xx + zz),
        (1, 2): yz - wx,
        (2, 0): xz - wy,
        (2, 1): yz + wx,
        (2, 2): 1 - (xx + yy),
    }


def from_matrix(m: Floats) -> Floats:
    """Return the unit quaternions [..., 4] (w >= 0) of rotation matrices [..., 3, 3].

    The squares of the components follow from the diagonal, their products from the other entries.
    The row of the greatest square is numerically stable (Shepperd 1978).
    """
    trace = np.trace(m, axis1=-2, axis2=-1)
    diagonal = np.einsum("...ii->...i", m)
    outer = np.empty((*m.shape[:-2], 4, 4), m.dtype)  # 4 q qᵀ
    outer[..., :3, :3] = m + np.swapaxes(m, -1, -2)
    for i in range(3):
        outer[..., i, i] = 1 - trace + 2 * diagonal[..., i]
        j, k = (i + 1) % 3, (i + 2) % 3
        outer[..., i, 3] = outer[..., 3, i] = m[..., k, j] - m[..., j, k]
    outer[..., 3, 3] = 1 + trace
    greatest = np.argmax(np.einsum("...ii->...i", outer), axis=-1)
    row = np.take_along_axis(outer, greatest[..., None, None], axis=-2)[..., 0, :]
    q = normalize(row)
    return np.where(q[..., 3:] < 0, -q, q)
