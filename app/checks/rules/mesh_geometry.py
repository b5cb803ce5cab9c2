"""Rules about stored meshes: geometry, attributes, vectors, colours (glTF 2.0, 3.7.2.1)."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...animation.types import F64, Bool
from ...animation.vectors import length
from ...gltf.accessor_layout import ELEMENTS
from ...gltf.meshes import variants_of
from ...model.material import EXTENSIONS, TEXTURES
from ...wording import binary_size, counted, number, quoted
from ..check_context import CheckContext
from ..finding import Find, Finding, Limit, Limits, rule
from ..stored_meshes import StoredMeshes, StoredPrimitive

_FLAT = 1e-12  # of the longest edge squared: a triangle with less area is degenerate
NORMAL_MAPS = frozenset(row.path.rpartition("/")[2] for row in TEXTURES.values() if row.normal_map)
_DRAWN = ("POSITION", "NORMAL", "TANGENT", "TEXCOORD_", "COLOR_0")


def texture_sets(context: CheckContext, primitive: StoredPrimitive) -> Iterator[tuple[str, int]]:
    """Yield the texture slots of a primitive's materials, each with its TEXCOORD set."""
    supported = sorted(row.extension for row in EXTENSIONS.values())
    for material in _materials_of(context, primitive):
        pbr = material.get("pbrMetallicRoughness") or {}
        extensions = material.get("extensions") or {}
        for row in (material, pbr, *(extensions.get(name) or {} for name in supported)):
            for key, info in row.items():
                if key.endswith("Texture") and isinstance(info, dict):
                    moved = (info.get("extensions") or {}).get("KHR_texture_transform") or {}
                    chosen = moved.get("texCoord")
                    yield key, (info.get("texCoord") or 0) if chosen is None else chosen


def is_anisotropic(context: CheckContext, primitive: StoredPrimitive) -> bool:
    """Return whether the highlights of a primitive are stretched along its tangents."""
    extensions = (row.get("extensions") or {} for row in _materials_of(context, primitive))
    return any(EXTENSIONS["anisotropy"].extension in each for each in extensions)


def _materials_of(context: CheckContext, primitive: StoredPrimitive) -> list[dict[str, Any]]:
    """Return the JSON of a primitive's material, if it has one, and of those of its variants."""
    numbers = dict.fromkeys([primitive.row.get("material"), *variants_of(primitive.row).values()])
    rows = context.document.rows("materials")
    return [rows[number] for number in numbers if number is not None]


def distinct_vertices(stored: StoredMeshes) -> dict[int, list[StoredPrimitive]]:
    """Return the primitives of each mesh; one of those that share their vertices."""
    found: dict[int, dict[Any, StoredPrimitive]] = {}
    for primitive in stored.primitives:
        key = tuple(sorted(primitive.attributes.items()))
        found.setdefault(primitive.mesh, {}).setdefault(key, primitive)
    return {mesh: list(primitives.values()) for mesh, primitives in found.items()}


@rule(
    "mesh-nan",
    "error",
    "a position, normal, tangent, colour or texture coordinate is not a finite number",
    "delete and rebuild these vertices, or export again: the exporter divided by zero",
    covers=("values are NaN, infinite or too large",),
)
def _not_finite(context: CheckContext, _: Limits) -> Iterator[Finding]:
    stored = context.stored
    for m, found in distinct_vertices(stored).items():
        bad, first = 0, ""
        for primitive in found:
            rows = np.zeros(stored.accessors.count(primitive.attributes["POSITION"]), bool)
            for name, index in primitive.attributes.items():
                if name.startswith(_DRAWN) and stored.accessors.count(index) == len(rows):
                    wrong = ~np.isfinite(stored.accessors.floats(index)).all(axis=1)
                    first = first or (f"{primitive.place}/attributes/{name}" if wrong.any() else "")
                    rows |= wrong
            bad += int(np.count_nonzero(rows))
        if bad:
            name = context.model.meshes[m].name
            yield Finding(
                f"{counted(bad, 'vertex', 'vertices')} of mesh {quoted(name)} "
                f"{'has' if bad == 1 else 'have'} NaN or infinite numbers, first in "
                f"{first.rpartition('/')[2]}",
                amount=bad,
                unit="vertices",
                touches=bad,
                place=first,
                item=name,
            )


