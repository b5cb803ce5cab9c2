"""Rules about the geometry of meshes, as the file stores it."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ...animation.types import Bool
from ...gltf.accessor_layout import ELEMENTS
from ..finding_text import bytes_text, counted, quoted
from ..rule import Hit, Limit, Limits, Rule
from ..stored_meshes import Part, Raw
from ..subject import Subject

_FLAT = 1e-12  # of the square of its longest edge: a triangle of less is a line
NORMAL_MAPS = frozenset(("normalTexture", "clearcoatNormalTexture"))
_LAYERS = ("clearcoat", "sheen", "specular", "transmission")  # KHR_materials_…
_DRAWN = ("POSITION", "NORMAL", "TANGENT", "TEXCOORD_", "COLOR_0")


class _Tally(NamedTuple):
    mesh: int
    place: str  # of the first primitive that has one
    bad: int
    of: int


def _tally(raw: Raw | None, look: Callable[[Part], tuple[int, int] | None]) -> Iterator[_Tally]:
    """Yield how many of how many are bad, by mesh; `look` tells it of a primitive."""
    found: dict[int, _Tally] = {}
    for part in raw.parts if raw else ():
        judged = look(part)
        if judged is None:
            continue
        bad, of = judged
        old = found.get(part.mesh, _Tally(part.mesh, "", 0, 0))
        place = old.place or (part.place if bad else "")
        found[part.mesh] = _Tally(part.mesh, place, old.bad + bad, old.of + of)
    yield from (each for each in found.values() if each.bad)


def material_of(subject: Subject, part: Part) -> dict[str, Any]:
    """Return the JSON of a primitive's material, empty where it has none."""
    index = part.row.get("material")
    assert subject.document is not None
    return {} if index is None else subject.document.rows("materials")[index]


def _degenerate(subject: Subject, limits: Limits) -> Iterator[Hit]:
    raw = subject.raw

    def look(part: Part) -> tuple[int, int] | None:
        if not part.triangles or raw is None:
            return None
        flat = _flat(raw, part)
        return int(np.count_nonzero(flat)), len(flat)

    for each in _tally(raw, look):
        share = 100 * each.bad / each.of
        if share > limits["percent"]:
            name = subject.model.meshes[each.mesh].name
            yield Hit(
                f"{each.bad} of {counted(each.of, 'triangle')} of mesh {quoted(name)} "
                f"{'has' if each.bad == 1 else 'have'} no area",
                amount=share,
                unit="%",
                limit="percent",
                place=each.place,
                item=name,
            )


