"""The order in which blended surfaces are drawn: what is farther from the eye comes first.

Primitives go by the depth of their own middle as it is posed, the triangles of one primitive by
theirs. Surfaces that pass through each other inside one triangle have no order.
"""

import numpy as np

from ..animation.types import F32, F64, U32
from ..model.model import Primitive

MOST_SORTED = 20_000  # triangles of a primitive; of more, back faces are drawn before front faces


class Order:
    """What a primitive's depths are worked out from, prepared once.

    Parameters
    ----------
    primitive
        Triangles.
    skinned
        Whether it follows a palette.
    joints
        How many entries that palette has.
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
        used = np.unique(self.indices)
        points = self._points[used].astype(np.float64) / max(len(used), 1)
        if self._joints is None or self._weights is None:
            self._middle: F64 = points.sum(axis=0)[None]
        else:  # the middle of what a blend of matrices moves is that blend of the weighted middles
            self._middle = np.zeros((joints, 4))
            share = self._weights[used][..., None] * points[:, None]
            np.add.at(self._middle, self._joints[used].astype(np.intp), share)

    def middle(self, matrices: F32) -> F64:
        """Return the middle [3] of its vertices.

        Parameters
        ----------
        matrices
            [S, 3, 4] the palette, or [1, 3, 4] the one matrix that carries it.
        """
        found: F64 = np.einsum("sab,sb->a", matrices, self._middle)
        return found

    def far_first(self, matrices: F32, away: F64) -> U32:
        """Return its indices with the triangles farthest along `away` first.

        Parameters
        ----------
        matrices
            As for `middle`.
        away
            [3] from the eye into the picture, in the space the matrices lead to.
        """
        rows = np.einsum("a,sab->sb", away.astype(np.float32), matrices)  # a point's depth each
        if self._joints is None or self._weights is None:
            depth = self._points @ rows[0]
        else:
            each = np.einsum("vkb,vb->vk", rows[self._joints], self._points)
            depth = np.einsum("vk,vk->v", each, self._weights)
        triangles = self.indices.reshape(-1, 3)
        order = np.argsort(-depth[triangles].sum(axis=1), kind="stable")
        return np.ascontiguousarray(triangles[order])
