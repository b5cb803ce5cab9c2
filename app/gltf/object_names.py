"""Names of the objects of a file: unique ones for a model, and descriptions for messages."""

from collections.abc import Iterable, Sequence
from typing import Any

from ..wording import printable, quoted, shortened
from .accessor_references import Json, accessor_references

_KINDS = {
    "cameras": "camera",
    "images": "image",
    "materials": "material",
    "meshes": "mesh",
    "nodes": "node",
    "scenes": "scene",
    "skins": "skin",
    "textures": "texture",
}


def unique_names(
    rows: Sequence[dict[str, Any]], kind: str, preferred: Iterable[int] = ()
) -> tuple[str, ...]:
    """Return a unique name for each object.

    Parameters
    ----------
    rows
        JSON objects with an optional `name`.
    kind
        Prefix of the names of unnamed objects: "Joint" gives "Joint 7" for index 7.
    preferred
        Indices that keep their name in preference to others. Further objects of the same name
        get a suffix: "Walk #2".
    """
    wanted = [printable(row.get("name") or f"{kind} {k}") for k, row in enumerate(rows)]
    if len(set(wanted)) == len(wanted):
        return tuple(wanted)
    names = list(wanted)
    kept, counts, used_names = set[str](), dict[str, int](), set(wanted)
    for index in dict.fromkeys([*preferred, *range(len(rows))]):
        name = wanted[index]
        if name in kept:
            number = counts.get(name, 1) + 1
            while f"{name} #{number}" in used_names:
                number += 1
            counts[name] = number
            names[index] = f"{name} #{number}"
            used_names.add(names[index])
        kept.add(name)
    return tuple(names)


def object_name(json: Json, key: str, number: int) -> str:
    """Return the name of an object of a top-level array, ``""`` if it has none."""
    rows = json.get(key)
    row = rows[number] if isinstance(rows, list) and 0 <= number < len(rows) else None
    name = row.get("name") if isinstance(row, dict) else None
    return name if isinstance(name, str) else ""


def described_node(json: Json, number: int) -> str:
    """Return a node as people name it: its name in quotation marks, else ``node 3``."""
    name = object_name(json, "nodes", number)
    return quoted(name) if name else f"node {number}"


def described_place(json: Json, place: str) -> str:
    """Return what is at a JSON pointer as people name it; ``""`` if it has no name.

    ``mesh “Body”``, ``“Head” rotation in “Walk”``; for accessors that of the first reference. The
    JSON may be invalid.
    """
    try:
        return _described(json, place)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):  # not validated yet
        return ""


def _described(json: Json, place: str) -> str:
    keys = place.split("/")[1:]
    if len(keys) < 2:
        return ""
    key, number = keys[0], int(keys[1])
    if key == "accessors":
        users = (at for owner, key, at in accessor_references(json) if owner[key] == number)
        return _described(json, next(users, ""))
    name = object_name(json, key, number)
    if key == "animations":
        return _described_channel(json, number, keys[2:], quoted(name) if name else "")
    return f"{_KINDS[key]} {quoted(name)}" if name and key in _KINDS else ""


def _described_channel(json: Json, number: int, keys: list[str], clip: str) -> str:
    """Return the target of a channel or a sampler and its clip, else only the clip."""
    row = json["animations"][number]
    targets = []
    if keys[:1] == ["channels"] and len(keys) > 1:
        targets = [row["channels"][int(keys[1])]["target"]]
    elif keys[:1] == ["samplers"] and len(keys) > 1:
        channels = row["channels"]
        targets = [each["target"] for each in channels if each["sampler"] == int(keys[1])]
    for target in targets:
        node, path = target.get("node"), target["path"]
        if type(node) is not int or not 0 <= node < len(json["nodes"]) or type(path) is not str:
            continue
        if clip or object_name(json, "nodes", node):
            of = f"{described_node(json, node)} {shortened(path, 40)}"
            return f"{of} in {clip or f'animation {number}'}"
    return f"animation {clip}" if clip else ""
