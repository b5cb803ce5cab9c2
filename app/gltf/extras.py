"""Extras: application data at the objects of a file, which glTF leaves undefined."""

import json
from typing import Any

from ..wording import printable
from .document import Document
from .nodes import NodeOrder

_LISTS = ("nodes", "skins", "meshes", "materials", "animations", "cameras", "images")
_LIGHTS = "KHR_lights_punctual"


def read_extras(document: Document, order: NodeOrder) -> dict[tuple[str, int], dict[str, str]]:
    """Return the extras of each object that has some.

    Returns
    -------
    dict
        By the name of the list ("nodes", "lights", "asset", "scene") and the index in it, of nodes
        the joint: the values by key as JSON text; of extras that are no object the key is "".
    """
    rows: list[tuple[tuple[str, int], Any]] = [(("asset", 0), document.json.get("asset"))]
    scenes = document.rows("scenes")
    if scenes:
        rows.append((("scene", 0), scenes[document.json.get("scene") or 0]))
    for key in _LISTS:
        rows += [((key, number), row) for number, row in enumerate(document.rows(key))]
    extension = (document.json.get("extensions") or {}).get(_LIGHTS) or {}
    rows += [(("lights", number), row) for number, row in enumerate(extension.get("lights") or ())]
    found = {}
    for (key, number), row in rows:
        given = row.get("extras") if isinstance(row, dict) else None
        if given is not None:
            place = key, order.joints[number] if key == "nodes" else number
            found[place] = _texts(given)
    return found


def _texts(extras: object) -> dict[str, str]:
    """Return the values of extras by key, as JSON text."""
    if isinstance(extras, dict):
        return {printable(key): _text(value) for key, value in extras.items()}
    return {"": _text(extras)}


def _text(value: object) -> str:
    try:
        return printable(json.dumps(value, ensure_ascii=False, sort_keys=True))
    except RecursionError:
        return "nested too deeply"
