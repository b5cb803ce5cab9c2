"""Mesh size from the header of a Draco stream, before decoding.

Notes
-----
Draco bitstream specification 2.2, “Draco Header”, “Metadata” and “Connectivity”.
"""

from typing import NamedTuple

_METADATA = 0x8000  # flag
_MESH, _SEQUENTIAL, _EDGEBREAKER = 1, 0, 1
_DEPTH = 8  # maximum nesting of metadata


class MeshSize(NamedTuple):
    """Number of faces and vertices of a stream; vertices are -1 if the header lacks them."""

    faces: int
    vertices: int


def read_header(data: memoryview) -> MeshSize:
    """Return the number of faces and vertices of a stream.

    Raises
    ------
    ValueError
        The data is not a Draco mesh, or is truncated.
    """
    if bytes(data[:5]) != b"DRACO" or len(data) < 11:
        raise ValueError("it has no Draco header")
    major, minor, kind, method = data[5:9]
    if kind != _MESH:
        raise ValueError("it is not a mesh")
    reader = _ByteReader(data, 11)
    if int.from_bytes(data[9:11], "little") & _METADATA:
        for _ in range(reader.varint()):
            reader.varint()
            _skip_metadata(reader, _DEPTH)
        _skip_metadata(reader, _DEPTH)
    version = (major, minor)
    if method == _SEQUENTIAL:
        read = reader.varint if version >= (2, 2) else reader.word
        faces = read()
        return MeshSize(faces, read())
    if method != _EDGEBREAKER:
        raise ValueError(f"unknown encoder method {method}")
    reader.byte()  # traversal type
    read = reader.varint if version >= (2, 0) else reader.word
    if version < (2, 2):
        read()
    read()  # number of encoded vertices, without those duplicated at seams
    return MeshSize(read(), -1)


class _ByteReader:
    """Reads numbers from bytes, in order."""

    def __init__(self, data: memoryview, offset: int) -> None:
        self.data = data
        self.offset = offset

    def byte(self) -> int:
        if self.offset >= len(self.data):
            raise ValueError("it is truncated")
        self.offset += 1
        return self.data[self.offset - 1]

    def word(self) -> int:
        return sum(self.byte() << shift for shift in (0, 8, 16, 24))

    def varint(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise ValueError("a variable-length integer is too long")

    def skip(self, length: int) -> None:
        self.offset += length
        if self.offset > len(self.data):
            raise ValueError("it is truncated")


def _skip_metadata(reader: _ByteReader, depth: int) -> None:
    if not depth:
        raise ValueError("the metadata is nested too deeply")
    for _ in range(reader.varint()):
        reader.skip(reader.byte())
        reader.skip(reader.varint())
    for _ in range(reader.varint()):
        reader.skip(reader.byte())
        _skip_metadata(reader, depth - 1)
