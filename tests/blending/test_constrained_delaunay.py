"""The triangulation of blend spaces: Delaunay, exact, the same for any order of the points."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from rigview.blending.constrained_delaunay import cut

RNG = np.random.default_rng(7)
CIRCLE = [(5, 0), (4, 3), (3, 4), (0, 5), (-3, 4), (-4, 3), (-5, 0)]
CIRCLE = np.array([*CIRCLE, *((-x, -y) for x, y in CIRCLE[1:-1])]) / 16  # exactly on a circle
ALONG = RNG.uniform(-0.5, 0.5, 12)
POINTS = {
    **{f"random {n}": RNG.uniform(-0.5, 0.5, (n, 2)) for n in (3, 4, 5, 8, 16, 64, 200)},
    "clusters": np.concatenate([c + RNG.normal(0, 1e-3, (9, 2)) for c in ((0, 0), (0.4, 0.1))]),
    "grid": np.array([(x, y) for x in range(5) for y in range(4)]) / 4,
    "circle": CIRCLE,
    "circle and centre": np.vstack((CIRCLE, [(0, 0)])),
    "nearly collinear": np.c_[ALONG, ALONG + RNG.uniform(-1e-3, 1e-3, 12)],
}
WITHOUT_TIES = sorted(set(POINTS) - {"grid", "circle", "circle and centre"})


def triangles_of(points):
    return {frozenset(cell) for cell in cut(points, [])}


def in_circle(points, triangle, other):
    """Return a number > 0 for a point inside the circumcircle, in exact arithmetic."""
    x, y = (Fraction(v) for v in points[other].tolist())
    rows = [(Fraction(u) - x, Fraction(v) - y) for u, v in points[list(triangle)].tolist()]
    a, b, c = ((u, v, u * u + v * v) for u, v in rows)
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    )


@pytest.mark.parametrize("name", sorted(set(POINTS) - {"random 200"}))  # that one takes 15 s
def test_no_point_is_inside_a_circumcircle(name):
    points = POINTS[name]
    for triangle in cut(points, []):
        others = set(range(len(points))) - set(triangle)
        assert max((in_circle(points, triangle, k) for k in others), default=0) <= 0


@pytest.mark.parametrize("name", POINTS)
def test_triangles_fill_the_hull_once(name):
    spatial = pytest.importorskip("scipy.spatial", reason="scipy gives the convex hull")
    points, triangles = POINTS[name], list(cut(POINTS[name], []))
    u, v = (points[[t[k] for t in triangles]] - points[[t[0] for t in triangles]] for k in (1, 2))
    areas = (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) / 2
    assert areas.min() > 0, "counter-clockwise"
    assert areas.sum() == pytest.approx(spatial.ConvexHull(points).volume, rel=1e-9)
    sides = Counter(side for a, b, c in triangles for side in ((a, b), (b, c), (c, a)))
    assert set(sides.values()) == {1}
    assert set(np.ravel(triangles)) == set(range(len(points)))


@pytest.mark.parametrize("name", WITHOUT_TIES)
def test_triangles_are_those_of_scipy(name):
    spatial = pytest.importorskip("scipy.spatial", reason="scipy is the reference")
    simplices = spatial.Delaunay(POINTS[name]).simplices.tolist()
    assert triangles_of(POINTS[name]) == {frozenset(simplex) for simplex in simplices}


@pytest.mark.parametrize("name", POINTS)
def test_order_of_the_points_has_no_influence(name):
    points = POINTS[name]
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(points))
        shuffled = {frozenset(order[list(cell)].tolist()) for cell in cut(points[order], [])}
        assert shuffled == triangles_of(points)


def test_points_on_a_circle_are_joined_to_the_leftmost():
    leftmost = int(np.argmin(CIRCLE[:, 0]))
    assert all(leftmost in cell for cell in cut(CIRCLE, []))
    assert len(triangles_of(CIRCLE)) == len(CIRCLE) - 2


def test_a_point_nearly_on_a_side_makes_no_degenerate_triangle():
    points = np.array([(-0.5, 0), (0.5, 0), (0, 0.5), (0.1, 1e-12), (-0.2, -1e-12)])
    assert triangles_of(points) == {frozenset(t) for t in ((0, 4, 2), (4, 3, 2), (3, 1, 2))}


def test_collinear_points_have_no_triangles():
    assert not triangles_of(np.c_[ALONG, 2 * ALONG + 1e-9])
    assert not triangles_of(np.array([(0.0, 0.0), (0.5, 0.5)]))
