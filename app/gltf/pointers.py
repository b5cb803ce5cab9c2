"""KHR_animation_pointer: value channels for animated properties other than joint transforms."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..animation.types import F32
from ..model.material import EXTENSIONS, FACTORS, TEXTURES
from ..model.model import Channel
from .document import Document, property_at
from .nodes import NodeOrder

EXTENSION = "KHR_animation_pointer"

_TRANSFORM: dict[str, tuple[float, ...]] = {"offset": (0, 0), "rotation": (0,), "scale": (1, 1)}
_MATERIAL: dict[str, tuple[float, ...]] = {  # defaults by property
    **{row.path: row.default for row in FACTORS.values()},
    **{
        f"{row.path}/extensions/KHR_texture_transform/{name}": default
        for row in TEXTURES.values()
        for name, default in _TRANSFORM.items()
    },
}
_LIGHT: dict[str, tuple[float, ...]] = {
    "color": (1, 1, 1),
    "intensity": (1,),
    "range": (0,),
    "spot/innerConeAngle": (0,),
    "spot/outerConeAngle": (np.pi / 4,),
}
_CAMERA: dict[str, tuple[float, ...]] = {
    "perspective/yfov": (1,),
    "perspective/znear": (0.1,),
    "perspective/zfar": (100,),
    "orthographic/xmag": (1,),
    "orthographic/ymag": (1,),
    "orthographic/znear": (0.1,),
    "orthographic/zfar": (100,),
}
_NODE: dict[str, tuple[float, ...]] = {"extensions/KHR_node_visibility/visible": (1,)}
_INDEX = "(0|[1-9][0-9]{0,8})"
# Properties without a default: they must be in the file to be animated.
_WITHOUT_DEFAULT = frozenset({"perspective/zfar", "range"})
_PARENTS = (
    "perspective",
    "orthographic",
    *(row.path for row in (*EXTENSIONS.values(), *TEXTURES.values())),
)


class ObjectKind(NamedTuple):
    """The animatable properties of one kind of object."""

    name: str
    pattern: re.Pattern[str]
    rows: Callable[[dict[str, Any]], list[dict[str, Any]]]
    properties: dict[str, tuple[float, ...]]


def _top(name: str) -> Callable[[dict[str, Any]], list[dict[str, Any]]]:
    return lambda json: json.get(name) or []


def _lights(json: dict[str, Any]) -> list[dict[str, Any]]:
    extension = (json.get("extensions") or {}).get("KHR_lights_punctual") or {}
    return extension.get("lights") or []


def _pattern(above: str) -> re.Pattern[str]:
    return re.compile(f"{above}/{_INDEX}/(.+)")


OBJECT_KINDS = (
    ObjectKind("material", _pattern("/materials"), _top("materials"), _MATERIAL),
    ObjectKind("light", _pattern("/extensions/KHR_lights_punctual/lights"), _lights, _LIGHT),
    ObjectKind("camera", _pattern("/cameras"), _top("cameras"), _CAMERA),
    ObjectKind("node", _pattern("/nodes"), _top("nodes"), _NODE),
    ObjectKind("mesh", _pattern("/meshes"), _top("meshes"), {}),
)
_JOINT = re.compile(f"/nodes/{_INDEX}/(?:(translation|rotation|scale)|weights(?:/{_INDEX})?)")
_MESH = re.compile(f"/meshes/{_INDEX}/weights(?:/{_INDEX})?")
# Properties of the glTF object model that rendering does not use.
_UNUSED = {"perspective/aspectRatio": "the aspect ratio of the picture is used"}


class NodePath(NamedTuple):
    """A node and a path, the target of a channel without a pointer."""

    node: int
    path: str
    element: int = -1  # index of a morph weight; -1: all


def pointer_of(target: dict[str, Any]) -> str | None:
    """Return the pointer of a channel's target; None if it has no pointer, "" if it is invalid."""
    if target.get("path") != "pointer":
        return None
    pointer = property_at(target, f"extensions/{EXTENSION}/pointer")
    return pointer if isinstance(pointer, str) else ""


