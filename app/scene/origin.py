"""Origins near a point, so that float32 is exact enough at any distance from the world origin.

World transforms are float64. What is computed in float32 is relative to the nearest whole tile,
which is 0 near the world origin: there, results do not depend on the origin at all.
"""

import math

import numpy as np

from ..animation.types import F32, F64

TILE = 1000.0  # edge of a tile, metres; for drawing, grid cells
WORLD_ORIGIN: F64 = np.zeros(3)
WORLD_ORIGIN.flags.writeable = False


def tile_origin(point: F64, edge: float = TILE) -> F64:
    """Return the whole tile [3] nearest to a point [3]; 0 where that is not finite."""
    x, y, z = point.tolist()
    half = edge / 2
    if -half <= x <= half and -half <= y <= half and -half <= z <= half:
        return WORLD_ORIGIN
    return np.array([_nearest(each, edge) for each in (x, y, z)])


def relative_to(matrix: F32 | F64, origin: F64) -> F32:
    """Return world matrices [..., 4, 4] relative to an origin [3], in float32."""
    out = matrix.astype(np.float32)
    if origin is not WORLD_ORIGIN:
        out[..., :3, 3] = matrix[..., :3, 3] - origin
    return out


def place_points(matrix: F64, points: F32) -> F64:
    """Return model-space points [N, 3] placed by a world matrix [4, 4]: world space, metres.

    They are rounded to float32 relative to the nearest whole tile.
    """
    origin = tile_origin(matrix[:3, 3])
    near = relative_to(matrix, origin)
    placed: F32 = points @ near[:3, :3].T + near[:3, 3]
    return placed + origin


def place_matrix(matrix: F64, inner: F32) -> F64:
    """Return world matrix [4, 4] x model-space matrix [4, 4], rounded like `place_points`."""
    origin = tile_origin(matrix[:3, 3])
    placed = (relative_to(matrix, origin) @ inner).astype(np.float64)
    placed[:3, 3] += origin
    return placed


def rounded(points: F64, near: F64) -> F64:
    """Return points [..., 3] rounded to float32 relative to the whole tile nearest to `near`."""
    origin = tile_origin(near)
    if origin is WORLD_ORIGIN:
        return points.astype(np.float32).astype(np.float64)
    return (points - origin).astype(np.float32) + origin


def _nearest(number: float, edge: float) -> float:
    return edge * round(number / edge) if math.isfinite(number / edge) else 0.0
