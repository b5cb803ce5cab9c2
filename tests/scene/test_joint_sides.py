"""Sides of joints: by name, by the parent, or by position."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.skeleton import Skeleton
from rigview.animation.skin import Skin
from rigview.scene.drawn_joints import joint_sides
from tests.support.models import make_model, square

PARENTS = (-1, 0, 0, 0, 1, 2)
PLACES = [[0, 1, 0], [0.3, 0, 0], [-0.3, 0, 0], [0, 0.5, 0], [0.1, -0.4, 0], [-0.1, -0.4, 0]]


def named(*names, translations=PLACES):
    joints = np.arange(len(names), dtype=np.int32)
    bound = np.tile(np.eye(4, dtype=np.float32), (len(names), 1, 1))
    skins = (Skin("skin", joints, bound),)
    model = make_model([square()], PARENTS, translations=translations, skins=skins)
    own = model.skeleton
    return replace(model, skeleton=Skeleton(names, own.parents, own.nodes, own.rest))


@pytest.mark.parametrize(
    "names",
    [
        ("Hips", "LeftLeg", "RightLeg", "Spine", "LeftFoot", "RightFoot"),
        ("pelvis", "thigh_l", "thigh_r", "spine_01", "calf_l", "calf_r"),
        ("Bip01", "Bip01 L Thigh", "Bip01 R Thigh", "Bip01 Spine", "lamp", "sword"),
    ],
)
def test_by_name(names):
    """A joint without a side has that of its parent, wherever it is."""
    assert joint_sides(named(*names)).tolist() == [0, 1, -1, 0, 1, -1]


NUMBERED = tuple(f"Bone {k}" for k in range(6))


def test_by_position():
    assert joint_sides(named(*NUMBERED)).tolist() == [0, 1, -1, 0, 1, -1]


def test_joints_without_counterpart_are_in_the_middle():
    bent = np.array(PLACES, float)
    bent[2, 1:] = 0.9, 0.4
    assert joint_sides(named(*NUMBERED, translations=bent)).tolist() == [0] * 6
    assert not joint_sides(named(*NUMBERED, translations=np.zeros((6, 3)))).any()
    assert not joint_sides(named(*NUMBERED, translations=np.full((6, 3), np.nan))).any()
    assert not joint_sides(make_model([square()])).any()
