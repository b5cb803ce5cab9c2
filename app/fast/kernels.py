"""The compiled functions; importing this imports numba, and compiles or loads them when called.

Tables are those of `flat_tables`. Numbers are float32 as in numpy, in the same order of operations,
but for products that are added unrounded; key times are float64. A key, an item and a joint are
indices; offsets count numbers. Both are unsigned: signed ones are compared with 0 at every access,
which takes half of the time. Four numbers are computed before the first is stored: then they are
computed at once.
"""

import math

import numpy as np
from numba import njit
from numba.core import config

from ..animation.types import F32, F64, I64, U64
from .flat_tables import (
    BINDS,
    CHOSEN,
    COLUMNS,
    CONSTANTS,
    ENTRIES,
    ITEM,
    ITEM_COUNT,
    ITEMS,
    JOINTS,
    KEYS,
    LINEAR,
    LINES,
    NLERP,
    OTHERS,
    PARENTS,
    REST,
    SLERP,
    SPLINE_ROTATION,
    STEP,
    TIMES,
    VALUES,
    WIDTH,
)

# Only functions that are called from outside are cached: with those that they call.
config.SLP_VECTORIZE = 1  # the four numbers of a row at once
_ONE, _ZERO = np.float32(1), np.float32(0)
# Chebyshev fits of cos(x) and sin(x) / x in x² for x in 0 to pi / 2.
_C0, _C1 = np.float32(0.9999999997799043), np.float32(-0.499999993569565)
_C2, _C3 = np.float32(0.04166663620893088), np.float32(-0.001388836084256344)
_C4, _C5 = np.float32(2.4760135517605062e-05), np.float32(-2.6051076360327186e-07)
_S0, _S1 = np.float32(0.9999999999829695), np.float32(-0.1666666661691729)
_S2, _S3 = np.float32(0.008333330977503592), np.float32(-0.00019840861553179284)
_S4, _S5 = np.float32(2.752528712298858e-06), np.float32(-2.3889498331422455e-08)
_U0, _U1, _U2, _U3, _U4, _U5, _U6, _U8, _U12, _U16 = map(np.uintp, (0, 1, 2, 3, 4, 5, 6, 8, 12, 16))
_NONE = np.uintp(2**64 - 1)  # no line
_TOO_SHORT = np.float32(1e-6)  # a shorter sum of a quaternion spline has no direction


@njit(error_model="numpy", nogil=True, fastmath={"contract"})
def _find(clip: U64, doubles: F64, line: np.uintp, time: float) -> tuple[np.uintp, np.float32]:
    """Return the key at or before a time, and the fraction towards the next, as `KeyTimes.find`."""
    times, keys = clip[TIMES], clip[KEYS]
    begin, end = doubles[times + keys + keys], doubles[times + keys + keys + _U1]
    if time < begin:
        time = begin
    elif time > end:
        time = end
    rounded = np.float64(np.float32(time))
    at = clip[LINES] + _U2 * line
    first = times + clip[at]
    low, high = first, first + clip[at + _U1]
    while low < high:
        middle = (low + high) >> _U1
        if doubles[middle] > rounded:
            high = middle
        else:
            low = middle + _U1
    key = low - _U1 if low > first else first
    u = 0.0
    if rounded != doubles[key]:
        u = (time - doubles[key]) / doubles[keys + key]
        if u < 0.0:
            u = 0.0
        elif u > 1.0:
            u = 1.0
    return key - first, np.float32(u)


@njit(error_model="numpy", nogil=True, fastmath={"contract"})
def _cosine_sine(x: np.float32) -> tuple[np.float32, np.float32]:
    """Return both of an angle of 0 to half a turn of a slerp, within 1.7e-7; of 0 exactly."""
    z = x * x
    cosine = ((((_C5 * z + _C4) * z + _C3) * z + _C2) * z + _C1) * z + _C0
    sine = ((((_S5 * z + _S4) * z + _S3) * z + _S2) * z + _S1) * z + _S0
    return cosine, sine * x


@njit(error_model="numpy", nogil=True, fastmath={"contract"})
def _write(out: F32, to: np.uintp, x: float, y: float, z: float, w: float) -> None:
    """Write four numbers."""
    out[to], out[to + _U1], out[to + _U2], out[to + _U3] = x, y, z, w