@rule(
    "mesh-degenerate",
    "info",
    "triangles have no area",
    "merge vertices by distance (Blender: Mesh > Clean Up > Degenerate Dissolve)",
    Limit("percent", 1, "%", "share of a mesh's triangles without area"),
)
def _degenerate(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    stored = context.stored
    found: dict[int, tuple[str, int, int]] = {}  # place of the first, number, number of all
    for primitive in stored.primitives:
        if primitive.triangles:
            place, bad, of = found.get(primitive.mesh, ("", 0, 0))
            flat = _flat(stored, primitive)
            place = place or (primitive.place if flat.any() else "")
            found[primitive.mesh] = (place, bad + int(np.count_nonzero(flat)), of + len(flat))
    for mesh, (place, bad, of) in found.items():
        percent = 100 * bad / max(of, 1)
        if percent > limits["percent"]:
            name = context.model.meshes[mesh].name
            yield Finding(
                f"{bad} of {counted(of, 'triangle')} of mesh {quoted(name)} "
                f"{'has' if bad == 1 else 'have'} no area",
                amount=percent,
                touches=bad,
                place=place,
                item=name,
            )


def _flat(stored: StoredMeshes, primitive: StoredPrimitive) -> Bool:
    """Return which triangles of a primitive have no area."""
    points = stored.accessors.floats(primitive.attributes["POSITION"])
    corners = stored.indices(primitive)
    if corners is None:
        corners = np.arange(len(points) // 3 * 3).reshape(-1, 3)
    at = points[corners].astype(np.float64)
    one, two = at[:, 1] - at[:, 0], at[:, 2] - at[:, 0]
    normal = np.cross(one, two)
    longest = np.maximum((one**2).sum(axis=1), (two**2).sum(axis=1))
    return np.asarray((normal**2).sum(axis=1) <= _FLAT * longest**2)  # false for NaN


def _lacking(
    message: str,
) -> Callable[[Callable[[CheckContext, StoredPrimitive], str | None]], Find]:
    """Make a rule find what primitives lack: a finding for each mesh with such primitives.

    The function returns the reason, "" for a primitive that has it, None for one that needs none.
    The message has {some} of its primitives, {mesh}, {have}, {lack}, and the first {reason}.
    """

    def made(lacks: Callable[[CheckContext, StoredPrimitive], str | None]) -> Find:
        def find(context: CheckContext, _: Limits) -> Iterator[Finding]:
            found: dict[int, list[tuple[str, str]]] = {}  # place and reason, by mesh
            for primitive in context.stored.primitives:
                reason = lacks(context, primitive)
                if reason is not None:
                    found.setdefault(primitive.mesh, []).append((primitive.place, reason))
            for mesh, primitives in found.items():
                bad = [(place, reason) for place, reason in primitives if reason]
                if bad:
                    (place, reason), name = bad[0], context.model.meshes[mesh].name
                    yield Finding(
                        message.format(
                            some=f"{len(bad)} of {counted(len(primitives), 'primitive')}",
                            mesh=quoted(name),
                            have="has" if len(bad) == 1 else "have",
                            lack="lacks" if len(bad) == 1 else "lack",
                            reason=reason,
                        ),
                        amount=len(bad),
                        unit="primitives",
                        place=f"{place}/attributes",
                        item=name,
                    )

        return find

    return made


@rule("mesh-normals", "warning", "a mesh has no normals", "export with normals")
@_lacking("{some} of mesh {mesh} {have} no normals: they are shaded flat")
def _normals(context: CheckContext, primitive: StoredPrimitive) -> str | None:
    materials = _materials_of(context, primitive)
    unlit = ["KHR_materials_unlit" in (row.get("extensions") or {}) for row in materials]
    if (unlit and all(unlit)) or not primitive.triangles:
        return None
    return "" if "NORMAL" in primitive.attributes else "NORMAL"


@rule(
    "mesh-tangents",
    "info",
    "a mesh with a normal map has no tangents",
    "export with tangents, computed as for baking the map (MikkTSpace)",
)
@_lacking(
    "mesh {mesh} has a normal map but no tangents: each engine computes its own, and seams may be "
    "visible"
)
def _tangents(context: CheckContext, primitive: StoredPrimitive) -> str | None:
    slots = {slot for slot, _ in texture_sets(context, primitive)}
    if not primitive.triangles or not slots & NORMAL_MAPS:
        return None
    return "" if "TANGENT" in primitive.attributes else "TANGENT"


@rule(
    "mesh-texcoords",
    "error",
    "a mesh lacks the texture coordinates that its material's textures need",
    "unwrap the mesh, or remove the texture from its material",
)
@_lacking("{some} of mesh {mesh} {lack} texture coordinates: {reason}")
def _texcoords(context: CheckContext, primitive: StoredPrimitive) -> str | None:
    sets = ((key, f"TEXCOORD_{uv}") for key, uv in texture_sets(context, primitive))
    needed = (f"its {key} needs {name}" for key, name in sets if name not in primitive.attributes)
    return next(needed, "")


@rule(
    "mesh-unused",
    "info",
    "vertices are in no triangle",
    "delete loose vertices (Blender: Mesh > Clean Up > Delete Loose)",
    Limit("percent", 1, "%", "share of a mesh's vertices without triangle"),
    group="File",
)
def _unused(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    """Yield meshes with vertices without index; primitives that share vertices count together."""
    stored = context.stored
    groups: dict[Any, list[StoredPrimitive]] = {}
    for primitive in stored.primitives:
        key = tuple(sorted(primitive.attributes.items()))
        groups.setdefault(key, []).append(primitive)
    found: dict[int, tuple[int, int, int, str]] = {}
    for primitives in groups.values():
        primitive = primitives[0]
        if any(user.row.get("indices") is None for user in primitives):
            continue
        named = np.zeros(stored.accessors.count(primitive.attributes["POSITION"]), bool)
        for user in primitives:
            listed = stored.accessors.raw(user.row["indices"])[:, 0]
            named[listed[listed < len(named)]] = True
        idle = int(np.count_nonzero(~named))
        size = idle * sum(_element(stored, index) for index in primitive.attributes.values())
        bad, of, total, place = found.get(primitive.mesh, (0, 0, 0, ""))
        place = place or (primitive.place if idle else "")
        found[primitive.mesh] = (bad + idle, of + len(named), total + size, place)
    for mesh, (bad, of, size, place) in found.items():
        if of and 100 * bad / of > limits["percent"]:
            name = context.model.meshes[mesh].name
            yield Finding(
                f"{bad} of {counted(of, 'vertex', 'vertices')} of mesh {quoted(name)} are in no "
                f"triangle: {binary_size(size)}",
                amount=100 * bad / of,
                touches=bad,
                place=f"{place}/indices",
                item=name,
            )


def _element(stored: StoredMeshes, index: int) -> int:
    row = stored.accessors.rows[index]
    return ELEMENTS[row["type"], row["componentType"]]


def _vectors_off(
    words: dict[str, str], message: str, seen: float = np.inf
) -> Callable[[Callable[[StoredMeshes, int, Limits], F64]], Find]:
    """Make a rule find faulty vectors of attributes: a finding for each mesh that has some.

    The function returns the amounts [V] by which those of an accessor are off, 0: right.

    Parameters
    ----------
    words
        What a vector is called, by attribute.
    message
        With {mesh}, {be}, {have} and the {worst} amount, after the number of vectors.
    seen
        Amounts from there on are seen: a warning.
    """

    def made(amounts_of: Callable[[StoredMeshes, int, Limits], F64]) -> Find:
        def find(context: CheckContext, limits: Limits) -> Iterator[Finding]:
            stored = context.stored
            for attribute, word in words.items():
                for mesh, primitives in distinct_vertices(stored).items():
                    amounts = {  # by place
                        f"{primitive.place}/attributes/{attribute}": _finite(
                            amounts_of(stored, primitive.attributes[attribute], limits)
                        )
                        for primitive in primitives
                        if _is_wide(stored, primitive, attribute)
                    }
                    bad = sum(int(np.count_nonzero(off)) for off in amounts.values())
                    if bad:
                        name = context.model.meshes[mesh].name
                        worst = max(float(off.max(initial=0)) for off in amounts.values())
                        text = message.format(
                            mesh=quoted(name),
                            be="is" if bad == 1 else "are",
                            have="has" if bad == 1 else "have",
                            worst=number(worst),
                        )
                        yield Finding(
                            f"{counted(bad, word)} of {text}",
                            amount=worst,
                            place=next(place for place, off in amounts.items() if off.any()),
                            item=name,
                            severity="warning" if worst >= seen else "",
                            touches=bad,
                        )

        return find

    return made


def _finite(off: F64) -> F64:
    """Return amounts without NaN and infinity, which another rule reports."""
    return np.where(np.isfinite(off), off, 0)


def _is_wide(stored: StoredMeshes, primitive: StoredPrimitive, attribute: str) -> bool:
    """Return whether a primitive has all components of an attribute."""
    index, least = primitive.attributes.get(attribute), 4 if attribute == "TANGENT" else 3
    return index is not None and stored.accessors.raw(index).shape[1] >= least


@rule(
    "mesh-unit-length",
    "info",
    "a normal or tangent is not of unit length, or (a warning) has no length: it is shaded black",
    "recompute the normals (Blender: Mesh > Normals > Reset Vectors) after deleting faces "
    "without area, and export again",
    Limit("off", 0.00674, "", "deviation of a length from 1"),
)
@_vectors_off(
    {"NORMAL": "normal", "TANGENT": "tangent"},
    "mesh {mesh} {be} not of unit length, but off by {worst} at worst",
    seen=0.99,
)
def _off_length(stored: StoredMeshes, index: int, limits: Limits) -> F64:
    """Return by how much the lengths of normals or tangents differ from 1 [V]."""
    found = np.abs(length(stored.accessors.floats(index)[:, :3]).astype(np.float64) - 1)
    kind = stored.accessors.raw(index).dtype
    step = 1 / np.iinfo(kind).max if kind.kind in "iu" else 0.0  # of quantized normals
    return np.where(found > max(limits["off"], step), found, 0)


@rule(
    "mesh-tangent-sign",
    "warning",
    "the w of a tangent is neither 1 nor -1",
    "export with tangents, computed as for baking the map (MikkTSpace)",
)
@_vectors_off(
    {"TANGENT": "tangent"},
    "mesh {mesh} {have} a w that is neither 1 nor -1: normal maps are inverted or flat there",
)
def _off_sign(stored: StoredMeshes, index: int, _: Limits) -> F64:
    """Return how far the signs of tangents are from 1 and -1 [V]."""
    return np.abs(np.abs(stored.accessors.floats(index)[:, 3].astype(np.float64)) - 1)


@rule(
    "mesh-color-range",
    "warning",
    "a vertex colour is below 0 or above 1",
    "clamp the colours; light beyond white belongs in the material's emission",
)
@_vectors_off({"COLOR_0": "vertex colour"}, "mesh {mesh} {be} outside 0 to 1, by {worst} at worst")
def _off_color(stored: StoredMeshes, index: int, _: Limits) -> F64:
    """Return how far colours are outside 0 to 1 [V]."""
    colors = stored.accessors.floats(index).astype(np.float64)
    return np.maximum(colors - 1, -colors).max(axis=1, initial=0)
