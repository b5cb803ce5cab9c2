"""Decoding of EXT_meshopt_compression and KHR_meshopt_compression streams.

Mode 0 are attributes, versions 0 and 1. The size of a group of sixteen deltas depends on its
content. A first pass finds where each group begins; then all groups with the same number of bits
are decoded together. Modes 1 and 2 are triangles and indices.

Notes
-----
KHR_meshopt_compression, appendix A, “Mode 0: attributes”, “Mode 1: triangles” and “Mode 2:
indices”.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..animation.types import U8, U32

_TAIL = 16  # bytes of the table at the end of a triangle stream
_END = 4  # bytes of padding at the end of an index stream
_LONGEST_INDEX = 5  # maximum bytes of an integer
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
        for k in range(_LONGEST_INDEX):
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
    if count and lengths.max() > _LONGEST_INDEX:
        raise ValueError("a variable-length integer is too long")
    values = np.zeros(count, np.uint64)
    for k in range(_LONGEST_INDEX):
        more = lengths > k
        values[more] |= (body[starts[more] + k] & 127).astype(np.uint64) << np.uint64(7 * k)
    words = values.astype(np.uint32)
    which, steps = words & 1, words >> 2 ^ (0 - (words >> 1 & 1)).astype(np.uint32)
    sums = [np.cumsum(np.where(which == b, steps, 0), dtype=np.uint32) for b in (0, 1)]
    return np.where(which == 1, sums[1], sums[0])


_GROUP = 16  # elements
_BLOCK = 8192  # maximum bytes
_TAILS = {0: 32, 1: 24}  # minimum size of the tail of a stream, by version
_LONGEST = _GROUP + 8  # maximum bytes of a group
_SLAB = 1 << 16  # groups decoded at once; limits temporary memory
_LITERAL = 8  # bits of an unencoded byte
# Bits of a delta, by the two bits in the group's header.
_BITS = {"v0": (0, 2, 4, 8), "low": (0, 1, 2, 4), "high": (1, 2, 4, 8)}
_QUARTERS = [tuple(byte >> shift & 3 for shift in (0, 2, 4, 6)) for byte in range(256)]
_ZERO, _VERBATIM = 2, 3  # control modes


def decode_attributes(data: memoryview, count: int, stride: int) -> U8:
    """Return the elements [count, stride] of a stream.

    Raises
    ------
    ValueError
        The stream is invalid. Its length is checked against `count` before memory is allocated.
    """
    if not len(data) or data[0] not in (0xA0, 0xA1):
        raise ValueError("it has no attribute stream header")
    version = data[0] & 1
    channels = stride // 4 * version
    tail = max(stride + channels, _TAILS[version])
    block = min(_BLOCK // stride & ~(_GROUP - 1), 256)
    if 1 + tail + _least(count, stride, block, version) > len(data):
        raise ValueError(f"{len(data)} bytes are too few for {count} elements of {stride}")
    end = len(data) - tail
    walk = _Walk(data, end, count, stride, block)
    walk.run(version)
    first = np.frombuffer(data, np.uint8)[len(data) - stride - channels :]
    modes = first[stride:].tolist() or [0] * (stride // 4)
    return _undelta(walk.deltas()[:, :count], first[:stride], modes)


def _least(count: int, stride: int, block: int, version: int) -> int:
    """Return the minimum number of bytes of `count` elements: the headers of their blocks."""
    full, rest = divmod(count, block)
    if version:
        return (full + (rest > 0)) * (stride // 4)
    return stride * (full * -(-block // (4 * _GROUP)) + -(-rest // (4 * _GROUP)))


class _Walk:
    """The start of each group in a stream, by the bits of the group's deltas."""

    def __init__(self, data: memoryview, end: int, count: int, stride: int, block: int) -> None:
        self.data = np.frombuffer(data, np.uint8)
        self.end = end
        self.count = count
        self.stride = stride
        self.block = block
        self.width = -(-count // _GROUP)  # groups of one byte position
        self.places: dict[int, list[int]] = {bits: [] for bits in (1, 2, 4, 8)}
        self.starts: dict[int, list[int]] = {bits: [] for bits in (1, 2, 4, 8)}
        self.verbatim: list[tuple[int, int, int]] = []  # start, first byte of the deltas, length

    def run(self, version: int) -> None:
        """Find the groups of all blocks; raises ValueError if the stream is too short or long."""
        data, stride = self.data[: self.end].tobytes() + bytes(_LONGEST * 20), self.stride
        sizes = {bits: _sizes(data, bits) for bits in (1, 2, 4)}
        sizes[_LITERAL] = bytes([_GROUP]) * len(data)
        at = 1
        for begin in range(0, self.count, self.block):
            number = min(self.block, self.count - begin)
            controls = data[at : at + stride // 4] if version else b""
            at += len(controls)
            for k in range(stride):
                mode = controls[k // 4] >> k % 4 * 2 & 3 if version else -1
                slot = k * self.width + begin // _GROUP
                if mode == _VERBATIM:
                    self.verbatim.append((at, slot * _GROUP, number))
                    at += number
                elif mode != _ZERO:
                    bits = _BITS[("low", "high", "v0")[mode]]
                    at = self._groups(data, at, -(-number // _GROUP), slot, bits, sizes)
                if at > self.end:
                    raise ValueError("it is truncated")
        if at != self.end:
            raise ValueError(f"{self.end - at} unused bytes at the end")

    def _groups(
        self,
        data: bytes,
        at: int,
        number: int,
        slot: int,
        bits: tuple[int, ...],
        sizes: dict[int, bytes],
    ) -> int:
        """Add the groups of one byte position of a block; return their end."""
        header = data[at : at + -(-number // 4)]
        at += len(header)
        for byte in header:
            for quarter in _QUARTERS[byte][:number]:
                kind = bits[quarter]
                if kind:
                    self.places[kind].append(slot)
                    self.starts[kind].append(at)
                    at += sizes[kind][at]
                slot += 1
            number -= 4
        return at

    def deltas(self) -> U8:
        """Return the deltas by byte position [stride, elements rounded up to whole groups]."""
        groups = np.zeros((self.stride * self.width, _GROUP), np.uint8)
        data = np.concatenate((self.data, np.zeros(_LONGEST, np.uint8)))
        for bits, places in self.places.items():
            for k in range(0, len(places), _SLAB):
                starts = np.array(self.starts[bits][k : k + _SLAB], np.intp)
                groups[places[k : k + _SLAB]] = _group(data, starts, bits)
        flat = groups.reshape(-1)
        for start, place, number in self.verbatim:
            flat[place : place + number] = self.data[start : start + number]
        return groups.reshape(self.stride, -1)


def _sizes(data: bytes, bits: int) -> bytes:
    """Return the length of a group of `bits` for each possible first byte of a stream."""
    packed = np.frombuffer(data, np.uint8)
    full = (1 << bits) - 1
    sentinels = sum(((packed >> shift & full) == full) for shift in range(0, 8, bits))
    before = np.concatenate(([0], np.cumsum(sentinels)))
    span = _GROUP * bits // 8
    size = span + before[span:] - before[:-span]
    return np.concatenate((size, np.full(span - 1, span))).astype(np.uint8).tobytes()


def _group(data: U8, starts: NDArray[np.intp], bits: int) -> U8:
    """Return the deltas [n, 16] of groups that begin at `starts`."""
    span = _GROUP * bits // 8
    packed = data[starts[:, None] + np.arange(span)]
    if bits == _LITERAL:
        return packed
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    order = shifts if bits == 1 else shifts[::-1]
    full = np.uint8((1 << bits) - 1)
    found = (packed[:, :, None] >> order & full).reshape(-1, _GROUP)
    wide = found == full
    rank = np.cumsum(wide, axis=1) - 1
    rows, columns = np.nonzero(wide)
    found[rows, columns] = data[starts[rows] + span + rank[rows, columns]]
    return np.asarray(found)


def _undelta(deltas: U8, first: U8, modes: list[int]) -> U8:
    """Return the elements [count, stride]: sums of deltas [stride, count] and the first element."""
    stride, count = deltas.shape
    out = np.empty((count, stride), np.uint8)
    for channel, mode in enumerate(modes):
        if mode & 15 > 2 or (mode & 15 != 2 and mode >> 4):
            raise ValueError(f"unknown channel mode {mode}")
        part = slice(4 * channel, 4 * channel + 4)
        if mode & 15 == 0:
            steps = _unzigzag(deltas[part])
            values = np.cumsum(steps, axis=1, dtype=np.uint8) + first[part, None]
            out[:, part] = values.T
            continue
        kind = np.dtype("<u2" if mode & 15 == 1 else "<u4")
        words = np.ascontiguousarray(deltas[part].T).view(kind)
        base = first[part].copy().view(kind)
        out[:, part] = _wide(words, base, mode).astype(kind).view(np.uint8)
    return out


def _wide(words: NDArray[Any], base: NDArray[Any], mode: int) -> NDArray[Any]:
    """Return values from deltas of two bytes or XOR differences of four bytes."""
    if mode & 15 == 1:
        return np.cumsum(_unzigzag(words), axis=0, dtype=words.dtype) + base
    turn = mode >> 4  # left rotation by the encoder, in bits
    turned = words >> words.dtype.type(turn) | words << words.dtype.type((32 - turn) & 31)
    return np.bitwise_xor.accumulate(turned, axis=0) ^ base


def _unzigzag(values: NDArray[Any]) -> NDArray[Any]:
    one = values.dtype.type(1)
    return np.asarray(values >> one ^ (~(values & one) + one))
