import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.animation.clip import Clip
from rigview.animation.pose import Pose
from rigview.animation.track import Track
from tests.support.clips import about, f32, make_track, random_pose, same_rotation, tracks

SECONDS = st.floats(-3, 7)


def linear(times, values):
    return make_track("translation", "LINEAR", times, [[v, 0, 0] for v in values])


def first(track, *args, **kwargs):
    return track.sample(*args, **kwargs)[..., 0].tolist()


@pytest.mark.parametrize(
    ("time", "step", "between"),
    [
        (-1, 10, 10),
        (1, 10, 10),
        (1.5, 10, 15),
        (1.999, 10, 19.99),
        (2, 20, 20),  # at a key's own time its own value
        (3, 20, 0),
        (4, -20, -20),  # STEP shows its last value too
        (9, -20, -20),
    ],
)
def test_step_and_linear_table(time, step, between):
    values = [[10], [20], [-20]]
    assert make_track("values", "STEP", [1, 2, 4], values).sample(time) == pytest.approx(step)
    got = make_track("values", "LINEAR", [1, 2, 4], values).sample(time)
    assert got == pytest.approx(between, rel=1e-6)


@pytest.mark.parametrize(
    ("u", "expected"),
    # glTF 2.0, appendix C.5, with v0 = 1, v1 = 3, out-tangent 4/s, in-tangent -2/s, 2 s apart
    [
        (0.0, 1.0),
        (0.25, 0.84375 * 1 + 2 * 0.140625 * 4 + 0.15625 * 3 + 2 * -0.046875 * -2),
        (0.5, 0.5 * 1 + 2 * 0.125 * 4 + 0.5 * 3 + 2 * -0.125 * -2),
        (0.75, 0.15625 * 1 + 2 * 0.046875 * 4 + 0.84375 * 3 + 2 * -0.140625 * -2),
        (1.0, 3.0),
    ],
)
def test_cubic_spline_table(u, expected):
    tangents = [[[99], [4]], [[-2], [99]]]
    track = make_track("values", "CUBICSPLINE", [5, 7], [[1], [3]], tangents)
    assert track.sample(5 + 2 * u) == pytest.approx(expected, rel=1e-6)


def test_cubic_tangents_are_scaled_by_segment_duration():
    """A straight line of slope 3 stays straight for segments of any duration."""
    slope = [[[3.0], [3.0]]] * 3
    track = make_track("values", "CUBICSPLINE", [0, 0.5, 4], [[0], [1.5], [12]], slope)
    time = np.linspace(0, 4, 17)
    np.testing.assert_allclose(track.sample(time)[:, 0], 3 * time, atol=1e-5)


def test_linear_rotation_is_slerp_on_the_shorter_arc():
    keys = [about((0, 0, 1), 0), -about((0, 0, 1), 90)]
    track = make_track("rotation", "LINEAR", [0, 3], keys)
    assert same_rotation(track.sample([1, 2]), [about((0, 0, 1), 30), about((0, 0, 1), 60)])


def test_cubic_rotation_keeps_quaternion_signs():
    """Components are not aligned: from q to -q without tangents the spline passes through zero."""
    q = about((0, 1, 0), 40)
    track = make_track("rotation", "CUBICSPLINE", [0, 1], [q, -q], np.zeros((2, 2, 4)))
    np.testing.assert_allclose(track.sample(0.25), q, atol=1e-6)
    np.testing.assert_allclose(track.sample(0.75), -q, atol=1e-6)


def test_zero_length_spline_rotation_returns_nearest_key():
    q, p = about((0, 1, 0), 40), -about((0, 1, 0), 40)
    track = make_track("rotation", "CUBICSPLINE", [0, 1], [q, p], np.zeros((2, 2, 4)))
    np.testing.assert_allclose(track.sample(0.5), q, atol=1e-6)  # in the middle the earlier
    just_after = np.nextafter(np.float32(0.5), np.float32(1))
    np.testing.assert_allclose(track.sample(float(just_after)), p, atol=1e-6)
    nothing = make_track("rotation", "CUBICSPLINE", [0], [[0, 0, 0, 0]], np.zeros((1, 2, 4)))
    assert nothing.sample(0).tolist() == [0, 0, 0, 1]


