"""Lights of the file: KHR_lights_punctual."""

import math
from typing import Any

from ..model.model import MOST_LIGHTS, LightSource
from .document import Document
from .nodes import Order
from .unique_names import distinct

EXTENSION = "KHR_lights_punctual"
_ROUNDING = 1e-4  # radians: angles are stored as float32


def read_lights(document: Document, order: Order, scene: frozenset[int]) -> tuple[LightSource, ...]:
    """Return a light for each node of the default scene that carries one, in joint order."""
    rows = ((document.json.get("extensions") or {}).get(EXTENSION) or {}).get("lights") or []
    names = distinct(rows, "Light")
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
    if len(found) > MOST_LIGHTS:
        place = f"/extensions/{EXTENSION}/lights"
        document.warn(place, f"{len(found)} lights in the scene; only {MOST_LIGHTS} shine at once")
    return tuple(found)


def _positive(
    document: Document, row: dict[str, Any], key: str, number: int, default: tuple[float, ...]
) -> list[float]:
    """Return numbers that cannot be less than 0: no light takes light away."""
    value = row.get(key)
    given = default if value is None else value if isinstance(value, list) else (value,)
    if min(given) < 0:
        place = f"/extensions/{EXTENSION}/lights/{number}/{key}"
        document.warn(place, "it should not be less than 0; 0 is taken")
    return [max(float(each), 0.0) for each in given]


def _cone(document: Document, row: dict[str, Any], number: int) -> tuple[float, float]:
    """Return the half angles of a spot, 0 <= inner <= outer <= a right angle."""
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
            f"no cone has angles of {inner:.4g} and {outer:.4g}; the nearest that one has are used",
        )
    outer = min(max(outer, 0.0), right)
    return min(max(inner, 0.0), outer), outer
