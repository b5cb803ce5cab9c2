"""Rules about stored meshes: geometry, attributes, vectors, colours (glTF 2.0, 3.7.2.1)."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ...animation.types import F64, Bool
from ...animation.vectors import length
from ...gltf.accessor_layout import ELEMENTS
from ...gltf.meshes import variants_of
from ...model.material import EXTENSIONS, TEXTURES
from ...wording import binary_size, counted, number, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, Rule
from ..stored_meshes import StoredMeshes, StoredPrimitive

_FLAT = 1e-12  # of the longest edge squared: a triangle with less area is degenerate
NORMAL_MAPS = frozenset(row.path.rpartition("/")[2] for row in TEXTURES.values() if row.normal_map)
_DRAWN = ("POSITION", "NORMAL", "TANGENT", "TEXCOORD_", "COLOR_0")


class _Tally(NamedTuple):
    mesh: int
    place: str  # of the first primitive with a bad element
    bad: int
    of: int


def _tally(
    stored: StoredMeshes | None, look: Callable[[StoredPrimitive], tuple[int, int] | None]
) -> Iterator[_Tally]:
    """Yield the numbers of bad elements by mesh; `look` returns (bad, all) of a primitive."""
    found: dict[int, _Tally] = {}
    for primitive in stored.primitives if stored else ():
        judged = look(primitive)
        if judged is None:
            continue
        bad, of = judged
        old = found.get(primitive.mesh, _Tally(primitive.mesh, "", 0, 0))
        place = old.place or (primitive.place if bad else "")
        found[primitive.mesh] = _Tally(primitive.mesh, place, old.bad + bad, old.of + of)
    yield from (tally for tally in found.values() if tally.bad)


def _materials_of(context: CheckContext, primitive: StoredPrimitive) -> list[dict[str, Any]]:
    """Return the JSON of a primitive's material, if it has one, and of those of its variants."""
    assert context.document is not None
    numbers = dict.fromkeys([primitive.row.get("material"), *variants_of(primitive.row).values()])
    rows = context.document.rows("materials")
    return [rows[number] for number in numbers if number is not None]


