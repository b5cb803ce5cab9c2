"""Matching of the vertices of two primitives: by index, else by position."""

from collections.abc import Iterator

import numpy as np

from ..animation.types import F32, F64, Index
from ..animation.vectors import length
from ..model.model import Primitive

CLOSE = 0.02  # of the mesh's size: tolerance of positions for vertices of equal index to match
MIN_CLOSE = 0.5  # share of the vertices that must be close if the indices differ
GRAIN = 1e-5  # of the mesh's size: tolerance of equal positions
BATCH = 16384  # vertices whose weights are compared at once


def correspond(a: Primitive, b: Primitive) -> Index | None:
    """Return the vertex of A for each vertex of B; None if they do not correspond.

    Equally many vertices with the same triangles, or mostly close positions, match by index.
    Otherwise, as after reordering or splitting by an exporter, every vertex of each must have the
    position of a vertex of the other.
    """
    count = len(b.positions)
    if a.topology != b.topology or not len(a.positions) or not count:
        return None
    same_count = len(a.positions) == count
    if same_count and np.array_equal(a.positions, b.positions):
        return np.arange(count)
    size = float(np.ptp(a.positions, axis=0).max())
    placed = _by_position(a, b, size)
    if placed is not None:
        return placed
    if not same_count:
        return None
    if a.indices is not None and b.indices is not None and np.array_equal(a.indices, b.indices):
        return np.arange(count)
    apart = np.abs(a.positions.astype(float) - b.positions).max(axis=1)
    return np.arange(count) if (apart <= CLOSE * size).mean() >= MIN_CLOSE else None


def _by_position(a: Primitive, b: Primitive, size: float) -> Index | None:
    """Return the vertex of A at the position of each vertex of B; None if one is missing."""
    if not np.isfinite(size) or size <= 0:
        return None
    found = np.full(len(b.positions), -1)
    hit = np.zeros(len(a.positions), bool)
    for shift in (
        0.0,
        0.5,
    ):  # positions on a cell border of one grid are inside a cell of the other
        cells = [
            np.floor(primitive.positions.astype(float) / (GRAIN * size) + shift).astype(np.int64)
            for primitive in (a, b)
        ]
        places, numbers = np.unique(np.concatenate(cells), axis=0, return_inverse=True)
        own, other = np.split(numbers.reshape(-1), [len(cells[0])])
        partner = _partners(own, other, a, b, len(places))
        found = np.where(found < 0, partner, found)
        hit |= np.isin(own, other)
    return found if hit.all() and (found >= 0).all() else None


def _partners(own: Index, other: Index, a: Primitive, b: Primitive, places: int) -> Index:
    """Return for each vertex of B a vertex of A with the same position index, -1 for none.

    Vertices that share a position are matched in the order of their normals.
    """
    first, second = _order(own, a), _order(other, b)
    counts = np.bincount(own, minlength=places)
    starts = np.cumsum(counts) - counts
    sorted_other = other[second]
    turn = np.arange(len(other)) - np.searchsorted(sorted_other, sorted_other)
    last = counts[sorted_other] - 1
    at = starts[sorted_other] + np.minimum(turn, np.maximum(last, 0))
    partner = np.full(len(other), -1)
    partner[second] = np.where(last >= 0, first[np.minimum(at, len(first) - 1)], -1)
    return partner


def _order(places: Index, primitive: Primitive) -> Index:
    if primitive.normals is None:
        return np.argsort(places, kind="stable")
    x, y, z = np.round(primitive.normals, 2).T
    return np.lexsort((z, y, x, places))


def weight_differences(
    a: Primitive, b: Primitive, rows: Index, numbers: tuple[Index, Index]
) -> Iterator[F32]:
    """Yield the differences of each joint's weight to that in A, for batches of vertices of B.

    Parameters
    ----------
    rows
        [V] from `correspond`.
    numbers
        The joints of the two skins in a common numbering.

    Yields
    ------
    F32
        [v, joints of the common numbering]
    """
    if a.joints is None or a.weights is None or b.joints is None or b.weights is None:
        return
    count = 1 + max(int(indices.max(initial=0)) for indices in numbers)
    every = np.arange(len(rows))
    for batch in np.split(every, range(BATCH, len(every), BATCH)):
        dense = np.zeros((2, len(batch), count), np.float32)
        line = np.arange(len(batch))[:, None]
        np.add.at(dense[0], (line, numbers[0][a.joints[rows[batch]]]), a.weights[rows[batch]])
        np.add.at(dense[1], (line, numbers[1][b.joints[batch]]), b.weights[batch])
        yield dense[1] - dense[0]


def vertex_distances(a: Primitive, b: Primitive, rows: Index) -> F64:
    """Return the distances [V] of the vertices of B to their positions in A, mesh space, metres."""
    way: F64 = b.positions.astype(np.float64) - a.positions[rows]
    return length(way)


def same_triangles(a: Primitive, b: Primitive, rows: Index) -> bool:
    """Return whether both have the same triangles, in any order."""
    one, two = _triples(a), rows[_triples(b)]
    if one.shape != two.shape:
        return False
    return bool(np.array_equal(_sorted(one), _sorted(two))) or _same_corners(a, one, two)


def _same_corners(a: Primitive, one: Index, two: Index) -> bool:
    """Return whether both have triangles with the same corner positions, in any order."""
    _, numbers = np.unique(a.positions, axis=0, return_inverse=True)
    numbers = numbers.reshape(-1)
    return bool(np.array_equal(_sorted(numbers[one]), _sorted(numbers[two])))


def _triples(primitive: Primitive) -> Index:
    corners = primitive.indices
    if corners is None:
        corners = np.arange(len(primitive.positions), dtype=np.uint32)
    width = {"points": 1, "lines": 2, "triangles": 3}[primitive.topology]
    return corners[: len(corners) // width * width].reshape(-1, width).astype(np.intp)


def _sorted(corners: Index) -> Index:
    """Return sorted triangles, each starting with its least index."""
    if not len(corners):
        return corners
    turn = np.argmin(corners, axis=1)[:, None]
    width = corners.shape[1]
    rolled = np.take_along_axis(corners, (turn + np.arange(width)) % width, axis=1)
    return rolled[np.lexsort(rolled.T[::-1])]


def any_differs(a: F32 | None, b: F32 | None, rows: Index, atol: float) -> bool:
    """Return whether an attribute [V, ...] of both differs by more than `atol`."""
    if a is None or b is None or a.shape[1:] != b.shape[1:]:
        return False
    return bool((np.abs(a[rows].astype(float) - b) > atol).any())
