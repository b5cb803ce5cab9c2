"""A mixer with a batch of characters equals separate mixers."""

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.loading.load import load
from rigview.motion.bind import bind
from tests.support.motion_texts import document_from

TIMES = (0.0, 0.35, 0.8, 1.15, 1.6, 2.45)
PARTS = {
    "a space in step with root motion": (
        """
[parameters]
speed = { default = 1.4, range = [0, 4], damp = 0.3 }
[clips.Walk]
sync = { left = 0.25, right = 0.75 }
events = [{ name = "left", phase = 0.25 }]
root = { joint = "Hips", mode = "accumulate", axes = "xz", turn = true }
[clips.Run]
sync = { left = 0.25, right = 0.75 }
events = [{ name = "fast", phase = 0.5 }]
root = { joint = "Hips", mode = "accumulate", axes = "xz", turn = true }
[spaces.go]
kind = "line"
x = "speed"
clips = [{ clip = "Walk", at = 1.4 }, { clip = "Run", at = 4 }]
sync = true
events = "all"
[[layers]]
name = "base"
play = "go"
""",
        {"speed": [1.4, 2.5, 4.0]},
    ),
    "a layer with a mask in model space": (
        """
[masks.arm]
joints = { Spine = 0.3, RightShoulder = 1.0 }
space = "model"
[[layers]]
name = "base"
play = "Walk"
[[layers]]
name = "over"
play = "Wave"
mask = "arm"
rotation = "slerp"
""",
        {"over.weight": [0.0, 0.4, 1.0]},
    ),
    "an additive with a limit": (
        """
[additives.lean]
source = "LeanLeft"
reference = { clip = "Walk" }
space = "model"
limits = { Head = 2.0 }
[[layers]]
name = "base"
play = "Walk"
[[layers]]
name = "over"
play = "lean"
""",
        {"over.weight": [0.0, 0.5, 1.5]},
    ),
    "an aim with a speed": (
        """
[parameters]
at = { default = [0, 1.5, 3] }
[aims.head]
chain = { Spine2 = 0.2, Neck = 0.5, Head = 1 }
target = "at"
limit = 70
speed = 90
[[layers]]
name = "base"
play = "Walk"
[[layers]]
name = "over"
play = "head"
""",
        {"at": [[0, 1.5, 3], [2, 1, 2], [-3, 2, 0.5]], "over.weight": [0.0, 0.7, 1.0]},
    ),
    "a limb that reaches": (
        """
[parameters]
at = { default = [0.3, 1.2, 0.4] }
[iks.hand]
chain = ["RightArm", "RightForeArm", "RightHand"]
pole = [0, 0, -1]
target = "at"
[[layers]]
name = "base"
play = "Walk"
[[layers]]
name = "over"
play = "hand"
""",
        {"at": [[-0.2, 1.2, 0.4], [-0.6, 1, 0.1], [-0.3, 1.6, 0]], "over.weight": [0.2, 0.7, 1]},
    ),
    "fades, in phase and frozen": (
        """
[parameters]
speed = { default = 0, range = [0, 1] }
[clips.Walk]
sync = { left = 0.25, right = 0.75 }
[clips.Run]
sync = { left = 0.25, right = 0.75 }
[spaces.go]
kind = "line"
x = "speed"
clips = [{ clip = "Walk", at = 0 }, { clip = "Run", at = 1 }]
sync = true
[[layers]]
name = "base"
play = "go"
[[at]]
time = 0.3
fade = { layer = "base", to = "Run", seconds = 0.4, in_phase = true }
[[at]]
time = 1.0
fade = { layer = "base", to = "Idle", seconds = 0.5 }
[[at]]
time = 1.3
fade = { layer = "base", to = "go", seconds = 0.4, kind = "frozen" }
""",
        {"speed": [0.0, 0.3, 1.0]},
    ),
    "strafing, with transitions": (
        """
[parameters]
direction = { default = 0, angle = true, damp = 0.5 }
[spaces.strafe]
kind = "strafe"
x = "direction"
[spaces.strafe.clips]
forward = "Walk"
left = "StrafeLeft"
right = "StrafeRight"
back = "WalkBack"
left_back = "StrafeLeftBack"
right_back = "StrafeRightBack"
[spaces.strafe.transitions]
left_to_back = "TurnStep"
left_to_front = "TurnStepForward"
[[layers]]
name = "base"
play = "strafe"
""",
        {"direction": [0.0, 140.0, -160.0]},
    ),
    "layers in a layer": (
        """
[additives.lean]
source = "LeanLeft"
reference = { clip = "Walk", time = 0 }
[[layers]]
name = "base"
play = "Walk"
[[layers]]
name = "over"
mask = "touched"
[[layers.play.layers]]
name = "inner"
play = "Wave"
[[layers.play.layers]]
name = "more"
play = "lean"
""",
        {"over.weight": [0.0, 0.5, 1.0], "more.weight": [1.0, 0.5, 0.0]},
    ),
}


@pytest.fixture(scope="module")
def mannequin():
    return load("assets/mannequin.glb")


@pytest.mark.parametrize("name", PARTS)
def test_characters_of_a_batch_are_independent(mannequin, name):
    text, values = PARTS[name]
    doc = document_from("version = 1\n" + text)
    rest = mannequin.skeleton.rest
    crowd, poses = bind(mannequin, doc, batch=(3,)), Pose.like(rest, (3,))
    singles, pose = [bind(mannequin, doc) for _ in range(3)], Pose.like(rest)
    for parameter, each in values.items():
        crowd.set(parameter, np.array(each, float), 0.1)
        for single, value in zip(singles, each, strict=True):
            single.set(parameter, value, 0.1)
    shown = []
    for tau in (t + 0.1 for t in TIMES):
        crowd.play(tau)
        crowd.sample(poses)
        shown.append(poses.data.copy())
        for k, single in enumerate(singles):
            single.play(tau)
            single.sample(pose)
            np.testing.assert_allclose(poses.translation[k], pose.translation, atol=1e-5)
            cosines = np.abs((poses.rotation[k] * pose.rotation).sum(axis=-1))
            assert cosines.min() > 1 - 1e-6
            np.testing.assert_allclose(crowd.world[k], single.world, atol=1e-4)
            heard = [each for each in crowd.fired if each.character == k]
            assert [(e.name, e.clip) for e in heard] == [(e.name, e.clip) for e in single.fired]
            assert np.allclose([e.tau for e in heard], [e.tau for e in single.fired], atol=1e-5)
    assert any(np.abs(each[0] - each[1]).max() > 1e-3 for each in shown)  # they do differ
