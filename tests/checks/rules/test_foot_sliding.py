"""The ground-speed rule for feet that fit no constant ground speed."""

import numpy as np
import pytest

from rigview.checks.check_context import CheckContext
from rigview.loading.load import load
from tests.support.rule_case import findings_of
from tests.support.shared import MODELS, needs_shared
from tests.support.walking_figure import CYCLE, LEFT, RIGHT, foot_path, walk, walker


def skating(side, shift=0):
    """A foot that is pushed back at 0.2 to 3 m/s, slower and faster all the time."""
    way = foot_path(side, shift=shift)
    k = (np.arange(CYCLE + 1) + shift) % CYCLE
    low = k <= 36
    way[low, 2] -= 0.09 * np.sin(2 * np.pi * k[low] / 6)
    return way


def test_feet_without_contacts_have_no_ground_speed():
    findings = findings_of(walker(walk(skating(LEFT), skating(RIGHT, 30))), "ground-speed")
    assert [finding.severity for finding in findings] == ["info"]
    assert "the feet of “Walk” fit no constant ground speed" in findings[0].message
    assert findings[0].unit == "m/s"
    assert 1 < findings[0].amount < 12


def test_feet_with_contacts_have_a_ground_speed():
    findings = findings_of(walker(walk()), "ground-speed")
    assert len(findings) == 1
    assert "fit no constant ground speed" not in findings[0].message


def test_one_foot_with_contacts_gives_no_ground_speed():
    assert not findings_of(walker(walk(skating(LEFT), None)), "ground-speed")


@needs_shared
@pytest.mark.parametrize(
    ("name", "clips"),
    [("Fox.glb", ["Walk", "Run"]), ("robot.glb", ["Robot_Running"]), ("Woman.gltf", [])],
)
def test_sliding_gaits_of_real_files(name, clips):
    """Paws of the fox go back at 22 to 210 units a second; both of the robot's at up to 31 m/s."""
    findings = findings_of(CheckContext(load(str(MODELS / name))), "ground-speed")
    assert [finding.clip for finding in findings if "fit no constant" in finding.message] == clips
