"""Cross-fades of a motion file, compared with exact numbers."""

import numpy as np
import pytest

from tests.support.five_joint_model import bind_motion, five_joint_model, pose_at, slide_clip

FADE = """
[[layers]]
name = "base"
play = "A"
[[at]]
time = 1.0
fade = {{ layer = "base", to = "{0}", seconds = 0.5, ease = "{1}", kind = "{2}" }}
"""


@pytest.mark.parametrize(("ease", "half"), [("cubic", 0.15625), ("linear", 0.25)])
def test_smooth_and_frozen_fades(ease, half):
    model = five_joint_model(slide_clip("A", 4.0, 4.0), slide_clip("B", 4.0, -4.0))
    tau = 1.125  # u = 0.25
    for kind, old in (("smooth", 1.125), ("frozen", 1.0)):
        pose = pose_at(bind_motion(model, FADE.format("B", ease, kind)), model, tau)
        expected = old * (1 - half) - 0.125 * half
        assert pose.translation[1, 0] == pytest.approx(expected, abs=2e-6)
    pose = pose_at(bind_motion(model, FADE.format("B", ease, "smooth")), model, 1.75)
    assert pose.translation[1, 0] == pytest.approx(-0.75, abs=2e-6)


def test_fade_in_phase_keeps_the_phase():
    model = five_joint_model(slide_clip("A", 1.0, 1.0), slide_clip("B", 2.0, 2.0))
    text = FADE.format("B", "linear", "smooth").replace("seconds", "in_phase = true, seconds")
    text = text.replace("time = 1.0", "time = 1.25")
    mixer = bind_motion(model, text)
    assert pose_at(mixer, model, 1.25).translation[1, 0] == pytest.approx(0.25, abs=2e-6)
    # dU/dtau = 1 / (1 + beta): U = 0.25 + 0.5 ln 2 at the end of the fade
    phase = 0.25 + 0.5 * np.log(2.0)
    assert pose_at(mixer, model, 1.75).translation[1, 0] == pytest.approx(2 * phase, abs=1e-4)
    assert pose_at(mixer, model, 2.05).translation[1, 0] == pytest.approx(2 * phase + 0.3, abs=1e-4)
