"""The bundled character in extreme poses, in other sizes and with other proportions is sound."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.track import Track
from rigview.checks.check_context import CheckContext
from rigview.checks.examine import examine
from rigview.checks.rule_settings import Settings
from rigview.loading.load import load
from rigview.resources import asset_path
from tests.support import mannequin_variants

SURFACE = Settings(only=("surface-*", "bind-*", "pop", "faces-*", "normals-*"))
VARIANTS = {
    "tall": lambda path: mannequin_variants.write_scaled(path, 2.0),
    "small": lambda path: mannequin_variants.write_scaled(path, 0.01),
    "longer legs": lambda path: mannequin_variants.write_other_proportions(
        path, clips=("Walk", "Run", "Wave", "Crouch")
    ),
    "turned": lambda path: mannequin_variants.write_turned(path, clips=("Run", "Jump")),
    "untextured": mannequin_variants.write_untextured,
}


@pytest.fixture(scope="module")
def poses():
    """The rotations [J, 4] of the poses that `assets/show_extremes.py` draws, and their joints."""
    folder = asset_path("mannequin.glb").parent
    if not (folder / "show_extremes.py").is_file():
        pytest.skip("no program here that draws the mannequin")
    sys.path.insert(0, str(folder))
    import show_extremes

    yield [show_extremes.turned(turns) for _, _, turns in show_extremes.POSES], show_extremes.INDEX
    sys.path.remove(str(folder))


def test_extreme_poses(poses):
    """A clip from each pose to the next one."""
    rotations, index = poses
    model = load("assets/mannequin.glb")
    times = np.arange(len(rotations), dtype=np.float32)
    values = np.array(rotations, np.float32)
    tracks = [
        Track(model.skeleton.find(name), "rotation", "LINEAR", times, values[:, k])
        for name, k in index.items()
    ]
    clip = Clip.of("Extremes", tracks, rest=model.skeleton.rest)
    assert not examine(CheckContext(replace(model, clips=(clip,))), SURFACE)


@pytest.mark.parametrize("name", VARIANTS)
def test_variants(name, tmp_path):
    path = VARIANTS[name](tmp_path / "a.glb")
    assert not examine(CheckContext(load(path)), SURFACE)
