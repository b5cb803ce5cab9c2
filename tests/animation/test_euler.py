import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from rigview.animation import quat
from rigview.animation.euler import from_euler, to_euler, unroll
from tests.support.clips import about, same_rotation, unit_quaternions

angles = st.tuples(*[st.floats(-3.1, 3.1)] * 3)


@pytest.mark.parametrize(
    ("axis", "expected"),
    [([1, 0, 0], [40, 0, 0]), ([0, 1, 0], [0, 40, 0]), ([0, 0, 1], [0, 0, 40])],
)
def test_rotation_about_one_axis_is_one_angle(axis, expected):
    euler = np.degrees(to_euler(about(axis, 40)))
    np.testing.assert_allclose(euler, expected, atol=1e-5)


def by_scipy(angles):
    """Return the quaternions [..., 4] of angles [..., 3] about the parent's X, then Y, then Z."""
    angles = np.asarray(angles, float)
    turns = Rotation.from_euler("xyz", angles.reshape(-1, 3))
    return turns.as_quat().reshape(*angles.shape[:-1], 4)


@given(st.lists(angles, min_size=1, max_size=4))
def test_quaternions_of_angles(several):
    one, two = from_euler(np.array(several)), by_scipy(several)
    np.testing.assert_allclose(np.abs((one * two).sum(-1)), 1.0, atol=1e-14)
    np.testing.assert_array_equal(from_euler(several[0]), one[0])


def test_euler_order_is_x_then_y_then_z():
    """+X is unchanged by the rotation about X; 90° about Y moves it to -Z, which Z keeps."""
    q = by_scipy(np.radians([0, 90, 90]))
    assert same_rotation(q, _product(about([0, 0, 1], 90), about([0, 1, 0], 90)))
    assert not same_rotation(q, _product(about([0, 1, 0], 90), about([0, 0, 1], 90)))


def _product(a, b):
    """Return the quaternion product: rotation by b first, then by a."""
    v, w = a[:3] * b[3] + b[:3] * a[3] + np.cross(a[:3], b[:3]), a[3] * b[3] - a[:3] @ b[:3]
    return np.array([*v, w])


@given(unit_quaternions())
def test_euler_round_trip(q):
    q = quat.normalize(q.astype(np.float64))
    assert same_rotation(by_scipy(to_euler(q)), q, 2e-6)


@given(st.sampled_from([-90, 90]), st.floats(-170, 170), st.floats(-170, 170))
def test_euler_round_trip_at_gimbal_lock(y, x, z):
    q = by_scipy(np.radians([x, y, z]))
    euler = to_euler(q)
    assert euler[2] == 0
    assert same_rotation(by_scipy(euler), q, 1e-6)


@given(st.lists(angles, min_size=2, max_size=9))
def test_unroll_keeps_rotations(rows):
    unrolled = unroll(np.array(rows))
    assert same_rotation(by_scipy(unrolled), by_scipy(np.array(rows)), 1e-5)
    assert unrolled[0].tolist() == list(rows[0])


def test_unrolled_angles_of_continuous_rotation_are_continuous():
    turned = np.linspace(0, 3 * np.pi, 100)
    for axis in range(3):
        rows = np.zeros((100, 3))
        rows[:, axis] = turned
        unrolled = unroll(to_euler(by_scipy(rows)))
        assert np.abs(np.diff(unrolled, axis=0)).max() < 0.2
        np.testing.assert_allclose(unrolled[:, axis], turned, atol=1e-6)
