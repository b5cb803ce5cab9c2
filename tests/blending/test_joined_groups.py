"""Fades in phase: both sides of the fade advance as one sync group."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.blending.joined_groups import JoinedGroups, join
from rigview.blending.sync_group import SyncGroup, SyncTrack
from tests.support.sync_groups import (
    FOOT_MARKS,
    TOLERANCE,
    clip_positions,
    draw_weights,
    interval_start,
    steps,
    sync_groups,
)


def test_joined_groups_match_manual_result():
    """The walk of 1 s in its fourth pass at 0.25; the run of 0.6 s begins at 0.25 of it."""
    walk_alone = SyncGroup([SyncTrack(1.0)])
    walk_alone.enter(0, 3.25)
    both = join(walk_alone, SyncGroup([SyncTrack(0.6)]))
    assert clip_positions(both) == pytest.approx([3.25, 0.15])
    both.advance(0.4, [0.5, 0.5])  # half a cycle of 0.8 s
    assert clip_positions(both) == pytest.approx([3.75, 0.45])
    alone = both.last(1)
    assert float(alone.x(0)) == pytest.approx(0.45)
    alone.advance(0.6, [1.0])
    assert float(alone.x(0)) == pytest.approx(1.05)


@given(sync_groups(marked=2, most=3), sync_groups(marked=2, most=3), st.data(), st.floats(-9, 9))
def test_compatible_sync_marks_are_aligned(old, new, data, x):
    a, b = SyncGroup(old), SyncGroup(new)
    a.enter(0, x)
    before = clip_positions(a)
    its = data.draw(st.integers(0, len(new) - 1))
    both = join(a, b, 0, its)
    assert isinstance(both, SyncGroup)
    n = len(old)
    assert clip_positions(both)[:n] == pytest.approx(before, abs=TOLERANCE)
    assert (
        -TOLERANCE <= both.x(n + its) - interval_start(new[its], 0) <= new[its].duration + TOLERANCE
    )
    check = SyncGroup(old + new)  # entered as one group from the first, they stand alike
    check.enter(0, x)
    cycles = math.lcm(*(sync_track.cycles for sync_track in old + new))
    if cycles == 1:
        phases = [(clip_positions(g) / [b.duration for b in old + new]) % 1 for g in (both, check)]
        turned = np.exp(2j * np.pi * phases[0]) - np.exp(2j * np.pi * phases[1])
        assert np.abs(turned) == pytest.approx(0, abs=1e-7)


@given(sync_groups(most=3), sync_groups(most=3), st.data(), st.floats(-9, 9), steps)
def test_joining_and_separating_groups_is_continuous(old, new, data, x, parts):
    a, b = SyncGroup(old), SyncGroup(new)
    a.enter(0, x)
    before = clip_positions(a)
    both = join(a, b)
    n = len(old)
    assert clip_positions(both)[:n] == pytest.approx(before, abs=TOLERANCE)
    for part in parts:
        both.advance(part, draw_weights(data, n + len(new)))
    end = clip_positions(both)[n:]
    assert clip_positions(both.last(len(new))) == pytest.approx(end, abs=TOLERANCE)
    if len(new) > 1:
        assert clip_positions(both.last(1)) == pytest.approx(end[-1:], abs=TOLERANCE)


def test_incompatible_sync_marks_use_plain_phases():
    """u = t / T of the old clip; the old blend space keeps its own marks."""
    a = SyncGroup(
        [SyncTrack(1.0, 1, FOOT_MARKS), SyncTrack(2.0, 1, {"left": (0.2,), "right": (0.7,)})]
    )
    a.enter(0, 5.6)
    both = join(a, SyncGroup([SyncTrack(3.0)]))
    assert isinstance(both, JoinedGroups)
    assert clip_positions(both) == pytest.approx([5.6, 11.4, 1.8])
    both.advance(0.2, [0.5, 0, 0.5])  # 0.1 of a cycle of 2 s
    assert clip_positions(both) == pytest.approx([5.7, 11.6, 2.1])
    span = both.span(2)
    assert (float(span.x0), float(span.x1)) == pytest.approx((1.8, 2.1))
    assert both.when(2, 1.95) == pytest.approx(0.1)
    assert both.when(0, 5.65) == pytest.approx(0.1)


@given(st.data(), steps)
def test_nested_joined_groups(data, parts):
    first = SyncGroup([SyncTrack(1.0, 1, FOOT_MARKS)])
    first.advance(0.4, [1.0])
    two = join(first, SyncGroup([SyncTrack(2.0)]))
    two.advance(0.3, [0.5, 0.5])
    before = clip_positions(two)
    three = join(two, SyncGroup([SyncTrack(3.0, 2)]), mine=1)
    assert clip_positions(three)[:2] == pytest.approx(before)
    for part in parts:
        three.advance(part, draw_weights(data, 3))
    assert clip_positions(three.last(2))[0] == pytest.approx(clip_positions(three)[1])
    cycles = [float(three.x(i)) / three.sync_tracks[i].cycle for i in range(3)]
    assert (cycles[2] - cycles[1]) % 1 == pytest.approx(0, abs=1e-7) or (
        cycles[2] - cycles[1]
    ) % 1 == pytest.approx(1, abs=1e-7)


def test_state_round_trip():
    both = join(SyncGroup([SyncTrack(1.0, 1, FOOT_MARKS)], 2.0), SyncGroup([SyncTrack(2.0)]))
    both.advance(0.3, [1, 1])
    state, before = both.save(), clip_positions(both)
    both.rate = np.asarray(5.0)
    both.advance(0.3, [1, 0])
    both.restore(state)
    assert clip_positions(both).tolist() == before.tolist()
    assert float(both.rate) == 2


def test_joined_groups_play_backwards():
    a = SyncGroup([SyncTrack(1.0)], rate=-1.0)
    a.advance(0.25, [1.0])
    both = join(a, SyncGroup([SyncTrack(2.0)], rate=-1.0))
    assert clip_positions(both) == pytest.approx([0.75, 1.5])
    both.advance(0.75, [0, 1])
    assert clip_positions(both) == pytest.approx([0.375, 0.75])


def test_enter_joined_group():
    """At 0.3 of the new clip's cycle; both keep their current passes."""
    both = join(SyncGroup([SyncTrack(1.0, 1, FOOT_MARKS)]), SyncGroup([SyncTrack(2.0)]))
    both.advance(4.0, [1, 0])
    both.enter(1, 0.6)
    assert clip_positions(both) == pytest.approx([4.3, 0.6])
    both.enter(0, 0.5)
    assert clip_positions(both) == pytest.approx([0.5, 1.0])


