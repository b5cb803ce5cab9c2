"""The cells of a two-dimensional blend space: Delaunay triangles, and unsplit rectangles.

The plane is centred and divided by the points' extent.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np

from ..animation.types import F64, Bool, Index

SAME = 1e-12  # of the extent: smaller differences are rounding
NOTHING = 1e-9  # smaller weights are 0
Cell = tuple[int, ...]
FLAT = 1e-7  # height of a triangle over its longest side; flatter triangles are degenerate
NARROW = 1e-5  # width of a set of points over its length; narrower sets are collinear
Side = tuple[int, int]


def cut(points: F64, rectangles: Sequence[Cell]) -> Iterator[Cell]:
    """Yield the cells, each as indices of its corners, counter-clockwise.

    Parameters
    ----------
    points
        [n, 2] distinct points of an extent of 1. Collinear points have no cells.
    rectangles
        Required cells: they do not overlap, and no other point is in or on one.

    Notes
    -----
    The result does not depend on the order of the points: all tests are exact, and of the two
    diagonals of four points on a circle, the one from the leftmost point (of equal ones the
    lowest) is taken.

    Points are joined from left to right and sides flipped until all are Delaunay (C. L. Lawson,
    "Software for C1 surface interpolation", 1977; M. de Berg et al., "Computational Geometry",
    3rd ed., section 9.3). Missing sides of rectangles are inserted by flips (S. W. Sloan, "A fast
    algorithm for generating constrained Delaunay triangulations", 1993).
    """
    yield from rectangles
    if sum(np.ptp(points[list(cell)], axis=0).prod() for cell in rectangles) > 1.0 - 1e-9:
        return
    if len(points) < 3 or np.linalg.svd(points - points.mean(axis=0), compute_uv=False)[1] < NARROW:
        return
    net = _Net(points)
    net.relax()
    for cell in rectangles:
        for side in zip(cell, (*cell[1:], cell[0]), strict=True):
            net.force(*side)
    net.relax()
    whole = {frozenset(cell) for cell in rectangles}
    for triangle in net.triangles():
        inside = any(rectangle.issuperset(triangle) for rectangle in whole)
        if not inside and not _is_flat(points[list(triangle)]):
            yield triangle


class _Net:
    """Triangles as a map from each side, counter-clockwise, to the opposite corner."""

    def __init__(self, points: F64) -> None:
        self._at = _as_integers(points)
        self._opposite: dict[Side, int] = {}
        self._fixed: set[Side] = set()
        lower: list[int] = []  # the border below and above, from left to right
        upper: list[int] = []
        for new in sorted(range(len(points)), key=self._at.__getitem__):
            while len(lower) > 1 and self._turn(lower[-2], lower[-1], new) < 0:
                self._add(lower.pop(), lower[-1], new)
            while len(upper) > 1 and self._turn(upper[-2], upper[-1], new) > 0:
                last = upper.pop()
                self._add(upper[-1], last, new)
            lower.append(new)
            upper.append(new)

    def triangles(self) -> list[Cell]:
        """Return all triangles, each once, in the order of their corners."""
        return sorted((a, b, c) for (a, b), c in self._opposite.items() if a < b and a < c)

    def force(self, a: int, b: int) -> None:
        """Make the line from a to b a side by flipping the sides that cross it."""
        self._fixed |= {(a, b), (b, a)}
        if (a, b) in self._opposite or (b, a) in self._opposite:
            return
        crossing = deque(side for side in self._opposite if self._crosses(side, a, b))
        while crossing:
            side = crossing.popleft()
            new = self._flip(*side)
            if new is None:
                crossing.append(side)
            elif self._crosses(new, a, b):
                crossing.append(new)

    def relax(self) -> None:
        """Flip sides that are not Delaunay, except forced ones."""
        suspects = deque(side for side in self._opposite if side[0] < side[1])
        while suspects:
            a, b = suspects.popleft()
            if (a, b) in self._fixed or not self._is_wrong(a, b):
                continue
            c, d = self._opposite[a, b], self._opposite[b, a]
            if self._flip(a, b) is not None:
                suspects.extend(((a, c), (c, b), (b, d), (d, a)))

    def _add(self, a: int, b: int, c: int) -> None:
        self._opposite.update({(a, b): c, (b, c): a, (c, a): b})

    def _turn(self, a: int, b: int, c: int) -> int:
        """Return a number of the sign of a triangle's area, negative if it is clockwise."""
        (ax, ay), (bx, by), (cx, cy) = self._at[a], self._at[b], self._at[c]
        return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)

    def _crosses(self, side: Side, a: int, b: int) -> bool:
        """Return whether a side inside the net crosses the line from a to b between its ends."""
        c, d = side
        if {a, b} & {c, d} or (d, c) not in self._opposite or c > d:
            return False
        apart = self._turn(a, b, c) * self._turn(a, b, d) < 0
        return apart and self._turn(c, d, a) * self._turn(c, d, b) < 0

    def _flip(self, a: int, b: int) -> Side | None:
        """Flip the diagonal of the two triangles at a side and return it; None: not convex."""
        c, d = self._opposite[a, b], self._opposite[b, a]
        if self._turn(c, d, b) <= 0 or self._turn(d, c, a) <= 0:
            return None
        del self._opposite[a, b], self._opposite[b, a]
        self._add(c, d, b)
        self._add(d, c, a)
        return (c, d) if c < d else (d, c)

    def _is_wrong(self, a: int, b: int) -> bool:
        """Return whether the far corner is inside the circumcircle of the triangle at a side."""
        c, d = self._opposite.get((a, b)), self._opposite.get((b, a))
        if c is None or d is None:
            return False
        inside = self._in_circle(a, b, c, d)
        if inside == 0:
            return min(self._at[c], self._at[d]) < min(self._at[a], self._at[b])
        return inside > 0

    def _in_circle(self, a: int, b: int, c: int, d: int) -> int:
        """Return a number > 0 for d inside the circle through a, b, c, 0 for d on it."""
        x, y = self._at[d]
        (ax, ay), (bx, by), (cx, cy) = ((u - x, v - y) for u, v in (self._at[k] for k in (a, b, c)))
        return (
            (ax * ax + ay * ay) * (bx * cy - by * cx)
            + (bx * bx + by * by) * (cx * ay - cy * ax)
            + (cx * cx + cy * cy) * (ax * by - ay * bx)
        )


