"""What mutations of the rules about motion survived: a turn of the whole body, feet of a VRM."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation import quat
from rigview.check.feet import feet
from rigview.check.subject import Subject
from tests.check.cases_motion import keyed
from tests.support.broken_mannequins import keys, mannequin
from tests.support.rule_case import findings_of
from tests.support.walking_figure import LEFT, walk, walker


def test_body_that_turns_has_no_seam():
    """The hips, which no joint is above, turn 10 degrees in a pass: drift, and no other pose."""

    def further(values):
        half = np.radians(np.linspace(0, 10, len(values))) / 2
        turns = np.stack([0 * half, np.sin(half), 0 * half, np.cos(half)], axis=1)
        return quat.multiply(turns, values.astype(float))

    subject = mannequin("Idle", "Hips", "rotation", further)
    assert len(keys("Idle", "Hips", "rotation")) > 2
    (drift,) = findings_of(subject, "root-drift")
    assert drift.amount == pytest.approx(10, abs=0.1)
    assert not findings_of(subject, "loop-seam")


@pytest.mark.parametrize("frames_of", [3, 4, 5])
def test_clip_that_is_one_turn_is_no_overrun(frames_of):
    """A turn all the way round needs something beside it to be out of the ordinary."""
    assert not findings_of(keyed(LEFT, np.linspace(0, 360, frames_of + 1)), "full-turn")


def test_feet_that_the_humanoid_names():
    """Their names say nothing, and one hangs in the air at rest: the map of a VRM tells."""
    subject = walker(walk())
    skeleton = subject.model.skeleton
    left, right = (skeleton.names.index(name) for name in ("LeftFoot", "RightFoot"))
    object.__setattr__(skeleton, "names", tuple(f"j{k}" for k in range(skeleton.count)))
    skeleton.rest.translation[left, 1] = 0.5
    assert not Subject(subject.model, subject.document).once(feet)
    model = replace(subject.model, humanoid={"leftFoot": left, "rightFoot": right})
    assert {each.joint for each in Subject(model, subject.document).once(feet)} == {left, right}


@pytest.mark.parametrize(("degrees", "told"), [(150, 0), (180, 1)])
@pytest.mark.parametrize("length", [0.1, 1, 3])
def test_angle_does_not_hang_on_the_length_of_keys(degrees, told, length):
    half = np.radians([0, degrees / 2, 1.5 * degrees]) / 2
    values = length * np.stack([np.sin(half), 0 * half, 0 * half, np.cos(half)], axis=1)
    hits = findings_of(walker([(LEFT, "rotation", np.arange(3) / 30, values)]), "half-turn")
    assert len(hits) == told
