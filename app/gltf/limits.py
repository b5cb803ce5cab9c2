"""Limits of the counts in a file: far above any character, low enough for every command.

A file over a limit is refused before it is validated, so that no command takes minutes or all of
the memory. The commands are measured at the limits by ``tests/bench/absurd_counts.py``.
"""

from collections.abc import Iterator
from typing import Any

from .document import Document

NODES = 100_000
JOINTS = 10_000  # of one skin
CLIPS = 10_000
PRIMITIVES = 5_000  # drawn: those of a mesh count once for each of its nodes


def check_counts(document: Document) -> None:
    """Raise GltfError if the document exceeds a limit; the JSON may still be invalid."""
    for place, count, most, name in _counts(document.json):
        if count > most:
            raise document.error(place, f"{count} {name}; at most {most} are supported")


def _counts(json: dict[str, Any]) -> Iterator[tuple[str, int, int, str]]:
    """Yield (place, count, limit, what is counted)."""
    nodes = _rows(json, "nodes")
    yield "/nodes", len(nodes), NODES, "nodes"
    yield "/animations", len(_rows(json, "animations")), CLIPS, "animations"
    for s, skin in enumerate(_rows(json, "skins")):
        yield f"/skins/{s}/joints", len(_rows(skin, "joints")), JOINTS, "joints"
    sizes = [len(_rows(mesh, "primitives")) for mesh in _rows(json, "meshes")]
    drawn = [node.get("mesh") for node in nodes if isinstance(node, dict)]
    count = sum(sizes[m] for m in drawn if type(m) is int and 0 <= m < len(sizes))
    yield "/meshes", max(count, *sizes, 0, 0), PRIMITIVES, "primitives to draw"


def _rows(owner: Any, key: str) -> list[Any]:  # noqa: ANN401
    rows = owner.get(key) if isinstance(owner, dict) else None
    return rows if isinstance(rows, list) else []
