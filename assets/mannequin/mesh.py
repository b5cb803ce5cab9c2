"""Meshing of a field's zero surface: surface nets, then isotropic remeshing.

The left half is meshed, with its border on x = 0, and mirrored. Remeshing splits long edges,
collapses short ones, flips edges for regular valence and smooths points along the surface. Its
decisions use points rounded to a micrometre, so that they are equal on all machines.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .bones import F64
from .shapes import Field, gradient

I64 = NDArray[np.int64]
Bool = NDArray[np.bool_]
Size = Callable[[F64], F64]  # points -> the length of edges wanted there

DIGITS = 6
ON = 4e-6  # metres: what is so near to the zero of a field is on it
SHORT = 0.75  # of the length wanted: shorter edges along a crease are joined
SNAP = 0.25  # of an edge's length: points so near to a crease are moved onto it


def nets(field: Field, low: F64, high: F64, cell: float) -> tuple[F64, I64]:
    """Return points and triangles of the zero surface; the first cells are centred on x = 0."""
    counts = np.ceil((high - low) / cell).astype(int)
    corner = np.array((-0.5 * cell, low[1], low[2]))
    values = _samples(field, corner, counts, cell)
    inside = _plain(values < 0.0, values)
    cells = np.zeros(counts - 1, np.int64)
    for ways in np.ndindex(2, 2, 2):
        cells += inside[tuple(slice(c, n - 1 + c) for c, n in zip(ways, counts, strict=True))]
    crossed = (cells > 0) & (cells < 8)
    number = np.full(crossed.shape, -1)
    number[crossed] = np.arange(crossed.sum())
    points = corner + cell * (np.argwhere(crossed) + 0.5)

    quads = []
    for axis in range(3):
        here = [slice(1, -1)] * 3
        there = list(here)
        here[axis], there[axis] = slice(0, -1), slice(1, None)
        starts, ends = inside[tuple(here)], inside[tuple(there)]
        one, two = (axis + 1) % 3, (axis + 2) % 3
        around = []
        for back_one, back_two in ((1, 1), (0, 1), (0, 0), (1, 0)):
            window = [slice(None)] * 3
            window[one] = slice(1 - back_one, number.shape[one] - back_one)
            window[two] = slice(1 - back_two, number.shape[two] - back_two)
            around.append(number[tuple(window)])
        ring = np.stack(around, axis=-1)
        quads += [ring[starts & ~ends], ring[~starts & ends][:, ::-1]]
    ring = np.concatenate(quads)
    return points, np.concatenate((ring[:, (0, 1, 2)], ring[:, (0, 2, 3)]))


def _samples(field: Field, corner: F64, counts: I64, cell: float, block: int = 8) -> F64:
    """Return a field sampled on a grid, without blocks that contain no surface."""
    blocks = -(-counts // block)
    values = np.empty(blocks * block)
    middles = corner + cell * (block * np.argwhere(np.ones(blocks, bool)) + (block - 1) / 2)
    far = field(middles)
    local = np.argwhere(np.ones((block, block, block), bool))
    for place, middle in zip(np.argwhere(np.ones(blocks, bool)), far, strict=True):
        where = tuple(slice(p * block, (p + 1) * block) for p in place)
        values[where] = middle
        if abs(middle) < 1.6 * block * cell:
            found = field(corner + cell * (place * block + local))
            values[where] = found.reshape(block, block, block)
    return values[tuple(slice(0, n) for n in counts)]


def _plain(inside: Bool, values: F64) -> Bool:
    """Change samples until no face of a cell has alternating signs at its corners.

    There four sheets of the surface would share one edge.
    """
    inside = inside.copy()
    changed = True
    while changed:
        changed = False
        for axis in range(3):
            flat, depth = np.moveaxis(inside, axis, 0), np.moveaxis(values, axis, 0)
            a, b = flat[:, :-1, :-1], flat[:, :-1, 1:]
            c, d = flat[:, 1:, :-1], flat[:, 1:, 1:]
            crosswise = (a == d) & (b == c) & (a != b)
            for i, j, k in np.argwhere(crosswise).tolist():
                corners = [(i, j + p, k + q) for p in (0, 1) for q in (0, 1)]
                empty = [corner for corner in corners if not flat[corner]]
                if empty:
                    flat[min(empty, key=lambda corner: (depth[corner], corner))] = True
                    changed = True
    return inside


def settle(field: Field, points: F64, step: float, rounds: int = 2) -> F64:
    """Move points onto the zero of the field by Newton's method, keeping x = 0."""
    middle = points[:, 0] == 0.0
    for _ in range(rounds):
        slope = gradient(field, points)
        slope[middle, 0] = 0.0
        move = (field(points) / np.maximum((slope**2).sum(axis=1), 0.05))[:, None] * slope
        length = np.linalg.norm(move, axis=1, keepdims=True)
        points = points - move * np.minimum(1.0, step / np.maximum(length, 1e-12))
    points = np.round(points, DIGITS)
    points[middle, 0] = 0.0
    return points


