"""Fades in phase, and weights of events and root motion at their own times."""

import numpy as np
import pytest

from rigview.blending.sync_group import SyncTrack
from tests.support.blend_formulas import ease
from tests.support.five_joint_model import (
    bind_motion,
    five_joint_model,
    pose_at,
    slide_clip,
    turn_clip,
)
from tests.support.sync_groups import exact_position, exact_state

SPACE = """
[spaces.go]
kind = "line"
x = 0.5
clips = [{ clip = "Walk", at = 0 }, { clip = "Run", at = 1 }]
sync = true
[[layers]]
name = "base"
play = "PLAY"
"""
MARKS = """
[clips.Walk]
sync = { left = 0.1, right = 0.6 }
[clips.Run]
sync = { left = 0.3, right = 0.6 }
"""


def fade(time, to, seconds=0.4, more=""):
    said = f'layer = "base", to = "{to}", seconds = {seconds}, in_phase = true{more}'
    return f"[[at]]\ntime = {time}\nfade = {{ {said} }}\n"


def speed(value, time=0.6):
    return f'[[at]]\ntime = {time}\nspeed = {{ layer = "base", value = {value} }}\n'


def walker():
    return five_joint_model(
        slide_clip("Walk", 1.0, 1.4),
        slide_clip("Run", 0.7, 2.8),
        turn_clip("Turn", 1.2, 100),
        slide_clip("Far", 2.0, 5),
    )


def far(a, b):
    moved = np.abs(a.translation - b.translation).max()
    turned = 1 - np.abs((a.rotation * b.rotation).sum(axis=-1)).min()
    return max(float(moved), float(turned))


@pytest.mark.parametrize(("play", "to"), [("go", "Turn"), ("Turn", "go")])
def test_unmatched_sync_marks_cause_no_jump(play, to):
    """A space keeps its clips in step by its own marks, before, in and after the fade."""
    model = walker()
    mixer = bind_motion(model, MARKS + SPACE.replace("PLAY", play) + fade(0.31, to))
    for moment in (0.31, 0.71):
        before, at, after = (pose_at(mixer, model, moment + d).copy() for d in (-1e-4, 0, 1e-4))
        assert far(before, at) < 3 * far(at, after) + 1e-6


def eased(tau):
    """The share of the new source of a fade from 0.31 to 0.71."""
    return ease((tau - 0.31) / 0.4)


@pytest.mark.parametrize("marks", ["", MARKS], ids=["without marks", "with marks"])
def test_fade_in_phase_equals_a_float64_evaluation(marks):
    """At every time of the fade: the phase, and the positions blended by its share."""
    model = walker()
    mixer = bind_motion(model, marks + SPACE.replace("PLAY", "Walk") + fade(0.31, "Run"))
    feet = [{"left": (0.1,), "right": (0.6,)}, {"left": (0.3,), "right": (0.6,)}]
    tracks = [SyncTrack(T, 1, at if marks else {}) for T, at in zip((1, 0.7), feet, strict=True)]
    began = 0.42 if marks else 0.31  # intervals of the walk at 0.31: (0.31 - 0.1) / 0.5
    for tau in (0.3501, 0.48, 0.55, 0.6, 0.7):
        at = exact_state(
            tracks, began, lambda s: [1 - eased(0.31 + s), eased(0.31 + s)], tau - 0.31
        )
        walk, run = (exact_position(each, at) % each.duration for each in tracks)
        x = (1 - eased(tau)) * walk * 1.4 + eased(tau) * run / 0.7 * 2.8
        assert pose_at(mixer, model, tau).translation[1, 0] == pytest.approx(x, abs=1e-6)


def test_synchronised_space_equals_a_float64_evaluation_while_its_weights_change():
    """x goes linearly from 0 to 1 in 0.4 s: the phase is a logarithm."""
    text = SPACE.replace("PLAY", "go").replace("x = 0.5", 'x = "x"')
    text += "[parameters]\nx = {}\n[[at]]\ntime = 0\nset = { name = 'x', value = 1, seconds = 0.4 }"
    model = walker()
    mixer = bind_motion(model, text)
    for tau in (0.1, 0.2, 0.35):
        x = tau / 0.4
        phase = -np.log(1 - 0.3 * x) / 0.3 * 0.4
        expected = phase * (1.4 * (1 - x) + 2.8 * x)
        assert pose_at(mixer, model, tau).translation[1, 0] == pytest.approx(expected, abs=3e-7)


