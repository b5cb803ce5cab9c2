"""Morph targets: displacements of a mesh's vertices, and the CPU reference."""

from dataclasses import dataclass

import numpy as np

from .types import F32


@dataclass(frozen=True, slots=True, eq=False)
class MorphTargets:
    """M targets of V vertices; a missing kind of displacement is None.

    glTF 2.0, section 3.7.2.2: the base plus each displacement times its weight. The fourth
    component of a tangent, its handedness, does not move.
    """

    positions: F32  # [M, V, 3] metres, mesh space
    normals: F32 | None  # [M, V, 3]
    tangents: F32 | None  # [M, V, 3]
    names: tuple[str, ...]  # [M]


def morph_points(points: F32, deltas: F32, weights: F32) -> F32:
    """Displace points (or normals, or the first three of tangents) by weighted targets.

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
        [..., V, 3], before skinning. Normals are not yet of unit length.
    """
    return points + np.einsum("...m,mvc->...vc", weights, deltas)
