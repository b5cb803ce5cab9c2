"""Prefixes and suffixes of all joints do not change what the names say."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from rigview.loading.load import load
from rigview.model.facing import find_facing
from rigview.model.skin_joints import mapped_skeleton_of
from rigview.resources import asset_path
from rigview.retargeting.joint_aliases import normalized_names
from rigview.retargeting.joint_matching import body_parts_of, match
from rigview.retargeting.name_affixes import affixes_of, prefix_of, without_affixes
from rigview.scene.drawn_joints import joint_sides
from tests.support.humanoids import humanoid, turned_places
from tests.support.shared import MODELS, PRESENT

PARTS = ("Hips", "Spine", "Neck", "Head", "LeftLeg", "RightLeg", "LeftArm", "RightArm")
RIG = "_character_rig_export_v12_final"


@pytest.mark.parametrize(
    ("names", "prefix"),
    [
        (("mixamorig:Hips", "mixamorig:Spine"), "mixamorig:"),
        (("rig|mixamorig:Hips", "rig|mixamorig:Spine"), "rig|mixamorig:"),
        (("Armature|Walk", "Armature|Run"), "Armature|"),
        ((*(f"mixamorig:{letter}" for letter in "ABCDEFGH"), "Armature", "Body"), "mixamorig:"),
        (tuple(f"CC_Base_{letter}" for letter in "ABCDEFGH"), "CC_Base_"),
        (tuple(f"Bip01 {letter}" for letter in "ABCDEFGH"), "Bip01 "),
        (("Walk_Left", "Walk_Right"), ""),
        (tuple(f"Joint {k}" for k in range(12)), ""),
        (("a:Hips", "b:Hips"), ""),
        (("rig:Hips", "rig:Spine", "rig:Head", "rig:Neck", "Hips"), ""),
        (("rig:", "rig:Hips"), ""),
        ((*(f"mixamorig:{name}" for name in PARTS), "Hips"), "mixamorig:"),
        ((*(f"mixamorig:{name}" for name in PARTS), "mixamorig:7"), "mixamorig:"),
        ((*(f"mixamorig:{name}" for name in PARTS), "Hips", "Neck"), ""),
        (("Walk",), ""),
        ((), ""),
    ],
)
def test_prefix(names, prefix):
    assert prefix_of(names) == prefix


@pytest.mark.parametrize(
    ("names", "affixes", "short"),
    [
        (("LeftFoot_rig_v2", "Hips_rig_v2"), ("", "_rig_v2"), ("LeftFoot", "Hips")),
        (("a:LeftFoot.b", "a:Hips.b"), ("a:", ".b"), ("LeftFoot", "Hips")),
        (("Hips_rig_01", "Spine_rig_02"), ("", "_rig"), ("Hips_01", "Spine_02")),
        (("Hips_rig_1", "Spine1_rig_1"), ("", "_rig_1"), ("Hips", "Spine1")),
        (("arm__4__rig", "arm__3__rig"), ("", "__rig"), ("arm__4", "arm__3")),
        (("hero_b_Hips", "hero_b_Neck", "hero_b_Head", "hero_b_Tail", "hero__root"),
         ("hero_b_", ""), ("Hips", "Neck", "Head", "Tail", "_root")),
        (("Hips_rig", "Hips"), ("", ""), ("Hips_rig", "Hips")),
        (("_rig", "Hips_rig"), ("", ""), ("_rig", "Hips_rig")),
        (("LeftFoot", "RightFoot"), ("", ""), ("LeftFoot", "RightFoot")),
        (("Hips",), ("", ""), ("Hips",)),
        ((), ("", ""), ()),
    ],
)  # fmt: skip
def test_affixes(names, affixes, short):
    assert affixes_of(names) == affixes
    assert tuple(without_affixes(name, *affixes) for name in names) == short


def test_an_outlier_keeps_the_names_for_matching_apart():
    names = (*(f"mixamorig:{name}" for name in PARTS), "Hips")
    prefix, _ = affixes_of(names)
    assert len({without_affixes(name, prefix, "") for name in names}) == len(names)


def test_body_parts_at_the_end_of_all_names_are_kept():
    arm = ("shoulder_L", "upperarm_L", "forearm_L", "hand_L")
    assert {name.side for name in normalized_names(arm)} == {"left"}


FILES = sorted(path for path in MODELS.rglob("*.gl*")) if PRESENT else []


@cache
def model_of(name):
    if name == "backwards":
        return humanoid(turned_places(180))
    path = next((path for path in FILES if path.name == name), asset_path("mannequin.glb"))
    return load(path)


def renamed(model, prefix, suffix):
    """The model with another name of each joint; nodes that carry a mesh keep theirs."""
    body, names = mapped_skeleton_of(model), list(model.skeleton.names)
    for joint in body.nodes.tolist():
        names[joint] = f"{prefix}{names[joint]}{suffix}"
    return replace(model, skeleton=replace(model.skeleton, names=tuple(names)))


@pytest.mark.parametrize(
    ("prefix", "suffix"),
    [
        ("", RIG),
        ("", ":final"),
        ("mixamorig:", "_XYZ"),
        ("final_hero_v12_export_", ""),
        ("hero|rig_", " copy.2"),
        ("left_handed_", ""),
        ("", "_right_v3"),
        ("my.arm.rig.", "-v2_3"),
    ],
)
@pytest.mark.parametrize("name", ["backwards", "mannequin", *(path.name for path in FILES)])
def test_facing_sides_and_mapping_of_characters(name, prefix, suffix):
    model = model_of(name)
    other, body = renamed(model, prefix, suffix), mapped_skeleton_of(model)
    if len(body.nodes) < 2:
        pytest.skip("a prefix of one name is a part of it")
    assert find_facing(other) == find_facing(model)
    changed = mapped_skeleton_of(other)
    assert body_parts_of(changed) == body_parts_of(body)
    np.testing.assert_array_equal(joint_sides(other), joint_sides(model))
    whole = match(body, body)
    np.testing.assert_array_equal(match(body, changed), whole)
    np.testing.assert_array_equal(match(changed, body), whole)