def _degenerate(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    stored = context.stored

    def look(primitive: StoredPrimitive) -> tuple[int, int] | None:
        if not primitive.triangles or stored is None:
            return None
        flat = _flat(stored, primitive)
        return int(np.count_nonzero(flat)), len(flat)

    for tally in _tally(stored, look):
        percent = 100 * tally.bad / tally.of
        if percent > limits["percent"]:
            name = context.model.meshes[tally.mesh].name
            yield Finding(
                f"{tally.bad} of {counted(tally.of, 'triangle')} of mesh {quoted(name)} "
                f"{'has' if tally.bad == 1 else 'have'} no area",
                amount=percent,
                unit="%",
                limit=limits["percent"],
                place=tally.place,
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


def _not_finite(context: CheckContext, _: Limits) -> Iterator[Finding]:
    stored = context.stored
    for m, found in distinct_vertices(stored).items():
        assert stored is not None
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
                place=first,
                item=name,
            )


def distinct_vertices(stored: StoredMeshes | None) -> dict[int, list[StoredPrimitive]]:
    """Return the primitives of each mesh; one of those that share their vertices."""
    found: dict[int, dict[Any, StoredPrimitive]] = {}
    for primitive in stored.primitives if stored else ():
        key = tuple(sorted(primitive.attributes.items()))
        found.setdefault(primitive.mesh, {}).setdefault(key, primitive)
    return {mesh: list(primitives.values()) for mesh, primitives in found.items()}


def _no_normals(context: CheckContext, _: Limits) -> Iterator[Finding]:
    def look(primitive: StoredPrimitive) -> tuple[int, int] | None:
        materials = _materials_of(context, primitive)
        unlit = ["KHR_materials_unlit" in (row.get("extensions") or {}) for row in materials]
        if (unlit and all(unlit)) or not primitive.triangles:
            return None
        return int("NORMAL" not in primitive.attributes), 1

    for tally in _tally(context.stored, look):
        name = context.model.meshes[tally.mesh].name
        yield Finding(
            f"{tally.bad} of {counted(tally.of, 'primitive')} of mesh {quoted(name)} "
            f"{'has' if tally.bad == 1 else 'have'} no normals: they are shaded flat",
            amount=tally.bad,
            unit="primitives",
            place=f"{tally.place}/attributes",
            item=name,
        )


def _no_tangents(context: CheckContext, _: Limits) -> Iterator[Finding]:
    def look(primitive: StoredPrimitive) -> tuple[int, int] | None:
        slots = {slot for slot, _ in texture_sets(context, primitive)}
        if not primitive.triangles or not slots & NORMAL_MAPS:
            return None
        return int("TANGENT" not in primitive.attributes), 1

    for tally in _tally(context.stored, look):
        name = context.model.meshes[tally.mesh].name
        yield Finding(
            f"mesh {quoted(name)} has a normal map but no tangents: each engine computes its own, "
            "and seams may be visible",
            amount=tally.bad,
            unit="primitives",
            place=f"{tally.place}/attributes",
            item=name,
        )


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


def _no_texcoords(context: CheckContext, _: Limits) -> Iterator[Finding]:
    lacking: dict[str, str] = {}

    def look(primitive: StoredPrimitive) -> tuple[int, int] | None:
        for key, uv in texture_sets(context, primitive):
            if f"TEXCOORD_{uv}" not in primitive.attributes:
                lacking.setdefault(primitive.place, f"its {key} needs TEXCOORD_{uv}")
                return 1, 1
        return 0, 1

    for tally in _tally(context.stored, look):
        name = context.model.meshes[tally.mesh].name
        yield Finding(
            f"{tally.bad} of {counted(tally.of, 'primitive')} of mesh {quoted(name)} "
            f"{'lacks' if tally.bad == 1 else 'lack'} texture coordinates: {lacking[tally.place]}",
            amount=tally.bad,
            unit="primitives",
            place=f"{tally.place}/attributes",
            item=name,
        )


def _unused(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    """Yield meshes with vertices without index; primitives that share vertices count together."""
    stored = context.stored
    groups: dict[Any, list[StoredPrimitive]] = {}
    for primitive in stored.primitives if stored else ():
        key = tuple(sorted(primitive.attributes.items()))
        groups.setdefault(key, []).append(primitive)
    found: dict[int, tuple[int, int, int, str]] = {}
    for primitives in groups.values():
        primitive = primitives[0]
        if stored is None or any(user.row.get("indices") is None for user in primitives):
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
                unit="%",
                limit=limits["percent"],
                place=f"{place}/indices",
                item=name,
            )


def _element(stored: StoredMeshes, index: int) -> int:
    row = stored.accessors.rows[index]
    return ELEMENTS[row["type"], row["componentType"]]


def _lengths(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    def off(stored: StoredMeshes, index: int) -> F64:
        """Return by how much the lengths of normals or tangents differ from 1 [V]."""
        found = np.abs(length(stored.accessors.floats(index)[:, :3]).astype(np.float64) - 1)
        kind = stored.accessors.raw(index).dtype
        step = 1 / np.iinfo(kind).max if kind.kind in "iu" else 0.0  # of quantized normals
        return np.where(found > max(limits["off"], step), found, 0)

    for name, word in (("NORMAL", "normal"), ("TANGENT", "tangent")):
        for mesh, place, bad, worst in _worst(context, name, off):
            yield _of_mesh(
                context,
                mesh,
                f"{counted(bad, word)} of mesh {{}} {'is' if bad == 1 else 'are'} not of unit "
                f"length, but off by {number(worst)} at worst",
                worst,
                limits["off"],
                place,
            )


def _signs(context: CheckContext, _: Limits) -> Iterator[Finding]:
    def off(stored: StoredMeshes, index: int) -> F64:
        """Return how far the signs of tangents are from 1 and -1 [V]."""
        return np.abs(np.abs(stored.accessors.floats(index)[:, 3].astype(np.float64)) - 1)

    for mesh, place, bad, worst in _worst(context, "TANGENT", off):
        yield _of_mesh(
            context,
            mesh,
            f"{counted(bad, 'tangent')} of mesh {{}} {'has' if bad == 1 else 'have'} a w that is "
            "neither 1 nor -1: normal maps are inverted or flat there",
            worst,
            None,
            place,
        )


def _colors(context: CheckContext, _: Limits) -> Iterator[Finding]:
    def off(stored: StoredMeshes, index: int) -> F64:
        """Return how far colours are outside 0 to 1 [V]."""
        colors = stored.accessors.floats(index).astype(np.float64)
        return np.maximum(colors - 1, -colors).max(axis=1, initial=0)

    for mesh, place, bad, worst in _worst(context, "COLOR_0", off):
        yield _of_mesh(
            context,
            mesh,
            f"{counted(bad, 'vertex colour')} of mesh {{}} {'is' if bad == 1 else 'are'} outside "
            f"0 to 1, by {number(worst)} at worst",
            worst,
            None,
            place,
        )


def _worst(
    context: CheckContext, name: str, off: Callable[[StoredMeshes, int], F64]
) -> Iterator[tuple[int, str, int, float]]:
    """Yield meshes with bad values: mesh, first place, number of bad vertices, greatest amount."""
    stored = context.stored
    if stored is None:
        return
    for mesh, primitives in distinct_vertices(stored).items():
        bad, worst, place = 0, 0.0, ""
        for primitive in primitives:
            index = primitive.attributes.get(name)
            if index is None or not _is_vector(stored, index, name):
                continue
            amounts = off(stored, index)
            amounts = np.where(np.isfinite(amounts), amounts, 0)  # others have another rule
            if amounts.any():
                bad += int(np.count_nonzero(amounts))
                worst = max(worst, float(amounts.max()))
                place = place or f"{primitive.place}/attributes/{name}"
        if bad:
            yield mesh, place, bad, worst


def _is_vector(stored: StoredMeshes, index: int, name: str) -> bool:
    wide = {"NORMAL": 3, "TANGENT": 4, "COLOR_0": 3}[name]
    return stored.accessors.raw(index).shape[1] >= wide


def _of_mesh(
    context: CheckContext, mesh: int, message: str, amount: float, limit: float | None, place: str
) -> Finding:
    called = context.model.meshes[mesh].name
    return Finding(
        message.format(quoted(called)), amount=amount, limit=limit, place=place, item=called
    )


RULES: tuple[Rule, ...] = (
    Rule(
        "mesh-nan",
        "error",
        "a position, normal, tangent, colour or texture coordinate is not a finite number",
        "delete and rebuild these vertices, or export again: the exporter divided by zero",
        _not_finite,
        covers=("values are NaN, infinite or too large",),
    ),
    Rule(
        "mesh-degenerate",
        "info",
        "triangles have no area",
        "merge vertices by distance (Blender: Mesh > Clean Up > Degenerate Dissolve)",
        _degenerate,
        (Limit("percent", 1, "%", "share of a mesh's triangles without area"),),
    ),
    Rule(
        "mesh-normals",
        "warning",
        "a mesh has no normals",
        "export with normals",
        _no_normals,
    ),
    Rule(
        "mesh-tangents",
        "info",
        "a mesh with a normal map has no tangents",
        "export with tangents, computed as for baking the map (MikkTSpace)",
        _no_tangents,
    ),
    Rule(
        "mesh-texcoords",
        "error",
        "a mesh lacks the texture coordinates that its material's textures need",
        "unwrap the mesh, or remove the texture from its material",
        _no_texcoords,
    ),
    Rule(
        "mesh-unused",
        "info",
        "vertices are in no triangle",
        "delete loose vertices (Blender: Mesh > Clean Up > Delete Loose)",
        _unused,
        (Limit("percent", 1, "%", "share of a mesh's vertices without triangle"),),
    ),
    Rule(
        "mesh-unit-length",
        "error",
        "a normal or tangent is not of unit length",
        "recompute the normals (Blender: Mesh > Normals > Reset Vectors) after deleting faces "
        "without area, and export again",
        _lengths,
        (Limit("off", 0.00674, "", "deviation of a length from 1"),),
    ),
    Rule(
        "mesh-tangent-sign",
        "error",
        "the w of a tangent is neither 1 nor -1",
        "export with tangents, computed as for baking the map (MikkTSpace)",
        _signs,
    ),
    Rule(
        "mesh-color-range",
        "error",
        "a vertex colour is below 0 or above 1",
        "clamp the colours; light beyond white belongs in the material's emission",
        _colors,
    ),
)
