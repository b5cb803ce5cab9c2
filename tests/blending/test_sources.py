"""Clips, driven clips and constant poses as sources."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.animation.clip import Clip
from rigview.animation.playback import Playback
from rigview.animation.pose import Pose
from rigview.blending.sources import ClipSource, ParameterDrive, StillSource
from tests.support.clips import make_track, random_pose

# keys of an aim clip: left at 0.2 s, middle at 0.5 s, right at 2 s; of two tracks, one without 0.5
AIM = Clip.of(
    "Aim",
    [
        make_track("translation", "LINEAR", [0.25, 2.0], [[0, 0, 0], [1, 0, 0]]),
        make_track("scale", "LINEAR", [0.25, 0.5], [[1, 1, 1], [1, 2, 1]]),
    ],
)


def drive(values, to, unit="seconds"):
    return ParameterDrive(values, to, unit, AIM.key_times)


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


@pytest.mark.parametrize(
    ("value", "key", "time"),
    [
        (-60, 1, 0.25),  # left
        (-30, 1.5, 0.375),
        (0, 2, 0.5),  # middle
        (30, 2.5, 1.25),  # halfway between the second key and the third
        (60, 3, 2.0),  # right
        (-999, 1, 0.25),
        (999, 3, 2.0),
    ],
)
def test_value_maps_to_key_number(value, key, time):
    assert float(drive((-60, 60), (1, 3), "key").time(value)) == pytest.approx(time)
    assert float(drive((0, 10), (0, 10), "key").time(key)) == pytest.approx(time)


def test_value_maps_to_seconds():
    aim = drive((-60, 60), (0.5, 2.0))
    assert aim.time([-90, -60, -20, 60, 61]).tolist() == pytest.approx([0.5, 0.5, 1, 2, 2])


def test_decreasing_map():
    assert drive((10, 0), (1, 3)).time([0, 5, 10]).tolist() == [3, 2, 1]
    assert drive((0, 10), (3, 1), "key").time([0, 10]).tolist() == [2, 0.25]


def test_key_numbers_are_clamped():
    assert drive((0, 1), (-4, 9), "key").time([0, 1]).tolist() == [0.25, 2]


def test_boolean_drives_clip():
    assert drive((5, 5), (0, 2)).time([4.9, 5, 6]).tolist() == [0, 2, 2]


def test_tiny_range_is_clamped():
    assert drive((0, 1e-308), (1, 2)).time([0, 3]).tolist() == [1, 2]


def test_clip_without_keys():
    assert ParameterDrive((0, 1), (1, 3), "key").time([0, 1]).tolist() == [0, 0]


def test_invalid_maps_are_rejected():
    with pytest.raises(ValueError, match="finite"):
        drive((0, np.inf), (1, 3))


ends = st.tuples(st.floats(-100, 100), st.floats(-100, 100))


@given(ends, ends, st.floats(-300, 300), st.floats(-300, 300), st.sampled_from(["seconds", "key"]))
def test_driven_time_is_clamped_and_monotonic(values, to, a, b, unit):
    aim = drive(values, to, unit)
    times = aim.time([min(a, b), max(a, b)])
    low, high = (min(to), max(to)) if unit == "seconds" else (0.25, 2.0)
    assert np.all((times >= low - 1e-9) & (times <= high + 1e-9))
    falls = (to[1] < to[0]) != (values[1] < values[0])
    assert (times[0] >= times[1] - 1e-9) if falls else (times[0] <= times[1] + 1e-9)


@given(ends, ends)
def test_ends_of_map_are_exact(values, to):
    aim = drive(values, to)
    if values[0] != values[1]:
        assert float(aim.time(values[0])) == to[0]
        assert float(aim.time(values[1])) == to[1]
