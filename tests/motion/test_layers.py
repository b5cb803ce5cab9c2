"""Layers, spaces, masks and additives of a motion file, compared with exact numbers."""

import numpy as np
import pytest

from rigview.animation.clip import Clip
from tests.support.five_joint_model import (
    SPINE,
    bind_motion,
    current_pose,
    five_joint_model,
    is_same_rotation,
    pose_at,
    rotation_about,
    slide_clip,
    track_of,
    turn_clip,
    with_value,
)


def two():
    return five_joint_model(
        turn_clip("A", 1.0, 90), turn_clip("B", 1.0, -90), slide_clip("Go", 2.0, 2.0)
    )


def layers(*blocks):
    return "\n".join("[[layers]]\n" + block for block in blocks)


BASE = 'name = "base"\nplay = "A"\n'
OVER = 'name = "over"\nplay = "B"\n'


@pytest.mark.parametrize("tau", [0.0, 0.3, 0.77, 1.0, 2.4])
def test_a_layer_of_full_weight_is_its_clip_bit_for_bit(tau):
    model = two()
    alone = model.skeleton.rest.copy()
    model.clips[1].sample(tau % 1.0, alone)
    assert pose_at(bind_motion(model, layers(BASE, OVER)), model, tau).equals(alone)
    assert pose_at(bind_motion(model, layers(OVER, BASE + "weight = 0\n")), model, tau).equals(
        alone
    )
    assert pose_at(bind_motion(model, layers(OVER, BASE + "mute = true\n")), model, tau).equals(
        alone
    )
    solo = layers(BASE, OVER + "solo = true\n", 'name = "go"\nplay = "Go"\n')
    assert pose_at(bind_motion(model, solo), model, tau).equals(alone)


def test_a_layer_of_half_weight_is_halfway():
    model = two()
    pose = pose_at(bind_motion(model, layers(BASE, OVER + "weight = 0.25\n")), model, 0.5)
    assert is_same_rotation(pose.rotation[SPINE], rotation_about("z", 45 * 0.75 - 45 * 0.25), 1e-3)


def test_partial_base_weight_blends_with_rest():
    model = two()
    pose = pose_at(bind_motion(model, layers(BASE + "weight = 0.5\n")), model, 0.5)
    assert is_same_rotation(pose.rotation[SPINE], rotation_about("z", 22.5))


def test_touched_mask_keeps_unanimated_joints():
    model = two()
    go = 'name = "go"\nplay = "Go"\n'
    assert is_same_rotation(
        pose_at(bind_motion(model, layers(BASE, go)), model, 0.5).rotation[SPINE],
        rotation_about("z", 0),
    )
    kept = pose_at(bind_motion(model, layers(BASE, go + 'mask = "touched"\n')), model, 0.5)
    assert is_same_rotation(kept.rotation[SPINE], rotation_about("z", 45))
    assert kept.translation[1, 0] == pytest.approx(0.5)


def test_mask_weight_is_inherited():
    model = five_joint_model(
        Clip.of(
            "All", [track_of(j, "rotation", [0], [rotation_about("x", 40)]) for j in range(1, 5)]
        )
    )
    text = "[masks.up]\njoints = { Spine = 0.5, Arm = 1.0 }\n" + layers(
        'name = "a"\nplay = "All"\nmask = "up"\n'
    )
    turns = pose_at(bind_motion(model, text), model, 0.0).rotation
    for joint, degrees in enumerate((0, 0, 20, 40, 20)):
        assert is_same_rotation(turns[joint], rotation_about("x", degrees)), joint


def test_layers_start_at_a_phase_and_run_at_a_speed():
    model = five_joint_model(slide_clip("Go", 2.0, 2.0))
    text = layers('name = "a"\nplay = "Go"\nspeed = 0.5\nphase = 0.25\n')
    assert pose_at(bind_motion(model, text), model, 1.0).translation[1, 0] == pytest.approx(1.0)


def test_still_poses_and_nested_layers():
    model = two()
    still = layers('name = "a"\nplay = { clip = "A", time = 0.25 }\n')
    assert is_same_rotation(
        pose_at(bind_motion(model, still), model, 7.0).rotation[SPINE], rotation_about("z", 22.5)
    )
    rest = layers(BASE, 'name = "r"\nplay = { pose = "rest" }\n')
    assert pose_at(bind_motion(model, rest), model, 0.3).equals(model.skeleton.rest)
    nested = layers(
        'name = "a"\nplay = { layers = [{ name = "in", play = "A" }, '
        '{ name = "in2", play = "B", weight = 0.5 }] }\n'
    )
    flat = layers(BASE, OVER + "weight = 0.5\n")
    assert pose_at(bind_motion(model, nested), model, 0.4).equals(
        pose_at(bind_motion(model, flat), model, 0.4)
    )


