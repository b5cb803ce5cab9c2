"""Meshes: primitives and morph targets as arrays (glTF 2.0, section 3.7).

Draw modes other than lists - strips, loops and fans - are expanded to lists (3.7.2.1).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..animation.morph import MorphTargets
from ..animation.types import F32, U16, U32, Bool
from ..model.material import TEXCOORD_SETS
from ..model.model import Mesh, Primitive, Topology
from ..wording import counted
from .accessor import Accessors
from .document import Document
from .object_names import unique_names
from .skins import read_influences

POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN = range(7)
TOPOLOGIES: dict[int, Topology] = {
    POINTS: "points",
    LINES: "lines",
    LINE_LOOP: "lines",
    LINE_STRIP: "lines",
    TRIANGLES: "triangles",
    TRIANGLE_STRIP: "triangles",
    TRIANGLE_FAN: "triangles",
}
_SIZES: dict[Topology, int] = {"points": 1, "lines": 2, "triangles": 3}


def expand(mode: int, indices: U32, restart: Bool | None = None) -> U32:
    """Return the indices of a list of points, lines or triangles.

    Parameters
    ----------
    mode
        Draw mode of the primitive.
    indices
        [I]
    restart
        [I] primitive restarts: a strip, loop or fan ends there, and the next index begins another
        one. The restart index itself is not a vertex. None: no restarts.

    Returns
    -------
    U32
        [n], n a multiple of the vertices per point, line or triangle. Incomplete elements and
        degenerate triangles of strips and fans (a repeated index) are left out.
    """
    if mode == POINTS:
        return indices if restart is None else indices[~restart]
    size = _SIZES[TOPOLOGIES[mode]]
    if restart is None:
        if mode in (LINES, TRIANGLES):
            return indices[: len(indices) // size * size]
        restart = np.zeros(len(indices), np.bool_)
    begin = np.maximum.accumulate(np.where(restart, np.arange(1, len(indices) + 1), 0))
    position = np.arange(len(indices)) - begin  # within the strip, loop or fan
    if mode in (LINES, TRIANGLES):
        return _lists(indices, restart, position, size)
    if mode in (LINE_STRIP, LINE_LOOP):
        return _lines(indices, restart, begin, mode == LINE_LOOP)
    return _triangles(mode, indices, restart, begin, position)


def _lists(indices: U32, restart: Bool, position: NDArray[np.intp], size: int) -> U32:
    """Return the indices without restarts and incomplete elements."""
    last = np.zeros(len(indices), np.bool_)  # last index of a complete line or triangle
    last[~restart & (position % size == size - 1)] = True
    ends = np.flatnonzero(last)
    return indices[(ends[:, None] + np.arange(1 - size, 1)).ravel()]


def _lines(indices: U32, restart: Bool, begin: NDArray[np.intp], loop: bool) -> U32:
    whole = ~(restart[:-1] | restart[1:])
    pairs = np.stack((indices[:-1], indices[1:]), axis=1)[whole]
    if not loop:
        return pairs.ravel()
    closing = ~restart & np.append(restart[1:], True)  # the last vertex of each loop
    closing &= np.arange(len(indices)) > begin
    back = np.stack((indices[closing], indices[begin[closing]]), axis=1)
    return np.concatenate((pairs.ravel(), back.ravel()))


def _triangles(
    mode: int,
    indices: U32,
    restart: Bool,
    begin: NDArray[np.intp],
    position: NDArray[np.intp],
) -> U32:
    whole = ~(restart[:-2] | restart[1:-1] | restart[2:])
    a, b, c = indices[:-2], indices[1:-1], indices[2:]
    if mode == TRIANGLE_STRIP:
        odd = position[:-2] % 2 == 1
        corners = np.stack((a, np.where(odd, c, b), np.where(odd, b, c)), axis=1)
    else:
        first = indices[np.minimum(begin, len(indices) - 1)][:-2]
        corners = np.stack((b, c, first), axis=1)
    a, b, c = corners.T
    return corners[whole & (a != b) & (b != c) & (c != a)].ravel()


# Component types, including those that KHR_mesh_quantization adds.
_INTS = frozenset({5120, 5121, 5122, 5123, 5126})
_SIGNED = frozenset({5120, 5122, 5126})
_UNSIGNED = frozenset({5121, 5123, 5126})
_INDEX_CODES = frozenset({5121, 5123, 5125})
_KINDS = {
    "POSITION": (("VEC3",), _INTS),
    "NORMAL": (("VEC3",), _SIGNED),
    "TANGENT": (("VEC4",), _SIGNED),
    "TEXCOORD": (("VEC2",), _INTS),
    "COLOR": (("VEC3", "VEC4"), _UNSIGNED),
}


def read_meshes(document: Document, accessors: Accessors) -> tuple[Mesh, ...]:
    """Return all meshes; primitives without vertices are left out.

    Raises
    ------
    GltfError
        Attributes have different counts or a wrong type, or an index is out of range.
    """
    rows = document.rows("meshes")
    sizes = _skin_sizes(document)
    names = unique_names(rows, "Mesh")
    meshes = []
    shared: dict[Any, Any] = {}
    for m, row in enumerate(rows):
        reader = _PrimitiveReader(accessors, sizes.get(m), _target_names(row), shared)
        primitives = (
            reader.read(accessors.primitive(m, p), p, f"/meshes/{m}/primitives/{p}")
            for p in range(len(row["primitives"]))
        )
        meshes.append(Mesh(names[m], tuple(p for p in primitives if p is not None)))
    return tuple(meshes)


def _skin_sizes(document: Document) -> dict[int, int]:
    """Return the joint count of the smallest skin used with each mesh, by mesh."""
    skins = document.rows("skins")
    sizes: dict[int, int] = {}
    for node in document.rows("nodes"):
        mesh, skin = node.get("mesh"), node.get("skin")
        if mesh is not None and skin is not None:
            size = len(skins[skin]["joints"])
            sizes[mesh] = min(size, sizes.get(mesh, size))
    return sizes


def variants_of(row: dict[str, Any]) -> dict[int, int]:
    """Return the materials of a primitive by variant (KHR_materials_variants)."""
    said = (row.get("extensions") or {}).get("KHR_materials_variants") or {}
    mappings = said.get("mappings") or []
    return {variant: mapping["material"] for mapping in mappings for variant in mapping["variants"]}


def _target_names(mesh: dict[str, Any]) -> tuple[str, ...]:
    """Return the morph target names of a mesh, for the largest target count of its primitives."""
    width = max((len(p.get("targets") or ()) for p in mesh["primitives"]), default=0)
    if not width:
        return ()
    extras = mesh.get("extras")
    given = extras.get("targetNames") if isinstance(extras, dict) else None
    given = given if isinstance(given, list) else []
    texts = [name if isinstance(name, str) else "" for name in given[:width]]
    texts += [""] * (width - len(texts))
    return unique_names([{"name": text} for text in texts], "Target")


class _PrimitiveReader(NamedTuple):
    """Reads the primitives of one mesh.

    Primitives with the same accessors share derived arrays, through `shared`.
    """

    accessors: Accessors
    skin_size: int | None
    target_names: tuple[str, ...]
    shared: dict[Any, Any]

    def read(self, row: dict[str, Any], number: int, place: str) -> Primitive | None:
        attributes, where = row["attributes"], f"{place}/attributes"
        if attributes.get("POSITION") is None:
            self.accessors.document.warn(where, "the primitive has no POSITION; it is not drawn")
            return None
        count, listed = self.accessors.count(attributes["POSITION"]), row.get("indices")
        if not count or (listed is not None and not self.accessors.count(listed)):
            self.accessors.document.warn(where, "the primitive has no vertices; it is not drawn")
            return None
        positions = self._attribute(attributes, "POSITION", count, where)
        assert positions is not None
        influences = self._influences(attributes, count, where)
        mode = row.get("mode")
        material = row.get("material")
        return Primitive(
            topology=TOPOLOGIES[TRIANGLES if mode is None else mode],
            positions=positions,
            normals=self._attribute(attributes, "NORMAL", count, where),
            tangents=self._attribute(attributes, "TANGENT", count, where),
            texcoords=self._texcoords(attributes, count, where),
            colors=self._colors(attributes, count, where),
            joints=influences[0] if influences else None,
            weights=influences[1] if influences else None,
            weight_sums=influences[2] if influences else None,
            indices=self._indices(row, TRIANGLES if mode is None else mode, count, place),
            material=-1 if material is None else material,
            morph=self._morph(row.get("targets") or [], count, f"{place}/targets"),
            number=number,
            variants=variants_of(row),
        )

    def _attribute(
        self, attributes: dict[str, Any], name: str, count: int, place: str
    ) -> F32 | None:
        index = attributes.get(name)
        if index is None:
            return None
        place = f"{place}/{name}"
        types, codes = _KINDS[name.partition("_")[0]]
        self.accessors.require(index, place, types, codes, count)
        return self.accessors.finite_floats(index, place)

    def _texcoords(self, attributes: dict[str, Any], count: int, place: str) -> tuple[F32, ...]:
        sets = []
        for n in range(len(attributes)):
            array = self._attribute(attributes, f"TEXCOORD_{n}", count, place)
            if array is None:
                break
            sets.append(array)
        for n in range(len(sets) + 1, TEXCOORD_SETS):
            if attributes.get(f"TEXCOORD_{n}") is not None:
                missing = f"the mesh has no TEXCOORD_{len(sets)}"
                self.accessors.document.warn(f"{place}/TEXCOORD_{n}", f"it is not read: {missing}")
        return tuple(sets)

    def _influences(
        self, attributes: dict[str, Any], count: int, place: str
    ) -> tuple[U16, F32, F32 | None] | None:
        users = sorted(
            item for item in attributes.items() if item[0].startswith(("JOINTS_", "WEIGHTS_"))
        )
        key = ("influences", self.skin_size, count, *users)
        if key not in self.shared:
            self.shared[key] = read_influences(
                self.accessors, attributes, count, self.skin_size, place
            )
        return self.shared[key]

    def _colors(self, attributes: dict[str, Any], count: int, place: str) -> F32 | None:
        colors = self._attribute(attributes, "COLOR_0", count, place)
        if colors is None or colors.shape[1] == 4:
            return colors
        key = ("colors", attributes["COLOR_0"])
        if key not in self.shared:
            self.accessors.reserve(count * 16, place)
            opaque = np.ones((count, 1), np.float32)
            self.shared[key] = np.concatenate((colors, opaque), axis=1)
        return self.shared[key]

    def _indices(self, row: dict[str, Any], mode: int, count: int, place: str) -> U32 | None:
        accessors, index = self.accessors, row.get("indices")
        place = f"{place}/indices"
        if index is None:
            if mode in (0, 1, TRIANGLES):
                return None
            accessors.reserve(count * 12, place)
            return expand(mode, np.arange(count, dtype=np.uint32))
        accessors.require(index, place, ("SCALAR",), _INDEX_CODES)
        raw = accessors.raw(index)[:, 0]
        accessors.reserve(len(raw) * 4, place)
        indices = raw.astype(np.uint32)
        restart = None
        if indices.max() >= count:
            restart = raw == np.iinfo(raw.dtype).max
            beyond = indices[(indices >= count) & ~restart]
            if len(beyond):
                raise accessors.document.error(
                    place,
                    f"index {beyond[0]} is out of range: the primitive has {count} vertices",
                )
            accessors.document.warn(
                place, "primitive restart indices are not allowed in glTF; they are applied"
            )
        if restart is not None or mode not in (0, 1, TRIANGLES):
            accessors.reserve(len(raw) * 12, place)
        return np.ascontiguousarray(expand(mode, indices, restart))

    def _morph(self, targets: list[dict[str, Any]], count: int, place: str) -> MorphTargets | None:
        if not targets:
            return None
        missing = len(self.target_names) - len(targets)
        if missing:
            self.accessors.document.warn(
                place,
                f"{counted(missing, 'morph target')} fewer than in another primitive of the mesh",
            )
            targets = [*targets, *[{}] * missing]
        positions = self._displacements(targets, "POSITION", count, place)
        if positions is None:
            shape = (len(targets), count, 3)
            self.accessors.reserve(12 * len(targets) * count, place)
            positions = np.zeros(shape, np.float32)
        return MorphTargets(
            positions=positions,
            normals=self._displacements(targets, "NORMAL", count, place),
            tangents=self._displacements(targets, "TANGENT", count, place),
            names=self.target_names,
        )

    def _displacements(
        self, targets: list[dict[str, Any]], name: str, count: int, place: str
    ) -> F32 | None:
        """Return displacements [M, V, 3], or None if no target has the attribute."""
        indices = tuple(target.get(name) for target in targets)
        if indices.count(None) == len(indices):
            return None
        key = ("targets", count, indices)
        if key not in self.shared:
            self.accessors.reserve(12 * len(indices) * count, place)
            out = np.empty((len(indices), count, 3), np.float32)
            for t, index in enumerate(indices):
                if index is None:
                    out[t] = 0.0
                else:
                    where = f"{place}/{t}/{name}"
                    types = ("VEC3", "VEC4") if name == "TANGENT" else ("VEC3",)
                    self.accessors.require(index, where, types, _INTS, count)
                    if self.accessors.rows[index]["type"] == "VEC4":  # written by gltfpack -noq
                        self.accessors.document.warn(
                            where, "tangent displacements must be VEC3; w is left out"
                        )
                    out[t] = self.accessors.finite_floats(index, where)[:, :3]
            self.shared[key] = out
        return self.shared[key]