def test_cubic_rotation_keys_are_normalized_when_sampled():
    keys = 3 * np.array([about((1, 0, 0), 0), about((1, 0, 0), 50)])
    track = make_track("rotation", "CUBICSPLINE", [0, 1], keys, np.zeros((2, 2, 4)))
    np.testing.assert_allclose(track.sample([0, 1]), keys / 3, atol=1e-6)
    np.testing.assert_array_equal(track.key(1), keys[1])


@pytest.mark.parametrize(
    ("path", "how", "count", "message"),
    [
        ("translation", "CUBIC", 2, "unknown interpolation 'CUBIC'"),
        ("translation", "step", 2, "unknown interpolation 'step'"),
        ("rot", "LINEAR", 2, "unknown path 'rot'"),
        ("scale", "LINEAR", 3, "2 times and 3 values in a track"),
    ],
)
def test_a_wrong_track_is_an_error(path, how, count, message):
    with pytest.raises(ValueError, match=message):
        Track(0, path, how, np.float32([0, 1]), np.ones((count, 3), np.float32))


def test_single_key_is_constant():
    for interpolation in ("STEP", "LINEAR", "CUBICSPLINE"):
        tangents = [[[5], [5]]] if interpolation == "CUBICSPLINE" else None
        track = make_track("values", interpolation, [2], [[7]], tangents)
        assert first(track, [-1, 2, 9]) == [7, 7, 7]
        assert first(track, [-1, 2, 9], loop=True) == [7, 7, 7]
        assert track.duration == 0


def test_track_with_all_keys_at_one_time():
    for interpolation in ("STEP", "LINEAR", "CUBICSPLINE"):
        tangents = np.ones((3, 2, 1)) if interpolation == "CUBICSPLINE" else None
        track = make_track("values", interpolation, [1, 1, 1], [[3], [4], [5]], tangents)
        assert first(track, [1, 2]) == [5, 5]
        assert first(track, [0, 1, 9], loop=True) == [5, 5, 5]


def test_later_of_two_keys_at_one_time_wins():
    track = linear([0, 1, 1, 2], [0, 10, 50, 60])
    assert first(track, [0.5, 0.999, 1, 1.5]) == pytest.approx([5, 9.99, 50, 55])


def test_time_before_two_first_keys_uses_the_earlier():
    track = linear([1, 1, 2], [10, 50, 60])
    assert first(track, [-5, 0.999, 1]) == [10, 10, 50]


def test_spline_segment_of_zero_duration():
    tangents = np.full((3, 2, 1), 1000.0)
    tangents[0, 1] = tangents[1, 0] = tangents[2] = 0
    track = make_track("values", "CUBICSPLINE", [0, 1, 1], [[0], [10], [50]], tangents)
    assert first(track, [0, 0.5, 1, 2]) == [0, 5, 50, 50]


@pytest.mark.parametrize(
    ("time", "expected"),
    [(1, 10), (2.5, 25), (4, 10), (5.5, 25), (-0.5, 25), (-2, 10), (3.75, 37.5), (-3.5, 25)],
)
def test_loop_wraps_over_range_of_keys(time, expected):
    assert first(linear([1, 4], [10, 40]), time, loop=True) == pytest.approx(expected)


@pytest.mark.parametrize("fps", [24, 25, 30, 60])
def test_frame_time_selects_key_of_that_frame(fps):
    """k / fps in float64 is often just below the float32 that the file stores."""
    times = (np.arange(200) / fps).astype(np.float32)
    track = make_track("values", "STEP", times, np.arange(200)[:, None])
    np.testing.assert_array_equal(track.sample(np.arange(200) / fps)[:, 0], np.arange(200))
    keys = make_track("values", "LINEAR", times, np.arange(200)[:, None])
    np.testing.assert_array_equal(keys.sample(np.arange(200) / fps)[:, 0], np.arange(200))


