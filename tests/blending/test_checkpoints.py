"""Checkpoints for seeking back: bounded in number, and near enough to every time."""

import math

import numpy as np
import pytest

from rigview.blending.stepped_mixer import CHECKPOINT_SHARE, Checkpoints

STEP = 0.5


def run(count):
    """Checkpoints of a simulation whose state at a time is the time."""
    checkpoints = Checkpoints(0.0, 0.0)
    for k in range(1, count + 1):
        checkpoints.add(k * STEP, k * STEP)
    return checkpoints


@pytest.mark.parametrize("count", [1, 7, 100, 7_200, 20_000])
def test_distance_grows_with_the_age(count):
    times = np.array(run(count).times)
    assert times[0] == 0.0
    assert times[-1] == count * STEP
    gaps, ages = np.diff(times), times[-1] - times[1:]
    assert (gaps <= np.maximum(CHECKPOINT_SHARE * ages, STEP)).all()


def test_number_grows_with_the_logarithm():
    many = [len(run(count).times) for count in (200, 2_000, 20_000)]
    assert many[1] - many[0] <= 2.2 * math.log(10) / math.log(1 + CHECKPOINT_SHARE)
    assert many[2] - many[1] <= 2.2 * math.log(10) / math.log(1 + CHECKPOINT_SHARE)


def test_going_back_repeats_at_most_a_share_of_the_way():
    for back in (0.1, 3.0, 47.0, 900.0, 3_000.0):
        checkpoints = run(7_200)
        goal = checkpoints.last - back
        begin = checkpoints.go_back(goal)
        assert goal - begin <= max(CHECKPOINT_SHARE * back, STEP)
        assert checkpoints.last == begin


def test_state_changed_from_outside_stays():
    """A run from the first state would not pass through it."""
    checkpoints = run(10)
    checkpoints.replace(6.0, "changed")
    for k in range(1, 500):
        checkpoints.add(6.0 + k * STEP, k)
    assert checkpoints.times[:2] == [0.0, 6.0]
    assert checkpoints.go_back(6.2) == "changed"
    assert checkpoints.go_back(5.0) == 0.0
    for k in range(1, 500):
        checkpoints.add(k * STEP, k)
    assert len(checkpoints.times) < 40
