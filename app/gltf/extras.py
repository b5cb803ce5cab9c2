"""Extras and data of unknown extensions, which glTF leaves to applications."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from ..wording import printable, shortened
from .document import Document
from .nodes import NodeOrder
from .validate import SUPPORTED

_LISTS = ("nodes", "skins", "meshes", "materials", "animations", "cameras", "images")
_LIGHTS = "KHR_lights_punctual"
_SCALARS = (str, int, float, bool, type(None))
_MOST = 100_000  # values of a file that are listed one by one
_DEPTH = 8  # of places; deeper values are one text
_KEY = 40  # letters of a key in a place


def read_extras(document: Document, order: NodeOrder) -> dict[tuple[str, int], dict[str, str]]:
    """Return the extras and the data of unsupported extensions of each object that has some.

    Returns
    -------
    dict
        By the name of the list ("nodes", "lights", "asset", "scene", "file") and the index in it,
        of nodes the joint: the values as JSON text, by their place, such as "extras, cloth.mass"
        or "VRMC_springBone, colliders.0.node".
    """
    found: dict[tuple[str, int], dict[str, str]] = {}
    listed = 0
    for (key, number), row in _objects(document):
        if isinstance(row, dict) and (row.get("extras") is not None or row.get("extensions")):
            texts = dict(_values(row, _MOST - listed))
            if texts:
                listed += len(texts)
                found[key, order.joints[number] if key == "nodes" else number] = texts
    return found


def _objects(document: Document) -> Iterator[tuple[tuple[str, int], Any]]:
    yield ("asset", 0), document.json.get("asset")
    yield ("file", 0), document.json
    scenes = document.rows("scenes")
    if scenes:
        yield ("scene", 0), scenes[document.json.get("scene") or 0]
    for key in _LISTS:
        for number, row in enumerate(document.rows(key)):
            yield (key, number), row
    lights = _object(_object(document.json.get("extensions")).get(_LIGHTS)).get("lights")
    for number, row in enumerate(lights if isinstance(lights, list) else ()):
        yield ("lights", number), row


def _object(value: object) -> dict[str, Any]:
    """Return a JSON object; an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def _values(row: dict[str, Any], most: int) -> Iterator[tuple[str, str]]:
    """Yield the values of an object with their places; as one text if there are too many."""
    given = [("extras", row.get("extras"))]
    given += [
        (name, value)
        for name, value in _object(row.get("extensions")).items()
        if name not in SUPPORTED
    ]
    for name, value in given:
        if value is None:
            continue
        leaves = list(islice(_leaves(value, ()), max(most, 0) + 1))
        if len(leaves) > most:
            leaves = [("", _text(value))]
        for place, text in leaves:
            yield printable(f"{name}, {place}" if place else name), printable(text)


def _leaves(value: object, place: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield single values and lists of them as JSON text, with their places."""
    inner: Any = ()
    split = value if len(place) < _DEPTH else None
    if isinstance(split, dict) and split:
        inner = split.items()
    elif isinstance(split, list) and not all(isinstance(each, _SCALARS) for each in split):
        inner = enumerate(split)
    else:
        yield ".".join(place), _text(value)
    for key, each in inner:
        yield from _leaves(each, (*place, shortened(str(key), _KEY)))


def _text(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    except RecursionError:
        return "nested too deeply"
