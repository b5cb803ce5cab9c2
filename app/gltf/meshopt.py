"""EXT_meshopt_compression and KHR_meshopt_compression: buffer views that are packed."""

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


def packed(row: Json) -> tuple[str, Json] | None:
    """Return the extension of a buffer view (or of a buffer) that is packed, and its object."""
    held = row.get("extensions") or {}
    return next(((name, held[name]) for name in NAMES if held.get(name) is not None), None)


def stored(view: Json) -> Json:
    """Return where the bytes of a view really are: an object with buffer, offset and length."""
    found = packed(view)
    return view if found is None else found[1]


def fallback(buffer: Json) -> bool:
    """Tell whether a buffer is where what is packed would be unpacked."""
    found = packed(buffer)
    return found is not None and bool(found[1].get("fallback"))


def check_packed(document: "Document") -> None:
    """Make sure that packed views are where and what they say.

    Raises
    ------
    GltfError
        A stream runs past the end of its buffer, or its numbers contradict each other.
    """
    sizes = [row["byteLength"] for row in document.rows("buffers")]
    for v, view in enumerate(document.rows("bufferViews")):
        found = packed(view)
        if found is None:
            continue
        row, place = found[1], f"/bufferViews/{v}/extensions/{found[0]}"
        end = (row.get("byteOffset") or 0) + row["byteLength"]
        if end > sizes[row["buffer"]]:
            raise document.error(
                place, f"it ends at byte {end} of a buffer of {sizes[row['buffer']]}"
            )
        fault = _contradiction(view, row)
        if fault:
            raise document.error(place, fault)


def _contradiction(view: Json, row: Json) -> str:
    """Return which rule of the extension is broken; ``""``: none."""
    mode, stride, count = row["mode"], row["byteStride"], row["count"]
    name = row.get("filter") or "NONE"
    if stride * count != view["byteLength"]:
        return f"{count} elements of {stride} bytes in a view of {view['byteLength']}"
    if mode == "ATTRIBUTES":
        wrong = stride not in _STRIDES["NONE"] or stride not in _STRIDES[name]
        return f"{name} attributes cannot have {stride} bytes" if wrong else ""
    if stride not in (2, 4) or name != "NONE":
        return f"indices cannot have {stride} bytes, nor a filter"
    return "triangles need three indices each" if mode == "TRIANGLES" and count % 3 else ""


def unpack(document: "Document", v: int) -> memoryview:
    """Return what a packed view holds; `check_packed` has seen it.

    Raises
    ------
    GltfError
        The stream is broken.
    """
    from .meshopt_attributes import decode_attributes  # few files need these
    from .meshopt_filters import unfilter
    from .meshopt_indices import decode_sequence, decode_triangles

    found = packed(document.rows("bufferViews")[v])
    assert found is not None
    name, row = found
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
        raise document.error(place, f"the packed data is broken: {error}") from None
    except MemoryError:
        raise document.error(f"/bufferViews/{v}", "there is not memory enough for it") from None
