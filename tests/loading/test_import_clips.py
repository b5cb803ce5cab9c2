from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.skeleton import Skeleton
from rigview.errors import AppError, MotionError
from rigview.loading.import_clips import NO_LEGS, import_clips
from rigview.loading.load import load
from rigview.model.lookup import find_clip
from rigview.model.pose_arrays import pose_arrays
from rigview.motion.document import RetargetSettings
from rigview.resources import asset_path
from tests.support.bvh_text import BVH
from tests.support.humanoids import joint_positions, sampled_pose
from tests.support.shared import MODELS, needs_shared

MANNEQUIN = asset_path("mannequin.glb")
CESIUM = {
    "Hips": "Skeleton_torso_joint_1",
    "Spine": "Skeleton_torso_joint_2",
    "Spine2": "torso_joint_3",
    "Neck": "Skeleton_neck_joint_1",
    "Head": "Skeleton_neck_joint_2",
    "LeftArm": "Skeleton_arm_joint_L__4_",
    "LeftForeArm": "Skeleton_arm_joint_L__3_",
    "LeftHand": "Skeleton_arm_joint_L__2_",
    "RightArm": "Skeleton_arm_joint_R",
    "RightForeArm": "Skeleton_arm_joint_R__2_",
    "RightHand": "Skeleton_arm_joint_R__3_",
    "LeftUpLeg": "leg_joint_L_1",
    "LeftLeg": "leg_joint_L_2",
    "LeftFoot": "leg_joint_L_3",
    "LeftToeBase": "leg_joint_L_5",
    "RightUpLeg": "leg_joint_R_1",
    "RightLeg": "leg_joint_R_2",
    "RightFoot": "leg_joint_R_3",
    "RightToeBase": "leg_joint_R_5",
}


@pytest.fixture(scope="module")
def mannequin():
    return load(MANNEQUIN)


@pytest.fixture
def walk(tmp_path):
    path = tmp_path / "Walk.bvh"
    path.write_text(BVH)
    return path


def scaled(model, size):
    """Return a character scaled by `size`, without clips."""
    old = model.skeleton
    rest = old.rest.copy()
    rest.translation[...] *= size
    skins = []
    for skin in model.skins:
        inverse = skin.inverse_bind.copy()
        inverse[:, :3, 3] *= size
        skins.append(replace(skin, inverse_bind=inverse))
    skeleton = Skeleton(old.names, old.parents, old.nodes, rest)
    meshes = []
    for mesh in model.meshes:
        parts = [
            replace(part, positions=part.positions * np.float32(size)) for part in mesh.primitives
        ]
        meshes.append(replace(mesh, primitives=tuple(parts)))
    return replace(model, skeleton=skeleton, skins=tuple(skins), meshes=tuple(meshes), clips=())


def test_clips_are_appended_and_found_by_file_name(mannequin, walk):
    model, (imported,) = import_clips(mannequin, [walk], force=True)
    assert model.clips[: len(mannequin.clips)] == mannequin.clips
    assert imported.clips == ("Walk #2",)
    assert model.clips[-1].name == "Walk #2"
    assert find_clip(model, "Walk").index == 1
    for text in ("Walk:Walk", "Walk #2"):
        assert find_clip(model, text).index == len(mannequin.clips)
    again, report = import_clips(mannequin, [walk, str(walk)], force=True)
    assert [imported.clips for imported in report] == [("Walk #2",), ("Walk #3",)]
    assert len(again.clips) == len(mannequin.clips) + 2


def test_report(mannequin, walk):
    _, (imported,) = import_clips(mannequin, [walk], force=True)
    assert not imported.verbatim
    assert ("pelvis", "Hips") in imported.matched
    assert ("thigh_l", "LeftUpLeg") in imported.matched
    assert set(imported.extra) == {"tail", "calf_l_End"}
    assert {"RightUpLeg", "Head", "Sword"} - set(imported.unmatched) == {
        "Sword"
    }  # not a joint of a skin
    assert len(imported.matched) + len(imported.unmatched) == 70
    assert imported.summary.startswith("1 animation, retargeted: 4 of 70 joints matched")
    assert any(line.startswith("extra: ") and "tail" in line for line in imported.details)


def test_motion_capture_in_centimetres(mannequin, walk):
    """The source hips are 95 cm above the lowest joint, those of the target 0.955 m."""
    model, (imported,) = import_clips(mannequin, [walk], force=True)
    assert imported.scale == pytest.approx(0.955 / 95, rel=0.01)
    positions = joint_positions(model, model.clips[-1], np.array([0.0, 1.0]))
    hips, knee, hip = (model.skeleton.find(n) for n in ("Hips", "LeftLeg", "LeftUpLeg"))
    moved = positions[1, hips] - positions[0, hips]
    np.testing.assert_allclose(moved, [0, 0, 0.5 * imported.scale * 100], atol=1e-4)
    thigh = positions[:, knee] - positions[:, hip]
    thigh /= np.linalg.norm(thigh, axis=1, keepdims=True)
    half, root = 0.5, np.sqrt(0.75)
    np.testing.assert_allclose(thigh, [[0, -root, half], [0, -root, -half]], atol=1e-3)


