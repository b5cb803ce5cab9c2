import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.animation.keys import Key, key_of, keys_of, make_track, segment
from tests.support.clips import f32, tracks
from tests.support.clips import make_track as built


def test_only_cubic_keys_have_tangents():
    cubic = built("values", "CUBICSPLINE", [1, 3], [[5], [6]], [[[1], [2]], [[3], [4]]])
    last = key_of(cubic, 1)
    assert (last.time, last.value, last.arrive, last.leave) == (3.0, [6], [3], [4])
    linear = key_of(built("values", "LINEAR", [1, 3], [[5], [6]]), 0)
    assert linear.arrive is None
    assert linear.leave is None


def test_key_index_is_clamped():
    track = built("values", "STEP", [1, 3], [[5], [6]])
    assert key_of(track, 7).value == [6]
    assert key_of(track, -2).value == [5]


def test_tangents_are_scaled_by_segment_duration():
    """A slope of 3 per second is 1.5 over half a second and 6 over two seconds."""
    for seconds, slope in ((0.5, 1.5), (2.0, 6.0)):
        a = Key(1.0, f32(0), leave=f32(3))
        curve = segment(a, Key(1.0 + seconds, f32(1), arrive=f32(3)))
        assert curve.s1 == curve.s2 == [slope]


@pytest.mark.parametrize("width", [1, 3, 4])  # scalar, 3-vector, quaternion
def test_segment_equals_track_sample(width, rng):
    track = make_track(
        [Key(k * 0.75, *rng.normal(size=(3, width)).astype(np.float32)) for k in range(3)],
        "CUBICSPLINE",
    )
    first, second, _ = keys_of(track)
    u = np.linspace(0, 1, 9)
    np.testing.assert_allclose(segment(first, second).sample(u), track.sample(u * 0.75), atol=2e-6)


@given(tracks())
def test_keys_round_trip(track):
    again = make_track(
        keys_of(track),
        track.interpolation,
        target=track.target,
        path=track.path,
        start=track.start,
    )
    np.testing.assert_array_equal(again.times, track.times)
    np.testing.assert_array_equal(again.values, track.values)
    if track.tangents is None:
        assert again.tangents is None
    else:
        np.testing.assert_array_equal(again.tangents, track.tangents)


@given(st.permutations(range(4)))
def test_make_track_sorts_keys(order):
    track = make_track([Key(float(k), f32(10 * k)) for k in order], "LINEAR")
    assert track.times.tolist() == [0, 1, 2, 3]
    assert track.sample(2.5) == [25]


def test_make_track_rejects_invalid_keys():
    with pytest.raises(ValueError, match="at least one"):
        make_track([], "LINEAR")
    with pytest.raises(ValueError, match="must have the shape"):
        make_track([Key(0, f32(1)), Key(1, f32(1, 2))], "LINEAR")
    with pytest.raises(ValueError, match="must be finite"):
        make_track([Key(np.nan, np.zeros(3))], "LINEAR")
