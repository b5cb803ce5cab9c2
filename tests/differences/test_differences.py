"""Further cases of the comparison, found by mutation testing."""

import pytest

from rigview.differences.compare import compare
from tests.support.character_versions import character


def morphed(lift):
    """A character with a separate face mesh that a clip moves by `lift` metres."""
    b = character()
    face = b.mesh(targets=[{"POSITION": b.accessor([[0, 0, 0], [0, 0, 0], [0, 0, lift]])}])
    b.add("nodes", mesh=face, name="Face")
    b.animation((4, "weights", [0, 1], [[0], [1]]), name="Smile")
    return b.load()


def test_changed_morph_targets_are_a_difference():
    """Joints and morph weights are equal: only the target differs."""
    found = compare(morphed(2), morphed(2.5))
    smile = next(clip for clip in found.clips if clip.name == "Smile")
    assert smile.deviation.metres == pytest.approx(0.5)
    assert not smile.same


@pytest.mark.parametrize("size", [1.005, 0.995])
def test_small_size_difference_is_not_a_scale(size):
    found = compare(character().load(), character(size=size).load())
    assert found.scale == 1
    assert not found.same


def test_renamed_joint_in_another_scale_is_matched():
    place = {"rest": (0.5, 1.0, 1.0), "bind": (-0.5, -1.5, -2.5)}
    other = character(names=("Root", "Elbow", "Hand"), size=100, **place)
    found = compare(character(**place).load(), other.load())
    assert found.scale == 100
    (reported,) = (c for c in found.changes if c.kind == "joint" and c.what == "renamed")
    assert (reported.name, reported.now) == ("Arm", "Elbow")
    assert "rest transform" in reported.note


def test_text_says_how_much_differs():
    old, new = character(), character(wave=(0, 95, 0), names=("Root", "Arm", "Palm"))
    assert repr(compare(old.load(), old.load())) == "<Difference 0 changes, 0 of 2 clips differ>"
    assert repr(compare(old.load(), new.load())) == "<Difference 1 change, 1 of 2 clips differ>"
    moved = compare(old.load(), character(rest=(0.0, 1.1, 1.0)).load())
    assert repr(moved).endswith(" differ, another rest pose>")
