"""Warnings about additives with unfit references."""

import numpy as np
import pytest

from rigview.blending.cone_limits import LimitViolation
from rigview.errors import MotionError
from rigview.loading.load import load
from rigview.motion.additive_warnings import (
    MAX_ARMS,
    MAX_HIPS,
    SAME_CORE,
    other_core_pose,
    unfit_reference,
)
from tests.support.clips import about, make_skeleton, rest_pose
from tests.support.five_joint_model import bind_motion, five_joint_model, turn_clip

PLAYED = '[[layers]]\nname = "a"\nplay = "A"\n'
MANNEQUIN = "assets/mannequin.glb"
GAITS = '{ clip = "Idle", at = 0 }, { clip = "Walk", at = 1 }, { clip = "Run", at = 2 }'
TEXT = """
[spaces.base]
kind = "line"
x = 0.5
clips = [{2}]
[additives.X]
source = "{0}"
reference = {{ {1} }}
[[layers]]
name = "base"
play = "base"
[[layers]]
name = "more"
play = "X"
"""


@pytest.fixture(scope="module")
def mannequin():
    return load(MANNEQUIN)


@pytest.mark.parametrize(
    ("source", "reference", "clips", "words"),
    [
        ("Breathe", 'clip = "Stand", time = 0', GAITS, []),
        ("LeanLeft", 'clip = "Walk"', GAITS, []),
        ("AimLeft", 'clip = "AimCentre", time = 0', GAITS, ["RightArm by"]),
        ("Breathe", 'pose = "rest"', GAITS, ["reference", "Arm"]),
        ("Wave", 'clip = "Prone", time = 0', GAITS, ["Hips by", "degrees", '"Idle"']),
        (
            "Breathe",
            'clip = "Stand", time = 0',
            '{ clip = "Stand", at = 0 }, { clip = "Crouch", at = 1 }',
            ["different core poses", '"Crouch"'],
        ),
    ],
)
def test_unfit_references_are_reported(mannequin, source, reference, clips, words):
    warnings = bind_motion(mannequin, TEXT.format(source, reference, clips), advise=True).warnings
    assert bool(warnings) == bool(words)
    for word in words:
        assert word in " ".join(warnings)


def test_masked_out_joints_are_not_compared(mannequin):
    text = TEXT.format("AimLeft", 'clip = "AimCentre", time = 0', GAITS)
    masks = "[masks.spine]\njoints = { Spine = 1, LeftShoulder = 0, RightShoulder = 0 }\n"
    assert not bind_motion(mannequin, masks + text + 'mask = "spine"\n', advise=True).warnings


def test_additive_is_compared_with_the_clip_below(mannequin):
    text = TEXT.format("AimLeft", 'clip = "AimCentre", time = 0', GAITS)
    masks = "[masks.arms]\njoints = { Spine = 0.3, Spine1 = 0.6, Spine2 = 1 }\n"
    below = '[[layers]]\nname = "aim"\nplay = "AimCentre"\nmask = "arms"\nweight = {}\n'
    base, _, more = (masks + text).rpartition("[[layers]]")
    for weight, told in ((1, False), (0, True)):
        both = base + below.format(weight) + "[[layers]]" + more
        assert bool(bind_motion(mannequin, both, advise=True).warnings) == told


INSIDE = """
[additives.X]
source = "Wave"
reference = { clip = "Prone", time = 0 }
[[layers]]
name = "base"
play = "Prone"
[[layers]]
name = "outer"
[[layers.play.layers]]
name = "inner"
play = "Stand"
[[layers.play.layers]]
name = "more"
play = "X"
"""


def test_nested_layers_are_checked_with_their_own_clips(mannequin):
    (warning,) = bind_motion(mannequin, INSIDE, advise=True).warnings
    assert 'layer "more"' in warning
    assert '"Stand"' in warning  # and not the one that lies beneath both
    assert not bind_motion(mannequin, INSIDE.replace('"Stand"', '"Prone"'), advise=True).warnings


