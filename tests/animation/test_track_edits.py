"""Parts of clips, clips played backwards, and clips that follow each other."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rigview.animation import quat
from rigview.animation.clip import Clip
from rigview.animation.pose import Pose
from tests.support.clips import clips, make_track, rest_pose, same_rotation

SHARES = st.floats(0.0, 1.0)


def poses(clip, times):
    """The poses of a clip over a rest pose of two joints and six values."""
    return clip.sample(times, Pose.like(rest_pose(4, 12), np.shape(times)))


def assert_same_poses(one, two, atol):
    for name in ("translation", "scale", "values"):
        np.testing.assert_allclose(getattr(one, name), getattr(two, name), atol=atol, rtol=1e-4)
    assert same_rotation(one.rotation, two.rotation, 1e-3)


def is_decided(track):
    """Whether a track has neither jumps nor rotations in which rounding decides about the arc."""
    apart = (np.diff(track.times) > 1e-3).all()
    if track.path != "rotation":
        return apart
    dots = np.abs((track.values[1:] * track.values[:-1]).sum(axis=1))
    return apart and track.interpolation != "CUBICSPLINE" and (dots > 1e-2).all()


decided = clips().map(lambda clip: Clip.of("Clip", list(filter(is_decided, clip.tracks))))


@given(decided, SHARES, SHARES)
def test_a_part_shows_the_poses_of_the_clip(clip, a, b):
    assume(clip.duration > 0.1)
    begin, end = (float(clip.start + clip.duration * share) for share in sorted((a, b)))
    assume(end - begin > 0.05)
    part = clip.cut(begin, end, "Part")
    assert (part.name, part.start) == ("Part", 0.0)
    assert part.duration == pytest.approx(end - begin, abs=1e-6)
    keys = np.concatenate([t.times for t in clip.tracks] or [np.zeros(0)])
    times = np.linspace(0.001, part.end - 0.001, 9)
    apart = np.abs(times[:, None] + begin - keys).min(axis=1, initial=1.0)
    times = times[apart > 1e-3]  # a STEP value changes at a key
    assert_same_poses(poses(part, times), poses(clip, times + begin), 1e-3)


def test_a_part_of_a_spline_has_its_slopes():
    values, tangents = np.array([[0.0], [1.0]]), np.array([[[0.0], [2.0]], [[-1.0], [0.0]]])
    track = make_track("values", "CUBICSPLINE", [0, 2], values, tangents)
    part = Clip.of("A", [track]).cut(0.5, 1.25).tracks[0]
    times = np.array([0.5, 1.25])
    slope = (track.sample(times + 1e-3) - track.sample(times - 1e-3)).astype(float) / 2e-3
    np.testing.assert_allclose(part.tangents[[0, 1], [1, 0]], slope, atol=2e-3)
    fine = np.linspace(0.5, 1.25, 50)
    np.testing.assert_allclose(part.sample(fine - 0.5), track.sample(fine), atol=1e-6)


def test_a_part_of_rotations_on_a_spline_turns_as_the_whole():
    rng = np.random.default_rng(5)
    turns = quat.normalize(np.array([0, 0, 0, 1]) + rng.normal(size=(5, 4)) * 0.3)
    tangents = rng.normal(size=(5, 2, 4)) * 0.4
    track = make_track("rotation", "CUBICSPLINE", range(5), turns, tangents)
    part = Clip.of("A", [track]).cut(0.7, 3.2).tracks[0]
    times = np.linspace(0.7, 3.2, 60)
    assert same_rotation(part.sample(times - 0.7), track.sample(times), 1e-5)


def test_the_second_of_two_keys_begins_a_part_and_the_first_ends_it():
    jumps = make_track("values", "LINEAR", [0, 1, 1, 2], [[0], [1], [5], [6]])
    clip = Clip.of("A", [jumps])
    assert clip.cut(1, 2).tracks[0].values[:, 0].tolist() == [5, 6]
    assert clip.cut(0, 1).tracks[0].values[:, 0].tolist() == [0, 1]


@pytest.mark.parametrize(("begin", "end"), [(0.5, 0.5), (0.8, 0.2), (-0.1, 1), (0, 2.5)])
def test_a_part_that_the_clip_lacks_is_refused(begin, end):
    clip = Clip.of("Walk", [make_track("values", "LINEAR", [0, 2], [[0], [1]])])
    with pytest.raises(ValueError, match=r"no part from .* of 'Walk', which has 0 to 2 s"):
        clip.cut(begin, end)


@given(decided)
def test_a_reversed_clip_shows_the_poses_backwards(clip):
    assume(clip.duration > 0.1)
    backwards = clip.reversed()
    times = np.linspace(clip.start, clip.end, 12)[1:-1] + 1.2345e-3
    keys = np.concatenate([t.times for t in clip.tracks])
    total = clip.start + clip.end
    apart = np.abs(total - times[:, None] - keys).min(axis=1)
    times = times[(apart > 1e-3) & (times < clip.end)]
    assert_same_poses(poses(backwards, times), poses(clip, total - times), 1e-3)


def test_joined_clips_play_after_each_other():
    rest = rest_pose(2)
    rest.translation[1] = 3
    a = make_track("translation", "LINEAR", [0, 1], [[0, 0, 0], [1, 1, 1]])
    b = make_track("translation", "LINEAR", [0.5, 2], [[7, 0, 0], [9, 0, 0]])
    c = make_track("translation", "LINEAR", [0.5, 2], [[8, 8, 8], [8, 8, 8]], target=1)
    first, second = Clip.of("A", [a], rest), Clip.of("B", [b, c], rest)
    both = Clip.joined([first, second], "Both")
    assert (both.name, both.start, both.end) == ("Both", 0.0, 2.5)
    times = np.array([0.0, 0.5, 0.99, 1.0, 1.75, 2.5])
    got = both.sample(times)
    np.testing.assert_allclose(got.translation[:3, 0, 0], [0, 0.5, 0.99], atol=1e-5)
    np.testing.assert_allclose(got.translation[3:, 0, 0], [7, 8, 9], atol=1e-5)
    np.testing.assert_allclose(got.translation[:, 1, 0], [3, 3, 3, 8, 8, 8])
    assert all((np.diff(track.times) > 0).all() for track in both.tracks)


def test_joining_keeps_splines_and_refuses_other_interpolations():
    turn = quat.normalize(np.array([[0, 0, 0, 1], [0, 0.1, 0, 1]], float))
    spline = make_track("rotation", "CUBICSPLINE", [0, 1], turn, np.zeros((2, 2, 4)))
    line = make_track("rotation", "LINEAR", [0, 1], turn)
    still = make_track("rotation", "LINEAR", [0, 1], turn[[1, 1]])
    rest = rest_pose(1)
    joined = Clip.joined([Clip.of("A", [spline], rest), Clip.of("B", [still], rest)], "C")
    assert joined.tracks[0].interpolation == "CUBICSPLINE"
    with pytest.raises(ValueError, match="rotation of target 0 is CUBICSPLINE and LINEAR"):
        Clip.joined([Clip.of("A", [spline], rest), Clip.of("B", [line], rest)], "C")
    with pytest.raises(ValueError, match="no clips to join"):
        Clip.joined([], "C")
    moved = replace(still, target=0, path="scale", values=still.values[:, :3])
    with pytest.raises(ValueError, match="the clip 'B' has no rest pose"):
        Clip.joined([Clip.of("A", [line], rest), Clip.of("B", [moved])], "C")
