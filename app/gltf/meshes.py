"""Meshes: primitives as arrays, their morph targets, and the nodes that carry them."""

from typing import Any

import numpy as np

from app.animation.morph import MorphTargets
from app.animation.types import F32, U32
from app.gltf.accessor import Accessors
from app.gltf.document import Document
from app.gltf.influences import read_influences
from app.gltf.names import distinct
from app.gltf.nodes import Order
from app.gltf.topology import TOPOLOGIES, TRIANGLES, expand
from app.model import Channel, Mesh, MeshInstance, Primitive

# KHR_mesh_quantization widens what positions, normals, tangents and texture coordinates may be.
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
    """Return all meshes with the primitives that can be drawn.

    Raises
    ------
    GltfError
        Attributes of unequal length or of a wrong type, or an index beyond the vertices.
    """
    rows = document.rows("meshes")
    sizes = _skin_sizes(document)
    names = distinct(rows, "Mesh")
    meshes = []
    for m, row in enumerate(rows):
        reader = _PrimitiveReader(accessors, sizes.get(m), _target_names(row))
        primitives = (
            reader.read(primitive, f"/meshes/{m}/primitives/{p}")
            for p, primitive in enumerate(row["primitives"])
        )
        meshes.append(Mesh(names[m], tuple(p for p in primitives if p is not None)))
    return tuple(meshes)


def _skin_sizes(document: Document) -> dict[int, int]:
    """Return, by mesh, the number of joints of the smallest skin that it is used with."""
    skins = document.rows("skins")
    sizes: dict[int, int] = {}
    for node in document.rows("nodes"):
        mesh, skin = node.get("mesh"), node.get("skin")
        if mesh is not None and skin is not None:
            size = len(skins[skin]["joints"])
            sizes[mesh] = min(size, sizes.get(mesh, size))
    return sizes


def _target_names(mesh: dict[str, Any]) -> tuple[str, ...]:
    """Return a name for each morph target of a mesh: as many as its richest primitive has."""
    width = max((len(p.get("targets") or ()) for p in mesh["primitives"]), default=0)
    if not width:
        return ()
    extras = mesh.get("extras")
    given = extras.get("targetNames") if isinstance(extras, dict) else None
    given = given if isinstance(given, list) else []
    texts = [name if isinstance(name, str) else "" for name in given[:width]]
    texts += [""] * (width - len(texts))
    return distinct([{"name": text} for text in texts], "Target")


