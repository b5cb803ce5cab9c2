"""M6: in phase, the two sides of a fade advance as one group."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.blending.joined_groups import Tied, join
from rigview.blending.sync_group import Beat, SyncGroup
from tests.support.sync_groups import EXACT, FEET, groups, knot, places, steps, weights_for


def test_a_fade_by_hand():
    """The walk of 1 s in its fourth pass at 0.25; the run of 0.6 s begins at 0.25 of it."""
    walk_alone = SyncGroup([Beat(1.0)])
    walk_alone.enter(0, 3.25)
    both = join(walk_alone, SyncGroup([Beat(0.6)]))
    assert places(both) == pytest.approx([3.25, 0.15])
    both.advance(0.4, [0.5, 0.5])  # half a cycle of 0.8 s
    assert places(both) == pytest.approx([3.75, 0.45])
    alone = both.last(1)
    assert float(alone.x(0)) == pytest.approx(0.45)
    alone.advance(0.6, [1.0])
    assert float(alone.x(0)) == pytest.approx(1.05)


@given(groups(marked=2, most=3), groups(marked=2, most=3), st.data(), st.floats(-9, 9))
def test_marks_that_fit_are_met(old, new, data, x):
    a, b = SyncGroup(old), SyncGroup(new)
    a.enter(0, x)
    before = places(a)
    its = data.draw(st.integers(0, len(new) - 1))
    both = join(a, b, 0, its)
    assert isinstance(both, SyncGroup)
    n = len(old)
    assert places(both)[:n] == pytest.approx(before, abs=EXACT)
    assert -EXACT <= both.x(n + its) - knot(new[its], 0) <= new[its].duration + EXACT
    check = SyncGroup(old + new)  # entered as one group from the first, they stand alike
    check.enter(0, x)
    cycles = math.lcm(*(beat.cycles for beat in old + new))
    if cycles == 1:
        phases = [(places(g) / [b.duration for b in old + new]) % 1 for g in (both, check)]
        turned = np.exp(2j * np.pi * phases[0]) - np.exp(2j * np.pi * phases[1])
        assert np.abs(turned) == pytest.approx(0, abs=1e-7)


@given(groups(most=3), groups(most=3), st.data(), st.floats(-9, 9), steps)
def test_nothing_jumps_when_joined_nor_when_parted(old, new, data, x, parts):
    a, b = SyncGroup(old), SyncGroup(new)
    a.enter(0, x)
    before = places(a)
    both = join(a, b)
    n = len(old)
    assert places(both)[:n] == pytest.approx(before, abs=EXACT)
    for part in parts:
        both.advance(part, weights_for(data, n + len(new)))
    end = places(both)[n:]
    assert places(both.last(len(new))) == pytest.approx(end, abs=EXACT)
    if len(new) > 1:
        assert places(both.last(1)) == pytest.approx(end[-1:], abs=EXACT)


def test_marks_that_do_not_fit_give_way_to_plain_phases():
    """By hand: u = t / T of the old one; the old space keeps its own marks."""
    a = SyncGroup([Beat(1.0, 1, FEET), Beat(2.0, 1, {"left": (0.2,), "right": (0.7,)})])
    a.enter(0, 5.6)
    both = join(a, SyncGroup([Beat(3.0)]))
    assert isinstance(both, Tied)
    assert places(both) == pytest.approx([5.6, 11.4, 1.8])
    both.advance(0.2, [0.5, 0, 0.5])  # 0.1 of a cycle of 2 s
    assert places(both) == pytest.approx([5.7, 11.6, 2.1])
    span = both.span(2)
    assert (float(span.x0), float(span.x1)) == pytest.approx((1.8, 2.1))
    assert both.when(2, 1.95) == pytest.approx(0.1)
    assert both.when(0, 5.65) == pytest.approx(0.1)


@given(st.data(), steps)
def test_a_fade_in_a_fade(data, parts):
    first = SyncGroup([Beat(1.0, 1, FEET)])
    first.advance(0.4, [1.0])
    two = join(first, SyncGroup([Beat(2.0)]))
    two.advance(0.3, [0.5, 0.5])
    before = places(two)
    three = join(two, SyncGroup([Beat(3.0, 2)]), mine=1)
    assert places(three)[:2] == pytest.approx(before)
    for part in parts:
        three.advance(part, weights_for(data, 3))
    assert places(three.last(2))[0] == pytest.approx(places(three)[1])
    cycles = [float(three.x(i)) / three.beats[i].cycle for i in range(3)]
    assert (cycles[2] - cycles[1]) % 1 == pytest.approx(0, abs=1e-7) or (
        cycles[2] - cycles[1]
    ) % 1 == pytest.approx(1, abs=1e-7)


def test_saved_and_restored():
    both = join(SyncGroup([Beat(1.0, 1, FEET)], 2.0), SyncGroup([Beat(2.0)]))
    both.advance(0.3, [1, 1])
    state, before = both.save(), places(both)
    both.rate = np.asarray(5.0)
    both.advance(0.3, [1, 0])
    both.restore(state)
    assert places(both).tolist() == before.tolist()
    assert float(both.rate) == 2


def test_backwards():
    a = SyncGroup([Beat(1.0)], rate=-1.0)
    a.advance(0.25, [1.0])
    both = join(a, SyncGroup([Beat(2.0)], rate=-1.0))
    assert places(both) == pytest.approx([0.75, 1.5])
    both.advance(0.75, [0, 1])
    assert places(both) == pytest.approx([0.375, 0.75])


def test_entering_a_tied_group():
    """By hand: at 0.3 of the new one's cycle, both in the passes that they are in."""
    both = join(SyncGroup([Beat(1.0, 1, FEET)]), SyncGroup([Beat(2.0)]))
    both.advance(4.0, [1, 0])
    both.enter(1, 0.6)
    assert places(both) == pytest.approx([4.3, 0.6])
    both.enter(0, 0.5)
    assert places(both) == pytest.approx([0.5, 1.0])


@given(groups(marked=2, most=2), groups(marked=2, most=2), st.data(), st.floats(0, 9), steps)
def test_joined_a_clip_alone_still_runs_at_its_own_speed(old, new, data, x, parts):
    """Whatever pass each is in: the intervals of the one that weighs count."""
    a = SyncGroup(old)
    a.enter(0, x)
    both = join(a, SyncGroup(new), len(old) - 1, len(new) - 1)
    i = data.draw(st.integers(0, len(both.beats) - 1))
    start = float(both.x(i))
    for part in parts:
        both.advance(part, np.eye(len(both.beats))[i])
    assert float(both.x(i)) == pytest.approx(start + sum(parts), abs=EXACT)


def test_of_several_cycles_it_begins_in_the_one_the_old_clip_is_in():
    """By hand: 0.6 into the second cycle of two; the new clip has three, or one."""
    marks = {"left": (0.1, 0.6)}
    for cycles, expected in ((3, 1.6), (1, 0.6)):
        old = SyncGroup([Beat(2.0, 2, marks)])  # cycles of 1 s
        old.enter(0, 5.6)
        assert float(join(old, SyncGroup([Beat(1.0 * cycles, cycles)])).x(1)) == pytest.approx(
            expected
        )
