"""What the first bytes of a Draco stream promise, before anything is unpacked.

Notes
-----
Draco bitstream specification 2.2, “Draco Header”, “Metadata” and “Connectivity”.
"""

from typing import NamedTuple

_METADATA = 0x8000  # a flag
_MESH, _SEQUENTIAL, _EDGEBREAKER = 1, 0, 1
_DEPTH = 8  # of metadata in metadata


class Promise(NamedTuple):
    """Faces of a stream, and vertices where it tells; -1: it does not."""

    faces: int
    vertices: int


def read_header(data: memoryview) -> Promise:
    """Return how large the mesh of a stream is going to be.

    Raises
    ------
    ValueError
        It is no mesh of Draco, or ends too early.
    """
    if bytes(data[:5]) != b"DRACO" or len(data) < 11:
        raise ValueError("it does not begin as Draco does")
    major, minor, kind, method = data[5:9]
    if kind != _MESH:
        raise ValueError("it is not a mesh")
    reader = _Reader(data, 11)
    if int.from_bytes(data[9:11], "little") & _METADATA:
        for _ in range(reader.varint()):
            reader.varint()
            _skip_metadata(reader, _DEPTH)
        _skip_metadata(reader, _DEPTH)
    version = (major, minor)
    if method == _SEQUENTIAL:
        read = reader.varint if version >= (2, 2) else reader.word
        faces = read()
        return Promise(faces, read())
    if method != _EDGEBREAKER:
        raise ValueError(f"there is no method {method}")
    reader.byte()  # how the corners are gone through
    read = reader.varint if version >= (2, 0) else reader.word
    if version < (2, 2):
        read()
    read()  # vertices before seams
    return Promise(read(), -1)


class _Reader:
    """Takes numbers from bytes one after the other."""

    def __init__(self, data: memoryview, at: int) -> None:
        self.data = data
        self.at = at

    def byte(self) -> int:
        if self.at >= len(self.data):
            raise ValueError("it ends too early")
        self.at += 1
        return self.data[self.at - 1]

    def word(self) -> int:
        return sum(self.byte() << shift for shift in (0, 8, 16, 24))

    def varint(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise ValueError("a number in it is too long")

    def skip(self, length: int) -> None:
        self.at += length
        if self.at > len(self.data):
            raise ValueError("it ends too early")


def _skip_metadata(reader: _Reader, depth: int) -> None:
    if not depth:
        raise ValueError("its metadata is nested too deeply")
    for _ in range(reader.varint()):
        reader.skip(reader.byte())
        reader.skip(reader.varint())
    for _ in range(reader.varint()):
        reader.skip(reader.byte())
        _skip_metadata(reader, depth - 1)
