"""Sizes and bounds checks of accessors and buffer views (glTF 2.0, section 3.6.2)."""

from typing import Any

import numpy as np

from ..errors import GltfError
from .document import Document
from .meshopt import check_compression, compression

COMPONENTS: dict[int, np.dtype[Any]] = {
    5120: np.dtype("<i1"),
    5121: np.dtype("<u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_FLOAT = 5126
_SIZES = {code: dtype.itemsize for code, dtype in COMPONENTS.items()}
# Columns of small matrices are padded to four bytes (section 3.6.2.4).
_PADDED = {("MAT2", 1): 8, ("MAT3", 1): 12, ("MAT3", 2): 24}
ELEMENTS = {
    (kind, code): _PADDED.get((kind, size), width * size)
    for kind, width in WIDTHS.items()
    for code, size in _SIZES.items()
}


def check_layout(document: Document) -> dict[int, tuple[int, int]]:
    """Check that every buffer view lies in its buffer and every accessor in its view.

    Returns
    -------
    dict
        Tightly packed float32 accessors: their buffer, and the index of their first float32 in it.

    Raises
    ------
    GltfError
        An accessor or a view is out of bounds.
    """
    _check_views(document)
    check_compression(document)
    views, tight = document.rows("bufferViews"), {}
    for a, row in enumerate(document.rows("accessors")):
        sparse, v = row.get("sparse"), row.get("bufferView")
        if sparse:
            _check_sparse(document, a, row)
        if v is None or not row["count"]:
            continue
        view, code = views[v], row["componentType"]
        size = ELEMENTS[row["type"], code]
        stride = view.get("byteStride") or size
        start = row.get("byteOffset") or 0
        end = start + stride * (row["count"] - 1) + size
        if stride < size or end > view["byteLength"]:
            raise _overrun(document, a, end, view["byteLength"], stride, size)
        if code == _FLOAT and stride == size and not sparse and compression(view) is None:
            start += view.get("byteOffset") or 0
            if start % 4 == 0:
                tight[a] = (view["buffer"], start >> 2)
    return tight


def _check_views(document: Document) -> None:
    sizes = [row["byteLength"] for row in document.rows("buffers")]
    for v, view in enumerate(document.rows("bufferViews")):
        end = (view.get("byteOffset") or 0) + view["byteLength"]
        if end > sizes[view["buffer"]]:
            raise document.error(
                f"/bufferViews/{v}",
                f"the view ends at byte {end}, its buffer at {sizes[view['buffer']]}",
            )


def _check_sparse(document: Document, a: int, row: dict[str, Any]) -> None:
    """Check that both parts of a sparse accessor lie in their views (section 3.6.2.3)."""
    sparse, views = row["sparse"], document.rows("bufferViews")
    if sparse["count"] > row["count"]:
        raise document.error(
            f"/accessors/{a}/sparse/count", f"more than the accessor's {row['count']} elements"
        )
    sizes = {
        "indices": _SIZES[sparse["indices"]["componentType"]],
        "values": ELEMENTS[row["type"], row["componentType"]],
    }
    for part, size in sizes.items():
        end = (sparse[part].get("byteOffset") or 0) + size * sparse["count"]
        length = views[sparse[part]["bufferView"]]["byteLength"]
        if end > length:
            raise document.error(
                f"/accessors/{a}/sparse/{part}",
                f"the {part} end at byte {end}, their buffer view at {length}",
            )


def _overrun(
    document: Document, a: int, end: int, length: int, stride: int, size: int
) -> GltfError:
    if stride < size:
        message = f"a stride of {stride} bytes is less than an element of {size}"
    else:
        message = f"the accessor ends at byte {end}, its buffer view at {length}"
    return document.error(f"/accessors/{a}", message)
