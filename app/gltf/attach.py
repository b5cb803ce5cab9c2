"""Attach one glTF file to a node of another: a sword in a hand, a hat on a head.

The objects of the attached file follow those of the other, so that all indices of the other stay.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .accessor_references import Json
from .document import Document
from .image_decoding import mime_type
from .images import read_image_file

_TABLES = (
    "accessors",
    "bufferViews",
    "buffers",
    "cameras",
    "images",
    "materials",
    "meshes",
    "nodes",
    "samplers",
    "skins",
    "textures",
)
_LIGHTS = "KHR_lights_punctual"
_REFERENCES = {  # keys that hold an index, or a list of them, by the table they refer to
    "buffer": "buffers",
    "bufferView": "bufferViews",
    "camera": "cameras",
    "children": "nodes",
    "index": "textures",
    "indices": "accessors",
    "inverseBindMatrices": "accessors",
    "joints": "nodes",
    "light": _LIGHTS,
    "material": "materials",
    "mesh": "meshes",
    "sampler": "samplers",
    "skeleton": "nodes",
    "skin": "skins",
    "source": "images",
}
_VARIANTS = "KHR_materials_variants"  # are those of the other file


def attached(host: Document, prop: Document, node: int, wrapper: Json) -> Document:
    """Return a document with another one below a node; its animations are left out.

    Parameters
    ----------
    host, prop
        Valid documents. The images of `prop` are read.
    node
        glTF node of `host`.
    wrapper
        Name and transform of the node that the root nodes of `prop` get as their parent.

    Raises
    ------
    GltfError
        A buffer or an image of `prop` cannot be read.
    """
    json, added = host.copied_json(), prop.copied_json()
    counts = {table: len(json.get(table) or ()) for table in _TABLES}
    lights = _lights(json)
    counts[_LIGHTS] = len(lights)
    buffers = {counts["buffers"] + b: prop.buffer(b) for b in range(len(prop.rows("buffers")))}
    for row in added.get("buffers") or ():
        row.pop("uri", None)
    _embed_images(prop, added, buffers, counts["buffers"])
    for table in _TABLES:
        rows = [_shifted(row, table, counts) for row in added.get(table) or ()]
        if rows:
            json[table] = [*(json.get(table) or ()), *rows]
    new_lights = [*lights, *_lights(added)]
    if new_lights:
        json.setdefault("extensions", {})[_LIGHTS] = {"lights": new_lights}
    for key in ("extensionsUsed", "extensionsRequired"):
        names = [*(json.get(key) or ()), *(added.get(key) or ())]
        if names:
            json[key] = list(dict.fromkeys(names))
    roots = [counts["nodes"] + root for root in _roots(added)]
    json["nodes"].append({**wrapper, "children": roots} if roots else wrapper)
    json["nodes"][node].setdefault("children", []).append(len(json["nodes"]) - 1)
    files = (*host.links, *((prop.path,) if prop.path is not None else ()), *prop.files())
    return replace(
        host,
        json=json,
        links=files,
        warnings=[*host.warnings, *prop.warnings],
        decoded={},
        _buffers={**host._buffers, **buffers},
        host=host.host or host,
    )


def _lights(json: Json) -> list[Json]:
    extension = (json.get("extensions") or {}).get(_LIGHTS) or {}
    return list(extension.get("lights") or ())


def _roots(json: Json) -> list[int]:
    """Return the root nodes of the default scene, else all nodes without a parent."""
    scenes = json.get("scenes") or ()
    if scenes:
        return list(scenes[json.get("scene") or 0].get("nodes") or ())
    nodes = json.get("nodes") or ()
    below = {child for row in nodes for child in row.get("children") or ()}
    return [node for node in range(len(nodes)) if node not in below]


def _embed_images(prop: Document, json: Json, buffers: dict[int, memoryview], first: int) -> None:
    """Give images that are files or data URIs a buffer of their own, in place."""
    for i, row in enumerate(json.get("images") or ()):
        uri = row.pop("uri", None)
        if uri is None:
            continue
        data = read_image_file(prop, uri, f"/images/{i}/uri")
        rows = json.setdefault("buffers", [])
        buffers[first + len(rows)] = memoryview(data)
        view = {"buffer": len(rows), "byteOffset": 0, "byteLength": len(data)}
        rows.append({"byteLength": len(data)})
        json.setdefault("bufferViews", []).append(view)
        row |= {"bufferView": len(json["bufferViews"]) - 1, "mimeType": mime_type(data)}


def _shifted(value: Any, key: str, counts: Mapping[str, int], *, own: bool = False) -> Any:  # noqa: ANN401
    """Return a value of the attached file with the indices that it has in the other one.

    Parameters
    ----------
    key
        Of the value in its object, or of the list that has it.
    own
        Whether attributes are numbers of compressed data, not accessors.
    """
    table = _REFERENCES.get(key)
    if isinstance(value, bool) or not isinstance(value, int | list | dict):
        return value
    if isinstance(value, int):
        return value + counts[table] if table is not None else value
    if isinstance(value, list):
        return [_shifted(part, key, counts, own=own) for part in value]
    if key in ("attributes", "targets") and not own:
        return {name: part + counts["accessors"] for name, part in value.items()}
    own = own or key == "KHR_draco_mesh_compression"
    return {
        name: part if name == "extras" else _shifted(part, name, counts, own=own)
        for name, part in value.items()
        if name != _VARIANTS
    }
