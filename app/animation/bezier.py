"""Cubic curves with any number of components: Bézier and Hermite form, and polylines.

End and control points are [..., C] arrays; the parameter u is [...], from 0 to 1, any batch.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .types import F64

POINTS = 200  # per polyline: smooth at the full height of a screen


class Polyline(NamedTuple):
    """A curve for drawing."""

    points: F64  # [n, C] from start to end, at even steps of u
    controls: F64  # [4, C] P1, C1, C2, P2
    handles: F64  # [2, 2, C] the lines P1 to C1 and P2 to C2


class Bezier(NamedTuple):
    """A cubic Bézier curve with the end points P1 and P2 and the control points C1 and C2.

    Examples
    --------
    >>> curve = rigview.Bezier.of([0, 0], [0, 1], [1, 1], [1, 0])
    >>> curve.sample([0.0, 0.5, 1.0]).tolist()  # [3, 2]
    [[0.0, 0.0], [0.5, 0.75], [1.0, 0.0]]
    >>> curve.hermite().p1.tolist()
    [0.0, 0.0]
    """

    p1: F64  # [..., C]
    c1: F64
    c2: F64
    p2: F64

    @classmethod
    def of(cls, p1: ArrayLike, c1: ArrayLike, c2: ArrayLike, p2: ArrayLike) -> "Bezier":
        """Return the curve of array-likes [..., C]."""
        return cls(*(np.asarray(part, np.float64) for part in (p1, c1, c2, p2)))

    def casteljau(self, u: ArrayLike) -> F64:
        """Return the points [..., C] at u [...] by de Casteljau's six lerps."""
        v = np.asarray(u, np.float64)[..., None]
        a, b, c = _lerp(self.p1, self.c1, v), _lerp(self.c1, self.c2, v), _lerp(self.c2, self.p2, v)
        return _lerp(_lerp(a, b, v), _lerp(b, c, v), v)

    def sample(self, u: ArrayLike) -> F64:
        """Return the points [..., C] at u [...] by the Bernstein polynomials."""
        b0, b1, b2, b3 = bernstein(np.asarray(u, np.float64)[..., None])
        return b0 * self.p1 + b1 * self.c1 + b2 * self.c2 + b3 * self.p2

    def hermite(self) -> "Hermite":
        """Return the same curve in Hermite form."""
        return Hermite(self.p1, 3 * (self.c1 - self.p1), self.p2, 3 * (self.p2 - self.c2))

    def polyline(self, count: int = POINTS) -> Polyline:
        """Return `count` points of one curve [C], its control points and handles."""
        points = self.sample(np.linspace(0.0, 1.0, max(count, 2)))
        points[0], points[-1] = self.p1, self.p2
        handles = np.stack([np.stack([self.p1, self.c1]), np.stack([self.p2, self.c2])])
        return Polyline(points, np.stack(self), handles)


class Hermite(NamedTuple):
    """A cubic Hermite curve: two end points and their tangents (per unit of u).

    Examples
    --------
    >>> curve = rigview.Hermite.of([0.0], [3.0], [1.0], [0.0])
    >>> curve.sample(0.5).tolist()
    [0.875]
    """

    p1: F64  # [..., C]
    s1: F64
    p2: F64
    s2: F64

    @classmethod
    def of(cls, p1: ArrayLike, s1: ArrayLike, p2: ArrayLike, s2: ArrayLike) -> "Hermite":
        """Return the curve of array-likes [..., C]."""
        return cls(*(np.asarray(part, np.float64) for part in (p1, s1, p2, s2)))

    def sample(self, u: ArrayLike) -> F64:
        """Return the points [..., C] at u [...]."""
        h00, h10, h01, h11 = hermite(np.asarray(u, np.float64)[..., None])
        return h00 * self.p1 + h10 * self.s1 + h01 * self.p2 + h11 * self.s2

    def bezier(self) -> Bezier:
        """Return the same curve in Bézier form."""
        return Bezier(self.p1, self.p1 + self.s1 / 3, self.p2 - self.s2 / 3, self.p2)

    def polyline(self, count: int = POINTS) -> Polyline:
        """Return `count` points of one curve [C], its control points and handles."""
        return self.bezier().polyline(count)


def bernstein(u: F64) -> tuple[F64, F64, F64, F64]:
    """Return the weights of P1, C1, C2 and P2 at u."""
    v = 1 - u
    return v**3, 3 * v**2 * u, 3 * v * u**2, u**3


def hermite(u: F64) -> tuple[F64, F64, F64, F64]:
    """Return the weights h00, h10, h01, h11 at u of start, its tangent, end and its tangent."""
    return (
        2 * u**3 - 3 * u**2 + 1,
        u**3 - 2 * u**2 + u,
        3 * u**2 - 2 * u**3,
        u**3 - u**2,
    )


def hermite_slopes(u: F64) -> tuple[F64, F64, F64, F64]:
    """Return the derivatives by u of the weights that `hermite` returns."""
    return 6 * u**2 - 6 * u, 3 * u**2 - 4 * u + 1, 6 * u - 6 * u**2, 3 * u**2 - 2 * u


def _lerp(a: F64, b: F64, u: F64) -> F64:
    return a + (b - a) * u
