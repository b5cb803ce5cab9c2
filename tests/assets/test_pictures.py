"""The README's pictures of the bundled character, and the program for extreme poses."""

import re
import subprocess
import sys

import numpy as np
from PIL import Image

from rigview.resources import asset_path

MANNEQUIN = asset_path("mannequin.glb")


def test_readme_pictures_are_small_and_have_commands():
    root = MANNEQUIN.parents[1]
    pages = (root / "README.md", *(root / "docs").glob("*.md"))
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    pictures = sorted(p for p in (root / "assets" / "readme").iterdir() if p.is_file())
    shown = sorted(re.findall(r"[(\"](?:\.\./)?assets/readme/([\w-]+\.\w+)[)\"]", text))
    assert shown == [picture.name for picture in pictures]
    commands = {"extremes": "make poses", "report": "make report", "performance": "make bench"}
    for picture in pictures:
        assert picture.stat().st_size < 300_000
        made = commands.get(picture.stem.partition("-")[0])
        assert (f"\n{made}\n" if made else f"-o {picture.name}\n") in text


def test_extreme_poses_are_drawn(tmp_path):
    target = tmp_path / "extremes.png"
    program = MANNEQUIN.parent / "show_extremes.py"
    subprocess.run([sys.executable, program, target], check=True, cwd=tmp_path)
    with Image.open(target) as drawn, Image.open(program.parent / "readme" / target.name) as shown:
        assert drawn.size == shown.size
        assert np.asarray(drawn.convert("L"), np.float32).std() > 10.0
