"""The humanoid bones of a VRM file, mapped to joints."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from .document import Document
from .nodes import NodeOrder


def read_humanoid(document: Document, order: NodeOrder) -> MappingProxyType[str, int]:
    """Return joints by humanoid bone name; empty if the file is not a VRM.

    Entries with an invalid node are left out with a warning.

    Notes
    -----
    VRM 1.0, VRMC_vrm.humanoid: https://github.com/vrm-c/vrm-specification.
    VRM 0.x, VRM.humanoid: the same bones as a list.
    """
    found: dict[str, int] = {}
    extensions = document.json.get("extensions")
    if not isinstance(extensions, dict):
        return MappingProxyType(found)
    for name, bones in _bones(extensions):
        place = f"/extensions/{name}/humanoid/humanBones"
        for bone, node in bones:
            if not isinstance(node, int) or isinstance(node, bool):
                document.warn(place, f"{str(bone)[:40]} has no node; it is left out")
            elif not 0 <= node < len(order.joints):
                document.warn(
                    place,
                    f"{str(bone)[:40]} has node {node} of {len(order.joints)}; it is left out",
                )
            else:
                found.setdefault(str(bone), order.joints[node])
    return MappingProxyType(found)


def _bones(extensions: dict[str, Any]) -> Iterator[tuple[str, list[tuple[Any, Any]]]]:
    """Yield the VRM extensions of the file, with their unchecked bones and nodes."""
    newer = _inside(extensions, "VRMC_vrm")
    if isinstance(newer, dict):
        yield "VRMC_vrm", [(bone, _of(row, "node")) for bone, row in newer.items()]
    older = _inside(extensions, "VRM")
    if isinstance(older, list):
        yield "VRM", [(_of(row, "bone"), _of(row, "node")) for row in older]


def _inside(extensions: dict[str, Any], name: str) -> Any:  # noqa: ANN401 - not yet checked
    return _of(_of(extensions.get(name), "humanoid"), "humanBones")


def _of(row: Any, key: str) -> Any:  # noqa: ANN401 - not yet checked
    return row.get(key) if isinstance(row, dict) else None
