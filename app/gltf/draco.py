"""KHR_draco_mesh_compression: primitives whose arrays are packed together, through DracoPy."""

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import UnsupportedError
from .accessor_layout import COMPONENTS, WIDTHS
from .draco_header import read_header
from .optional_packages import available, install

if TYPE_CHECKING:
    from .document import Document

Json = dict[str, Any]
Array = NDArray[Any]
NAME = "KHR_draco_mesh_compression"
INDICES = "indices"
ANY = -1  # elements: as many as there are
_TRIANGLES, _STRIP = 4, 5
_UINT = 5125


class Source(NamedTuple):
    """Where the elements of an accessor are packed."""

    view: int
    key: int | str  # the attribute's number in the stream, or “indices”
    place: str  # JSON pointer of the extension's object


class Plan(NamedTuple):
    """Which accessors are packed where.

    An accessor that several streams hold, or one stream and a view, is another array for each
    that uses it: all but the first get a copy of its row. Indices have a row of their own: they
    are triangles, also of a strip and where there were none, and may be larger than before.
    """

    sources: dict[int, Source]  # by the number of the accessor
    rows: list[Json]  # accessors: those of the document, then the new ones
    primitives: dict[tuple[int, int], Json]  # what is read in place of them, by mesh and number


def packed(primitive: Json) -> Json | None:
    """Return the extension's object of a primitive."""
    found: Json | None = (primitive.get("extensions") or {}).get(NAME)
    return found


def plan(document: "Document") -> Plan:
    """Return where the accessors of packed primitives are.

    None where the package that unpacks them is missing and the file holds them unpacked, too.

    Raises
    ------
    GltfError
        A packed primitive is not of triangles.
    UnsupportedError
        The package is missing, and there is nothing else to read.
    """
    planner = _Planner(document)
    for m, mesh in enumerate(document.rows("meshes")):
        for p, primitive in enumerate(mesh["primitives"]):
            row = packed(primitive)
            if row is None:
                continue
            place = f"/meshes/{m}/primitives/{p}"
            if available(NAME):
                planner.plan.primitives[m, p] = planner.primitive(primitive, row, place)
            else:
                _insist(document, primitive, row, place)
    return planner.plan


class _Planner:
    """Makes a plan, primitive by primitive."""

    def __init__(self, document: "Document") -> None:
        self.document = document
        self.plan = Plan({}, [*document.rows("accessors")], {})

    @cached_property
    def plain(self) -> frozenset[int]:
        """Accessors that are used as they are stored."""
        found = set[int]()
        for mesh in self.document.rows("meshes"):
            for primitive in mesh["primitives"]:
                row = packed(primitive)
                names = () if row is None else row["attributes"]
                kept = {k: v for k, v in primitive["attributes"].items() if k not in names}
                for group in (kept, *(primitive.get("targets") or ())):
                    found.update(group.values())
                if row is None:
                    found.add(primitive.get(INDICES))
        return frozenset(found)

    def primitive(self, primitive: Json, row: Json, place: str) -> Json:
        """Note the sources of a primitive; return what is to be read in its place."""
        mode = primitive.get("mode")
        if mode not in (None, _TRIANGLES, _STRIP):
            words = "only triangles and strips of them can be packed by Draco"
            raise self.document.error(f"{place}/mode", words)
        indices = primitive.get(INDICES)
        count = ANY
        if indices is not None and mode != _STRIP:
            count = self.plan.rows[indices]["count"]
        of = Source(row["bufferView"], INDICES, f"{place}/extensions/{NAME}")
        keys = row["attributes"]
        used = {
            name: self._drawn(index, of._replace(key=keys[name])) if name in keys else index
            for name, index in primitive["attributes"].items()
        }
        corners = self._new({"componentType": _UINT, "count": count, "type": "SCALAR"})
        self.plan.sources[corners] = of
        return primitive | {"mode": _TRIANGLES, "attributes": used, INDICES: corners}

    def _drawn(self, index: int, source: Source) -> int:
        """Return the accessor of a source: that one, or a copy where it is used otherwise, too."""
        known = self.plan.sources.get(index)
        if (known is not None and known[:2] != source[:2]) or index in self.plain:
            index = self._new(self.plan.rows[index])
        self.plan.sources[index] = source
        return index

    def _new(self, row: Json) -> int:
        self.plan.rows.append(row)
        return len(self.plan.rows) - 1


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


def promised(document: "Document", data: memoryview, place: str) -> int:
    """Return about how many bytes a stream says that it unpacks to.

    Raises
    ------
    GltfError
        It begins otherwise than a packed mesh does.
    """
    try:
        promise = read_header(data)
    except ValueError as error:
        raise document.error(place, f"the packed mesh is broken: {error}") from None
    return 12 * (promise.faces + max(promise.vertices, promise.faces))


def unpack(document: "Document", data: memoryview, place: str) -> dict[int | str, Array]:
    """Return the arrays of a stream: by the attribute's number [n, width], indices [3 F, 1].

    Raises
    ------
    GltfError
        The stream is broken.
    """
    try:
        mesh = _decode(bytes(data))
    except ValueError as error:
        raise document.error(place, f"the packed mesh is broken: {error}") from None
    found: dict[int | str, Array] = {INDICES: np.asarray(mesh.faces, np.uint32).reshape(-1, 1)}
    for each in mesh.attributes:
        array = np.asarray(each["data"])
        found[int(each["unique_id"])] = array.reshape(len(array), -1)
    return found


def _decode(data: bytes) -> Any:  # noqa: ANN401 - a mesh of DracoPy
    try:
        import DracoPy

        mesh = DracoPy.decode(data)
        if not hasattr(mesh, "faces"):
            raise ValueError("it has no triangles")
    except MemoryError:
        raise ValueError("there is not memory enough for it") from None
    except Exception as error:  # DracoPy raises its own, and whatever Draco meets
        raise ValueError(str(error)[:200] or type(error).__name__) from None
    return mesh


def element(
    document: "Document", row: Json, arrays: dict[int | str, Array], source: Source
) -> Array:
    """Return the elements of an accessor [count, width], of the type that its row says.

    Raises
    ------
    GltfError
        The stream has no such attribute, or another number of elements.
    """
    array = arrays.get(source.key)
    shape = (row["count"], WIDTHS[row["type"]])
    if array is None or array.shape != shape:
        what = "the list of indices" if source.key == INDICES else f"attribute {source.key}"
        has = "it is not there" if array is None else f"it has {array.shape[0]} × {array.shape[1]}"
        raise document.error(
            f"{source.place}/attributes",
            f"{what} needs {shape[0]} × {shape[1]} values: {has}",
        )
    dtype = COMPONENTS[row["componentType"]]
    with np.errstate(invalid="ignore"):  # of floats that no whole number can be
        return np.ascontiguousarray(array.astype(dtype))