def test_range_limits_playback():
    model = five_joint_model(slide_clip("Go", 2.0, 2.0))
    text = "[clips.Go]\nrange = [0.5, 1.0]\n" + layers('name = "a"\nplay = "Go"\n')
    for tau, x in ((0.0, 0.5), (0.4, 0.9), (0.6, 0.6)):
        assert pose_at(bind_motion(model, text), model, tau).translation[1, 0] == pytest.approx(x)


LINE = """
[parameters]
speed = {{ default = {0}, range = [-10, 10] }}
[spaces.go]
kind = "line"
x = "speed"
clips = [{{ clip = "Slow", at = 0 }}, {{ clip = "Fast", at = 2 }}]
sync = {1}
[[layers]]
name = "base"
play = "go"
"""


@pytest.mark.parametrize(("speed", "share"), [(-3, 0), (0, 0), (0.5, 0.25), (2, 1), (9, 1)])
def test_synchronised_line_has_one_phase(speed, share):
    model = five_joint_model(slide_clip("Slow", 2.0, 1.0), slide_clip("Fast", 1.0, 3.0))
    tau = 0.4
    phase = tau / (2.0 * (1 - share) + 1.0 * share)
    pose = pose_at(bind_motion(model, LINE.format(speed, "true")), model, tau)
    expected = phase * (1 - share) * 1.0 + phase * share * 3.0
    assert pose.translation[1, 0] == pytest.approx(expected, abs=2e-6)


def test_without_sync_each_clip_has_its_own_clock():
    model = five_joint_model(slide_clip("Slow", 2.0, 1.0), slide_clip("Fast", 1.0, 3.0))
    pose = pose_at(bind_motion(model, LINE.format(1.0, "false")), model, 0.4)
    assert pose.translation[1, 0] == pytest.approx((0.2 + 1.2) / 2, abs=2e-6)


def test_clip_is_driven_by_a_parameter():
    model = five_joint_model(
        Clip.of(
            "Aim", [track_of(1, "translation", [0, 0.2, 1.0], [[-1, 0, 0], [0, 0, 0], [1, 0, 0]])]
        )
    )
    text = """
    [parameters]
    yaw = {{ default = {0}, range = [-90, 90] }}
    [clips.Aim]
    drive = {{ by = "yaw", from = [-60, 60], to = [1, 3], unit = "key" }}
    [[layers]]
    name = "aim"
    play = "Aim"
    """
    for yaw, x in ((-90, -1), (-60, -1), (0, 0), (30, 0.5), (60, 1), (80, 1)):
        pose = pose_at(bind_motion(model, text.format(yaw)), model, 5.0)
        assert pose.translation[1, 0] == pytest.approx(x, abs=2e-6)


ADD = """
[additives.Diff]
source = "B"
reference = {{ clip = "A", time = 0.0 }}
space = "{1}"
[[layers]]
name = "base"
play = "{2}"
[[layers]]
name = "add"
play = "Diff"
weight = {0}
"""


@pytest.mark.parametrize("space", ["joint", "parent", "model"])
def test_additive_weight_zero_and_one(space):
    model = two()
    target = pose_at(bind_motion(model, layers(BASE)), model, 0.3)
    assert pose_at(bind_motion(model, ADD.format(0, space, "A")), model, 0.3).equals(target)
    text = ADD.format(1, space, "A").replace('play = "A"', 'play = { clip = "A", time = 0 }')
    pose = pose_at(bind_motion(model, text), model, 0.3)
    source = pose_at(bind_motion(model, layers(OVER)), model, 0.3)
    assert is_same_rotation(pose.rotation[SPINE], source.rotation[SPINE])
    assert np.allclose(pose.translation, source.translation, atol=2e-6)


def test_additive_weight_above_one_extrapolates():
    model = two()
    pose = pose_at(bind_motion(model, ADD.format(2, "joint", "Go")), model, 0.25)
    assert is_same_rotation(pose.rotation[SPINE], rotation_about("z", -45))


def test_additive_reference_clip_uses_the_same_phase():
    model = five_joint_model(
        turn_clip("A", 2.0, 90), turn_clip("B", 1.0, 30), slide_clip("Go", 1.0, 1.0)
    )
    text = ADD.format(1, "joint", "Go").replace(", time = 0.0", "")
    pose = pose_at(bind_motion(model, text), model, 0.5)
    assert is_same_rotation(pose.rotation[SPINE], rotation_about("z", 15 - 45))


def test_seek_and_speed_actions():
    model = five_joint_model(slide_clip("A", 4.0, 4.0))
    text = (
        BASE
        and layers(BASE)
        + """
    [[at]]
    time = 1.0
    seek = { layer = "base", time = 3.0 }
    [[at]]
    time = 1.5
    speed = { layer = "base", value = -2 }
    """
    )
    mixer = bind_motion(model, text)
    for tau, x in ((0.5, 0.5), (1.0, 3.0), (1.25, 3.25), (1.5, 3.5), (1.75, 3.0)):
        assert pose_at(mixer, model, tau).translation[1, 0] == pytest.approx(x, abs=2e-6)


