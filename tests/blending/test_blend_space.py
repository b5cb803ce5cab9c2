from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rigview.blending.blend_space import (
    BlendSpace1D,
    BlendSpace2D,
    BlendSpaceCorners,
    DuplicatePositionError,
)
from rigview.blending.triangulation import cut

GRID = [(x, y) for y in (-1, 0, 3) for x in (-2, 0, 2)]
LATTICE = [(x, y) for y in (-2, 0, 2) for x in (-2, 0, 2)]
STAR = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]
CROSS = [(-3, -1), (3, -1), (3, 1), (-3, 1), (-1, -3), (1, -3), (1, 3), (-1, 3)]
RING = [(np.sin(a), np.cos(a)) for a in np.linspace(0, 2 * np.pi, 12, endpoint=False)]
places = st.floats(-10, 10, width=32)
queries = hnp.arrays(np.float64, (40, 2), elements=st.floats(-12, 12))


@st.composite
def point_sets(draw, most=9):
    """Draw distinct points on a coarse grid, where circles, rows and rectangles are common."""
    coarse = st.integers(-3, 3).map(float)
    either = st.one_of(coarse, st.floats(-3, 3, width=32))
    points = draw(st.lists(st.tuples(coarse, either), min_size=1, max_size=most))
    points = np.array(points)
    extent = np.ptp(points, axis=0)
    unit = points / np.where(extent > 0, extent, 1)
    apart = np.abs(unit[:, None] - unit).max(axis=-1) + np.eye(len(points))
    assume(apart.min() > 1e-5)
    return points


def check_weights(weights, count):
    assert weights.shape[-1] == count
    assert np.isfinite(weights).all()
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-12)


def shown(space, points, at):
    """Return the weighted mean of the points: it must be the query (linear precision)."""
    return space.weights(*np.asarray(at, float).T) @ np.asarray(points, float)


# ---- a line


def test_line_weights_match_manual_result():
    line = BlendSpace1D([4, 0, 1.5])  # in any order
    np.testing.assert_array_equal(line.weights(1.5), [0, 0, 1])
    np.testing.assert_array_equal(line.weights(0.75), [0, 0.5, 0.5])
    np.testing.assert_array_equal(line.weights([-3, 9]), [[0, 1, 0], [1, 0, 0]])
    np.testing.assert_allclose(line.weights(2.0), [0.2, 0, 0.8])


@given(st.lists(places, min_size=1, max_size=8, unique=True), st.lists(places, max_size=9))
def test_line_reproduces_clamped_parameter(stops, at):
    line = BlendSpace1D(stops)
    weights = line.weights(at)
    check_weights(weights, len(stops))
    clamped = np.clip(at, min(stops), max(stops))
    np.testing.assert_allclose(weights @ np.array(stops), clamped, atol=1e-12)
    np.testing.assert_array_equal(line.weights(stops), np.eye(len(stops)))


def test_line_accepts_batches():
    at = np.linspace(-1, 5, 24).reshape(2, 3, 4)
    weights = BlendSpace1D([0, 1, 4]).weights(at)
    assert weights.shape == (2, 3, 4, 3)
    np.testing.assert_array_equal(weights[1, 2, 3], BlendSpace1D([0, 1, 4]).weights(at[1, 2, 3]))


def test_ring_interpolates_between_last_and_first():
    ring = BlendSpace1D([0, 90, 180, -90], ring=True)
    np.testing.assert_allclose(ring.weights(-135), [0, 0, 0.5, 0.5])
    np.testing.assert_allclose(ring.weights([180, -180, 540]), [[0, 0, 1, 0]] * 3)
    np.testing.assert_allclose(ring.weights(-9), [0.9, 0, 0, 0.1])
    np.testing.assert_allclose(
        BlendSpace1D([-170, 170], ring=True).weights([180, 0]), [[0.5, 0.5]] * 2
    )


