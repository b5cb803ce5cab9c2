import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.resample import reduce_keys, resample
from rigview.animation.track import Track
from rigview.animation.vectors import dot

LIMIT = 1e-3


def turn(degrees):
    half = np.radians(np.asarray(degrees, float)) / 2
    zero = np.zeros_like(half)
    return np.stack([zero, zero, np.sin(half), np.cos(half)], axis=-1).astype(np.float32)


def track(values, path="translation", how="LINEAR", *, times=None, tangents=None, target=0):
    values = np.asarray(values, np.float32)
    if times is None:
        times = np.arange(len(values)) / 10
    return Track(target, path, how, np.asarray(times, np.float32), values, tangents)


def line(*x):
    return [[value, 0, 0] for value in x]


def thinned(*tracks, limit=LIMIT):
    scales = [np.ones(item.values.shape[1]) for item in tracks]
    clip = reduce_keys(Clip.of("Clip", tracks), [limit] * len(tracks), scales)
    return clip.tracks


def spline(function, slope, times):
    """Return a CUBICSPLINE track along X."""
    times = np.asarray(times, float)
    values = np.array(line(*function(times)))
    tangents = np.array(line(*slope(times)), np.float32)
    return track(values, how="CUBICSPLINE", times=times, tangents=np.stack([tangents] * 2, axis=1))


# --- fewer keys ----------------------------------------------------------------------------------


def test_straight_line_is_reduced_to_two_keys():
    (out,) = thinned(track(line(0, 1, 2, 3)))
    assert out.times.tolist() == [0, np.float32(0.3)]
    assert out.values[:, 0].tolist() == [0, 3]


def test_constant_track_has_one_key_if_another_keeps_the_range():
    moving, still = thinned(track(line(0, 1, 0)), track(turn([20, 20, 20]), "rotation"))
    assert len(moving.times) == 3
    assert still.times.tolist() == [0]


def test_range_of_constant_clip_is_kept():
    tracks = thinned(track(line(2, 2, 2), times=[0.5, 1, 3]), track(line(1, 1), times=[1, 2]))
    assert min(item.begin for item in tracks) == 0.5
    assert max(item.end for item in tracks) == 3
    assert sum(len(item.times) for item in tracks) == 3


def test_range_of_constant_step_track_is_kept():
    (out,) = thinned(track(line(1, 1, 1), how="STEP"))
    assert out.times.tolist() == [0, np.float32(0.2)]
    assert out.interpolation == "STEP"


def test_end_of_constant_spline_is_kept():
    (out,) = thinned(spline(lambda t: t * 0 + 4, lambda t: t * 0, [0, 1, 2]))
    assert out.times.tolist() == [0, 2]
    assert out.sample(1.3)[0] == 4


def test_step_track_keeps_changing_keys():
    values = line(1, 1, 2, 2, 1)
    whole = track(values, how="STEP")
    (out,) = thinned(whole)
    assert out.times.tolist() == whole.times[[0, 2, 4]].tolist()
    times = np.linspace(0, 0.4, 41)
    assert np.array_equal(out.sample(times), whole.sample(times))


def test_irreducible_clip_is_returned_unchanged():
    before = track(line(0, 1, 0))
    assert thinned(before)[0] is before


def test_reduced_quaternions_have_aligned_signs():
    q = turn([0, 10, 30, 60])
    q[1:3] *= -1
    before = track(q, "rotation")
    (out,) = thinned(before, limit=1e-6)
    assert (dot(out.values[1:], out.values[:-1]) > 0).all()
    assert (np.abs(dot(out.values, before.values)) > 1 - 1e-6).all()


def test_reduced_half_turns_keep_their_direction():
    (out,) = thinned(track(turn([0, 120, 240, 360]), "rotation"))
    assert len(out.times) == 4


def test_smooth_spline_is_reduced_to_few_keys():
    before = spline(np.sin, np.cos, np.linspace(0, 3, 61))
    (out,) = thinned(before)
    assert out.interpolation == "CUBICSPLINE"
    assert len(out.times) < 12
    times = np.linspace(0, 3, 400)
    assert np.abs(out.sample(times) - before.sample(times)).max() < 1.2 * LIMIT


def test_straight_spline_becomes_linear():
    before = spline(lambda t: t, lambda t: t * 0 + 1, np.linspace(0, 1, 11))
    (out,) = thinned(before)
    assert (out.interpolation, len(out.times)) == ("LINEAR", 2)


