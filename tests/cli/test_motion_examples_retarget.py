"""Retargeting of the motion examples, by `rigview pose`: directions of bones, scaled copies, and
contact of the feet with the ground."""

import tomllib

import numpy as np
import pytest

from rigview.loading.load import load
from tests.support import mannequin_variants
from tests.support.blend_formulas import degrees_between
from tests.support.light_mannequin import light_mannequin
from tests.support.motion_examples import EXAMPLES, MANNEQUIN, run_pose, time_list
from tests.support.shared import MODELS, needs_shared

BONES = [
    (f"{side}{one}", f"{side}{two}")
    for side in ("Left", "Right")
    for one, two in (
        *(("UpLeg", "Leg"), ("Leg", "Foot"), ("Arm", "ForeArm")),
        ("ForeArm", "Hand"),
    )
]
FEET = ("LeftFoot", "RightFoot")


def names_of(arrays):
    return {name: k for k, name in enumerate(arrays["node_names"])}


def bones(arrays, called):
    """Directions [T, bones, 3] of the bones of arms and legs."""
    at = names_of(arrays)
    places = arrays["node_global"][..., :3, 3]
    one, two = ([at[called.get(pair[k], pair[k])] for pair in BONES] for k in (0, 1))
    return places[:, two] - places[:, one]


def soles(path, arrays, called):
    """Heights [T, 2] of the lowest vertices of the two feet."""
    model = load(path)
    above = dict(enumerate(model.skeleton.parents.tolist()))
    lowest = []
    for foot in FEET:
        foot = model.skeleton.names.index(called.get(foot, foot))
        below = {foot}
        for joint, parent in above.items():
            if parent in below:
                below.add(joint)
        heights = []
        for instance in model.instances:
            if instance.skin < 0:
                continue
            joints = np.isin(model.skins[instance.skin].joints, list(below))
            for k, part in enumerate(model.meshes[instance.mesh].primitives):
                share = (part.weights * joints[part.joints]).sum(axis=1)
                node = model.skeleton.nodes[instance.joint]
                heights.append(arrays[f"vertices_{node}_{k}"][:, share > 0.5, 1])
        lowest.append(np.concatenate(heights, axis=1).min(axis=1))
    return np.stack(lowest, axis=-1).astype(np.float64)


def joint_map(name):
    return tomllib.loads((EXAMPLES / f"{name}.motion.toml").read_text())["anims"]["names"]


def woman_on_man(name, clip, times):
    common = (f"--time={time_list(times)}", "--vertices")
    theirs = run_pose(MODELS / "Woman.gltf", "--animation", clip, *common)
    file = EXAMPLES / f"{name}.motion.toml"
    root = ("--root", MODELS.parents[1])
    return theirs, run_pose(MODELS / "CesiumMan.glb", "--motion", file, *root, *common)


@needs_shared
def test_bones_have_the_directions_of_the_source():
    theirs, ours = woman_on_man("retarget", "Walking", np.arange(13) / 12 * 1.2)
    called = joint_map("retarget")
    assert degrees_between(bones(ours, called), bones(theirs, {})).max() < 0.2
    at = names_of(ours)
    hips = ours["node_global"][:, at[called["Hips"]], 1, 3]
    assert 0.6 < hips.min() < hips.max() < 0.75  # metres; 0.68 at rest


@needs_shared
def test_leg_ik_keeps_the_contact_with_the_ground():
    times = np.arange(29) / 28 * 0.7
    theirs, ours = woman_on_man("retarget-leg-ik", "Running", times)
    called = joint_map("retarget-leg-ik")
    above = soles(MODELS / "Woman.gltf", theirs, {}) / 2.767 * 0.679
    own = soles(MODELS / "CesiumMan.glb", ours, called)
    stands = above < 0.005
    assert stands.any(axis=0).all()
    assert np.abs(own[stands]).max() < 0.01
    arms = [k for k, pair in enumerate(BONES) if "Arm" in pair[0]]
    apart = degrees_between(bones(ours, called)[:, arms], bones(theirs, {})[:, arms])
    assert apart.max() < 0.2


def retargeted(tmp_path, path, clip, legs, times, *options):
    """The poses of a clip of the mannequin, retargeted to a variant of it; alone it takes less."""
    source = tmp_path / "mannequin.glb"
    source.write_bytes(light_mannequin(frozenset({clip})))
    text = (
        (EXAMPLES / "retarget-proportions.motion.toml")
        .read_text()
        .replace("mannequin:Walk", f"mannequin:{clip}")
    )
    file = tmp_path / "m.motion.toml"
    file.write_text(text if legs else text.replace("leg_ik = true", "leg_ik = false"))
    given = ("--motion", file, "--anims", source, f"--time={time_list(times)}")
    return run_pose(path, *given, *options)


@pytest.mark.parametrize(("size", "legs"), [(0.5, False), (2.0, True)])
@pytest.mark.parametrize("clip", ["Run", "StandToCrouch"])
def test_scaled_copy_moves_the_same_to_a_millimetre(tmp_path, size, legs, clip):
    path = mannequin_variants.write_scaled(tmp_path / "copy.glb", size)
    times = np.arange(8) / 8 * 0.7
    own = run_pose(MANNEQUIN, "--no-motion", "--animation", clip, f"--time={time_list(times)}")
    copy = retargeted(tmp_path, path, clip, legs, times)
    apart = copy["node_global"][..., :3, 3] / size - own["node_global"][..., :3, 3]
    assert np.linalg.norm(apart, axis=-1).max() < 1e-3


@pytest.mark.parametrize(("clip", "length"), [("Walk", 1.0), ("Run", 0.7), ("Crouch", 4.0)])
def test_other_proportions_keep_the_contact_with_the_ground(tmp_path, clip, length):
    """The soles are within a centimetre of the ground when those of the source touch it."""
    path = mannequin_variants.write_other_proportions(tmp_path / "proportions.glb")
    times = np.arange(16) / 16 * length
    common = ("--animation", clip, f"--time={time_list(times)}", "--vertices")
    own = run_pose(MANNEQUIN, "--no-motion", *common)
    lanky = retargeted(tmp_path, path, clip, True, times, "--vertices")
    stands = soles(MANNEQUIN, own, {}) < 0.005
    assert stands.any(axis=0).all()
    assert np.abs(soles(path, lanky, {})[stands]).max() < 0.01
    arms = [k for k, pair in enumerate(BONES) if "Arm" in pair[0]]
    assert degrees_between(bones(lanky, {})[:, arms], bones(own, {})[:, arms]).max() < 0.2
