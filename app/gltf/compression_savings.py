"""Compressed and uncompressed sizes of meshes, buffer views and images, by extension."""

from collections.abc import Sequence
from typing import Any

from ..errors import GltfError
from ..model.model import Image, Packed
from . import basisu
from .accessor import Accessors
from .accessor_layout import ELEMENTS
from .document import Document
from .draco import NAME, compression
from .meshopt import compression as view_compression


def read_savings(
    document: Document, accessors: Accessors, images: Sequence[Image]
) -> tuple[Packed, ...]:
    """Return compressed and uncompressed bytes for each compression extension in use.

    Images count four bytes per pixel of the largest mip level.
    """
    sizes: dict[str, list[int]] = {}
    for view in document.rows("bufferViews"):
        found = view_compression(view)
        if found is not None:
            _count(sizes, found[0], found[1]["byteLength"], view["byteLength"])
    stream_accessors: dict[int, set[int]] = {}  # accessors by the buffer view of their Draco stream
    for mesh in document.rows("meshes"):
        for primitive in mesh["primitives"]:
            row = compression(primitive)
            if row is not None:
                used = {primitive["attributes"].get(name) for name in row["attributes"]}
                used = (used | {primitive.get("indices")}) - {None}
                stream_accessors.setdefault(row["bufferView"], set()).update(used)
    rows = document.rows("accessors")
    for v, used in stream_accessors.items():
        unpacked = sum(
            rows[a]["count"] * ELEMENTS[rows[a]["type"], rows[a]["componentType"]] for a in used
        )
        _count(sizes, NAME, document.rows("bufferViews")[v]["byteLength"], unpacked)
    extensions = (
        (row.get("extensions") or {}).get(basisu.NAME) for row in document.rows("textures")
    )
    pictures = {row.get("source") for row in extensions if row}
    for i in range(len(images)):
        if i not in pictures:
            continue
        size = _pixels(document, accessors, document.rows("images")[i], i)
        if size:
            _count(sizes, basisu.NAME, images[i].nbytes, 4 * size)
    return tuple(Packed(name, *pair) for name, pair in sizes.items())


def _pixels(document: Document, accessors: Accessors, row: dict[str, Any], i: int) -> int:
    """Return the pixel count of an image; 0 if missing or corrupt (decoding warns about that)."""
    uri, view = row.get("uri"), row.get("bufferView")
    try:
        if uri is not None:
            header: bytes | memoryview = document.resource(
                uri, f"/images/{i}/uri", basisu.HEADER_BYTES
            )
        elif view is not None:
            header = accessors.view(view)[: basisu.HEADER_BYTES]
        else:
            return 0
        width, height = basisu.header_size(header)
    except (GltfError, ValueError):
        return 0
    return width * height


def _count(sizes: dict[str, list[int]], name: str, nbytes: int, unpacked: int) -> None:
    pair = sizes.setdefault(name, [0, 0])
    pair[0] += nbytes
    pair[1] += unpacked
