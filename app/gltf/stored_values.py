"""Overwrite values of a file where they are stored: keys, weights of vertices, factors."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..animation.keys import tangents_of
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
_INFLUENCES = "JOINTS_", "WEIGHTS_"
_NEAR = 1e-4  # of a weight: smaller differences are not seen
Attribute = tuple[int, int, str]  # indices of a mesh and of a primitive in it, name


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
        v, dtype = row.get("bufferView"), COMPONENTS[row["componentType"]]
        if self._users[accessor] != users or v is None or row.get("sparse"):
            return False
        view, coded = self._json["bufferViews"][v], _coded(values, dtype, row.get("normalized"))
        if compression(view) is not None or coded is None or self._is_shared(row):
            return False
        buffer = view["buffer"]
        if buffer not in self._buffers:
            self._buffers[buffer] = bytearray(self._document.buffer(buffer))
        places = self._bytes(row)
        stored = np.frombuffer(self._buffers[buffer], np.uint8)
        stored[places[rows]] = coded.view(np.uint8).reshape(len(rows), -1)
        array = stored[places].view(dtype)
        for name, found in (("min", array.min(axis=0)), ("max", array.max(axis=0))):
            if name in row:
                row[name] = found.tolist()
        return True

    def _bytes(self, row: Json) -> Index:
        """Return the bytes of a buffer that an accessor uses, [count, size of an element]."""
        view = self._json["bufferViews"][row["bufferView"]]
        size = ELEMENTS[row["type"], row["componentType"]]
        first = (view.get("byteOffset") or 0) + (row.get("byteOffset") or 0)
        stride = view.get("byteStride") or size
        return first + stride * np.arange(row["count"])[:, None] + np.arange(size)

    def _is_shared(self, row: Json) -> bool:
        """Return whether another accessor has bytes of an accessor."""
        views, own = self._json["bufferViews"], self._bytes(row)
        buffer = views[row["bufferView"]]["buffer"]
        others = (
            self._bytes(other)
            for other in self._json["accessors"]
            if other is not row
            and other["count"]
            and other.get("bufferView") is not None
            and views[other["bufferView"]]["buffer"] == buffer
        )
        return any(
            other[0, 0] <= own[-1, -1] and own[0, 0] <= other[-1, -1] and np.isin(other, own).any()
            for other in others
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
        shared: dict[int, list[tuple[Attribute, Array, Array]]] = {}
        for m, (mesh, other) in enumerate(zip(own, now, strict=False)):
            for part, new in zip(mesh.primitives, other.primitives, strict=False):
                before, after = _influences(part), _influences(new)
                changed = [name for name in after if not _same(before.get(name), after[name])]
                if part is new or not (before and changed):
                    continue
                row = self._json["meshes"][m]["primitives"][part.number]
                stored = {name for name in row["attributes"] if name.startswith(_INFLUENCES)}
                place = m, part.number
                if stored != set(before) or stored != set(after) or DRACO in _extensions(row):
                    replaced |= {(*place, name): after.get(name) for name in (*stored, *after)}
                    continue
                for name in changed:
                    found = (*place, name), before[name], after[name]
                    shared.setdefault(row["attributes"][name], []).append(found)
        for accessor, users in shared.items():
            _, before_all, values = users[0]
            rows = np.flatnonzero((before_all != values).any(axis=1))
            alike = all(np.array_equal(values, each) for *_, each in users)
            if not alike or not self.put(accessor, rows, values[rows], len(users)):
                replaced |= {place: array for place, _, array in users}
        return replaced

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


def _influences(part: Primitive) -> dict[str, Array]:
    """Return joints and weights [V, 4] by the names of their attributes."""
    if part.joints is None or part.weights is None:
        return {}
    arrays: tuple[Array, Array] = part.joints, part.weights
    return {
        f"{name}{n // 4}": array[:, n : n + 4]
        for name, array in zip(_INFLUENCES, arrays, strict=True)
        for n in range(0, array.shape[1], 4)
    }


def _same(one: Array | None, other: Array) -> bool:
    """Return whether an attribute is unchanged; that of other vertices is not written."""
    return one is not None and (len(one) != len(other) or np.array_equal(one, other))


def _extensions(row: Json) -> Json:
    return row.get("extensions") or {}


def key_elements(track: Track) -> F32:
    """Return the output of a sampler: values, for CUBICSPLINE with tangents."""
    if track.interpolation != "CUBICSPLINE":
        return track.values
    slopes = tangents_of(track)
    return np.stack((slopes[:, 0], track.values, slopes[:, 1]), axis=1)


def _coded(values: Array, dtype: np.dtype[Any], normalized: object) -> Array | None:
    """Return values as they are stored, None if these numbers cannot have them.

    Weights with the sum 1 are stored as integers with the same sum, if these are near.
    """
    if dtype.kind == "f":
        return np.ascontiguousarray(values, dtype)
    scale = np.float32(np.iinfo(dtype).max if normalized else 1)
    coded, allowed = np.rint(values * scale), 0.0
    if normalized and np.allclose(values.sum(axis=1), 1.0, atol=_NEAR):
        coded[np.arange(len(coded)), coded.argmax(axis=1)] += scale - coded.sum(axis=1)
        allowed = _NEAR
    coded = np.ascontiguousarray(coded.clip(np.iinfo(dtype).min, np.iinfo(dtype).max), dtype)
    apart = np.abs(coded.astype(np.float32) / scale - values.astype(np.float32))
    return coded if apart.max() <= allowed else None


def replace_attributes(
    json: Json, blob: bytearray, attributes: Mapping[Attribute, Array | None]
) -> None:
    """Store attributes [V, 4] of primitives in new views of the first buffer, in place."""
    used = reference_counts(json)
    for (m, p, name), array in attributes.items():
        row = json["meshes"][m]["primitives"][p]
        in_draco = (_extensions(row).get(DRACO) or {}).get("attributes") or {}
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
