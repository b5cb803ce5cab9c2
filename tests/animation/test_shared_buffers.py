"""Buffers of clips and skeletons: used again, by several threads, and not by copies."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.pose import BLOCK, Pose
from tests.support.clips import about, make_skeleton, make_track, random_pose

COUNTS = [1, 5, BLOCK + 20]  # characters: joint by joint, and in two blocks


@pytest.fixture
def rig(rng):
    """A skeleton of four joints, and a clip with constant tracks and two widths of values."""
    skeleton = make_skeleton([-1, 0, 0, 1], random_pose(rng, 4, values=5))
    turn = [about([0, 1, 0], 50 * k) for k in range(3)]
    tracks = [
        make_track("rotation", "LINEAR", [0, 1, 2], turn, target=1),
        make_track("scale", "STEP", [0, 1, 2], [[1, 2, 3]] * 3, target=3),
        make_track("translation", "LINEAR", [0, 1, 2], [[0, 0, 0], [3, 0, 0], [1, 2, 3]], target=2),
        make_track("values", "LINEAR", [0, 1, 2], [[0, 1], [1, 0], [2, 2]]),
        replace(
            make_track("values", "LINEAR", [0, 1, 2], [[4, 1, 0], [1, 0, 1], [2, 2, 0]]), start=2
        ),
    ]
    return skeleton, Clip.of("Turn", tracks)


def posed(skeleton, clip, times):
    pose = Pose.like(skeleton.rest, np.shape(times))
    clip.sample(times, pose)
    return pose.data, skeleton.to_model(pose)


@pytest.mark.parametrize("count", COUNTS)
def test_results_are_not_changed_by_the_next_call(rig, rng, count):
    times = rng.uniform(0, 2, count)
    first = posed(*rig, times)
    kept = [array.copy() for array in first]
    posed(*rig, times[::-1])
    for array, copy in zip(first, kept, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize("count", COUNTS)
def test_buffers_without_contiguous_rows_are_filled(rig, rng, count):
    skeleton, clip = rig
    times = rng.uniform(0, 2, count)
    data, matrices = posed(skeleton, clip, times)
    wide = np.zeros((count, 2, data.shape[1]), np.float32)
    wide[:] = skeleton.rest.data
    pose = Pose.over(wide[:, 1], skeleton.count)
    clip.sample(times, pose)
    np.testing.assert_array_equal(wide[:, 1], data)
    np.testing.assert_array_equal(wide[:, 0], np.broadcast_to(skeleton.rest.data, data.shape))
    spread = np.zeros((count, skeleton.count, 4, 8), np.float32)[..., ::2]
    skeleton.to_model(pose, out=spread)
    np.testing.assert_array_equal(spread, matrices)


def test_one_time_fills_a_batch(rig):
    skeleton, clip = rig
    pose = Pose.like(skeleton.rest, (3,))
    clip.sample(0.7, pose)
    np.testing.assert_array_equal(pose.data, np.tile(posed(skeleton, clip, 0.7)[0], (3, 1)))


def test_joint_beyond_the_pose_is_an_error(rig):
    _, clip = rig
    few = make_skeleton([-1, 0, 0], random_pose(np.random.default_rng(0), 3, values=5))
    with pytest.raises(IndexError, match="joint 3 of 3"):
        posed(few, clip, 0.5)


def test_pickled_copies_give_the_same_poses(rig):
    expected = posed(*rig, 0.7)
    for actual, wanted in zip(posed(*pickle.loads(pickle.dumps(rig)), 0.7), expected, strict=True):
        np.testing.assert_array_equal(actual, wanted)


def test_threads_do_not_share_buffers(rig):
    times = [np.linspace(0, 2, count) * (k % 5) / 5 for count in COUNTS for k in range(40)]
    expected = [posed(*rig, each)[1] for each in times]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda at: posed(*rig, at)[1], times))
    for actual, wanted in zip(found, expected, strict=True):
        np.testing.assert_array_equal(actual, wanted)


@pytest.mark.parametrize("count", [0, 1, 200])
def test_poses_without_joints(count):
    skeleton = make_skeleton([])
    pose = Pose.like(skeleton.rest, (count,))
    assert skeleton.to_model(pose).shape == (count, 0, 4, 4)
    Clip.of("Still", []).sample(np.zeros(count), pose)
