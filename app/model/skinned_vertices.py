"""A model's vertices in any pose, and their distance from the joints that move them; float64.

They give the error of a baked clip, and the error limits of its tracks.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ..animation.model_space import to_model_transforms
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.types import F32, F64, Bool, Index
from .model import MeshInstance, Model, Primitive

BLOCK_SIZE = 16384  # vertices processed together: bounds memory
POSES = 24  # poses in which sensitivities are measured, spread over all clips
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

    def morphed(self, values: F32) -> F64:
        """Return the points [V, 3] displaced by the morph weights in `values` [P]."""
        if self.deltas is None:
            return self.points
        return self.points + np.tensordot(values[self.values].astype(float), self.deltas, 1)

    def subset(self, rows: Bool) -> Self:
        """Return a subset of the vertices, with the same boxes."""
        deltas = None if self.deltas is None else self.deltas[:, rows]
        return replace(self, weights=self.weights[rows], points=self.points[rows], deltas=deltas)


def vertex_blocks(model: Model) -> list[VertexBlock]:
    """Return all drawn vertices."""
    return [
        made
        for instance in model.instances
        for primitive in model.meshes[instance.mesh].primitives
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
    reach = np.zeros(0) if deltas is None else _length(deltas).max(axis=1)
    boxes = _boxes(points, weights)
    return VertexBlock(joints, bind, weights, points, boxes, deltas, reach, values)


def _boxes(points: F64, weights: F32) -> F64:
    boxes = np.zeros((weights.shape[1], 8, 3))
    for s in range(weights.shape[1]):
        own = points[weights[:, s] != 0]
        low, high = own.min(axis=0, initial=np.inf), own.max(axis=0, initial=-np.inf)
        boxes[s] = low + (high - low) * _CORNERS if len(own) else 0
    return boxes


def _length(v: F64) -> F64:
    return np.sqrt(np.einsum("...c,...c->...", v, v))


@dataclass(frozen=True, slots=True, eq=False)
class TrackSensitivities:
    """Greatest displacement of vertices and joints below a joint per unit error of its track."""

    rotation: F64  # [J] metres per radian
    translation: F64  # [J] metres per unit of local translation
    scale: F64  # [J] metres per unit of local scale
    values: F64  # [P] metres per unit; 0 for values that move no vertex


def track_sensitivities(model: Model, parts: list[VertexBlock]) -> TrackSensitivities:
    """Return the sensitivities measured in poses of all clips: estimates, not bounds."""
    skeleton = model.skeleton
    pose = _some_poses(model)
    below = _below(skeleton)
    matrices, _ = to_model_transforms(skeleton, pose)
    origins = matrices[..., :3, 3]
    stretch = np.sqrt(np.einsum("tjab,tjab->tjb", matrices[..., :3, :3], matrices[..., :3, :3]))
    longest = stretch.max(axis=(0, 2))
    between = _length(origins[:, :, None] - origins[:, None])  # [T, J, J]
    turn = (between * below).max(axis=(0, 1)) if skeleton.count else np.zeros(0)
    values = np.zeros(pose.values.shape[-1])
    for block in parts:
        share = block.weights @ below[block.joints].astype(np.float32)  # [V, J]
        moves = np.flatnonzero(share.any(axis=0))
        for t in range(len(matrices)):
            points = block.skinned(block.palette(matrices[t]), block.morphed(pose.values[t]))
            apart = _apart(points, origins[t, moves])
            turn[moves] = np.maximum(turn[moves], (apart * share[:, moves]).max(axis=0))
        if block.deltas is not None:
            grown = block.reach * longest[block.joints].max(initial=0)
            values[block.values] = np.maximum(values[block.values], grown)
    above = np.where(skeleton.parents < 0, 1, longest[skeleton.parents])
    least = np.abs(pose.scale).astype(np.float64).max(axis=2).min(axis=0)
    return TrackSensitivities(turn, above, turn / np.maximum(least, 1e-3), values)


def _apart(a: F64, b: F64) -> F64:
    """Return the distances [n, m] between points [n, 3] and [m, 3]."""
    squares = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * a @ b.T
    return np.sqrt(np.maximum(squares, 0))


def _below(skeleton: Skeleton) -> Bool:
    """Return [J, J] whether the first joint is the second or a descendant of it."""
    below = np.eye(skeleton.count, dtype=bool)
    for level in skeleton.levels[1:]:
        below[level] |= below[skeleton.parents[level]]
    return below


def _some_poses(model: Model) -> Pose:
    """Return the rest pose and some poses of the clips."""
    moments = [(clip, u) for clip in model.clips for u in (0.0, 0.35, 0.7)]
    few = moments[:: max(1, -(-len(moments) // POSES))]
    pose = Pose.like(model.skeleton.rest, (len(few) + 1,))
    for k, (clip, u) in enumerate(few, 1):
        one = model.skeleton.rest.copy()
        clip.sample(clip.start + u * clip.duration, one)
        for whole, part in (
            (pose.translation, one.translation),
            (pose.rotation, one.rotation),
            (pose.scale, one.scale),
            (pose.values, one.values),
        ):
            whole[k] = part
    return pose


def height(model: Model, parts: list[VertexBlock]) -> float:
    """Return the character's height at rest, metres; if it is flat, its greatest extent."""
    matrices, _ = to_model_transforms(model.skeleton, model.skeleton.rest)
    points = [matrices[..., :3, 3].reshape(-1, 3)] if not parts else []
    for block in parts:
        shape = block.morphed(model.skeleton.rest.values)
        points.append(block.skinned(block.palette(matrices), shape))
    if not sum(map(len, points)):
        return 0.0
    extent = np.ptp(np.concatenate(points), axis=0)
    return float(extent[1] or extent.max())
