"""Golden pictures of three models: skin, several primitives, morph targets."""

import pytest

from rigview.resources import asset_path
from tests.support.shared import MODELS, needs_shared

CASES = [
    ("mannequin-walk", lambda: asset_path("mannequin.glb"), "Walk", 0.25, {}),
    (
        "mannequin-skeleton",
        lambda: asset_path("mannequin.glb"),
        "Walk",
        0.25,
        {"skeleton": True, "wireframe": True},
    ),
    pytest.param(
        "robot-dance", lambda: MODELS / "robot.glb", "Robot_Dance", 1.0, {}, marks=needs_shared
    ),
    pytest.param(
        "morph-cube",
        lambda: MODELS / "AnimatedMorphCube" / "AnimatedMorphCube.gltf",
        "Square",
        1.0,
        {},
        marks=needs_shared,
    ),
]


@pytest.mark.parametrize(("name", "path", "clip", "time", "display"), CASES)
def test_golden(rigview_render, rigview_image_golden, name, path, clip, time, display):
    shown = {
        "fit": "clip",
        "no_motion": True,
        "no_background": True,
        "resolution": (256, 256),
        **display,
    }
    rigview_image_golden(rigview_render(path(), clip, time, **shown), name)
