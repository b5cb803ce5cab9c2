"""Lanes: rectangles in which charts are drawn, and the points of curves in them."""

import math
from dataclasses import dataclass

import numpy as np

from ..animation.types import F64, Index
from .curve_set import Chart, Line

_NO_GAP = 99.0  # points: distance between the keys of a curve with one key


@dataclass(frozen=True, slots=True)
class Axes:
    """A rectangle, and the seconds and values along its sides."""

    left: float
    top: float
    right: float
    bottom: float
    begin: float
    end: float
    low: float
    high: float

    def place(self, points: F64) -> F64:
        """Return the places [..., 2] of points (seconds, value) [..., 2]."""
        x = (points[..., 0] - self.begin) / self._length
        y = (points[..., 1] - self.low) / (self.high - self.low)
        return np.stack(
            [
                self.left + x * (self.right - self.left),
                self.bottom - y * (self.bottom - self.top),
            ],
            axis=-1,
        )

    def point(self, seconds: float, value: float) -> tuple[float, float]:
        """Return the place of a time and a value."""
        return self.x(seconds), self.y(value)

    def x(self, seconds: float) -> float:
        """Return the x of a time."""
        return self.left + (seconds - self.begin) / self._length * (self.right - self.left)

    def y(self, value: float) -> float:
        """Return the y of a value."""
        share = (value - self.low) / (self.high - self.low)
        return self.bottom - share * (self.bottom - self.top)

    def seconds(self, x: float) -> float:
        """Return the time at an x."""
        u = (x - self.left) / (self.right - self.left)
        return self.begin + u * (self.end - self.begin)

    @property
    def _length(self) -> float:
        """Seconds of the axis, above 0."""
        return max(self.end - self.begin, 1e-9)


@dataclass(frozen=True, slots=True)
class Lane(Axes):
    """A rectangle of a window in which a chart is drawn."""

    chart: Chart
    whole: Chart  # with all curves, of which `chart` may have a part
    isolated: bool  # whether `chart` has the isolated curve of `whole`

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
