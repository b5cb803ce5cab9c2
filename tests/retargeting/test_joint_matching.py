import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.animation.skeleton import Skeleton
from rigview.retargeting.hips import guess_hips
from rigview.retargeting.joint_aliases import body_parts, normalized_name, normalized_names
from rigview.retargeting.joint_matching import MappedSkeleton, match, match_kinds, star_parts
from tests.support.adversarial_patterns import NAME, PATTERNS
from tests.support.clips import make_skeleton, make_track, rest_pose


def body(names, parents=None, humanoid=None):
    parents = [-1] + [0] * (len(names) - 1) if parents is None else parents
    count = len(names)
    skeleton = Skeleton(
        tuple(names),
        np.array(parents, np.int32),
        np.arange(count, dtype=np.int32),
        rest_pose(count),
    )
    return MappedSkeleton(skeleton, np.arange(count, dtype=np.int32), humanoid or {})


def parts_of(names):
    return body_parts(normalized_names(names))


def matched(source, target, names=None):
    mapping = match(source, target, names)
    ours, theirs = source.skeleton.names, target.skeleton.names
    return {theirs[d]: ours[s] for d, s in enumerate(mapping) if s >= 0}


@pytest.mark.parametrize(
    "name",
    ["LeftUpLeg", "mixamorig:LeftUpLeg", "mixamorig1:LeftUpLeg", "left_up_leg", "UpLeg.L",
     "leftupleg", "L UpLeg", "Armature|LeftUpLeg", "LEFT_UPLEG", "DEF-UpLeg.L"],
)  # fmt: skip
def test_naming_conventions_are_normalized(name):
    assert normalized_name(name)[:2] == ("left", "upleg")


@pytest.mark.parametrize(
    ("name", "side", "part"),
    [
        ("Bip01 L Thigh", "left", "upperleg"),
        ("ValveBiped.Bip01_R_UpperArm", "right", "upperarm"),
        ("J_Bip_R_LowerLeg", "right", "lowerleg"),
        ("CC_Base_L_Calf", "left", "lowerleg"),
        ("clavicle_r", "right", "shoulder"),
        ("ball_l", "left", "toes"),
        ("Hips", "", "hips"),
        ("pelvis", "", "hips"),
        ("DEF-f_index.01.L", "left", "index"),
    ],
)
def test_body_parts_of_names(name, side, part):
    assert parts_of([name])[0][:2] == (side, part)


@pytest.mark.parametrize("name", ["LeftArmTwist1", "HeadCamera", "Sword", "", "123", "左腕", "Leg"])
def test_other_names_have_no_body_part(name):
    assert parts_of([name]) == {}


def test_shoulder_without_arm_is_the_upper_arm():
    names = ["LeftCollar", "LeftShoulder", "LeftElbow", "LeftWrist", "LeftHip", "LeftKnee"]
    parts = [parts_of(names)[k].part for k in range(len(names))]
    assert parts == ["shoulder", "upperarm", "lowerarm", "hand", "upperleg", "lowerleg"]
    names = ["LHipJoint", "LeftUpLeg", "LeftShoulder", "LeftArm"]
    roles = parts_of(names)
    assert [roles[k].part for k in (1, 2, 3)] == ["upperleg", "shoulder", "upperarm"]


def test_rigs_of_different_tools_match():
    mixamo = ["mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2",
              "mixamorig:LeftShoulder", "mixamorig:LeftArm", "mixamorig:LeftForeArm",
              "mixamorig:LeftHand", "mixamorig:LeftHandIndex2", "mixamorig:LeftUpLeg",
              "mixamorig:LeftLeg", "mixamorig:LeftFoot", "mixamorig:LeftToeBase"]  # fmt: skip
    unreal = ["pelvis", "spine_01", "spine_02", "spine_03", "clavicle_l", "upperarm_l",
              "lowerarm_l", "hand_l", "index_02_l", "thigh_l", "calf_l", "foot_l",
              "ball_l"]  # fmt: skip
    assert matched(body(mixamo), body(unreal)) == dict(zip(unreal, mixamo, strict=True))


def test_spines_of_different_length_match_at_their_ends():
    long = body(["Hips", "Spine", "Spine1", "Spine2", "Neck", "Head"], [-1, 0, 1, 2, 3, 4])
    short = body(["pelvis", "torso", "neck", "HEAD"], [-1, 0, 1, 2])
    assert matched(long, short)["torso"] == "Spine2"
    two = body(["pelvis", "lower_back", "chest"], [-1, 0, 1])
    assert matched(long, two) == {"pelvis": "Hips", "lower_back": "Spine", "chest": "Spine2"}


