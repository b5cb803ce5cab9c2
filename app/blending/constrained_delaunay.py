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
    Missing sides are inserted by flips (S. W. Sloan, "A fast algorithm for generating constrained
    Delaunay triangulations", 1993).
    """
    yield from rectangles
    if sum(np.ptp(points[list(cell)], axis=0).prod() for cell in rectangles) > 1.0 - 1e-9:
        return
    net = _Net(points)
    for cell in rectangles:
        for side in zip(cell, (*cell[1:], cell[0]), strict=True):
            net.force(*side)
    net.relax()
    whole = {frozenset(cell) for cell in rectangles}
    for triangle in net.triangles():
        if not any(rectangle.issuperset(triangle) for rectangle in whole):
            yield triangle


class _Net:
    """Triangles as a map from each side, counter-clockwise, to the opposite corner."""

    def __init__(self, points: F64) -> None:
        self._at = [complex(x, y) for x, y in points.tolist()]
        self._opposite: dict[Side, int] = {}
        self._fixed: set[Side] = set()
        for a, b, c in _delaunay(points):
            turn = self._turn(a, b, c)
            longest = max(abs(self._at[i] - self._at[j]) for i, j in ((a, b), (b, c), (c, a)))
            if abs(turn) > FLAT * longest * longest:
                self._add(a, b, c) if turn > 0 else self._add(a, c, b)

    def triangles(self) -> list[Cell]:
        """Return all triangles, each once."""
        return [(a, b, c) for (a, b), c in self._opposite.items() if a < b and a < c]

    def force(self, a: int, b: int) -> None:
        """Make the line from a to b a side by flipping the sides that cross it."""
        self._fixed |= {(a, b), (b, a)}
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
            if (a, b) in self._fixed or not self._in_circle(a, b):
                continue
            c, d = self._opposite[a, b], self._opposite[b, a]
            if self._flip(a, b) is not None:
                suspects.extend(((a, c), (c, b), (b, d), (d, a)))

    def _add(self, a: int, b: int, c: int) -> None:
        self._opposite.update({(a, b): c, (b, c): a, (c, a): b})

    def _turn(self, a: int, b: int, c: int) -> float:
        """Return twice the area of a triangle, negative if it is clockwise."""
        u, v = self._at[b] - self._at[a], self._at[c] - self._at[a]
        return u.real * v.imag - u.imag * v.real

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

    def _in_circle(self, a: int, b: int) -> bool:
        """Return whether the far corner is inside the circumcircle of the triangle at a side."""
        c, d = self._opposite.get((a, b)), self._opposite.get((b, a))
        if c is None or d is None:
            return False
        rows = np.array([self._at[k] - self._at[d] for k in (a, b, c)])
        rows /= np.abs(rows).max()
        u, v = rows.real, rows.imag
        return float(np.linalg.det(np.stack((u, v, u * u + v * v), axis=1))) > FLAT


def _delaunay(points: F64) -> list[list[int]]:
    """Return the triangles [T][3], none for collinear points."""
    spread = points - points.mean(axis=0)
    if len(points) < 3 or np.linalg.svd(spread, compute_uv=False)[1] < NARROW:
        return []
    if len(points) == 3:
        return [[0, 1, 2]]
    from scipy.spatial import Delaunay  # imported on use: it takes 270 ms

    return Delaunay(points).simplices.tolist()
