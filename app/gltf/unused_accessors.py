"""Remove accessors that only replaced keys used, with their buffer views and bytes.

Bytes are removed in words of four, which preserves the alignment of the rest.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..animation.types import Bool, Index
from .accessor_layout import ELEMENTS
from .accessor_references import (
    PARTS,
    Json,
    animation_accessors,
    buffer_view_references,
    other_accessors,
    other_buffer_view_references,
    renumber_accessors,
)
from .document import Document
from .meshopt_documents import ByteRange, views_of_keys

_WORD = 4  # bytes


def merge_buffers(document: Document, json: Json, unused: Sequence[ByteRange] = ()) -> bytearray:
    """Merge all buffers of `json` into one and remove unused keys, in place.

    Parameters
    ----------
    document
        The original; only data used by its animations may be removed.
    json
        The JSON with changed animations; new accessors, without buffer views yet, are at the end.
    unused
        Further unused byte ranges.

    Returns
    -------
    bytearray
        The bytes of the merged buffer; "buffers" of `json` is not updated.
    """
    keys, others = animation_accessors(document.json), other_accessors(json)
    unused_keys = keys - animation_accessors(json) - others
    views = document.rows("bufferViews")
    key_views = {v for v in views_of_keys(document) if not views[v].get("byteStride")}
    kept_views = _views_to_keep(json, unused_keys, key_views)
    _drop_accessors(json, unused_keys)
    blob = bytearray()
    shifts = []
    for b in range(len(document.rows("buffers"))):
        remove = _words_to_remove(document, json, b, key_views, kept_views, unused)
        stored = bytes(document.buffer(b))
        data = np.frombuffer(stored + b"\0" * (-len(stored) % _WORD), np.uint32)
        shifts.append(_OffsetMap(len(blob), np.append(0, np.cumsum(remove)).astype(np.intp)))
        blob += data[~remove].tobytes()
    _update_offsets(json, key_views, kept_views, shifts)
    return blob


class _OffsetMap(NamedTuple):
    """Maps byte offsets of a buffer to offsets in the merged buffer."""

    base: int  # offset of the buffer in the merged one
    removed: Index  # [words + 1] number of removed words before each word

    def __call__(self, byte: int) -> int:
        return (
            self.base + byte - _WORD * int(self.removed[min(byte // _WORD, len(self.removed) - 1)])
        )


def _views_to_keep(json: Json, unused_keys: set[int], key_views: set[int]) -> set[int]:
    """Return the views to keep: all except those of unused keys."""
    alive = {
        reference["bufferView"]
        for a, row in enumerate(json.get("accessors") or ())
        if a not in unused_keys
        for reference in buffer_view_references(row)
    }
    return {
        v for v in range(len(json.get("bufferViews") or ())) if v not in key_views or v in alive
    }


def _drop_accessors(json: Json, unused_keys: set[int]) -> None:
    rows = json.get("accessors") or []
    kept = [a for a in range(len(rows)) if a not in unused_keys]
    json["accessors"] = [rows[a] for a in kept]
    renumber_accessors(json, {a: k for k, a in enumerate(kept)}.__getitem__)


def _words_to_remove(
    document: Document,
    json: Json,
    buffer: int,
    key_views: set[int],
    kept: set[int],
    unused: Sequence[ByteRange],
) -> Bool:
    """Return the words of a buffer to remove: those of key views that no accessor uses now."""
    views = document.rows("bufferViews")
    here = [v for v, row in enumerate(views) if row["buffer"] == buffer]
    remove = np.zeros(-(-document.rows("buffers")[buffer]["byteLength"] // _WORD), bool)
    for _, begin, end in (byte_range for byte_range in unused if byte_range.buffer == buffer):
        remove[-(-begin // _WORD) : end // _WORD] = True
    for v in here:
        if v in key_views:
            begin = views[v].get("byteOffset") or 0
            remove[-(-begin // _WORD) : (begin + views[v]["byteLength"]) // _WORD] = True
    for v in here:
        if v not in key_views:
            begin = views[v].get("byteOffset") or 0
            remove[begin // _WORD : -(-(begin + views[v]["byteLength"]) // _WORD)] = False
    for row in json["accessors"]:
        for v, begin, size in _byte_ranges(row):
            if v in key_views and v in kept and views[v]["buffer"] == buffer:
                begin += views[v].get("byteOffset") or 0
                remove[begin // _WORD : -(-(begin + size) // _WORD)] = False
    return remove


def _byte_ranges(row: Json) -> list[tuple[int, int, int]]:
    """Return the byte ranges of an accessor without stride: view, offset in the view, size."""
    size, found = ELEMENTS[row["type"], row["componentType"]], []
    if row.get("bufferView") is not None:
        found.append((row["bufferView"], row.get("byteOffset") or 0, size * row["count"]))
    for part in PARTS:
        reference = (row.get("sparse") or {}).get(part)
        if reference:
            element_size = (
                size if part == "values" else ELEMENTS["SCALAR", reference["componentType"]]
            )
            count = row["sparse"]["count"]
            found.append(
                (reference["bufferView"], reference.get("byteOffset") or 0, element_size * count)
            )
    return found


def _update_offsets(
    json: Json, key_views: set[int], kept: set[int], shifts: list[_OffsetMap]
) -> None:
    """Update the offsets of views and accessors and the indices of views, in place."""
    old = json.get("bufferViews") or []
    order = sorted(kept)
    numbers = {v: k for k, v in enumerate(order)}
    for row in json["accessors"]:
        for reference in buffer_view_references(row):
            view = old[reference["bufferView"]]
            begin, shift = view.get("byteOffset") or 0, shifts[view["buffer"]]
            if reference["bufferView"] in key_views and reference.get("byteOffset"):
                reference["byteOffset"] = shift(begin + reference["byteOffset"]) - shift(begin)
            reference["bufferView"] = numbers[reference["bufferView"]]
    for reference in other_buffer_view_references(json):
        reference["bufferView"] = numbers[reference["bufferView"]]
    json["bufferViews"] = [_moved_view(old[v], shifts[old[v]["buffer"]]) for v in order]


def _moved_view(view: Json, shift: _OffsetMap) -> Json:
    begin = view.get("byteOffset") or 0
    end = begin + view["byteLength"]
    moved = view | {"buffer": 0, "byteOffset": shift(begin)}
    moved["byteLength"] = shift(end) - shift(begin)
    return moved if moved["byteOffset"] else {k: v for k, v in moved.items() if k != "byteOffset"}