def node_paths(document: Document, pointer: str) -> list[NodePath]:
    """Return the node transforms or morph weights that a pointer targets.

    Weights of a mesh target the mesh's nodes that do not define weights.
    """
    rows = document.rows("nodes")
    found = _JOINT.fullmatch(pointer)
    if found is not None:
        node_path = NodePath(int(found[1]), found[2] or "weights", _number(found[3]))
        return [node_path] if node_path.node < len(rows) else []
    found = _MESH.fullmatch(pointer)
    if found is None:
        return []
    mesh, element = int(found[1]), _number(found[2])
    users = (n for n, row in enumerate(rows) if row.get("mesh") == mesh)
    return [NodePath(n, "weights", element) for n in users if rows[n].get("weights") is None]


def _number(text: str | None) -> int:
    return -1 if text is None else int(text)


def read_pointers(document: Document, order: NodeOrder, start: int) -> list[Channel]:
    """Return a value channel for each supported pointer that is animated.

    Parameters
    ----------
    start
        First unused column of `Pose.values`.
    """
    found: dict[str, Channel] = {}
    users: dict[tuple[str, int], int] | None = None
    for animation in document.rows("animations"):
        for row in animation["channels"]:
            pointer = pointer_of(row["target"])
            resolved = _resolve(document, pointer) if pointer and pointer not in found else None
            if not pointer or resolved is None or isinstance(resolved, str):
                continue
            if users is None:
                users = _single_users(document)
            kind, number, name = resolved
            default = kind.properties[name]
            node = users.get((kind.name, number), -1)
            found[pointer] = Channel(
                pointer,
                start,
                len(default),
                "step" if kind.name == "node" else "linear",
                order.joints[node] if node >= 0 else -1,
                _value(kind.rows(document.json)[number], name, default),
            )
            start += len(default)
    return list(found.values())


def unsupported_reason(document: Document, pointer: str) -> str:
    """Return why a pointer cannot be animated."""
    if not pointer:
        return f"{EXTENSION} has no pointer"
    found = _resolve(document, pointer)
    return found if isinstance(found, str) else f"unknown pointer {pointer[:80]!r}"


def _resolve(document: Document, pointer: str) -> tuple[ObjectKind, int, str] | str:
    """Return the object and property of a pointer, or why it cannot be animated."""
    for kind in OBJECT_KINDS:
        match = kind.pattern.fullmatch(pointer)
        if match is None:
            continue
        number, name = int(match[1]), match[2]
        rows = kind.rows(document.json)
        if number >= len(rows):
            return f"there is no {kind.name} {number} (there are {len(rows)})"
        if name in _UNUSED:
            return f"{pointer!r} has no effect: {_UNUSED[name]}"
        if _MESH.fullmatch(pointer):
            return f"no node uses the weights of mesh {number}"
        if name not in kind.properties:
            continue
        missing = _missing_part(rows[number], name)
        if missing:
            return f"{kind.name} {number} has no {missing}"
        return kind, number, name
    return f"unknown pointer {pointer[:80]!r}"


def _missing_part(row: dict[str, Any], name: str) -> str:
    """Return the missing object or property that `name` requires, or ""."""
    for part in _PARENTS:
        if name.startswith(f"{part}/") and not isinstance(property_at(row, part), dict):
            return part
    if name.startswith("spot/") and row.get("type") != "spot":
        return "spot cone"
    return name if name in _WITHOUT_DEFAULT and property_at(row, name) is None else ""


def _value(row: dict[str, Any], name: str, default: tuple[float, ...]) -> F32:
    """Return the value of a property in the file, else its default."""
    value = property_at(row, name)
    if isinstance(value, bool | int | float):
        value = (value,)
    if not isinstance(value, list | tuple) or len(value) != len(default):
        value = default
    return np.array(value, np.float32)


def _single_users(document: Document) -> dict[tuple[str, int], int]:
    """Return the node of each material, light or camera that is used by exactly one node."""
    users: dict[tuple[str, int], set[int]] = {}
    meshes = document.rows("meshes")
    for n, row in enumerate(document.rows("nodes")):
        light = (row.get("extensions") or {}).get("KHR_lights_punctual") or {}
        used = [("node", n), ("light", light.get("light")), ("camera", row.get("camera"))]
        if row.get("mesh") is not None:
            parts = meshes[row["mesh"]]["primitives"]
            used += [("material", part.get("material")) for part in parts]
        for kind, number in used:
            if number is not None:
                users.setdefault((kind, number), set()).add(n)
    return {thing: nodes.pop() for thing, nodes in users.items() if len(nodes) == 1}
