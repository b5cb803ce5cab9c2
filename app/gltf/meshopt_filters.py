"""Filters of EXT_meshopt_compression and KHR_meshopt_compression: the last step of decoding.

Notes
-----
KHR_meshopt_compression, appendix B.
"""

import numpy as np
from numpy.typing import NDArray

from ..animation.types import F32, U8


def unfilter(data: U8, name: str) -> U8:
    """Return elements [count, stride] with a filter undone.

    Invalid input produces arbitrary numbers, never an error.
    """
    if name == "NONE" or not len(data):
        return data
    with np.errstate(all="ignore"):
        return np.ascontiguousarray(_FILTERS[name](data)).view(np.uint8).reshape(data.shape)


def _signed(data: U8) -> NDArray[np.signedinteger]:
    return data.view("<i2" if data.shape[1] == 8 else "<i1")


def _rounded(values: F32, most: int) -> F32:
    """Return values scaled to `most`, rounded half away from zero and clamped."""
    away = np.copysign(np.floor(np.abs(values) * most + np.float32(0.5)), values)
    return np.clip(np.nan_to_num(away), -most, most)


def _octahedral(data: U8) -> NDArray[np.signedinteger]:
    stored = _signed(data)
    most = int(np.iinfo(stored.dtype).max)
    parts = stored[:, :3].astype(np.float32)
    x, y = parts[:, 0] / parts[:, 2], parts[:, 1] / parts[:, 2]
    z = 1 - np.abs(x) - np.abs(y)
    fold = np.minimum(z, 0)
    vectors = np.stack((x - np.copysign(fold, x), y - np.copysign(fold, y), z), axis=1)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    out = stored.copy()
    out[:, :3] = _rounded(vectors, most)
    return out


def _quaternion(data: U8) -> NDArray[np.signedinteger]:
    stored = data.view("<i2")
    largest = stored[:, 3] & 3
    one = (stored[:, 3] | 3).astype(np.float32)
    parts = stored[:, :3] / one[:, None] * np.float32(0.5**0.5)
    left = np.sqrt(np.maximum(0, 1 - (parts * parts).sum(axis=1)))
    order = (largest[:, None] + np.array([1, 2, 3, 0], np.int16)) & 3
    out = np.empty_like(stored)
    values = np.column_stack((parts, left)).astype(np.float32)
    np.put_along_axis(out, order.astype(np.intp), _rounded(values, 32767).astype(np.int16), axis=1)
    return out


def _exponential(data: U8) -> NDArray[np.float32]:
    stored = data.view("<i4")
    return np.ldexp((stored << 8 >> 8).astype(np.float32), stored >> 24).astype("<f4")


def _color(data: U8) -> NDArray[np.unsignedinteger]:
    unsigned = data.view("<u2" if data.shape[1] == 8 else "<u1")
    most = int(np.iinfo(unsigned.dtype).max)
    y, alpha = unsigned[:, 0].astype(np.int32), unsigned[:, 3].astype(np.int32)
    co, cg = (_signed(data)[:, k].astype(np.int32) for k in (1, 2))
    bits = np.frexp(alpha.astype(np.float32))[1]  # position of the highest bit, from 1
    scale = (1 << np.maximum(bits, 1)) - 1
    opaque = alpha & scale >> 1
    opaque = opaque << 1 | opaque & 1
    parts = np.stack((y + co - cg, y + cg, y - co - cg, opaque), axis=1).astype(np.float32)
    found = np.floor(parts * (most / scale[:, None].astype(np.float32)) + np.float32(0.5))
    return np.clip(found, 0, most).astype(unsigned.dtype)


_FILTERS = {
    "OCTAHEDRAL": _octahedral,
    "QUATERNION": _quaternion,
    "EXPONENTIAL": _exponential,
    "COLOR": _color,
}
