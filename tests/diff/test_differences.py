"""What mutations of the comparison survived."""

import pytest

from rigview.diff.compare import compare
from rigview.diff.materials import _equal
from tests.support.character_versions import character


def morphed(lift):
    """A character with a face beside it that a clip moves by `lift` metres."""
    b = character()
    face = b.mesh(targets=[{"POSITION": b.accessor([[0, 0, 0], [0, 0, 0], [0, 0, lift]])}])
    b.add("nodes", mesh=face, name="Face")
    b.animation((4, "weights", [0, 1], [[0], [1]]), name="Smile")
    return b.load()


def test_morph_targets_of_another_shape_move_it_apart():
    """The joints and the weights are the same: only the target itself differs."""
    found = compare(morphed(2), morphed(2.5))
    smile = next(clip for clip in found.clips if clip.name == "Smile")
    assert smile.deviation.metres == pytest.approx(0.5)
    assert not smile.same


@pytest.mark.parametrize("size", [1.005, 0.995])
def test_a_little_larger_is_no_other_scale(size):
    found = compare(character().load(), character(size=size).load())
    assert found.scale == 1
    assert not found.same


def test_renamed_joint_of_another_size_is_told_by_its_place():
    place = {"rest": (0.5, 1.0, 1.0), "bind": (-0.5, -1.5, -2.5)}
    other = character(names=("Root", "Elbow", "Hand"), size=100, **place)
    found = compare(character(**place).load(), other.load())
    assert found.scale == 100
    (told,) = (c for c in found.changes if c.kind == "joint" and c.what == "renamed")
    assert (told.name, told.now) == ("Arm", "Elbow")
    assert "rest transform" in told.note


@pytest.mark.parametrize(
    ("p", "q", "same"),
    [
        (1.0, 1.0 + 1e-9, True),
        (1.0, 1.1, False),
        (1.0, None, False),
        ("BLEND", 0.5, False),
        ((1.0, 0.5), (1.0, 0.5 + 1e-9), True),
        ((1.0,), (1.0, 0.5), False),
        ((1.0, "a"), (1.0, 2.0), False),
    ],
)
def test_values_of_materials(p, q, same):
    assert _equal(p, q) is same
    assert _equal(q, p) is same
