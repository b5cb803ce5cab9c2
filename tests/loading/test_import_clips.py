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
    """The same character at another size, without clips."""
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


def test_clips_come_after_the_own_and_answer_to_their_file(mannequin, walk):
    model, (told,) = import_clips(mannequin, [walk])
    assert model.clips[: len(mannequin.clips)] == mannequin.clips
    assert told.clips == ("Walk #2",)
    assert model.clips[-1].name == "Walk #2"
    assert find_clip(model, "Walk").index == 1
    for text in ("Walk:Walk", "Walk #2"):
        assert find_clip(model, text).index == len(mannequin.clips)
    again, report = import_clips(mannequin, [walk, str(walk)])
    assert [told.clips for told in report] == [("Walk #2",), ("Walk #3",)]
    assert len(again.clips) == len(mannequin.clips) + 2


def test_report(mannequin, walk):
    _, (told,) = import_clips(mannequin, [walk])
    assert not told.verbatim
    assert ("pelvis", "Hips") in told.matched
    assert ("thigh_l", "LeftUpLeg") in told.matched
    assert set(told.extra) == {"tail", "calf_l_End"}
    assert {"RightUpLeg", "Head", "Sword"} - set(told.unmatched) == {"Sword"}  # no joint of a skin
    assert len(told.matched) + len(told.unmatched) == 54
    assert told.summary.startswith("1 animation, retargeted: 4 of 54 joints matched")
    assert any(line.startswith("extra: ") and "tail" in line for line in told.details)


def test_motion_capture_in_centimetres(mannequin, walk):
    """Hips 95 cm over the lowest joint: 0.955 m of 0.95."""
    model, (told,) = import_clips(mannequin, [walk])
    assert told.scale == pytest.approx(0.955 / 95, rel=0.01)
    places = joint_positions(model, model.clips[-1], np.array([0.0, 1.0]))
    hips, knee, hip = (model.skeleton.find(n) for n in ("Hips", "LeftLeg", "LeftUpLeg"))
    np.testing.assert_allclose(places[1, hips] - places[0, hips], [0, 0, 0.5 * told.scale * 100],
                               atol=1e-4)  # fmt: skip
    thigh = places[:, knee] - places[:, hip]
    thigh /= np.linalg.norm(thigh, axis=1, keepdims=True)
    half, root = 0.5, np.sqrt(0.75)
    np.testing.assert_allclose(thigh, [[0, -root, half], [0, -root, -half]], atol=1e-3)


def test_equal_skeletons_copy_the_tracks(mannequin):
    model, (told,) = import_clips(mannequin, [MANNEQUIN])
    assert told.verbatim
    assert told.unmatched == told.extra == ()
    for own, copy in zip(mannequin.clips, model.clips[len(mannequin.clips) :], strict=True):
        assert (copy.start, copy.end) == (own.start, own.end)
        assert len(copy.tracks) == len(own.tracks)
        tracks = {(t.path, t.target, t.start): t for t in own.tracks}
        for track in copy.tracks:
            np.testing.assert_array_equal(
                track.values, tracks[track.path, track.target, track.start].values
            )


@pytest.mark.parametrize("size", [0.01, 0.995, 3.0])
@pytest.mark.parametrize("legs", [False, True])
def test_a_copy_of_another_size_to_a_millimetre(mannequin, size, legs):
    small = scaled(mannequin, size)
    model, (told,) = import_clips(small, [MANNEQUIN], None, RetargetSettings(leg_ik=legs))
    assert told.verbatim == (size == 0.995)
    if told.verbatim:
        return
    assert told.scale == pytest.approx(size)
    for own, clip in zip(mannequin.clips, model.clips, strict=True):
        times = np.linspace(0, own.end, 23)
        apart = joint_positions(model, clip, times) / size - joint_positions(mannequin, own, times)
        assert np.abs(apart).max() < 1e-3, own.name


def test_morph_weights_go_by_name(mannequin):
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
def test_names_that_are_not_there(mannequin, walk, names, settings, place, words):
    with pytest.raises(MotionError) as caught:
        import_clips(mannequin, [walk], names, RetargetSettings(**settings))
    assert caught.value.place == place
    assert words in str(caught.value)


def test_settings_do_something(mannequin, walk):
    def end(**settings):
        model, _ = import_clips(mannequin, [walk], None, RetargetSettings(**settings))
        return joint_positions(model, model.clips[-1], np.array([1.0]))

    plain = end()
    for settings in ({"stance": False}, {"reference": "Crouch@0"}, {"source_reference": "Walk@1"}):
        assert np.abs(end(**settings) - plain).max() > 0.01, settings
    for settings in ({"reference": "bind"}, {"hips": "Hips"}, {"source_hips": "pelvis"}):
        np.testing.assert_array_equal(end(**settings), plain)


def test_files_of_a_motion_file_stay_in_its_folder(mannequin, walk, tmp_path):
    inside = tmp_path / "inner"
    inside.mkdir()
    assert import_clips(mannequin, ["Walk.bvh"], folder=tmp_path)[1][0].clips
    with pytest.raises(MotionError, match="--root"):
        import_clips(mannequin, ["../Walk.bvh"], folder=inside)
    assert import_clips(mannequin, ["../Walk.bvh"], folder=inside, root=tmp_path)[1][0].clips
    with pytest.raises(AppError, match="no such file"):
        import_clips(mannequin, ["none.bvh"], folder=inside)


