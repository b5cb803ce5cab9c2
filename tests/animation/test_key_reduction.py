import numpy as np
import pytest
from hypothesis import given, strategies
from hypothesis.extra.numpy import arrays

from rigview.animation import key_reduction, quat
from rigview.animation.key_reduction import TrackSamples, required_keys

LIMIT = 0.1
NUMBERS = strategies.floats(-1, 1, width=32)


def track_samples(*tracks, limit=LIMIT, times=None):
    """Return samples of tracks [K, C] with a key at every sample, one second apart."""
    counts = [len(track) for track in tracks]
    values = np.concatenate(tracks).astype(float)
    if times is None:
        times = np.concatenate([np.arange(count) for count in counts])
    return TrackSamples(
        np.asarray(times, float),
        values,
        np.ones(len(values), bool),
        values,
        None,
        np.cumsum(counts) - counts,
        np.full(len(tracks), limit),
    )


def column(*numbers):
    return np.array(numbers, float)[:, None]


def interpolated(of, kept, between):
    """Return the values that the kept keys interpolate at every sample."""
    at = np.flatnonzero(kept)
    a = at[np.searchsorted(at, np.arange(len(kept)), side="right") - 1]
    b = at[np.minimum(np.searchsorted(at, np.arange(len(kept)), side="left"), len(at) - 1)]
    seconds = of.times[b] - of.times[a]
    u = (of.times - of.times[a]) / np.where(seconds > 0, seconds, 1)
    return between(of, a, b, u, seconds)


def test_straight_line_keeps_two_keys():
    kept, reached = required_keys(
        track_samples(column(0, 1, 2, 3, 4)), key_reduction.linear, key_reduction.distance
    )
    assert kept.tolist() == [True, False, False, False, True]
    assert reached.all()


def test_corner_key_is_kept():
    kept, _ = required_keys(
        track_samples(column(0, 1, 2, 1, 0)), key_reduction.linear, key_reduction.distance
    )
    assert np.flatnonzero(kept).tolist() == [0, 2, 4]


def test_error_limit_is_inclusive():
    bump = column(0, 0.5, 0)
    assert (
        required_keys(track_samples(bump, limit=0.5), key_reduction.linear, key_reduction.distance)[
            0
        ].sum()
        == 2
    )
    assert (
        required_keys(
            track_samples(bump, limit=0.4999), key_reduction.linear, key_reduction.distance
        )[0].sum()
        == 3
    )


def test_tracks_are_reduced_independently():
    alone = [column(0, 1, 2, 1, 0), column(5, 5, 5), column(9, 0)]
    kept, _ = required_keys(track_samples(*alone), key_reduction.linear, key_reduction.distance)
    parts = [
        required_keys(track_samples(track), key_reduction.linear, key_reduction.distance)[0]
        for track in alone
    ]
    assert kept.tolist() == np.concatenate(parts).tolist()


def test_two_keys_at_one_time_are_kept():
    jump = track_samples(column(0, 0, 1, 1), times=[0, 1, 1, 2])
    kept, _ = required_keys(jump, key_reduction.linear, key_reduction.distance)
    assert kept.all()


def test_error_that_no_key_can_fix_is_reported():
    of = track_samples(column(0, 1, 0), column(0, 0, 0))
    of = of._replace(keys=np.array([True, False, True, True, False, True]))
    assert required_keys(of, key_reduction.linear, key_reduction.distance)[1].tolist() == [
        False,
        True,
    ]


@given(arrays(np.float64, (15, 1), elements=NUMBERS), strategies.floats(0.1, 1))
def test_every_kept_key_is_needed(values, limit):
    of = track_samples(values, limit=limit)
    kept, _ = required_keys(of, key_reduction.linear, key_reduction.distance)
    for key in np.flatnonzero(kept)[1:-1]:
        fewer = kept.copy()
        fewer[key] = False
        assert (
            key_reduction.distance(of.wanted, interpolated(of, fewer, key_reduction.linear)).max()
            > limit
        )


@given(arrays(np.float64, (17, 3), elements=NUMBERS), strategies.floats(0.01, 1))
def test_linear_reduction_stays_within_limit(values, limit):
    of = track_samples(values, values[::-1], limit=limit)
    kept, reached = required_keys(of, key_reduction.linear, key_reduction.distance)
    assert reached.all()
    for a, b in zip(of.firsts, of.lasts + 1, strict=True):
        one = track_samples(values if a == 0 else values[::-1], limit=limit)
        off = key_reduction.distance(one.wanted, interpolated(one, kept[a:b], key_reduction.linear))
        assert off.max() <= limit * (1 + 1e-9)


@given(arrays(np.float64, (13, 4), elements=NUMBERS), strategies.floats(0.01, 2))
def test_slerp_reduction_stays_within_limit(raw, limit):
    of = track_samples(quat.normalize(raw), limit=limit)
    kept, _ = required_keys(of, key_reduction.slerp, quat.angle)
    off = quat.angle(of.wanted, interpolated(of, kept, key_reduction.slerp))
    assert off.max() <= limit * (1 + 1e-9)


@pytest.mark.parametrize("degrees", [1e-4, 0.05, 90, 179])
def test_angle_between_rotations_ignores_sign(degrees):
    half = np.radians(degrees) / 2
    a, b = np.array([[0, 0, 0, 1.0]]), np.array([[0, np.sin(half), 0, np.cos(half)]])
    assert np.degrees(quat.angle(a, b)) == pytest.approx(degrees, rel=1e-9)
    assert np.degrees(quat.angle(a, -b)) == pytest.approx(degrees, rel=1e-9)


def test_total_sums_absolute_differences():
    assert key_reduction.total(np.array([[1.0, 2.0]]), np.array([[0.5, 2.25]])).tolist() == [0.75]