@given(st.lists(st.integers(-179, 180), min_size=1, max_size=6, unique=True), st.floats(-900, 900))
def test_ring_is_continuous_at_its_seam(stops, at):
    ring = BlendSpace1D(stops, ring=True)
    weights = ring.weights([at, at + 360, at + 1e-7])
    check_weights(weights, len(stops))
    np.testing.assert_allclose(weights, weights[[0, 0, 0]], atol=1e-6)
    np.testing.assert_array_equal(ring.weights(stops), np.eye(len(stops)))


@pytest.mark.parametrize("ring", [False, True])
def test_error_names_clips_at_equal_positions(ring):
    with pytest.raises(DuplicatePositionError) as caught:
        BlendSpace1D([1, 5, 2, 5], ring)
    assert caught.value.pair == (1, 3)


def test_ring_positions_of_plus_and_minus_180_are_equal():
    BlendSpace1D([180, -180])
    with pytest.raises(DuplicatePositionError) as caught:
        BlendSpace1D([180, 0, -180], ring=True)
    assert caught.value.pair == (0, 2)


def test_ring_tolerates_rounding_at_its_seam():
    with pytest.raises(DuplicatePositionError):
        BlendSpace1D([0, -1e-30], ring=True)


@pytest.mark.parametrize("stops", [[], [[1, 2]], [0, np.inf], [np.nan]])
def test_empty_line_is_rejected(stops):
    with pytest.raises(ValueError, match=r"\[n\] finite numbers"):
        BlendSpace1D(stops)


# ---- four corners


def test_corner_weights_match_manual_result():
    corners = BlendSpaceCorners([(1, 2), (-1, 2), (1, 0), (-1, 0)])  # in any order
    np.testing.assert_allclose(corners.weights(0.5, 0.5), [0.1875, 0.0625, 0.5625, 0.1875])
    np.testing.assert_array_equal(corners.weights(9, -9), [0, 0, 1, 0])  # clamped
    np.testing.assert_array_equal(corners.weights([1, -1], 2), np.eye(4)[:2])


@given(places, places, st.floats(0.125, 9, width=32), st.floats(0.125, 9, width=32), queries)
def test_corner_weights_are_bilinear(x, y, wide, high, at):
    points = np.array([(x, y), (x + wide, y), (x, y + high), (x + wide, y + high)])
    corners = BlendSpaceCorners(points)
    weights = corners.weights(*at.T)
    check_weights(weights, 4)
    inside = np.clip(at, points[0], points[3])
    np.testing.assert_allclose(weights @ points, inside, atol=1e-5)
    np.testing.assert_allclose(corners.weights(*points.T), np.eye(4), atol=1e-12)
    # the same as the one rectangle that these four points are
    check_weights(BlendSpace2D(points).weights(*at.T), 4)
    np.testing.assert_allclose(BlendSpace2D(points).weights(*inside.T), weights, atol=1e-8)


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0), (1, 0), (0, 1)],
        [(0, 0), (2, 0), (2, 1), (0.1, 1)],
        [(0, 0), (1, 1), (2, 0), (1, -1)],
        [(0, 0), (1, 0), (2, 0), (3, 0)],
    ],
)
def test_corners_must_form_a_rectangle(points):
    with pytest.raises(ValueError, match="not the corners of an axis-aligned rectangle"):
        BlendSpaceCorners(points)


def test_repeated_corners_are_rejected():
    with pytest.raises(DuplicatePositionError) as caught:
        BlendSpaceCorners([(0, 0), (2, 0), (2, 1), (2, 0)])
    assert caught.value.pair == (1, 3)


# ---- any points


def test_triangle_weights_match_manual_result():
    space = BlendSpace2D([(0, 0), (4, 0), (0, 2)])
    np.testing.assert_allclose(space.weights(1, 1), [0.25, 0.25, 0.5])
    np.testing.assert_allclose(space.weights(-5, 1), [0.5, 0, 0.5])
    np.testing.assert_allclose(space.weights(-1, -1), [1, 0, 0])
    # in the plane divided by 4 and 2, (4, 2) is nearest to the middle of the far side
    np.testing.assert_allclose(space.weights(4, 2), [0, 0.5, 0.5])
    assert space.triangles.shape == (1, 3)
    assert sorted(map(sorted, space.hull.tolist())) == [[0, 1], [0, 2], [1, 2]]


