"""Mode 0 of EXT_meshopt_compression and KHR_meshopt_compression: attributes, versions 0 and 1.

The size of a group of sixteen deltas depends on its content. A first pass finds where each group
begins; then all groups with the same number of bits are decoded together.

Notes
-----
KHR_meshopt_compression, appendix A, “Mode 0: attributes”.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..animation.types import U8

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
