"""References to accessors and buffer views: finding and renumbering them."""

from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]
Number = Callable[[int], int]
PARTS = ("indices", "values")  # of a sparse accessor
# Extensions without references to accessors, views or buffers, or handled below.
_KNOWN = (
    "ADOBE_materials_",
    "EXT_lights_ies",
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_materials_",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_",
    "KHR_texture_",
    "KHR_xmp",
    "MSFT_texture_dds",
    "VRM",
)


def unknown_extensions(json: Json) -> list[str]:
    """Return the unknown extensions of a file; their objects may refer to accessors by index."""
    names = {str(name) for name in json.get("extensionsUsed") or ()}
    found: list[Any] = [json]
    while found:
        value = found.pop()
        if isinstance(value, dict):
            names.update(value.get("extensions") or ())
            found.extend(part for part in value.values() if isinstance(part, dict | list))
        else:
            found.extend(part for part in value if isinstance(part, dict | list))
    return sorted(name for name in names if not name.startswith(_KNOWN))


def animation_accessors(json: Json) -> set[int]:
    """Return the accessors used by animation samplers."""
    samplers = (s for row in json.get("animations") or () for s in row["samplers"])
    return {sampler[end] for sampler in samplers for end in ("input", "output")}


def other_accessors(json: Json) -> set[int]:
    """Return the accessors used by anything but animation samplers."""
    found = {row[key] for row, key in _accessor_places(json)}
    return {index for index in found if isinstance(index, int)}


def renumber_accessors(json: Json, number: Number) -> None:
    """Replace every accessor index by `number(index)`, in place."""
    for row, key in _accessor_places(json):
        row[key] = number(row[key])
    for animation in json.get("animations") or ():
        for sampler in animation["samplers"]:
            for end in ("input", "output"):
                sampler[end] = number(sampler[end])


def _accessor_places(json: Json) -> Iterator[tuple[Json, str]]:
    for mesh in json.get("meshes") or ():
        for primitive in mesh["primitives"]:
            for group in (primitive["attributes"], *(primitive.get("targets") or ())):
                yield from ((group, key) for key in list(group))
            if primitive.get("indices") is not None:
                yield primitive, "indices"
    for skin in json.get("skins") or ():
        if skin.get("inverseBindMatrices") is not None:
            yield skin, "inverseBindMatrices"
    for node in json.get("nodes") or ():
        copies = (node.get("extensions") or {}).get("EXT_mesh_gpu_instancing") or {}
        yield from ((copies["attributes"], key) for key in list(copies.get("attributes") or ()))


def view_references(accessor: Json) -> Iterator[Json]:
    """Yield the objects of an accessor that may refer to a buffer view."""
    if accessor.get("bufferView") is not None:
        yield accessor
    yield from ((accessor.get("sparse") or {}).get(part) or {} for part in PARTS)


def other_view_references(json: Json) -> Iterator[Json]:
    """Yield the objects other than accessors that refer to a buffer view."""
    yield from (row for row in json.get("images") or () if row.get("bufferView") is not None)
    for mesh in json.get("meshes") or ():
        for primitive in mesh["primitives"]:
            packed = (primitive.get("extensions") or {}).get("KHR_draco_mesh_compression")
            if packed:
                yield packed
