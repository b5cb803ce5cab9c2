"""Clips of one character on another (SPEC B9), through `rigview pose`: bones point as the source's
do, a copy of another size moves the same to a millimetre, feet stand where the source's do."""

import tomllib

import numpy as np
import pytest

from rigview.gltf.load import load
from tests.support.motion_examples import MANNEQUIN, ROWS, listed, run
from tests.support.motion_numbers import angle
from tests.support.shared import MODELS, needs_shared
from tests.tools import make_motion_examples

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
    """Directions [T, bones, 3] of arms and legs."""
    at = names_of(arrays)
    places = arrays["node_global"][..., :3, 3]
    one, two = ([at[called.get(pair[k], pair[k])] for pair in BONES] for k in (0, 1))
    return places[:, two] - places[:, one]


def soles(path, arrays, called):
    """Height [T, 2] of the lowest vertex that moves with either foot."""
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


def map_of(name):
    return tomllib.loads((ROWS / f"{name}.motion.toml").read_text())["anims"]["names"]


def woman_on_man(name, clip, times):
    common = (f"--time={listed(times)}", "--vertices")
    theirs = run(MODELS / "Woman.gltf", "--animation", clip, *common)
    file = ROWS / f"{name}.motion.toml"
    root = ("--root", MODELS.parents[1])
    return theirs, run(MODELS / "CesiumMan.glb", "--motion", file, *root, *common)


@needs_shared
def test_b9_bones_point_as_the_sources_do():
    theirs, ours = woman_on_man("B9", "Walking", np.arange(13) / 12 * 1.2)
    called = map_of("B9")
    assert angle(bones(ours, called), bones(theirs, {})).max() < 0.2
    at = names_of(ours)
    hips = ours["node_global"][:, at[called["Hips"]], 1, 3]
    assert 0.6 < hips.min() < hips.max() < 0.75  # of 0.68 m: to its scale


@needs_shared
def test_b9_legs_stand_where_the_source_stands():
    times = np.arange(29) / 28 * 0.7
    theirs, ours = woman_on_man("B9-legs", "Running", times)
    called = map_of("B9-legs")
    above = soles(MODELS / "Woman.gltf", theirs, {}) / 2.767 * 0.679
    own = soles(MODELS / "CesiumMan.glb", ours, called)
    stands = above < 0.005
    assert stands.any(axis=0).all()
    assert np.abs(own[stands]).max() < 0.01
    arms = [k for k, pair in enumerate(BONES) if "Arm" in pair[0]]
    apart = angle(bones(ours, called)[:, arms], bones(theirs, {})[:, arms])
    assert apart.max() < 0.2


def carried(tmp_path, path, clip, legs, times, *options):
    """A clip of the mannequin on a relative of it, by the motion file of that row."""
    text = (
        (ROWS / "B9-lanky.motion.toml").read_text().replace("mannequin:Walk", f"mannequin:{clip}")
    )
    file = tmp_path / "m.motion.toml"
    file.write_text(text if legs else text.replace("leg_ik = true", "leg_ik = false"))
    given = ("--motion", file, "--anims", MANNEQUIN, f"--time={listed(times)}")
    return run(path, *given, *options)


@pytest.mark.parametrize(("size", "legs"), [(0.5, False), (2.0, True)])
@pytest.mark.parametrize("clip", ["Run", "StandToCrouch"])
def test_b9_a_copy_of_another_size_to_a_millimetre(tmp_path, size, legs, clip):
    path = make_motion_examples.write_size(tmp_path / "copy.glb", size)
    times = np.arange(8) / 8 * 0.7
    own = run(MANNEQUIN, "--no-motion", "--animation", clip, f"--time={listed(times)}")
    copy = carried(tmp_path, path, clip, legs, times)
    apart = copy["node_global"][..., :3, 3] / size - own["node_global"][..., :3, 3]
    assert np.linalg.norm(apart, axis=-1).max() < 1e-3


@pytest.mark.parametrize(("clip", "length"), [("Walk", 1.0), ("Run", 0.7), ("Crouch", 4.0)])
def test_b9_other_proportions_stand_on_the_ground(tmp_path, clip, length):
    """Longer thighs and shins, shorter arms and back: soles within a centimetre of the ground."""
    path = make_motion_examples.write_lanky(tmp_path / "lanky.glb")
    times = np.arange(16) / 16 * length
    common = ("--animation", clip, f"--time={listed(times)}", "--vertices")
    own = run(MANNEQUIN, "--no-motion", *common)
    lanky = carried(tmp_path, path, clip, True, times, "--vertices")
    stands = soles(MANNEQUIN, own, {}) < 0.005
    assert stands.any(axis=0).all()
    assert np.abs(soles(path, lanky, {})[stands]).max() < 0.01
    arms = [k for k, pair in enumerate(BONES) if "Arm" in pair[0]]
    assert angle(bones(lanky, {})[:, arms], bones(own, {})[:, arms]).max() < 0.2
