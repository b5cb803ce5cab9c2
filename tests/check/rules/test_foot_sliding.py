"""Feet that no ground suits: what is told where none of them ever stands."""

import numpy as np
import pytest

from rigview.check.subject import Subject
from rigview.loading.load import load_document
from tests.support.rule_case import findings_of
from tests.support.shared import MODELS, needs_shared
from tests.support.walking_figure import CYCLE, LEFT, RIGHT, foot, walk, walker


def skating(side, shift=0):
    """A foot that is pushed back at 0.2 to 3 m/s, slower and faster all the time."""
    way = foot(side, shift=shift)
    k = (np.arange(CYCLE + 1) + shift) % CYCLE
    low = k <= 36
    way[low, 2] -= 0.09 * np.sin(2 * np.pi * k[low] / 6)
    return way


def test_feet_that_never_stand():
    hits = findings_of(walker(walk(skating(LEFT), skating(RIGHT, 30))), "ground-speed")
    assert [hit.severity for hit in hits] == ["info"]
    assert "no ground suits the feet of “Walk”" in hits[0].sentence
    assert hits[0].unit == "m/s"
    assert 1 < hits[0].amount < 12


def test_feet_that_stand_have_a_ground():
    hits = findings_of(walker(walk()), "ground-speed")
    assert len(hits) == 1
    assert "no ground" not in hits[0].sentence


def test_one_foot_that_stands_says_nothing_of_the_other():
    assert not findings_of(walker(walk(skating(LEFT), None)), "ground-speed")


@needs_shared
@pytest.mark.parametrize(
    ("name", "clips"),
    [("Fox.glb", ["Walk", "Run"]), ("robot.glb", ["Robot_Running"]), ("Woman.gltf", [])],
)
def test_gaits_of_real_files_that_skate(name, clips):
    """Paws of the fox go back at 22 to 210 units a second; both of the robot's at up to 31 m/s."""
    hits = findings_of(Subject(*load_document(str(MODELS / name))), "ground-speed")
    assert [hit.clip for hit in hits if "no ground suits" in hit.sentence] == clips
