"""The compiled functions; importing this imports numba, and compiles or loads them when called.

Tables are those of `flat_tables`. Numbers are float32 as in numpy, in the same order of operations,
but for products that are added unrounded; key times are float64. A key, an item and a joint are
indices; offsets count numbers.
"""

import math

import numpy as np
from numba import njit
from numba.core import config

from ..animation.types import F32, F64, I64
from .flat_tables import (
    CONSTANTS,
    ITEM,
    ITEMS,
    JOINTS,
    LINEAR,
    LINES,
    NLERP,
    SLERP,
    SPLINE_ROTATION,
    STEP,
    WIDTH,
)

config.SLP_VECTORIZE = 1  # the four entries of a row at once
_ONE = np.float32(1)
# Chebyshev fits of cos(x) and sin(x) / x in x² for x in 0 to pi / 2.
_C0, _C1 = np.float32(0.9999999997799043), np.float32(-0.499999993569565)
_C2, _C3 = np.float32(0.04166663620893088), np.float32(-0.001388836084256344)
_C4, _C5 = np.float32(2.4760135517605062e-05), np.float32(-2.6051076360327186e-07)
_S0, _S1 = np.float32(0.9999999999829695), np.float32(-0.1666666661691729)
_S2, _S3 = np.float32(0.008333330977503592), np.float32(-0.00019840861553179284)
_S4, _S5 = np.float32(2.752528712298858e-06), np.float32(-2.3889498331422455e-08)
# Unsigned offsets: signed ones are compared with 0 at every access, a fifth of the time.
_U1, _U2, _U3, _U4, _U6, _U8, _U12, _U16 = (np.uintp(k) for k in (1, 2, 3, 4, 6, 8, 12, 16))
_TOO_SHORT = np.float32(1e-6)  # a shorter sum of a quaternion spline has no direction


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"contract"})
def _find(doubles: F64, first: int, count: int, time: float) -> tuple[int, np.float32]:
    """Return the key at or before a time, and the fraction towards the next, as `KeyTimes.find`."""
    keys = (len(doubles) - 2) // 2
    begin, end = doubles[2 * keys], doubles[2 * keys + 1]
    if time < begin:
        time = begin
    elif time > end:
        time = end
    rounded = np.float64(np.float32(time))
    low, high = first, first + count
    while low < high:
        middle = (low + high) >> 1
        if doubles[middle] > rounded:
            high = middle
        else:
            low = middle + 1
    key = max(low - 1, first)
    u = 0.0
    if rounded != doubles[key]:
        u = (time - doubles[key]) / doubles[keys + key]
        if u < 0.0:
            u = 0.0
        elif u > 1.0:
            u = 1.0
    return key - first, np.float32(u)


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"contract"})
def _cosine_sine(x: np.float32) -> tuple[np.float32, np.float32]:
    """Return both of an angle of 0 to half a turn of a slerp, within 1.7e-7; of 0 exactly."""
    z = x * x
    cosine = ((((_C5 * z + _C4) * z + _C3) * z + _C2) * z + _C1) * z + _C0
    sine = ((((_S5 * z + _S4) * z + _S3) * z + _S2) * z + _S1) * z + _S0
    return cosine, sine * x


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"contract"})
def _sample(  # noqa: C901 - one function, since a call for every track takes twice as long
    time: float, ints: I64, floats: F32, doubles: F64, out: F32, start: int
) -> None:
    """Write all tracks at a time into a row of `Pose.data`, which begins at `start`."""
    lines, at = ints[LINES], ints[ITEMS]
    constants, values = ints[CONSTANTS], ints[CONSTANTS + 1]
    for k in range(constants):
        out[start + ints[values + k]] = floats[k]
    last, key, u = np.int64(-1), np.int64(0), np.float32(0)
    for item in range(ints[ITEMS + 1]):
        row = at + ITEM * item
        kind, column, width, line = ints[row], start + ints[row + 1], ints[row + 2], ints[row + 3]
        if line != last:
            last = line
            key, u = _find(doubles, ints[lines + 2 * line], ints[lines + 2 * line + 1], time)
        a = ints[row + 4] + key * ints[row + 5]
        b = a + width
        if kind == STEP:
            for c in range(width):
                out[column + c] = floats[a + c]
        elif kind == LINEAR:
            for c in range(width):
                out[column + c] = floats[a + c] + floats[b + c] * u
        elif kind == SLERP:
            cosine, sine = _cosine_sine(floats[b + 4] * u)
            for c in range(4):
                out[column + c] = floats[a + c] * cosine + floats[b + c] * sine
        elif kind == NLERP:
            size = np.float32(math.sqrt(_ONE - floats[b + 4] * (u * (_ONE - u))))
            for c in range(4):
                out[column + c] = (floats[a + c] + floats[b + c] * u) / size
        else:
            _spline(floats, a, width, u, kind == SPLINE_ROTATION, out, column)


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"contract"})
def _spline(floats: F32, a: int, width: int, u: float, turns: bool, out: F32, column: int) -> None:
    """Write a cubic of coefficients u⁰ to u³; a rotation is scaled to length 1."""
    square = np.float32(0)
    for c in range(width):
        value = floats[a + 3 * width + c] * u + floats[a + 2 * width + c]
        value = (value * u + floats[a + width + c]) * u + floats[a + c]
        out[column + c] = value
        square += value * value
    if not turns:
        return
    size = np.float32(math.sqrt(square))
    if size < _TOO_SHORT:
        square = np.float32(0)
        for c in range(4):
            value = floats[a + c]
            if u > 0.5:
                value += floats[a + 4 + c] + floats[a + 8 + c] + floats[a + 12 + c]
            out[column + c] = value
            square += value * value
        size = np.float32(math.sqrt(square))
        if size < _TOO_SHORT:
            for c in range(4):
                out[column + c] = np.float32(0)
            out[column + 3] = size = _ONE
    for c in range(4):
        out[column + c] /= size


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"contract"})
def _place(
    pose: F32,
    pose_at: int,
    ints: I64,
    floats: F32,
    matrices: F32,
    matrices_at: int,
    palette: F32,
    palette_at: int,
) -> None:
    """Write the matrices [J, 4, 4] and palette [S, 3, 4] of a row of `Pose.data`.

    All arrays are flat, and begin at offsets; a view of a row would take longer than its product.
    """
    joints, parents = np.uintp(ints[JOINTS]), np.uintp(ints[JOINTS + 1])
    p, m, q = np.uintp(pose_at), np.uintp(matrices_at), np.uintp(palette_at)
    for joint in range(joints):
        j = np.uintp(joint)
        t, s, r = p + _U3 * j, p + _U3 * (joints + j), p + _U6 * joints + _U4 * j
        x, y, z, w = pose[r], pose[r + _U1], pose[r + _U2], pose[r + _U3]
        sx, sy, sz = pose[s], pose[s + _U1], pose[s + _U2]
        x2, y2, z2 = x + x, y + y, z + z
        xx, yy, zz = x * x2, y * y2, z * z2
        xy, xz, yz = x * y2, x * z2, y * z2
        wx, wy, wz = w * x2, w * y2, w * z2
        l00, l01, l02 = (_ONE - (yy + zz)) * sx, (xy - wz) * sy, (xz + wy) * sz
        l10, l11, l12 = (xy + wz) * sx, (_ONE - (xx + zz)) * sy, (yz - wx) * sz
        l20, l21, l22 = (xz - wy) * sx, (yz + wx) * sy, (_ONE - (xx + yy)) * sz
        l03, l13, l23 = pose[t], pose[t + _U1], pose[t + _U2]
        to, parent = m + _U16 * j, ints[parents + j]
        if parent < 0:
            matrices[to], matrices[to + _U1], matrices[to + _U2], matrices[to + _U3] = (
                l00,
                l01,
                l02,
                l03,
            )
            to += _U4
            matrices[to], matrices[to + _U1], matrices[to + _U2], matrices[to + _U3] = (
                l10,
                l11,
                l12,
                l13,
            )
            to += _U4
            matrices[to], matrices[to + _U1], matrices[to + _U2], matrices[to + _U3] = (
                l20,
                l21,
                l22,
                l23,
            )
            to += _U4
        else:
            above = m + _U16 * np.uintp(parent)
            for _ in range(3):
                a, b, c = matrices[above], matrices[above + _U1], matrices[above + _U2]
                d = matrices[above + _U3]
                matrices[to] = a * l00 + b * l10 + c * l20
                matrices[to + _U1] = a * l01 + b * l11 + c * l21
                matrices[to + _U2] = a * l02 + b * l12 + c * l22
                matrices[to + _U3] = a * l03 + b * l13 + c * l23 + d
                to += _U4
                above += _U4
        matrices[to] = matrices[to + _U1] = matrices[to + _U2] = np.float32(0)
        matrices[to + _U3] = _ONE
    entries, chosen = np.uintp(ints[JOINTS + 2]), np.uintp(ints[JOINTS + 3])
    for entry in range(entries):
        s = np.uintp(entry)
        model, bind, to = m + _U16 * np.uintp(ints[chosen + s]), _U16 * s, q + _U12 * s
        for _ in range(3):
            a, b, c = matrices[model], matrices[model + _U1], matrices[model + _U2]
            d = matrices[model + _U3]
            for column in range(4):
                k = np.uintp(column)
                palette[to + k] = (
                    a * floats[bind + k]
                    + b * floats[bind + _U4 + k]
                    + c * floats[bind + _U8 + k]
                    + d * floats[bind + _U12 + k]
                )
            model += _U4
            to += _U4


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"contract"})
def sample(times: F64, ints: I64, floats: F32, doubles: F64, out: F32) -> None:
    """Write a clip at times [B] into rows of `Pose.data` [B, W]; columns without a track stay."""
    flat, width = out.reshape(-1), out.shape[1]
    for k in range(len(times)):
        _sample(times[k], ints, floats, doubles, flat, k * width)


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"contract"})
def place(poses: F32, ints: I64, floats: F32, matrices: F32, palettes: F32) -> None:
    """Write the matrices [B, J, 4, 4] and palettes [B, S, 3, 4] of poses, `Pose.data` [B, W]."""
    flat, width, into, skinned = (
        poses.reshape(-1),
        poses.shape[1],
        matrices.reshape(-1),
        palettes.reshape(-1),
    )
    rows, entries = 16 * matrices.shape[1], 12 * palettes.shape[1]
    for k in range(len(poses)):
        _place(flat, k * width, ints, floats, into, k * rows, skinned, k * entries)


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"contract"})
def pose(
    times: F64,
    members: I64,
    clip_ints: I64,
    clip_floats: F32,
    doubles: F64,
    rig_ints: I64,
    rig_floats: F32,
    rest: F32,
    matrices: F32,
    palettes: F32,
    values: F32,
) -> None:
    """Sample and place characters of a clip: times [B], and the rows [B] of R that they fill.

    `rest` is `Pose.data` at rest [W]; matrices are [R, J, 4, 4], palettes [R, S, 3, 4] and other
    values [R, P].
    """
    row, begin = np.empty_like(rest), rig_ints[WIDTH]
    into, skinned = matrices.reshape(-1), palettes.reshape(-1)
    rows, entries = 16 * matrices.shape[1], 12 * palettes.shape[1]
    for k in range(len(times)):
        row[:] = rest
        _sample(times[k], clip_ints, clip_floats, doubles, row, 0)
        to = members[k]
        _place(row, 0, rig_ints, rig_floats, into, to * rows, skinned, to * entries)
        for c in range(begin, len(row)):
            values[to, c - begin] = row[c]
