"""`rigview thumbnail`."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from rigview.tasks.still_pictures import draw_thumbnail

ROOT = Path(__file__).resolve().parents[2]


def test_it_is_the_thumbnail_of_the_window(rigview, model_file, tmp_path):
    target = tmp_path / "without an extension"
    ran = rigview("thumbnail", model_file, "-o", target, "--size", "48")
    assert ran == (0, "", "")
    with Image.open(target) as picture:
        assert picture.format == "PNG"
        assert np.array_equal(np.asarray(picture), draw_thumbnail(model_file, 48))


@pytest.mark.parametrize("data", [b"", b"glTF\2\0\0\0", b"{}", b"no model"])
def test_nothing_is_written_for_a_broken_file(rigview, tmp_path, data):
    broken = tmp_path / "broken.glb"
    broken.write_bytes(data)
    ran = rigview("thumbnail", broken, "-o", tmp_path / "small.png")
    assert ran.code == 3
    assert list(tmp_path.iterdir()) == [broken]


def test_it_works_in_a_sandbox(model_file, tmp_path):
    """As file managers call it: without a network, and nothing can be written but the picture."""
    if shutil.which("bwrap") is None:
        pytest.skip("bwrap is not installed")
    target = tmp_path / "out"
    target.mkdir()
    sandbox = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    sandbox += ["--unshare-all", "--bind", target, target, "--setenv", "HOME", "/nowhere"]
    if subprocess.run([*sandbox, "true"], check=False, capture_output=True).returncode:
        pytest.skip("bwrap may not make namespaces here")
    line = ["thumbnail", model_file, "-o", target / "small.png", "--size", "64"]
    ran = subprocess.run(
        [*sandbox, sys.executable, "-m", "rigview", *line],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    with Image.open(target / "small.png") as picture:
        assert picture.size == (64, 64)
