"""KHR_draco_mesh_compression: decoding of primitives, through DracoPy."""

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import UnsupportedError
from .accessor_layout import COMPONENTS, WIDTHS
from .optional_packages import available, install

if TYPE_CHECKING:
    from .document import Document

Json = dict[str, Any]
Array = NDArray[Any]
NAME = "KHR_draco_mesh_compression"
INDICES = "indices"
UNKNOWN_COUNT = -1  # a count that only the stream defines
_TRIANGLES, _STRIP = 4, 5
_UINT = 5125
_METADATA = 0x8000  # flag
_MESH, _SEQUENTIAL, _EDGEBREAKER = 1, 0, 1
_DEPTH = 8  # maximum nesting of metadata


class StreamAttribute(NamedTuple):
    """The location of an accessor in a Draco stream."""

    view: int  # buffer view of the stream
    key: int | str  # the attribute's unique id in the stream, or “indices”
    place: str  # JSON pointer of the extension object


class DracoAccessors(NamedTuple):
    """The accessors of Draco primitives, with their streams.

    An accessor that is stored in several streams, or in a stream and a buffer view, is copied for
    each use but the first. Indices get a new accessor: Draco decodes to triangles, also for
    strips and non-indexed primitives, and the indices may need more bits.
    """

    sources: dict[int, StreamAttribute]  # by accessor index
    rows: list[Json]  # accessors: those of the document, then the new ones
    primitives: dict[tuple[int, int], Json]  # modified primitives, by mesh and primitive index


def compression(primitive: Json) -> Json | None:
    """Return the KHR_draco_mesh_compression object of a primitive, or None."""
    found: Json | None = (primitive.get("extensions") or {}).get(NAME)
    return found


def draco_accessors(document: "Document") -> DracoAccessors:
    """Return the streams of the accessors of all Draco primitives.

    Primitives with an uncompressed fallback are left out if DracoPy is not installed.

    Raises
    ------
    GltfError
        A Draco primitive is neither triangles nor a triangle strip.
    UnsupportedError
        DracoPy is not installed, and a primitive has no uncompressed fallback.
    """
    builder = _AccessorBuilder(document)
    for m, mesh in enumerate(document.rows("meshes")):
        for p, primitive in enumerate(mesh["primitives"]):
            row = compression(primitive)
            if row is None:
                continue
            place = f"/meshes/{m}/primitives/{p}"
            if available(NAME):
                builder.result.primitives[m, p] = builder.primitive(primitive, row, place)
            else:
                _require_fallback(document, primitive, row, place)
    return builder.result


class _AccessorBuilder:
    """Builds a `DracoAccessors`, primitive by primitive."""

    def __init__(self, document: "Document") -> None:
        self.document = document
        self.result = DracoAccessors({}, [*document.rows("accessors")], {})

    @cached_property
    def uncompressed(self) -> frozenset[int]:
        """Accessors that are used uncompressed."""
        found = set[int]()
        for mesh in self.document.rows("meshes"):
            for primitive in mesh["primitives"]:
                row = compression(primitive)
                names = () if row is None else row["attributes"]
                kept = {k: v for k, v in primitive["attributes"].items() if k not in names}
                for group in (kept, *(primitive.get("targets") or ())):
                    found.update(group.values())
                if row is None:
                    found.add(primitive.get(INDICES))
        return frozenset(found)

    def primitive(self, primitive: Json, row: Json, place: str) -> Json:
        """Add the sources of a primitive; return the primitive with its new accessors."""
        mode = primitive.get("mode")
        if mode not in (None, _TRIANGLES, _STRIP):
            words = "Draco compresses only triangles and triangle strips"
            raise self.document.error(f"{place}/mode", words)
        indices = primitive.get(INDICES)
        count = UNKNOWN_COUNT
        if indices is not None and mode != _STRIP:
            count = self.result.rows[indices]["count"]
        source = StreamAttribute(row["bufferView"], INDICES, f"{place}/extensions/{NAME}")
        keys = row["attributes"]
        used = {
            name: self._accessor_for(index, source._replace(key=keys[name]))
            if name in keys
            else index
            for name, index in primitive["attributes"].items()
        }
        indices_accessor = self._add_accessor(
            {"componentType": _UINT, "count": count, "type": "SCALAR"}
        )
        self.result.sources[indices_accessor] = source
        return primitive | {"mode": _TRIANGLES, "attributes": used, INDICES: indices_accessor}

    def _accessor_for(self, index: int, source: StreamAttribute) -> int:
        """Return the accessor for a source: `index`, or a copy if `index` has another use."""
        known = self.result.sources.get(index)
        if (known is not None and known[:2] != source[:2]) or index in self.uncompressed:
            index = self._add_accessor(self.result.rows[index])
        self.result.sources[index] = source
        return index

    def _add_accessor(self, row: Json) -> int:
        self.result.rows.append(row)
        return len(self.result.rows) - 1


