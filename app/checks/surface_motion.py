"""How the nodes of a surface move: in poses of a skin, or by morph targets.

A node is displaced from where its neighbours would be in its place: by the difference of their
values, which are weights of joints or displacements of targets.
"""

from typing import Protocol

import numpy as np

from ..animation.types import F32, F64

_CHUNK = 1 << 20  # numbers processed at once: fits the cache of a CPU


class SurfaceMotion(Protocol):
    """T poses that displace points [n, 3] of mesh space with values [n, S]; metres."""

    base: F32  # [T, 3, 4] to metres, of what all points have in common

    @property
    def count(self) -> int:
        """T."""

    def displacements(self, values: F32, points: F64) -> F32:
        """Return the displacements [n, T, 3] of differences of values in all poses."""

    def at(self, pose: int, values: F32) -> F32:
        """Return matrices [n, 3, 4] in a pose, less the base."""


class SkinMotion:
    """Poses of S joints with skinning matrices [T, S, 3, 4]."""

    def __init__(self, palettes: F64) -> None:
        base = palettes.mean(axis=1)
        self.base = base.astype(np.float32)
        self.palettes = (palettes - base[:, None]).astype(np.float32)  # differences sum to 0
        flat = self.palettes.transpose(1, 3, 0, 2)
        self._flat = np.ascontiguousarray(flat.reshape(4 * flat.shape[0], -1))

    @property
    def count(self) -> int:
        """T."""
        return len(self.palettes)

    def displacements(self, values: F32, points: F64) -> F32:
        """Return the displacements [n, T, 3] of differences of weights [n, S]."""
        moved = np.empty((len(values), self.count, 3), np.float32)
        most = max(1, _CHUNK // max(self._flat.shape[0], 1))
        for k in range(0, len(values), most):
            moved[k : k + most] = self.moved(
                point_kernels(values[k : k + most], points[k : k + most])
            )
        return moved

    def moved(self, kernels: F32) -> F32:
        """Return the displacements [n, T, 3] of kernels [n, 4 S], see `point_kernels`."""
        return (kernels @ self._flat).reshape(-1, self.count, 3)

    def at(self, pose: int, values: F32) -> F32:
        """Return the matrices [n, 3, 4] of weights [n, S] in a pose, less the base."""
        return (values @ self.palettes[pose].reshape(-1, 12)).reshape(-1, 3, 4)


def point_kernels(values: F32, points: F64) -> F32:
    """Return [n, 4 S]: multiplied by palettes [4 S, 3] they are the displacements of points."""
    placed = np.append(points, np.ones((len(points), 1)), axis=1).astype(np.float32)
    return np.asarray((values[:, :, None] * placed[:, None]).reshape(len(values), -1))


class MorphMotion:
    """M morph targets, each at a weight [M]; `unit` is metres per unit of the mesh."""

    def __init__(self, weights: F64, unit: float) -> None:
        self._scales = (weights * unit).astype(np.float32)
        self.base = np.tile(np.eye(3, 4, dtype=np.float32) * np.float32(unit), (len(weights), 1, 1))

    @property
    def count(self) -> int:
        """M."""
        return len(self._scales)

    def displacements(self, values: F32, _points: F64) -> F32:
        """Return the displacements [n, M, 3] of differences [n, 3 M]."""
        return values.reshape(len(values), -1, 3) * self._scales[:, None]

    def at(self, pose: int, values: F32) -> F32:
        """Return matrices [n, 3, 4] that displace all points by a target's displacement."""
        matrices = np.zeros((len(values), 3, 4), np.float32)
        matrices[..., 3] = values[:, 3 * pose : 3 * pose + 3] * self._scales[pose]
        return matrices
