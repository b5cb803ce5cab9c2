"""Morph targets: displacements of a mesh's vertices, and the CPU reference."""

from dataclasses import dataclass

import numpy as np

from .types import F32


@dataclass(frozen=True, slots=True, eq=False)
class MorphTargets:
    """M targets of V vertices; missing displacements of an attribute are None.

    glTF 2.0, section 3.7.2.2: the base plus each displacement times its weight. The fourth
    component of a tangent, its handedness, is not morphed.
    """

    positions: F32  # [M, V, 3] metres, mesh space
    normals: F32 | None  # [M, V, 3]
    tangents: F32 | None  # [M, V, 3]
    names: tuple[str, ...]  # [M]

    def __repr__(self) -> str:
        count, vertices = self.positions.shape[:2]
        return f"<MorphTargets {count} targets of {vertices} vertices>"


def morph_points(points: F32, deltas: F32, weights: F32) -> F32:
    """Return points (or normals, or tangents without w) displaced by weighted targets.

    Parameters
    ----------
    points
        [V, 3]
    deltas
        [M, V, 3]
    weights
        [..., M]

    Returns
    -------
    F32
        [..., V, 3], before skinning. Normals are not normalised.
    """
    return points + np.einsum("...m,mvc->...vc", weights, deltas)
