"""Documents with meshopt compression, prepared for writing: only animation keys are decompressed.

A compressed view has two locations: the stream, in the extension object, and the fallback, in the
view itself. While buffers are merged, the view has the location of its stream.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from .accessor_layout import ELEMENTS
from .accessor_references import (
    Json,
    animation_accessors,
    buffer_view_references,
    other_accessors,
    other_buffer_view_references,
)
from .document import Document
from .meshopt import NAMES, compression, decompress

_ALIGNED = 4  # bytes
_LEFT_OUT = "the uncompressed fallback is removed"


class ByteRange(NamedTuple):
    """A range of unused bytes in a buffer."""

    buffer: int
    begin: int
    end: int


def decompress_keys(document: Document) -> tuple[Document, list[ByteRange]]:
    """Return a document with decompressed keys, whose compressed views locate their streams.

    Also returns the unused bytes: the former streams of the keys. A document without compressed
    views is returned unchanged.

    Raises
    ------
    GltfError
        A stream is invalid.
    """
    if not any(compression(view) for view in document.rows("bufferViews")):
        return document, []
    for name in NAMES:
        optional = name not in document.texts("extensionsRequired")
        if optional and name in document.texts("extensionsUsed"):
            document.warn("/extensionsUsed", f"{name} is required now: {_LEFT_OUT}")
    json = document.copied_json()
    buffers = document._buffers.copy()
    views, unused, data = json["bufferViews"], list[ByteRange](), bytearray()
    keys = views_of_keys(document)
    for v, view in enumerate(views):
        found = compression(view)
        if found is None:
            continue
        name, row = found
        begin = row.get("byteOffset") or 0
        if v not in keys:
            place = {"buffer": row["buffer"], "byteOffset": begin, "byteLength": row["byteLength"]}
            view |= place
            continue
        unused.append(ByteRange(row["buffer"], begin, begin + row["byteLength"]))
        del view["extensions"][name]
        if not view["extensions"]:
            del view["extensions"]
        if view.get("byteStride") in keys[v]:
            del view["byteStride"]
        data += bytes(-len(data) % _ALIGNED)
        view |= {"buffer": len(json["buffers"]), "byteOffset": len(data)}
        data += decompress(document, v)
    _empty_fallbacks(json, buffers)
    buffers[len(json["buffers"])] = memoryview(bytes(data))
    json["buffers"].append({"byteLength": len(data)})
    return replace(document, json=json, _buffers=buffers), unused


def views_of_keys(document: Document) -> dict[int, set[int]]:
    """Return the views used only by animation keys, each with its element size if it is unique."""
    keys = animation_accessors(document.json) - other_accessors(document.json)
    sizes: dict[int, set[int]] = {}
    others = {owner["bufferView"] for owner in other_buffer_view_references(document.json)}
    for a, row in enumerate(document.rows("accessors")):
        used = {owner["bufferView"] for owner in buffer_view_references(row)}
        if a not in keys:
            others |= used
        for v in used:
            sizes.setdefault(v, set()).add(ELEMENTS[row["type"], row["componentType"]])
    return {v: size if len(size) == 1 else set() for v, size in sizes.items() if v not in others}


def _empty_fallbacks(json: Json, buffers: dict[int, memoryview]) -> None:
    """Empty the fallback buffers, in place."""
    used = {view["buffer"] for view in json["bufferViews"]}
    for b, row in enumerate(json["buffers"]):
        for name in NAMES:
            row.get("extensions", {}).pop(name, None)
        if not row.get("extensions", True):
            del row["extensions"]
        if b not in used:
            json["buffers"][b] = {"byteLength": 0}
            buffers[b] = memoryview(b"")


def restore_streams(json: Json) -> list[Json]:
    """Restore the extension objects of compressed views, in place; return the fallback buffer.

    Before, each view has the location of its stream, in the first buffer.
    """
    size, names = 0, set[str]()
    for view in json.get("bufferViews") or ():
        found = compression(view)
        if found is None:
            continue
        name, row = found
        names.add(name)
        row |= {"buffer": 0, "byteOffset": view.get("byteOffset") or 0}
        row["byteLength"] = view["byteLength"]
        size += -size % _ALIGNED
        view |= {"buffer": 1, "byteOffset": size, "byteLength": row["count"] * row["byteStride"]}
        size += view["byteLength"]
    for key in ("extensionsUsed", "extensionsRequired"):
        others = [name for name in json.get(key) or () if name not in NAMES]
        json[key] = others + [name for name in NAMES if name in names]
        if not json[key]:
            del json[key]
    if not names:
        return []
    flags: dict[str, Any] = {name: {"fallback": True} for name in sorted(names)}
    return [{"byteLength": size, "extensions": flags}]
