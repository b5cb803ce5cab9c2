"""The same command writes the same bytes: in any process, order, folder and number of threads."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.feature_pictures import materials, view_modes
from tests.support.light_mannequin import light_mannequin

ROOT = Path(__file__).resolve().parents[2]
RUN = """
import json, sys
from rigview.cli.main import main
sys.exit(sum(main(words) for words in json.loads(sys.argv[1])))
"""
WAYS = (  # what may differ from one run to the next, and must not be seen
    {"PYTHONHASHSEED": "1", "LP_NUM_THREADS": "0", "LC_ALL": "C", "TZ": "UTC"},
    {"PYTHONHASHSEED": "42", "LP_NUM_THREADS": "2", "PYTHONOPTIMIZE": "1", "TZ": "Asia/Tokyo"},
)
PICTURES = {
    "walk.png": ("mannequin.glb", "--animation=Walk", "--time=0.3", "--resolution=200x200"),
    "glass.png": ("nested_balls.glb", "--camera-elevation=35", "--no-background", "--samples=8"),
    "figure.png": ("skinned_tube.glb", "--time=1.3", "--bounds", "--wireframe", "--joint-names"),
    "walk.webp": ("mannequin.glb", "--animation=Walk", "--frames=0..2", "--resolution=64x64"),
}
if find_spec("av"):
    PICTURES["walk.mp4"] = ("mannequin.glb", "--frames=0..2", "--resolution=64x64")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the files written by each run, by name."""
    models = tmp_path_factory.mktemp("models")
    (models / "mannequin.glb").write_bytes(light_mannequin(frozenset({"Walk"})))
    materials.nested_balls().path(models, "nested_balls.glb")
    view_modes.skinned_tube().path(models, "skinned_tube.glb")
    folders = [tmp_path_factory.mktemp(name) for name in ("folder", "another folder ü")]
    runs = [begun(*each, models) for each in zip(folders, WAYS, strict=True)]
    for run in runs:
        said = run.communicate()
        assert (run.returncode, *said) == (0, "", "")
    return [{name: (folder / name).read_bytes() for name in PICTURES} for folder in folders]


def begun(folder, way, models):
    """Start a process that draws all models, in one order by relative paths, or in the other."""
    backwards = way is WAYS[1]
    place = models if backwards else Path(os.path.relpath(models, folder))
    commands = []
    for name, (file, *options) in PICTURES.items():
        size = [] if any("resolution" in each for each in options) else ["--resolution=128,128"]
        commands.append(["render", str(place / file), "-o", name, "--quiet", *size, *options])
    call = [sys.executable, "-c", RUN, json.dumps(commands[:: -1 if backwards else 1])]
    home = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("CONFIG", "DATA")}
    env = os.environ | way | home | {"PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    return subprocess.Popen(call, cwd=folder, env=env, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.parametrize("name", PICTURES)
def test_bytes_are_the_same_on_every_run(made, name):
    first, *others = (run[name] for run in made)
    assert [other == first for other in others] == [True] * len(others)


def test_pictures_are_not_empty(made, tmp_path):
    for name in (name for name in PICTURES if name.endswith(".png")):
        (tmp_path / name).write_bytes(made[0][name])
        with Image.open(tmp_path / name) as picture:
            pixels = np.asarray(picture.convert("RGBA"))
        assert len(np.unique(pixels.reshape(-1, 4), axis=0)) > 100, name
