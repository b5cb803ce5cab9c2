"""The common loop of layers that run on."""

import math

import numpy as np
import pytest

from rigview.blending.common_loop import LONGEST, least_common_multiple
from tests.support.five_joint_model import (
    bind_motion,
    five_joint_model,
    pose_at,
    slide_clip,
    turn_clip,
)


@pytest.mark.parametrize(
    ("periods", "loop"),
    [
        ([1.0], 1.0),
        ([1.0, 1.5], 3.0),
        ([0.4, 0.6, 1.0], 6.0),
        ([1 / 30 * 31, 1 / 30 * 62], 62 / 30),
        ([np.float32(1.1), np.float32(0.7)], 7.7),
        ([59.0, 61.0], None),
        ([LONGEST], LONGEST),
        ([1.0, math.pi], None),
        ([1.0, math.inf], None),
        ([], None),
    ],
)
def test_least_common_multiple(periods, loop):
    found = least_common_multiple(float(each) for each in periods)
    assert found == (loop if loop is None else pytest.approx(loop, abs=1e-3))


LAYERS = """
[parameters]
speed = { default = 0, range = [0, 2] }
turn = { default = 0 }
[clips.Walk]
sync = { left = 0.2, right = 0.7 }
[clips.Run]
cycles = 2
sync = { left = [0.15, 0.65], right = [0.3, 0.8] }
[spaces.go]
kind = "line"
x = "speed"
clips = [{ clip = "Walk", at = 0 }, { clip = "Run", at = 2 }]
sync = true
[pivot]
rate = "turn"
[[layers]]
name = "base"
play = "go"
[[layers]]
name = "turn"
play = "Turn"
weight = 0
[[layers]]
name = "still"
play = { pose = "rest" }
weight = 0.1
"""


@pytest.fixture(scope="module")
def model():
    return five_joint_model(
        slide_clip("Walk", 1.0, 1.4), slide_clip("Run", 1.6, 2.8), turn_clip("Turn", 1.25, 100)
    )


def test_loop_follows_the_weights(model):
    mixer = bind_motion(model, LAYERS)
    assert mixer.common_loop == pytest.approx(1.0)
    mixer.set("speed", 2.0)
    assert mixer.common_loop == pytest.approx(1.6)
    mixer.set("speed", 1.0)
    assert mixer.common_loop == pytest.approx(1.8)  # two cycles of the mean of 1 and 0.8 seconds
    mixer.set("speed", 0.0)
    mixer.set("turn.weight", 0.5)
    assert mixer.common_loop == pytest.approx(5.0)


def test_poses_repeat_after_the_loop(model):
    mixer = bind_motion(model, LAYERS)
    mixer.set("speed", 1.3)
    loop = mixer.common_loop
    for tau in (0.3, 2.1):
        before, after = pose_at(mixer, model, tau), pose_at(mixer, model, tau + loop)
        np.testing.assert_allclose(after.data, before.data, atol=2e-5)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "[clips.Walk]",
            '[clips.Walk]\nroot = { joint = "Hips", mode = "accumulate", axes = "z" }',
        ),
        ("turn = { default = 0 }", "turn = { default = 20 }"),
        ("[[layers]]", '[[at]]\ntime = 1\nset = { name = "speed", value = 2 }\n[[layers]]'),
        ("weight = 0\n", 'weight = 1\n[clips.Turn]\nloop = "once"\n'),
    ],
    ids=["root motion", "pivot", "schedule", "once"],
)
def test_motion_that_never_repeats(model, old, new):
    assert old in LAYERS
    assert bind_motion(model, LAYERS.replace(old, new, 1)).common_loop is None


def test_ping_pong_and_speed(model):
    text = LAYERS.replace('play = "go"', 'play = "Turn"\nspeed = 2').replace(
        "[spaces.go]", '[clips.Turn]\nloop = "pingpong"\n[spaces.go]'
    )
    assert bind_motion(model, text).common_loop == pytest.approx(1.25)