@given(
    sync_groups(marked=2, most=2), sync_groups(marked=2, most=2), st.data(), st.floats(0, 9), steps
)
def test_only_weighted_clip_of_joined_groups_plays_at_own_speed(old, new, data, x, parts):
    """In any pass: the intervals of the clip with weight count."""
    a = SyncGroup(old)
    a.enter(0, x)
    both = join(a, SyncGroup(new), len(old) - 1, len(new) - 1)
    i = data.draw(st.integers(0, len(both.sync_tracks) - 1))
    start = float(both.x(i))
    for part in parts:
        both.advance(part, np.eye(len(both.sync_tracks))[i])
    assert float(both.x(i)) == pytest.approx(start + sum(parts), abs=TOLERANCE)


def test_new_clip_starts_in_cycle_of_old_clip():
    """At 0.6 of the second of two cycles; the new clip has three cycles, or one."""
    marks = {"left": (0.1, 0.6)}
    for cycles, expected in ((3, 1.6), (1, 0.6)):
        old = SyncGroup([SyncTrack(2.0, 2, marks)])  # cycles of 1 s
        old.enter(0, 5.6)
        assert float(join(old, SyncGroup([SyncTrack(1.0 * cycles, cycles)])).x(1)) == pytest.approx(
            expected
        )
