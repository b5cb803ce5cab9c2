"""Many files opened one after another in one window, drawn off-screen."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.support.light_mannequin import light_mannequin
from tests.support.shared import MODELS

ROOT = Path(__file__).resolve().parents[2]


def test_opening_many_files(tmp_path):
    """Dropped, broken and many opened files in one window."""
    character = tmp_path / "character.glb"
    character.write_bytes(light_mannequin(frozenset(("Idle",))))
    models = [character, *(path for path in MODELS.glob("*.gl*") if path.stem != "robot")]
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    own = {"PYTHONPATH": paths, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    own |= dict.fromkeys(("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"), "131072")
    done = subprocess.run(
        [sys.executable, "-m", "tests.window.open_many_files", *models],
        env=os.environ | own,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["broken"] == {"file": character.name, "popup": "error"}
    assert seen["opened"] == max(30, 10 * len(models))
    *moving, turned = seen["full"]
    for while_moving in moving:
        assert while_moving.count(False) > 0.8 * len(while_moving), "panels are drawn in turns"
    assert turned, "other input draws all of them"
    assert seen["dropped"] == 0, "everything is freed, nothing left to the garbage collector"
    again = seen["objects"][1:]  # the first frames of a window are drawn in another resolution
    assert len(again) > 2
    assert len(set(again)) == 1, "the same file takes as many OpenGL objects every time"
    sizes = seen["resident"][1:]  # one a file; a round is every file once
    peaks = [max(sizes[k : k + len(models)]) for k in range(0, len(sizes), len(models))]
    # By these thresholds glibc returns what is freed at once, and keeps no decoded pictures.
    grown = (peaks[-1] - peaks[1]) / (len(peaks) - 2)
    assert grown < 5e6, f"{grown / 1e6:.1f} MB more each time the same files are opened"
