import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rigview.animation.bezier import POINTS, Bezier, Hermite, bernstein, hermite

points = hnp.arrays(np.float64, hnp.array_shapes(min_dims=1, max_dims=3, max_side=4)).flatmap(
    lambda shape: st.tuples(
        *[hnp.arrays(np.float64, shape.shape, elements=st.floats(-50, 50)) for _ in range(4)]
    )
)
fractions = st.floats(0, 1)


@given(points, fractions)
def test_casteljau_and_bernstein_forms_agree(parts, u):
    curve = Bezier.of(*parts)
    np.testing.assert_allclose(curve.casteljau(u), curve.sample(u), atol=1e-12 * 50)


def test_bezier_point_matches_manual_result():
    """At u = 1/4 the weights are 27, 27, 9 and 1 of 64."""
    curve = Bezier.of([0, 0], [64, 0], [64, 64], [0, 64])
    assert curve.sample(0.25).tolist() == [27 + 9, 9 + 1]
    assert curve.casteljau(0.25).tolist() == [36, 10]


def test_hermite_midpoint_matches_manual_result():
    """At u = 1/2: the mean of both ends plus an eighth of the difference of the slopes."""
    assert Hermite.of([2.0], [8.0], [4.0], [-8.0]).sample(0.5).tolist() == [3 + 1 + 1]


@given(points, fractions)
def test_bezier_and_hermite_forms_are_the_same_curve(parts, u):
    curve = Bezier.of(*parts)
    np.testing.assert_allclose(curve.hermite().sample(u), curve.sample(u), atol=1e-10)
    again = curve.hermite().bezier()
    for mine, theirs in zip(again, curve, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-12 * 100)


def test_bezier_hermite_conversion_matches_manual_result():
    assert [part.tolist() for part in Hermite.of([1.0], [6.0], [5.0], [-3.0]).bezier()] == [
        [1.0],
        [3.0],  # P1 + s1 / 3
        [6.0],  # P2 - s2 / 3
        [5.0],
    ]
    assert [part.tolist() for part in Bezier.of([1.0], [3.0], [6.0], [5.0]).hermite()] == [
        [1.0],
        [6.0],
        [5.0],
        [-3.0],
    ]


@given(points)
def test_hermite_interpolates_ends_and_slopes(parts):
    curve = Hermite.of(*parts)
    np.testing.assert_array_equal(curve.sample(0), curve.p1)
    np.testing.assert_allclose(curve.sample(1), curve.p2, atol=1e-12)
    step = 1e-6
    np.testing.assert_allclose((curve.sample(step) - curve.p1) / step, curve.s1, atol=2e-3)
    np.testing.assert_allclose((curve.p2 - curve.sample(1 - step)) / step, curve.s2, atol=2e-3)


@given(fractions)
def test_basis_weights_sum_to_one(u):
    assert sum(bernstein(np.float64(u))) == pytest.approx(1, abs=1e-15)
    h00, _, h01, _ = hermite(np.float64(u))
    assert h00 + h01 == pytest.approx(1, abs=1e-15)


def test_batch_of_curves_equals_single_curves(rng):
    curve = Bezier.of(*rng.normal(size=(4, 5, 3)))
    u = rng.uniform(size=(7, 5))
    together = curve.sample(u)
    assert together.shape == (7, 5, 3)
    alone = Bezier.of(*(part[3] for part in curve))
    np.testing.assert_allclose(together[2, 3], alone.sample(u[2, 3]), atol=1e-15)


def test_polyline_has_ends_controls_and_handles():
    curve = Bezier.of([0, 0], [1, 0], [2, 3], [3, 3])
    line = curve.polyline()
    assert line.points.shape == (POINTS, 2) == (200, 2)
    np.testing.assert_array_equal(line.points[[0, -1]], [[0, 0], [3, 3]])
    np.testing.assert_allclose(line.points[50], curve.sample(50 / 199))
    assert line.controls.tolist() == [[0, 0], [1, 0], [2, 3], [3, 3]]
    assert line.handles.tolist() == [[[0, 0], [1, 0]], [[3, 3], [2, 3]]]
    assert len(curve.hermite().polyline(2).points) == 2
    np.testing.assert_array_equal(curve.hermite().polyline().controls, line.controls)
