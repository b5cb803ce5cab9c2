"""Branches of the joint tree, by name."""

from dataclasses import replace

import pytest

from rigview.animation.skeleton import Skeleton
from rigview.errors import UsageError
from rigview.model.joint_branches import branch_of, branches_reference, find_branches
from tests.support.models import make_model, square

NAMES = ("Hips", "Spine", "Leg", "Leg", "a, b", "!x", "Arm", "Hand")
PARENTS = (-1, 0, 0, 0, 0, 0, 1, 6)


@pytest.fixture
def model():
    model = make_model([square()], PARENTS)
    skeleton = model.skeleton
    named = Skeleton(NAMES, skeleton.parents, skeleton.nodes, skeleton.rest)
    return replace(model, skeleton=named)


def test_a_branch_is_the_joint_and_all_below(model):
    assert branch_of(model, 6) == {6, 7}
    assert branch_of(model, 0) == set(range(8))
    assert branch_of(model, 5) == {5}


def test_names(model):
    assert find_branches(model, "Arm") == {6, 7}
    assert find_branches(model, " Spine , !Hand,Leg") == {1, 6, 2}
    assert find_branches(model, "") == frozenset()
    with pytest.raises(UsageError, match="no joint 'Hnd'"):
        find_branches(model, "Hips,!Hnd")


@pytest.mark.parametrize(
    ("joints", "text"),
    [
        ({6, 7}, "Arm"),
        ({1, 6}, "Spine,!Hand"),
        (set(range(8)) - {6}, "Hips,!Arm,Hand"),
        ({3}, "#3"),
        ({4, 5}, "#4,#5"),
        (set(), ""),
    ],
)
def test_the_reference_finds_the_same_joints(model, joints, text):
    assert branches_reference(model, frozenset(joints)) == text
    assert find_branches(model, text) == joints
