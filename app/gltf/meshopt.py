"""EXT_meshopt_compression and KHR_meshopt_compression: compressed buffer views."""

from typing import TYPE_CHECKING, Any

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
    from .meshopt_attributes import decode_attributes  # imported late: few files need them
    from .meshopt_filters import unfilter
    from .meshopt_indices import decode_sequence, decode_triangles

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
