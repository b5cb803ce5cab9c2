"""Named poses against float64 matrices made here: played, added, set by hand, mirrored, written."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import rigview
from rigview.animation.pose import Pose
from rigview.animation.skin import common_bind_pose
from rigview.errors import MotionError
from rigview.model.mirror_image import find_mirror
from rigview.motion import edit
from rigview.motion.bind import bind
from rigview.motion.document import (
    Additive,
    At,
    Fade,
    JointPose,
    LayerSettings,
    MotionDoc,
    Nested,
    Reference,
    StillPose,
)
from rigview.motion.pose_by_hand import (
    joint_poses,
    limb,
    mirror_joints,
    mirrored_pose,
    reach,
    set_part,
)
from rigview.motion.read import parse_motion
from rigview.motion.write import write_motion
from rigview.resources import asset_path
from tests.support.shared import MODELS, PRESENT

FILES = {"mannequin": asset_path("mannequin.glb")}
if PRESENT:
    FILES |= {name: MODELS / f"{name}.glb" for name in ("Fox", "CesiumMan")}
# of each: joints to turn, and a hand or foot of the left and of the right side
JOINTS = {
    "mannequin": ("Spine1", "LeftArm", "RightLeg"),
    "Fox": ("b_Spine02_03", "b_LeftUpperArm_09", "b_Tail01_012"),
    "CesiumMan": ("Skeleton_torso_joint_2", "Skeleton_arm_joint_L__4_", "leg_joint_R_2"),
}
ENDS = {
    "mannequin": ("LeftFoot", "RightFoot", "LeftHand", "RightHand"),
    "Fox": ("b_LeftFoot01_017", "b_RightFoot01_021", "b_LeftHand_011", "b_RightHand_08"),
    "CesiumMan": (
        "leg_joint_L_3",
        "leg_joint_R_3",
        "Skeleton_arm_joint_L__2_",
        "Skeleton_arm_joint_R__3_",
    ),
}


@pytest.fixture(scope="module", params=list(FILES))
def named(request):
    return request.param, rigview.load(FILES[request.param])


@pytest.fixture(scope="module")
def mannequin():
    return rigview.load(FILES["mannequin"])


def turn(axis, degrees):
    """The rotation matrix about an axis."""
    a, b = [k for k in range(3) if k != "xyz".index(axis)]
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    out = np.eye(3)
    out[a, a] = out[b, b] = c
    out[b, a], out[a, b] = (s, -s) if axis != "y" else (-s, s)
    return out


def euler(angles):
    return turn("z", angles[2]) @ turn("y", angles[1]) @ turn("x", angles[0])


def rotation(q):
    """The matrix of a quaternion xyzw, by turning the axes: v + 2 w (u x v) + 2 u x (u x v)."""
    q = np.asarray(q, np.float64) / np.linalg.norm(q)
    u, w = q[:3], q[3]
    return np.stack(
        [v + 2 * w * np.cross(u, v) + 2 * np.cross(u, np.cross(u, v)) for v in np.eye(3)], axis=-1
    )


def local_matrix(translation, turned, scale):
    out = np.eye(4)
    out[:3, :3] = turned * np.asarray(scale, np.float64)
    out[:3, 3] = translation
    return out


def local_matrices(pose):
    return np.array(
        [
            local_matrix(pose.translation[k], rotation(pose.rotation[k]), pose.scale[k])
            for k in range(pose.count)
        ]
    )


def in_model(skeleton, local):
    out = np.empty_like(local)
    for joint, parent in enumerate(skeleton.parents):
        out[joint] = local[joint] if parent < 0 else out[parent] @ local[joint]
    return out


def height(skeleton):
    places = in_model(skeleton, local_matrices(skeleton.rest))[:, :3, 3]
    return float(np.ptp(places, axis=0).max())


def sampled(model, document, tau):
    mixer, pose = bind(model, document), model.skeleton.rest.copy()
    mixer.seek(tau)
    mixer.sample(pose)
    return pose


def two_layers(poses, model, mask="touched"):
    return MotionDoc(
        poses={"a": poses},
        layers=(
            LayerSettings("base", model.clips[0].name),
            LayerSettings("Pose", StillPose("a"), mask),
        ),
    )


def test_a_pose_replaces_its_joints_and_the_clip_goes_on_for_the_rest(named):
    name, model = named
    one, two, three = JOINTS[name]
    unit = height(model.skeleton)
    poses = {
        one: JointPose(rotation=(10.0, -20.0, 35.0)),
        two: JointPose(rotation=(-80.0, 15.0, 160.0), translation=(0.1 * unit, 0.0, 0.05 * unit)),
        three: JointPose(scale=(1.2, 1.2, 1.2)),
    }
    skeleton, rest = model.skeleton, model.skeleton.rest
    for tau in (0.0, 0.31, 0.77):
        local = local_matrices(model.clips[0].sample(tau))
        for joint, each in poses.items():
            k = skeleton.find(joint)
            turned = rotation(rest.rotation[k]) if each.rotation is None else euler(each.rotation)
            place = rest.translation[k] if each.translation is None else each.translation
            local[k] = local_matrix(place, turned, each.scale or rest.scale[k])
        pose = sampled(model, two_layers(poses, model), tau)
        np.testing.assert_allclose(local_matrices(pose), local, atol=2e-6 * unit)
        shown = skeleton.to_model(pose)
        expected = in_model(skeleton, local)
        np.testing.assert_allclose(shown[:, :3, 3], expected[:, :3, 3], atol=2e-6 * unit)


def test_without_a_mask_all_other_joints_are_at_rest(named):
    name, model = named
    document = two_layers({JOINTS[name][1]: JointPose((0.0, 90.0, 0.0))}, model, mask=None)
    pose, rest = sampled(model, document, 0.4), model.skeleton.rest
    joint = model.skeleton.find(JOINTS[name][1])
    others = [k for k in range(pose.count) if k != joint]
    np.testing.assert_allclose(pose.rotation[others], rest.rotation[others], atol=1e-6)
    np.testing.assert_allclose(rotation(pose.rotation[joint]), turn("y", 90.0), atol=1e-6)


def test_an_additive_from_a_pose(named):
    """In joint space the result is the matrix product T R^-1 S, for a uniform scale."""
    name, model = named
    turned = {joint: JointPose((20.0, 10.0 * k, -15.0)) for k, joint in enumerate(JOINTS[name])}
    clip = model.clips[-1].name
    document = MotionDoc(
        poses={"a": turned},
        additives={"added": Additive(clip, Reference(pose="a"))},
        layers=(
            LayerSettings("base", model.clips[0].name),
            LayerSettings("added", "added", mode="add"),
        ),
    )
    rest = model.skeleton.rest
    reference = local_matrices(rest)
    for joint, each in turned.items():
        k = model.skeleton.find(joint)
        reference[k] = local_matrix(rest.translation[k], euler(each.rotation), rest.scale[k])
    below, source = (local_matrices(model.clips[k].sample(0.2)) for k in (0, -1))
    expected = below @ np.linalg.inv(reference) @ source
    shown = local_matrices(sampled(model, document, 0.2))
    np.testing.assert_allclose(shown, expected, atol=1e-5 * max(height(model.skeleton), 1.0))


@pytest.mark.parametrize("tool", ["rotate", "move", "scale"])
def test_a_joint_is_set_by_its_model_transform(named, tool):
    name, model = named
    skeleton, unit = model.skeleton, height(model.skeleton)
    joint = skeleton.find(JOINTS[name][1])
    pose = model.clips[0].sample(0.25)
    before = in_model(skeleton, local_matrices(pose))
    wanted = before[joint].copy()
    if tool == "move":
        wanted[:3, 3] += [0.1 * unit, -0.05 * unit, 0.2 * unit]
    elif tool == "rotate":
        wanted[:3, :3] = euler((30.0, -50.0, 70.0)) @ wanted[:3, :3]
    else:
        wanted[:3, :3] *= [1.5, 0.8, 1.1]
    set_part(model, pose, joint, wanted, tool)
    after = in_model(skeleton, local_matrices(pose))
    np.testing.assert_allclose(after[joint], wanted, atol=2e-6 * unit)
    child = int(np.flatnonzero(skeleton.parents == joint)[0])
    follows = wanted @ np.linalg.inv(before[joint]) @ before[child]
    np.testing.assert_allclose(after[child], follows, atol=4e-6 * unit)


def test_the_end_of_a_limb_reaches_its_place_after_a_round_trip(named):
    name, model = named
    skeleton, unit = model.skeleton, height(model.skeleton)
    rng = np.random.default_rng(5)
    for end in map(skeleton.find, ENDS[name]):
        chain = limb(model, end)
        assert chain[2:] == [end]
        pose = model.clips[0].sample(0.3)
        before = in_model(skeleton, local_matrices(pose))
        upper, middle = before[chain[0], :3, 3], before[chain[1], :3, 3]
        bones = np.linalg.norm(middle - upper), np.linalg.norm(before[end, :3, 3] - middle)
        goal = upper + 0.85 * (before[end, :3, 3] - upper) + rng.normal(size=3) * 0.05 * sum(bones)
        reach(model, pose, chain, goal)
        document = MotionDoc(
            poses={"a": joint_poses(model, pose, chain)},
            layers=two_layers({}, model).layers,
        )
        written = parse_motion(write_motion(parse_motion("version = 1\n"), document)).document
        assert written == document
        after = in_model(skeleton, local_matrices(sampled(model, written, 0.3)))
        assert np.linalg.norm(after[end, :3, 3] - goal) < 1e-5 * unit
        for k, (a, b) in enumerate(pairwise(chain)):
            length = np.linalg.norm(after[b, :3, 3] - after[a, :3, 3])
            assert length == pytest.approx(bones[k], rel=1e-5)
        np.testing.assert_allclose(after[end, :3, :3], before[end, :3, :3], atol=1e-5)


def test_a_mirrored_pose_is_the_mirror_image(named):
    """Each joint differs from the reference pose as its image does, seen in a mirror."""
    name, model = named
    skeleton, unit = model.skeleton, height(model.skeleton)
    mirror = find_mirror(model)
    names = skeleton.names
    for left, right in zip(ENDS[name][::2], ENDS[name][1::2], strict=True):
        assert names[mirror.images[skeleton.find(left)]] == right
    pose = model.clips[0].sample(0.4)
    before = in_model(skeleton, local_matrices(pose))
    images = mirror_joints(model, pose, list(mirror.images))
    after = in_model(skeleton, local_matrices(pose))
    reflection = mirror.frames[-1]
    assert np.linalg.det(reflection) == pytest.approx(-1.0)
    np.testing.assert_allclose(np.abs(reflection[0, 0]), 1.0)  # the sides are along X
    poses = skeleton.rest, common_bind_pose(skeleton, model.skins)
    off = []
    for still in (in_model(skeleton, local_matrices(each)) for each in poses):
        change, other = (each @ np.linalg.inv(still) for each in (after, before))
        wanted = [reflection @ other[mirror.images[joint]] @ reflection for joint in images]
        off.append(np.abs((np.array(wanted) - change[images]) @ still[images]).max())
    assert min(off) < 3e-6 * unit
    places = [(reflection @ before[mirror.images[joint]])[:3, 3] for joint in images]
    symmetric = 3e-6 if name == "mannequin" else 0.02  # the others are not
    np.testing.assert_allclose(after[images, :3, 3], places, atol=symmetric * unit)
    again = pose.copy()
    mirror_joints(model, again, list(mirror.images))
    assert np.abs(in_model(skeleton, local_matrices(again)) - before)[images].max() < 1e-5 * unit


def test_the_mirror_image_of_the_rest_pose_is_the_rest_pose(mannequin):
    pose = mannequin.skeleton.rest.copy()
    joints = mirror_joints(mannequin, pose, range(pose.count))
    assert set(joint_poses(mannequin, pose, joints).values()) == {JointPose()}


def test_mirroring_a_pose_exchanges_its_sides(mannequin):
    made = {"LeftArm": JointPose((0.0, 40.0, 0.0)), "Sword": JointPose(scale=(2.0, 2.0, 2.0))}
    document = MotionDoc(poses={"a": made})
    mirrored = mirrored_pose(mannequin, document, "a")
    assert list(mirrored) == ["RightArm", "Sword"]
    assert mirrored["Sword"] == made["Sword"]  # the left hand has none
    back = mirrored_pose(mannequin, replace(document, poses={"a": mirrored}), "a")
    turned = euler(back["LeftArm"].rotation)
    np.testing.assert_allclose(turned, euler(made["LeftArm"].rotation), atol=1e-6)


def test_a_place_out_of_reach_stretches_the_limb(mannequin):
    skeleton, pose = mannequin.skeleton, mannequin.skeleton.rest.copy()
    chain = limb(mannequin, skeleton.find("LeftHand"))
    reach(mannequin, pose, chain, (5.0, 1.5, 0.0))
    upper, middle, end = skeleton.to_model(pose)[chain, :3, 3]
    bones = np.linalg.norm(middle - upper) + np.linalg.norm(end - middle)
    assert np.linalg.norm(end - upper) == pytest.approx(bones, rel=1e-5)


def test_the_knee_stays_on_its_side(mannequin):
    skeleton, pose = mannequin.skeleton, mannequin.clips["Walk"].sample(0.1)
    chain = limb(mannequin, skeleton.find("LeftFoot"))
    start, knee, foot = skeleton.to_model(pose)[chain, :3, 3].astype(np.float64)
    side = np.cross(foot - start, knee - start)
    reach(mannequin, pose, chain, start + 0.9 * (foot - start))
    start, knee, foot = skeleton.to_model(pose)[chain, :3, 3].astype(np.float64)
    bent = np.cross(foot - start, knee - start)
    assert side @ bent > 0.999 * np.linalg.norm(side) * np.linalg.norm(bent)


def test_only_hands_and_feet_are_ends_of_limbs(mannequin):
    names = mannequin.skeleton.names
    ends = [names[k] for k in range(len(names)) if limb(mannequin, k)]
    assert sorted(ends) == sorted(ENDS["mannequin"])


def test_nothing_is_set_below_a_scale_of_zero(mannequin):
    pose = mannequin.skeleton.rest.copy()
    pose.scale[mannequin.skeleton.find("LeftShoulder")] = 0.0
    before = pose.copy()
    set_part(mannequin, pose, mannequin.skeleton.find("LeftArm"), np.eye(4), "move")
    assert pose.equals(before)


def test_faded_and_nested_poses_are_touched(mannequin):
    turned = {"Head": JointPose((0.0, 50.0, 0.0))}
    nested = Nested((LayerSettings("in", StillPose("a")),))
    document = MotionDoc(
        poses={"a": turned, "b": {"Neck": JointPose((0.0, 20.0, 0.0))}},
        layers=(LayerSettings("base", "Walk"), LayerSettings("top", nested, "touched")),
        at=(At(0.1, Fade("top", StillPose("b"), 0.2)),),
    )
    walk = mannequin.clips["Walk"]
    early, late = sampled(mannequin, document, 0.0), sampled(mannequin, document, 0.6)
    head, neck, hips = map(mannequin.skeleton.find, ("Head", "Neck", "Hips"))
    np.testing.assert_allclose(rotation(early.rotation[head]), turn("y", 50.0), atol=1e-6)
    np.testing.assert_allclose(rotation(late.rotation[neck]), turn("y", 20.0), atol=1e-6)
    for pose, time in ((early, 0.0), (late, 0.6)):
        np.testing.assert_array_equal(pose.rotation[hips], walk.sample(time).rotation[hips])


def test_poses_of_a_batch(mannequin):
    document = two_layers({"Head": JointPose((0.0, 50.0, 0.0))}, mannequin)
    mixer = bind(mannequin, document, batch=(3,))
    poses = Pose.like(mannequin.skeleton.rest, (3,))
    mixer.seek(0.2)
    mixer.sample(poses)
    one = sampled(mannequin, document, 0.2)
    np.testing.assert_allclose(poses.data[1], one.data, atol=1e-6)


# in the file

TEXT = """\
version = 1
# a greeting
[poses.greeting]
LeftArm = { rotation = [0, 10, 20] }  # raised
Head = { translation = [0, 0.1, 0], scale = [1, 1, 2] }