def test_without_files_nothing_changes(mannequin):
    assert import_clips(mannequin, []) == (mannequin, ())


def bones(model, clip, pairs, times):
    places = joint_positions(model, clip, times)
    ways = np.stack([places[:, b] - places[:, a] for a, b in pairs], axis=1)
    return ways / np.linalg.norm(ways, axis=-1, keepdims=True)


def test_legs_that_are_not_found_are_told(mannequin, walk):
    """The figure of the file has a thigh and a calf, and no foot."""
    _, (told,) = import_clips(mannequin, [walk], None, RetargetSettings(leg_ik=True))
    assert told.warnings == (NO_LEGS,)
    _, (told,) = import_clips(mannequin, [walk])
    assert told.warnings == ()


@pytest.mark.parametrize("body", ["JOINT tail {\nOFFSET 0 0 -20\nCHANNELS 0\n}\n", ""])
def test_hips_without_legs_keep_the_scale(mannequin, tmp_path, body):
    """No height to compare: of one joint, or of hips that lie on the ground."""
    path = tmp_path / "Prop.bvh"
    path.write_text(
        "HIERARCHY\nROOT pelvis\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n"
        f"{body}}}\nMOTION\nFrames: 2\nFrame Time: 1\n0 0 0\n0 0 2\n"
    )
    model, (told,) = import_clips(mannequin, [path])
    assert told.scale == 1
    hips = joint_positions(model, model.clips[-1], np.array([0.0, 1.0]))[
        :, model.skeleton.find("Hips")
    ]
    np.testing.assert_allclose(hips[1] - hips[0], [0, 0, 2], atol=1e-5)


@needs_shared
@pytest.mark.parametrize("name", ["Walking", "Running", "Idle"])
def test_woman_to_cesium_man_by_a_map(name):
    """Arms and legs point as the source's do, at every moment."""
    woman, man = load(MODELS / "Woman.gltf"), load(MODELS / "CesiumMan.glb")
    model, (told,) = import_clips(man, [MODELS / "Woman.gltf"], CESIUM)
    assert told.unmatched == ()
    clip = model.clips[find_clip(model, f"Woman:{name}").index]
    own = woman.clips[find_clip(woman, name).index]
    chains = [(a, b) for side in ("Left", "Right") for a, b in
              (("UpLeg", "Leg"), ("Leg", "Foot"), ("Arm", "ForeArm"), ("ForeArm", "Hand"))
              for a, b in ((side + a, side + b),)]  # fmt: skip
    theirs = [tuple(map(woman.skeleton.find, pair)) for pair in chains]
    ours = [tuple(man.skeleton.find(CESIUM[part]) for part in pair) for pair in chains]
    times = own.key_times
    apart = bones(model, clip, ours, times) - bones(woman, own, theirs, times)
    assert np.abs(apart).max() < 2e-3


@needs_shared
@pytest.mark.parametrize("name", ["Walking", "Running", "Idle"])
def test_feet_of_a_figure_of_other_proportions(mannequin, name):
    """Soles within 1 cm of the ground where the source's are (SPEC B9)."""
    woman = load(MODELS / "Woman.gltf")
    legs = RetargetSettings(leg_ik=True)
    model, (told,) = import_clips(mannequin, [MODELS / "Woman.gltf"], None, legs)
    clip = model.clips[find_clip(model, f"Woman:{name}").index]
    own = woman.clips[find_clip(woman, name).index]
    times = np.linspace(0, own.end, 61)
    for side in ("Left", "Right"):
        theirs = joint_positions(woman, own, times)[:, woman.skeleton.find(f"{side}Toe_End"), 1]
        toe = model.skeleton.find(f"{side}ToeEnd")
        ours = joint_positions(model, clip, times)[:, toe, 1] - 0.016  # as high it is at rest
        planted = theirs * told.scale < 0.01
        assert planted.any()
        assert np.abs(ours[planted]).max() < 0.02
        assert np.abs((ours - theirs * told.scale)[planted]).max() < 0.01


@needs_shared
@pytest.mark.parametrize("name", ["Walking", "Running", "Sitting"])
def test_no_part_of_a_foot_goes_through_the_ground(name):
    """Feet that are long for their joints: where toes push off their tips are the lowest."""
    legs = RetargetSettings(leg_ik=True)
    man = load(MODELS / "CesiumMan.glb")
    model, _ = import_clips(man, [MODELS / "Woman.gltf"], CESIUM, legs)
    clip = model.clips[find_clip(model, f"Woman:{name}").index]
    poses = sampled_pose(model, clip, np.linspace(0, clip.end, 41))
    arrays = pose_arrays(model, poses, np.zeros(41), vertices=True)
    (skin,) = (array for key, array in arrays.items() if key.startswith("vertices"))
    assert -0.002 < skin[..., 1].min() < 0.003  # before, 0.11 m below
