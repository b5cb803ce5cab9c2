import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.animation.clip import Clip
from rigview.animation.pose import Pose
from rigview.animation.sampled_clip import SampledClip
from tests.support.clips import about, make_track, rest_pose, same_rotation

REST = rest_pose(2, values=2)


def walk():
    """Return a clip: joint 0 moves 0, 1, 0 m in two seconds and makes a full turn about Y."""
    return Clip.of(
        "walk",
        [
            make_track("translation", "LINEAR", [0, 1, 2], [[0, 0, 0], [1, 0, 0], [0, 0, 0]]),
            make_track(
                "rotation",
                "LINEAR",
                [0, 0.5, 1, 1.5, 2],
                [about([0, 1, 0], 90 * k) for k in range(5)],
            ),
            make_track("values", "LINEAR", [0, 2], [[0.0, 0.0], [4.0, 4.0]]),
        ],
    )


def read(sampled, times):
    out = Pose.like(REST, np.shape(times))
    return sampled.local_time(times), sampled.sample(times, out)


def test_clip_without_loop_has_closing_sample():
    once = SampledClip.of(walk(), REST, 30, loop=False)
    looping = SampledClip.of(walk(), REST, 30)
    assert (once.frames, len(once.poses.translation)) == (60, 61)
    assert (looping.frames, len(looping.poses.translation)) == (60, 60)
    assert once.rate == looping.rate == 30
    assert once.nbytes == looping.nbytes == 61 * (2 * 10 + 2) * 4


@pytest.mark.parametrize("loop", [False, True])
def test_samples_equal_the_clip(loop):
    clip, sampled = walk(), SampledClip.of(walk(), REST, 10, loop=loop)
    times = np.arange(len(sampled.poses.translation)) / 10
    expected = Pose.like(REST, times.shape)
    clip.sample(times, expected)
    _, got = read(sampled, times)
    np.testing.assert_allclose(got.translation, expected.translation, atol=2e-6)
    assert same_rotation(got.rotation, expected.rotation, 2e-6)
    np.testing.assert_allclose(got.values, expected.values, atol=4e-6)
    assert not got.translation[:, 1].any()  # untouched: at rest


def test_interpolation_between_samples():
    sampled = SampledClip.of(walk(), REST, 2, loop=False)  # at 0, 0.5, 1, 1.5, 2
    _, got = read(sampled, 0.75)
    assert got.translation[0].tolist() == [0.75, 0, 0]
    assert same_rotation(got.rotation[0], about([0, 1, 0], 135))


def test_loop_interpolates_from_last_to_first_sample():
    sampled = SampledClip.of(walk(), REST, 2)  # at 0, 0.5, 1, 1.5
    seconds, got = read(sampled, [1.75, -0.25, 5.75, 2.0])
    assert seconds.tolist() == [1.75, 1.75, 1.75, 0.0]
    np.testing.assert_allclose(got.translation[:, 0, 0], [0.25, 0.25, 0.25, 0])
    for q in got.rotation[:3, 0]:  # 270° to 360°, which is written as -1
        assert same_rotation(q, about([0, 1, 0], 315))
    assert got.values[0].tolist() == [1.5, 1.5]  # halfway from 3 back to 0


def test_time_without_loop_is_clamped():
    seconds, got = read(SampledClip.of(walk(), REST, 3, loop=False), [-1, 9])
    assert seconds.tolist() == [0, 2]
    assert got.values[:, 0].tolist() == [0, 4]


@given(st.floats(0.4, 100))
def test_rate_is_adjusted_to_whole_frames(rate):
    sampled = SampledClip.of(walk(), REST, rate)
    assert sampled.frames == max(1, round(2 * rate))
    assert abs(sampled.rate - rate) <= 0.25 + 1e-9
    _, got = read(SampledClip.of(walk(), REST, rate, loop=False), 2.0)
    assert got.values[0] == 4


def test_step_values_are_not_interpolated():
    step = np.array([False, True])
    _, got = read(SampledClip.of(walk(), REST, 1, loop=False, step=step), 0.5)
    assert got.values.tolist() == [1, 0]


@pytest.mark.parametrize("loop", [False, True])
def test_zero_length_clip_has_one_pose(loop):
    clip = Clip.of("still", [make_track("translation", "LINEAR", [0], [[7, 0, 0]])])
    sampled = SampledClip.of(clip, REST, 30, loop=loop)
    assert (sampled.frames, sampled.rate, len(sampled.poses.translation)) == (0, 0, 1)
    _, got = read(sampled, [0.0, 3.0])
    assert got.translation[:, 0, 0].tolist() == [7, 7]


def test_clip_with_late_start_may_be_trimmed():
    late = Clip.of("late", [make_track("translation", "LINEAR", [1, 2], [[0, 0, 0], [1, 0, 0]])])
    assert SampledClip.of(late, REST, 10).frames == 20
    trimmed = SampledClip.of(late, REST, 10, begin=late.start, loop=False)
    assert (trimmed.frames, trimmed.start, trimmed.end) == (10, 1.0, 2.0)
    assert read(trimmed, 1.25)[1].translation[0, 0] == pytest.approx(0.25)


def test_rate_must_be_above_zero():
    with pytest.raises(ValueError, match="rate"):
        SampledClip.of(walk(), REST, 0)