[[layers]]
name = "Pose"
play = { pose = "greeting" }
mask = "touched"
"""


def test_edits_keep_the_rest_of_the_file():
    file = parse_motion(TEXT)
    greeting = file.document.poses["greeting"]
    assert greeting["Head"] == JointPose(translation=(0.0, 0.1, 0.0), scale=(1.0, 1.0, 2.0))
    document = edit.with_pose_by_hand(
        file.document, {"LeftArm": JointPose((5.0, 10.5, 20.0)), "Neck": JointPose()}, "Walk"
    )
    text = write_motion(file, document)
    changed = TEXT.replace("[0, 10, 20]", "[5, 10.5, 20]")
    assert text == changed.replace("2] }\n\n", "2] }\nNeck = {}\n\n")
    document = edit.with_pose(document, "other", {"Head": JointPose((1.0, 2.0, 3.0))})
    text = write_motion(file, document)
    assert "[poses.other]\nHead = { rotation = [1, 2, 3] }\n" in text


@pytest.mark.parametrize(
    ("added", "line", "message"),
    [
        ("[poses.rest]", 12, '"rest" is the model\'s own pose'),
        ("[poses.bind]", 12, '"bind" is the model\'s own pose'),
        ("poses.a.Head = { turn = [0, 0, 1] }", 12, "unknown key"),
        ("poses.a.Head = { rotation = [0, 1] }", 12, "must be three numbers"),
        ("poses.a.Head = { rotation = [0, 1, nan] }", 12, "must be a number"),
    ],
)
def test_errors_in_the_file_have_a_line(added, line, message):
    text = f"{TEXT.replace('version = 1', 'version = 1', 1)}\n{added}\n"
    if added.startswith("poses"):
        text, line = text.replace(f"\n{added}\n", "").replace("# a", f"{added}\n# a"), 2
    with pytest.raises(MotionError, match=message.replace("[", "\\[")) as caught:
        parse_motion(text, "a.toml")
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('pose = "greeting"', 'pose = "greting"', "layers[0].play.pose"),
        (
            'mask = "touched"',
            'at = [{ time = 1, fade = { layer = "Pose", to = { pose = "greting" } } }]',
            "",
        ),
    ],
)
def test_an_unknown_pose_is_an_error_with_the_nearest_name(old, new, place):
    text = TEXT.replace(old, new)
    if "at =" in new:
        text = text.replace(f"{new}\n", "").replace("version = 1\n", f"version = 1\n{new}\n")
    with pytest.raises(MotionError) as caught:
        parse_motion(text)
    assert 'no pose "greting"' in str(caught.value)
    assert 'did you mean "greeting"?' in str(caught.value)
    assert place in str(caught.value)


def test_an_unknown_joint_is_an_error_with_the_nearest_name(mannequin):
    file = parse_motion(TEXT.replace("LeftArm", "LeftArn"))
    with pytest.raises(MotionError) as caught:
        bind(mannequin, file.document)
    error = file.locate(caught.value)
    assert error.line == 4
    assert 'no joint "LeftArn"; did you mean "LeftArm"' in str(error)


def test_renaming_a_pose_renames_references():
    document = MotionDoc(
        poses={"a": {}, "b": {}},
        additives={"add": Additive("a", Reference(pose="a"))},
        layers=(
            LayerSettings("a", StillPose("a")),
            LayerSettings("n", Nested((LayerSettings("in", StillPose("a")),))),
            LayerSettings("clip", "a"),
        ),
        at=(At(1.0, Fade("a", StillPose("a"))),),
    )
    new = edit.renamed_entry(document, "poses", "a", "c")
    assert list(new.poses) == ["c", "b"]
    assert new.additives["add"] == Additive("a", Reference(pose="c"))
    assert [each.play for each in new.layers] == [
        StillPose("c"),
        Nested((LayerSettings("in", StillPose("c")),)),
        "a",
    ]
    assert new.at == (At(1.0, Fade("a", StillPose("c"))),)
    assert edit.renamed_entry(document, "poses", "z", "c") == document


def test_the_topmost_layer_with_a_named_pose_is_the_one_made_by_hand():
    document = MotionDoc(
        poses={"a": {}, "b": {}},
        layers=(
            LayerSettings("one", StillPose("a")),
            LayerSettings("two", StillPose("b"), mute=True),
            LayerSettings("three", StillPose("rest")),
        ),
    )
    assert edit.pose_by_hand(document) == "a"
    assert edit.pose_by_hand(MotionDoc()) == ""
    made = edit.with_pose_by_hand(MotionDoc(), {"Head": JointPose()}, "Walk")
    assert [each.name for each in made.layers] == ["base", "Pose"]
