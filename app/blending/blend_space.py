"""Blend spaces: one or two parameters to weights of clips that are >= 0 and sum to 1.

Only the positions of the clips are used, not the clips themselves.
"""

import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F64, Index
from .triangulation import SAME, Triangulation

RING = 360.0  # degrees, the unit of a parameter that is an angle
FAR = 1e9  # extents; positions further away are clamped
REPEATED = 1e-6  # of the extent: nearer points are duplicates


class DuplicatePositionError(ValueError):
    """Two clips have the same position: their indices are `pair`."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"clips {first} and {second} have the same position")
        self.pair = (first, second)


class BlendSpace1D:
    """Clips at positions on a line: the two neighbours share the weight, linearly.

    Parameters
    ----------
    places
        [n] in any order, in the parameter's unit. Parameters outside are clamped.
    ring
        Whether the parameter is an angle in degrees that wraps at +-180.

    Raises
    ------
    DuplicatePositionError
        Two positions are equal (on a ring also -180 and 180).
    ValueError
        `places` is not [n], n >= 1, of finite numbers.

    Examples
    --------
    >>> speeds = rigview.BlendSpace1D([1.4, 4.0])  # of a walk and a run, metres per second
    >>> speeds.weights(2.7).round(2).tolist()
    [0.5, 0.5]
    """

    def __init__(self, places: ArrayLike, ring: bool = False) -> None:
        given = np.asarray(places, np.float64)
        if given.ndim != 1 or not given.size or not np.isfinite(given).all():
            raise ValueError(f"positions must be [n] finite numbers, n >= 1, not {given.shape}")
        self.ring = ring
        self.count: int = given.size
        if ring:
            given = np.mod(given, RING)
            given[given == RING] = 0.0  # mod of a tiny negative number
        order = np.argsort(given, kind="stable")
        self._stops: F64 = given[order]
        for k in np.flatnonzero(np.diff(self._stops) == 0):
            raise DuplicatePositionError(*sorted((int(order[k]), int(order[k + 1]))))
        self._clips: Index = order
        if ring:  # the first position again, one turn later
            self._stops = np.append(self._stops, self._stops[0] + RING)
            self._clips = np.append(order, order[0])

    def weights(self, x: ArrayLike) -> F64:
        """Return the weights [..., n] at parameter values [...]."""
        place = np.asarray(x, np.float64)
        first, last = self._stops[0], self._stops[-1]
        if self.ring:
            place = first + np.mod(place - first, RING)
        place = np.clip(place, first, last)
        out = np.zeros((*place.shape, self.count))
        if self.count == 1:
            out[...] = 1.0
            return out
        below = np.searchsorted(self._stops, place, side="right") - 1
        below = np.minimum(below, len(self._stops) - 2)
        start, end = self._stops[below], self._stops[below + 1]
        share = (place - start) / (end - start)
        np.put_along_axis(out, self._clips[below][..., None], (1.0 - share)[..., None], -1)
        np.put_along_axis(out, self._clips[below + 1][..., None], share[..., None], -1)
        return out


class BlendSpaceCorners:
    """Four clips at the corners of an axis-aligned rectangle: bilinear interpolation.

    Parameters
    ----------
    points
        [4, 2] in any order. Parameters outside are clamped to the rectangle.

    Raises
    ------
    DuplicatePositionError
        Two corners are equal.
    ValueError
        The points are not such a rectangle.
    """

    count = 4

    def __init__(self, points: ArrayLike) -> None:
        corners = _checked(points)
        self._low = corners.min(axis=0)
        self._extent = corners.max(axis=0) - self._low
        extent = np.where(self._extent > 0, self._extent, 1.0)
        unit = (corners - self._low) / extent
        _refuse_repeated(unit)
        side = np.round(unit)
        if corners.shape != (4, 2) or np.abs(unit - side).max() > SAME or not self._extent.all():
            raise ValueError(f"not the corners of an axis-aligned rectangle: {points!r}")
        self._high = side == 1.0  # [4, 2]

    def weights(self, x: ArrayLike, y: ArrayLike) -> F64:
        """Return the weights [..., 4] at parameter values ([...], [...])."""
        place = np.stack(np.broadcast_arrays(np.asarray(x, np.float64), y), axis=-1)
        place = np.clip(place, self._low, self._low + self._extent)
        share = np.clip((place - self._low) / self._extent, 0.0, 1.0)[..., None, :]
        return np.where(self._high, share, 1.0 - share).prod(axis=-1)


class BlendSpace2D:
    """Clips at any points of the plane: triangles between them, and unsplit rectangles.

    Each axis is divided by the points' extent on it, and triangulated in this normalised plane.
    Weights are barycentric inside a triangle, bilinear inside a rectangle; outside they are those
    of the nearest point on the border. For collinear points they are always those of the nearest
    point on the line. A set of points that is mirror-symmetric in x or y gives mirrored weights at
    mirrored positions, independent of the triangulation.

    Parameters
    ----------
    points
        [n, 2] in any order.

    Attributes
    ----------
    cells
        Corners of each triangle and rectangle, counter-clockwise, as indices of points.
    triangles
        [T, 3] the triangular cells.
    hull
        [E, 2] indices of the end points of each edge of the border.

    Raises
    ------
    DuplicatePositionError
        Two points are nearer to each other than a millionth of the extent.
    ValueError
        `points` is not [n, 2], n >= 1, of finite numbers.

    Examples
    --------
    >>> ways = rigview.BlendSpace2D([[0, 0], [1, 0], [0, 1]])  # stand, right, forward
    >>> ways.weights(0.25, 0.5).round(2).tolist()
    [0.25, 0.25, 0.5]
    """

    def __init__(self, points: ArrayLike) -> None:
        given = _checked(points)
        extent = np.ptp(given, axis=0)
        extent[extent < SAME * np.abs(given).max(axis=0)] = 0.0  # rounding
        self._centre: F64 = given.min(axis=0) + extent / 2
        self._extent: F64 = np.where(extent > 0, extent, 1.0)
        self.count: int = len(given)
        plane = (given - self._centre) / self._extent
        _refuse_repeated(plane)
        self._net = Triangulation(plane)
        self.cells = self._net.cells
        self.triangles: Index = self._net.triangles
        self.hull: Index = self._net.hull

    def weights(self, x: ArrayLike, y: ArrayLike) -> F64:
        """Return the weights [..., n] at parameter values ([...], [...])."""
        place = np.stack(np.broadcast_arrays(np.asarray(x, np.float64), y), axis=-1)
        reach = FAR * self._extent
        place = np.clip(place, self._centre - reach, self._centre + reach)
        return self._net.weights((place - self._centre) / self._extent)


def _checked(points: ArrayLike) -> F64:
    out = np.asarray(points, np.float64)
    if out.ndim != 2 or out.shape[1] != 2 or not len(out) or not np.isfinite(out).all():
        raise ValueError(f"points must be [n, 2] finite numbers, n >= 1, not {out.shape}")
    return out


def _refuse_repeated(plane: F64) -> None:
    """Raise DuplicatePositionError for duplicates among points [n, 2] of an extent of 1."""
    apart = np.abs(plane[:, None] - plane[None]).max(axis=-1)
    pairs = np.argwhere(np.triu(apart < REPEATED, 1))
    if len(pairs):
        raise DuplicatePositionError(int(pairs[0, 0]), int(pairs[0, 1]))