@njit(error_model="numpy", nogil=True, fastmath={"contract"})
def _sample(  # noqa: C901 - one function, since a call for every track takes twice as long
    time: float, clip: U64, out: F32, start: np.uintp
) -> None:
    """Write all tracks at a time into a row of `Pose.data`, which begins at `start`."""
    floats, doubles = clip.view(np.float32), clip.view(np.float64)
    columns, values = clip[COLUMNS], clip[VALUES]
    for k in range(clip[CONSTANTS]):
        out[start + clip[columns + k]] = floats[values + k]
    last, key, u = _NONE, _U1, _ZERO
    for item in range(clip[ITEM_COUNT]):
        row = clip[ITEMS] + ITEM * item
        kind, to, width, line = clip[row], start + clip[row + _U1], clip[row + _U2], clip[row + _U3]
        if line != last:
            last = line
            key, u = _find(clip, doubles, line, time)
        a = clip[row + _U4] + key * clip[row + _U5]
        b = a + width
        if kind == STEP:
            for c in range(width):
                out[to + c] = floats[a + c]
        elif kind == LINEAR:
            for c in range(width):
                out[to + c] = floats[a + c] + floats[b + c] * u
        elif kind == SLERP:
            cosine, sine = _cosine_sine(floats[b + _U4] * u)
            _blend(floats, a, cosine, sine, out, to)
        elif kind == NLERP:
            size = np.float32(math.sqrt(_ONE - floats[b + _U4] * (u * (_ONE - u))))
            _blend(floats, a, _ONE, u, out, to)
            for c in range(_U4):
                out[to + c] /= size
        else:
            _spline(floats, a, width, u, kind == SPLINE_ROTATION, out, to)


@njit(error_model="numpy", nogil=True, fastmath={"contract"})
def _blend(floats: F32, a: np.uintp, s: float, t: float, out: F32, to: np.uintp) -> None:
    """Write the sum of four numbers times s and the next four times t."""
    b = a + _U4
    x = floats[a] * s + floats[b] * t
    y = floats[a + _U1] * s + floats[b + _U1] * t
    z = floats[a + _U2] * s + floats[b + _U2] * t
    w = floats[a + _U3] * s + floats[b + _U3] * t
    _write(out, to, x, y, z, w)


@njit(error_model="numpy", nogil=True, fastmath={"contract"})
def _spline(
    floats: F32, a: np.uintp, width: np.uintp, u: float, turns: bool, out: F32, to: np.uintp
) -> None:
    """Write a cubic of coefficients u⁰ to u³; a rotation is scaled to length 1."""
    square = _ZERO
    b, c, d = a + width, a + width + width, a + _U3 * width
    for k in range(width):
        value = floats[d + k] * u + floats[c + k]
        value = (value * u + floats[b + k]) * u + floats[a + k]
        out[to + k] = value
        square += value * value
    if not turns:
        return
    size = np.float32(math.sqrt(square))
    if size < _TOO_SHORT:
        square = _ZERO
        for k in range(width):
            value = floats[a + k]
            if u > 0.5:
                value += floats[b + k] + floats[c + k] + floats[d + k]
            out[to + k] = value
            square += value * value
        size = np.float32(math.sqrt(square))
        if size < _TOO_SHORT:
            _write(out, to, _ZERO, _ZERO, _ZERO, _ONE)
            size = _ONE
    for k in range(width):
        out[to + k] /= size


@njit(error_model="numpy", nogil=True, fastmath={"contract"})
def _local(pose: F32, t: np.uintp, s: np.uintp, r: np.uintp, out: F32, to: np.uintp) -> None:
    """Write the matrix [4, 4] of a translation, a scale and a rotation, which begin at offsets."""
    x, y, z, w = pose[r], pose[r + _U1], pose[r + _U2], pose[r + _U3]
    sx, sy, sz = pose[s], pose[s + _U1], pose[s + _U2]
    x2, y2, z2 = x + x, y + y, z + z
    xx, yy, zz = x * x2, y * y2, z * z2
    xy, xz, yz = x * y2, x * z2, y * z2
    wx, wy, wz = w * x2, w * y2, w * z2
    tx, ty, tz = pose[t], pose[t + _U1], pose[t + _U2]
    _write(out, to, (_ONE - (yy + zz)) * sx, (xy - wz) * sy, (xz + wy) * sz, tx)
    _write(out, to + _U4, (xy + wz) * sx, (_ONE - (xx + zz)) * sy, (yz - wx) * sz, ty)
    _write(out, to + _U8, (xz - wy) * sx, (yz + wx) * sy, (_ONE - (xx + yy)) * sz, tz)
    _write(out, to + _U12, _ZERO, _ZERO, _ZERO, _ONE)