def test_fade_in_phase_during_a_fade():
    """By hand: fading to Run since 0.2; at 0.4 Far comes in at Run's phase."""
    model = walker()
    text = SPACE.replace("PLAY", "Walk") + fade(0.2, "Run", 0.5).replace("true", "false")
    mixer = bind_motion(model, text + fade(0.4, "Far", 0.001))
    expected = (0.4 - 0.2) / 0.7 * 2.0 + 0.1  # u T', then alone
    alone = bind_motion(model, SPACE.replace("PLAY", "Far"))
    assert far(pose_at(mixer, model, 0.5), pose_at(alone, model, expected)) < 2e-3


@pytest.mark.parametrize("to", ["Run", "go"])
def test_speed_applies_during_and_after_a_fade(to):
    model, text = walker(), SPACE.replace("PLAY", "Walk") + fade(0.5, to, 0.3)
    slow, fast = bind_motion(model, text + speed(0)), bind_motion(model, text + speed(3))
    at = pose_at(slow, model, 0.6).copy()
    for tau in (0.7, 0.79):
        assert far(pose_at(fast, model, tau), at) > 0.01
    assert far(pose_at(slow, model, 1.5), pose_at(slow, model, 3.0)) < 2e-6


EVENTS = """
[parameters]
x = { default = 0 }
[clips.Walk]
events = [{ name = "walk", phase = 0.2 }]
[clips.Run]
events = [{ name = "run", time = 0.14 }]
[spaces.go]
kind = "line"
x = "x"
clips = [{ clip = "Walk", at = 0 }, { clip = "Run", at = 1 }]
[[layers]]
name = "base"
play = "go"
[[at]]
time = 0
set = { name = "x", value = 1, seconds = 1 }
[[at]]
time = 0
set = { name = "base.weight", value = 0, seconds = 1 }
"""


def test_event_weight_is_that_of_its_time():
    """By hand: Walk at 0.2 weighs 0.8 in the space and 0.8 in the layer; Run at 0.84 as much."""
    model = walker()
    once = bind_motion(model, EVENTS).events(0.0, 1.0)
    assert [(e.name, e.tau, e.weight) for e in once] == [
        ("walk", pytest.approx(0.2), pytest.approx(0.8 * 0.8)),
        ("run", pytest.approx(0.84), pytest.approx(0.84 * 0.16)),
    ]
    mixer, fired = bind_motion(model, EVENTS), []
    for k in range(61):
        mixer.play(k / 60)
        fired += mixer.fired
    assert [(e.name, e.tau, e.weight) for e in fired] == [
        (e.name, pytest.approx(e.tau), pytest.approx(e.weight)) for e in once
    ]


def test_root_motion_under_a_decreasing_weight():
    """By hand: 1.4 m/s under a weight of 1 - tau is 0.7 m after 1 s."""
    text = """
    [clips.Walk]
    root = { joint = "Hips", mode = "accumulate", axes = "xz" }
    [[layers]]
    name = "base"
    play = "Walk"
    [[at]]
    time = 0
    set = { name = "base.weight", value = 0, seconds = 1 }
    """
    mixer = bind_motion(walker(), text)
    way = []
    for tau in (0.25, 0.5, 1.0, 2.0):
        mixer.seek(tau)
        way.append(float(np.abs(mixer.world[:3, 3]).max()))
    assert way == pytest.approx([1.4 * (t - t * t / 2) for t in (0.25, 0.5, 1, 1)], abs=1e-3)


def test_sync_group_before_the_start():
    model = walker()
    mixer = bind_motion(model, SPACE.replace("PLAY", "go"))
    assert far(pose_at(mixer, model, -0.3).copy(), pose_at(mixer, model, 0.0)) < 2e-6
