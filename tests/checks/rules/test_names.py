"""Rules about names: of joints and clips, mirror images, and names after import into engines."""

import pytest

from rigview.checks.examine import examine
from rigview.checks.rule_settings import Settings
from rigview.checks.rules.names import godot_bone, unreal_bone
from rigview.model.mirror_image import mirror_name
from tests.checks.cases_names import clip
from tests.support.rule_case import messages_of, one
from tests.support.rule_figure import context, document_change


@pytest.mark.parametrize(
    ("name", "mirrored"),
    [
        ("LeftArm", "RightArm"),
        ("mixamorig:RightHandIndex1", "mixamorig:LeftHandIndex1"),
        ("leftarm", "rightarm"),
        ("b_RightLeg01_019", "b_LeftLeg01_019"),
        ("Hand.L", "Hand.R"),
        ("hand_r", "hand_l"),
        ("l_hand", "r_hand"),
        ("ARM_L_01", "ARM_R_01"),
        ("Skeleton_arm_joint_L__4_", "Skeleton_arm_joint_R__4_"),
        ("Hips", ""),
        ("Collar", ""),
        ("", ""),
    ],
)
def test_mirror_name(name, mirrored):
    assert mirror_name(name) == mirrored
    if mirrored:
        assert mirror_name(mirrored) == name


def test_names_after_import_into_engines():
    assert godot_bone("rig:Hand/L.001") == "rig_Hand_L.001"
    assert unreal_bone("rig:Hand/L.001 end+") == "rig_Hand_L_001-end_"
    assert unreal_bone("Hand_L-2") == "Hand_L-2"


def names(*given):
    def change(figure):
        figure.names[: len(given)] = given

    return [each.message for each in examine(context(change)(), Settings(only=("name-*",)))]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a\\b", "has a \\"),
        ("a/b", "has a /"),
        ("a\x01b", "has a control character"),
        ("a ", "begins or ends with a space"),
        ("é" * 32, "is 64 bytes long, more than 63"),
    ],
)
def test_reason_for_a_changed_name(name, why):
    (message,) = names(name)
    assert message.startswith("1 joint name of skin “Figure” will be changed: “")
    assert message.endswith(why)


def test_renamed():
    assert names("Hips.001", "Spine two") == [
        "Unreal renames 2 joints of skin “Figure”: “Hips.001” becomes “Hips_001”"
    ]
    assert names("rig:Hips") == [
        "Godot and Unreal rename 1 joint of skin “Figure”: “rig:Hips” becomes “rig_Hips”"
    ]


def test_names_that_collide():
    assert names("hips", "HIPS") == [
        "1 pair of joints of skin “Figure” has equal names in an engine: “hips” and “HIPS” are "
        "“hips” in Unreal, which ignores case"
    ]


def test_two_skins_with_the_same_joints_have_one_finding():
    def change(figure):
        figure.names[3] = figure.names[5] = "Arm"
        document_change(lambda b: b.json["skins"].append(dict(b.json["skins"][0])))(figure)

    assert one(context(change), "name-*").message == (
        "1 name of skin “Figure” belongs to more than one joint: “Arm”"
    )


def test_clips_without_names():
    assert messages_of(context(clip("", "Nod")), "clip-name-missing") == [
        "1 of 2 animations has no name"
    ]
