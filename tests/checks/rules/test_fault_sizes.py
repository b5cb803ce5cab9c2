"""Planted faults above the limit of a rule are found, faults below half of it are not.

``python -m tests.tools.fault_sizes`` prints the whole table.
"""

from functools import partial

import numpy as np
import pytest

from tests.checks.cases_motion import keyed
from tests.support.planted_faults import MOTIONS, POPPED, contexts, moving, popped
from tests.support.rule_case import findings_of
from tests.support.walking_figure import LEFT
from tests.tools.fault_sizes import FAULTS, found, slides

JUST, ABOVE, BELOW = 1.05, (1.5, 20), (0.1, 0.5)


@pytest.mark.parametrize("path", ["translation", "rotation"])
@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("fault", FAULTS)
def test_motion_faults_of_all_sizes(fault, motion, path):
    identity, change = FAULTS[fault]
    make = contexts(path)[motion]
    assert found(identity, path, change, make, JUST)
    for times in ABOVE:
        assert found(identity, path, change, make, times) == pytest.approx(times, rel=0.3)
    for times in BELOW:
        assert not found(identity, path, change, make, times)


@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("path", ["translation", "rotation"])
def test_sound_clips_have_no_motion_finding(motion, path):
    for rule in ("pop", "jump", "noise"):
        assert not findings_of(moving(motion, path), rule)


@pytest.mark.parametrize("keys", [1, 2, 3])
def test_message_of_a_pop_names_its_keys(keys):
    (finding,) = findings_of(
        moving("medium", "rotation", lambda values: popped("rotation", 60, keys, values)), "pop"
    )
    assert ("its key at" if keys == 1 else f"its {keys} keys from") in finding.message
    assert finding.time == pytest.approx(POPPED / 30, abs=1e-6)


def test_keys_that_come_back_do_not_jump():
    change = partial(popped, "rotation", 150, 3)
    assert not findings_of(moving("slow", "rotation", change), "jump")
    assert findings_of(moving("slow", "rotation", change), "pop")


@pytest.mark.parametrize("begin", [5, 12, 20])
@pytest.mark.parametrize("frames", [4, 5, 6])
def test_time_of_a_full_turn_is_that_of_its_first_key(begin, frames):
    context = keyed(LEFT, np.interp(np.arange(31), [begin, begin + frames], [0.0, 360.0]))
    (finding,) = findings_of(context, "full-turn")
    assert finding.time == pytest.approx(begin / 30, abs=1e-6)
    assert finding.amount == pytest.approx(360)


@pytest.mark.parametrize("name", slides())
def test_slides_of_all_sizes(name):
    amount = slides()[name]
    for times in (JUST, *ABOVE):
        assert amount(times) == pytest.approx(times, rel=0.1)
    for times in BELOW:
        assert not amount(times)
