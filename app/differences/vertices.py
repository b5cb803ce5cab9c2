"""Matching of the meshes of two versions: their primitives, and the vertices of these."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np

from ..animation.track import equal_arrays
from ..animation.types import F32, F64, Index
from ..animation.vectors import length
from ..model.model import Mesh, Model, Primitive
from .objects import Matching, by_name_or_content, match_objects, names_of, where, without_names

CLOSE = 0.02  # of the mesh's size: tolerance of positions for vertices of equal index to match
MIN_CLOSE = 0.5  # share of the vertices that must be close if the indices differ
GRAIN = 1e-5  # of the mesh's size: tolerance of equal positions
ALIKE = 1e-8  # squared difference of attributes that rounding causes
MOST_OPTIONS = 64  # vertices at one position that are compared with each other
_SHIFTS = tuple(product((0.0, 0.5), repeat=3))  # of the grids of positions, in cells


@dataclass(frozen=True, slots=True, eq=False)
class PrimitivePair:
    """Matching primitives of two versions."""

    numbers: tuple[int, int]  # their indices in the meshes
    a: Primitive
    b: Primitive  # with positions scaled to A
    rows: Index | None  # [V of B] corresponding vertices of A; None: they do not correspond


def match_meshes(a: Model, b: Model, joints: Matching) -> Matching:
    """Return the matching meshes: by name, by content, or by their node."""
    carriers = {instance.joint: instance.mesh for instance in b.instances}
    carried: dict[int, list[int]] = {}
    for instance in a.instances:
        other = carriers.get(joints.match_of(instance.joint))
        if other is not None:
            carried.setdefault(instance.mesh, []).append(other)

    def at_same_node(k: int, free: Collection[int]) -> Iterator[int]:
        return (n for n in carried.get(k, ()) if n in free)

    def same(k: int, n: int) -> bool:
        return _same_content(a.meshes[k], b.meshes[n])

    names = names_of(a.meshes, b.meshes)
    criteria = by_name_or_content(names, same) | {"at the same node": at_same_node}
    return match_objects(names, criteria)


def match_instances(a: Model, b: Model, joints: Matching, meshes: Matching) -> Matching:
    """Return the matching mesh instances: those of matching meshes at matching joints."""
    places: dict[tuple[int, int], list[int]] = {}
    for number, instance in enumerate(b.instances):
        places.setdefault((instance.joint, instance.mesh), []).append(number)

    def same_place(k: int, free: Collection[int]) -> Iterator[int]:
        one = a.instances[k]
        there = places.get((joints.match_of(one.joint), meshes.match_of(one.mesh)), ())
        return (n for n in there if n in free)

    return match_objects(without_names(a.instances, b.instances), {"same place": same_place})


def match_primitives(one: Mesh, two: Mesh, scale: float) -> tuple[PrimitivePair, ...]:
    """Return the matching primitives: of one number, or any with corresponding vertices, or any."""
    mine, theirs = one.primitives, two.primitives

    @cache
    def compared(p: int, q: int) -> tuple[Primitive, Index | None]:
        other = _as_large(mine[p], theirs[q], scale)
        return other, correspond(mine[p], other)

    def corresponds(p: int, q: int) -> bool:
        return compared(p, q)[1] is not None

    matching = match_objects(
        without_names(mine, theirs),
        {
            "same number": where(lambda p, q: p == q and corresponds(p, q)),
            "same vertices": where(corresponds),
            "left": where(lambda _p, _q: True),
        },
    )
    return tuple(PrimitivePair((p, q), mine[p], *compared(p, q)) for p, q in matching)


def _same_content(one: Mesh, two: Mesh) -> bool:
    return len(one.primitives) == len(two.primitives) and all(
        p.topology == q.topology and np.array_equal(p.positions, q.positions)
        for p, q in zip(one.primitives, two.primitives, strict=True)
    )


def _as_large(a: Primitive, b: Primitive, scale: float) -> Primitive:
    """Return B's primitive scaled to A, if the mesh has the scale difference of the model."""
    if scale == 1.0 or not len(a.positions) or not len(b.positions):
        return b
    sizes = [float(np.ptp(primitive.positions, axis=0).max()) for primitive in (a, b)]
    if min(sizes) <= 0 or not abs(np.log(sizes[1] / sizes[0] / scale)) < abs(
        np.log(sizes[1] / sizes[0])
    ):
        return b
    morph = b.morph
    if morph is not None:
        morph = replace(morph, positions=(morph.positions / np.float32(scale)).astype(np.float32))
    positions = (b.positions / np.float32(scale)).astype(np.float32)
    return replace(b, positions=positions, morph=morph)


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
    same_triangles = equal_arrays(a.indices, b.indices)
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
    own, other = _columns(a), _columns(b)
    columns: tuple[list[F64], list[F64]] = [], []
    for name in own:
        if name in other:
            width = min(own[name].shape[1], other[name].shape[1])
            for side, values in zip(columns, (own[name], other[name]), strict=True):
                side.append(np.nan_to_num(values[:, :width].astype(float), posinf=0, neginf=0))
    return (
        np.concatenate([np.zeros((len(a.positions), 0)), *columns[0]], axis=1),
        np.concatenate([np.zeros((len(b.positions), 0)), *columns[1]], axis=1),
    )


def _columns(primitive: Primitive) -> dict[str, F32 | F64]:
    """Return the attributes [V, C] of the vertices by name."""
    weights, morph = primitive.weights, primitive.morph
    found = {
        "normals": primitive.normals,
        "tangents": primitive.tangents,
        "colours": primitive.colors,
        **{f"texture coordinates {k}": uv for k, uv in enumerate(primitive.texcoords)},
        "weights": None if weights is None else -np.sort(-weights, axis=1),
        "morph": None if morph is None else length(morph.positions.astype(float)).T,
    }
    return {name: values for name, values in found.items() if values is not None}
