import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.pose import Pose
from rigview.animation.transform_track import Transform, TransformTrack
from tests.support.clips import about, f32, make_track, random_pose

REFERENCE = Transform(f32(1, 2, 3), about([0, 1, 0], 30), f32(2, 2, 2))


def translation_track(times, xs, target=0):
    return make_track("translation", "LINEAR", times, [[x, 0, 0] for x in xs], target=target)


def rotation_track(times, degrees, target=0):
    keys = [about([0, 0, 1], angle) for angle in degrees]
    return make_track("rotation", "LINEAR", times, keys, target=target)


def test_transform_track_spans_its_tracks():
    track = TransformTrack(0, translation_track([1, 4], [0, 1]), rotation_track([0.5, 2], [0, 90]))
    assert (track.start, track.end, track.duration) == (0.5, 4.0, 3.5)
    assert len(track.tracks) == 2


def test_missing_tracks_use_reference():
    got = TransformTrack(0, translation_track([1, 4], [0, 3])).sample([2, 3], REFERENCE)
    assert got.translation[:, 0].tolist() == [1, 2]
    np.testing.assert_array_equal(got.rotation, [REFERENCE.rotation] * 2)
    np.testing.assert_array_equal(got.scale, [REFERENCE.scale] * 2)


def test_transform_track_without_tracks():
    nothing = TransformTrack(3)
    assert (nothing.start, nothing.end, nothing.tracks) == (0, 0, ())
    for mine, theirs in zip(nothing.sample(7.0, REFERENCE, loop=True), REFERENCE, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_last_track_of_a_target_wins():
    clip = Clip.of(
        "two",
        [
            translation_track([0, 1], [0, 1]),
            translation_track([0, 1], [5, 5], 1),
            translation_track([0, 1], [7, 7]),
        ],
    )
    assert TransformTrack.of(clip, 0).sample(0.5, REFERENCE).translation[0] == 7
    assert TransformTrack.of(clip, 1).sample(0.5, REFERENCE).translation[0] == 5
    assert TransformTrack.of(clip, 2).tracks == ()


def test_loop_uses_one_span_for_all_tracks():
    """Wrapping is over the whole span: a shorter track holds its last key until the next pass."""
    track = TransformTrack(0, translation_track([0, 1], [0, 1]), rotation_track([0, 2], [0, 90]))
    got = track.sample(2 + 1.5, REFERENCE, loop=True)
    assert got.translation[0] == 1
    np.testing.assert_allclose(got.rotation, about([0, 0, 1], 67.5), atol=1e-6)
    before = track.sample(-0.5, REFERENCE, loop=True)
    np.testing.assert_allclose(before.rotation, got.rotation, atol=1e-6)


def test_single_key_loops_to_its_value():
    assert TransformTrack(0, translation_track([3], [8])).sample(
        [1, 9], REFERENCE, loop=True
    ).translation[:, 0].tolist() == [8, 8]


@pytest.mark.parametrize("joint", [0, 1])
def test_transform_track_equals_clip_sample(joint, rng):
    rest = random_pose(rng, 2)
    clip = Clip.of(
        "walk", [translation_track([0, 2], [0, 4]), rotation_track([0.5, 1.5], [0, 80], 1)]
    )
    times = np.linspace(-1, 3, 9)
    pose = Pose.like(rest, (9,))
    clip.sample(np.maximum(times, 0), pose)
    mine = TransformTrack.of(clip, joint).sample(times, Transform.of(rest, joint))
    for a, b in zip(mine, Transform.of(pose, joint), strict=True):
        np.testing.assert_allclose(a, b, atol=2e-6)


@pytest.mark.parametrize(("time", "x"), [(3.5, 0.5), (0.75, 1.75), (1.0, 0.0), (-0.5, 0.5)])
def test_loop_wraps_within_own_span(time, x):
    """From 1 s to 3 s: half a second past the end is half a second past the start."""
    track = TransformTrack(0, translation_track([1, 3], [0, 2]))
    assert track.sample(time, REFERENCE, loop=True).translation[0] == pytest.approx(x)
