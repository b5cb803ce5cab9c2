import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.animation import quat
from rigview.animation.pose import Pose
from rigview.blending.cone_limits import ConeLimits
from tests.support.clips import about, random_pose, rest_pose, same_rotation

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
seeds = st.integers(0, 999)


def radians(degrees):
    return float(np.radians(degrees))


def degrees_between(a, b):
    return np.degrees(2 * np.arccos(np.clip(abs(np.sum(a.astype(float) * b, axis=-1)), 0, 1)))


@pytest.mark.parametrize("axis", [X, Y, Z, (0, 0.6, 0.8)])
@pytest.mark.parametrize("sign", [1, -1])
def test_joint_beyond_cone_is_rotated_to_its_limit(axis, sign):
    pose, reference = rest_pose(3), rest_pose(3)
    reference.rotation[1] = about(X, 10)
    pose.rotation[1] = sign * quat.multiply(about(X, 10), about(axis, 75))
    report = ConeLimits({1: radians(60)}, reference).apply(pose)
    assert same_rotation(pose.rotation[1], quat.multiply(about(X, 10), about(axis, 60)))
    assert [past.joint for past in report] == [1]
    assert np.degrees(report[0].angle) == pytest.approx(75, abs=1e-4)
    assert np.degrees(report[0].limit) == pytest.approx(60)


def test_joint_within_cone_is_unchanged():
    pose, reference = rest_pose(3), rest_pose(3)
    pose.rotation[0], pose.rotation[1], pose.rotation[2] = about(Y, 59), about(Y, 90), about(Y, 99)
    before = pose.copy()
    assert ConeLimits({}, reference).apply(pose) == []
    limits = ConeLimits({2: radians(60), 0: radians(60)}, reference)
    assert [past.joint for past in limits.apply(pose)] == [2]
    np.testing.assert_array_equal(pose.rotation[:2], before.rotation[:2])
    assert same_rotation(pose.rotation[2], about(Y, 60))


@given(seeds, st.floats(0, 180))
def test_limited_joints_stay_in_cone_and_keep_their_direction(seed, limit):
    rng = np.random.default_rng(seed)
    pose, reference = random_pose(rng, 3, (2,)), random_pose(rng, 3, (2,))
    before = pose.copy()
    limits = ConeLimits({0: radians(limit), 2: radians(limit / 2)}, rest_pose(3))
    report = limits.apply(pose, reference)
    np.testing.assert_array_equal(pose.rotation[:, 1], before.rotation[:, 1])
    shown = degrees_between(pose.rotation, reference.rotation)
    assert (shown[:, (0, 2)] <= (limit + 0.1, limit / 2 + 0.1)).all()
    assert limits.apply(pose, reference) == []
    for past in report:
        was = degrees_between(before.rotation, reference.rotation)[past.character, past.joint]
        assert np.degrees(past.angle) == pytest.approx(was, abs=0.05)
        back = degrees_between(pose.rotation, before.rotation)[past.character, past.joint]
        assert back == pytest.approx(was - np.degrees(past.limit), abs=0.1)


def test_crowd_with_one_reference():
    pose = Pose.like(rest_pose(2), (3,))
    pose.rotation[1, 0] = about(Z, 50)
    pose.rotation[2, 1] = about(Z, -70)
    report = ConeLimits({0: radians(40), 1: radians(45)}, rest_pose(2)).apply(pose)
    assert [(past.character, past.joint) for past in report] == [(1, 0), (2, 1)]
    assert same_rotation(pose.rotation[1, 0], about(Z, 40))
    assert same_rotation(pose.rotation[2, 1], about(Z, -45))


def test_joints_without_additive_difference_are_not_limited():
    pose = Pose.like(rest_pose(2), (2,))
    pose.rotation[...] = about(Z, 90)
    before, limits = pose.copy(), ConeLimits({0: radians(40), 1: radians(45)}, rest_pose(2))
    report = limits.apply(pose, None, np.array([[0, 0], [0, 0.1]]))
    assert [(past.character, past.joint) for past in report] == [(1, 1)]
    np.testing.assert_array_equal(pose.rotation[0], before.rotation[0])
    np.testing.assert_array_equal(pose.rotation[1, 0], before.rotation[1, 0])
