"""Remove accessors that only replaced keys used, with their buffer views and bytes.

Bytes are removed in words of four, which preserves the alignment of the rest.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..animation.types import Bool, Index
from .accessor_layout import ELEMENTS
from .accessor_references import (PARTS, Json, of_keys, of_others, other_view_places, renumber_accessors, view_places)
from .document import Document
from .meshopt_documents import Span

_WORD = 4  # bytes


def merge(document: Document, json: Json, spare: Sequence[Span] = ()) -> bytearray:
    """Merge all buffers of `json` into one and remove unused keys, in place.

    Parameters
    ----------
    document
        The original; only data used by its animations may be removed.
    json
        The JSON with changed animations; new accessors, without buffer views yet, are at the end.
    spare
        Further unused byte ranges.

    Returns
    -------
    bytearray
        The bytes of the merged buffer; "buffers" of `json` is not updated.
    """
    keys, others = of_keys(document.json), of_others(json)
    dead = keys - of_keys(json) - others
    own = _own_views(document, keys - others)
    kept_views = _kept_views(json, dead, own)
    _drop_accessors(json, dead)
    blob = bytearray()
    shifts = []
    for b in range(len(document.rows("buffers"))):
        cut = _cut(document, json, b, own, kept_views, spare)
        data = np.frombuffer(_whole_words(document.buffer(b)), np.uint32)
        shifts.append(_Shift(len(blob), np.append(0, np.cumsum(cut)).astype(np.intp)))
        blob += data[~cut].tobytes()
    _move(json, own, kept_views, shifts)
    return blob


class _Shift(NamedTuple):
    """Maps byte offsets of a buffer to offsets in the merged buffer."""

    base: int  # offset of the buffer in the merged one
    gone: Index  # [words + 1] number of removed words before each word

    def __call__(self, byte: int) -> int:
        return self.base + byte - _WORD * int(self.gone[min(byte // _WORD, len(self.gone) - 1)])


def _whole_words(data: memoryview) -> bytes:
    return bytes(data) + b"\0" * (-len(data) % _WORD)


def _own_views(document: Document, keys: set[int]) -> set[int]:
    """Return the views that contain only keys and have no byteStride."""
    rows, views = document.rows("accessors"), document.rows("bufferViews")
    used = [{place["bufferView"] for place in view_places(row) if place} for row in rows]
    taken = {place["bufferView"] for place in other_view_places(document.json)}
    taken = taken.union(*(found for a, found in enumerate(used) if a not in keys))
    own: set[int] = set().union(*(used[a] for a in keys)) - taken
    return {v for v in own if not views[v].get("byteStride")}


def _kept_views(json: Json, dead: set[int], own: set[int]) -> set[int]:
    """Return the views to keep: all except those of unused keys."""
    alive = {
        place["bufferView"]
        for a, row in enumerate(json.get("accessors") or ())
        if a not in dead
        for place in view_places(row)
        if place
    }
    return {v for v in range(len(json.get("bufferViews") or ())) if v not in own or v in alive}


def _drop_accessors(json: Json, dead: set[int]) -> None:
    rows = json.get("accessors") or []
    kept = [a for a in range(len(rows)) if a not in dead]
    json["accessors"] = [rows[a] for a in kept]
    renumber_accessors(json, {a: k for k, a in enumerate(kept)}.__getitem__)


def _cut(
    document: Document,
    json: Json,
    buffer: int,
    own: set[int],
    kept: set[int],
    spare: Sequence[Span],
) -> Bool:
    """Return the words of a buffer to remove: those of key views that no accessor uses now."""
    views = document.rows("bufferViews")
    here = [v for v, row in enumerate(views) if row["buffer"] == buffer]
    cut = np.zeros(-(-document.rows("buffers")[buffer]["byteLength"] // _WORD), bool)
    for _, begin, end in (each for each in spare if each.buffer == buffer):
        cut[-(-begin // _WORD) : end // _WORD] = True
    for v in here:
        if v in own:
            begin = views[v].get("byteOffset") or 0
            cut[-(-begin // _WORD) : (begin + views[v]["byteLength"]) // _WORD] = True
    for v in here:
        if v not in own:
            begin = views[v].get("byteOffset") or 0
            cut[begin // _WORD : -(-(begin + views[v]["byteLength"]) // _WORD)] = False
    for row in json["accessors"]:
        for v, begin, size in _spans(row):
            if v in own and v in kept and views[v]["buffer"] == buffer:
                begin += views[v].get("byteOffset") or 0
                cut[begin // _WORD : -(-(begin + size) // _WORD)] = False
    return cut


def _spans(row: Json) -> list[tuple[int, int, int]]:
    """Return the byte ranges of an accessor without stride: view, offset in the view, size."""
    size, found = ELEMENTS[row["type"], row["componentType"]], []
    if row.get("bufferView") is not None:
        found.append((row["bufferView"], row.get("byteOffset") or 0, size * row["count"]))
    for part in PARTS:
        place = (row.get("sparse") or {}).get(part)
        if place:
            each = size if part == "values" else ELEMENTS["SCALAR", place["componentType"]]
            count = row["sparse"]["count"]
            found.append((place["bufferView"], place.get("byteOffset") or 0, each * count))
    return found


def _move(json: Json, own: set[int], kept: set[int], shifts: list[_Shift]) -> None:
    """Update the offsets of views and accessors and the indices of views, in place."""
    old = json.get("bufferViews") or []
    order = sorted(kept)
    numbers = {v: k for k, v in enumerate(order)}
    for row in json["accessors"]:
        for place in view_places(row):
            if not place:
                continue
            view = old[place["bufferView"]]
            begin, shift = view.get("byteOffset") or 0, shifts[view["buffer"]]
            if place["bufferView"] in own and place.get("byteOffset"):
                place["byteOffset"] = shift(begin + place["byteOffset"]) - shift(begin)
            place["bufferView"] = numbers[place["bufferView"]]
    for place in other_view_places(json):
        place["bufferView"] = numbers[place["bufferView"]]
    json["bufferViews"] = [_moved(old[v], shifts[old[v]["buffer"]]) for v in order]


def _moved(view: Json, shift: _Shift) -> Json:
    begin = view.get("byteOffset") or 0
    end = begin + view["byteLength"]
    moved = view | {"buffer": 0, "byteOffset": shift(begin)}
    moved["byteLength"] = shift(end) - shift(begin)
    return moved if moved["byteOffset"] else {k: v for k, v in moved.items() if k != "byteOffset"}