def _as_integers(points: F64) -> list[tuple[int, int]]:
    """Return the coordinates times a common power of two: exact integers."""
    ratios = [[value.as_integer_ratio() for value in point] for point in points.tolist()]
    scale = max(below for point in ratios for _, below in point)
    return [
        (x * (scale // below_x), y * (scale // below_y)) for (x, below_x), (y, below_y) in ratios
    ]


def _is_flat(corners: F64) -> bool:
    """Return whether a triangle [3, 2] is degenerate."""
    sides = corners - np.roll(corners, 1, axis=0)
    area = abs(sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0])
    return bool(area <= FLAT * (sides**2).sum(axis=1).max())


class Triangulation:
    """Weights over a set of distinct points within [-0.5, 0.5].

    Parameters
    ----------
    plane
        [n, 2].
    """

    def __init__(self, plane: F64) -> None:
        points = _snapped(plane)
        rectangles = _rectangles(points)
        self.cells: tuple[Cell, ...] = tuple(cut(points, rectangles))
        three = [cell for cell in self.cells if len(cell) == 3]
        self.triangles: Index = np.array(three, np.intp).reshape(-1, 3)
        border = _border(self.cells) if self.cells else _row(points)
        self.hull: Index = np.array(border, np.intp).reshape(-1, 2)
        self._count = len(points)
        self._mirrors = _mirrors(points, self.cells)
        self._square: Bool = np.array([len(cell) == 4 for cell in self.cells], bool)
        # corner o, and the map from o + s a + t b to (s, t); a rectangle's fourth is o + a + b
        origin, a, b = (points[[cell[k] for cell in self.cells]].reshape(-1, 2) for k in (0, 1, -1))
        sides = np.stack((a - origin, b - origin), axis=-1)
        self._to_cell = np.asarray(np.linalg.inv(sides), np.float64)  # [C, 2, 2]
        self._at_origin: F64 = np.einsum("cij,cj->ci", self._to_cell, origin)
        fourth = [cell[2] if len(cell) == 4 else self._count for cell in self.cells]
        corners = [(cell[0], cell[1], cell[-1]) for cell in self.cells]
        self._corners: Index = np.column_stack(
            (np.array(corners, np.intp).reshape(-1, 3), np.array(fourth, np.intp))
        )
        self._start: F64 = points[self.hull[:, 0]]  # [E, 2]
        self._along: F64 = points[self.hull[:, 1]] - self._start
        self._length2: F64 = np.einsum("ei,ei->e", self._along, self._along)

    def weights(self, place: F64) -> F64:
        """Return the weights [..., n] at positions [..., 2]; weights below NOTHING are 0."""
        total = np.zeros((*place.shape[:-1], self._count))
        for flip, clips in self._mirrors:
            total += self._plain(place * flip)[..., clips]
        total[total < NOTHING] = 0.0
        return total / total.sum(axis=-1, keepdims=True)

    def _plain(self, place: F64) -> F64:
        """Return the weights of these cells, without averaging mirror images."""
        out = np.zeros((*place.shape[:-1], self._count + 1))  # the last: unused
        if not len(self.hull):
            out[..., 0] = 1.0
            return out[..., :-1]
        ends, shares = self._on_border(place)
        np.put_along_axis(out, ends, shares, -1)
        if self.cells:
            depth, corners, within = self._in_cell(place)
            inside = depth >= -NOTHING
            cell = np.zeros_like(out)
            np.put_along_axis(cell, corners, np.maximum(within, 0.0), -1)
            out = np.where(inside[..., None], cell, out)
        return out[..., :-1]

    def _in_cell(self, place: F64) -> tuple[F64, Index, F64]:
        """Return the depth of positions in their cell, its corners [..., 4] and their weights."""
        st = np.einsum("cij,...j->...ci", self._to_cell, place) - self._at_origin
        s, t = st[..., 0], st[..., 1]
        across = np.where(self._square, np.minimum(1.0 - s, 1.0 - t), 1.0 - s - t)
        depth = np.minimum(np.minimum(s, t), across)
        best = np.argmax(depth, axis=-1)[..., None]
        s, t = np.take_along_axis(s, best, -1)[..., 0], np.take_along_axis(t, best, -1)[..., 0]
        st_corner = np.where(self._square[best[..., 0]], s * t, 0.0)
        within = np.stack((1.0 - s - t + st_corner, s - st_corner, t - st_corner, st_corner), -1)
        return np.take_along_axis(depth, best, -1)[..., 0], self._corners[best[..., 0]], within

    def _on_border(self, place: F64) -> tuple[Index, F64]:
        """Return the two points [..., 2] around the nearest border point, and their weights."""
        away = place[..., None, :] - self._start
        share = np.clip(np.einsum("...ei,ei->...e", away, self._along) / self._length2, 0.0, 1.0)
        rest = away - share[..., None] * self._along
        if self.cells:
            distance = np.einsum("...ei,...ei->...e", rest, rest)  # squared
        else:  # only along the line: far from it, all squares are equal up to rounding
            distance = np.abs(rest @ (self._start[-1] + self._along[-1] - self._start[0]))
        best = np.argmin(distance, axis=-1)[..., None]
        nearest = np.take_along_axis(share, best, -1)
        shares = np.concatenate((1.0 - nearest, nearest), axis=-1)
        return self.hull[best[..., 0]], shares


def _snapped(plane: F64) -> F64:
    """Return the points with coordinates equalised that differ only by rounding."""
    out = plane.copy()
    for axis in (0, 1):
        order = np.argsort(plane[:, axis], kind="stable")
        values = plane[order, axis]
        group = np.cumsum(np.diff(values, prepend=values[0]) > SAME)
        _, first = np.unique(group, return_index=True)
        out[order, axis] = values[first][group]
    return out


def _rectangles(points: F64) -> list[Cell]:
    """Return empty axis-aligned rectangles, counter-clockwise, without overlaps.

    Two can only overlap like the beams of a cross. The one with the shorter diagonal is kept (of
    equal ones the narrower), which is symmetric under mirroring.
    """
    index = {(x, y): k for k, (x, y) in enumerate(points.tolist())}
    found: list[tuple[float, float, Cell]] = []
    for low, (x, y) in enumerate(points.tolist()):
        right, up = (_next(points, low, axis) for axis in (0, 1))
        far = index.get((points[right, 0], points[up, 1]), low)
        if x < points[far, 0] and y < points[far, 1] and _count(points, low, far) == 4:
            width, height = points[far] - points[low]
            diagonal = round(float(np.hypot(width, height)), 9)
            found.append((diagonal, float(width), (low, right, far, up)))
    found.sort()
    low_corners, high_corners = (points[[cell[k] for _, _, cell in found]] for k in (0, 2))
    kept: list[int] = []
    for k in range(len(found)):
        common_low = np.maximum(low_corners[kept], low_corners[k])
        common_high = np.minimum(high_corners[kept], high_corners[k])
        if not (common_high - common_low > SAME).all(axis=1).any():
            kept.append(k)
    return [found[k][2] for k in kept]


def _next(points: F64, at: int, axis: int) -> int:
    """Return the next point on the same line in the direction of an axis, else the same point."""
    ahead = (points[:, 1 - axis] == points[at, 1 - axis]) & (points[:, axis] > points[at, axis])
    return int(np.argmin(np.where(ahead, points[:, axis], np.inf))) if ahead.any() else at


def _count(points: F64, low: int, high: int) -> int:
    """Return the number of points inside a rectangle or on its border."""
    within = (points >= points[low] - SAME) & (points <= points[high] + SAME)
    return int(within.all(axis=1).sum())


def _border(cells: tuple[Cell, ...]) -> list[tuple[int, int]]:
    """Return the sides that belong to only one cell."""
    sides = [side for cell in cells for side in zip(cell, (*cell[1:], cell[0]), strict=True)]
    once = set(sides)
    return [(a, b) for a, b in sides if (b, a) not in once]


def _row(points: F64) -> list[tuple[int, int]]:
    """Return the edges between collinear points, in order along the line."""
    spread = points - points[0]
    far = spread[np.argmax(np.einsum("ni,ni->n", spread, spread))]
    order = np.argsort(spread @ far, kind="stable").tolist()
    return list(pairwise(order))


def _mirrors(points: F64, cells: tuple[Cell, ...]) -> list[tuple[F64, Index]]:
    """Return the flips [2] to average over, each with the mirrored clip of each clip.

    The triangulation of a mirror-symmetric set of points need not be symmetric, because more than
    three points on a circle can be triangulated in several ways. The mean over the mirror images
    is symmetric. The first is the identity; it is the only one if the cells are symmetric already.
    """
    plain = np.ones(2), np.arange(len(points))
    flips = [np.array(flip) for flip in ((-1.0, 1.0), (1.0, -1.0))]
    partners = [_partners(points, flip) for flip in flips]
    mirrors = [(f, p) for f, p in zip(flips, partners, strict=True) if p is not None]
    shapes = {frozenset(cell) for cell in cells}
    if all({frozenset(p[list(s)].tolist()) for s in shapes} == shapes for _, p in mirrors):
        return [plain]
    for (f, p), (g, q) in combinations(mirrors, 2):
        mirrors = [*mirrors, (f * g, p[q])]
    return [plain, *mirrors]


def _partners(points: F64, flip: F64) -> Index | None:
    """Return the mirror image [n] of each point among the points, None if one has none."""
    apart = np.abs((points * flip)[:, None] - points[None]).max(axis=-1)
    nearest = np.argmin(apart, axis=1)
    return nearest if (apart.min(axis=1) < 4 * NOTHING).all() else None