@pytest.mark.parametrize(
    "block",
    [
        "[masks.m]\njoints = { Spin = 1 }\n",
        '[spaces.s]\nkind = "line"\nx = 0\n'
        'clips = [{ clip = "A", at = 0 }, { clip = "X", at = 1 }]\n',
        '[additives.d]\nsource = "X"\n',
        '[aims.a]\nchain = { Spin = 1 }\ntarget = "Head"\n',
        '[iks.i]\nchain = ["Hips", "Spine", "Handy"]\ntarget = "Head"\n',
        '[clips.A]\nroot = { joint = "Hip" }\n',
        "[clips.X]\ncycles = 2\n",
    ],
)
def test_unused_entries_are_checked(block):
    with pytest.raises(MotionError, match=r'no (joint|clip) "'):
        bind_motion(five_joint_model(turn_clip("A", 1.0, 90)), block + PLAYED, advise=True)


def test_unused_entries_ignore_the_loop_option(mannequin):
    text = """
    [spaces.gait]
    kind = "line"
    x = 0
    clips = [{ clip = "Walk", at = 0 }, { clip = "Run", at = 1 }]
    sync = true
    [[layers]]
    name = "a"
    play = "Wave"
    """
    bind_motion(mannequin, text, advise=True, loop=("loop", 1.0))
    with pytest.raises(MotionError, match="only a looping clip"):
        bind_motion(mannequin, text.replace('"Wave"', '"gait"'), advise=True, loop=("loop", 1.0))


X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
HIP, SPINE, SHOULDER, ELBOW = range(4)


def test_reference_beyond_limits_is_reported():
    skeleton = make_skeleton([-1, 0, 1, 2])
    neutral, reference = rest_pose(4), rest_pose(4)
    neutral.rotation[SHOULDER] = about(Z, 70)  # arms hang; at rest they are stretched out
    reference.rotation[...] = neutral.rotation
    limbs = ([HIP, SPINE], [SHOULDER, ELBOW])
    assert unfit_reference(reference, neutral, skeleton, *limbs) == []
    reference.rotation[HIP] = about(Y, 9)
    reference.rotation[ELBOW] = about(X, 19)
    assert unfit_reference(reference, neutral, skeleton, *limbs) == []
    reference.rotation[SPINE] = about(Y, 2)  # 11 in model space, with the hips below it
    violations = unfit_reference(reference, neutral, skeleton, *limbs)
    assert [past.joint for past in violations] == [SPINE]
    assert violations[0].limit == float(MAX_HIPS)
    reference.rotation[SPINE] = about(Y, -9)
    reference.rotation[SHOULDER] = about(Z, 40)
    reference.rotation[ELBOW] = -about(X, 25)
    violations = unfit_reference(reference, neutral, skeleton, *limbs)
    assert [past.joint for past in violations] == [SHOULDER, ELBOW]
    assert np.degrees([past.angle for past in violations]) == pytest.approx([30, 25], abs=1e-3)
    assert violations[0] == LimitViolation(SHOULDER, violations[0].angle, float(MAX_ARMS))


def test_the_first_other_core_pose_is_found_by_core_joints():
    skeleton = make_skeleton([-1, 0, 1])
    stand, shifted, crouch = rest_pose(3), rest_pose(3), rest_pose(3)
    shifted.rotation[1], crouch.rotation[1] = -about(X, 15), about(X, 60)
    crouch.rotation[2] = shifted.rotation[2] = about(Y, 90)  # ignored

    def other(poses, joints):
        return other_core_pose(skeleton, poses, joints, 0)

    assert other([stand, crouch, shifted, crouch], [0, 1]) == 1
    assert other([stand, shifted, crouch], [0, 1]) == 2
    assert other([stand, crouch], [0]) == 0
    assert other([stand, crouch], []) == 0
    assert other([stand], [0]) == 0
    edge = rest_pose(3)
    edge.rotation[0] = about(Z, np.degrees(SAME_CORE) + 0.1)
    assert other([stand, edge], [0]) == 1
    low, edge = rest_pose(3), rest_pose(3)
    low.translation[0, 1], edge.translation[0, 1] = 0.8, 1.0
    assert other([edge, low], [0, 1]) == 1
    low.translation[0, 1] = 0.9
    assert other([edge, low], [0, 1]) == 0
