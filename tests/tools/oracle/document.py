"""A glTF file as its JSON and its accessors in float64, read with json and numpy alone."""

import base64
import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]

GLB_MAGIC = b"glTF"
CHUNK_JSON, CHUNK_BIN = 0x4E4F534A, 0x004E4942

COMPONENTS: dict[int, np.dtype[Any]] = {  # componentType: glTF 2.0, section 3.6.2.2
    5120: np.dtype("<i1"),
    5121: np.dtype("<u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


@dataclass
class Document:
    """A glTF file.

    Accessors are cached: callers must not write into them.
    """

    json: dict[str, Any]
    buffers: list[bytes]
    _read: dict[int, F64] = field(default_factory=dict)

    def all(self, kind: str) -> list[dict[str, Any]]:
        """Return an array of the file, such as ``nodes``; empty where it has none."""
        return self.json.get(kind, [])

    def accessor(self, index: int) -> F64:
        """Return the elements [count, width] of an accessor, normalized integers as real numbers.

        glTF 2.0, sections 3.6.2.2 (data types), 3.6.2.3 (sparse) and 3.11 (normalized integers).
        """
        if index not in self._read:
            self._read[index] = self._accessor(self.json["accessors"][index])
        return self._read[index]

    def _accessor(self, accessor: dict[str, Any]) -> F64:
        width = WIDTHS[accessor["type"]]
        kind = COMPONENTS[accessor["componentType"]]
        if "bufferView" in accessor:
            offset = accessor.get("byteOffset", 0)
            raw = self._elements(accessor["bufferView"], offset, accessor["count"], width, kind)
        else:
            raw = np.zeros((accessor["count"], width), kind)
        if "sparse" in accessor:
            sparse = accessor["sparse"]
            where, what = sparse["indices"], sparse["values"]
            count, index_kind = sparse["count"], COMPONENTS[where["componentType"]]
            at = self._elements(
                where["bufferView"], where.get("byteOffset", 0), count, 1, index_kind
            )
            raw[at[:, 0]] = self._elements(
                what["bufferView"], what.get("byteOffset", 0), count, width, kind
            )
        values = raw.astype(np.float64)
        if accessor.get("normalized", False) and kind.kind in "iu":
            values = np.maximum(values / np.iinfo(kind).max, -1.0)
        return values

    def _elements(
        self, view_index: int, offset: int, count: int, width: int, kind: np.dtype[Any]
    ) -> NDArray[Any]:
        """Return a copy [count, width] of elements of a buffer view, interleaved ones too."""
        view = self.json["bufferViews"][view_index]
        stride = view.get("byteStride", width * kind.itemsize)
        start = view.get("byteOffset", 0) + offset
        shape, strides = (count, width), (stride, kind.itemsize)
        buffer = self.buffers[view["buffer"]]
        return np.ndarray(shape, kind, buffer, start, strides).copy()


def read(path: Path) -> Document:
    """Read a .gltf or .glb file; glTF 2.0, sections 3.6.1 (buffers) and 4.4 (binary layout)."""
    data = path.read_bytes()
    binary = b""
    if data[:4] == GLB_MAGIC:
        chunks = _chunks(data)
        data, binary = chunks[CHUNK_JSON], chunks.get(CHUNK_BIN, b"")
    document = json.loads(data)
    buffers = [
        _from_uri(path, buffer["uri"]) if "uri" in buffer else binary
        for buffer in document.get("buffers", [])
    ]
    return Document(document, buffers)


def _chunks(data: bytes) -> dict[int, bytes]:
    found: dict[int, bytes] = {}
    at = 12
    while at < len(data):
        length, kind = struct.unpack_from("<II", data, at)
        found.setdefault(kind, data[at + 8 : at + 8 + length])
        at += 8 + length
    return found


def _from_uri(path: Path, uri: str) -> bytes:
    if uri.startswith("data:"):
        return base64.b64decode(uri.partition(",")[2])
    return (path.parent / unquote(uri)).read_bytes()
