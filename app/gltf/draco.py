"""KHR_draco_mesh_compression: primitives whose arrays are packed together, through DracoPy."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.errors import UnsupportedError
from app.gltf.draco_header import read_header
from app.gltf.extras import available, install
from app.gltf.layout import COMPONENTS, WIDTHS

if TYPE_CHECKING:
    from app.gltf.document import Document

Json = dict[str, Any]
Array = NDArray[Any]
NAME = "KHR_draco_mesh_compression"
_INDICES = "indices"
_TRIANGLES = 4


class Source(NamedTuple):
    """Where the elements of an accessor are packed."""

    view: int
    key: int | str  # the attribute's number in the stream, or “indices”
    faces: int  # that the primitive has
    place: str  # JSON pointer of the extension's object


def packed(primitive: Json) -> Json | None:
    """Return the extension's object of a primitive."""
    found: Json | None = (primitive.get("extensions") or {}).get(NAME)
    return found


def sources(document: "Document") -> dict[int, Source]:
    """Return where each accessor of packed primitives is, by its index.

    None where the package that unpacks them is missing and the file holds them unpacked, too.

    Raises
    ------
    GltfError
        A packed primitive is not of triangles, or has no indices.
    UnsupportedError
        The package is missing, and there is nothing else to read.
    """
    found: dict[int, Source] = {}
    for m, mesh in enumerate(document.rows("meshes")):
        for p, primitive in enumerate(mesh["primitives"]):
            row = packed(primitive)
            if row is None:
                continue
            place = f"/meshes/{m}/primitives/{p}"
            if available(NAME):
                found |= _sources(document, primitive, row, place)
            else:
                _insist(document, primitive, row, place)
    return found


def _sources(document: "Document", primitive: Json, row: Json, place: str) -> dict[int, Source]:
    indices, mode = primitive.get(_INDICES), primitive.get("mode")
    if (mode is not None and mode != _TRIANGLES) or indices is None:
        raise document.error(place, "only lists of triangles with indices can be packed by Draco")
    faces, rest = divmod(document.rows("accessors")[indices]["count"], 3)
    if rest:
        raise document.error(f"{place}/{_INDICES}", "triangles need three indices each")
    where = f"{place}/extensions/{NAME}"
    found = {indices: Source(row["bufferView"], _INDICES, faces, where)}
    for name, number in row["attributes"].items():
        index = primitive["attributes"].get(name)
        if index is not None:
            found[index] = Source(row["bufferView"], number, faces, where)
    return found


def _insist(document: "Document", primitive: Json, row: Json, place: str) -> None:
    rows = document.rows("accessors")
    for name in row["attributes"]:
        index = primitive["attributes"].get(name)
        if index is not None and rows[index]["count"] and rows[index].get("bufferView") is None:
            raise UnsupportedError(
                f"it is packed by {NAME}, and what unpacks that is not installed",
                file=document.name,
                place=f"{place}/extensions/{NAME}",
                hint=install(NAME),
            )


def unpack(document: "Document", data: memoryview, source: Source) -> dict[int | str, Array]:
    """Return the arrays of a stream: by the attribute's number [n, width], indices [3 F, 1].

    Raises
    ------
    GltfError
        The stream is broken, or holds other faces than the file says.
    """
    try:
        promise = read_header(data)
        if promise.faces != source.faces:
            raise ValueError(f"{promise.faces} triangles for {source.faces}")
        if promise.vertices > 3 * source.faces:
            raise ValueError(f"{promise.vertices} vertices for {source.faces} triangles")
        mesh = _decode(bytes(data))
    except ValueError as error:
        raise document.error(source.place, f"the packed mesh is broken: {error}") from None
    found: dict[int | str, Array] = {_INDICES: np.asarray(mesh.faces, np.uint32).reshape(-1, 1)}
    for each in mesh.attributes:
        array = np.asarray(each["data"])
        found[int(each["unique_id"])] = array.reshape(len(array), -1)
    return found


def _decode(data: bytes) -> Any:  # noqa: ANN401 - a mesh of DracoPy
    import DracoPy

    try:
        mesh = DracoPy.decode(data)
        if not hasattr(mesh, "faces"):
            raise ValueError("it has no triangles")
    except MemoryError:
        raise ValueError("there is not memory enough for it") from None
    except Exception as error:  # DracoPy raises its own, and whatever Draco meets
        raise ValueError(str(error)[:200] or type(error).__name__) from None
    return mesh


def element(
    document: "Document", index: int, arrays: dict[int | str, Array], source: Source
) -> Array:
    """Return the elements of an accessor [count, width], of the type that it says.

    Raises
    ------
    GltfError
        The stream has no such attribute, or another number of elements.
    """
    row = document.rows("accessors")[index]
    array = arrays.get(source.key)
    shape = (row["count"], WIDTHS[row["type"]])
    if array is None or array.shape != shape:
        has = "it is not there" if array is None else f"it has {array.shape[0]} × {array.shape[1]}"
        raise document.error(
            f"{source.place}/attributes",
            f"accessor {index} needs {shape[0]} × {shape[1]} values: {has}",
        )
    dtype = COMPONENTS[row["componentType"]]
    with np.errstate(invalid="ignore"):  # of floats that no whole number can be
        return np.ascontiguousarray(array.astype(dtype))
