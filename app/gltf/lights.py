"""KHR_lights_punctual: directional, point and spot lights."""

import math
from typing import Any

from ..model.model import MAX_LIGHTS, LightSource
from .document import Document
from .nodes import NodeOrder
from .object_names import unique_names

EXTENSION = "KHR_lights_punctual"
_ROUNDING = 1e-4  # radians: angles are stored as float32


def read_lights(
    document: Document, order: NodeOrder, scene: frozenset[int]
) -> tuple[LightSource, ...]:
    """Return a light for each node of the default scene that has one, in joint order."""
    rows = ((document.json.get("extensions") or {}).get(EXTENSION) or {}).get("lights") or []
    names = unique_names(rows, "Light")
    found = []
    for joint, n in enumerate(order.nodes):
        use = (document.rows("nodes")[n].get("extensions") or {}).get(EXTENSION)
        if use is None or joint not in scene:
            continue
        number, place = use["light"], f"/nodes/{n}/extensions/{EXTENSION}/light"
        if number >= len(rows):
            document.warn(place, f"there is no light {number} (there are {len(rows)})")
            continue
        row = rows[number]
        inner, outer = _cone(document, row, number)
        red, green, blue = _positive(document, row, "color", number, (1, 1, 1))
        found.append(
            LightSource(
                name=names[number],
                number=number,
                joint=joint,
                kind=row["type"],
                color=(red, green, blue),
                intensity=_positive(document, row, "intensity", number, (1,))[0],
                range=_positive(document, row, "range", number, (0,))[0],
                inner=inner,
                outer=outer,
            )
        )
    if len(found) > MAX_LIGHTS:
        place = f"/extensions/{EXTENSION}/lights"
        document.warn(place, f"{len(found)} lights in the scene; only {MAX_LIGHTS} are used")
    return tuple(found)


def _positive(
    document: Document, row: dict[str, Any], key: str, number: int, default: tuple[float, ...]
) -> list[float]:
    """Return the numbers of a property; negative ones become 0, with a warning."""
    value = row.get(key)
    given = default if value is None else value if isinstance(value, list) else (value,)
    if min(given) < 0:
        place = f"/extensions/{EXTENSION}/lights/{number}/{key}"
        document.warn(place, "must not be negative; 0 is used")
    return [max(float(component), 0.0) for component in given]


def _cone(document: Document, row: dict[str, Any], number: int) -> tuple[float, float]:
    """Return the cone angles of a spot light in radians, 0 <= inner <= outer <= π / 2."""
    spot = row.get("spot") or {}
    inner, outer = spot.get("innerConeAngle"), spot.get("outerConeAngle")
    inner = 0.0 if inner is None else float(inner)
    outer = math.pi / 4 if outer is None else float(outer)
    right = math.pi / 2
    if row["type"] == "spot" and not (
        0 <= inner <= outer + _ROUNDING and 0 < outer <= right + _ROUNDING
    ):
        document.warn(
            f"/extensions/{EXTENSION}/lights/{number}/spot",
            f"invalid spot cone angles {inner:.4g} and {outer:.4g}; clamped",
        )
    outer = min(max(outer, 0.0), right)
    return min(max(inner, 0.0), outer), outer