def test_equal_skeletons_copy_the_tracks(mannequin):
    model, (imported,) = import_clips(mannequin, [MANNEQUIN])
    assert imported.verbatim
    assert imported.unmatched == imported.extra == ()
    for source_clip, copy in zip(mannequin.clips, model.clips[len(mannequin.clips) :], strict=True):
        assert (copy.start, copy.end) == (source_clip.start, source_clip.end)
        assert len(copy.tracks) == len(source_clip.tracks)
        tracks = {(t.path, t.target, t.start): t for t in source_clip.tracks}
        for track in copy.tracks:
            np.testing.assert_array_equal(
                track.values, tracks[track.path, track.target, track.start].values
            )


@pytest.mark.parametrize("size", [0.01, 0.995, 3.0])
@pytest.mark.parametrize("legs", [False, True])
def test_scaled_character_is_retargeted_to_a_millimetre(mannequin, size, legs):
    small = scaled(mannequin, size)
    model, (imported,) = import_clips(small, [MANNEQUIN], None, RetargetSettings(leg_ik=legs))
    assert imported.verbatim == (size == 0.995)
    if imported.verbatim:
        return
    assert imported.scale == pytest.approx(size)
    for source_clip, clip in zip(mannequin.clips, model.clips, strict=True):
        times = np.linspace(0, source_clip.end, 23)
        difference = joint_positions(model, clip, times) / size - joint_positions(
            mannequin, source_clip, times
        )
        assert np.abs(difference).max() < 1e-3, source_clip.name


def test_morph_weights_are_matched_by_name(mannequin):
    clip = next(c for c in mannequin.clips if any(t.path == "values" for t in c.tracks))
    model, _ = import_clips(scaled(mannequin, 2.0), [MANNEQUIN])
    other = next(c for c in model.clips if c.name == clip.name)
    times = np.linspace(0, clip.end, 9)
    np.testing.assert_array_equal(
        sampled_pose(model, other, times).values, sampled_pose(mannequin, clip, times).values
    )


@pytest.mark.parametrize(
    ("names", "settings", "place", "words"),
    [
        ({"thigh_ll": "Hips"}, {}, "anims.names.thigh_ll", "thigh_l"),
        ({"thigh_l": "LeftUpLegg"}, {}, "anims.names.thigh_l", "LeftUpLeg"),
        ({}, {"hips": "Hipps"}, "retarget.hips", "Hips"),
        ({}, {"source_hips": "pelvs"}, "retarget.source_hips", "pelvis"),
        ({}, {"root": "Roooot"}, "retarget.root", "Root"),
        ({}, {"reference": "Wak@0"}, "retarget.reference", "Walk"),
        ({}, {"reference": "T"}, "retarget.reference", "CLIP@TIME"),
        ({}, {"source_reference": "Walk@nan"}, "retarget.source_reference", "seconds"),
    ],
)
def test_missing_names_raise(mannequin, walk, names, settings, place, words):
    with pytest.raises(MotionError) as caught:
        import_clips(mannequin, [walk], names, RetargetSettings(**settings), force=True)
    assert caught.value.place == place
    assert words in str(caught.value)


def test_settings_have_an_effect(mannequin, walk):
    def end(**settings):
        model, _ = import_clips(mannequin, [walk], None, RetargetSettings(**settings), force=True)
        return joint_positions(model, model.clips[-1], np.array([1.0]))

    plain = end()
    for settings in ({"stance": False}, {"reference": "Crouch@0"}, {"source_reference": "Walk@1"}):
        assert np.abs(end(**settings) - plain).max() > 0.01, settings
    for settings in ({"reference": "bind"}, {"hips": "Hips"}, {"source_hips": "pelvis"}):
        np.testing.assert_array_equal(end(**settings), plain)


def test_files_of_a_motion_file_must_lie_in_its_folder(mannequin, walk, tmp_path):
    inside = tmp_path / "inner"
    inside.mkdir()
    assert import_clips(mannequin, ["Walk.bvh"], folder=tmp_path, force=True)[1][0].clips
    with pytest.raises(MotionError, match="--root"):
        import_clips(mannequin, ["../Walk.bvh"], folder=inside)
    assert import_clips(mannequin, ["../Walk.bvh"], folder=inside, root=tmp_path, force=True)[1][
        0
    ].clips
    with pytest.raises(AppError, match="no such file"):
        import_clips(mannequin, ["none.bvh"], folder=inside)


def test_without_files_nothing_changes(mannequin):
    assert import_clips(mannequin, []) == (mannequin, ())


