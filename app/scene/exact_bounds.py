"""Exact bounding boxes of one pose, from every vertex, for the overlay.

Cameras are framed by `rigview.scene.bounds`, which is faster and larger: it uses boxes of joints
instead of vertices.
"""

from collections.abc import Iterator

import numpy as np

from ..animation.types import F32, F64
from ..model.model import MeshInstance, Model
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
    for primitive in model.meshes[instance.mesh].primitives:
        every = np.arange(len(primitive.positions))
        for rows in np.split(every, range(BLOCK_SIZE, len(every), BLOCK_SIZE)):
            if len(rows):
                yield _BlockBounds(vertex_block(model, instance, primitive, rows))
