"""What KHR_animation_pointer may move beside joints: a channel for each pointer in use."""

import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from app.gltf.document import Document
from app.gltf.nodes import Order
from app.model import Channel

EXTENSION = "KHR_animation_pointer"
Kind = Literal["linear", "step"]

_TEXTURES = (
    "pbrMetallicRoughness/baseColorTexture",
    "pbrMetallicRoughness/metallicRoughnessTexture",
    "normalTexture",
    "occlusionTexture",
    "emissiveTexture",
)
_MATERIAL: dict[str, tuple[float, ...]] = {  # property of a material: its default
    "pbrMetallicRoughness/baseColorFactor": (1, 1, 1, 1),
    "pbrMetallicRoughness/metallicFactor": (1,),
    "pbrMetallicRoughness/roughnessFactor": (1,),
    "emissiveFactor": (0, 0, 0),
    "alphaCutoff": (0.5,),
    "normalTexture/scale": (1,),
    "occlusionTexture/strength": (1,),
    "extensions/KHR_materials_emissive_strength/emissiveStrength": (1,),
}
for _texture in _TEXTURES:
    _place = f"{_texture}/extensions/KHR_texture_transform"
    _MATERIAL |= {f"{_place}/offset": (0, 0), f"{_place}/rotation": (0,), f"{_place}/scale": (1, 1)}
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
    "perspective/zfar": (np.inf,),
    "orthographic/xmag": (1,),
    "orthographic/ymag": (1,),
    "orthographic/znear": (0.1,),
    "orthographic/zfar": (100,),
}
_NODE: dict[str, tuple[float, ...]] = {"extensions/KHR_node_visibility/visible": (1,)}


class Family(NamedTuple):
    """Pointers of one kind of object."""

    pattern: re.Pattern[str]
    rows: Callable[[dict[str, Any]], list[dict[str, Any]]]
    properties: dict[str, tuple[float, ...]]


def _top(name: str) -> Callable[[dict[str, Any]], list[dict[str, Any]]]:
    return lambda json: json.get(name) or []


def _lights(json: dict[str, Any]) -> list[dict[str, Any]]:
    said = (json.get("extensions") or {}).get("KHR_lights_punctual") or {}
    return said.get("lights") or []


FAMILIES = (
    Family(re.compile(r"/materials/(\d{1,9})/(.+)"), _top("materials"), _MATERIAL),
    Family(re.compile(r"/extensions/KHR_lights_punctual/lights/(\d{1,9})/(.+)"), _lights, _LIGHT),
    Family(re.compile(r"/cameras/(\d{1,9})/(.+)"), _top("cameras"), _CAMERA),
    Family(re.compile(r"/nodes/(\d{1,9})/(.+)"), _top("nodes"), _NODE),
)
_JOINT = re.compile(r"/nodes/(\d{1,9})/(translation|rotation|scale|weights)")


def pointer_of(target: dict[str, Any]) -> str | None:
    """Return the pointer of a channel's target, None where it has none."""
    if target.get("path") != "pointer":
        return None
    said = (target.get("extensions") or {}).get(EXTENSION)
    pointer = said.get("pointer") if isinstance(said, dict) else None
    return pointer if isinstance(pointer, str) else ""


def node_path(pointer: str, nodes: int) -> tuple[int, str] | None:
    """Return node and path of a pointer to a joint's own transform or morph weights."""
    found = _JOINT.fullmatch(pointer)
    if found is None or int(found[1]) >= nodes:
        return None
    return int(found[1]), found[2]


def read_pointers(document: Document, order: Order, start: int) -> list[Channel]:
    """Return a channel for each thing that some animation points to and that we know.

    Parameters
    ----------
    start
        First column of `Pose.values` that is free.
    """
    found: dict[str, Channel] = {}
    for animation in document.rows("animations"):
        for row in animation["channels"]:
            pointer = pointer_of(row["target"])
            if pointer and pointer not in found:
                channel = _channel(document, order, pointer, start)
                if channel is not None:
                    found[pointer] = channel
                    start += channel.width
    return list(found.values())


def _channel(document: Document, order: Order, pointer: str, start: int) -> Channel | None:
    for family in FAMILIES:
        match = family.pattern.fullmatch(pointer)
        if match is None or match[2] not in family.properties:
            continue
        rows = family.rows(document.json)
        number = int(match[1])
        if number >= len(rows):
            return None
        default = family.properties[match[2]]
        value = _given(rows[number], match[2])
        if isinstance(value, bool | int | float):
            value = (value,)
        if not isinstance(value, list | tuple) or len(value) != len(default):
            value = default
        step = family.properties is _NODE
        return Channel(
            pointer,
            start,
            len(default),
            "step" if step else "linear",
            order.joints[number] if step else -1,
            np.array(value, np.float32),
        )
    return None


def _given(row: dict[str, Any], path: str) -> Any:  # noqa: ANN401 - whatever the JSON holds
    value: Any = row
    for part in path.split("/"):
        value = value.get(part) if isinstance(value, dict) else None
    return value
