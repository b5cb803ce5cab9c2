"""Instances of a mesh at one node (EXT_mesh_gpu_instancing), written out as one mesh.

They move with the node, so that they are drawn, bounded and picked as any other mesh.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from ..animation.transform import compose
from ..animation.types import F32, F64
from ..animation.vectors import length
from ..model.model import Mesh, MeshInstance, Primitive
from .accessor import Accessors, all_finite
from .nodes import MIN_QUATERNION_LENGTH, NodeOrder

NAME = "EXT_mesh_gpu_instancing"
_FLOAT = frozenset({5126})
_KINDS = {  # accessor type, component types, and the value without the attribute
    "TRANSLATION": ("VEC3", _FLOAT, (0, 0, 0)),
    "ROTATION": ("VEC4", frozenset({5120, 5122, 5126}), (0, 0, 0, 1)),
    "SCALE": ("VEC3", _FLOAT, (1, 1, 1)),
}
_MATRIX = 64  # bytes
_WEIGHT = 4  # bytes that count as one of the memory limit: few attributes are meant to be many


def _attributes(row: dict[str, Any]) -> dict[str, int]:
    """Return the accessors of the transforms of a node's instances; custom ones are left out."""
    given = ((row.get("extensions") or {}).get(NAME) or {}).get("attributes") or {}
    return {name: given[name] for name in _KINDS if name in given}


def instance_count(accessors: Accessors, n: int) -> int:
    """Return the number of instances of the mesh of node `n`, 1 without the extension.

    Raises
    ------
    GltfError
        Attributes have different counts or a wrong type.
    """
    row, count = accessors.document.rows("nodes")[n], -1
    if row.get("skin") is None:
        for name, index in _attributes(row).items():
            place = f"/nodes/{n}/extensions/{NAME}/attributes/{name}"
            kind, codes, _ = _KINDS[name]
            accessors.require(index, place, (kind,), codes, count, "instances")
            count = accessors.count(index)
    return 1 if count < 0 else count


def write_out_instances(
    accessors: Accessors,
    order: NodeOrder,
    meshes: tuple[Mesh, ...],
    instances: tuple[MeshInstance, ...],
) -> tuple[MeshInstance, ...]:
    """Return the mesh instances of all nodes, with their placements and these written out.

    Those of a skinned mesh are left out with a warning: it does not follow its node.

    Raises
    ------
    GltfError
        They are too large.
    """
    document, made = accessors.document, []
    for instance in instances:
        n = order.nodes[instance.joint]
        row, place = document.rows("nodes")[n], f"/nodes/{n}/extensions/{NAME}"
        found = _attributes(row)
        if found and row.get("skin") is not None:
            document.warn(place, "a skinned mesh does not follow its node; it is drawn once")
        elif found:
            placements = _placements(accessors, n, found, place)
            mesh = meshes[instance.mesh]
            parts = mesh.primitives if len(placements) else ()
            written = tuple(_repeated(part, placements, accessors, place) for part in parts)
            moves = [part.morph.positions for part in written if part.morph is not None]
            if not all(all_finite(each) for each in (*moves, *(p.positions for p in written))):
                raise document.error(place, "an instance is too large")
            instance = replace(
                instance, placements=placements, written=replace(mesh, primitives=written)
            )
        made.append(instance)
    return tuple(made)


def _placements(accessors: Accessors, n: int, found: dict[str, int], place: str) -> F32:
    """Return the matrices [I, 4, 4] of the instances of a node, mesh to node space."""
    count, parts = instance_count(accessors, n), {}
    accessors.reserve(count * _MATRIX, place)
    for name, (_, _, default) in _KINDS.items():
        parts[name] = np.tile(np.array(default, np.float32), (count, 1))
        if name in found:
            parts[name] = accessors.finite_floats(found[name], f"{place}/attributes/{name}")
    size = length(parts["ROTATION"])[:, None]
    flat = size < MIN_QUATERNION_LENGTH
    if flat.any():
        accessors.document.warn(f"{place}/attributes/ROTATION", "zero length; the identity is used")
    turns = np.where(flat, _KINDS["ROTATION"][2], parts["ROTATION"] / np.where(flat, 1, size))
    return compose(parts["TRANSLATION"], turns.astype(np.float32), parts["SCALE"])


def _repeated(part: Primitive, placements: F32, accessors: Accessors, place: str) -> Primitive:
    count, vertices, morph = len(placements), len(part.positions), part.morph
    deltas = [] if morph is None else [morph.positions, morph.normals, morph.tangents]
    arrays = [part.positions, part.normals, part.tangents, part.colors, part.indices]
    given = [each for each in (*arrays, *part.texcoords, *deltas) if each is not None]
    accessors.reserve(count * sum(each.nbytes for each in given) // _WEIGHT, place)
    linear = placements[:, :3, :3].swapaxes(1, 2).astype(np.float64)  # of rows
    x, y, z = (linear[:, k] for k in range(3))
    normal = np.stack((np.cross(y, z), np.cross(z, x), np.cross(x, y)), axis=1)
    mirrored = np.einsum("ia,ia->i", x, normal[:, 0]) < 0
    stretch = np.sqrt((normal**2).sum(axis=(1, 2)) / 3) * np.where(mirrored, -1, 1)
    normal = np.divide(
        normal, stretch[:, None, None], where=stretch[:, None, None] != 0, out=normal
    )

    def moved(rows: F32 | None, matrices: F64) -> Any:  # noqa: ANN401 - None of None
        """Return vectors [..., V, 3] of all instances, [..., I * V, 3]."""
        if rows is None:
            return None
        found = rows[..., None, :, :] @ matrices.astype(np.float32)
        return np.ascontiguousarray(found, np.float32).reshape(*rows.shape[:-2], -1, 3)

    def tiled(rows: F32 | None) -> Any:  # noqa: ANN401 - None of None
        return None if rows is None else np.tile(rows, (count, 1))

    positions = moved(part.positions, linear).reshape(count, vertices, 3)
    positions += placements[:, None, :3, 3]
    tangents = tiled(part.tangents)
    if part.tangents is not None:
        tangents[:, :3] = moved(part.tangents[:, :3], linear)
        tangents[:, 3] *= np.repeat(np.where(mirrored, -1, 1), vertices)
    indices = np.arange(vertices, dtype=np.uint32) if part.indices is None else part.indices
    if part.topology != "points":  # incomplete lines and triangles are left out
        size = 2 if part.topology == "lines" else 3
        indices = indices[: len(indices) // size * size]
    listed = indices + np.arange(count, dtype=np.uint32)[:, None] * np.uint32(vertices)
    if part.topology == "triangles":
        corners = listed.reshape(count, -1, 3)
        corners[mirrored] = corners[mirrored][..., ::-1]
    return replace(
        part,
        positions=positions.reshape(-1, 3),
        normals=moved(part.normals, normal),
        tangents=tangents,
        texcoords=tuple(map(tiled, part.texcoords)),
        colors=tiled(part.colors),
        joints=None,
        weights=None,
        weight_sums=None,
        indices=listed.ravel(),
        morph=morph
        and replace(
            morph,
            positions=moved(morph.positions, linear),
            normals=moved(morph.normals, normal),
            tangents=moved(morph.tangents, linear),
        ),
    )
