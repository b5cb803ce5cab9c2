"""Seeks, speeds and fades of layers that play additives, and additives of driven clips."""

import numpy as np
import pytest

from rigview.animation import quat
from rigview.animation.clip import Clip
from rigview.errors import MotionError
from tests.support.five_joint_model import (
    SPINE,
    bind_motion,
    five_joint_model,
    is_same_rotation,
    pose_at,
    rotation_about,
    slide_clip,
    track_of,
    turn_clip,
)

LAYERS = """
[parameters]
there = { default = [0, 1, 1] }
[additives.Lean]
source = "Turn"
reference = { clip = "Turn", time = 0 }
[aims.Look]
chain = { Head = 1 }
target = "there"
[[layers]]
name = "base"
play = "Walk"
[[layers]]
name = "lean"
play = "Lean"
[[layers]]
name = "look"
play = "Look"
weight = 0
"""


def walker():
    return five_joint_model(slide_clip("Walk", 1.0, 1.0), turn_clip("Turn", 4.0, 80))


def degrees(mixer, model, tau):
    """The rotation of the spine about z, which only the additive rotates."""
    pose = pose_at(mixer, model, tau)
    x, y, z, w = pose.rotation[SPINE]
    assert abs(x) + abs(y) < 1e-6
    return float(np.degrees(2 * np.arctan2(z, w)))


def action(time, text):
    return f"[[at]]\ntime = {time}\n{text}\n"


def test_seek_reaches_an_additive():
    model = walker()
    mixer = bind_motion(model, LAYERS + action(1.0, 'seek = { layer = "lean", time = 3 }'))
    for tau, angle in ((0.5, 10), (1.0, 60), (1.5, 70), (0.75, 15)):
        assert degrees(mixer, model, tau) == pytest.approx(angle, abs=0.01)


def test_speed_reaches_an_additive():
    model = walker()
    text = LAYERS + action(1.0, 'speed = { layer = "lean", value = 2 }')
    text += action(1.5, 'speed = { layer = "lean", value = -1 }')
    mixer = bind_motion(model, text)
    for tau, angle in ((1.0, 20), (1.5, 40), (2.0, 30)):
        assert degrees(mixer, model, tau) == pytest.approx(angle, abs=0.01)


def test_speed_reaches_an_additive_of_nested_layers():
    model = walker()
    nested = LAYERS.replace(
        'name = "lean"\nplay = "Lean"',
        'name = "inner"\nplay = { layers = [{ name = "walk", play = "Walk" }, '
        '{ name = "lean", play = "Lean" }] }',
    )
    mixer = bind_motion(model, nested + action(1.0, 'speed = { layer = "lean", value = 2 }'))
    assert degrees(mixer, model, 1.5) == pytest.approx(40, abs=0.01)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (
            'fade = { layer = "lean", to = "Walk" }',
            "at[0].fade.layer",
            'layer "lean" plays the additive "Lean", which cannot be cross-faded; '
            'fade its weight with set, name = "lean.weight"',
        ),
        (
            'fade = { layer = "look", to = "Walk" }',
            "at[0].fade.layer",
            'layer "look" plays the aim "Look", which cannot be cross-faded; '
            'fade its weight with set, name = "look.weight"',
        ),
        (
            'seek = { layer = "look", time = 1 }',
            "at[0].seek.layer",
            'layer "look" plays the aim "Look", which has no time of its own',
        ),
        (
            'speed = { layer = "look", value = 2 }',
            "at[0].speed.layer",
            'layer "look" plays the aim "Look", which has no time of its own',
        ),
    ],
)
def test_message_says_what_the_layer_plays(text, place, message):
    with pytest.raises(MotionError) as caught:
        bind_motion(walker(), LAYERS + action(1.0, text))
    assert str(caught.value) == f"{place}: {message}"


AIM_OFFSET = """
[parameters]
yaw = {{ default = {0}, range = [-90, 90] }}
[clips.Sides]
drive = {{ by = "yaw", from = [-60, 60], to = [1, 3], unit = "key" }}
[additives.Offset]
source = "Sides"
reference = {1}
[[layers]]
name = "base"
play = "Bend"
[[layers]]
name = "offset"
play = "Offset"
"""
CENTRE = '{ clip = "Sides", time = 0.2 }'


def aiming():
    """Keys left, middle, right: 40 degrees about y; the base bends by 30 degrees about x."""
    keys = [rotation_about("y", angle) for angle in (-40, 0, 40)]
    still = [rotation_about("x", 30)] * 2
    return five_joint_model(
        Clip.of("Sides", [track_of(SPINE, "rotation", [0, 0.2, 1.0], keys)]),
        Clip.of("Bend", [track_of(SPINE, "rotation", [0, 1.0], still)]),
        turn_clip("Half", 2.0, 40, axis="z"),
    )


@pytest.mark.parametrize(
    ("yaw", "angle"), [(-90, -40), (-60, -40), (-30, -20), (0, 0), (30, 20), (60, 40)]
)
def test_aim_offset_by_yaw(yaw, angle):
    model = aiming()
    mixer = bind_motion(model, AIM_OFFSET.format(yaw, CENTRE), advise=True)
    expected = quat.multiply(rotation_about("x", 30), rotation_about("y", angle))
    for tau in (0.0, 0.7, 5.0):
        found = pose_at(mixer, model, tau).rotation[SPINE]
        assert is_same_rotation(found, expected)


def test_aim_offset_follows_its_parameter():
    model = aiming()
    text = AIM_OFFSET.format(-60, CENTRE)
    mixer = bind_motion(model, text + action(1, 'set = { name = "yaw", value = 60, seconds = 2 }'))
    middle = pose_at(mixer, model, 2.0).rotation[SPINE]
    assert is_same_rotation(middle, rotation_about("x", 30))
    first, last = (pose_at(mixer, model, tau).rotation[SPINE][1] for tau in (0.5, 3.5))
    assert first == pytest.approx(-last, abs=1e-6)
    assert last > 0.3


@pytest.mark.parametrize(("yaw", "angle", "reference"), [(-60, -40, 0), (0, 0, 8), (60, 40, 40)])
def test_reference_clip_has_the_phase_of_the_driven_clip(yaw, angle, reference):
    """The middle key lies at a fifth of the clip."""
    model = aiming()
    mixer = bind_motion(model, AIM_OFFSET.format(yaw, '{ clip = "Half" }'))
    difference = quat.multiply(rotation_about("z", -reference), rotation_about("y", angle))
    expected = quat.multiply(rotation_about("x", 30), difference)
    assert is_same_rotation(pose_at(mixer, model, 0.3).rotation[SPINE], expected)


def test_driven_additive_has_no_time_to_seek():
    text = AIM_OFFSET.format(0, CENTRE) + action(1, 'seek = { layer = "offset", time = 0 }')
    with pytest.raises(MotionError, match='plays the additive "Offset", which has no time of its'):
        bind_motion(aiming(), text)
