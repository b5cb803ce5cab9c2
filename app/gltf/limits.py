"""Limits of the counts in a file: far above any character, low enough for every command.

A file over a limit is refused before it is validated, so that no command takes minutes or all of
the memory. The commands are measured at the limits by ``tests/bench/absurd_counts.py``.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from .accessor import Accessors
from .document import Document
from .instancing import instance_count

NODES = 100_000
JOINTS = 10_000  # of one skin
CLIPS = 10_000
PRIMITIVES = 5_000  # drawn: those of a mesh count once for each of its nodes
VERTICES = 8_000_000  # of the drawn primitives, also where they share an accessor
INDICES = 50_000_000
DISPLACEMENTS = 100_000_000  # vertices times morph targets


def check_counts(document: Document) -> None:
    """Raise GltfError if the document exceeds a limit; the JSON may still be invalid."""
    for place, count, most, name in _counts(document.json):
        _check(document, place, count, most, name)


def check_drawn(document: Document, accessors: Accessors) -> None:
    """Raise GltfError if the primitives have more vertices, indices or displacements than a limit.

    They take memory and time for each primitive and node or instance that draws them, however
    small the file: primitives may share accessors, which need no data, and Draco streams.
    """
    drawn = Counter[int]()
    for n, node in enumerate(document.rows("nodes")):
        if (m := node.get("mesh")) is not None:
            drawn[m] += max(instance_count(accessors, n), 1)
    vertices = indices = displacements = 0
    for m, mesh in enumerate(document.rows("meshes")):
        times = max(drawn[m], 1)
        targets = max((len(row.get("targets") or ()) for row in mesh["primitives"]), default=0)
        for p in range(len(mesh["primitives"])):
            row = accessors.primitive(m, p)
            if (positions := row["attributes"].get("POSITION")) is None:
                continue
            count = accessors.count(positions) * times
            vertices += count
            displacements += count * targets
            if (listed := row.get("indices")) is not None:
                indices += accessors.count(listed) * times
    _check(document, "/meshes", vertices, VERTICES, "vertices to draw")
    _check(document, "/meshes", indices, INDICES, "indices to draw")
    _check(document, "/meshes", displacements, DISPLACEMENTS, "displacements of morph targets")


def _check(document: Document, place: str, count: int, most: int, name: str) -> None:
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
