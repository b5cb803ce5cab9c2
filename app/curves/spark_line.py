"""Spark lines: the shapes of a chart's lines in a small box."""

import numpy as np

from ..animation.types import F64
from .curve_set import Chart

COLUMNS = 48  # of a box; in each at most two points of a line
_MARGIN = 0.08  # of the height, above and below


def spark_lines(chart: Chart, begin: float, end: float) -> list[F64]:
    """Return the points [n, 2] of each line in a box: x from 0 to 1, y from 0 (top) to 1.

    All lines have one scale but their own middle, so that amplitudes compare. A spike of one key
    stays visible. Beyond its keys a line holds its value.
    """
    reach = max(max(high - low for low, high in map(_range, _values(chart))), 1e-9)
    if chart.still:
        reach = np.inf
    found = []
    for line in chart.lines:
        x = (line.points[:, 0] - begin) / max(end - begin, 1e-9)
        low, high = _range(line.points[:, 1])
        y = 0.5 - (line.points[:, 1] - 0.5 * (low + high)) / reach * (1.0 - 2.0 * _MARGIN)
        points = np.stack([np.clip(x, 0.0, 1.0), y], axis=1)
        points = points[:1] if chart.is_still(line) else _thinned(points)
        held = [(0.0, points[0, 1])], points, [(1.0, points[-1, 1])]
        found.append(np.concatenate([np.asarray(part, np.float64) for part in held]))
    return found


def amplitude(chart: Chart) -> float:
    """Return the greatest difference between two values of a line, in the unit of the chart."""
    return max(high - low for low, high in map(_range, _values(chart)))


def _values(chart: Chart) -> list[F64]:
    return [line.points[:, 1] for line in chart.lines]


def _range(values: F64) -> tuple[float, float]:
    return float(values.min()), float(values.max())


def _thinned(points: F64) -> F64:
    """Return the least and greatest value of each column, in the order in which they come."""
    if len(points) <= 2 * COLUMNS:
        return points
    column = np.minimum(points[:, 0] * COLUMNS, COLUMNS - 1).astype(np.intp)
    first = np.flatnonzero(np.diff(column, prepend=-1))
    y = points[:, 1]
    low, high = np.minimum.reduceat(y, first), np.maximum.reduceat(y, first)
    last = np.append(first[1:], len(y)) - 1
    falls = y[first] > y[last]
    pairs = np.where(falls[:, None], np.stack([high, low], 1), np.stack([low, high], 1))
    x = points[np.stack([first, last], 1), 0]
    return np.stack([x.ravel(), pairs.ravel()], axis=1)
