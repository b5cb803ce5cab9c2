"""EXT_meshopt_compression and KHR_meshopt_compression: compressed buffer views, and filters."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..animation.types import F32, U8

if TYPE_CHECKING:
    from .document import Document

Json = dict[str, Any]
_STRIDES = {
    "NONE": frozenset(range(4, 257, 4)),
    "OCTAHEDRAL": frozenset({4, 8}),
    "QUATERNION": frozenset({8}),
    "EXPONENTIAL": frozenset(range(4, 257, 4)),
    "COLOR": frozenset({4, 8}),
}
NAMES = ("KHR_meshopt_compression", "EXT_meshopt_compression")


def compression(row: Json) -> tuple[str, Json] | None:
    """Return the meshopt extension of a buffer view or buffer as (name, object), or None."""
    held = row.get("extensions")
    if not held:  # of most views
        return None
    return next(((name, held[name]) for name in NAMES if held.get(name) is not None), None)


def stream_location(view: Json) -> Json:
    """Return the object with the buffer, byteOffset and byteLength of a view's stored bytes."""
    extension = compression(view)
    return view if extension is None else extension[1]


def is_fallback(buffer: Json) -> bool:
    """Return whether a buffer is the uncompressed fallback of compressed views."""
    extension = compression(buffer)
    return extension is not None and bool(extension[1].get("fallback"))


def check_compression(document: "Document") -> None:
    """Check the bounds and properties of compressed views.

    Raises
    ------
    GltfError
        A stream exceeds its buffer, or its properties are inconsistent.
    """
    sizes = [row["byteLength"] for row in document.rows("buffers")]
    for v, view in enumerate(document.rows("bufferViews")):
        extension = compression(view)
        if extension is None:
            continue
        row, place = extension[1], f"/bufferViews/{v}/extensions/{extension[0]}"
        end = (row.get("byteOffset") or 0) + row["byteLength"]
        if end > sizes[row["buffer"]]:
            raise document.error(
                place, f"the stream ends at byte {end}, its buffer at {sizes[row['buffer']]}"
            )
        violation = _violation(view, row)
        if violation:
            raise document.error(place, violation)


def _violation(view: Json, row: Json) -> str:
    """Return the violated rule of the extension, or ``""``."""
    mode, stride, count = row["mode"], row["byteStride"], row["count"]
    name = row.get("filter") or "NONE"
    if stride * count != view["byteLength"]:
        return f"{count} elements of {stride} bytes, but the view has {view['byteLength']} bytes"
    if mode == "ATTRIBUTES":
        wrong = stride not in _STRIDES["NONE"] or stride not in _STRIDES[name]
        return f"invalid byteStride {stride} for filter {name}" if wrong else ""
    if stride not in (2, 4) or name != "NONE":
        return f"indices need a byteStride of 2 or 4 and no filter, not {stride} and {name}"
    return (
        "the index count of TRIANGLES must be divisible by 3"
        if mode == "TRIANGLES" and count % 3
        else ""
    )


def decompress(document: "Document", v: int) -> memoryview:
    """Return the decompressed bytes of a view that `check_compression` has validated.

    Raises
    ------
    GltfError
        The stream is invalid.
    """
    # imported late: few files need them
    from .meshopt_streams import decode_attributes, decode_sequence, decode_triangles

    extension = compression(document.rows("bufferViews")[v])
    assert extension is not None
    name, row = extension
    start = row.get("byteOffset") or 0
    data = document.buffer(row["buffer"])[start : start + row["byteLength"]]
    count, stride = row["count"], row["byteStride"]
    try:
        if not count:
            return memoryview(b"")
        if row["mode"] == "ATTRIBUTES":
            array = unfilter(decode_attributes(data, count, stride), row.get("filter") or "NONE")
            return memoryview(array.tobytes())
        decode = decode_triangles if row["mode"] == "TRIANGLES" else decode_sequence
        indices = decode(data, count)
        return memoryview(indices.astype("<u2" if stride == 2 else "<u4").tobytes())
    except ValueError as error:
        place = f"/bufferViews/{v}/extensions/{name}"
        raise document.error(place, f"invalid compressed data: {error}") from None
    except MemoryError:
        raise document.error(f"/bufferViews/{v}", "out of memory") from None


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
