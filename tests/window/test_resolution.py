"""The resolution of the moving scene by the time of its frames."""

from itertools import pairwise

import pytest

from rigview.window.scene_view import FIRST_TRIAL, Resolution, ResolutionSteps


def run(steps, seconds, duration, start=0.0):
    """Draw frames of some seconds each; return the time afterwards."""
    now = start
    while now < start + duration:
        now += seconds
        steps.measure(seconds, now)
    return now


@pytest.mark.parametrize(
    ("samples", "seconds", "resolution"),
    [
        (4, 0.02, (1, 4)),
        (4, 0.08, (1, 1)),
        (4, 0.15, (2, 1)),
        (4, 0.4, (2, 1)),
        (4, 1.0, (3, 1)),
        (1, 0.02, (1, 1)),
        (1, 0.08, (2, 1)),
        (1, 0.4, (3, 1)),
    ],
)
def test_slow_frames_lower_the_resolution_at_once(samples, seconds, resolution):
    steps = ResolutionSteps(samples)
    run(steps, seconds, 2 * seconds)
    assert steps.moving == resolution
    assert steps.full == (1, samples)


def test_one_slow_frame_is_ignored():
    steps = ResolutionSteps(4)
    for k in range(100):
        steps.measure(0.4 if k % 3 == 0 else 0.02, 0.1 * k)
    assert steps.moving == steps.full


def test_frames_that_stay_slow_end_at_the_lowest_resolution():
    steps = ResolutionSteps(4)
    run(steps, 0.3, 10.0)
    assert steps.moving == Resolution(3, 1)


def test_quick_frames_return_step_by_step():
    steps = ResolutionSteps(4)
    now = run(steps, 1.0, 2.0)
    seen = [steps.moving]
    for _ in range(1000):
        now += 0.016
        steps.measure(0.016, now)
        if steps.moving != seen[-1]:
            seen.append(steps.moving)
    assert seen == [(3, 1), (2, 1), (1, 1), (1, 4)]


def test_trials_of_a_resolution_that_is_too_slow_become_rare():
    """A machine that takes 0.12 s at full size and 0.03 s at half of it."""
    steps, now, trials = ResolutionSteps(1), 0.0, []
    while now < 120.0:
        before = steps.moving
        seconds = 0.12 / before.divisor**2
        now += seconds
        steps.measure(seconds, now)
        if steps.moving.divisor < before.divisor:
            trials.append(now)
    gaps = [b - a for a, b in pairwise(trials)]
    assert len(trials) <= 6
    assert gaps == sorted(gaps)
    assert gaps[0] > FIRST_TRIAL
