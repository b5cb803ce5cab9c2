import numpy as np

from rigview.animation.clip import Clip
from rigview.animation.playback import Playback
from rigview.animation.pose import Pose
from rigview.blending.sources import ClipSource, StillSource
from tests.support.clips import make_track, random_pose


def slide(target, times, values, start=0):
    return Clip.of("Slide", [make_track("translation", "LINEAR", times, values, target=target)])


def test_joints_without_tracks_are_set_to_rest(rng):
    rest = random_pose(rng, 3, values=2)
    out = random_pose(rng, 3, values=2)  # left by the clip before
    clip = slide(1, [0, 2], [[0, 0, 0], [4, 0, 0]])
    source = ClipSource(clip, Playback(2.0), rest)
    source.advance(0.0, 0.5)
    source.sample(out)
    expected = rest.copy()
    expected.translation[1] = (1, 0, 0)
    assert out.equals(expected)


def test_clip_source_follows_its_playback(rng):
    clip = slide(0, [1, 3], [[1, 0, 0], [3, 0, 0]])
    rest = random_pose(rng, 1)
    source = ClipSource(clip, Playback(clip.end, rate=-1.0), rest)
    assert source.time == 3  # started backwards: at the end
    out = rest.copy()
    for tau, x in ((0, 3), (0.5, 2.5), (2.5, 1), (3.5, 2.5)):  # a late first key is held before it
        source.advance(0.0, tau)
        source.sample(out)
        assert out.translation[0, 0] == x


def test_clip_source_of_crowd(rng):
    clip = slide(0, [0, 2], [[0, 0, 0], [2, 0, 0]])
    rest = random_pose(rng, 2)
    source = ClipSource(clip, Playback(2.0, tau=np.array([0.0, 0.5, 1.25])), rest)
    out = Pose.like(rest, (3,))
    source.advance(0.0, 1.5)
    source.sample(out)
    assert out.translation[:, 0, 0].tolist() == [1.5, 1.0, 0.25]


def test_still_source_returns_its_pose(rng):
    pose, out = random_pose(rng, 2, values=1), random_pose(rng, 2, (2,), values=1)
    source = StillSource(pose)
    source.advance(0.0, 4.0)
    source.sample(out)
    assert out.equals(Pose.like(pose, (2,)))
