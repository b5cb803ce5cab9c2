import numpy as np
import pytest

from rigview.animation.pose import Pose
from tests.support.clips import f32, random_pose, rest_pose


def test_like_repeats_the_rest_pose(rng):
    rest = random_pose(rng, 3, values=2)
    pose = Pose.like(rest, (4, 2))
    assert pose.batch == (4, 2)
    assert [a.shape for a in (pose.translation, pose.rotation, pose.scale, pose.values)] == [
        (4, 2, 3, 3),
        (4, 2, 3, 4),
        (4, 2, 3, 3),
        (4, 2, 2),
    ]
    for row in np.ndindex(4, 2):
        np.testing.assert_array_equal(pose.rotation[row], rest.rotation)
        np.testing.assert_array_equal(pose.values[row], rest.values)


def test_copy_has_own_buffers(rng):
    pose = random_pose(rng, 3, (2,), values=1)
    copy = pose.copy()
    assert copy.equals(pose)
    copy.scale[1, 2, 0] += 1
    assert not copy.equals(pose)
    assert pose.batch == copy.batch == (2,)


def test_a_pose_knows_the_rest_pose_it_was_made_from(rng):
    rest = random_pose(rng, 3)
    assert rest.rest is None
    pose = Pose.like(rest, (2,))
    assert pose.rest is rest
    assert pose.copy().rest is rest
    assert Pose.over(pose.data, 3).rest is None


@pytest.mark.parametrize("name", ["translation", "rotation", "scale", "values"])
def test_equals_compares_all_arrays(rng, name):
    pose = random_pose(rng, 2, values=2)
    other = pose.copy()
    array = getattr(other, name)
    array[...] = np.nextafter(array, np.float32(9))
    assert not pose.equals(other)


def test_assign_broadcasts_bit_for_bit(rng):
    pose, rest = random_pose(rng, 3, (5,), values=2), random_pose(rng, 3, values=2)
    before = pose.rotation
    pose.assign(rest)
    assert pose.rotation is before
    assert pose.equals(Pose.like(rest, (5,)))
    assert not pose.equals(rest)


def test_pose_without_values():
    pose = Pose.like(rest_pose(1), (2,))
    assert pose.values.shape == (2, 0)
    np.testing.assert_array_equal(pose.rotation[1], f32((0, 0, 0, 1)))


def test_data_contains_all_arrays_of_pose(rng):
    pose = random_pose(rng, 3, (2,), values=2)
    assert pose.data.shape == (2, 32)
    assert pose.count == 3
    pose.data[...] = np.arange(64).reshape(2, 32)
    parts = [pose.translation[1], pose.scale[1], pose.rotation[1], pose.values[1]]
    np.testing.assert_array_equal(np.concatenate([part.ravel() for part in parts]), pose.data[1])


def test_pose_over_array_view_writes_through(rng):
    rows = np.zeros((2, 4, 21), np.float32)
    pose = Pose.over(rows[:, 3], 2)
    source = random_pose(rng, 2, (2,), values=1)
    pose.assign(source)
    assert pose.equals(source)
    np.testing.assert_array_equal(rows[:, 3], source.data)
    assert not rows[:, :3].any()


def test_poses_with_different_joint_counts_differ():
    data = np.zeros(20, np.float32)
    assert not Pose.over(data, 1).equals(Pose.over(data, 2))