def test_values_of_keys():
    track = linear([1, 2, 4], [10, 20, 40])
    assert [track.key(k)[0] for k in (0, 1, 2, 7)] == [10, 20, 40, 40]


def test_begin_end_and_key_count():
    track = linear([1, 2, 4], [10, 20, 40])
    assert (track.begin, track.end, track.duration) == (1, 4, 3)
    assert track.nbytes == 3 * 4 + 3 * 3 * 4
    spline = make_track("values", "CUBICSPLINE", [0], [[1]], [[[0], [0]]])
    assert spline.nbytes == 4 + 4 + 8


@given(tracks(), st.lists(SECONDS, min_size=1, max_size=6), st.booleans())
def test_sample_batch_equals_single(track, times, loop):
    batch = track.sample(times, loop=loop)
    assert batch.shape == (len(times), track.values.shape[1])
    assert batch.dtype == np.float32
    for k, time in enumerate(times):
        np.testing.assert_allclose(track.sample(time, loop=loop), batch[k], atol=1e-6)


@given(tracks(path="rotation"), SECONDS)
def test_sampled_rotations_have_unit_length(track, time):
    assert np.linalg.norm(track.sample(time)) == pytest.approx(1, abs=1e-6)


@given(tracks(), SECONDS)
def test_time_outside_keys_is_clamped(track, time):
    if time > track.end:
        np.testing.assert_array_equal(track.sample(time), track.sample(track.end))
    if np.float32(time) < track.begin:
        np.testing.assert_array_equal(track.sample(time), track.sample(-1e300))


@given(tracks())
def test_time_of_a_key_returns_its_value(track):
    last = {float(t): k for k, t in enumerate(track.times)}
    for time, k in last.items():
        if track.path == "rotation" and track.interpolation == "CUBICSPLINE":
            length = np.linalg.norm(track.values[k])
            if length > 1e-3:
                np.testing.assert_allclose(track.sample(time), track.values[k] / length, atol=1e-5)
        elif track.path == "rotation":
            assert same_rotation(track.sample(time), track.values[k])
        else:
            np.testing.assert_array_equal(track.sample(time), track.values[k])


def test_shape_of_times_is_shape_of_batch():
    track = linear([0, 1], [0, 1])
    assert track.sample(0.5).shape == (3,)
    assert track.sample(np.zeros((2, 5))).shape == (2, 5, 3)
    np.testing.assert_array_equal(track.sample(f32(0.5, 1))[:, 0], [0.5, 1])


def test_fraction_between_keys_distinguishes_keys_at_one_time():
    track = linear([0, 1, 1, 2], [0, 5, 9, 9])
    assert first(track, [0.5, 1.0]) == [2.5, 9]
    assert track.between([0, 0, 1], [0.5, 1.0, 0.0])[:, 0].tolist() == [2.5, 5, 5]
    step = make_track("values", "STEP", [0, 1], [[3], [4]])
    assert step.between(0, [0.0, 0.9])[:, 0].tolist() == [3, 3]
    assert step.between([1, 1], [0.5, 1])[:, 0].tolist() == [4, 4]


@pytest.mark.parametrize("path", ["translation", "rotation"])
def test_samples_equal_those_of_the_clip(path, rng):
    """A track alone and the tracks of a clip together are sampled by different code."""
    rest = random_pose(rng, 2)
    both = {
        "translation": make_track("translation", "LINEAR", [0, 2], [[0, 0, 0], [4, 0, 0]]),
        "rotation": make_track(
            "rotation",
            "LINEAR",
            [0.5, 1.5],
            [about([0, 0, 1], angle) for angle in (0, 80)],
            target=1,
        ),
    }
    clip = Clip.of("walk", [*both.values()])
    times = np.linspace(0, 3, 9)
    pose = Pose.like(rest, (9,))
    clip.sample(times, pose)
    track = both[path]
    np.testing.assert_allclose(track.sample(times), getattr(pose, path)[:, track.target], atol=2e-6)
