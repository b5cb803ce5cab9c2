"""Modes 1 and 2 of EXT_meshopt_compression and KHR_meshopt_compression: triangles and indices.

Notes
-----
KHR_meshopt_compression, appendix A, “Mode 1: triangles” and “Mode 2: indices”.
"""

import numpy as np

from ..animation.types import U32

_TAIL = 16  # bytes of the table at the end of a triangle stream
_END = 4  # bytes of padding at the end of an index stream
_LONGEST = 5  # maximum bytes of an integer
_WRAP = 0xFFFFFFFF


def decode_triangles(data: memoryview, count: int) -> U32:
    """Return the indices [count] of a triangle stream.

    Triangles refer to the last sixteen edges and vertices, so they are decoded in sequence.

    Raises
    ------
    ValueError
        The stream is invalid.
    """
    number = count // 3
    if not len(data) or data[0] != 0xE1:
        raise ValueError("it has no triangle stream header")
    if len(data) < 1 + number + _TAIL:
        raise ValueError(f"{len(data)} bytes are too few for {number} triangles")
    table = bytes(data[-_TAIL:])
    if any(table[14:]) or any(byte >> 4 == 15 or byte & 15 == 15 for byte in table):
        raise ValueError("its code table is invalid")
    reader = _Triangles(bytes(data[1 + number : -_TAIL]), table)
    try:
        found = reader.run(bytes(data[1 : 1 + number]))
    except IndexError:
        raise ValueError("it is truncated") from None
    except TypeError:
        raise ValueError("it refers to an edge or a vertex that does not exist yet") from None
    if reader.at != len(reader.data):
        raise ValueError(f"{len(reader.data) - reader.at} unused bytes at the end")
    return np.array(found, np.uint64).astype(np.uint32)


class _Triangles:
    """Decoder state of a triangle stream: the read position and the last explicit index."""

    def __init__(self, data: bytes, table: bytes) -> None:
        self.data = data
        self.table = table
        self.at = 0
        self.last = 0

    def index(self) -> int:
        """Return the next explicit index, stored as a difference from the last one."""
        value = 0
        for k in range(_LONGEST):
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << 7 * k
            if byte < 128:
                value &= _WRAP
                self.last = self.last + (value >> 1 ^ -(value & 1)) & _WRAP
                return self.last
        raise ValueError("a variable-length integer is too long")

    def run(self, codes: bytes) -> list[int]:
        """Return the indices of all triangles."""
        edges: list[tuple[int, int]] = [None] * 16  # type: ignore[list-item]
        corners: list[int] = [None] * 16  # type: ignore[list-item]
        e = v = following = 0  # edges and vertices pushed so far, and the next new index
        found: list[int] = []
        for code in codes:
            if code < 0xF0:
                a, b = edges[e - 1 - (code >> 4) & 15]
                y = code & 15
                if not y:
                    c = following
                    following += 1
                elif y < 13:
                    c = corners[v - 1 - y & 15]
                    if c is None:
                        raise TypeError
                elif y == 15:
                    c = self.index()
                else:
                    c = self.last = self.last + (y == 14) - (y == 13) & _WRAP
                if not 0 < y < 13:
                    corners[v & 15] = c
                    v += 1
            else:
                a, b, c, following, fresh = self._free(code, corners, v, following)
                for corner in fresh:
                    corners[v & 15] = corner
                    v += 1
                edges[e & 15] = (b, a)
                e += 1
            edges[e & 15] = (c, b)
            edges[e + 1 & 15] = (a, c)
            e += 2
            found += (a, b, c)
        return found

    def _free(
        self, code: int, corners: list[int], v: int, following: int
    ) -> tuple[int, int, int, int, list[int]]:
        """Return a triangle without a recent edge, the next new index and the new vertices."""
        plain = code < 0xFE
        if plain:
            pair = self.table[code & 15]
        else:
            pair = self.data[self.at]
            self.at += 1
            following = following if pair else 0
        if code == 0xFF:
            a = self.index()
        else:
            a, following = following, following + 1
        fresh, sides = [a], []
        for z in (pair >> 4, pair & 15):
            if not z:
                side, following = following, following + 1
            elif z < 15 or plain:
                side = corners[v - z & 15]
                if side is None:
                    raise TypeError
            else:
                side = self.index()
            if z in (0, 15):
                fresh.append(side)
            sides.append(side)
        return a, sides[0], sides[1], following, fresh


def decode_sequence(data: memoryview, count: int) -> U32:
    """Return the indices [count] of an index stream.

    Raises
    ------
    ValueError
        The stream is invalid.
    """
    if not len(data) or data[0] != 0xD1:
        raise ValueError("it has no index stream header")
    if len(data) < 1 + count + _END:
        raise ValueError(f"{len(data)} bytes are too few for {count} indices")
    body = np.frombuffer(data, np.uint8)[1:-_END]
    ends = np.flatnonzero(body < 128)
    if len(ends) != count or (count and ends[-1] != len(body) - 1):
        raise ValueError(f"it has {len(ends)} indices, not {count}")
    starts = np.concatenate(([0], ends[:-1] + 1)).astype(np.intp)[:count]
    lengths = ends + 1 - starts
    if count and lengths.max() > _LONGEST:
        raise ValueError("a variable-length integer is too long")
    values = np.zeros(count, np.uint64)
    for k in range(_LONGEST):
        more = lengths > k
        values[more] |= (body[starts[more] + k] & 127).astype(np.uint64) << np.uint64(7 * k)
    words = values.astype(np.uint32)
    which, steps = words & 1, words >> 2 ^ (0 - (words >> 1 & 1)).astype(np.uint32)
    sums = [np.cumsum(np.where(which == b, steps, 0), dtype=np.uint32) for b in (0, 1)]
    return np.where(which == 1, sums[1], sums[0])
