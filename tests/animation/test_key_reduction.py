import numpy as np
import pytest
from hypothesis import given, strategies
from hypothesis.extra.numpy import arrays

from rigview.animation import key_reduction, quat
from rigview.animation.key_reduction import TrackSamples, required_keys

LIMIT = 0.1
NUMBERS = strategies.floats(-1, 1, width=32)


def stretches(*tracks, limit=LIMIT, times=None):
    """Tracks [K, C] whose every moment is a key, a second apart."""
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


def shown(of, kept, between):
    """What remains shows at every moment."""
    at = np.flatnonzero(kept)
    a = at[np.searchsorted(at, np.arange(len(kept)), side="right") - 1]
    b = at[np.minimum(np.searchsorted(at, np.arange(len(kept)), side="left"), len(at) - 1)]
    seconds = of.times[b] - of.times[a]
    u = (of.times - of.times[a]) / np.where(seconds > 0, seconds, 1)
    return between(of, a, b, u, seconds)


def test_straight_line_needs_its_ends():
    kept, found = required_keys(
        stretches(column(0, 1, 2, 3, 4)), key_reduction.linear, key_reduction.distance
    )
    assert kept.tolist() == [True, False, False, False, True]
    assert found.all()


def test_corner_stays():
    kept, _ = required_keys(
        stretches(column(0, 1, 2, 1, 0)), key_reduction.linear, key_reduction.distance
    )
    assert np.flatnonzero(kept).tolist() == [0, 2, 4]


def test_limit_is_kept_exactly():
    bump = column(0, 0.5, 0)
    assert (
        required_keys(stretches(bump, limit=0.5), key_reduction.linear, key_reduction.distance)[
            0
        ].sum()
        == 2
    )
    assert (
        required_keys(stretches(bump, limit=0.4999), key_reduction.linear, key_reduction.distance)[
            0
        ].sum()
        == 3
    )


def test_tracks_do_not_mix():
    alone = [column(0, 1, 2, 1, 0), column(5, 5, 5), column(9, 0)]
    kept, _ = required_keys(stretches(*alone), key_reduction.linear, key_reduction.distance)
    parts = [
        required_keys(stretches(track), key_reduction.linear, key_reduction.distance)[0]
        for track in alone
    ]
    assert kept.tolist() == np.concatenate(parts).tolist()


def test_two_keys_at_one_time_are_a_jump():
    jump = stretches(column(0, 0, 1, 1), times=[0, 1, 1, 2])
    kept, _ = required_keys(jump, key_reduction.linear, key_reduction.distance)
    assert kept.all()


def test_what_no_key_mends_is_said():
    of = stretches(column(0, 1, 0), column(0, 0, 0))
    of = of._replace(keys=np.array([True, False, True, True, False, True]))
    assert required_keys(of, key_reduction.linear, key_reduction.distance)[1].tolist() == [
        False,
        True,
    ]


@given(arrays(np.float64, (15, 1), elements=NUMBERS), strategies.floats(0.1, 1))
def test_no_key_is_left_over(values, limit):
    of = stretches(values, limit=limit)
    kept, _ = required_keys(of, key_reduction.linear, key_reduction.distance)
    for key in np.flatnonzero(kept)[1:-1]:
        fewer = kept.copy()
        fewer[key] = False
        assert (
            key_reduction.distance(of.wanted, shown(of, fewer, key_reduction.linear)).max() > limit
        )


@given(arrays(np.float64, (17, 3), elements=NUMBERS), strategies.floats(0.01, 1))
def test_lines_stay_within_the_limit(values, limit):
    of = stretches(values, values[::-1], limit=limit)
    kept, found = required_keys(of, key_reduction.linear, key_reduction.distance)
    assert found.all()
    for a, b in zip(of.firsts, of.lasts + 1, strict=True):
        one = stretches(values if a == 0 else values[::-1], limit=limit)
        off = key_reduction.distance(one.wanted, shown(one, kept[a:b], key_reduction.linear))
        assert off.max() <= limit * (1 + 1e-9)


@given(arrays(np.float64, (13, 4), elements=NUMBERS), strategies.floats(0.01, 2))
def test_arcs_stay_within_the_limit(raw, limit):
    of = stretches(quat.normalize(raw), limit=limit)
    kept, _ = required_keys(of, key_reduction.slerp, key_reduction.angle)
    off = key_reduction.angle(of.wanted, shown(of, kept, key_reduction.slerp))
    assert off.max() <= limit * (1 + 1e-9)


@pytest.mark.parametrize("degrees", [1e-4, 0.05, 90, 179])
def test_angle_of_rotations(degrees):
    half = np.radians(degrees) / 2
    a, b = np.array([[0, 0, 0, 1.0]]), np.array([[0, np.sin(half), 0, np.cos(half)]])
    assert np.degrees(key_reduction.angle(a, b)) == pytest.approx(degrees, rel=1e-9)
    assert np.degrees(key_reduction.angle(a, -b)) == pytest.approx(degrees, rel=1e-9)


def test_total_of_several_weights():
    assert key_reduction.total(np.array([[1.0, 2.0]]), np.array([[0.5, 2.25]])).tolist() == [0.75]
