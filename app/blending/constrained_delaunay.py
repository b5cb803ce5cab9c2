"""Constrained Delaunay triangulation of the plane around rectangles that must not be split."""

from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np

from ..animation.types import F64

FLAT = 1e-7  # height of a triangle over its longest side; flatter triangles are degenerate
NARROW = 1e-5  # width of a set of points over its length; narrower sets are collinear
Cell = tuple[int, ...]
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
