"""Rules about unused data in a file, with its size in bytes.

Each object is reported once: data that only an unused mesh needs counts for that mesh.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from ...gltf.accessor_layout import ELEMENTS
from ...gltf.accessor_references import (
    animation_accessors,
    buffer_view_references,
    other_accessors,
    other_buffer_view_references,
    unknown_extensions,
)
from ...gltf.meshopt import is_fallback, stream_location
from ...wording import binary_size, counted, listed, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, Rule, rule
from .extensions import known
from .materials import image_headers
from .mesh_geometry import NORMAL_MAPS, is_anisotropic, texture_sets

Json = dict[str, Any]
_LIGHTS = "KHR_lights_punctual"
_VRM = "VRM"  # its extensions refer to materials, textures and images by index


class Uses:
    """Indices of the objects of a document that are referenced, by kind; see `context.cached`."""

    def __init__(self, context: CheckContext) -> None:
        self.json: Json = context.document.json
        found = context.cached(known)
        names = {"extensionsUsed": [*found.declared, *found.objects]}
        self.unknown = found.broken or not _whole(self.json) or bool(unknown_extensions(names))
        used = self.json.get("extensionsUsed") or ()
        self.vrm = any(name.startswith(_VRM) for name in used)

    def rows(self, key: str) -> list[Json]:
        """Return a top-level list of the document, or the list of lights."""
        found = self.json if key != "lights" else (self.json.get("extensions") or {}).get(_LIGHTS)
        return (found or {}).get(key) or []

    def of_nodes(self, key: str) -> set[int]:
        """Return the meshes, skins or cameras that nodes refer to."""
        return {row[key] for row in self.rows("nodes") if row.get(key) is not None}

    def lights(self) -> set[int]:
        """Return the lights of all nodes."""
        own = ((row.get("extensions") or {}).get(_LIGHTS) or {} for row in self.rows("nodes"))
        return {extension["light"] for extension in own if extension}

    def nodes(self) -> set[int]:
        """Return the nodes of all scenes, and the joints of skins with their ancestors."""
        rows = self.rows("nodes")
        above = {child: n for n, row in enumerate(rows) for child in row.get("children") or ()}
        found: set[int] = set()
        for skin in self.rows("skins"):
            for joint in skin["joints"]:
                at: int | None = joint
                while at is not None and at not in found:
                    found.add(at)
                    at = above.get(at)
        stack = [n for scene in self.rows("scenes") for n in scene.get("nodes") or ()]
        seen: set[int] = set()
        while stack:
            node = stack.pop()
            if node not in seen:
                seen.add(node)
                stack.extend(rows[node].get("children") or ())
        return found | seen if self.rows("scenes") else set(range(len(rows)))

    def materials(self) -> set[int]:
        """Return the materials of all primitives and their variants."""
        return _numbers([mesh["primitives"] for mesh in self.rows("meshes")], "material")

    def textures(self) -> set[int]:
        """Return the textures of all materials, including those in extensions."""
        return _numbers(self.rows("materials"), "index")

    def images(self) -> set[int]:
        """Return the images of all textures, in any format."""
        return _numbers(self.rows("textures"), "source")

    def samplers(self) -> set[int]:
        """Return the samplers of all textures."""
        return {row["sampler"] for row in self.rows("textures") if row.get("sampler") is not None}

    def accessors(self) -> set[int]:
        """Return the referenced accessors."""
        return _needed(self.json)

    def views(self) -> set[int]:
        """Return the referenced buffer views."""
        accessors = self.rows("accessors")
        views = {owner["bufferView"] for row in accessors for owner in buffer_view_references(row)}
        return views | {owner["bufferView"] for owner in other_buffer_view_references(self.json)}

    def size(self, index: int) -> int:
        """Return the bytes of an accessor."""
        row = self.rows("accessors")[index]
        return int(row["count"]) * ELEMENTS[row["type"], row["componentType"]]

    def own(self, key: str, idle: set[int]) -> int:
        """Return the bytes of accessors that only the `idle` meshes or skins need."""
        rest = [row for k, row in enumerate(self.rows(key)) if k not in idle]
        return sum(map(self.size, self.accessors() - _needed(self.json | {key: rest})))


def _numbers(value: Any, key: str) -> set[int]:  # noqa: ANN401 - any JSON
    """Return all integer values of a key, at any depth."""
    found: set[int] = set()
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            number = value.get(key)
            found.update([number] if isinstance(number, int) else ())
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)
    return found


def _whole(json: Json) -> bool:
    """Return whether the extensions that refer to accessors and buffer views are valid."""
    for mesh in json.get("meshes") or ():
        for primitive in mesh["primitives"]:
            packed = (primitive.get("extensions") or {}).get("KHR_draco_mesh_compression")
            if packed is not None and not isinstance(packed.get("bufferView"), int):
                return False
    return True


def _needed(json: Json) -> set[int]:
    return animation_accessors(json) | other_accessors(json)


def _unused(
    key: str,
    one: str,
    used: Callable[[Uses], set[int]],
    size: Callable[[CheckContext, Uses, set[int]], int],
    context: CheckContext,
    _: Limits,
) -> Iterator[Finding]:
    """Yield a match if objects of a top-level list are unreferenced."""
    uses = context.cached(Uses)
    rows = uses.rows(key)
    hidden = uses.unknown or (uses.vrm and key in ("materials", "textures", "images"))
    if not rows or hidden:
        return
    idle = sorted(set(range(len(rows))) - used(uses))
    if idle:
        names = [rows[k]["name"] for k in idle if rows[k].get("name")]
        nbytes = size(context, uses, set(idle))
        verb = "is" if len(idle) == 1 else "are"
        place = f"/{key}/{idle[0]}"
        yield Finding(
            f"{counted(len(idle), one)} of {len(rows)} {verb} not used"
            + (f": {listed(names)}" if len(names) == len(idle) else "")
            + (f"; {binary_size(nbytes)}" if nbytes else ""),
            amount=nbytes or len(idle),
            unit="bytes" if nbytes else key,
            place=f"/extensions/{_LIGHTS}/lights/{idle[0]}" if key == "lights" else place,
            item=names[0] if names else "",
        )


def _images_size(context: CheckContext, _: Uses, idle: set[int]) -> int:
    return sum(header.nbytes for header in context.cached(image_headers) if header.index in idle)


def _views_size(_: CheckContext, uses: Uses, idle: set[int]) -> int:
    return sum(stream_location(uses.rows("bufferViews")[v])["byteLength"] for v in idle)


_FIX = "delete unused data before exporting, or prune the file (gltf-transform prune)"


def _rule(
    key: str,
    one: str,
    used: Callable[[Uses], set[int]],
    size: Callable[[CheckContext, Uses, set[int]], int] = lambda *_: 0,
    fix: str = _FIX,
) -> Rule:
    """Return the rule about unused objects of a list; `size` returns their bytes."""
    many = "views" if key == "bufferViews" else key
    summary = f"unused {one}s" if one != "mesh" else "unused meshes"
    return Rule(f"unused-{many}", "info", summary, fix, partial(_unused, key, one, used, size))


NODES = _rule("nodes", "node", Uses.nodes, fix="add the nodes to a scene, or delete them")
MESHES = _rule(
    "meshes",
    "mesh",
    lambda uses: uses.of_nodes("mesh"),
    lambda _, uses, idle: uses.own("meshes", idle),
)
SKINS = _rule(
    "skins",
    "skin",
    lambda uses: uses.of_nodes("skin"),
    lambda _, uses, idle: uses.own("skins", idle),
)
CAMERAS = _rule("cameras", "camera", lambda uses: uses.of_nodes("camera"))
LIGHTS = _rule("lights", "light", Uses.lights)
MATERIALS = _rule("materials", "material", Uses.materials)
TEXTURES = _rule("textures", "texture", Uses.textures)
IMAGES = _rule("images", "image", Uses.images, _images_size)
SAMPLERS = _rule("samplers", "sampler", Uses.samplers)
ACCESSORS = _rule(
    "accessors", "accessor", Uses.accessors, lambda _, uses, idle: sum(map(uses.size, idle))
)
VIEWS = _rule("bufferViews", "buffer view", Uses.views, _views_size)


@rule(
    "unused-attributes",
    "info",
    "texture coordinates beyond the first set, or tangents, that no texture needs",
    "delete the UV maps, or export without tangents; nothing to fix if the engine uses them "
    "for light maps",
)
def _attributes(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield meshes with texture coordinates or tangents that their materials do not need."""
    by_mesh: dict[int, dict[str, dict[int, str]]] = {}  # name, accessor, place
    needed: set[int] = set()
    for primitive in context.stored.primitives:
        asked = {"TEXCOORD_0"} | ({"TANGENT"} if is_anisotropic(context, primitive) else set())
        for slot, number in texture_sets(context, primitive):
            asked |= {f"TEXCOORD_{number}"} | ({"TANGENT"} if slot in NORMAL_MAPS else set())
        for name, index in primitive.attributes.items():
            if name in asked or not name.startswith(("TEXCOORD_", "TANGENT")):
                needed.add(index)
            else:
                names = by_mesh.setdefault(primitive.mesh, {})
                names.setdefault(name, {})[index] = f"{primitive.place}/attributes/{name}"
    uses = context.cached(Uses)
    for mesh, names in by_mesh.items():
        for name, places in names.items():
            idle = sorted(set(places) - needed)
            if idle and not uses.unknown:
                called, size = context.model.meshes[mesh].name, sum(map(uses.size, idle))
                yield Finding(
                    f"mesh {quoted(called)} has {name}, which no texture of its materials needs; "
                    f"{binary_size(size)}",
                    amount=size,
                    unit="bytes",
                    place=places[idle[0]],
                    item=called,
                )


@rule(
    "unused-bytes",
    "info",
    "bytes of a buffer are in no buffer view",
    _FIX,
    Limit("bytes", 64, "bytes", "bytes of a buffer outside all buffer views"),
)
def _bytes(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    """Yield buffers with bytes outside all buffer views, except for alignment."""
    uses = context.cached(Uses)
    if uses.unknown:
        return
    for b, row in enumerate(uses.rows("buffers")):
        if is_fallback(row):
            continue  # it only declares the decompressed size
        views = [
            view for view in map(stream_location, uses.rows("bufferViews")) if view["buffer"] == b
        ]
        starts = np.array([view.get("byteOffset") or 0 for view in views], np.int64)
        ends = starts + np.array([view["byteLength"] for view in views], np.int64)
        order = np.argsort(starts)
        covered = np.maximum.accumulate(np.append(0, ends[order]))
        gaps = np.append(starts[order], row["byteLength"]) - covered
        idle = int(gaps[gaps > 3].sum())
        if idle > limits["bytes"]:
            yield Finding(
                f"{binary_size(idle)} of buffer {b} ({binary_size(row['byteLength'])}) are in no "
                "buffer view",
                amount=idle,
                place=f"/buffers/{b}",
            )
