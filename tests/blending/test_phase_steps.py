"""Sync groups whose weights change, compared with a float64 evaluation of the definition."""

import math
from itertools import pairwise

import numpy as np
import pytest

from rigview.blending.joined_groups import JoinedGroups, advance_with
from rigview.blending.sync_group import SyncGroup, SyncTrack
from tests.support.sync_groups import clip_positions, exact_position, exact_state

STEP = 1 / 120
PLAIN = [SyncTrack(1.0), SyncTrack(0.7), SyncTrack(2.2)]
MARKED = [
    SyncTrack(1.0, 1, {"left": (0.05,), "right": (0.3,)}),
    SyncTrack(0.7, 1, {"left": (0.02,), "right": (0.7,)}),
    SyncTrack(2.2, 1, {"left": (0.1,), "right": (0.4,)}),
]


def weights_at(tau):
    """The weights of three clips on a line, which bend amid a step."""
    return np.maximum(1 - np.abs(np.arange(3) - (0.1 + tau / 0.15)), 0)


def run(group, seconds, weights):
    """Advance in steps of 1/120 s, as the mixer does."""
    times = np.linspace(0, seconds, math.ceil(seconds / STEP) + 1).tolist()
    for begin, end in pairwise(times):
        advance_with(group, end - begin, lambda since, begin=begin: weights(begin + since))


@pytest.mark.parametrize("tracks", [PLAIN, MARKED], ids=["without marks", "with marks"])
@pytest.mark.parametrize("rate", [1.0, 2.5])
def test_changing_weights(tracks, rate):
    group = SyncGroup(tracks, rate)
    group.enter(0, 0.2)
    begin = float(group.at)
    run(group, 0.29, weights_at)
    at = exact_state(tracks, begin, lambda s: weights_at(s / rate), 0.29 * rate)
    expected = [exact_position(each, at) for each in tracks]
    np.testing.assert_allclose(clip_positions(group), expected, rtol=0, atol=5e-7)


def test_reverse_run_returns():
    group = SyncGroup(MARKED, np.array([1.0, 2.0]), (2,))
    group.enter(0, 0.2)
    before = group.at
    run(group, 0.29, lambda tau: np.broadcast_to(weights_at(tau), (2, 3)))
    group.rate = -group.rate
    run(group, 0.29, lambda tau: np.broadcast_to(weights_at(0.29 - tau), (2, 3)))
    np.testing.assert_allclose(group.at, before, rtol=0, atol=1e-7)


def test_many_characters_equal_one():
    rates = np.array([1.0, 0.5, 3.0])
    crowd = SyncGroup(MARKED, rates, (3,))
    run(crowd, 0.2, lambda tau: np.broadcast_to(weights_at(tau), (3, 3)))
    for c, rate in enumerate(rates):
        alone = SyncGroup(MARKED, rate)
        run(alone, 0.2, weights_at)
        assert float(crowd.at[c]) == pytest.approx(float(alone.at), abs=1e-8)


def test_groups_with_other_marks():
    """Both complete a cycle in the same time; weights of a linear fade give a logarithm."""
    old, new = SyncGroup([SyncTrack(1.0, 1, {"left": (0.4,)})]), SyncGroup([SyncTrack(0.6)])
    both = JoinedGroups(old, new)
    run(both, 0.4, lambda tau: np.array([1 - tau / 0.4, tau / 0.4]))
    cycles = math.log(1 / 0.6) / (1 - 0.6) * 0.4
    np.testing.assert_allclose(clip_positions(both), [cycles, 0.6 * cycles], rtol=0, atol=1e-8)


def test_clips_of_no_length_do_not_move():
    marks = {"left": (0.1,), "right": (0.6,)}
    for new in (SyncTrack(0.0), SyncTrack(0.0, 1, marks)):
        both = JoinedGroups(SyncGroup([SyncTrack(1.0, 1, marks)]), SyncGroup([new]))
        advance_with(both, STEP, lambda _: np.array([0.0, 1.0]))
        assert clip_positions(both).tolist() == [0, 0]


def test_long_runs_need_no_more_work_by_rounding():
    """A state of a hundred million intervals is rounded more coarsely than the tolerance."""
    calls = []

    def weights(tau):
        calls.append(tau)
        return np.array([1 - tau, tau])

    group = SyncGroup([SyncTrack(1.0), SyncTrack(0.7)])
    group.enter(0, 1e8)
    advance_with(group, STEP, weights)
    assert len(calls) < 10
