"""Draw order of blended surfaces: back to front.

Primitives are sorted by the depth of their posed centre, triangles of a primitive by their own
centre. Triangles that intersect cannot be sorted.
"""

import numpy as np

from ..animation.distinct import distinct
from ..animation.types import F32, F64, U32
from ..model.model import Primitive

MOST_SORTED = 20_000  # triangles of a primitive; above, back faces are drawn before front faces


class DepthOrder:
    """Data for depth sorting of a primitive, prepared once.

    Parameters
    ----------
    primitive
        Triangles.
    skinned
        Whether it is deformed by a palette.
    joints
        Entries of that palette.
    """

    def __init__(self, primitive: Primitive, *, skinned: bool, joints: int = 0) -> None:
        count = len(primitive.positions)
        given = primitive.indices
        self.indices: U32 = np.arange(count, dtype=np.uint32) if given is None else given
        self._points = np.ones((count, 4), np.float32)
        self._points[:, :3] = primitive.positions
        self._joints = primitive.joints if skinned else None
        self._weights = primitive.weights if skinned else None
        self.sorted = primitive.topology == "triangles" and 3 < len(self.indices) <= 3 * MOST_SORTED
        used = distinct(self.indices)
        points = self._points[used].astype(np.float64) / max(len(used), 1)
        if self._joints is None or self._weights is None:
            self._center: F64 = points.sum(axis=0)[None]
        else:  # the centre of blended points is the blend of the weighted centres
            self._center = np.zeros((joints, 4))
            share = self._weights[used][..., None] * points[:, None]
            np.add.at(self._center, self._joints[used].astype(np.intp), share)

    def center(self, matrices: F32) -> F64:
        """Return the centre [3] of the posed vertices.

        Parameters
        ----------
        matrices
            [S, 3, 4] the palette, or [1, 3, 4] the matrix of a rigid mesh.
        """
        found: F64 = np.einsum("sab,sb->a", matrices, self._center)
        return found

    def back_to_front(self, matrices: F32, view_axis: F64) -> U32:
        """Return the indices with triangles sorted back to front along `view_axis`.

        Parameters
        ----------
        matrices
            As for `center`.
        view_axis
            [3] view direction, in the space that the matrices map to.
        """
        rows = np.einsum("a,sab->sb", view_axis.astype(np.float32), matrices)  # depth of a point
        if self._joints is None or self._weights is None:
            depth = self._points @ rows[0]
        else:
            depth_of_vertex = np.einsum("vkb,vb->vk", rows[self._joints], self._points)
            depth = np.einsum("vk,vk->v", depth_of_vertex, self._weights)
        triangles = self.indices.reshape(-1, 3)
        order = np.argsort(-depth[triangles].sum(axis=1), kind="stable")
        return np.ascontiguousarray(triangles[order])