def test_axes_are_scaled_before_triangulation():
    """A long kite is split along its other diagonal if only one axis is stretched."""
    points = np.array([(0.1, 0), (0.6, 0.5), (0.1, 1), (0, 0.45)])
    cut = {frozenset(cell) for cell in BlendSpace2D(points).cells}
    assert cut == {frozenset(cell) for cell in BlendSpace2D(points * (1000, 1)).cells}
    assert cut == {frozenset(cell) for cell in BlendSpace2D(points * (1, 1000) + 7).cells}


def test_grid_consists_of_rectangles():
    space = BlendSpace2D(GRID)
    assert [len(cell) for cell in space.cells] == [4] * 4
    assert len(space.triangles) == 0
    weights = space.weights(0.5, 0.75)  # in the cell of 4, 5, 7, 8
    np.testing.assert_allclose(weights[[4, 5, 7, 8]], [0.5625, 0.1875, 0.1875, 0.0625])


def test_rectangle_is_kept_against_delaunay():
    """A point just outside the long side lies in the circle through the corners."""
    points = [(0, 0), (4, 0), (4, 1), (0, 1), (2, 1.1), (2, -0.3)]
    space = BlendSpace2D(points)
    assert {frozenset(cell) for cell in space.cells} == {
        frozenset(cell) for cell in ((0, 1, 2, 3), (0, 1, 5), (2, 3, 4))
    }
    np.testing.assert_allclose(space.weights(2, 0.5), [0.25, 0.25, 0.25, 0.25, 0, 0])


def test_triangles_beside_kept_rectangle_are_delaunay():
    """Inserting its long side changes the triangles above it."""
    corners = [(-2, -0.25), (2, -0.25), (2, 0.25), (-2, 0.25)]
    space = BlendSpace2D([*corners, (-0.5, 1.5), (0.25, -2), (1.25, 1), (1.5, -1.5)])
    cells = {frozenset(cell) for cell in space.cells}
    assert {frozenset((3, 4, 6)), frozenset((2, 3, 6)), frozenset((0, 1, 2, 3))} <= cells


@pytest.mark.parametrize(
    "others",
    [
        [(2, -0.75), (-0.5, -0.25), (0.5, 0.375), (-0.25, 0.625), (1.25, -0.875), (-0.75, -0.375)],
        [(-0.25, 0.875), (-0.75, -0.25), (1.5, 0.625), (0.75, 0.25), (0.75, -1), (-0.5, 0.375)],
        [(1.25, -0.625), (1.25, 0.25), (-0.5, 0.625), (-1, -0.75), (-1.75, -0.5), (-0.25, -0.375)],
    ],
)
def test_long_rectangle_across_many_triangles(others):
    """Some crossing edges cannot be flipped at once: the cells still cover the hull once."""
    points = np.array([(-2, -0.125), (2, -0.125), (2, 0.125), (-2, 0.125), *others])
    space = BlendSpace2D(points)
    corners = [points[list(cell)] for cell in space.cells]
    x, y = zip(*[c.T for c in corners], strict=True)
    areas = [np.sum(a * np.roll(b, -1) - b * np.roll(a, -1)) / 2 for a, b in zip(x, y, strict=True)]
    assert min(areas) > 0
    inside = np.random.default_rng(0).dirichlet(np.full(len(points), 0.3), 500) @ points
    np.testing.assert_allclose(shown(space, points, inside), inside, atol=1e-9)


@pytest.mark.parametrize("fifth", [(1, 0.5), (1, 0), (2, 0.75)])
def test_fifth_point_in_rectangle_gives_triangles(fifth):
    space = BlendSpace2D([(0, 0), (2, 0), (2, 1), (0, 1), fifth])
    assert all(len(cell) == 3 for cell in space.cells)
    np.testing.assert_allclose(space.weights(*fifth), [0, 0, 0, 0, 1], atol=1e-12)


def test_smaller_of_two_crossing_rectangles_is_kept():
    tall = [(-1, -4), (1, -4), (1, 4), (-1, 4)]
    space = BlendSpace2D([*CROSS[:4], *tall, (-4, 0), (4, 0)])
    assert (0, 1, 2, 3) in space.cells
    assert sum(len(cell) == 4 for cell in space.cells) == 1


