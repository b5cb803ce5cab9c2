"""The boxes about what is drawn in one pose, from every vertex: exact, and for looking at only.

`app.bounds` is what frames a picture: it never looks at vertices, and its boxes are roomier.
"""

from collections.abc import Iterator

import numpy as np

from app.animation.types import F32
from app.figure import PIECE, Piece, piece
from app.model import MeshInstance, Model


class Extents:
    """Boxes about a model's mesh instances; made once a model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        shown = [instance for instance in model.instances if instance.in_scene]
        self._pieces = [(each.joint, list(_pieces(model, each))) for each in shown]

    def boxes(self, matrices: F32, values: F32, world: F32, hidden: frozenset[int]) -> F32:
        """Return low and high [N, 2, 3] of each mesh instance, along the axes of world space.

        Parameters
        ----------
        matrices
            [J, 4, 4] model-space matrix of every joint.
        values
            [P] morph weights and other values of the pose.
        world
            [4, 4] model space to world space.
        hidden
            Joints whose meshes are left out.
        """
        placed = (world @ matrices).astype(np.float64)
        found = []
        for joint, parts in self._pieces:
            if joint in hidden or not parts:
                continue
            points = [part.place(part.palette(placed), part.shape(values)) for part in parts]
            low = np.min([each.min(axis=0) for each in points], axis=0)
            high = np.max([each.max(axis=0) for each in points], axis=0)
            found.append((low, high))
        return np.array(found, np.float32).reshape(-1, 2, 3)


def _pieces(model: Model, instance: MeshInstance) -> Iterator[Piece]:
    """Yield the vertices of a mesh instance, so many at once that memory is bounded."""
    for primitive in model.meshes[instance.mesh].primitives:
        every = np.arange(len(primitive.positions))
        for rows in np.split(every, range(PIECE, len(every), PIECE)):
            if len(rows):
                yield piece(model, instance, primitive, rows)
