"""Interpolation of LINEAR rotation keys by nlerp, in a track and in a clip."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.animation import quat
from rigview.animation.clip import Clip
from rigview.animation.pose import Pose
from rigview.animation.vectors import dot
from tests.support.clips import about, make_track, rest_pose, same_rotation, unit_quaternions

TIMES = st.floats(-1, 4)


def clip_of(keys, times=None):
    times = np.arange(len(keys)) if times is None else times
    return Clip.of("turn", [make_track("rotation", "LINEAR", times, keys)])


def sampled(clip, time):
    out = Pose.like(rest_pose(1), np.shape(time))
    clip.sample(time, out)
    return out.rotation[..., 0, :]


@given(unit_quaternions(4), TIMES)
def test_nlerp_of_clip_equals_nlerp_of_track(keys, time):
    clip = replace(clip_of(keys), rotation="nlerp")
    time = max(time, 0)
    alone = clip.tracks[0].sample(time, rotation="nlerp")
    assert same_rotation(sampled(clip, time), alone, 2e-6)
    assert same_rotation(sampled(clip, [time, 0.5])[0], alone, 2e-6)


@given(unit_quaternions(3), TIMES)
def test_nlerp_is_of_unit_length(keys, time):
    q = sampled(replace(clip_of(keys), rotation="nlerp"), max(time, 0))
    assert dot(q, q) == pytest.approx(1, abs=4e-6)


@given(unit_quaternions(3), st.integers(0, 2))
def test_nlerp_returns_keys_bit_for_bit(keys, k):
    clip = replace(clip_of(keys), rotation="nlerp")
    np.testing.assert_array_equal(sampled(clip, k), keys[k])


def test_nlerp_differs_from_slerp_between_keys():
    """At a quarter of 120°, slerp rotates by 30° and nlerp by 27.8°."""
    keys = [about([0, 0, 1], 0), about([0, 0, 1], 120)]
    slerp = sampled(clip_of(keys), 0.25)
    nlerp = sampled(replace(clip_of(keys), rotation="nlerp"), 0.25)
    assert same_rotation(slerp, about([0, 0, 1], 30))
    raw = 0.75 * about([0, 0, 1], 0) + 0.25 * about([0, 0, 1], 120)
    assert same_rotation(nlerp, raw / np.linalg.norm(raw))
    assert not same_rotation(nlerp, slerp, 1e-3)
    middle = sampled(replace(clip_of(keys), rotation="nlerp"), 0.5)
    assert same_rotation(middle, about([0, 0, 1], 60))


def test_nlerp_takes_shorter_arc():
    keys = [about([0, 0, 1], 0), -about([0, 0, 1], 60)]
    assert same_rotation(
        sampled(replace(clip_of(keys), rotation="nlerp"), 0.5), about([0, 0, 1], 30)
    )


def test_nlerp_does_not_change_spline_and_step(rng):
    keys = rng.normal(size=(3, 4)).astype(np.float32)
    tangents = rng.normal(size=(3, 2, 4)).astype(np.float32)
    spline = make_track("rotation", "CUBICSPLINE", [0, 1, 2], keys, tangents)
    step = make_track("rotation", "STEP", [0, 1, 2], quat.normalize(keys), target=1)
    clip = Clip.of("both", [spline, step])
    rest, times = rest_pose(2), np.linspace(0, 2, 9)
    slow, fast = Pose.like(rest, (9,)), Pose.like(rest, (9,))
    clip.sample(times, slow)
    replace(clip, rotation="nlerp").sample(times, fast)
    assert slow.equals(fast)
