"""At negative times plain clips extend, and stateful layers keep their state at 0."""

import numpy as np
import pytest

from tests.support.five_joint_model import (
    bind_motion,
    five_joint_model,
    pose_at,
    slide_clip,
    turn_clip,
)

NAMES = ("F", "L", "R", "B", "LB", "RB")
STRAFE = """
[parameters]
direction = { default = 30, angle = true }
[spaces.go]
kind = "strafe"
x = "direction"
clips = { forward = "F", left = "L", right = "R", back = "B", left_back = "LB", right_back = "RB" }
[[layers]]
name = "base"
play = "go"
"""
AIM = """
[parameters]
look = { default = [2, 1, 0] }
[aims.look]
chain = { Spine = 0.5, Head = 1 }
target = "look"
speed = 60
[[layers]]
name = "base"
play = { pose = "rest" }
[[layers]]
name = "aim"
play = "look"
"""


def model():
    return five_joint_model(*(slide_clip(name, 1 + 0.1 * k, 1.0) for k, name in enumerate(NAMES)))


@pytest.mark.parametrize("text", [STRAFE, AIM])
def test_state_is_that_of_time_zero(text):
    built = model()
    mixer = bind_motion(built, text)
    first = pose_at(mixer, built, 0.0)
    assert pose_at(mixer, built, -0.3).equals(first)
    assert not pose_at(mixer, built, 0.3).equals(first)
    assert pose_at(mixer, built, 0.0).equals(first)


def test_root_motion_of_a_clip_extends_to_negative_time():
    built = five_joint_model(slide_clip("Walk", 1.0, 1.4))
    root = '[clips.Walk]\nroot = { joint = "Hips", mode = "accumulate" }\n'
    mixer = bind_motion(built, root + '[[layers]]\nname = "base"\nplay = "Walk"\n')
    for tau in (-0.4, -2.25, 0.3):
        mixer.seek(tau)
        assert mixer.world[0, 3] == pytest.approx(1.4 * tau, abs=2e-6)


SPACE = """
[clips.Walk]
root = {{ joint = "Hips", mode = "{mode}", turn = {turn} }}
[clips.Run]
root = {{ joint = "Hips", mode = "{mode}", turn = {turn} }}
[spaces.go]
kind = "line"
x = 0.5
clips = [{{ clip = "Walk", at = 0 }}, {{ clip = "Run", at = 1 }}]
sync = true
[[layers]]
name = "base"
play = "go"
weight = {weight}
"""


def steps(mixer, tau, monkeypatch):
    taken = []
    advance = mixer.layers.advance
    monkeypatch.setattr(mixer.layers, "advance", lambda a, b: (taken.append(b), advance(a, b)))
    mixer.seek(tau)
    return len(taken)


@pytest.mark.parametrize(
    ("mode", "turn", "weight", "fine"),
    [
        ("in-place", "true", 1.0, False),
        ("accumulate", "false", 1.0, False),
        ("accumulate", "false", 0.5, False),
        ("accumulate", "true", 1.0, True),
        ("accumulate", "true", 0.5, True),
    ],
)
def test_only_curved_paths_take_small_steps(mode, turn, weight, fine, monkeypatch):
    built = five_joint_model(slide_clip("Walk", 1.0, 1.4), slide_clip("Run", 0.7, 2.8))
    mixer = bind_motion(built, SPACE.format(mode=mode, turn=turn, weight=weight))
    assert (steps(mixer, 10.0, monkeypatch) > 2) == fine
    if mode == "accumulate":
        assert mixer.world[0, 3] == pytest.approx(weight * 10 * 2.1 / 0.85, abs=1e-4)


def test_curved_path_is_independent_of_other_actions():
    built = five_joint_model(
        turn_clip("Turn", 1.0, 90, joint=1, axis="y"), slide_clip("Walk", 2.0, 2.0, joint=0)
    )
    text = """
    [parameters]
    idle = { default = 0 }
    [clips.Turn]
    root = { joint = "Hips", mode = "accumulate", turn = true }
    [clips.Walk]
    root = { joint = "Root", mode = "accumulate" }
    [[layers]]
    name = "base"
    play = "Turn"
    [[layers]]
    name = "walk"
    play = "Walk"
    weight = 0.5
    """
    cut = "".join(
        f'[[at]]\ntime = {time}\nset = {{ name = "idle", value = {time} }}\n' for time in (1.3, 3.9)
    )
    plain, busy = bind_motion(built, text), bind_motion(built, text + cut)
    plain.seek(6.0)
    busy.seek(6.0)
    assert np.allclose(plain.world, busy.world, atol=1e-4)
    radius = 0.5 / np.radians(45)  # half a metre and half of a quarter turn a second
    angle = np.radians(45) * 6
    expected = radius * np.sin(angle), -radius * (1 - np.cos(angle))
    assert np.allclose(plain.world[[0, 2], 3], expected, atol=5e-3)
