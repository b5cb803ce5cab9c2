"""A model's skinned and morphed vertices in any pose, on the CPU in float64."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ..animation.model_space import to_model_transforms
from ..animation.types import F32, F64, Bool, Index
from ..animation.vectors import length
from .model import MeshInstance, Model, Primitive

BLOCK_SIZE = 16384  # vertices processed together: bounds memory
FLAT = 0.01  # of the greatest extent: a lower model lies flat
_CORNERS = np.array(np.meshgrid(*[[0, 1]] * 3, indexing="ij"), np.float64).reshape(3, 8).T


@dataclass(frozen=True, slots=True, eq=False)
class VertexBlock:
    """V vertices of a primitive and the S joints that move them; one joint if it is rigid."""

    joints: Index  # [S] skeleton joints
    bind: F64  # [S, 4, 4] mesh space to joint space
    weights: F32  # [V, S]
    points: F64  # [V, 3] mesh space
    boxes: F64  # [S, 8, 3] corners of the bounding box of each joint's vertices
    deltas: F64 | None  # [M, V, 3] of morph targets, None if all are 0
    reach: F64  # [M] the greatest length of each
    values: slice  # of `Pose.values`: the weights of the morph targets

    def palette(self, matrices: F64) -> F64:
        """Return the skinning matrices [..., S, 3, 4] of model matrices [..., J, 4, 4]."""
        product: F64 = matrices[..., self.joints, :3, :] @ self.bind
        return product

    def skinned(self, palette: F64, points: F64) -> F64:
        """Return points [V, 3] of the mesh skinned by a palette [S, 3, 4]."""
        rows = palette.reshape(-1, 12).astype(np.float32)
        blended = (self.weights @ rows).reshape(-1, 3, 4)
        placed: F64 = np.einsum("vab,vb->va", blended[..., :3], points) + blended[..., 3]
        return placed

    def skinned_normals(self, palette: F64, normals: F64) -> F64:
        """Return normals [V, 3] of the mesh skinned by a palette [S, 3, 4], unit length or 0."""
        rows = palette.reshape(-1, 12).astype(np.float32)
        blended = (self.weights @ rows).reshape(-1, 3, 4).astype(np.float64)
        return turned_normals(blended[..., :3], normals)

    def morphed(self, values: F32) -> F64:
        """Return the points [V, 3] displaced by the morph weights in `values` [P]."""
        if self.deltas is None:
            return self.points
        return self.points + np.tensordot(values[self.values].astype(float), self.deltas, 1)

    def subset(self, rows: Bool) -> Self:
        """Return a subset of the vertices, with the same boxes."""
        deltas = None if self.deltas is None else self.deltas[:, rows]
        return replace(self, weights=self.weights[rows], points=self.points[rows], deltas=deltas)


def turned_normals(matrices: F64, normals: F64) -> F64:
    """Return normals [..., 3] transformed by linear parts [..., 3, 3], unit length or 0.

    They are multiplied by the cofactors, as `shaders/lib/skin.glsl` does: these exist at a scale of
    0, too. Normals of a mirrored surface stay on its outer side.
    """
    x, y, z = (matrices[..., row, :] for row in range(3))
    sides = np.stack((np.cross(y, z), np.cross(z, x), np.cross(x, y)), axis=-2)
    mirrored = np.einsum("...a,...a->...", x, sides[..., 0, :]) < 0
    turned = np.einsum("...ab,...b->...a", sides, normals)
    size = length(turned)[..., None] * np.where(mirrored, -1.0, 1.0)[..., None]
    return np.divide(turned, size, out=np.zeros_like(turned), where=size != 0)


def vertex_blocks(model: Model) -> list[VertexBlock]:
    """Return all drawn vertices."""
    return [block for instance in model.instances for block in instance_blocks(model, instance)]


def instance_blocks(model: Model, instance: MeshInstance) -> list[VertexBlock]:
    """Return the vertices of one mesh."""
    return [
        made
        for primitive in model.drawn_mesh(instance).primitives
        for part in _parts(primitive, instance.channel)
        for made in [vertex_block(model, instance, primitive, part)]
        if len(made.points)
    ]


def _parts(primitive: Primitive, channel: int) -> list[Index]:
    """Return a primitive's vertices split into morphed and others, and into small blocks."""
    every = np.arange(len(primitive.positions))
    groups = [every]
    if primitive.morph is not None and channel >= 0:
        morphs = (primitive.morph.positions != 0).any(axis=(0, 2))
        groups = [every[~morphs], every[morphs]]
    return [
        lot
        for group in groups
        for lot in np.split(group, range(BLOCK_SIZE, len(group), BLOCK_SIZE))
    ]


def vertex_block(
    model: Model, instance: MeshInstance, primitive: Primitive, rows: Index
) -> VertexBlock:
    """Return V rows of a primitive's vertices."""
    points = primitive.positions[rows].astype(np.float64)
    joints: Index = np.array([instance.joint])
    bind, weights = np.eye(4)[None], np.ones((len(rows), 1), np.float32)
    if instance.skin >= 0 and primitive.joints is not None and primitive.weights is not None:
        skin = model.skins[instance.skin]
        entries, share = primitive.joints[rows], primitive.weights[rows]
        dense = np.zeros((len(rows), len(skin.joints)), np.float32)
        np.add.at(dense, (np.arange(len(rows))[:, None], entries), share)
        used = np.flatnonzero((dense != 0).any(axis=0))
        joints, bind = skin.joints[used].astype(np.intp), skin.inverse_bind[used].astype(float)
        weights = np.ascontiguousarray(dense[:, used])
    deltas, values = None, slice(0)
    if primitive.morph is not None and instance.channel >= 0:
        values = model.channels[instance.channel].slice
        found = primitive.morph.positions[:, rows].astype(np.float64)
        deltas = found if found.any() else None
    if deltas is None:
        values = slice(0)
    reach = np.zeros(0) if deltas is None else length(deltas).max(axis=1)
    boxes = _boxes(points, weights)
    return VertexBlock(joints, bind, weights, points, boxes, deltas, reach, values)


def _boxes(points: F64, weights: F32) -> F64:
    boxes = np.zeros((weights.shape[1], 8, 3))
    for s in range(weights.shape[1]):
        own = points[weights[:, s] != 0]
        low, high = own.min(axis=0, initial=np.inf), own.max(axis=0, initial=-np.inf)
        boxes[s] = low + (high - low) * _CORNERS if len(own) else 0
    return boxes


def height(model: Model, parts: list[VertexBlock]) -> float:
    """Return the character's height at rest, metres; if it lies flat, its greatest extent."""
    extent = extents(model, parts)
    return float(extent.max() if lies_flat(extent) else extent[1])


def lies_flat(extent: F64) -> bool:
    """Return whether extents [3] are those of a surface on the ground."""
    return bool(extent[1] <= FLAT * extent.max())


def extents(model: Model, parts: list[VertexBlock]) -> F64:
    """Return the character's extents [3] at rest along x, y and z, metres."""
    matrices, _ = to_model_transforms(model.skeleton, model.skeleton.rest)
    points = [matrices[..., :3, 3].reshape(-1, 3)] if not parts else []
    for block in parts:
        shape = block.morphed(model.skeleton.rest.values)
        points.append(block.skinned(block.palette(matrices), shape))
    if not sum(map(len, points)):
        return np.zeros(3)
    return np.asarray(np.ptp(np.concatenate(points), axis=0))
