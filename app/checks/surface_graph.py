"""The surface of a mesh as a graph: its vertices by position, and which are next to each other.

Vertices are split at the seams of texture coordinates and normals. Those at the same position with
the same values are one node here; those with other values are two nodes that touch: a seam with
a wrong vertex, or two parts.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..animation.types import F32, F64, Bool, Index
from ..model.model import MeshInstance, Model, Primitive

_DIGITS = 5  # to which values are compared
MOST_ISLANDS = 256  # whose contacts are looked for
CONTACTS = 8  # nodes of other islands beside one
MOST = 1 << 25  # weights of a mesh
_SLOTS = 8  # the most influences of a vertex
_CHUNK = 1 << 19  # values processed at once: bounds memory


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceGraph:
    """N nodes with S values each, weights of joints or displacements; E edges; T triangles.

    Edges go both ways and are sorted by the node that they begin at. V vertices have the nodes.
    """

    points: F64  # [N, 3] mesh space
    values: F32  # [N, S]
    columns: Index  # [S] what the values are of: entries of a skin that are used
    begin: Index  # [E] nodes
    end: Index  # [E] nodes
    touching: Bool  # [E] no triangle joins the two nodes, which are at the same position
    first: Index  # [N + 1] the first edge of each node
    triangles: Index  # [T, 3] nodes
    island: Index  # [N] nodes that triangles join are of the same island
    parts: Index  # [V] primitive of the mesh
    rows: Index  # [V] vertex of the primitive
    nodes: Index  # [V]

    @property
    def count(self) -> int:
        """N."""
        return len(self.points)

    def differences(self, edges: Index) -> tuple[Index, F32]:
        """Return the nodes [n] at which some edges begin, and how much their values differ.

        The differences [n, S] are the sums, over their edges, of the node's values less those at
        the other end.
        """
        begin = self.begin[edges]
        starts = np.flatnonzero(np.append(True, begin[1:] != begin[:-1]))[: len(edges)]
        sums = np.empty((len(starts), self.values.shape[1]), np.float32)
        bounds = np.append(starts, len(edges))
        most = max(1, _CHUNK // max(self.values.shape[1], 1))
        for k in range(0, len(starts), most):
            low, high = bounds[k], bounds[min(k + most, len(starts))]
            steps = self.values[begin[low:high]] - self.values[self.end[edges[low:high]]]
            sums[k : k + most] = np.add.reduceat(steps, starts[k : k + most] - low)
        return begin[starts], sums

    def around(self, nodes: Index) -> tuple[Index, Index]:
        """Return the edges [m] that begin at nodes [n], and for each the index of its node."""
        begin, counts = self.first[nodes], self.first[nodes + 1] - self.first[nodes]
        owners = np.repeat(np.arange(len(nodes)), counts)
        offsets = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
        return begin[owners] + offsets, owners

    def vertices_of(self, nodes: Index) -> tuple[Index, Index]:
        """Return the primitives and the rows of the vertices of some nodes."""
        inside = np.zeros(self.count, bool)
        inside[nodes] = True
        found = inside[self.nodes]
        return self.parts[found], self.rows[found]


def island_contacts(surface: SurfaceGraph, gap: float) -> SurfaceGraph:
    """Return a surface with other edges: from a node of each island to the nearest of others.

    The node is where another island is near, at most `gap` away; without edges if there are too
    many islands.
    """
    islands = np.unique(surface.island)
    begin, end = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    for island in islands.tolist() if 1 < len(islands) <= MOST_ISLANDS else ():
        own = surface.island == island
        inside, outside = np.flatnonzero(own), np.flatnonzero(~own)
        middle = surface.points[inside].mean(axis=0)
        other = outside[_squares(surface.points[outside], middle).argmin()]
        node = inside[_squares(surface.points[inside], surface.points[other]).argmin()]
        squares = _squares(surface.points[outside], surface.points[node])
        nearest = np.argsort(squares, kind="stable")[:CONTACTS]
        if squares[nearest[0]] <= gap * gap:
            end.append(outside[nearest])
            begin.append(np.full(len(nearest), node))
    edges = np.concatenate(begin)
    order = np.argsort(edges, kind="stable")
    return replace(
        surface,
        begin=edges[order],
        end=np.concatenate(end)[order],
        touching=np.ones(len(edges), bool),
        first=np.searchsorted(edges[order], np.arange(surface.count + 1)),
    )


def _squares(points: F64, point: F64) -> F64:
    """Return the squares [n] of the distances of points [n, 3] from one."""
    return ((points - point) ** 2).sum(axis=1)


def skinned_surface(model: Model, instance: MeshInstance) -> SurfaceGraph | None:
    """Return the triangles of a mesh with the weights [N, S] of the joints that it uses.

    None: it has no skin, no triangles, or no weights, or vertices times joints exceed `MOST`.
    """
    parts, entries, weights = [], [], []
    for number, part in enumerate(model.meshes[instance.mesh].primitives):
        if part.triangle_count and part.joints is not None and part.weights is not None:
            more = ((0, 0), (0, _SLOTS - part.joints.shape[1]))
            parts.append((number, part))
            entries.append(np.pad(part.joints, more).astype(np.intp))
            weights.append(np.pad(part.weights, more))
    if not parts or instance.skin < 0:
        return None
    used, shares = np.concatenate(entries), np.concatenate(weights)
    columns = np.unique(used[shares != 0])
    if not 0 < len(columns) * len(used) <= MOST:
        return None
    used = np.minimum(np.searchsorted(columns, used), len(columns) - 1)

    def values(rows: Index) -> F32:
        dense = np.zeros((len(rows), len(columns)), np.float32)
        np.add.at(dense, (np.arange(len(rows))[:, None], used[rows]), shares[rows])
        return dense

    codes = (shares * _factors(len(columns))[used]).sum(axis=1)
    return _graph(parts, codes, values, columns)


def morphed_surface(model: Model, instance: MeshInstance) -> SurfaceGraph | None:
    """Return the morphed triangles of a mesh with their displacements [N, M * 3].

    None: it has no triangles that its targets displace.
    """
    parts = [
        (number, part)
        for number, part in enumerate(model.meshes[instance.mesh].primitives)
        if part.triangle_count and part.morph is not None and part.morph.positions.any()
    ]
    found = [
        part.morph.positions.transpose(1, 0, 2).reshape(len(part.positions), -1)
        for _, part in parts
        if part.morph is not None
    ]
    if instance.channel < 0 or len({each.shape[1] for each in found}) != 1:
        return None
    deltas = np.concatenate(found)
    codes = deltas @ _factors(deltas.shape[1])
    codes /= max(np.abs(deltas).max(), 1e-30)
    return _graph(parts, codes, lambda rows: deltas[rows], np.arange(deltas.shape[1]))


def _factors(count: int) -> F64:
    """Return factors by which different values have different sums."""
    return np.random.default_rng(1).uniform(0.5, 1.5, count)


def _graph(
    parts: Sequence[tuple[int, Primitive]],
    codes: F64,
    values: Callable[[Index], F32],
    columns: Index,
) -> SurfaceGraph:
    """Return the graph of primitives, which have numbers, with a code [V] for their values.

    `values` returns the values [n, S] of some vertices [n].
    """
    counts = [len(part.positions) for _, part in parts]
    starts = np.cumsum([0, *counts])
    points = np.concatenate([part.positions for _, part in parts]).astype(np.float64)
    nodes, kept = unique_rows((*points.T, np.round(codes, _DIGITS)))
    corners = np.concatenate(
        [
            start + (np.arange(len(part.positions)) if part.indices is None else part.indices)
            for (_, part), start in zip(parts, starts[:-1], strict=True)
        ]
    ).astype(np.intp)
    count = len(kept)
    triangles = nodes[corners[: len(corners) // 3 * 3]].reshape(-1, 3)
    begin, end, touching = _edges(triangles, points[kept])
    return SurfaceGraph(
        points=points[kept],
        values=values(kept),
        columns=columns,
        begin=begin,
        end=end,
        touching=touching,
        first=np.searchsorted(begin, np.arange(count + 1)),
        triangles=triangles,
        island=connected(count, begin[~touching], end[~touching]),
        parts=np.repeat([number for number, _ in parts], counts),
        rows=np.concatenate([np.arange(each) for each in counts]),
        nodes=nodes,
    )


def unique_rows(columns: Iterable[F64]) -> tuple[Index, Index]:
    """Return for rows of columns [V] their numbers [V] among the different ones, and one of each.

    They are numbered in the order of the columns.
    """
    columns = list(columns)
    order = np.lexsort(columns[::-1])
    new = np.zeros(len(order), bool)
    new[:1] = True
    for column in columns:
        placed = column[order]
        new[1:] |= placed[1:] != placed[:-1]
    numbers = np.empty(len(order), np.intp)
    numbers[order] = np.cumsum(new) - 1
    return numbers, order[new]


def _edges(triangles: Index, points: F64) -> tuple[Index, Index, Bool]:
    """Return the edges of triangles [T, 3] of nodes with points [N, 3], sorted by position."""
    count = len(points)
    used = np.zeros(count, bool)
    used[triangles] = True
    sides = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    sides = sides[sides[:, 0] != sides[:, 1]]
    same = (points[1:] == points[:-1]).all(axis=1) & used[1:] & used[:-1]
    pairs = np.flatnonzero(same)[:, None] + [0, 1]
    keys = [np.unique((ends @ [[count, 1], [1, count]]).ravel()) for ends in (sides, pairs)]
    keys[1] = np.setdiff1d(keys[1], keys[0])
    every, touching = np.concatenate(keys), np.repeat([False, True], [len(each) for each in keys])
    order = np.argsort(every, kind="stable")
    return every[order] // count, every[order] % count, touching[order]


def connected(count: int, one: Index, other: Index) -> Index:
    """Return for `count` things the least number of those connected with it by pairs [E]."""
    label = np.arange(count)
    while len(one):
        here, there = label[one], label[other]
        low = np.minimum(here, there)
        np.minimum.at(label, here, low)
        np.minimum.at(label, there, low)
        while True:
            deeper = label[label]
            if (deeper == label).all():
                break
            label = deeper
        apart = label[one] != label[other]
        one, other = one[apart], other[apart]
    return label
