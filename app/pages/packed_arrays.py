"""Arrays of a page: joined, filtered by byte planes, deflated, with references by place."""

import hashlib
import json
import zlib
from base64 import b64encode
from dataclasses import dataclass
from typing import Any

import numpy as np

TYPES = {
    "u1": "Uint8",
    "u2": "Uint16",
    "u4": "Uint32",
    "i4": "Int32",
    "f2": "Uint16",
    "f4": "Float32",
}
_LEVEL = 9  # of deflate

Reference = tuple[str, int, int]  # type, first byte, number of values


class PackedArrays:
    """Arrays [N] and encoded images, each stored once, and a reference for each.

    The bytes of a number are stored in planes, the first bytes of all numbers before the second
    ones: those of neighbours are alike, which deflate needs.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._known: dict[bytes, int] = {}

    def add(self, values: "np.ndarray[Any, Any]") -> Reference:
        """Return the reference of an array, which is stored by rows."""
        kind = values.dtype.str[1:]
        assert kind in TYPES, kind
        raw = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<"), copy=False))
        planes = raw.reshape(-1).view(np.uint8).reshape(-1, raw.itemsize).T
        return kind, self._place(planes.tobytes()), raw.size

    def add_indices(self, values: "np.ndarray[Any, Any]", most: int) -> Reference:
        """Return the reference of whole numbers from 0 to `most`, in the smallest type."""
        kind = np.uint8 if most < 1 << 8 else np.uint16 if most < 1 << 16 else np.uint32
        return self.add(values.astype(kind))

    def add_bytes(self, data: bytes) -> Reference:
        """Return the reference of bytes."""
        return "u1", self._place(data), len(data)

    def deflated(self, manifest: dict[str, Any]) -> bytes:
        """Return a manifest and all arrays as one zlib stream: its length, its text, the bytes."""
        text = json.dumps(manifest, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        head = text.encode("utf-8", "replace")
        return zlib.compress(
            b"".join([len(head).to_bytes(4, "little"), head, *self._parts]), _LEVEL
        )

    def _place(self, data: bytes) -> int:
        key = hashlib.blake2b(data).digest()
        if key not in self._known:
            self._known[key] = self._size
            self._parts.append(data)
            self._size += len(data)
        return self._known[key]


@dataclass(frozen=True, slots=True)
class Content:
    """What a page plays.

    Attributes
    ----------
    data
        The manifest and all arrays, deflated.
    behind
        The background as CSS.
    notes
        What the page simplifies, and how exact sampled motions are.
    compared
        Whether it shows two versions of a character.
    """

    data: bytes
    behind: str
    notes: tuple[str, ...]
    compared: bool = False

    @property
    def text(self) -> str:
        """The data as base64."""
        return b64encode(self.data).decode("ascii")
