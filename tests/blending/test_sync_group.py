"""Sync groups: clips of different length at one phase."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.blending.sync_group import SyncGroup, SyncTrack, sync_mismatch
from tests.support.sync_groups import (
    FOOT_MARKS,
    TOLERANCE,
    clip_positions,
    draw_weights,
    interval_start,
    rates,
    steps,
    sync_groups,
    sync_tracks,
)


def walk(all_tracks, at, weights, seconds):
    """Return the reference solution by intervals: df/dtau = 1 / sum of w d, for seconds >= 0."""
    share = weights / weights.sum()
    while True:
        k = math.floor(at)
        length = sum(
            w * (interval_start(b, k + 1) - interval_start(b, k))
            for w, b in zip(share, all_tracks, strict=True)
        )
        need = (k + 1 - at) * length
        if need > seconds:
            return at + seconds / length
        at, seconds = float(k + 1), seconds - need


def test_clips_of_different_length_stay_in_phase():
    """T = 1 and 2 with equal weights: a cycle takes 1.5 s."""
    group = SyncGroup([SyncTrack(1.0), SyncTrack(2.0)])
    group.advance(0.75, [0.5, 0.5])
    assert clip_positions(group) == pytest.approx([0.5, 1.0])
    group.advance(3.0, [1, 1])
    assert clip_positions(group) == pytest.approx([2.5, 5.0])
    assert [float(group.span(i).time) for i in (0, 1)] == pytest.approx([0.5, 1.0])


def test_sync_marks_are_aligned():
    """The walk has marks at 0.1 and 0.6 of 1 s, the run at 0.2 and 0.5 of 0.6 s."""
    group = SyncGroup(
        [SyncTrack(1.0, 1, FOOT_MARKS), SyncTrack(0.6, 1, {"left": (0.2,), "right": (0.5,)})]
    )
    group.enter(0, 0.1)
    assert clip_positions(group) == pytest.approx([0.1, 0.12])
    group.advance(0.5, [1, 0])  # the walk alone, to its right foot
    assert clip_positions(group) == pytest.approx([0.6, 0.3])
    group.advance(0.42 / 2, [0, 1])  # the run alone, half of the interval to the left foot
    assert clip_positions(group) == pytest.approx([0.85, 0.51])
    group.enter(1, 0.3 + 0.6)
    assert clip_positions(group) == pytest.approx([1.6, 0.9])


def test_clip_with_two_cycles_plays_them_alternately():
    """One clip has two cycles, the other has one."""
    group = SyncGroup([SyncTrack(1.0), SyncTrack(4.0, 2)])  # cycles of 1 and 2 s
    group.advance(3.0, [1, 1])  # of 1.5 s: U = 2
    assert clip_positions(group) == pytest.approx([2.0, 4.0])
    group.advance(2.25, [1, 1])  # U = 3.5: the second half of its pass, in the middle
    assert [float(group.span(i).time) for i in (0, 1)] == pytest.approx([0.5, 3.0])


def test_marks_of_several_cycles():
    twice = {"left": (0.0, 0.6), "right": (0.2, 0.9)}
    group = SyncGroup(
        [SyncTrack(1.0, 1, {"left": (0.0,), "right": (0.5,)}), SyncTrack(10.0, 2, twice)]
    )
    expected = {0.0: 0, 0.25: 1, 0.5: 2, 1.0: 6, 1.5: 9, 2.0: 10, 2.5: 12, 3.75: 19.5}
    for x, other in expected.items():
        group.enter(0, x)
        assert float(group.x(1)) == pytest.approx(other)


@given(sync_groups(), st.data(), st.floats(-20, 20), st.floats(0, 20))
def test_group_matches_reference_solution(all_tracks, data, start, seconds):
    group = SyncGroup(all_tracks)
    weights = draw_weights(data, len(all_tracks))
    group.enter(0, start)
    names = max(len(all_tracks[0].marks), 1)
    at = next(  # the state with clip 0 at this position
        n
        + (start - interval_start(all_tracks[0], n))
        / (interval_start(all_tracks[0], n + 1) - interval_start(all_tracks[0], n))
        for n in range(-500 * names, 500 * names)
        if interval_start(all_tracks[0], n) <= start < interval_start(all_tracks[0], n + 1)
    )
    group.advance(seconds, weights)
    at = walk(all_tracks, at, weights, seconds)
    for i, sync_track in enumerate(all_tracks):
        k = math.floor(at)
        expected = interval_start(sync_track, k) + (at - k) * (
            interval_start(sync_track, k + 1) - interval_start(sync_track, k)
        )
        assert float(group.x(i)) == pytest.approx(expected, abs=1e-7)


@given(sync_groups(), st.data(), rates, steps)
def test_small_steps_equal_one_step(all_tracks, data, rate, parts):
    weights = draw_weights(data, len(all_tracks))
    one, many = SyncGroup(all_tracks, rate), SyncGroup(all_tracks, rate)
    one.advance(sum(parts), weights)
    for part in parts:
        many.advance(part, weights)
    assert clip_positions(many) == pytest.approx(clip_positions(one), abs=TOLERANCE)


@given(sync_groups(), st.data(), rates, st.floats(0, 9))
def test_reverse_step_returns_to_start(all_tracks, data, rate, seconds):
    weights = draw_weights(data, len(all_tracks))
    group = SyncGroup(all_tracks, rate)
    before = clip_positions(group)
    group.advance(seconds, weights)
    group.advance(-seconds, weights)
    assert clip_positions(group) == pytest.approx(before, abs=TOLERANCE)


@given(sync_groups(), st.data(), rates, steps)
def test_weight_change_is_continuous(all_tracks, data, rate, parts):
    group = SyncGroup(all_tracks, rate)
    for part in parts:
        group.advance(part, draw_weights(data, len(all_tracks)))
        before = clip_positions(group)
        group.advance(0.0, draw_weights(data, len(all_tracks)))
        assert clip_positions(group).tolist() == before.tolist()  # bit for bit


@given(sync_tracks(2), rates, steps)
def test_single_clip_plays_at_its_own_speed(sync_track, rate, parts):
    group = SyncGroup([sync_track], rate)
    start = float(group.x(0))
    for part in parts:
        group.advance(part, [1.0])
    assert float(group.x(0)) == pytest.approx(start + rate * sum(parts), abs=TOLERANCE)


@given(sync_groups(least=2), st.data(), rates, steps)
def test_full_weight_on_one_clip_plays_at_its_speed(all_tracks, data, rate, parts):
    i = data.draw(st.integers(0, len(all_tracks) - 1))
    group = SyncGroup(all_tracks, rate)
    group.start(i)
    start = float(group.x(i))
    assert start == pytest.approx(all_tracks[i].duration if rate < 0 else 0.0, abs=TOLERANCE)
    for part in parts:
        group.advance(part, np.eye(len(all_tracks))[i])
    assert float(group.x(i)) == pytest.approx(start + rate * sum(parts), abs=TOLERANCE)


@given(sync_groups(least=2), st.data(), st.floats(0, 9))
def test_all_clips_advance_in_one_direction(all_tracks, data, seconds):
    group = SyncGroup(all_tracks)
    before = clip_positions(group)
    group.advance(seconds, draw_weights(data, len(all_tracks)))
    assert np.all(clip_positions(group) >= before)


@given(sync_groups(), st.data(), st.floats(-30, 30))
def test_enter_sets_clip_time(all_tracks, data, x):
    i = data.draw(st.integers(0, len(all_tracks) - 1))
    group = SyncGroup(all_tracks)
    group.enter(i, x)
    assert float(group.x(i)) == pytest.approx(x, abs=TOLERANCE)


@given(sync_groups(), st.data(), rates, st.floats(0.1, 5), st.floats(0, 1))
def test_when_returns_time_of_clip_position(all_tracks, data, rate, seconds, fraction):
    i = data.draw(st.integers(0, len(all_tracks) - 1))
    weights = draw_weights(data, len(all_tracks))
    group, looked = SyncGroup(all_tracks, rate), SyncGroup(all_tracks, rate)
    for one in (group, looked):
        one.advance(0.3, np.ones(len(all_tracks)))
    looked.advance(fraction * seconds, weights)
    group.advance(seconds, weights)
    when = group.when(i, float(looked.x(i)))
    assert when == pytest.approx(fraction * seconds, abs=1e-7)


def test_span_of_a_clip_for_events():
    group = SyncGroup([SyncTrack(1.0), SyncTrack(2.0)], rate=2.0)
    group.advance(0.3, [1, 0])
    group.advance(0.6, [1, 0])
    span = group.span(1, start=5.0)
    assert (float(span.x0), float(span.x1)) == pytest.approx((1.2, 3.6))
    assert float(span.time) == pytest.approx(6.6)
    assert (float(span.duration), span.mode, float(span.passes)) == (2, "loop", math.inf)
    assert not span.begins


def test_first_step_is_a_start():
    group = SyncGroup([SyncTrack(1.0)])
    assert [_begins(group, seconds) for seconds in (0.0, 0.1, 0.1)] == [True, True, False]
    group.start()
    assert _begins(group, 0.1)
    group.enter(0, 0.0)
    assert not _begins(group, 0.1)


def _begins(group, seconds):
    group.advance(seconds, [1.0])
    return bool(group.span(0).begins)


def test_backward_start_shows_end():
    group = SyncGroup([SyncTrack(1.0), SyncTrack(2.0)], rate=-1.0)
    assert [float(group.span(i).time) for i in (0, 1)] == [1, 2]
    group.advance(1.0, [1, 0])
    assert [float(group.span(i).time) for i in (0, 1)] == [0, 0]


def test_finished_clip_stops_while_group_continues():
    group = SyncGroup([SyncTrack(1.0), SyncTrack(1.0)])
    group.advance(2.5, [1, 1])
    span = group.span(1, passes=1)
    assert (float(span.x0), float(span.x1), float(span.time)) == (0, 1, 1)
    assert float(group.x(0)) == pytest.approx(2.5)


def test_zero_length_clip():
    group = SyncGroup([SyncTrack(0.0), SyncTrack(2.0)])
    group.advance(1.0, [1, 0])  # alone it has no speed: nothing moves
    assert clip_positions(group).tolist() == [0, 0]
    group.advance(0.5, [1, 1])
    assert clip_positions(group) == pytest.approx([0, 1.0])
    marked = SyncGroup([SyncTrack(0.0, 1, FOOT_MARKS)])
    marked.advance(1.0, [1.0])
    assert clip_positions(marked).tolist() == [0]


def test_zero_weights_count_as_equal_weights():
    group = SyncGroup([SyncTrack(1.0), SyncTrack(2.0)])
    group.advance(0.75, [0, 0])
    assert clip_positions(group) == pytest.approx([0.5, 1.0])


@given(sync_groups(), st.data(), steps)
def test_crowd_equals_single_groups(all_tracks, data, parts):
    count = len(all_tracks)
    rate = np.array([1.0, -0.5, 2.0])
    weights = np.stack([draw_weights(data, count) for _ in range(3)])
    heaviest = weights.argmax(axis=-1)
    crowd = SyncGroup(all_tracks, rate, batch=(3,))
    crowd.start(heaviest)
    alone = [SyncGroup(all_tracks, r) for r in rate]
    for c in range(3):
        alone[c].start(heaviest[c])
        for part in parts:
            alone[c].advance(part, weights[c])
    for part in parts:
        crowd.advance(part, weights)
    for c in range(3):
        together = [float(crowd.x(i)[c]) for i in range(count)]
        assert together == pytest.approx(clip_positions(alone[c]).tolist(), abs=TOLERANCE)
        x = float(crowd.span(0).x1[c])
        assert crowd.when(0, x, (c,)) == pytest.approx(parts[-1], abs=1e-7)


@given(sync_groups(), st.data(), steps)
def test_state_round_trip(all_tracks, data, parts):
    group = SyncGroup(all_tracks)
    weights = draw_weights(data, len(all_tracks))
    group.advance(parts[0], weights)
    state = group.save()
    before = clip_positions(group)
    for part in parts:
        group.advance(part, weights)
    after = clip_positions(group)
    group.restore(state)
    assert clip_positions(group).tolist() == before.tolist()
    for part in parts:
        group.advance(part, weights)
    assert clip_positions(group).tolist() == after.tolist()


@pytest.mark.parametrize("all_tracks", [[], [SyncTrack(1, 1, FOOT_MARKS), SyncTrack(1)]])
def test_invalid_groups_are_rejected(all_tracks):
    with pytest.raises(ValueError, match="clip"):
        SyncGroup(all_tracks)


def test_long_steps_without_marks_are_fast():
    assert sync_mismatch([SyncTrack(1, 9973), SyncTrack(1, 9967), SyncTrack(1, 9949)]) is None
    group = SyncGroup([SyncTrack(1.0, 1, FOOT_MARKS)])
    group.advance(1e9 + 0.25, [1.0])
    assert float(group.x(0)) == pytest.approx(1e9 + 0.25, abs=1e-5)


@pytest.mark.parametrize("weight", [0.0, 5e-324, 2e-311])
def test_weights_of_nearly_0_count_as_equal(weight):
    group = SyncGroup([SyncTrack(0.5), SyncTrack(1.5)])
    group.advance(0.25, [weight, 0.0])
    assert [float(group.x(k)) for k in range(2)] == pytest.approx([0.125, 0.375])


@pytest.mark.parametrize("batch", [(), (3,)])
def test_intervals_of_several_clips_are_those_of_each(batch):
    rate = -1.0 if not batch else np.array([1.0, -0.5, 2.0])
    group = SyncGroup([SyncTrack(1.0, 1, FOOT_MARKS), SyncTrack(2.0, 1, FOOT_MARKS)], rate, batch)
    for seconds in (0.0, 0.3, 0.9):
        group.advance(seconds, (0.25, 0.75))
        for k, several in enumerate(group.spans([5.0, 6.0])):
            alone = group.span(k, start=5.0 + k)
            for name in ("x0", "x1", "time", "duration", "passes", "begins"):
                assert np.array_equal(getattr(several, name), getattr(alone, name))
