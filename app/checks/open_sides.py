"""The sides of triangles that are open: from where rays leave a character."""

import numpy as np

from ..animation.types import F64, Bool
from ..animation.vectors import length

_GRAZING = 0.1  # cosine: rays that run nearly along a triangle are left out
_OFF = 1e-4  # of the extent of the occluders: nearer ones, as the triangle itself, hide nothing
_LOT = 1 << 15  # triangles processed at once: bounds memory
_CUBE = np.stack(np.meshgrid(*[[-1.0, 0.0, 1.0]] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
DIRECTIONS = _CUBE[(_CUBE != 0).any(axis=1)]  # [26, 3] to the faces, edges and corners of a cube
DIRECTIONS /= length(DIRECTIONS)[:, None]


def open_sides(middles: F64, normals: F64, occluders: F64) -> tuple[float, float]:
    """Return the share of rays from the fronts and from the backs of triangles that hit no other.

    Parameters
    ----------
    middles
        [n, 3] of the triangles.
    normals
        [n, 3] unit length, on the side of their fronts.
    occluders
        [T, 3, 3] corners of all triangles that hide what lies behind them.
    """
    points = occluders.reshape(-1, 3)
    near = _OFF * float(np.ptp(points, axis=0).max()) if len(points) else 0.0
    free, every = np.zeros(2), np.zeros(2)
    for direction in DIRECTIONS:
        along = normals @ direction
        rows = np.abs(along) > _GRAZING
        front, leaves = along[rows] > 0, ~_hidden(middles[rows], direction, occluders, near)
        every += np.count_nonzero(front), np.count_nonzero(~front)
        free += np.count_nonzero(front & leaves), np.count_nonzero(~front & leaves)
    shares = free / np.maximum(every, 1)
    return float(shares[0]), float(shares[1])


def _hidden(starts: F64, direction: F64, occluders: F64, near: float) -> Bool:
    """Return which parallel rays from points [n, 3] hit a triangle further away than `near`."""
    side = np.cross(direction, np.eye(3)[np.abs(direction).argmin()])
    side /= length(side)
    axes = side, np.cross(direction, side), direction
    own = starts @ np.stack(axes, axis=1)
    low, high = own.min(axis=0, initial=np.inf), own.max(axis=0, initial=-np.inf)
    reached = np.ones(len(occluders), bool)
    places = []
    for axis, least, most in zip(axes, low, (*high[:2], np.inf), strict=True):
        a, b, c = (occluders[:, k] @ axis for k in range(3))
        places.append((a, b, c))
        reached &= np.maximum(np.maximum(a, b), c) >= least
        reached &= np.minimum(np.minimum(a, b), c) <= most
    found = np.zeros(len(starts), bool)
    rows = np.flatnonzero(reached)
    for lot in np.split(rows, range(_LOT, len(rows), _LOT)):
        x, y, z = (np.stack([corner[lot] for corner in place], axis=1) for place in places)
        found |= _hit(own, x, y, z, near)
    return found


def _hit(starts: F64, x: F64, y: F64, z: F64, near: float) -> Bool:
    """Return which rays along z from points [n, 3] hit a triangle of corners x, y, z [T, 3]."""
    # twice the areas of the triangles of a point and each edge, as factors of its x, y and 1
    nx, ny = x[:, [1, 2, 0]], y[:, [1, 2, 0]]
    factors = np.stack((y - ny, nx - x, x * ny - nx * y))  # [3, T, 3 edges]
    areas = factors[2].sum(axis=1)
    factors *= np.where(areas < 0, -1.0, 1.0)[None, :, None]
    flat = np.concatenate((starts[:, :2], np.ones((len(starts), 1))), axis=1)
    depth, within = np.zeros((len(starts), len(areas))), np.ones((len(starts), len(areas)), bool)
    for edge in range(3):
        share = flat @ factors[..., edge]
        within &= share >= 0
        depth += share * z[:, (edge + 2) % 3]
    beyond = depth > (starts[:, 2] + near)[:, None] * np.abs(areas)
    return np.asarray((within & beyond & (areas != 0)).any(axis=1))
