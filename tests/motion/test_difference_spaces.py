"""Aim in every direction: spaces of differences, and additives of spaces, against float64."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from rigview.animation.pose import Pose
from rigview.blending.blend_space import BlendSpace1D, BlendSpace2D
from rigview.errors import MotionError
from rigview.loading.load import load
from tests.support import blend_formulas
from tests.support.blend_formulas import Q
from tests.support.five_joint_model import (
    SPINE,
    bind_motion,
    five_joint_model,
    is_same_rotation,
    pose_at,
    rotation_about,
    turn_clip,
)
from tests.support.shared import MODELS, needs_shared

CHARACTERS = ("Fox.glb", "CesiumMan.glb", "robot.glb")
AIMS = """
[parameters]
yaw = {{ default = {yaw}, range = [-90, 90] }}
pitch = {{ default = {pitch}, range = [-90, 90] }}
"""


def local(pose):
    """The joints of a pose as [J, 10] float64: translation, rotation, scale."""
    parts = (pose.translation, pose.rotation, pose.scale)
    return np.concatenate([np.asarray(part, np.float64) for part in parts], axis=-1)


def sampled(model, clip, time):
    pose = Pose.like(model.skeleton.rest)
    pose.assign(model.skeleton.rest)
    model.clips[clip].sample(time, pose)
    return local(pose)


def difference(source, reference):
    """The difference of [J, 10] in joint space, as D8 says."""
    out = source.copy()
    back = Rotation.from_quat(reference[Q]).inv()
    out[Q] = (back * Rotation.from_quat(source[Q])).as_quat()
    out[:, :3] = back.apply(source[:, :3] - reference[:, :3]) / reference[:, 7:]
    out[:, 7:] = source[:, 7:] / reference[:, 7:]
    return out


def added(target, d, weight):
    """T = lerp(T, T + D, weight)."""
    turned = Rotation.from_quat(target[Q])
    whole = target.copy()
    whole[Q] = (turned * Rotation.from_quat(d[Q])).as_quat()
    whole[:, :3] = target[:, :3] + turned.apply(target[:, 7:] * d[:, :3])
    whole[:, 7:] = target[:, 7:] * d[:, 7:]
    return blend_formulas.lerp(target, whole, weight)


@needs_shared
@pytest.mark.parametrize("name", CHARACTERS)
@pytest.mark.parametrize("weight", [1.0, 0.6])
def test_space_of_additives_of_a_character(name, weight):
    """Four differences of one clip from its start, blended on a plane, put on another time."""
    model = load(MODELS / name)
    clip, end = 0, model.clips[0].end
    times = [0.15 * end, 0.4 * end, 0.6 * end, 0.85 * end]
    places = [(-60.0, 0.0), (60.0, 0.0), (0.0, -45.0), (0.0, 45.0)]
    yaw, pitch = 20.0, 11.0
    text = AIMS.format(yaw=yaw, pitch=pitch)
    model = model.with_clips(
        [model.clips[0].renamed("base")]
        + [model.clips[0].cut(time, end).renamed(f"aim {k}") for k, time in enumerate(times)]
    )
    for k in range(4):
        text += f'[clips."aim {k}"]\nloop = "once"\n'
        text += f'[additives."add {k}"]\nsource = "aim {k}"\nreference = {{ pose = "rest" }}\n'
    points = ", ".join(
        f'{{ clip = "add {k}", at = [{x}, {y}] }}' for k, (x, y) in enumerate(places)
    )
    text += f'[spaces.aim]\nkind = "points"\nx = "yaw"\ny = "pitch"\nclips = [{points}]\n'
    text += '[[layers]]\nname = "base"\nplay = "base"\n'
    text += f'[[layers]]\nname = "aim"\nplay = "aim"\nmode = "add"\nweight = {weight}\n'
    found = local(pose_at(bind_motion(model, text), model, 0.1))

    rest = local(model.skeleton.rest)
    poses = [sampled(model, k + 1, model.clips[k + 1].start + 0.1) for k in range(4)]
    weights = BlendSpace2D(np.array(places)).weights(np.float64(yaw), np.float64(pitch))
    d = blend_formulas.mean([difference(pose, rest) for pose in poses], weights)
    expected = added(sampled(model, clip, 0.1), d, weight)
    scale = max(1.0, float(np.abs(rest[:, :3]).max()))
    blend_formulas.assert_close(found / ([scale] * 3 + [1] * 7), expected / ([scale] * 3 + [1] * 7))


TURNS = five_joint_model(
    turn_clip("Walk", 1.0, 0, joint=1),
    turn_clip("Left", 1.0, 60, axis="y"),
    turn_clip("Right", 1.0, -60, axis="y"),
    turn_clip("Up", 1.0, 40, axis="x"),
)
LINE = """
[parameters]
yaw = { default = 0, range = [-90, 90] }
[spaces.turn]
kind = "line"
x = "yaw"
clips = [{ clip = "Left", at = 90 }, { clip = "Right", at = -90 }]
[additives.aim]
source = "turn"
reference = { pose = "rest" }
[[layers]]
name = "base"
play = "Walk"
[[layers]]
name = "aim"
play = "aim"
"""


@pytest.mark.parametrize(("yaw", "degrees"), [(90, 54), (-90, -54), (0, 0)])
def test_additive_of_a_space(yaw, degrees):
    text = LINE.replace("default = 0", f"default = {yaw}")
    pose = pose_at(bind_motion(TURNS, text), TURNS, 0.9)
    assert is_same_rotation(pose.rotation[SPINE], rotation_about("y", degrees))


def test_additive_of_a_space_between_its_clips():
    text = LINE.replace("default = 0", "default = 30")
    pose = pose_at(bind_motion(TURNS, text), TURNS, 0.9)
    left, right = BlendSpace1D(np.array([90.0, -90.0])).weights(np.float64(30.0))
    turned = [rotation_about("y", 54), rotation_about("y", -54)]
    mean = blend_formulas.unit(left * turned[0] + right * turned[1])
    assert is_same_rotation(pose.rotation[SPINE], mean)


def test_weight_above_one_exaggerates_a_space_of_differences():
    text = LINE.replace("default = 0", "default = 90") + "weight = 1.5\n"
    pose = pose_at(bind_motion(TURNS, text), TURNS, 0.9)
    assert is_same_rotation(pose.rotation[SPINE], rotation_about("y", 1.5 * 54))


def test_limits_act_on_an_additive_of_a_space():
    text = LINE.replace("default = 0", "default = 90")
    text = text.replace('{ pose = "rest" }', '{ pose = "rest" }\nlimits = { Spine = 20 }')
    mixer = bind_motion(TURNS, text)
    pose = pose_at(mixer, TURNS, 0.9)
    assert is_same_rotation(pose.rotation[SPINE], rotation_about("y", 20))
    assert [name for name, _ in mixer.reports()] == ["aim"]


def test_reference_at_the_phase_of_each_clip_of_a_synchronised_space():
    """The clip minus itself adds nothing at any time."""
    text = LINE.replace('clips = [{ clip = "Left"', 'sync = true\nclips = [{ clip = "Up"')
    text = text.replace('{ clip = "Right", at = -90 }', '{ clip = "Up", at = -90 }')
    text = text.replace('{ pose = "rest" }', '{ clip = "Up" }')
    mixer = bind_motion(TURNS, text)
    for tau in (0.2, 0.7, 1.6):
        assert is_same_rotation(pose_at(mixer, TURNS, tau).rotation[SPINE], (0, 0, 0, 1))


CONTROLS = """
[parameters]
alert = { default = 0.25, range = [0, 1] }
tempo = { default = 2, range = [0, 4] }
scrub = { default = 0.5 }
[[layers]]
name = "base"
play = "Left"
"""


def angle(pose):
    return float(np.degrees(2 * np.arctan2(pose.rotation[SPINE][1], pose.rotation[SPINE][3])))


def test_weight_is_a_parameter():
    mixer = bind_motion(TURNS, CONTROLS + 'weight = "alert"\nrotation = "slerp"\n')
    assert angle(pose_at(mixer, TURNS, 0.8)) == pytest.approx(0.25 * 48, abs=1e-3)
    mixer.set("alert", 0.75, 0.0, 0.0)
    assert angle(pose_at(mixer, TURNS, 0.8)) == pytest.approx(0.75 * 48, abs=1e-3)


def test_speed_is_a_parameter_whose_ramp_is_integrated_exactly():
    ramp = '[[at]]\ntime = 0.1\nset = { name = "tempo", value = 0, seconds = 0.3 }\n'
    mixer = bind_motion(TURNS, CONTROLS + 'speed = "tempo"\n' + ramp)
    for tau in (0.05, 0.1, 0.23, 0.4, 0.9):
        run = min(max(tau - 0.1, 0.0), 0.3)
        clip_time = 2 * min(tau, 0.1) + 2 * run - (2 / 0.3) * run * run / 2
        assert angle(pose_at(mixer, TURNS, tau)) == pytest.approx(60 * clip_time, abs=1e-3)
    assert angle(pose_at(mixer, TURNS, 0.05)) == pytest.approx(6, abs=1e-3)


def test_event_fires_at_its_time_during_a_ramp_of_the_speed():
    """2 t to 0.1 s, then 0.2 + 2 r - r² / 0.3: 0.35 s of the clip is at r = 0.08787."""
    text = CONTROLS + 'speed = "tempo"\n[clips.Left]\nevents = [{ name = "step", time = 0.35 }]\n'
    text += '[[at]]\ntime = 0.1\nset = { name = "tempo", value = 0, seconds = 0.3 }\n'
    (fired,) = bind_motion(TURNS, text).events(0.0, 0.5)
    assert fired.tau == pytest.approx(0.1 + 0.08787, abs=2e-4)


def test_common_loop_is_that_of_the_speed_parameter():
    mixer = bind_motion(TURNS, CONTROLS + 'speed = "tempo"\n')
    assert mixer.common_loop == pytest.approx(0.5)
    mixer.set("tempo", 4.0, 0.0, 0.0)
    assert mixer.common_loop == pytest.approx(0.25)


def test_time_is_a_parameter_within_the_clip():
    mixer = bind_motion(TURNS, CONTROLS + 'time = "scrub"\n')
    for value, degrees in ((0.5, 30), (0.9, 54), (3.0, 60), (-1.0, 0)):
        mixer.set("scrub", value, 0.0, 0.0)
        assert angle(pose_at(mixer, TURNS, 0.2)) == pytest.approx(degrees, abs=1e-3)


WRONG = {
    'speed = "tempo"\n[[at]]\ntime = 1\nspeed = { layer = "base", value = 2 }': (
        "at[0].speed.layer",
        'the speed of layer "base" is the parameter "tempo"',
    ),
    'time = "scrub"\n[[at]]\ntime = 1\nseek = { layer = "base", time = 2 }': (
        "at[0].seek.layer",
        'the time of layer "base" is the parameter "scrub"',
    ),
    'weight = "alert"\n[[at]]\ntime = 1\nset = { name = "base.weight", value = 1 }': (
        "at[0].set.name",
        '"base.weight" is the parameter "alert": set that',
    ),
    'weight = "alrt"': ("layers[0].weight", 'no parameter "alrt"'),
    'time = "scrub"\nphase = 0.5': ("layers[0].time", "has both a phase and a time that is set"),
}


@pytest.mark.parametrize("lines", WRONG)
def test_wrong_parameter_of_a_layer(lines):
    place, message = WRONG[lines]
    with pytest.raises(MotionError) as caught:
        bind_motion(TURNS, CONTROLS + lines + "\n")
    assert f"{place}: {message}" in str(caught.value)


MIXED = {
    'clips = [{ clip = "one", at = 0 }, { clip = "Up", at = 1 }]': "clips or additives, not both",
    'clips = [{ clip = "one", at = 0 }, { clip = "turned", at = 1 }]': "is in model space",
    'clips = [{ clip = "one", at = 0 }, { clip = "held", at = 1 }]': "has limits",
    'clips = [{ clip = "one", at = 0 }, { clip = "whole", at = 1 }]': "the additive of a space",
}


@pytest.mark.parametrize("clips", MIXED)
def test_additives_that_cannot_be_blended(clips):
    text = (
        '[additives.one]\nsource = "Left"\n'
        '[additives.turned]\nsource = "Left"\nspace = "model"\n'
        '[additives.held]\nsource = "Left"\nlimits = { Spine = 10 }\n'
        '[additives.whole]\nsource = "plain"\n'
        '[spaces.plain]\nkind = "line"\nx = 0\nclips = [{ clip = "Left", at = 0 }, '
        '{ clip = "Up", at = 1 }]\n'
        f'[spaces.mixed]\nkind = "line"\nx = 0\n{clips}\n'
    )
    with pytest.raises(MotionError, match=MIXED[clips]):
        bind_motion(TURNS, text)
