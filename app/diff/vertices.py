"""Matching of the vertices of two primitives: by index, else by position and attributes."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from ..animation.types import F32, F64, Bool, Index
from ..animation.vectors import length
from ..model.model import Primitive

CLOSE = 0.02  # of the mesh's size: tolerance of positions for vertices of equal index to match
MIN_CLOSE = 0.5  # share of the vertices that must be close if the indices differ
GRAIN = 1e-5  # of the mesh's size: tolerance of equal positions
ALIKE = 1e-8  # squared difference of attributes that rounding causes
MOST_OPTIONS = 64  # vertices at one position that are compared with each other
BATCH = 16384  # vertices whose weights are compared at once
_SHIFTS = tuple(product((0.0, 0.5), repeat=3))  # of the grids of positions, in cells
_UV_SETS = 8  # compared sets of texture coordinates


def correspond(a: Primitive, b: Primitive) -> Index | None:
    """Return the vertex of A for each vertex of B; None if they do not correspond.

    Vertices with equal positions and triangles match by index. Otherwise, as after reordering or
    splitting by an exporter, every vertex of each must have the position of a vertex of the other;
    of several at one position, the one with the most similar attributes matches. Equally many
    vertices with the same triangles, or mostly close positions, also match by index.
    """
    count = len(b.positions)
    if a.topology != b.topology or not len(a.positions) or not count:
        return None
    same_count = len(a.positions) == count
    same_triangles = _equal(a.indices, b.indices)
    if same_count and same_triangles and np.array_equal(a.positions, b.positions):
        return np.arange(count)
    size = float(np.ptp(a.positions, axis=0).max())
    placed = _by_position(a, b, size)
    if placed is not None:
        return placed
    if not same_count:
        return None
    if a.indices is not None and same_triangles:
        return np.arange(count)
    apart = np.abs(a.positions.astype(float) - b.positions).max(axis=1)
    return np.arange(count) if (apart <= CLOSE * size).mean() >= MIN_CLOSE else None


def _equal(p: "np.ndarray | None", q: "np.ndarray | None") -> bool:
    return p is q or (p is not None and q is not None and np.array_equal(p, q))


def _by_position(a: Primitive, b: Primitive, size: float) -> Index | None:
    """Return the vertex of A at the position of each vertex of B; None if one is missing."""
    if not np.isfinite(size) or size <= 0:
        return None
    attributes = _attributes(a, b)
    found = np.full(len(b.positions), -1)
    least = np.full(len(b.positions), np.inf)
    hit = np.zeros(len(a.positions), bool)
    for shift in _SHIFTS:  # positions on a cell border of one grid are inside a cell of another
        cells = [
            np.floor(primitive.positions.astype(float) / (GRAIN * size) + shift).astype(np.int64)
            for primitive in (a, b)
        ]
        places, numbers = np.unique(np.concatenate(cells), axis=0, return_inverse=True)
        own, other = np.split(numbers.reshape(-1), [len(cells[0])])
        partner, unlike = _partners(own, other, attributes, len(places))
        found = np.where(unlike < least, partner, found)
        least = np.minimum(least, unlike)
        hit |= np.isin(own, other)
        if hit.all() and (least <= ALIKE).all():
            break
    return found if hit.all() and (found >= 0).all() else None


def _partners(
    own: Index, other: Index, attributes: tuple[F64, F64], places: int
) -> tuple[Index, F64]:
    """Return for each vertex of B the most similar vertex of A with the same position index.

    Parameters
    ----------
    own, other
        Position indices, below `places`, of the vertices of A and B.
    attributes
        [V of A, C], [V of B, C]

    Returns
    -------
    partner
        [V of B] of equally similar vertices, the one of the same index, else the first; -1 for none
    unlike
        [V of B] squared differences of the attributes, infinite where there is no partner
    """
    order = np.argsort(own, kind="stable")
    counts = np.bincount(own, minlength=places)
    starts = (np.cumsum(counts) - counts)[other]
    options = np.minimum(counts[other], MOST_OPTIONS)
    partner = np.full(len(other), -1)
    least = np.full(len(other), np.inf)
    same = np.arange(len(other))
    same = np.where((same < len(own)) & (own[same % len(own)] == other), same, -1)
    for turn in range(-1, int(options.max(initial=0))):  # first the vertex of the same index
        rows = np.flatnonzero((same >= 0) if turn < 0 else (options > turn) & (least > 0))
        picked = same[rows] if turn < 0 else order[starts[rows] + turn]
        unlike = ((attributes[0][picked] - attributes[1][rows]) ** 2).sum(axis=1)
        nearer = unlike < least[rows]
        partner[rows[nearer]], least[rows[nearer]] = picked[nearer], unlike[nearer]
    return partner, least


def _attributes(a: Primitive, b: Primitive) -> tuple[F64, F64]:
    """Return the attributes [V, C] that both have, except positions, for comparison.

    Weights are in descending order, since the order of joints may differ.
    """
    columns: tuple[list[F64], list[F64]] = [], []
    for one, two in zip(_columns(a), _columns(b), strict=True):
        if one is not None and two is not None:
            width = min(one.shape[1], two.shape[1])
            for side, values in zip(columns, (one, two), strict=True):
                side.append(np.nan_to_num(values[:, :width].astype(float), posinf=0, neginf=0))
    return (
        np.concatenate([np.zeros((len(a.positions), 0)), *columns[0]], axis=1),
        np.concatenate([np.zeros((len(b.positions), 0)), *columns[1]], axis=1),
    )


def _columns(primitive: Primitive) -> Iterator["F32 | F64 | None"]:
    """Yield the attributes of the vertices; None for an absent one."""
    yield primitive.normals
    yield primitive.tangents
    yield primitive.colors
    sets: list[F32 | None] = [*primitive.texcoords]
    yield from (sets + [None] * _UV_SETS)[:_UV_SETS]
    weights = primitive.weights
    yield None if weights is None else -np.sort(-weights, axis=1)
    yield None if primitive.morph is None else length(primitive.morph.positions.astype(float)).T


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


def triangle_differences(a: Primitive, b: Primitive, rows: Index) -> str:
    """Return how many triangles have other corners; "" if they are the same in any order."""
    one, two = _triples(a), rows[_triples(b)]
    if one.shape != two.shape:
        return "another number"
    if np.array_equal(_sorted(one), _sorted(two)):
        return ""
    _, numbers = np.unique(a.positions, axis=0, return_inverse=True)  # equal positions are equal
    one, two = (_sorted(numbers.reshape(-1)[corners]) for corners in (one, two))
    if np.array_equal(one, two):
        return ""
    every = np.concatenate([one, two, _sorted(two[:, ::-1])])
    kept, made, turned = np.split(np.unique(every, axis=0, return_inverse=True)[1].reshape(-1), 3)
    other = ~np.isin(made, kept)
    count = max(int(other.sum()), 1)  # at least one is there more often
    kind = "face the other way" if (np.isin(turned, kept) & other).sum() == count else "differ"
    return f"{count} of {len(one)} {kind}"


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


def differs(a: F32, b: F32, rows: Index, atol: float) -> Bool:
    """Return which vertices [V] have an attribute [V, C] that differs by more than `atol`."""
    return np.asarray((np.abs(a[rows].astype(float) - b) > atol).any(axis=1))