def _flat(raw: Raw, part: Part) -> Bool:
    """Return which triangles of a primitive have no area."""
    points = raw.accessors.floats(part.attributes["POSITION"])
    corners = raw.indices(part)
    if corners is None:
        corners = np.arange(len(points) // 3 * 3).reshape(-1, 3)
    at = points[corners].astype(np.float64)
    one, two = at[:, 1] - at[:, 0], at[:, 2] - at[:, 0]
    normal = np.cross(one, two)
    longest = np.maximum((one**2).sum(axis=1), (two**2).sum(axis=1))
    return np.asarray((normal**2).sum(axis=1) <= _FLAT * longest**2)  # false for NaN


def _no_number(subject: Subject, _: Limits) -> Iterator[Hit]:
    raw = subject.raw
    for m, found in _by_mesh(raw).items():
        assert raw is not None
        bad, first = 0, ""
        for part in found:
            rows = np.zeros(raw.accessors.count(part.attributes["POSITION"]), bool)
            for name, index in part.attributes.items():
                if name.startswith(_DRAWN) and raw.accessors.count(index) == len(rows):
                    wrong = ~np.isfinite(raw.accessors.floats(index)).all(axis=1)
                    first = first or (f"{part.place}/attributes/{name}" if wrong.any() else "")
                    rows |= wrong
            bad += int(np.count_nonzero(rows))
        if bad:
            name = subject.model.meshes[m].name
            yield Hit(
                f"{counted(bad, 'vertex', 'vertices')} of mesh {quoted(name)} "
                f"{'has' if bad == 1 else 'have'} numbers that are none, in "
                f"{first.rpartition('/')[2]} first",
                amount=bad,
                unit="vertices",
                place=first,
                item=name,
            )


def _by_mesh(raw: Raw | None) -> dict[int, list[Part]]:
    """Return the primitives of each mesh; of those that share their vertices, one."""
    found: dict[int, dict[Any, Part]] = {}
    for part in raw.parts if raw else ():
        key = tuple(sorted(part.attributes.items()))
        found.setdefault(part.mesh, {}).setdefault(key, part)
    return {mesh: list(parts.values()) for mesh, parts in found.items()}


def _no_normals(subject: Subject, _: Limits) -> Iterator[Hit]:
    def look(part: Part) -> tuple[int, int] | None:
        unlit = "KHR_materials_unlit" in (material_of(subject, part).get("extensions") or {})
        if unlit or not part.triangles:
            return None
        return int("NORMAL" not in part.attributes), 1

    for each in _tally(subject.raw, look):
        name = subject.model.meshes[each.mesh].name
        yield Hit(
            f"{each.bad} of {counted(each.of, 'primitive')} of mesh {quoted(name)} "
            f"{'has' if each.bad == 1 else 'have'} no normals: every triangle is shaded flat",
            amount=each.bad,
            unit="primitives",
            place=f"{each.place}/attributes",
            item=name,
        )


def _no_tangents(subject: Subject, _: Limits) -> Iterator[Hit]:
    def look(part: Part) -> tuple[int, int] | None:
        sets = dict(texture_sets(material_of(subject, part)))
        if not part.triangles or not sets.keys() & NORMAL_MAPS:
            return None
        return int("TANGENT" not in part.attributes), 1

    for each in _tally(subject.raw, look):
        name = subject.model.meshes[each.mesh].name
        yield Hit(
            f"mesh {quoted(name)} has a normal map but no tangents: each engine makes its own, and "
            "seams may show",
            amount=each.bad,
            unit="primitives",
            place=f"{each.place}/attributes",
            item=name,
        )


def texture_sets(material: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield the textures of a material with the set of coordinates that each needs."""
    pbr = material.get("pbrMetallicRoughness") or {}
    layers = material.get("extensions") or {}
    for row in (material, pbr, *(layers.get(f"KHR_materials_{each}") or {} for each in _LAYERS)):
        for key, info in row.items():
            if key.endswith("Texture") and isinstance(info, dict):
                moved = (info.get("extensions") or {}).get("KHR_texture_transform") or {}
                number = moved.get("texCoord")
                yield key, (info.get("texCoord") or 0) if number is None else number


def _no_texcoords(subject: Subject, _: Limits) -> Iterator[Hit]:
    lacking: dict[str, str] = {}

    def look(part: Part) -> tuple[int, int] | None:
        for key, number in texture_sets(material_of(subject, part)):
            if f"TEXCOORD_{number}" not in part.attributes:
                lacking.setdefault(part.place, f"its {key} needs TEXCOORD_{number}")
                return 1, 1
        return 0, 1

    for each in _tally(subject.raw, look):
        name = subject.model.meshes[each.mesh].name
        yield Hit(
            f"{each.bad} of {counted(each.of, 'primitive')} of mesh {quoted(name)} "
            f"{'lacks' if each.bad == 1 else 'lack'} texture coordinates: {lacking[each.place]}",
            amount=each.bad,
            unit="primitives",
            place=f"{each.place}/attributes",
            item=name,
        )


def _unused(subject: Subject, limits: Limits) -> Iterator[Hit]:
    """Vertices that no index names; primitives that share their vertices count together."""
    raw = subject.raw
    groups: dict[Any, list[Part]] = {}
    for part in raw.parts if raw else ():
        key = tuple(sorted(part.attributes.items()))
        groups.setdefault(key, []).append(part)
    found: dict[int, tuple[int, int, int, str]] = {}
    for parts in groups.values():
        part = parts[0]
        if raw is None or any(each.row.get("indices") is None for each in parts):
            continue
        named = np.zeros(raw.accessors.count(part.attributes["POSITION"]), bool)
        for each in parts:
            listed = raw.accessors.raw(each.row["indices"])[:, 0]
            named[listed[listed < len(named)]] = True
        idle = int(np.count_nonzero(~named))
        size = idle * sum(_element(raw, index) for index in part.attributes.values())
        bad, of, total, place = found.get(part.mesh, (0, 0, 0, ""))
        place = place or (part.place if idle else "")
        found[part.mesh] = (bad + idle, of + len(named), total + size, place)
    for mesh, (bad, of, size, place) in found.items():
        if of and 100 * bad / of > limits["percent"]:
            name = subject.model.meshes[mesh].name
            yield Hit(
                f"{bad} of {counted(of, 'vertex', 'vertices')} of mesh {quoted(name)} belong to no "
                f"triangle: {bytes_text(size)}",
                amount=100 * bad / of,
                unit="%",
                limit="percent",
                place=f"{place}/indices",
                item=name,
            )


def _element(raw: Raw, index: int) -> int:
    row = raw.accessors.rows[index]
    return ELEMENTS[row["type"], row["componentType"]]


def _units(subject: Subject, limits: Limits) -> Iterator[Hit]:
    if not subject.model.skins or not subject.document:
        return
    tall = subject.height
    if tall > limits["most"]:
        guess = "centimetres" if tall < 100 * limits["most"] else "millimetres"
        yield Hit(
            f"the character is {tall:.4g} m tall: its units are probably {guess}",
            amount=tall,
            unit="m",
            limit="most",
            place="/scenes",
        )
    elif 0 < tall < limits["least"]:
        yield Hit(
            f"the character is {tall:.4g} m tall: it was probably scaled down twice",
            amount=tall,
            unit="m",
            limit="least",
            place="/scenes",
        )


RULES: tuple[Rule, ...] = (
    Rule(
        "mesh-nan",
        "error",
        "a position, normal, tangent, colour or texture coordinate is no number",
        "delete and rebuild these vertices, or export again: the exporter divided by zero",
        _no_number,
        covers=("of its values are no numbers",),
    ),
    Rule(
        "mesh-degenerate",
        "info",
        "triangles have no area",
        "merge vertices by distance (Blender: Mesh > Clean Up > Degenerate Dissolve)",
        _degenerate,
        (Limit("percent", 1, "%", "share of a mesh's triangles that may have no area"),),
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
        "export with tangents, of the same kind (MikkTSpace) as the map was baked with",
        _no_tangents,
    ),
    Rule(
        "mesh-texcoords",
        "error",
        "a mesh lacks the texture coordinates that its material's textures need",
        "unwrap the mesh, or take the texture out of its material",
        _no_texcoords,
    ),
    Rule(
        "mesh-unused",
        "info",
        "vertices belong to no triangle",
        "delete loose vertices (Blender: Mesh > Clean Up > Delete Loose)",
        _unused,
        (Limit("percent", 1, "%", "share of a mesh's vertices that may belong to nothing"),),
    ),
    Rule(
        "units",
        "warning",
        "a skinned character is as tall as no character is: glTF's unit is the metre",
        "scale it as you export, or apply the scale of the armature",
        _units,
        (
            Limit("least", 0.1, "m", "the height of the smallest character"),
            Limit("most", 10, "m", "the height of the tallest"),
        ),
    ),
)
