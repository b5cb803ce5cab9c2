"""Rules about motion: rotation of the whole body, full turns, feet of a VRM humanoid."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation import quat
from rigview.checks.check_context import CheckContext
from rigview.checks.foot_contacts import feet
from tests.checks.cases_motion import keyed
from tests.support.broken_mannequins import context_of_clip, key_times
from tests.support.rule_case import findings_of
from tests.support.walking_figure import LEFT, walk, walker


def test_turn_of_the_whole_body_is_drift_and_not_a_seam():
    """The hips, a root joint, turn by 10 degrees per pass."""

    def further(values):
        half = np.radians(np.linspace(0, 10, len(values))) / 2
        turns = np.stack([0 * half, np.sin(half), 0 * half, np.cos(half)], axis=1)
        return quat.multiply(turns, values.astype(float))

    context = context_of_clip("Idle", "Hips", "rotation", further)
    assert len(key_times("Idle", "Hips", "rotation")) > 2
    (drift,) = findings_of(context, "root-drift")
    assert drift.amount == pytest.approx(10, abs=0.1)
    assert not findings_of(context, "loop-seam")


@pytest.mark.parametrize("frames_of", [3, 4, 5])
def test_clip_of_a_single_turn_has_no_full_turn_finding(frames_of):
    """The rule needs slower motion before and after the turn."""
    assert not findings_of(keyed(LEFT, np.linspace(0, 360, frames_of + 1)), "full-turn")


def test_feet_of_the_vrm_humanoid():
    """Joint names give no feet and one foot is above the floor: the VRM humanoid names them."""
    context = walker(walk())
    skeleton = context.model.skeleton
    left, right = (skeleton.names.index(name) for name in ("LeftFoot", "RightFoot"))
    object.__setattr__(skeleton, "names", tuple(f"j{k}" for k in range(skeleton.count)))
    skeleton.rest.translation[left, 1] = 0.5
    assert not CheckContext(context.model).cached(feet)
    model = replace(context.model, humanoid={"leftFoot": left, "rightFoot": right})
    assert {each.joint for each in CheckContext(model).cached(feet)} == {
        left,
        right,
    }


@pytest.mark.parametrize(("degrees", "count"), [(150, 0), (180, 1)])
@pytest.mark.parametrize("length", [0.1, 1, 3])
def test_angle_does_not_depend_on_the_length_of_quaternions(degrees, count, length):
    half = np.radians([0, degrees / 2, 1.5 * degrees]) / 2
    values = length * np.stack([np.sin(half), 0 * half, 0 * half, np.cos(half)], axis=1)
    findings = findings_of(walker([(LEFT, "rotation", np.arange(3) / 30, values)]), "half-turn")
    assert len(findings) == count
