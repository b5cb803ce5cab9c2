"""Who refers to which accessor and buffer view, and new numbers for those that stay."""

from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]
Number = Callable[[int], int]
PARTS = ("indices", "values")  # of a sparse accessor
# Extensions whose objects name no accessor, view or buffer, or that are looked into below.
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


def strangers(json: Json) -> list[str]:
    """Return the extensions that may refer to anything by number, for all we know."""
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


def of_keys(json: Json) -> set[int]:
    """Return the accessors that animations read."""
    samplers = (s for row in json.get("animations") or () for s in row["samplers"])
    return {sampler[end] for sampler in samplers for end in ("input", "output")}


def of_others(json: Json) -> set[int]:
    """Return the accessors that anything but an animation reads."""
    found = {row[key] for row, key in _accessor_places(json)}
    return {index for index in found if isinstance(index, int)}


def renumber_accessors(json: Json, number: Number) -> None:
    """Give every reference to an accessor its new number, in place."""
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


def view_places(accessor: Json) -> Iterator[Json]:
    """Yield the objects of an accessor that may name a buffer view."""
    if accessor.get("bufferView") is not None:
        yield accessor
    yield from ((accessor.get("sparse") or {}).get(part) or {} for part in PARTS)


def other_view_places(json: Json) -> Iterator[Json]:
    """Yield the objects outside the accessors that name a buffer view."""
    yield from (row for row in json.get("images") or () if row.get("bufferView") is not None)
    for mesh in json.get("meshes") or ():
        for primitive in mesh["primitives"]:
            packed = (primitive.get("extensions") or {}).get("KHR_draco_mesh_compression")
            if packed:
                yield packed
