"""Lanes: rectangles of a window in which charts are drawn, and the points of curves in them."""

import math
from dataclasses import dataclass

import numpy as np

from ..animation.types import F64, Index
from .curve_set import Chart, Line

_NO_GAP = 99.0  # points: distance between the keys of a curve with one key


@dataclass(frozen=True, slots=True)
class Lane:
    """The rectangle of a chart and the range of its axes."""

    chart: Chart
    whole: Chart  # with all curves, of which `chart` may have a part
    isolated: bool  # whether `chart` has the isolated curve of `whole`
    left: float
    top: float
    right: float
    bottom: float
    begin: float
    end: float
    low: float
    high: float

    def place(self, points: F64) -> F64:
        """Return window positions [..., 2] of points (seconds, value) [..., 2]."""
        x = (points[..., 0] - self.begin) / (self.end - self.begin)
        y = (points[..., 1] - self.low) / (self.high - self.low)
        return np.stack(
            [
                self.left + x * (self.right - self.left),
                self.bottom - y * (self.bottom - self.top),
            ],
            axis=-1,
        )

    def point(self, seconds: float, value: float) -> tuple[float, float]:
        """Return the window position of a time and a value."""
        y = (value - self.low) / (self.high - self.low)
        return self.x(seconds), self.bottom - y * (self.bottom - self.top)

    def x(self, seconds: float) -> float:
        """Return the window x of a time."""
        u = (seconds - self.begin) / (self.end - self.begin)
        return self.left + u * (self.right - self.left)

    def seconds(self, x: float) -> float:
        """Return the time at a window x."""
        u = (x - self.left) / (self.right - self.left)
        return self.begin + u * (self.end - self.begin)

    def spacing(self, line: Line) -> float:
        """Return the median distance between the keys of a curve, points of the window."""
        gaps = np.diff(line.keys[:, 0])
        if not gaps.size:
            return _NO_GAP
        return float(np.median(gaps)) / (self.end - self.begin) * (self.right - self.left)

    def inside(self, first: F64, last: F64) -> Index:
        """Return the indices of time spans [n], from first to last or back, that overlap it."""
        return np.flatnonzero(
            (np.maximum(first, last) >= self.begin) & (np.minimum(first, last) <= self.end)
        )

    def thinned(self, points: F64) -> F64:
        """Return the points [m, 2] that are distinct on the screen, and one beyond either side."""
        first = max(int(np.searchsorted(points[:, 0], self.begin)) - 1, 0)
        last = int(np.searchsorted(points[:, 0], self.end, side="right")) + 1
        seen = points[first:last]
        if not len(seen):
            return points[-1:]
        return seen[:: max(math.floor(len(seen) / max(self.right - self.left, 1.0)), 1)]
