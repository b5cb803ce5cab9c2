"""Lights of the file: KHR_lights_punctual."""

import math

from app.gltf.document import Document
from app.gltf.names import distinct
from app.gltf.nodes import Order
from app.model import LightSource

EXTENSION = "KHR_lights_punctual"


def read_lights(document: Document, order: Order) -> tuple[LightSource, ...]:
    """Return a light for each node that carries one, in joint order.

    A spot whose cone is none is left out, with a warning.
    """
    rows = ((document.json.get("extensions") or {}).get(EXTENSION) or {}).get("lights") or []
    names = distinct(rows, "Light")
    found = []
    for joint, n in enumerate(order.nodes):
        use = (document.rows("nodes")[n].get("extensions") or {}).get(EXTENSION)
        if use is None:
            continue
        number, place = use["light"], f"/nodes/{n}/extensions/{EXTENSION}/light"
        if number >= len(rows):
            document.warn(place, f"there is no light {number} (there are {len(rows)})")
            continue
        row = rows[number]
        spot = row.get("spot") or {}
        inner = float(spot.get("innerConeAngle") or 0.0)
        outer = spot.get("outerConeAngle")
        outer = math.pi / 4 if outer is None else float(outer)
        if row["type"] == "spot" and not 0 <= inner < outer <= math.pi / 2:
            document.warn(place, "its cone has no such angles; the light is left out")
            continue
        color = row.get("color") or (1, 1, 1)
        intensity = row.get("intensity")
        found.append(
            LightSource(
                name=names[number],
                number=number,
                joint=joint,
                kind=row["type"],
                color=(float(color[0]), float(color[1]), float(color[2])),
                intensity=1.0 if intensity is None else float(intensity),
                range=float(row.get("range") or 0.0),
                inner=inner,
                outer=outer,
            )
        )
    return tuple(found)