def test_sparse_spline_is_kept():
    before = spline(lambda t: t * 0, lambda t: t * 0 + 5, [0, 1])
    (out,) = thinned(before)
    assert out is before


def test_rotation_spline_is_reduced_within_limit():
    times = np.linspace(0, 1, 41)
    q = turn(90 * times**2)
    slope = np.gradient(q, times, axis=0).astype(np.float32)
    before = track(
        q, "rotation", "CUBICSPLINE", times=times, tangents=np.stack([slope] * 2, axis=1)
    )
    (out,) = thinned(before)
    assert len(out.times) < 20
    moments = np.linspace(0, 1, 300)
    actual, wanted = out.sample(moments), before.sample(moments)
    angles = 2 * np.arccos(np.minimum(np.abs(dot(actual, wanted).astype(float)), 1))
    assert angles.max() < 3 * LIMIT


def test_values_are_scaled_before_comparison():
    values = np.array([[0, 0], [0.5, 0.02], [1, 0]], np.float32)
    before = Clip.of("Clip", [track(values, "values")])
    assert len(reduce_keys(before, [LIMIT], [np.array([1.0, 0.01])]).tracks[0].times) == 2
    assert len(reduce_keys(before, [LIMIT], [np.array([1.0, 1.0])]).tracks[0].times) == 3


def test_clip_without_tracks_is_unchanged():
    assert reduce_keys(Clip.of("Empty", []), [], []).tracks == ()


# --- a fixed rate --------------------------------------------------------------------------------


def test_resampled_clip_has_key_at_end():
    clip = resample(Clip.of("Clip", [track(line(*range(11)))]), 5)
    np.testing.assert_allclose(clip.tracks[0].times, np.arange(6) / 5, rtol=1e-6)
    np.testing.assert_allclose(clip.tracks[0].values[:, 0], np.arange(6) * 2, atol=1e-5)


def test_last_frame_is_shorter_for_fractional_frame_count():
    clip = resample(Clip.of("Clip", [track(line(0, 1), times=[0.5, 1.25])]), 2)
    assert clip.tracks[0].times.tolist() == [0.5, 1.0, 1.25]


def test_resampled_tracks_have_all_keys():
    tracks = [track(line(0, 1), times=[0, 1]), track(line(3, 3), times=[0.4, 0.6], target=1)]
    clip = resample(Clip.of("Clip", tracks), 10)
    assert [len(item.times) for item in clip.tracks] == [11, 11]


def test_resampling_keeps_step_and_makes_splines_linear():
    tracks = [track(line(0, 1), how="STEP"), spline(np.sin, np.cos, [0, 0.1])]
    clip = resample(Clip.of("Clip", tracks), 30)
    assert [item.interpolation for item in clip.tracks] == ["STEP", "LINEAR"]
    assert set(clip.tracks[0].values[:, 0].tolist()) == {0, 1}


def test_resampled_quaternions_have_aligned_signs():
    q = turn([0, 100, 200, 300, 400])
    q[2] *= -1
    clip = resample(Clip.of("Clip", [track(q, "rotation")]), 24)
    values = clip.tracks[0].values
    assert (dot(values[1:], values[:-1]) > 0).all()


def test_single_pose_is_resampled_to_one_key():
    clip = resample(Clip.of("Clip", [track(line(7), times=[2])]), 30)
    assert clip.tracks[0].times.tolist() == [2]


@pytest.mark.parametrize("fps", [0, -1, float("nan")])
def test_invalid_rate_is_rejected(fps):
    with pytest.raises(ValueError, match="above 0"):
        resample(Clip.of("Clip", []), fps)


def test_too_many_keys_are_refused():
    clip = Clip.of("Clip", [track(line(0, 1), times=[0, 1])])
    with pytest.raises(ValueError, match="keys a second are more than 20,000,000 in 'Clip'"):
        resample(clip, 1e9)


def test_frames_equal_in_float32_are_merged():
    """Above 2²⁰ s, float32 has 8 values per second."""
    times = np.array([2.0**20, 2.0**20 + 1], np.float32)
    track = Track(0, "translation", "LINEAR", times, np.eye(3, dtype=np.float32)[:2])
    (even,) = resample(Clip.of("Late", [track]), 60).tracks
    assert len(even.times) == 9
    assert (np.diff(even.times) > 0).all()
