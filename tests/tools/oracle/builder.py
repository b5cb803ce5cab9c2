"""Writes small .gltf files with their data embedded; the same calls give the same bytes."""

import base64
import json
import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

COMPONENTS = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
TETRAHEDRON = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.25, 0.0], [0.0, 0.0, 0.75]]
FACES = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]

Values = Sequence[Any] | np.ndarray
Channel = dict[str, Any]


class Builder:
    """A glTF document in the making; every method that adds something returns its index."""

    def __init__(self) -> None:
        self.json: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "tests.tools.oracle.make"},
            "scene": 0,
            "scenes": [{"nodes": []}],
        }
        self.data = bytearray()

    def add(self, kind: str, entry: dict[str, Any]) -> int:
        """Append to an array of the file, such as ``nodes``."""
        entries = self.json.setdefault(kind, [])
        entries.append(entry)
        return len(entries) - 1

    def text(self) -> str:
        """Return the file."""
        encoded = base64.b64encode(self.data).decode()
        uri = f"data:application/octet-stream;base64,{encoded}"
        whole = self.json | {"buffers": [{"byteLength": len(self.data), "uri": uri}]}
        return json.dumps(whole, indent=1) + "\n"

    def view(self, array: np.ndarray) -> int:
        """Append a buffer view of an array's bytes, on a multiple of four."""
        self.data += b"\0" * (-len(self.data) % 4)
        raw = array.tobytes()
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(raw)}
        self.data += raw
        return self.add("bufferViews", view)

    def accessor(
        self,
        values: Values,
        kind: str = "f4",
        *,
        width: int = 0,
        normalized: bool = False,
        bounds: bool = False,
    ) -> int:
        """Append an accessor of `values` [count, width], integers as they are stored."""
        array = np.array(values, f"<{kind}")
        array = array.reshape(-1, width or (array.shape[1] if array.ndim > 1 else 1))
        entry = _entry(array, kind) | {"bufferView": self.view(array)}
        if normalized:
            entry["normalized"] = True
        if bounds:
            entry |= {"min": array.min(axis=0).tolist(), "max": array.max(axis=0).tolist()}
        return self.add("accessors", entry)

    def sparse(self, whole: Values, at: Sequence[int], *, base: bool = False) -> int:
        """Append an accessor of `whole` whose elements `at` are stored sparsely.

        Parameters
        ----------
        whole
            [count, width] what the accessor is to say.
        at
            Which elements; the others are 0 where there is no base.
        base
            Store the others in a buffer view, with something wrong in the elements `at`.
        """
        array = np.array(whole, "<f4")
        assert base or not np.delete(array, at, axis=0).any()
        entry = _entry(array, "f4")
        if base:
            wrong = array.copy()
            wrong[at] = 9.0
            entry["bufferView"] = self.view(wrong)
        entry["sparse"] = {
            "count": len(at),
            "indices": {"bufferView": self.view(np.array(at, "<u2")), "componentType": 5123},
            "values": {"bufferView": self.view(array[list(at)])},
        }
        entry |= {"min": array.min(axis=0).tolist(), "max": array.max(axis=0).tolist()}
        return self.add("accessors", entry)

    def primitive(self, points: Values = TETRAHEDRON, **attributes: int) -> dict[str, Any]:
        """Return a primitive of tetrahedra, four vertices each."""
        faces = np.arange(len(points) // 4)[:, None] * 4 + FACES
        found = {"POSITION": self.accessor(points, bounds=True)} | attributes
        return {"attributes": found, "indices": self.accessor(faces, "u2", width=1)}

    def mesh(self, *primitives: dict[str, Any], **others: Any) -> int:
        """Append a mesh; of one tetrahedron where no primitive is given."""
        return self.add("meshes", {"primitives": list(primitives) or [self.primitive()]} | others)

    def node(
        self, name: str, parent: int | None = None, *, hidden: bool = False, **others: Any
    ) -> int:
        """Append a node below another one, or as a root of the scene, or of none if `hidden`."""
        node = self.add("nodes", {"name": name} | others)
        if parent is not None:
            self.json["nodes"][parent].setdefault("children", []).append(node)
        elif not hidden:
            self.json["scenes"][0]["nodes"].append(node)
        return node

    def skin(self, joints: Sequence[int], inverse_bind: Values | None = None) -> int:
        """Append a skin; `inverse_bind` [J, 4, 4] as it is written on paper, row after row."""
        entry: dict[str, Any] = {"joints": list(joints)}
        if inverse_bind is not None:
            columns = np.swapaxes(np.array(inverse_bind), 1, 2)
            entry["inverseBindMatrices"] = self.accessor(columns, width=16)
        return self.add("skins", entry)

    def channel(
        self,
        node: int | None,
        path: str,
        times: Values,
        values: Values | int,
        interpolation: str | None = None,
    ) -> Channel:
        """Return a channel for `clip`; `values` may be an accessor, the node may be none."""
        if not isinstance(values, int):
            width = {"rotation": 4, "weights": 1}.get(path, 3)
            values = self.accessor(values, width=width)
        target = {"path": path} if node is None else {"node": node, "path": path}
        sampler: dict[str, Any] = {"input": self.accessor(times, bounds=True), "output": values}
        if interpolation is not None:
            sampler["interpolation"] = interpolation
        return {"target": target, "sampler": sampler}

    def clip(self, name: str, *channels: Channel) -> int:
        """Append an animation."""
        bound = [{"sampler": s, "target": channel["target"]} for s, channel in enumerate(channels)]
        samplers = [channel["sampler"] for channel in channels]
        return self.add("animations", {"name": name, "samplers": samplers, "channels": bound})


def _entry(array: np.ndarray, kind: str) -> dict[str, Any]:
    count, width = array.shape
    return {"componentType": COMPONENTS[kind], "count": count, "type": TYPES[width]}


class Draw:
    """Numbers by a seed, with operations that are exact on every machine."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def floats(self, *shape: int, low: float = -1.0, high: float = 1.0) -> np.ndarray:
        """Return numbers between `low` and `high`."""
        drawn = [low + (high - low) * self._random.random() for _ in range(math.prod(shape))]
        return np.array(drawn).reshape(shape)

    def rotations(self, count: int) -> np.ndarray:
        """Return unit quaternions [count, 4] whose signs are arbitrary."""
        return np.array([unit(*row) for row in self.floats(count, 4).tolist()])


def unit(x: float, y: float, z: float, w: float) -> list[float]:
    """Return a quaternion of that direction."""
    length = math.sqrt(x * x + y * y + z * z + w * w)
    return [x / length, y / length, z / length, w / length]


def cubic(arriving: Values, values: Values, leaving: Values) -> np.ndarray:
    """Return the output of CUBICSPLINE: in-tangent, value, out-tangent of every key."""
    return np.stack([np.array(part) for part in (arriving, values, leaving)], axis=1)
