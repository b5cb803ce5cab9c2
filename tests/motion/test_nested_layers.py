"""Nested layers: clamped joints and touched masks."""

import numpy as np
import pytest

from tests.support.five_joint_model import (
    bind_motion,
    five_joint_model,
    pose_at,
    slide_clip,
    turn_clip,
)

LIMITED = """
[additives.bend]
source = "Bend"
reference = {{ pose = "rest" }}
limits = {{ Head = 10 }}
[[layers]]
name = "base"
play = "Go"
{}
"""
PLAIN = '[[layers]]\nname = "add"\nplay = "bend"\n'
INSIDE = """
[[layers]]
name = "outer"
[[layers.play.layers]]
name = "inner"
play = "Go"
[[layers.play.layers]]
name = "add"
play = "bend"
"""
FADED = """
[[layers]]
name = "outer"
play = "Go"
[[at]]
time = 0.2
[at.fade]
layer = "outer"
seconds = 0.4
kind = "smooth"
[[at.fade.to.layers]]
name = "add"
play = "bend"
"""


def model():
    return five_joint_model(slide_clip("Go", 1.0, 1.0), turn_clip("Bend", 1.0, 60, joint=4))


@pytest.mark.parametrize("more", [PLAIN, INSIDE, FADED])
def test_clamped_joints_are_reported_while_visible(more):
    character = model()
    mixer = bind_motion(character, LIMITED.format(more))
    pose_at(mixer, character, 0.75)
    assert [(name, past.joint) for name, past in mixer.reports()] == [("add", 4)]
    assert mixer.limit_violations["add", 4][0] == 0.75
    layer = "add" if more == PLAIN else "outer"
    mixer.set(f"{layer}.weight", 0.0, 0.75, 0.0)
    pose_at(mixer, character, 0.8)
    assert not mixer.reports()
    mixer.set(f"{layer}.weight", 1.0, 0.8, 0.0)
    pose_at(mixer, character, 0.85)
    assert mixer.reports()


def test_touched_mask_includes_fades_of_nested_layers():
    character = five_joint_model(
        slide_clip("Go", 1.0, 1.0), turn_clip("Arm", 1.0, 60, joint=3), turn_clip("Bend", 1.0, 60)
    )
    text = """
    [[layers]]
    name = "base"
    play = "Bend"
    [[layers]]
    name = "outer"
    mask = "touched"
    [[layers.play.layers]]
    name = "inner"
    play = "Go"
    [[at]]
    time = 0.5
    fade = { layer = "inner", to = "Arm", seconds = 0.2 }
    """
    mixer = bind_motion(character, text)
    mask = mixer.layers.layers[1].mask
    np.testing.assert_array_equal(mask.joints, [0, 1, 0, 1, 0])
