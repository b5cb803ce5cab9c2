import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.animation import quat
from tests.support.clips import (
    about,
    f32,
    fractions,
    rotation_matrix,
    same_rotation,
    unit_quaternions,
)

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)


def length(q):
    return np.linalg.norm(np.asarray(q, float), axis=-1)


def angle(a, b):
    """Return the angle between two rotations, radians, in float64."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    near = b if np.dot(a, b) >= 0 else -b
    return 4 * np.arctan2(np.linalg.norm(a - near), np.linalg.norm(a + near))


def test_quarter_turns_map_axes_to_axes():
    np.testing.assert_allclose(quat.rotate(about(Z, 90), f32(1, 0, 0)), [0, 1, 0], atol=1e-6)
    np.testing.assert_allclose(quat.rotate(about(X, 90), f32(0, 1, 0)), [0, 0, 1], atol=1e-6)
    np.testing.assert_allclose(quat.rotate(about(Y, 90), f32(0, 0, 1)), [1, 0, 0], atol=1e-6)


@pytest.mark.parametrize(
    ("a", "b", "product"),
    [
        ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0)),  # i j = k
        ((0, 1, 0, 0), (0, 0, 1, 0), (1, 0, 0, 0)),  # j k = i
        ((0, 0, 1, 0), (1, 0, 0, 0), (0, 1, 0, 0)),  # k i = j
        ((0, 1, 0, 0), (1, 0, 0, 0), (0, 0, -1, 0)),  # j i = -k
        ((1, 0, 0, 0), (1, 0, 0, 0), (0, 0, 0, -1)),  # i i = -1
        ((0.5, 0.5, 0.5, 0.5), (0, 0, 0, 1), (0.5, 0.5, 0.5, 0.5)),
    ],
)
def test_hamilton_products(a, b, product):
    np.testing.assert_array_equal(quat.multiply(f32(*a), f32(*b)), f32(*product))


@given(unit_quaternions(), unit_quaternions())
def test_product_applies_second_rotation_first(a, b):
    v = f32(0.3, -1.2, 0.7)
    both = quat.rotate(quat.multiply(a, b), v)
    np.testing.assert_allclose(both, quat.rotate(a, quat.rotate(b, v)), atol=2e-6)


@given(unit_quaternions())
def test_conjugate_is_the_inverse(q):
    assert same_rotation(quat.multiply(q, quat.conjugate(q)), [0, 0, 0, 1])


@given(unit_quaternions())
def test_matrix_equals_quaternion_rotation(q):
    np.testing.assert_allclose(quat.to_matrix(q), rotation_matrix(q), atol=1e-6)


@given(unit_quaternions())
def test_matrix_round_trip(q):
    back = quat.from_matrix(quat.to_matrix(q))
    assert back[3] >= 0
    assert same_rotation(back, q, atol=2e-6)


@pytest.mark.parametrize("axis", [X, Y, Z, (0.6, 0, 0.8)])
@pytest.mark.parametrize("degrees", [0, 90, 179.99, 180, 180.01, 270])
def test_from_matrix_of_half_turns(axis, degrees):
    q = about(axis, degrees)
    assert same_rotation(quat.from_matrix(quat.to_matrix(q)), q, atol=2e-6)


@given(unit_quaternions(), unit_quaternions(), fractions)
def test_slerp_has_unit_length(a, b, u):
    assert length(quat.slerp(a, b, u)) == pytest.approx(1, abs=1e-6)
    assert length(quat.nlerp(a, b, u)) == pytest.approx(1, abs=1e-6)


@given(unit_quaternions(), unit_quaternions())
def test_slerp_returns_its_ends(a, b):
    for blend in (quat.slerp, quat.nlerp):
        assert same_rotation(blend(a, b, 0), a)
        assert same_rotation(blend(a, b, 1), b)


@given(unit_quaternions(), unit_quaternions(), fractions)
def test_slerp_takes_shorter_arc_at_constant_speed(a, b, u):
    whole = angle(a, b)
    assert whole <= np.pi + 1e-6
    middle = quat.slerp(a, b, u)
    assert angle(a, middle) == pytest.approx(float(u) * whole, abs=1e-5)
    assert angle(middle, b) == pytest.approx((1 - float(u)) * whole, abs=1e-5)


@given(unit_quaternions(), unit_quaternions(), fractions)
def test_slerp_ignores_quaternion_sign(a, b, u):
    if abs(float(np.dot(a, b))) > 1e-3:  # at a half turn both arcs have equal length
        assert same_rotation(quat.slerp(a, -b, u), quat.slerp(a, b, u), atol=3e-6)


def test_slerp_of_a_right_angle():
    got = quat.slerp(about(Z, 0), about(Z, 90), f32(0, 1 / 3, 0.5, 1))
    expected = [about(Z, degrees) for degrees in (0, 30, 45, 90)]
    np.testing.assert_allclose(got, expected, atol=1e-6)


@pytest.mark.parametrize("degrees", [0, 1e-6, 1e-4, 0.01, 0.05])
def test_slerp_of_nearly_parallel_quaternions_is_nlerp(degrees):
    a, b = about(Y, 20), about(Y, 20 + degrees)
    np.testing.assert_allclose(quat.slerp(a, b, 0.3), quat.nlerp(a, b, 0.3), atol=1e-7)


@given(st.integers(0, 10), unit_quaternions(6), unit_quaternions(6))
def test_slerp_batch_equals_single(tenths, a, b):
    u = np.linspace(0, tenths / 10, 6).astype(np.float32)
    batch = quat.slerp(a, b, u)
    for k in range(6):
        np.testing.assert_allclose(batch[k], quat.slerp(a[k], b[k], u[k]), atol=3e-7)


def test_slerp_broadcasts_fractions():
    a, b = np.stack([about(X, 0), about(Z, 10)]), np.stack([about(X, 90), about(Z, 30)])
    grid = quat.slerp(a, b, np.linspace(0, 1, 5, dtype=np.float32)[:, None])
    assert grid.shape == (5, 2, 4)
    np.testing.assert_allclose(grid[2, 1], about(Z, 20), atol=1e-6)


def test_zero_quaternion_normalizes_to_identity():
    got = quat.normalize(f32((0, 0, 0, 0), (1e-7, 0, 0, 0), (0, 2, 0, 0), (1e-5, 0, 0, 0)))
    np.testing.assert_allclose(got, [(0, 0, 0, 1), (0, 0, 0, 1), (0, 1, 0, 0), (1, 0, 0, 0)])


def test_float64_stays_float64():
    a, b = about(X, 10).astype(float), about(X, 50).astype(float)
    for q in (quat.slerp(a, b, 0.5), quat.multiply(a, b), quat.normalize(a), quat.conjugate(a)):
        assert q.dtype == np.float64
    np.testing.assert_allclose(quat.slerp(a, b, 0.5), about(X, 30), atol=1e-7)


def test_align_signs_makes_neighbours_agree():
    right = np.stack([about(Z, degrees) for degrees in (0, 10, 20, 30, 40)])
    given_ = right * f32(1, -1, -1, 1, -1)[:, None]
    np.testing.assert_array_equal(quat.align_signs(given_), right)
    both = np.stack([given_, right, -given_], axis=1)  # joints beside each other
    np.testing.assert_array_equal(quat.align_signs(both), np.stack([right, right, -right], axis=1))
    assert quat.align_signs(right[:1].astype(float)).dtype == np.float64
