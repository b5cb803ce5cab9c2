"""Poses of a crowd equal the poses of its characters evaluated alone."""

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.crowd import Crowd
from rigview.animation.playback import Playback
from rigview.animation.pose import BLOCK, Pose
from rigview.animation.sampled_clip import SampledClip
from rigview.animation.skin import Skin
from tests.support.clips import about, make_skeleton, make_track, random_pose


@pytest.fixture
def rig(rng):
    """A skeleton of four joints, a skin of three, and two clips that move different joints."""
    skeleton = make_skeleton([-1, 0, 1, 1], random_pose(rng, 4, values=2))
    bind = rng.normal(size=(3, 4, 4)).astype(np.float32)
    bind[:, 3] = [0, 0, 0, 1]
    skin = Skin("Skin", np.array([1, 3, 2], np.int32), bind)
    turn = [about([0, 1, 0], 50 * k) for k in range(3)]
    clips = (
        Clip.of("Turn", [make_track("rotation", "LINEAR", [0, 1, 2], turn, target=1)]),
        Clip.of(
            "Move",
            [
                make_track("translation", "LINEAR", [0, 3], [[0, 0, 0], [3, 0, 0]], target=2),
                make_track("values", "LINEAR", [0, 3], [[0, 1], [1, 0]]),
            ],
        ),
    )
    return skeleton, skin, clips


def worlds(count):
    world = np.tile(np.eye(4, dtype=np.float32), (count, 1, 1))
    world[:, 0, 3] = np.arange(count)
    return world


def single_character(rig, clip, time):
    """Return matrices, palette and values of a single character."""
    skeleton, skin, clips = rig
    pose = skeleton.rest.copy()
    if clip >= 0:
        clips[clip].sample(time, pose)
    matrices = skeleton.to_model(pose)
    return matrices, skin.palette(matrices), pose.values


@pytest.mark.parametrize("count", [1, 7, 2 * BLOCK + 30])
def test_instances_have_their_own_clip_and_time(rig, rng, count):
    skeleton, skin, clips = rig
    chosen, times = rng.integers(-1, 2, count), rng.uniform(0, 3, count)
    crowd = Crowd(skeleton, [skin], clips, chosen, worlds(count))
    crowd.pose_at(rng.uniform(0, 3, count))
    crowd.pose_at(times)
    assert crowd.count == count
    assert crowd.palettes[0].shape == (count, 3, 3, 4)
    for k in {0, count // 2, count - 1}:
        matrices, palette, values = single_character(rig, chosen[k], times[k])
        np.testing.assert_allclose(crowd.matrices[k], matrices, atol=2e-5)
        np.testing.assert_allclose(crowd.palettes[0][k], palette, atol=2e-5)
        np.testing.assert_allclose(crowd.values[k], values, atol=2e-6)


def test_shared_pose_is_evaluated_once(rig):
    skeleton, skin, clips = rig
    crowd = Crowd(skeleton, [skin], clips, 0, worlds(500))
    crowd.pose_at(1.5)
    assert crowd.shared
    assert crowd.count == 500
    assert crowd.palettes[0].shape == (1, 3, 3, 4)
    np.testing.assert_allclose(crowd.palettes[0][0], single_character(rig, 0, 1.5)[1], atol=2e-6)


def test_playback_drives_crowd(rig):
    skeleton, skin, clips = rig
    playback = Playback([2.0, 3.0], rate=[1.0, -1.0], tau=10.0)
    crowd = Crowd(skeleton, [skin], clips, [0, 1], worlds(2), playback=playback)
    crowd.update(10.5)
    np.testing.assert_allclose(crowd.matrices[0], single_character(rig, 0, 0.5)[0], atol=2e-6)
    np.testing.assert_allclose(crowd.matrices[1], single_character(rig, 1, 2.5)[0], atol=2e-6)
    before = crowd.matrices.copy()
    Crowd(skeleton, [skin], clips, [0, 1], worlds(2)).update(3.0)
    np.testing.assert_array_equal(crowd.matrices, before)


def test_crowd_accepts_sampled_clips(rig):
    skeleton, skin, clips = rig
    sampled = [SampledClip.of(clip, skeleton.rest, 60, loop=False) for clip in clips]
    crowd = Crowd(skeleton, [skin], sampled, [1, 0, 1], worlds(3))
    crowd.pose_at([0.5, 1.0, 2.0])
    for k, (clip, time) in enumerate([(1, 0.5), (0, 1.0), (1, 2.0)]):
        np.testing.assert_allclose(
            crowd.matrices[k], single_character(rig, clip, time)[0], atol=1e-4
        )


def test_instance_without_clip_is_in_rest_pose(rig):
    skeleton, skin, clips = rig
    crowd = Crowd(skeleton, [skin], clips, [0, 1, -1], worlds(3))
    crowd.pose_at([2.0, 3.0, 0.0])
    rest = skeleton.to_model(Pose.like(skeleton.rest))
    np.testing.assert_array_equal(crowd.matrices[2], rest)


@pytest.mark.parametrize(
    ("chosen", "world", "says"),
    [
        ([0, 1], worlds(3), "chosen"),
        ([0, 2], worlds(2), "clip indices"),
        (-2, worlds(2), "clip indices"),
        (0, np.eye(4, dtype=np.float32), "world"),
    ],
)
def test_crowd_rejects_mismatched_arguments(rig, chosen, world, says):
    skeleton, skin, clips = rig
    with pytest.raises(ValueError, match=says):
        Crowd(skeleton, [skin], clips, chosen, world)
