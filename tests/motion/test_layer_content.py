"""Labels and kinds of what layers play."""

from rigview.motion import layer_content
from rigview.motion.document import Nested, StillPose
from tests.support.full_motion_file import DOCUMENT


def test_labels_of_sources():
    assert layer_content.label(StillPose("rest")) == "Rest pose"
    assert layer_content.label(StillPose("greeting")) == "greeting"
    assert layer_content.label(Nested((DOCUMENT.layers[0],))) == "1 layers"
    assert layer_content.layer_name("Walk.001") == "Walk 001"
    kinds = [
        layer_content.kind(DOCUMENT, play)
        for play in ("gait", "Lean", "head", "Walk", StillPose("rest"))
    ]
    assert kinds == ["space", "additive", "aim", "clip", "still"]
