"""References to accessors and buffer views: finding and renumbering them."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]
Renumber = Callable[[int], int]
Reference = tuple[Json, str, str]  # object, its key with the index, and place of its owner
PARTS = ("indices", "values")  # of a sparse accessor
# Extensions without references to accessors, views or buffers, or handled below.
_SAFE_EXTENSIONS = (
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
            extensions = value.get("extensions")  # unchecked where the loader does not read them
            names.update(extensions if isinstance(extensions, dict) else ())
            found.extend(part for part in value.values() if isinstance(part, dict | list))
        else:
            found.extend(part for part in value if isinstance(part, dict | list))
    return sorted(name for name in names if not name.startswith(_SAFE_EXTENSIONS))


def animation_accessors(json: Json) -> set[int]:
    """Return the accessors used by animation samplers."""
    return {sampler[key] for sampler, key, _ in _sampler_references(json)}


def reference_counts(json: Json) -> Counter[int]:
    """Return how often each accessor is referred to."""
    return Counter(owner[key] for owner, key, _ in accessor_references(json))


def other_accessors(json: Json) -> set[int]:
    """Return the accessors used by anything but animation samplers."""
    indices = {owner[key] for owner, key, _ in _other_references(json)}
    return {index for index in indices if isinstance(index, int)}


def renumber_accessors(json: Json, renumber: Renumber) -> None:
    """Replace every accessor index by `renumber(index)`, in place."""
    for owner, key, _ in accessor_references(json):
        owner[key] = renumber(owner[key])


def accessor_references(json: Json) -> Iterator[Reference]:
    """Yield all references to accessors, those of samplers last."""
    yield from _other_references(json)
    yield from _sampler_references(json)


def _sampler_references(json: Json) -> Iterator[Reference]:
    for a, animation in enumerate(json.get("animations") or ()):
        for s, sampler in enumerate(animation["samplers"]):
            place = f"/animations/{a}/samplers/{s}"
            yield from ((sampler, key, place) for key in ("input", "output"))


def _other_references(json: Json) -> Iterator[Reference]:
    for m, mesh in enumerate(json.get("meshes") or ()):
        for primitive in mesh["primitives"]:
            for group in (primitive["attributes"], *(primitive.get("targets") or ())):
                yield from ((group, key, f"/meshes/{m}") for key in list(group))
            if primitive.get("indices") is not None:
                yield primitive, "indices", f"/meshes/{m}"
    for s, skin in enumerate(json.get("skins") or ()):
        if skin.get("inverseBindMatrices") is not None:
            yield skin, "inverseBindMatrices", f"/skins/{s}"
    for n, node in enumerate(json.get("nodes") or ()):
        instancing = (node.get("extensions") or {}).get("EXT_mesh_gpu_instancing") or {}
        attributes = instancing.get("attributes") or {}
        yield from ((attributes, key, f"/nodes/{n}") for key in list(attributes))


def buffer_view_references(accessor: Json) -> Iterator[Json]:
    """Yield the objects of an accessor that refer to a buffer view: itself, its sparse parts."""
    sparse = accessor.get("sparse") or {}
    for owner in (accessor, *(sparse.get(part) or {} for part in PARTS)):
        if owner.get("bufferView") is not None:
            yield owner


def other_buffer_view_references(json: Json) -> Iterator[Json]:
    """Yield the objects other than accessors that refer to a buffer view."""
    yield from (image for image in json.get("images") or () if image.get("bufferView") is not None)
    for mesh in json.get("meshes") or ():
        for primitive in mesh["primitives"]:
            draco = (primitive.get("extensions") or {}).get("KHR_draco_mesh_compression")
            if draco:
                yield draco