def test_user_mapping_overrides_and_wildcards_apply():
    source, target = body(["a:Hip", "a:Arm", "b"]), body(["Hip", "Arm", "c"])
    names = {"b": "c", "a:*": "*"}
    assert matched(source, target, names) == {"Hip": "a:Hip", "Arm": "a:Arm", "c": "b"}
    assert matched(source, target, {"a:Arm": "c", "b": "Arm"})["Arm"] == "b"


def test_empty_target_excludes_joint():
    source, target = body(["Hip", "Arm"]), body(["Hip", "Arm"])
    assert matched(source, target, {"Arm": ""}) == {"Hip": "Hip"}


def test_vrm_humanoid_mapping_is_used():
    bones = {"hips": 0, "leftUpperArm": 1, "leftThumbMetacarpal": 2, "leftThumbDistal": 3}
    vrm = body(["x", "y", "z", "w"], humanoid=bones)
    other = body(["Hips", "LeftArm", "LeftHandThumb1", "LeftHandThumb3"])
    assert matched(vrm, other) == {
        "Hips": "x",
        "LeftArm": "y",
        "LeftHandThumb1": "z",
        "LeftHandThumb3": "w",
    }


def test_source_joints_are_used_once():
    source = body(["Hand.L", "hand_l", "Left Hand"])
    target = body(["LeftHand", "HAND.L"])
    used = [s for s in match(source, target) if s >= 0]
    assert len(set(used)) == len(used)


def clips(*targets):
    from rigview.animation.clip import Clip

    keys = [[0, 0, 0], [0, 1, 0]]
    return [Clip.of("c", [make_track("translation", "LINEAR", [0, 1], keys, target=t)])
            for t in targets]  # fmt: skip


def test_hips_are_deepest_ancestor_of_animated_joints():
    #  0 root - 1 hips - 2 leg - 4 foot;  1 - 3 spine - 5 arm, 6 arm
    skeleton = make_skeleton([-1, 0, 1, 1, 2, 3, 3])
    everything = np.arange(7, dtype=np.int32)
    assert guess_hips(skeleton, everything, clips(1)) == 1
    assert guess_hips(skeleton, everything, clips(1, 5)) == 1
    assert guess_hips(skeleton, everything, clips(0, 1)) == 0
    assert guess_hips(skeleton, everything, clips(5, 6)) == 3
    assert guess_hips(skeleton, everything, []) == 1
    assert guess_hips(skeleton, everything[:0], []) == -1
    assert guess_hips(skeleton, np.array([2, 4], np.int32), clips(4)) in (2, 4)


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        (("leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3", "leg_joint_L_5"),
         ("upperleg", "lowerleg", "foot", "toes")),
        (("arm_joint_L__4_", "arm_joint_L__3_", "arm_joint_L__2_"),
         ("upperarm", "lowerarm", "hand")),
        (("leg.L", "leg.L.001", "foot.L"), ("upperleg", "lowerleg", "foot")),
        (("leg.L", "leg.L.001", "leg.L.002", "foot.L"), ("upperleg", "lowerleg", "toes", "foot")),
        (("thigh.L", "leg.L", "leg.L.001"), ("upperleg", "lowerleg", None)),
        (("arm.L", "forearm.L"), ("upperarm", "lowerarm")),
    ],
)  # fmt: skip
def test_numbered_chain_gives_body_parts(names, parts):
    roles = parts_of(names)
    assert tuple(roles[k].part if k in roles else None for k in range(len(names))) == parts
    assert all(role.side == "left" for role in roles.values())


@settings(deadline=None)
@given(st.text("ab*", max_size=8), st.text("ab", max_size=10))
def test_star_parts_are_those_of_a_greedy_regular_expression(pattern, name):
    parts = (re.escape(part) for part in re.split(r"\*+", pattern))
    expected = re.fullmatch("(.*)".join(parts), name)
    assert star_parts(pattern, name) == (None if expected is None else list(expected.groups()))


@pytest.mark.parametrize("pattern", PATTERNS)
def test_no_pattern_takes_exponential_time(pattern):
    assert matched(body([NAME]), body(["other"]), {pattern: "*"}) == {}


def test_a_plain_name_comes_before_a_pattern():
    source, target = body(["Hand", "Head"]), body(["Hand", "Head"])
    found = matched(source, target, {"*": "*", "Hand": "Head"})
    assert found["Head"] == "Hand"
    assert "Head" not in matched(source, target, {"H*": "H*", "Head": ""})


def test_how_pairs_were_found():
    source = body(["pelvis", "Prop", "thigh_l", "bone7", "tail"])
    target = body(["Root", "Prop", "LeftUpLeg", "x", "Tip"])
    mapping, names = np.arange(5, dtype=np.int32), {"tail": "Tip"}
    kinds = match_kinds(source, target, mapping, names, (0, 0))
    assert kinds == ("hips", "name", "alias", "hierarchy", "map")