class _PrimitiveReader:
    """Reads the primitives of one mesh."""

    def __init__(
        self, accessors: Accessors, skin_size: int | None, target_names: tuple[str, ...]
    ) -> None:
        self.accessors = accessors
        self.skin_size = skin_size
        self.target_names = target_names

    def read(self, row: dict[str, Any], place: str) -> Primitive | None:
        attributes, where = row["attributes"], f"{place}/attributes"
        if attributes.get("POSITION") is None:
            self.accessors.document.warn(where, "a primitive without positions is not drawn")
            return None
        count = self.accessors.count(attributes["POSITION"])
        positions = self._attribute(attributes, "POSITION", count, where)
        assert positions is not None
        influences = read_influences(self.accessors, attributes, count, self.skin_size, where)
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
            indices=self._indices(row, TRIANGLES if mode is None else mode, count, place),
            material=-1 if material is None else material,
            morph=self._morph(row.get("targets") or [], count, f"{place}/targets"),
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
        return self.accessors.clean(index, place)

    def _texcoords(self, attributes: dict[str, Any], count: int, place: str) -> tuple[F32, ...]:
        sets = []
        for n in range(len(attributes)):
            array = self._attribute(attributes, f"TEXCOORD_{n}", count, place)
            if array is None:
                break
            sets.append(array)
        return tuple(sets)

    def _colors(self, attributes: dict[str, Any], count: int, place: str) -> F32 | None:
        colors = self._attribute(attributes, "COLOR_0", count, place)
        if colors is None or colors.shape[1] == 4:
            return colors
        self.accessors.charge(count * 16, place)
        return np.concatenate((colors, np.ones((count, 1), np.float32)), axis=1)

    def _indices(self, row: dict[str, Any], mode: int, count: int, place: str) -> U32 | None:
        accessors, index = self.accessors, row.get("indices")
        place = f"{place}/indices"
        if index is None:
            if mode in (0, 1, TRIANGLES):
                return None
            accessors.charge(count * 12, place)
            return expand(mode, np.arange(count, dtype=np.uint32))
        accessors.require(index, place, ("SCALAR",), _INDEX_CODES)
        raw = accessors.raw(index)[:, 0]
        accessors.charge(len(raw) * 4, place)
        indices = raw.astype(np.uint32)
        restart = None
        if indices.max() >= count:
            restart = raw == np.iinfo(raw.dtype).max
            beyond = indices[(indices >= count) & ~restart]
            if len(beyond):
                raise accessors.document.error(place, f"index {beyond[0]} of {count} vertices")
            accessors.document.warn(place, "it has restart indices, which glTF forbids")
        if restart is not None or mode not in (0, 1, TRIANGLES):
            accessors.charge(len(raw) * 12, place)
        return np.ascontiguousarray(expand(mode, indices, restart))

    def _morph(self, targets: list[dict[str, Any]], count: int, place: str) -> MorphTargets | None:
        if not targets:
            return None
        missing = len(self.target_names) - len(targets)
        if missing:
            self.accessors.document.warn(
                place, f"{missing} morph targets fewer than another primitive of the mesh"
            )
        positions = self._displacements([*targets, *[{}] * missing], "POSITION", count, place)
        if positions is None:
            shape = (len(self.target_names), count, 3)
            self.accessors.charge(12 * shape[0] * count, place)
            positions = np.zeros(shape, np.float32)
        return MorphTargets(
            positions=positions,
            normals=self._displacements([*targets, *[{}] * missing], "NORMAL", count, place),
            tangents=self._displacements([*targets, *[{}] * missing], "TANGENT", count, place),
            names=self.target_names,
        )

    def _displacements(
        self, targets: list[dict[str, Any]], name: str, count: int, place: str
    ) -> F32 | None:
        """Return [M, V, 3], or None where no target has that attribute."""
        if all(target.get(name) is None for target in targets):
            return None
        self.accessors.charge(12 * len(targets) * count, place)
        out = np.zeros((len(targets), count, 3), np.float32)
        for t, target in enumerate(targets):
            if (index := target.get(name)) is not None:
                where = f"{place}/{t}/{name}"
                self.accessors.require(index, where, ("VEC3",), _INTS, count)
                out[t] = self.accessors.clean(index, where)
        return out


def read_channels(document: Document, meshes: tuple[Mesh, ...], order: Order) -> list[Channel]:
    """Return a channel for the morph weights of each node whose mesh has targets, in joint order.

    The node's own weights are its default, else the mesh's, else 0 (section 3.7.2.2).
    """
    channels: list[Channel] = []
    start = 0
    rows = document.rows("nodes")
    for joint, n in enumerate(order.nodes):
        if (m := rows[n].get("mesh")) is None:
            continue
        width = max((len(p.morph.names) for p in meshes[m].primitives if p.morph), default=0)
        if not width:
            continue
        place, given = f"/nodes/{n}/weights", rows[n].get("weights")
        if given is None:
            place, given = f"/meshes/{m}/weights", document.rows("meshes")[m].get("weights") or []
        if given and len(given) != width:
            document.warn(place, f"{len(given)} weights for {width} morph targets")
        default = np.zeros(width, np.float32)
        default[: len(given)] = given[:width]
        channels.append(Channel(f"/nodes/{n}/weights", start, width, "linear", joint, default))
        start += width
    return channels


def read_instances(
    document: Document,
    meshes: tuple[Mesh, ...],
    channels: list[Channel],
    order: Order,
    in_scene: frozenset[int],
) -> tuple[MeshInstance, ...]:
    """Return the joints that carry a mesh, in the order of their nodes."""
    channel_of = {channel.joint: c for c, channel in enumerate(channels)}
    instances = []
    for n, row in enumerate(document.rows("nodes")):
        mesh, skin = row.get("mesh"), row.get("skin")
        if mesh is None:
            continue
        if skin is not None and any(p.joints is None for p in meshes[mesh].primitives):
            document.warn(f"/nodes/{n}/skin", "a part of its mesh has no joints and stays rigid")
            if all(p.joints is None for p in meshes[mesh].primitives):
                skin = None
        joint = order.joints[n]
        instances.append(
            MeshInstance(
                joint=joint,
                mesh=mesh,
                skin=-1 if skin is None else skin,
                channel=channel_of.get(joint, -1),
                in_scene=joint in in_scene,
            )
        )
    return tuple(instances)