def edges_of(triangles: I64) -> tuple[I64, I64]:
    """Return sorted edges [E, 2], and the triangles [E, 2] beside each (-1: none)."""
    ends = np.concatenate([triangles[:, pair] for pair in ((0, 1), (1, 2), (2, 0))]).T
    owner = np.tile(np.arange(len(triangles)), 3)
    count = int(triangles.max()) + 1
    keys, which = np.unique(np.minimum(*ends) * count + np.maximum(*ends), return_inverse=True)
    edges = np.stack(np.divmod(keys, count), axis=1)
    order = np.argsort(which, kind="stable")
    first = np.searchsorted(which[order], np.arange(len(edges)))
    beside = np.full((len(edges), 2), -1)
    beside[:, 0] = owner[order[first]]
    second = first + 1
    pair = second < len(order)
    pair[pair] = which[order[second[pair]]] == np.flatnonzero(pair)
    beside[pair, 1] = owner[order[second[pair]]]
    return edges, beside


class _Lists:
    """A list of numbers for each key 0 … count - 1."""

    def __init__(self, keys: I64, values: I64, count: int) -> None:
        self.values = values[np.argsort(keys, kind="stable")]
        self.starts = np.searchsorted(np.sort(keys), np.arange(count + 1))

    def __getitem__(self, key: int) -> I64:
        return self.values[self.starts[key] : self.starts[key + 1]]

    def joined(self, keys: I64) -> tuple[I64, I64]:
        """Return the lists of keys [N] behind one another: which of the N, and the number."""
        starts = self.starts[keys]
        sizes = self.starts[keys + 1] - starts
        which = np.repeat(np.arange(len(keys)), sizes)
        shift = starts - np.cumsum(sizes) + sizes
        return which, self.values[np.arange(len(which)) + shift[which]]

    def common(self, one: I64, two: I64) -> I64:
        """Return how many numbers [N] the lists of two keys have in common."""
        count = len(self.starts)
        first, second = (which * count + value for which, value in map(self.joined, (one, two)))
        both = np.intersect1d(first, second, assume_unique=True)
        return np.bincount(both // count, minlength=len(one))


class Mesh:
    """The mesh of one half during remeshing."""

    def __init__(self, points: F64, triangles: I64, field: Field, size: Size) -> None:
        self.points, self.triangles = points, triangles
        self.field, self.size = field, size
        self.fixed: Bool = np.zeros(len(points), bool)

    def remesh(self, rounds: int) -> None:
        """Bring edge lengths close to their target."""
        for _ in range(rounds):
            for _ in range(3):
                if not self.split():
                    break
            for _ in range(6):
                if not self.collapse():
                    break
            for _ in range(3):
                self.turn()
            self.relax()

    def crease(self, level: Field, rounds: int = 6) -> None:
        """Insert rows of fixed edges along the zero of a second field on the surface, in metres."""
        for left in reversed(range(rounds)):
            self._cut(level)
            row = self.fixed & (np.abs(level(self.points)) < ON)
            edges, _, ratio = self._lengths()
            on = row[edges].all(axis=1)
            sums, counts = self._sums(edges[on])
            inner = row & (counts == 2) & (self.points[:, 0] != 0.0)
            even = 0.5 * (self.points[inner] + sums[inner] / 2.0)
            self.points[inner] = self._onto(level, even)
            if left > 1:  # of points that are too close, one is let go
                close = np.flatnonzero(on & (ratio < SHORT))
                kept = np.zeros(len(row), bool)
                for a, b in edges[close[np.argsort(ratio[close], kind="stable")]].tolist():
                    if inner[b] and not (kept[a] or kept[b]):
                        self.fixed[b] = False
                        kept[[a, b]] = True
            self.remesh(1)

    def _cut(self, level: Field) -> None:
        """Move points near the zero of a field onto it, and divide the edges that cross it."""
        slope, across = gradient(level, self.points), gradient(self.field, self.points)
        across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12)
        steep = np.linalg.norm(slope - (slope * across).sum(axis=1)[:, None] * across, axis=1)
        away = np.abs(level(self.points)) / np.maximum(steep, 0.05)
        near = (away < SNAP * self.size(self.points)) & ~self.fixed
        self.points[near] = self._onto(level, self.points[near])
        self.fixed |= near
        while True:
            edges, beside = edges_of(self.triangles)
            values = level(self.points)
            values[np.abs(values) < ON] = 0.0
            one, two = values[edges].T
            crosses = one * two < 0.0
            a, b = self.points[edges[crosses]].swapaxes(0, 1)
            share = (one[crosses] / (one - two)[crosses])[:, None]
            places = self._onto(level, a + share * (b - a))
            start = len(self.points)
            cuts = zip(edges[crosses], beside[crosses], places, strict=True)
            if not self.divide(list(cuts)):
                break
            self.fixed[start:] = True

    def _onto(self, level: Field, points: F64) -> F64:
        """Return points moved to where both the surface's field and a second one are zero."""
        middle = points[:, 0] == 0.0
        for _ in range(8):
            slopes = [gradient(field, points) for field in (self.field, level)]
            for slope in slopes:
                slope[middle, 0] = 0.0
            one, two = slopes
            a, b, c = ((p * q).sum(axis=1) for p, q in ((one, one), (one, two), (two, two)))
            f, g = self.field(points), level(points)
            size = np.maximum(a * c - b * b, 0.02)
            move = ((c * f - b * g) / size)[:, None] * one + ((a * g - b * f) / size)[:, None] * two
            long = np.sqrt((move**2).sum(axis=1, keepdims=True))
            points = points - move * np.minimum(1.0, 0.003 / np.maximum(long, 1e-12))
        return np.round(points, DIGITS)

    def _sums(self, edges: I64) -> tuple[F64, F64]:
        """Return the sums [V, 3] and counts [V] of the other ends of each point's edges."""
        sums, counts = np.zeros_like(self.points), np.zeros(len(self.points))
        for i in (0, 1):
            np.add.at(sums, edges[:, i], self.points[edges[:, 1 - i]])
            np.add.at(counts, edges[:, i], 1.0)
        return sums, counts

    def _lengths(self) -> tuple[I64, I64, F64]:
        """Return edges, the triangles beside them, and their lengths over the target length."""
        edges, beside = edges_of(self.triangles)
        a, b = self.points[edges[:, 0]], self.points[edges[:, 1]]
        long = np.sqrt(((a - b) ** 2).sum(axis=1))
        return edges, beside, np.round(long / self.size(0.5 * (a + b)), 6)

    def split(self, limit: float = 4.0 / 3.0) -> int:
        """Split edges that are too long, longest first, at most one per triangle."""
        edges, beside, ratio = self._lengths()
        wanted = (ratio > limit) & ~self.fixed[edges].all(axis=1)
        chosen = np.flatnonzero(wanted)
        chosen = chosen[np.argsort(-ratio[chosen], kind="stable")]
        return self.divide([(edges[e], beside[e], None) for e in chosen])

    def divide(self, cuts: list[tuple[I64, I64, F64 | None]]) -> int:
        """Insert a point on each edge (default: its middle) with so far unchanged triangles."""
        used = np.zeros(len(self.triangles), bool)
        points: list[F64] = []
        extra: list[I64] = []
        triangles = self.triangles.copy()
        for (a, b), beside, place in cuts:
            own = [t for t in beside if t >= 0]
            if used[own].any():
                continue
            used[own] = True
            new = len(self.points) + len(points)
            points.append(0.5 * (self.points[a] + self.points[b]) if place is None else place)
            for t in own:
                corners = triangles[t].copy()
                triangles[t] = np.where(corners == a, new, corners)
                extra.append(np.where(corners == b, new, corners))
        if points:
            self.points = np.concatenate((self.points, np.array(points)))
            self.fixed = np.concatenate((self.fixed, np.zeros(len(points), bool)))
            self.triangles = np.concatenate((triangles, np.array(extra)))
        return len(points)

    def collapse(self, limit: float = 0.8) -> int:
        """Collapse edges that are too short, shortest first, if they are not neighbours."""
        edges, beside, ratio = self._lengths()
        near = _Lists(edges.ravel(), edges[:, ::-1].ravel(), len(self.points))
        short = np.flatnonzero(ratio < limit)
        short = short[np.argsort(ratio[short], kind="stable")]
        a, b = edges[short].T
        places, meet = self._meeting(a, b)
        on_border = beside[short, 1] < 0
        middle = self.points[:, 0] == 0.0
        meet &= near.common(a, b) == np.where(on_border, 1, 2)
        meet &= on_border | ~(middle[a] & middle[b])
        meet[meet] = self._keeps_facing(a[meet], b[meet], places[meet])
        # what is around an edge changes only with its neighbours, and these are locked
        locked = np.zeros(len(self.points), bool)
        chosen = []
        for k in np.flatnonzero(meet).tolist():
            if locked[a[k]] or locked[b[k]]:
                continue
            chosen.append(k)
            locked[near[a[k]]] = locked[near[b[k]]] = True
        a, b = a[chosen], b[chosen]
        self.points[a] = places[chosen]
        self.fixed[a] |= self.fixed[b]
        number = np.arange(len(self.points))
        number[b] = a
        triangles = number[self.triangles]
        self.triangles = triangles[(triangles != np.roll(triangles, 1, axis=1)).all(axis=1)]
        self._drop_unused()
        return len(chosen)

    def _meeting(self, a: I64, b: I64) -> tuple[F64, Bool]:
        """Return the points [E, 3] to which edges collapse, and whether they can.

        It is a fixed end, the end on x = 0, or the middle.
        """
        one, two = self.points[a], self.points[b]
        fixed = self.fixed[a] | self.fixed[b]
        on_middle = one[:, 0] == 0.0
        single = on_middle != (two[:, 0] == 0.0)
        first = np.where(fixed, self.fixed[a], on_middle)
        ends = np.where(first[:, None], one, two)
        places = np.where((fixed | single)[:, None], ends, 0.5 * (one + two))
        both_fixed = self.fixed[a] & self.fixed[b]
        return places, ~both_fixed & ~(fixed & single & (ends[:, 0] != 0.0))

    def _keeps_facing(self, a: I64, b: I64, places: F64) -> Bool:
        """Return whether no triangle around edges [E] is flipped if they collapse to `places`."""
        triangle = np.repeat(np.arange(len(self.triangles)), 3)
        owned = _Lists(self.triangles.ravel(), triangle, len(self.points))
        keeps = np.ones(len(a), bool)
        for one, two in ((a, b), (b, a)):
            edge, around = owned.joined(one)
            corners = self.triangles[around]
            moves = corners == one[edge, None]
            before = self.points[corners]
            after = np.where(moves[:, :, None], places[edge, None], before)
            flips = ~(_facing(before, after) > 0.3) & (corners != two[edge, None]).all(axis=1)
            keeps[edge[flips]] = False
        return keeps

    def _drop_unused(self) -> None:
        used = np.zeros(len(self.points), bool)
        used[self.triangles.ravel()] = True
        number = np.cumsum(used) - 1
        self.points, self.fixed = self.points[used], self.fixed[used]
        self.triangles = number[self.triangles]

    def turn(self) -> int:
        """Flip edges that bring valences closer to six (four on the border)."""
        edges, beside = edges_of(self.triangles)
        valence = np.bincount(edges.ravel(), minlength=len(self.points))
        wanted = np.full(len(self.points), 6)
        border = np.unique(edges[beside[:, 1] < 0])
        wanted[border] = 4
        chord = self._chords(edges, beside)
        inner = np.flatnonzero((beside[:, 1] >= 0) & (chord | ~self.fixed[edges].all(axis=1)))
        one, two = self.triangles[beside[inner, 0]], self.triangles[beside[inner, 1]]
        c = one.sum(axis=1) - edges[inner].sum(axis=1)
        d = two.sum(axis=1) - edges[inner].sum(axis=1)
        a, b = edges[inner].T
        off = valence - wanted
        gain = off[a] ** 2 + off[b] ** 2 + off[c] ** 2 + off[d] ** 2
        gain = gain - (off[a] - 1) ** 2 - (off[b] - 1) ** 2 - (off[c] + 1) ** 2 - (off[d] + 1) ** 2
        gain[chord[inner]] += 100
        best = np.flatnonzero(gain > 0)
        best = best[np.argsort(-gain[best], kind="stable")]
        a, b, c, d = a[best], b[best], c[best], d[best]
        beside = beside[inner[best]]
        one, two = self.triangles[beside].swapaxes(0, 1)
        first = np.where(one == b[:, None], d[:, None], one)
        second = np.where(two == a[:, None], c[:, None], two)
        count = len(self.points)
        known = np.isin(np.minimum(c, d) * count + np.maximum(c, d), edges @ np.array((count, 1)))
        on_middle = (self.points[c, 0] == 0.0) & (self.points[d, 0] == 0.0)
        turns = ~known & ~on_middle
        least = np.where(chord[inner[best]], 0.0, 0.5)  # a chord's triangle may lie across
        for before, after in ((one, first), (two, second)):
            turns &= _facing(self.points[before], self.points[after]) > least
        locked = np.zeros(count, bool)
        chosen = []
        for k in np.flatnonzero(turns).tolist():
            corners = [a[k], b[k], c[k], d[k]]
            if not locked[corners].any():
                locked[corners] = True
                chosen.append(k)
        self.triangles[beside[chosen, 0]] = first[chosen]
        self.triangles[beside[chosen, 1]] = second[chosen]
        return len(chosen)

    def _chords(self, edges: I64, beside: I64) -> Bool:
        """Return which edges [E] are the longest of a triangle with three fixed corners."""
        corners = self.points[edges]
        long = ((corners[:, 0] - corners[:, 1]) ** 2).sum(axis=1)
        longest = np.zeros(len(self.triangles))
        for side in beside.T:
            np.maximum.at(longest, side[side >= 0], long[side >= 0])
        full = np.asarray(self.fixed[self.triangles].all(axis=1))
        return (full[beside] & (long[:, None] == longest[beside]) & (beside >= 0)).any(axis=1)

    def relax(self) -> None:
        """Move points to the centre of their neighbours, and back onto the surface."""
        edges, beside = edges_of(self.triangles)
        middle = self.points[:, 0] == 0.0
        for _ in range(3):
            a, b, c = (self.points[self.triangles[:, i]] for i in range(3))
            area = np.sqrt((np.cross(b - a, c - a) ** 2).sum(axis=1)) + 1e-12
            share = area / self.size((a + b + c) / 3.0) ** 2
            total, weight = np.zeros_like(self.points), np.zeros(len(self.points))
            for i in range(3):
                np.add.at(total, self.triangles[:, i], share[:, None] * (a + b + c) / 3.0)
                np.add.at(weight, self.triangles[:, i], share)
            goal = total / weight[:, None]
            # the border's points stay between their neighbours on the border
            sums, counts = self._sums(edges[beside[:, 1] < 0])
            on = counts > 0
            goal[on] = sums[on] / counts[on][:, None]
            slope = gradient(self.field, self.points)
            slope /= np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), 1e-12)
            slope[middle, 0] = 0.0
            move = goal - self.points
            move -= (move * slope).sum(axis=1, keepdims=True) * slope
            move[self.fixed] = 0.0
            self.points = self.points + 0.6 * move
            self.points[middle, 0] = 0.0
            settled = settle(self.field, self.points, 0.003, 1)
            self.points = np.where(self.fixed[:, None], self.points, settled)


def _facing(before: F64, after: F64) -> F64:
    """Return the cosines between the normals of triangles [T, 3, 3] before and after a change."""

    def normal(corners: F64) -> F64:
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        return across / np.maximum(np.sqrt((across**2).sum(axis=1, keepdims=True)), 1e-15)

    return (normal(before) * normal(after)).sum(axis=1)