def test_rectangle_tolerates_rounding_of_corners():
    space = BlendSpace2D([(0.3, 0), (0.1 + 0.2, 1), (1, 1e-16), (1, 1)])
    assert [len(cell) for cell in space.cells] == [4]
    np.testing.assert_array_equal(space.weights([0.3, 0.1 + 0.2, 1, 1], [0, 1, 0, 1]), np.eye(4))


@given(point_sets(), queries)
def test_weights_are_valid_and_have_linear_precision(points, at):
    space = BlendSpace2D(points)
    check_weights(space.weights(*at.T), len(points))
    np.testing.assert_allclose(space.weights(*points.T), np.eye(len(points)), atol=1e-7)
    inside = points[space.hull[:, 0]] if len(space.hull) else points[:1]
    np.testing.assert_allclose(shown(space, points, inside), inside, atol=1e-6)


@given(point_sets(), st.randoms(use_true_random=False))
def test_weighted_mean_of_points_is_the_query(points, random):
    """Inside the hull, the weighted mean of the points is the query; cells cover the hull."""
    space = BlendSpace2D(points)
    weights = np.array([[random.random() ** 3 for _ in points] for _ in range(30)]) + 1e-9
    at = weights / weights.sum(axis=1, keepdims=True) @ points
    np.testing.assert_allclose(shown(space, points, at), at, atol=1e-6)


@given(point_sets(), st.randoms(use_true_random=False))
def test_continuous_along_random_lines(points, random):
    space = BlendSpace2D(points)
    ends = [[random.uniform(-4, 4) for _ in range(2)] for _ in range(2)]
    start, end = (np.array(end) * (np.ptp(points, axis=0) + 0.1) / 3 for end in ends)
    line = start + np.linspace(0, 1, 400)[:, None] * (end - start)
    jumps = np.abs(np.diff(space.weights(*line.T), axis=0)).max(axis=1)
    steep = np.flatnonzero(jumps > 0.02)  # a steep cell, or a jump? halve until it is one or not
    a, b = line[steep], line[steep + 1]
    for _ in range(30):
        middle = (a + b) / 2
        at_a, at_middle, at_b = (space.weights(*points.T) for points in (a, middle, b))
        first, second = (
            np.abs(change).max(axis=-1, keepdims=True)
            for change in (at_middle - at_a, at_b - at_middle)
        )
        a, b = np.where(first > second, a, middle), np.where(first > second, middle, b)
    assert (np.abs(space.weights(*b.T) - space.weights(*a.T)) < 1e-3).all()


@given(point_sets(), queries)
def test_query_outside_uses_nearest_point_of_hull(points, at):
    space = BlendSpace2D(points)
    extent = np.ptp(points, axis=0)
    extent = np.where(extent > 0, extent, 1)
    reached = shown(space, points, at)
    distance = np.linalg.norm((reached - at) / extent, axis=-1)
    lerp_pose = np.random.default_rng(0).dirichlet(np.full(len(points), 0.3), 200) @ points
    others = np.linalg.norm((np.vstack((lerp_pose, points))[:, None] - at) / extent, axis=-1)
    assert (distance <= others.min(axis=0) + 1e-6).all()


@pytest.mark.parametrize("points", [LATTICE, STAR, CROSS, RING])
@pytest.mark.parametrize("flip", [(-1, 1), (1, -1), (-1, -1)])
def test_mirrored_input_gives_mirrored_weights(points, flip):
    points = np.array(points, float)
    partner = [np.abs(points - p * flip).max(axis=1).argmin() for p in points]
    at = np.random.default_rng(3).uniform(-4, 4, (300, 2))
    space = BlendSpace2D(points)
    mirrored = space.weights(*(at * flip).T)
    np.testing.assert_allclose(mirrored[:, partner], space.weights(*at.T), atol=1e-8)


