"""Meshes as stored in a file, before loading normalises, clamps or repairs them.

The document was loaded before, so that types, ranges and lengths are already validated.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..animation.types import F32, Bool, Index
from ..gltf.accessor import Accessors
from ..gltf.document import Document

Json = dict[str, Any]
_TRIANGLES = 4


@dataclass(frozen=True, slots=True, eq=False)
class StoredPrimitive:
    """A primitive with at least one vertex."""

    mesh: int
    place: str  # JSON pointer of the primitive
    row: Json

    @property
    def attributes(self) -> dict[str, int]:
        """Accessors by name."""
        return self.row["attributes"]

    @property
    def triangles(self) -> bool:
        """Whether its mode is TRIANGLES."""
        mode = self.row.get("mode")
        return mode is None or mode == _TRIANGLES


@dataclass(frozen=True, eq=False)
class StoredInfluences:
    """V vertices of a mesh with K influences each, as stored."""

    mesh: int
    place: str  # JSON pointer of the attributes
    skins: tuple[int, ...]  # that the mesh is used with
    joints: Index  # [V, K]
    weights: F32  # [V, K] decoded, but not validated
    points: int  # accessor of the positions

    def __len__(self) -> int:
        """Return V."""
        return len(self.weights)

    @cached_property
    def finite(self) -> Bool:
        """[V] whether all weights are finite."""
        return np.asarray(np.isfinite(self.weights).all(axis=1))

    @cached_property
    def sums(self) -> F32:
        """[V] sums of the weights; 1 if one is not finite, which another rule reports."""
        sums = np.where(self.finite[:, None], self.weights, 0).sum(axis=1)
        return np.where(self.finite, sums, np.float32(1))

    @cached_property
    def moves(self) -> Bool:
        """[V, K] which influences have a positive weight."""
        return np.asarray(self.weights > 0)


class StoredMeshes:
    """The data of a document that rules read; every accessor is decoded once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.accessors = Accessors(document)

    @cached_property
    def skins_of(self) -> dict[int, tuple[int, ...]]:
        """The skins that a mesh is used with, by mesh; without rigid meshes."""
        found: dict[int, dict[int, None]] = {}
        for node in self.document.rows("nodes"):
            if node.get("mesh") is not None and node.get("skin") is not None:
                found.setdefault(node["mesh"], {})[node["skin"]] = None
        return {mesh: tuple(skins) for mesh, skins in found.items()}

    @cached_property
    def nodes_of(self) -> dict[int, int]:
        """The first node with a mesh and a skin, by mesh."""
        rows = list(enumerate(self.document.rows("nodes")))
        return {row["mesh"]: n for n, row in reversed(rows) if {"mesh", "skin"} <= row.keys()}

    @cached_property
    def primitives(self) -> list[StoredPrimitive]:
        """All primitives with vertices."""
        return list(self._primitives())

    def _primitives(self) -> Iterator[StoredPrimitive]:
        for m, mesh in enumerate(self.document.rows("meshes")):
            for p in range(len(mesh["primitives"])):
                row = self.accessors.primitive(m, p)
                points, listed = row["attributes"].get("POSITION"), row.get("indices")
                if points is None or not self.accessors.count(points):
                    continue
                if listed is None or self.accessors.count(listed):
                    yield StoredPrimitive(m, f"/meshes/{m}/primitives/{p}", row)

    @cached_property
    def influences(self) -> list[StoredInfluences]:
        """All vertices that have influences; once for primitives that share them."""
        found: list[StoredInfluences] = []
        known: set[object] = set()
        for primitive in self.primitives:
            used = {
                name: index
                for name, index in primitive.attributes.items()
                if name.startswith(("JOINTS_", "WEIGHTS_", "POSITION"))
            }
            key = (primitive.mesh, *sorted(used.items()))
            if key not in known:
                known.add(key)
                found.extend(self._influences(primitive))
        return found

    def _influences(self, primitive: StoredPrimitive) -> Iterator[StoredInfluences]:
        joints, weights = [], []
        attributes = primitive.attributes
        for n in range(len(attributes)):
            jointed, weighed = attributes.get(f"JOINTS_{n}"), attributes.get(f"WEIGHTS_{n}")
            if jointed is None or weighed is None:
                break
            joints.append(self.accessors.raw(jointed))
            weights.append(self.accessors.floats(weighed))
        if joints:
            yield StoredInfluences(
                primitive.mesh,
                f"{primitive.place}/attributes",
                self.skins_of.get(primitive.mesh, ()),
                np.concatenate(joints, axis=1).astype(np.intp),
                weights[0] if len(weights) == 1 else np.concatenate(weights, axis=1),
                attributes["POSITION"],
            )

    def indices(self, primitive: StoredPrimitive) -> Index | None:
        """Return the triangles of a primitive as vertex indices [n, 3]; None if it has no indices.

        Incomplete triangles, and primitive restart values, which glTF forbids, are dropped.
        """
        index = primitive.row.get("indices")
        if index is None:
            return None
        listed = self.accessors.raw(index)[:, 0].astype(np.intp)
        corners = listed[: len(listed) // 3 * 3].reshape(-1, 3)
        return corners[
            (corners < self.accessors.count(primitive.attributes["POSITION"])).all(axis=1)
        ]