@njit(error_model="numpy", nogil=True, fastmath={"contract"})
def _product(left: F32, at: np.uintp, right: F32, b: np.uintp, out: F32, to: np.uintp) -> None:
    """Write the first three rows of a product of matrices [4, 4]; `out` may be the right one."""
    a0, a1, a2, a3 = right[b], right[b + _U1], right[b + _U2], right[b + _U3]
    b += _U4
    b0, b1, b2, b3 = right[b], right[b + _U1], right[b + _U2], right[b + _U3]
    b += _U4
    c0, c1, c2, c3 = right[b], right[b + _U1], right[b + _U2], right[b + _U3]
    b += _U4
    d0, d1, d2, d3 = right[b], right[b + _U1], right[b + _U2], right[b + _U3]
    for _ in range(3):
        a, b, c, d = left[at], left[at + _U1], left[at + _U2], left[at + _U3]
        x = a * a0 + b * b0 + c * c0 + d * d0
        y = a * a1 + b * b1 + c * c1 + d * d1
        z = a * a2 + b * b2 + c * c2 + d * d2
        w = a * a3 + b * b3 + c * c3 + d * d3
        _write(out, to, x, y, z, w)
        at += _U4
        to += _U4


@njit(error_model="numpy", nogil=True, fastmath={"contract"})
def _place(
    pose: F32,
    p: np.uintp,
    rig: U64,
    matrices: F32,
    m: np.uintp,
    palette: F32,
    q: np.uintp,
) -> None:
    """Write the matrices [J, 4, 4] and palette [S, 3, 4] of a row of `Pose.data`.

    All arrays are flat, and begin at offsets; a view of a row would take longer than its product.
    """
    floats, joints = rig.view(np.float32), rig[JOINTS]
    for j in range(joints):
        t, s, r = p + _U3 * j, p + _U3 * (joints + j), p + _U6 * joints + _U4 * j
        _local(pose, t, s, r, matrices, m + _U16 * j)
    for j in range(joints):
        to, parent = m + _U16 * j, rig[rig[PARENTS] + j]
        if parent < joints:
            _product(matrices, m + _U16 * parent, matrices, to, matrices, to)
    for k in range(rig[ENTRIES]):
        model, bind = m + _U16 * rig[rig[CHOSEN] + k], rig[BINDS] + _U16 * k
        _product(matrices, model, floats, bind, palette, q + _U12 * k)


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"contract"})
def sample(times: F64, clip: U64, out: F32) -> None:
    """Write a clip at times [B] into rows of `Pose.data` [B, W]; columns without a track stay."""
    flat, width = out.reshape(-1), np.uintp(out.shape[1])
    for k in range(np.uintp(len(times))):
        _sample(times[k], clip, flat, k * width)


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"contract"})
def place(poses: F32, rig: U64, matrices: F32, palettes: F32) -> None:
    """Write the matrices [B, J, 4, 4] and palettes [B, S, 3, 4] of poses, `Pose.data` [B, W]."""
    flat, into, skinned = poses.reshape(-1), matrices.reshape(-1), palettes.reshape(-1)
    joints, entries = _U16 * rig[JOINTS], _U12 * rig[ENTRIES]
    for k in range(np.uintp(len(poses))):
        _place(flat, k * rig[WIDTH], rig, into, k * joints, skinned, k * entries)


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"contract"})
def pose(
    times: F64, members: I64, clip: U64, rig: U64, matrices: F32, palettes: F32, values: F32
) -> None:
    """Sample and place characters of a clip: times [B], and the rows [B] of R that they fill.

    Matrices are [R, J, 4, 4], palettes [R, S, 3, 4] and other values [R, P].
    """
    rest = rig.view(np.float32)[rig[REST] : rig[REST] + rig[WIDTH]]
    row, begin = np.empty_like(rest), rig[OTHERS]
    into, skinned = matrices.reshape(-1), palettes.reshape(-1)
    joints, entries = _U16 * rig[JOINTS], _U12 * rig[ENTRIES]
    for k in range(len(times)):
        row[:] = rest
        _sample(times[k], clip, row, _U0)
        to = np.uintp(members[k])
        _place(row, _U0, rig, into, to * joints, skinned, to * entries)
        for c in range(begin, rig[WIDTH]):
            values[to, c - begin] = row[c]
