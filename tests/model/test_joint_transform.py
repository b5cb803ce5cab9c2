"""The transform of a joint: known matrices, mirrors, shear, and differences."""

import math

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.animation.transform import compose
from rigview.model.joint_transform import JointTransform

HALF = math.sqrt(0.5)


def turned(axis, degrees):
    """A unit quaternion xyzw about an axis."""
    half = math.radians(degrees) / 2
    return np.array([*(np.array(axis) * math.sin(half)), math.cos(half)])


def matrix(translation=(0, 0, 0), rotation=(0, 0, 0, 1), scale=(1, 1, 1)):
    parts = (np.array([part], np.float32) for part in (translation, rotation, scale))
    return compose(*parts)[0]


def test_a_known_matrix():
    """A quarter turn about Z after a stretch along X: X becomes 2 Y."""
    known = np.array([[0, -1, 0, 5], [2, 0, 0, 6], [0, 0, 1, 7], [0, 0, 0, 1]], np.float64)
    found = JointTransform.of_matrix(known)
    np.testing.assert_array_equal(found.matrix, known)
    np.testing.assert_array_equal(found.translation, [5, 6, 7])
    np.testing.assert_allclose(found.rotation, [0, 0, HALF, HALF], atol=1e-7)
    np.testing.assert_allclose(found.scale, [2, 1, 1], atol=1e-7)
    np.testing.assert_allclose(found.degrees, [0, 0, 90], atol=1e-5)
    assert found.shear == pytest.approx(0.0, abs=1e-7)


def test_numbers_of_a_pose_are_kept():
    """Also those that a matrix lacks: -q, and two negative scales."""
    pose = Pose(
        np.array([[1, 2, 3]], np.float32),
        np.array([[0, 0, -HALF, -HALF]], np.float32),
        np.array([[-1, -1, 1]], np.float32),
        np.zeros(0, np.float32),
    )
    found = JointTransform.of_pose(pose, 0)
    np.testing.assert_array_equal(found.rotation, pose.rotation[0])
    np.testing.assert_array_equal(found.scale, [-1, -1, 1])
    np.testing.assert_allclose(found.matrix, matrix((1, 2, 3), pose.rotation[0], (-1, -1, 1)))
    np.testing.assert_allclose(found.degrees, [0, 0, 90], atol=1e-5)


@pytest.mark.parametrize("scale", [(2, 3, 4), (-1, 1, 1), (1e-3, 1, 1e3)])
def test_parts_give_the_matrix(scale):
    known = matrix((1, -2, 3), turned((0.6, 0, 0.8), 70), scale)
    found = JointTransform.of_matrix(known)
    again = matrix(found.translation, found.rotation, found.scale)
    np.testing.assert_allclose(again, known, rtol=1e-5, atol=1e-5 * max(map(abs, scale)))


def test_shear_is_the_cosine_between_two_axes():
    sheared = np.eye(4)
    sheared[0, 1] = math.tan(math.radians(30))
    assert JointTransform.of_matrix(sheared).shear == pytest.approx(0.5, abs=1e-6)


def test_far_away_translations_are_exact():
    far = np.eye(4)
    far[0, 3] = 100_000.123456
    assert JointTransform.of_matrix(far).translation[0] == 100_000.123456


def test_numbers_that_are_not_finite():
    broken = np.eye(4)
    broken[1, 2] = np.inf
    found = JointTransform.of_matrix(broken)
    assert np.isnan(found.rotation).all()
    assert np.isnan(found.degrees).all()
    assert math.isnan(found.angle(JointTransform.of_matrix(np.eye(4))))


def test_distance_and_angle():
    one = JointTransform.of_matrix(matrix())
    two = JointTransform.of_matrix(matrix((3, 4, 0), turned((0, 1, 0), 200)))
    assert one.distance(two) == pytest.approx(5.0)
    assert one.angle(two) == pytest.approx(160.0, abs=1e-4)
    assert two.angle(two) == pytest.approx(0.0, abs=1e-4)
    negated = JointTransform(two.translation, -two.rotation, two.scale)
    assert two.angle(negated) == pytest.approx(0.0, abs=1e-4)
