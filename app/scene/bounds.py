"""Bounds of a posed character: conservative ones for cameras, exact ones for the overlay.

The conservative ones are from one box per joint instead of every vertex. A skinned vertex is a
weighted mean of its positions moved by each joint, so it lies inside the convex hull of the
transformed boxes. This is thousands of times cheaper than skinning.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..animation.distinct import distinct
from ..animation.pose import Pose
from ..animation.types import F32, F64, U16, Bool
from ..animation.vectors import extent
from ..model.model import Mesh, MeshInstance, Model, Primitive
from ..model.pointer_values import PointerValues
from ..model.skinned_vertices import BLOCK_SIZE, VertexBlock, vertex_block


class ExactBounds:
    """Exact boxes of a model's mesh instances; create one per model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        in_scene = [instance for instance in model.instances if instance.in_scene]
        self._blocks = [(each.joint, list(_blocks(model, each))) for each in in_scene]

    def boxes(self, matrices: F32, values: F32, world: F32, hidden: frozenset[int]) -> F32:
        """Return low and high [N, 2, 3] of each mesh instance, aligned with world axes.

        Parameters
        ----------
        matrices
            [J, 4, 4] model-space matrix of every joint.
        values
            [P] morph weights and other values of the pose.
        world
            [4, 4] model space to world space.
        hidden
            Joints whose meshes are excluded.
        """
        placed = (world @ matrices).astype(np.float64)
        corners = []
        for joint, parts in self._blocks:
            if joint in hidden or not parts:
                continue
            ends = np.array([part.ends(placed, values) for part in parts])
            corners.append((ends[:, 0].min(axis=0), ends[:, 1].max(axis=0)))
        return np.array(corners, np.float32).reshape(-1, 2, 3)


class _BlockBounds:
    """Bounds of a block of a mesh, with one array per coordinate, which is several times faster."""

    def __init__(self, block: VertexBlock) -> None:
        self._block = block
        self._weights = np.ascontiguousarray(block.weights.T)
        self._points = self._coordinates(block.points)

    def ends(self, matrices: F64, values: F32) -> tuple[list[float], list[float]]:
        """Return low and high [3] of the vertices posed by matrices [J, 4, 4]."""
        points, block = self._points, self._block
        if block.deltas is not None:
            points = self._coordinates(block.morphed(values))
        rows = block.palette(matrices).reshape(-1, 12).astype(np.float32)
        blended = (rows.T @ self._weights).reshape(3, 4, -1)
        low, high = [], []
        for row in blended:
            along = row[0] * points[0] + row[1] * points[1] + row[2] * points[2] + row[3]
            low.append(float(along.min()))
            high.append(float(along.max()))
        return low, high

    @staticmethod
    def _coordinates(points: F64) -> F32:
        return np.ascontiguousarray(points.T, np.float32)


def _blocks(model: Model, instance: MeshInstance) -> Iterator[_BlockBounds]:
    """Yield the blocks of a mesh instance; their size bounds memory."""
    for primitive in model.drawn_mesh(instance).primitives:
        every = np.arange(len(primitive.positions))
        for rows in np.split(every, range(BLOCK_SIZE, len(every), BLOCK_SIZE)):
            if len(rows):
                yield _BlockBounds(vertex_block(model, instance, primitive, rows))


MOST_PLACED = 1000  # instances at a node with a box each; more have one together
_CORNERS = np.array(np.meshgrid(*[[0.0, 1.0]] * 3, indexing="ij"), np.float32).reshape(3, 8).T

_CUBE = np.array(np.meshgrid(*[[-1.0, 0.0, 1.0]] * 3, indexing="ij")).reshape(3, 27).T
_BALL = np.array([p / np.linalg.norm(p) for p in _CUBE if p.any()], np.float32)  # 26 directions
_BALL *= np.float32(1.1)  # their hull holds 99% of the unit ball's radius
_RING_ANGLES = np.arange(8) * (np.pi / 4)
_RING = (np.stack([np.cos(_RING_ANGLES), np.sin(_RING_ANGLES)], axis=1) / np.cos(np.pi / 8)).astype(
    np.float32
)


@dataclass(frozen=True, slots=True)
class _Box:
    """Boxes [B, 2, 3] in mesh space, moved by palette entries or one joint, and by morphs."""

    instance: MeshInstance
    skin: int  # -1: rigid, moved by `joint`
    joint: int
    used: Bool  # [joints of the skin] whether any vertex is weighted to it
    boxes: F32  # [B, 2, 3] low and high
    channel: int  # -1: no morph
    deltas: F32  # [M, 2, 3] lowest and highest displacement of each morph target
    morphed: Primitive | None  # a rigid mesh with morph targets: evaluated by vertex
    placements: F32 | None  # [I, 4, 4] where one joint moves the boxes to, None: with the joint