def test_animated_values_are_masked_by_their_joint():
    one = Clip.of("One", [track_of(0, "values", [0], [1.0])])
    model = with_value(five_joint_model(one), 0.0)
    text = layers('name = "a"\nplay = "One"\nweight = 0.25\n')
    assert pose_at(bind_motion(model, text), model, 0).values[0] == pytest.approx(0.25)
    mask = "[masks.m]\njoints = { Head = 0.5 }\n" + layers('name = "a"\nplay = "One"\nmask = "m"\n')
    assert pose_at(bind_motion(model, mask), model, 0).values[0] == pytest.approx(0.5)
    arm = mask.replace("Head", "Arm")
    assert pose_at(bind_motion(model, arm), model, 0).values[0] == 0.0
    stepped = with_value(five_joint_model(one), 0.0, kind="step")
    assert pose_at(bind_motion(stepped, text), stepped, 0).values[0] == 0.0
    heavy = text.replace("0.25", "0.75")
    assert pose_at(bind_motion(stepped, heavy), stepped, 0).values[0] == 1.0


def test_root_motion_accumulates_and_blends():
    model = five_joint_model(slide_clip("A", 1.0, 2.0), slide_clip("B", 1.0, 4.0))
    root = 'root = { joint = "Hips", mode = "accumulate", axes = "xz" }\n'
    text = f"[clips.A]\n{root}[clips.B]\n{root}" + layers(BASE, OVER + "weight = 0.5\n")
    mixer = bind_motion(model, text)
    pose = pose_at(mixer, model, 3.25)
    assert mixer.world[0, 3] == pytest.approx(3.25 * 3.0, abs=1e-5)
    assert pose.translation[1, 0] == pytest.approx(0.0, abs=1e-6)
    assert mixer.speeds([0.0, 3.25]).tolist() == pytest.approx([3.0, 3.0], abs=1e-5)
    place = text.replace("accumulate", "in-place")
    still = bind_motion(model, place)
    pose_at(still, model, 3.25)
    assert np.array_equal(still.world, np.eye(4))


def test_pivot_rotates_character_and_root_motion():
    model = five_joint_model(
        Clip.of("A", [track_of(1, "translation", [0, 1], [[0, 1, 0], [0, 1, 1]])])
    )
    text = """
    [parameters]
    rate = { default = 90 }
    [pivot]
    rate = "rate"
    [clips.A]
    root = { joint = "Hips", mode = "accumulate", axes = "xz" }
    """ + layers(BASE)
    mixer = bind_motion(model, text)
    mixer.seek(4.0)  # once around
    assert np.allclose(mixer.world, np.eye(4), atol=1e-3)
    mixer.seek(2.0)  # halfway: across the circle of radius 1 / (pi / 2)
    assert np.allclose(mixer.world[:3, 3], [4 / np.pi, 0, 0], atol=2e-3)


def test_pivot_with_initial_rate_zero_curves_the_path():
    model = five_joint_model(
        Clip.of("A", [track_of(1, "translation", [0, 1], [[0, 1, 0], [0, 1, 1]])])
    )
    text = (
        """
    [parameters]
    rate = { default = 0 }
    [pivot]
    rate = "rate"
    [clips.A]
    root = { joint = "Hips", mode = "accumulate", axes = "xz" }
    """
        + layers(BASE)
        + """
    [[at]]
    time = 0
    set = { name = "rate", value = 90, seconds = 1 }
    """
    )
    mixer = bind_motion(model, text)
    mixer.seek(1.0)
    taus = (np.arange(4000) + 0.5) / 4000
    heading = np.radians(45 * taus**2)
    expected = np.sin(heading).mean(), np.cos(heading).mean()
    assert np.allclose(mixer.world[(0, 2), 3], expected, atol=1e-4)


def test_cubic_fade_matches_the_window():
    model = two()
    mixer = bind_motion(model, layers(BASE, OVER + "weight = 0.3\n"))
    mixer.play(0.2)
    assert current_pose(mixer, model).equals(pose_at(mixer, model, 0.2))


def test_phases_and_times_of_events_are_of_the_range():
    model = five_joint_model(slide_clip("Go", 2.0, 2.0))
    text = (
        '[clips.Go]\nrange = [0.5, 1.5]\nevents = [{ name = "half", phase = 0.5 }, '
        '{ name = "soon", time = 0.25 }]\n' + layers('name = "a"\nplay = "Go"\n')
    )
    fired = bind_motion(model, text).events(0.0, 1.0)
    assert [(event.name, event.tau) for event in fired] == [("soon", 0.25), ("half", 0.5)]