def _require_fallback(document: "Document", primitive: Json, row: Json, place: str) -> None:
    rows = document.rows("accessors")
    for name in row["attributes"]:
        index = primitive["attributes"].get(name)
        if index is not None and rows[index]["count"] and rows[index].get("bufferView") is None:
            raise UnsupportedError(
                f"the primitive uses {NAME}, whose decoder is not installed",
                file=document.name,
                place=f"{place}/extensions/{NAME}",
                hint=install(NAME),
            )


def decoded_size(document: "Document", data: memoryview, place: str) -> int:
    """Return the approximate decoded size in bytes, from the header of a stream.

    Raises
    ------
    GltfError
        The header is invalid.
    """
    try:
        size = read_header(data)
    except ValueError as error:
        raise document.error(place, f"invalid Draco stream: {error}") from None
    return 12 * (size.faces + max(size.vertices, size.faces))


def decode_stream(document: "Document", data: memoryview, place: str) -> dict[int | str, Array]:
    """Return the arrays of a stream: attributes [n, width] by unique id, and indices [3 F, 1].

    Raises
    ------
    GltfError
        The stream is invalid.
    """
    try:
        mesh = _decode(bytes(data))
    except ValueError as error:
        raise document.error(place, f"invalid Draco stream: {error}") from None
    found: dict[int | str, Array] = {INDICES: np.asarray(mesh.faces, np.uint32).reshape(-1, 1)}
    for attribute in mesh.attributes:
        array = np.asarray(attribute["data"])
        found[int(attribute["unique_id"])] = array.reshape(len(array), -1)
    return found


def _decode(data: bytes) -> Any:  # noqa: ANN401 - a mesh of DracoPy
    try:
        import DracoPy

        mesh = DracoPy.decode(data)
        if not hasattr(mesh, "faces"):
            raise ValueError("it has no triangles")
    except MemoryError:
        raise ValueError("out of memory") from None
    except Exception as error:  # DracoPy raises exceptions of several types
        raise ValueError(str(error)[:200] or type(error).__name__) from None
    return mesh


def elements(
    document: "Document", row: Json, arrays: dict[int | str, Array], source: StreamAttribute
) -> Array:
    """Return the elements of an accessor [count, width], of the accessor's component type.

    Raises
    ------
    GltfError
        The stream lacks the attribute, or it has another shape.
    """
    array = arrays.get(source.key)
    shape = (row["count"], WIDTHS[row["type"]])
    if array is None or array.shape != shape:
        what = "the index list" if source.key == INDICES else f"attribute {source.key}"
        has = "it is missing" if array is None else f"it has {array.shape[0]} × {array.shape[1]}"
        raise document.error(
            f"{source.place}/attributes",
            f"{what} needs {shape[0]} × {shape[1]} values: {has}",
        )
    dtype = COMPONENTS[row["componentType"]]
    with np.errstate(invalid="ignore"):  # casts of NaN and infinity to integers
        return np.ascontiguousarray(array.astype(dtype))


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