class PosedBounds:
    """Posed boxes of a model; create one per model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        never_visible = PointerValues(model).never_visible
        self._billboard_above = _billboard_above(model)
        self._boxes = [
            _box(model, instance, primitive)
            for instance in model.instances
            if instance.in_scene and instance.joint not in never_visible
            for primitive in _boxed_mesh(model, instance).primitives
            if len(primitive.positions)
        ]

    def corners(self, pose: Pose, matrices: F32 | None = None) -> F32:
        """Return points [N, 3] in model space whose hull holds the drawn vertices of all poses.

        `pose` may be a batch; `matrices` [..., J, 4, 4] are its model matrices, if already known.
        """
        matrices = self.model.skeleton.to_model(pose) if matrices is None else matrices
        if not self._boxes:
            return matrices[..., :3, 3].reshape(-1, 3)
        return np.concatenate([points.reshape(-1, 3) for points in self._points(pose, matrices)])

    def boxes(self, pose: Pose, world: F32, hidden: frozenset[int] = frozenset()) -> F32:
        """Return low and high [N, 2, 3] of each mesh instance in one pose, in world space.

        Parameters
        ----------
        world
            [4, 4] model space to world space; the boxes are aligned with world axes.
        hidden
            Joints whose meshes are excluded.
        """
        ends_of: dict[int, list[F32]] = {}
        points = self._points(pose, self.model.skeleton.to_model(pose))
        for box, each in zip(self._boxes, points, strict=True):
            if box.instance.joint not in hidden:
                placed = each.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
                ends_of.setdefault(id(box.instance), []).extend(extent(placed))
        ends = [[np.min(each, axis=0), np.max(each, axis=0)] for each in ends_of.values()]
        return np.array(ends, np.float32).reshape(-1, 2, 3)

    def _points(self, pose: Pose, matrices: F32) -> Iterator[F32]:
        """Yield the corners [..., B, 8, 3] of each box in model space."""
        palettes = [skin.palette(matrices) for skin in self.model.skins]
        for box in self._boxes:
            if box.skin >= 0:
                moved = palettes[box.skin][..., box.used, :, :]
            else:
                moved = matrices[..., box.joint : box.joint + 1, :3, :]
                moved = moved if box.placements is None else moved @ box.placements
            points = self._mesh_space(box, pose)
            points = points @ moved[..., :3].swapaxes(-1, -2) + moved[..., None, :, 3]
            board = self._billboard_above.get(box.joint, -1)
            if board >= 0:
                points = _any_rotation(
                    points, matrices[..., board, :, :], self.model.billboards[board]
                )
            yield points

    def sweep(self, poses: Sequence[Pose]) -> F32:
        """Return corner points [N, 3] of batches of poses."""
        return np.concatenate([self.corners(pose) for pose in poses])

    def _mesh_space(self, box: _Box, pose: Pose) -> F32:
        """Return the eight corners of each box [..., B, 8, 3], extended by morph targets."""
        boxes = box.boxes
        if box.channel >= 0 and box.morphed is not None and box.morphed.morph is not None:
            weights = pose.values[..., self.model.channels[box.channel].slice]
            deltas = box.morphed.morph.positions
            moves = (weights @ deltas.reshape(len(deltas), -1)).reshape(
                *weights.shape[:-1], *deltas.shape[1:]
            )
            points = box.morphed.positions + moves
            boxes = np.stack([points.min(axis=-2), points.max(axis=-2)], axis=-2)[..., None, :, :]
        elif box.channel >= 0 and len(box.deltas):
            weights = pose.values[..., self.model.channels[box.channel].slice, None, None]
            spread = weights * box.deltas
            low = np.minimum(spread[..., 0, :], spread[..., 1, :]).sum(axis=-2)
            high = np.maximum(spread[..., 0, :], spread[..., 1, :]).sum(axis=-2)
            boxes = boxes + np.stack([low, high], axis=-2)[..., None, :, :]
        low, high = boxes[..., None, 0, :], boxes[..., None, 1, :]
        return low + (high - low) * _CORNERS


def _billboard_above(model: Model) -> dict[int, int]:
    """Return joint → billboard that rotates it: itself or its topmost ancestor billboard."""
    boards: dict[int, int] = {}
    for joint, parent in enumerate(model.skeleton.parents.tolist()):
        board = boards.get(parent, joint if joint in model.billboards else -1)
        if board >= 0:
            boards[joint] = board
    return boards


def _any_rotation(points: F32, board: F32, kind: str) -> F32:
    """Return points [..., B, 26 or 16, 3] that hold points [..., B, 8, 3] at any camera angle.

    An "axis" billboard sweeps a ring about its local +Y, a "full" one a ball.
    """
    centre = board[..., None, None, :3, 3]
    away = points - centre
    if kind == "full":
        radius = np.sqrt((away**2).sum(axis=-1).max(axis=-1))[..., None, None]
        return np.asarray(centre + radius * _BALL, np.float32)
    axis = board[..., None, :3, 1]
    length = np.sqrt((axis**2).sum(axis=-1, keepdims=True))
    axis = np.where(
        length > 0, axis / np.where(length > 0, length, 1), np.array([0, 1, 0], np.float32)
    )
    along = (away * axis[..., None, :]).sum(axis=-1)  # [..., B, 8]
    flat = away - along[..., None] * axis[..., None, :]
    radius = np.sqrt((flat**2).sum(axis=-1).max(axis=-1))[..., None, None]
    other = np.where(np.abs(axis[..., :1]) < 0.9, *np.eye(3, dtype=np.float32)[[0, 2]])
    right = np.cross(axis, other)
    right /= np.sqrt((right**2).sum(axis=-1, keepdims=True))
    ahead = np.cross(right, axis)
    ring = _RING[:, :1] * right[..., None, :] + _RING[:, 1:] * ahead[..., None, :]
    ends = [
        centre + radius * ring + each[..., None, None] * axis[..., None, :]
        for each in (along.min(axis=-1), along.max(axis=-1))
    ]
    return np.concatenate(ends, axis=-2).astype(np.float32)


def _box(model: Model, instance: MeshInstance, primitive: Primitive) -> _Box:
    deltas = np.zeros((0, 2, 3), np.float32)
    if primitive.morph is not None:
        deltas = np.array([extent(moves) for moves in primitive.morph.positions], np.float32)
    if instance.skin >= 0 and primitive.joints is not None and primitive.weights is not None:
        count = len(model.skins[instance.skin].joints)
        influences = primitive.joints, primitive.weights
        used, boxes = _joint_boxes(primitive.positions, *influences, count)
        return _Box(instance, instance.skin, -1, used, boxes, instance.channel, deltas, None, None)
    points = primitive.positions
    box = extent(points)[None]
    morphed = primitive if primitive.morph is not None else None
    every, placed = np.ones(1, bool), instance.placements
    if _boxed_mesh(model, instance) is instance.written:
        placed = None
    return _Box(instance, -1, instance.joint, every, box, instance.channel, deltas, morphed, placed)


def _boxed_mesh(model: Model, instance: MeshInstance) -> Mesh:
    """Return the mesh that has the boxes of an instance: all instances at a node if many."""
    few = 0 < instance.count <= MOST_PLACED
    return model.meshes[instance.mesh] if few else model.drawn_mesh(instance)


def _joint_boxes(points: F32, joints: U16, weights: F32, count: int) -> tuple[Bool, F32]:
    """Return which of `count` joints have vertices [count], and their boxes [used, 2, 3]."""
    vertex, slot = np.nonzero(weights > 0.0)
    joint = joints[vertex, slot].astype(np.int32)
    order = np.argsort(joint, kind="stable")
    joint = joint[order]
    points = points[vertex[order]]
    starts = np.nonzero(np.diff(joint, prepend=-1))[0]
    used = np.zeros(count, bool)
    used[joint[starts]] = True
    low = np.minimum.reduceat(points, starts, axis=0)
    high = np.maximum.reduceat(points, starts, axis=0)
    return used, np.stack([low, high], axis=1)


def rings_around(heights: F32 | F64, radii: F32 | F64, *, slices: int, sides: int) -> F64:
    """Return corners [M, 3] of polygons about +Y that hold points [N] at any rotation.

    There are two polygons for each slice of height: at its lowest and its highest point.
    """
    part = (heights - heights.min()) / max(float(np.ptp(heights)), 1e-12) * slices
    part = np.minimum(part.astype(np.intp), slices - 1)
    angles = np.arange(sides) * (math.tau / sides)
    ring = np.stack([np.sin(angles), np.zeros(sides), np.cos(angles)], axis=-1)
    ring /= math.cos(math.pi / sides)
    rings = []
    for k in distinct(part).tolist():
        here = part == k
        for level in (heights[here].min(), heights[here].max()):
            rings.append(radii[here].max() * ring + [0.0, level, 0.0])
    return np.concatenate(rings)
