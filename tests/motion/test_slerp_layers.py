"""The rotation setting of a layer applies to additives, fades, aims and IK."""

import numpy as np
import pytest

from rigview.animation import quat
from tests.support.five_joint_model import (
    SPINE,
    bind_motion,
    five_joint_model,
    is_same_rotation,
    pose_at,
    rotation_about,
    turn_clip,
)

ADDED = '[additives.lean]\nsource = "A"\nreference = { pose = "rest" }\n'
ADD = '[[layers]]\nname = "add"\nplay = "lean"\nmode = "add"\nweight = 0.25\n'
FADING = '[[layers]]\nname = "base"\nplay = "A"\n'
FADE = (
    '[[at]]\ntime = 0.0\nfade = { layer = "base", to = "B", seconds = 1.0, ease = "linear", '
    'kind = "smooth" }\n'
)


def model():
    """A turns the spine by 120 degrees within a second, and B not at all."""
    return five_joint_model(turn_clip("A", 1.0, 120), turn_clip("B", 1.0, 0))


@pytest.mark.parametrize(("rotation", "exact"), [("slerp", True), ("nlerp", False)])
def test_slerp_of_an_additive(rotation, exact):
    built = model()
    text = f'{ADDED}{ADD}rotation = "{rotation}"\n'
    pose = pose_at(bind_motion(built, text), built, 0.9)
    assert is_same_rotation(pose.rotation[SPINE], rotation_about("z", 0.25 * 108)) == exact


@pytest.mark.parametrize(("rotation", "exact"), [("slerp", True), ("nlerp", False)])
def test_slerp_of_a_fade(rotation, exact):
    built = model()
    text = f'{FADING}rotation = "{rotation}"\n{FADE}'
    pose = pose_at(bind_motion(built, text), built, 0.75)
    assert is_same_rotation(pose.rotation[SPINE], rotation_about("z", 0.25 * 90)) == exact


AIMED = """
[parameters]
at = { default = [5, 1.3, 0] }
[aims.look]
chain = { Spine = 1 }
target = "at"
[iks.hand]
chain = ["Hips", "Spine", "Arm"]
target = "at"
[[layers]]
name = "base"
play = "B"
[[layers]]
name = "more"
weight = 0.25
"""


@pytest.mark.parametrize("play", ["look", "hand"])
def test_slerp_of_aim_and_ik(play):
    """A quarter of the way to what the whole weight shows."""
    built = model()
    text = f'{AIMED}play = "{play}"\n'

    def turned(**changes):
        changed = text
        for key, value in changes.items():
            changed = changed.replace(f"{key} = 0.25", f"{key} = {value}")
        return pose_at(bind_motion(built, changed), built, 0.0).rotation

    none, whole, plain = turned(weight=0), turned(weight=1), turned()
    text += 'rotation = "slerp"\n'
    even = turned()
    moved = quat.arc(none, whole) > 0.3
    assert moved.any()
    expected = quat.slerp(none, whole, np.float32(0.25))
    assert np.allclose(even, expected, atol=2e-6)
    assert not np.allclose(plain[moved], expected[moved], atol=1e-3)
