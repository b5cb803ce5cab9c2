"""Accessors as numpy arrays (glTF 2.0, section 3.6.2)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..animation.types import F32, Bool
from . import draco, meshopt
from .accessor_layout import COMPONENTS, ELEMENTS, WIDTHS, check_layout
from .document import Document
from .schema import LARGEST

Array = NDArray[Any]

_BASE_LIMIT = 256 << 20  # bytes that every file may allocate
_STREAM_FACTOR = 4  # weight of a byte of a compressed stream
_RATIO = 16  # array bytes per file byte: int8 to float32, strips to lists of uint32


class Accessors:
    """The accessors of a document as arrays, each decoded once and cached.

    The constructor checks the bounds of all accessors and buffer views.

    Raises
    ------
    GltfError
        An accessor exceeds its buffer view, or a view its buffer.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self._views = document.rows("bufferViews")
        self._raw: dict[int, Array] = {}
        self._floats: dict[int, F32] = {}
        self._clean: dict[int, F32] = {}
        self._float_buffers: dict[int, F32] = {}  # buffers as float32
        self._packed_floats = check_layout(document)
        self._reserved = 0
        self._draco = draco.draco_accessors(document)
        self.rows = self._draco.rows

    def reserve(self, nbytes: int, place: str) -> None:
        """Count bytes about to be allocated against the memory limit of the file.

        Raises
        ------
        GltfError
            The total exceeds the limit, which grows with the size of the file.
        """
        self._reserved += nbytes
        if self._reserved > _BASE_LIMIT + _RATIO * self.document.read_bytes:
            raise self.document.error(
                place,
                f"decoding needs {self._reserved >> 20} MiB, far more than the file size justifies",
            )

    def primitive(self, m: int, p: int) -> dict[str, Any]:
        """Return the JSON of primitive `p` of mesh `m` with accessor indices valid in `rows`.

        A Draco primitive is decoded; the counts of its accessors become those of the stream.

        Raises
        ------
        GltfError
            The Draco stream is invalid.
        """
        own: dict[str, Any] = self.document.rows("meshes")[m]["primitives"][p]
        row = self._draco.primitives.get((m, p))
        if row is None:
            return own
        for index in (row["indices"], *row["attributes"].values()):
            if (source := self._draco.sources.get(index)) is not None:
                self._resize(index, source)
        return row

    def _resize(self, index: int, source: draco.StreamAttribute) -> None:
        """Set an accessor's count to that of the stream: exporters may write the original count."""
        array, stated = self._decode_stream(source).get(source.key), self.count(index)
        if array is None or len(array) == stated:
            return
        if stated != draco.UNKNOWN_COUNT:
            what = "indices" if source.key == draco.INDICES else "vertices"
            self.document.warn(source.place, f"the stream holds {len(array)} {what}, not {stated}")
        self.rows[index] = self.rows[index] | {"count": len(array)}

    def count(self, index: int) -> int:
        """Return the number of elements of an accessor."""
        return int(self.rows[index]["count"])

    def require(
        self,
        index: int,
        place: str,
        types: tuple[str, ...],
        codes: frozenset[int],
        count: int = -1,
        of: str = "vertices",
    ) -> None:
        """Check an accessor's type, component type and, if `count` is not negative, its count.

        Raises
        ------
        GltfError
            One of them differs.
        """
        row = self.rows[index]
        if row["type"] not in types or row["componentType"] not in codes:
            names = ", ".join(COMPONENTS[code].name for code in sorted(codes))
            raise self.document.error(
                place,
                f"accessor {index} is {row['type']} of {COMPONENTS[row['componentType']].name}, "
                f"not {' or '.join(types)} of {names}",
            )
        if count >= 0 and row["count"] != count:
            raise self.document.error(
                place, f"accessor {index} has {row['count']} elements for {count} {of}"
            )

    def raw(self, index: int) -> Array:
        """Return an accessor [count, width] in its stored type, if possible without a copy.

        Raises
        ------
        GltfError
            Its buffer cannot be read, or the accessor exceeds the memory limit.
        """
        array = self._raw.get(index)
        if array is None:
            row, source = self.rows[index], self._draco.sources.get(index)
            array = (
                self._buffer_array(index, row)
                if source is None
                else self._draco_array(index, source)
            )
            if row.get("sparse") and row["sparse"]["count"]:
                array = self._apply_sparse(index, row["sparse"], array)
            self._raw[index] = array
        return array

    def _buffer_array(self, index: int, row: dict[str, Any]) -> Array:
        code, kind, count = row["componentType"], row["type"], row["count"]
        dtype, width = COMPONENTS[code], WIDTHS[kind]
        if (v := row.get("bufferView")) is None or not count:
            self.reserve(count * width * dtype.itemsize, f"/accessors/{index}/count")
            return np.zeros((count, width), dtype)
        view = self._views[v]
        data, start = self._memory_of(v)
        offset = start + (row.get("byteOffset") or 0)
        size = width * dtype.itemsize
        stride = view.get("byteStride") or ELEMENTS[kind, code]
        if stride == size:
            return np.frombuffer(data, dtype, count * width, offset).reshape(count, width)
        return np.ndarray((count, width), dtype, data, offset, (stride, dtype.itemsize))

    def _memory_of(self, v: int) -> tuple[memoryview, int]:
        """Return the memory that contains a view, and the view's offset; decompressed if needed."""
        view = self._views[v]
        found = meshopt.compression(view)
        if found is None:
            return self.document.buffer(view["buffer"]), view.get("byteOffset") or 0
        if v not in self.document.decoded:
            self._reserve_decoded(view["byteLength"], found[1]["byteLength"], f"/bufferViews/{v}")
            self.document.decoded[v] = meshopt.decompress(self.document, v)
        return self.document.decoded[v], 0

    def _reserve_decoded(self, nbytes: int, stream: int, place: str) -> None:
        """Reserve memory for a stream that is about to be decoded; streams raise the limit."""
        self.document.read_bytes += (_STREAM_FACTOR - 1) * stream
        self.reserve(nbytes, place)

    def _draco_array(self, index: int, source: draco.StreamAttribute) -> Array:
        """Return an accessor of a Draco primitive."""
        row = self.rows[index]
        self.reserve(row["count"] * ELEMENTS[row["type"], row["componentType"]], source.place)
        return draco.elements(self.document, row, self._decode_stream(source), source)

    def _decode_stream(self, source: draco.StreamAttribute) -> dict[int | str, Array]:
        """Return all arrays of a Draco stream, by attribute id."""
        known, key = self.document.decoded, (draco.NAME, source.view)
        if key not in known:
            stream = self.view(source.view)
            nbytes = draco.decoded_size(self.document, stream, source.place)
            self._reserve_decoded(nbytes, len(stream), source.place)
            known[key] = draco.decode_stream(self.document, stream, source.place)
        found: dict[int | str, Array] = known[key]
        return found

    def _apply_sparse(self, index: int, sparse: dict[str, Any], base: Array) -> Array:
        """Return a copy of an array with the sparse elements replaced (section 3.6.2.3)."""
        place = f"/accessors/{index}/sparse"
        self.reserve(base.nbytes, place)
        count, width = sparse["count"], base.shape[1]
        kind = COMPONENTS[sparse["indices"]["componentType"]]
        at = self._sparse_part(sparse["indices"], kind, count).astype(np.int64)
        values = self._sparse_part(sparse["values"], base.dtype, count * width)
        if at.max() >= len(base):
            raise self.document.error(
                f"{place}/indices",
                f"index {at.max()} is out of range: the accessor has {len(base)} elements",
            )
        array = np.array(base)
        array[at] = values.reshape(count, width)
        return array

    def _sparse_part(self, part: dict[str, Any], dtype: np.dtype[Any], count: int) -> Array:
        data, start = self._memory_of(part["bufferView"])
        return np.frombuffer(data, dtype, count, start + (part.get("byteOffset") or 0))

    def floats(self, index: int) -> F32:
        """Return an accessor as contiguous float32 [count, width], normalized integers decoded.

        Values may be NaN, infinite or too large: see `all_finite`.
        """
        array = self._floats.get(index)
        if array is None:
            raw = self.raw(index)
            if raw.dtype != np.float32 or not raw.flags.c_contiguous or not raw.flags.aligned:
                self.reserve(raw.size * 4, f"/accessors/{index}")
                raw = self._convert(raw, bool(self.rows[index].get("normalized")))
            array = self._floats[index] = raw
        return array

    def concatenate(self, indices: list[int], counts: list[int], width: int) -> F32:
        """Return the first elements of several accessors, concatenated.

        Parameters
        ----------
        indices
            Accessors.
        counts
            Number of rows from each.
        width
            Floats per row; may differ from the width of the accessor.

        Returns
        -------
        F32
            [sum of counts, width]
        """
        self.reserve(sum(counts) * width * 4, "/accessors")
        parts = []
        for index, count in zip(indices, counts, strict=True):
            size, location = count * width, self._packed_floats.get(index)
            if location is None:
                parts.append(self.floats(index).reshape(-1)[:size])
                continue
            buffer, start = location
            buffer_floats = self._float_buffers.get(buffer)
            if buffer_floats is None:
                data = self.document.buffer(buffer)
                buffer_floats = self._float_buffers[buffer] = np.frombuffer(
                    data, np.float32, len(data) // 4
                )
            parts.append(buffer_floats[start : start + size])
        return np.concatenate(parts).reshape(-1, width)

    def finite_floats(self, index: int, place: str) -> F32:
        """Return `floats` with invalid values (see `all_finite`) replaced by 0, with a warning."""
        array = self._clean.get(index)
        if array is None:
            array = self.floats(index)
            if not all_finite(array):
                bad = ~(np.abs(array) <= LARGEST)
                self.document.warn(
                    place,
                    f"{np.count_nonzero(bad)} values are NaN, infinite or too large; 0 is used",
                )
                self.reserve(array.nbytes, place)
                array = np.where(bad, np.float32(0), array)
            self._clean[index] = array
        return array

    @staticmethod
    def _convert(raw: Array, normalized: bool) -> F32:
        """Return integers as float32, normalized ones decoded (section 3.6.2.2)."""
        array = raw.astype(np.float32)
        if normalized and raw.dtype.kind in "iu":
            array /= np.iinfo(raw.dtype).max
            if raw.dtype.kind == "i":
                np.maximum(array, -1, out=array)
        return array

    def view(self, index: int) -> memoryview:
        """Return the bytes of a buffer view."""
        data, start = self._memory_of(index)
        return data[start : start + self._views[index]["byteLength"]]


def all_finite(array: F32) -> bool:
    """Return whether all values are finite numbers of at most `LARGEST`."""
    if not array.size:
        return True
    return bool(array.max() <= LARGEST and array.min() >= -LARGEST)  # false for NaN


def finite_rows(array: F32) -> Bool:
    """Return [n] for each row of [n, width] whether all its values pass `all_finite`."""
    return np.asarray((np.abs(array) <= LARGEST).all(axis=1))
