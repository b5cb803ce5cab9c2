"""Overwrite values of a file where they are stored: keys, weights of vertices, factors."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..animation.track import Track
from ..animation.types import F32, Index
from ..model.material import ROWS, Material
from ..model.material_fields import ExtensionRow, FactorRow, OptionRow, Row, TextureRow
from ..model.model import Mesh, Primitive
from .accessor import Accessors
from .accessor_layout import COMPONENTS, ELEMENTS, WIDTHS
from .accessor_references import Json, reference_counts
from .document import Document, property_at
from .draco import NAME as DRACO
from .meshopt import compression

Array = NDArray[Any]
_NEAR = 1e-4  # of a weight: smaller differences are not seen
Attribute = tuple[int, int, str]  # indices of a mesh and of a primitive in it, name


class _Part(NamedTuple):
    """A primitive whose weights were changed."""

    place: tuple[int, int]  # indices of its mesh, and of itself in the file's mesh
    own: Primitive
    now: Primitive

    def arrays(self) -> dict[str, tuple[Array, Array]]:
        """Return the values in the file and the new ones of each changed attribute, [V, 4]."""
        found: dict[str, tuple[Array, Array]] = {}
        for name, one, other in (
            ("JOINTS", self.own.joints, self.now.joints),
            ("WEIGHTS", self.own.weights, self.now.weights),
        ):
            if one is None or other is None:
                return {}
            for n in range(0, other.shape[1], 4):
                a, b = one[:, n : n + 4], other[:, n : n + 4]
                if a.shape != b.shape or (a != b).any():
                    found[f"{name}_{n // 4}"] = a, b
        return found


class StoredValues:
    """Overwrites elements of accessors, in copies of the buffers.

    Parameters
    ----------
    document
        Validated, by `read_model`.
    json
        Its JSON, which is changed in place.
    """

    def __init__(self, document: Document, json: Json) -> None:
        self._document, self._json = document, json
        self._users = reference_counts(json)
        self._buffers: dict[int, bytearray] = {}

    @property
    def document(self) -> Document:
        """The document with the JSON and what was overwritten."""
        return self._document.with_contents(self._json, self._buffers)

    @cached_property
    def _accessors(self) -> Accessors:
        return Accessors(self._document)

    def put(self, accessor: int, rows: Index, values: Array, users: int = 1) -> bool:
        """Overwrite elements of an accessor; return False if that cannot be done in place.

        That is so if it is sparse or compressed, if its numbers cannot have the values, and if
        more than `users` references or other accessors use its bytes.

        Parameters
        ----------
        values
            [rows, width] new elements; normalized integers as float32.
        """
        row = self._json["accessors"][accessor]
        v, kind = row.get("bufferView"), (row["type"], row["componentType"])
        if self._users[accessor] != users or v is None or row.get("sparse"):
            return False
        view, dtype = self._json["bufferViews"][v], COMPONENTS[row["componentType"]]
        coded = _coded(values, dtype, normalized=bool(row.get("normalized")))
        if compression(view) is not None or coded is None or self._is_shared(accessor):
            return False
        if view["buffer"] not in self._buffers:
            self._buffers[view["buffer"]] = bytearray(self._document.buffer(view["buffer"]))
        shape = row["count"], WIDTHS[row["type"]]
        strides = view.get("byteStride") or ELEMENTS[kind], dtype.itemsize
        start = (view.get("byteOffset") or 0) + (row.get("byteOffset") or 0)
        array: Array = np.ndarray(shape, dtype, self._buffers[view["buffer"]], start, strides)
        array[rows] = coded
        for name, found in (("min", array.min(axis=0)), ("max", array.max(axis=0))):
            if name in row:
                row[name] = found.tolist()
        return True

    def _is_shared(self, accessor: int) -> bool:
        """Return whether another accessor, or another view, has bytes of an accessor."""
        rows, views = self._json["accessors"], self._json["bufferViews"]
        row = rows[accessor]
        view = views[row["bufferView"]]
        first, last = _extent(row, view)
        for a, other in enumerate(rows):
            if a == accessor or other.get("bufferView") != row["bufferView"]:
                continue
            begin, end = _extent(other, view)
            stride, size = view.get("byteStride"), ELEMENTS[other["type"], other["componentType"]]
            apart = (begin - first) % stride if stride else 0
            own = ELEMENTS[row["type"], row["componentType"]]
            if (
                begin < last
                and first < end
                and (not stride or apart < own or apart + size > stride)
            ):
                return True
        low, high = _span(view)
        return any(
            view is not other and view["buffer"] == other["buffer"] and begin < high and low < end
            for other in views
            for begin, end in [_span(other)]
        )

    def put_track(self, animation: int, channel: int, own: Track, track: Track) -> bool:
        """Overwrite the changed keys of a channel; return False if its keys must be replaced."""
        row = self._json["animations"][animation]
        number = row["channels"][channel]["sampler"]
        sampler = row["samplers"][number]
        users = sum(each["sampler"] == number for each in row["channels"])
        if users > 1 or own.interpolation != track.interpolation:
            return False
        stored = self._accessors.floats(sampler["input"])[:, 0]
        same_order = np.array_equal(stored, own.times)
        if not same_order or len(own.times) != len(track.times):
            return False
        width = WIDTHS[self._json["accessors"][sampler["output"]]["type"]]
        for index, one, other in (
            (sampler["input"], own.times[:, None], track.times[:, None]),
            (sampler["output"], *(key_elements(each).reshape(-1, width) for each in (own, track))),
        ):
            changed = np.flatnonzero((one != other).any(axis=1))
            if len(changed) and not self.put(index, changed, other[changed]):
                return False
        return True

    def put_weights(
        self, own: Sequence[Mesh], now: Sequence[Mesh]
    ) -> dict[Attribute, Array | None]:
        """Overwrite the changed weights of vertices.

        Returns the attributes [V, 4] that must be replaced instead; None: they are to be removed.
        """
        replaced: dict[Attribute, Array | None] = {}
        shared: dict[int, list[tuple[_Part, str]]] = {}
        for part in _changed_parts(own, now):
            m, p = part.place
            row = self._json["meshes"][m]["primitives"][p]
            assert part.now.joints is not None
            assert part.own.joints is not None
            stored = sum(name.startswith("JOINTS_") for name in row["attributes"])
            sets = part.now.joints.shape[1] // 4
            if stored != sets or part.own.joints.shape != part.now.joints.shape:
                for n in range(max(stored, sets)):
                    at = slice(4 * n, 4 * n + 4)
                    for name, array in (("JOINTS", part.now.joints), ("WEIGHTS", part.now.weights)):
                        assert array is not None
                        replaced[m, p, f"{name}_{n}"] = array[:, at] if n < sets else None
                continue
            for name, (_, array) in part.arrays().items():
                if DRACO in (row.get("extensions") or {}):
                    replaced[m, p, name] = array
                else:
                    shared.setdefault(row["attributes"][name], []).append((part, name))
        for accessor, users in shared.items():
            arrays = [part.arrays()[name] for part, name in users]
            before, after = arrays[0]
            rows = np.flatnonzero((before != after).any(axis=1))
            alike = all(np.array_equal(after, other) for _, other in arrays[1:])
            stored = self._storable(accessor, after[rows])
            if not alike or not self.put(accessor, rows, stored, len(users)):
                replaced |= {(*part.place, name): part.arrays()[name][1] for part, name in users}
        return replaced

    def _storable(self, accessor: int, values: Array) -> Array:
        """Return joints or weights; weights [n, 4] with sum 1 as the nearest integers, if near."""
        row = self._json["accessors"][accessor]
        if not row.get("normalized") or not np.allclose(values.sum(axis=1), 1.0, atol=_NEAR):
            return values
        scale = np.float32(np.iinfo(COMPONENTS[row["componentType"]]).max)
        coded = np.rint(values * scale)
        coded[np.arange(len(coded)), coded.argmax(axis=1)] += scale - coded.sum(axis=1)
        near = coded.astype(np.float32) / scale
        return near if np.abs(near - values).max() < _NEAR else values

    def put_materials(self, own: Sequence[Material], now: Sequence[Material]) -> None:
        """Set the changed factors and options of materials; textures are not changed."""
        for m, (one, other) in enumerate(zip(own, now, strict=False)):
            if one is not other:
                _put_material(self._json, self._json["materials"][m], one, other)


def _put_material(json: Json, row: Json, one: Material, other: Material) -> None:
    """Set the changed fields of a material; those that have their default are removed."""
    for field in ROWS:
        before, value = one.value(field.name), other.value(field.name)
        parent, _, key = field.path.rpartition("/")
        place = property_at(row, parent) if parent else row
        if isinstance(field, TextureRow) or value == before:
            continue
        if isinstance(field, ExtensionRow):
            if value is None:
                del row["extensions"][field.extension]
            elif before is None:
                _set(json, row, field, {})
        elif value == _default(field):
            if place is not None:
                place.pop(key, None)
        elif value is not None and (place is not None or not parent.endswith("Texture")):
            _set(json, row, field, {} if field.is_object else value)


def _default(field: Row) -> object:
    if isinstance(field, FactorRow):
        return field.value(field.default)
    return field.default if isinstance(field, OptionRow) else None


def _set(json: Json, row: Json, field: Row, value: Any) -> None:  # noqa: ANN401 - of any field
    """Set a property of a material, with the objects that contain it."""
    used = json.get("extensionsUsed") or []
    if field.extension and field.extension not in used:
        json["extensionsUsed"] = [*used, field.extension]
    *parents, key = field.path.split("/")
    for parent in parents:
        row = row.setdefault(parent, {})
    row[key] = list(value) if isinstance(value, tuple) else value


def _changed_parts(own: Sequence[Mesh], now: Sequence[Mesh]) -> list[_Part]:
    """Return the primitives with other joints or weights of vertices than in the file."""
    found = []
    for m, (mesh, other) in enumerate(zip(own, now, strict=False)):
        for part, new in zip(mesh.primitives, other.primitives, strict=False):
            changed = _Part((m, part.number), part, new)
            same = part is new or len(part.positions) != len(new.positions)
            if not same and changed.arrays():
                found.append(changed)
    return found


def key_elements(track: Track) -> F32:
    """Return the output of a sampler: values, for CUBICSPLINE with tangents."""
    values = track.values
    if track.interpolation != "CUBICSPLINE":
        return values
    slopes = np.zeros((len(values), 2, values.shape[1]), np.float32)
    if track.tangents is not None:
        slopes = track.tangents
    return np.stack((slopes[:, 0], values, slopes[:, 1]), axis=1)


def _coded(values: Array, dtype: np.dtype[Any], *, normalized: bool) -> Array | None:
    """Return values as they are stored, None if these numbers cannot have them."""
    if dtype.kind == "f":
        return values.astype(dtype)
    scale = np.iinfo(dtype).max if normalized else 1
    coded = np.rint(values * np.float32(scale)).clip(np.iinfo(dtype).min, np.iinfo(dtype).max)
    exact = (coded.astype(np.float32) / np.float32(scale)) == values.astype(np.float32)
    return coded.astype(dtype) if exact.all() else None


def _extent(row: Json, view: Json) -> tuple[int, int]:
    """Return the first byte of an accessor in its view, and the one after the last."""
    size, first = ELEMENTS[row["type"], row["componentType"]], row.get("byteOffset") or 0
    return first, first + (view.get("byteStride") or size) * (row["count"] - 1) + size


def _span(view: Json) -> tuple[int, int]:
    first = view.get("byteOffset") or 0
    return first, first + view["byteLength"]


def replace_attributes(
    json: Json, blob: bytearray, attributes: Mapping[Attribute, Array | None]
) -> None:
    """Store attributes [V, 4] of primitives in new views of the first buffer, in place."""
    used = reference_counts(json)
    for (m, p, name), array in attributes.items():
        row = json["meshes"][m]["primitives"][p]
        in_draco = ((row.get("extensions") or {}).get(DRACO) or {}).get("attributes") or {}
        in_draco.pop(name, None)
        old = row["attributes"].pop(name, None)
        if array is None:
            continue
        floats = array.dtype.kind == "f"
        data = np.ascontiguousarray(array, "<f4" if floats else "<u2").tobytes()
        view = append_view(json, blob, data)
        json["bufferViews"][view]["target"] = 34962  # ARRAY_BUFFER
        accessor: Json = {"bufferView": view, "componentType": 5126 if floats else 5123}
        accessor |= {"count": len(array), "type": "VEC4"}
        if old is not None and used[old] == 1:
            row["attributes"][name] = old
            json["accessors"][old] = accessor
        else:
            row["attributes"][name] = len(json["accessors"])
            json["accessors"].append(accessor)


def append_view(json: Json, blob: bytearray, data: bytes) -> int:
    """Append bytes to the first buffer as a buffer view; return its index."""
    blob += b"\0" * (-len(blob) % 4)
    view = {"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)}
    json.setdefault("bufferViews", []).append(view)
    blob += data
    return len(json["bufferViews"]) - 1