def bone_directions(model, clip, pairs, times):
    positions = joint_positions(model, clip, times)
    directions = np.stack([positions[:, b] - positions[:, a] for a, b in pairs], axis=1)
    return directions / np.linalg.norm(directions, axis=-1, keepdims=True)


def test_missing_legs_warn(mannequin, walk):
    """The source has a thigh and a calf, but no foot."""
    _, (imported,) = import_clips(
        mannequin, [walk], None, RetargetSettings(leg_ik=True), force=True
    )
    assert imported.warnings == (NO_LEGS,)
    _, (imported,) = import_clips(mannequin, [walk], force=True)
    assert imported.warnings == ()


@pytest.mark.parametrize("body", ["JOINT tail {\nOFFSET 0 0 -20\nCHANNELS 0\n}\n", ""])
def test_hips_without_legs_are_not_scaled(mannequin, tmp_path, body):
    """The hips have no height: a single joint, or hips at ground level."""
    path = tmp_path / "Prop.bvh"
    path.write_text(
        "HIERARCHY\nROOT pelvis\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n"
        f"{body}}}\nMOTION\nFrames: 2\nFrame Time: 1\n0 0 0\n0 0 2\n"
    )
    model, (imported,) = import_clips(mannequin, [path], force=True)
    assert imported.scale == 1
    hips = joint_positions(model, model.clips[-1], np.array([0.0, 1.0]))[
        :, model.skeleton.find("Hips")
    ]
    np.testing.assert_allclose(hips[1] - hips[0], [0, 0, 2], atol=1e-5)


@needs_shared
@pytest.mark.parametrize("name", ["Walking", "Running", "Idle"])
def test_woman_to_cesium_man_by_joint_names(name):
    """Arms and legs have the directions of the source at all times."""
    woman, man = load(MODELS / "Woman.gltf"), load(MODELS / "CesiumMan.glb")
    model, (imported,) = import_clips(man, [MODELS / "Woman.gltf"], CESIUM)
    assert imported.unmatched == ()
    clip = model.clips[find_clip(model, f"Woman:{name}").index]
    source_clip = woman.clips[find_clip(woman, name).index]
    chains = [(a, b) for side in ("Left", "Right") for a, b in
              (("UpLeg", "Leg"), ("Leg", "Foot"), ("Arm", "ForeArm"), ("ForeArm", "Hand"))
              for a, b in ((side + a, side + b),)]  # fmt: skip
    source_pairs = [tuple(map(woman.skeleton.find, pair)) for pair in chains]
    target_pairs = [tuple(man.skeleton.find(CESIUM[part]) for part in pair) for pair in chains]
    times = source_clip.key_times
    difference = bone_directions(model, clip, target_pairs, times) - bone_directions(
        woman, source_clip, source_pairs, times
    )
    assert np.abs(difference).max() < 2e-3


@needs_shared
@pytest.mark.parametrize("name", ["Walking", "Running", "Idle"])
def test_feet_of_a_character_with_other_proportions(mannequin, name):
    """Soles are within 1 cm of the ground where the source's are."""
    woman = load(MODELS / "Woman.gltf")
    legs = RetargetSettings(leg_ik=True)
    model, (imported,) = import_clips(mannequin, [MODELS / "Woman.gltf"], None, legs)
    clip = model.clips[find_clip(model, f"Woman:{name}").index]
    source_clip = woman.clips[find_clip(woman, name).index]
    times = np.linspace(0, source_clip.end, 61)
    for side in ("Left", "Right"):
        source_positions = joint_positions(woman, source_clip, times)[
            :, woman.skeleton.find(f"{side}Toe_End"), 1
        ]
        toe = model.skeleton.find(f"{side}ToeEnd")
        target_positions = (
            joint_positions(model, clip, times)[:, toe, 1] - 0.016
        )  # height in the rest pose
        planted = source_positions * imported.scale < 0.01
        assert planted.any()
        assert np.abs(target_positions[planted]).max() < 0.02
        assert np.abs((target_positions - source_positions * imported.scale)[planted]).max() < 0.01


@needs_shared
@pytest.mark.parametrize("name", ["Walking", "Running", "Sitting"])
def test_feet_do_not_penetrate_the_ground(name):
    """Feet longer than their joints: during push-off the tips of the toes are lowest."""
    legs = RetargetSettings(leg_ik=True)
    man = load(MODELS / "CesiumMan.glb")
    model, _ = import_clips(man, [MODELS / "Woman.gltf"], CESIUM, legs)
    clip = model.clips[find_clip(model, f"Woman:{name}").index]
    poses = sampled_pose(model, clip, np.linspace(0, clip.end, 41))
    arrays = pose_arrays(model, poses, np.zeros(41), vertices=True)
    (skin,) = (array for key, array in arrays.items() if key.startswith("vertices"))
    assert -0.002 < skin[..., 1].min() < 0.003  # without leg IK, 0.11 m below