@given(point_sets(6), queries)
def test_symmetric_points_give_mirrored_weights(half, at):
    half = half[half[:, 0] > 0]
    assume(len(half))
    points = np.vstack((half, half * (-1, 1), [(0, 0.125)]))
    space = BlendSpace2D(points)
    n = len(half)
    partner = [*range(n, 2 * n), *range(n), 2 * n]
    mirrored = space.weights(-at[:, 0], at[:, 1])
    np.testing.assert_allclose(mirrored[:, partner], space.weights(*at.T), atol=1e-8)


@given(st.lists(places, min_size=1, max_size=7, unique=True), queries)
def test_collinear_points_behave_like_a_line(stops, at):
    stops = np.array(stops)
    assume(len(stops) == 1 or np.diff(np.sort(stops)).min() > 1e-5 * np.ptp(stops))
    for flat in (np.c_[stops, stops * 0 + 3], np.c_[stops, stops * 2 + 1]):
        space = BlendSpace2D(flat)
        assert not space.cells
        assert len(space.hull) == len(stops) - 1
        on_it = np.column_stack((at[:, 0], np.interp(at[:, 0], *np.sort(flat.T, axis=1))))
        here = space.weights(*on_it.T)
        np.testing.assert_allclose(here, BlendSpace1D(stops).weights(at[:, 0]), atol=1e-6)
    flat = BlendSpace2D(np.c_[stops, stops * 0 + 3])
    np.testing.assert_allclose(
        flat.weights(*at.T), BlendSpace1D(stops).weights(at[:, 0]), atol=1e-6
    )


def test_nearly_collinear_points_give_valid_weights():
    """For rounding errors and for slivers: no NaN and no negative weight."""
    rng = np.random.default_rng(0)
    for size in np.repeat(10.0 ** np.arange(-16, -1, 0.5), 20):
        along = rng.uniform(0, 1, 7)
        points = np.c_[along, along] + rng.uniform(-size, size, (7, 2))
        space = BlendSpace2D(points)
        check_weights(space.weights(*rng.uniform(-1, 2, (2, 500))), 7)
        np.testing.assert_allclose(space.weights(*points.T), np.eye(7), atol=1e-6)


def test_one_point_two_points_and_distant_query():
    np.testing.assert_array_equal(BlendSpace2D([(3, 4)]).weights([0, 1e300], 0), [[1], [1]])
    two = BlendSpace2D([(0, 0), (2, 2)])
    np.testing.assert_allclose(two.weights(2, 0), [0.5, 0.5])
    np.testing.assert_array_equal(two.weights(1e300, np.inf), [0, 1])
    np.testing.assert_array_equal(BlendSpace2D(GRID).weights(-np.inf, 1e300), np.eye(9)[6])


def test_extent_from_rounding_is_ignored():
    """0.3 and 0.1 + 0.2 are the same x: the points are on a line along the other axis."""
    space = BlendSpace2D([(0.3, 0), (0.1 + 0.2, 1)])
    np.testing.assert_allclose(space.weights([0.3, 9], [0.5, 0.25]), [[0.5, 0.5], [0.75, 0.25]])


@pytest.mark.parametrize("near", [(2, 1), (2 + 1e-8, 1)])
def test_error_names_repeated_points(near):
    with pytest.raises(DuplicatePositionError, match="clips 1 and 3") as caught:
        BlendSpace2D([(0, 0), (2, 1), (0, 3), near])
    assert caught.value.pair == (1, 3)


@pytest.mark.parametrize("points", [[], [1, 2], [(1, 2, 3)], [(0, np.nan)]])
def test_points_of_wrong_shape_are_rejected(points):
    with pytest.raises(ValueError, match=r"\[n, 2\] finite"):
        BlendSpace2D(points)


def test_batches_of_any_shape():
    x, y = np.random.default_rng(0).normal(size=(2, 3, 4, 5))
    space = BlendSpace2D(STAR)
    weights = space.weights(x, y)
    assert weights.shape == (3, 4, 5, 5)
    np.testing.assert_allclose(weights[2, 1, 3], space.weights(x[2, 1, 3], y[2, 1, 3]))
    assert space.weights(x, 0.0).shape == (3, 4, 5, 5)


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
