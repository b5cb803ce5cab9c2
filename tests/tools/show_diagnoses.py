"""Draws the pictures of docs/diagnose.md: the window after the clicks of each diagnosis.

`python -m tests.tools.show_diagnoses [--files FOLDER]` writes docs/diagnose/NAME.webp;
`--files` writes the broken characters as GLB files, too.
"""

import argparse
import tempfile
from pathlib import Path

from PIL import Image

from rigview.rendering.context import create_context
from tests.support.broken_characters import BROKEN, broken_character
from tests.support.diagnoses import DIAGNOSES, begin, follow
from tests.support.panels import PanelDriver

OUT = Path(__file__).resolve().parents[2] / "docs" / "diagnose"
SHOWN = (960, 600)  # pixels of a picture


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=Path, help="folder for the broken characters")
    folder = parser.parse_args().files
    OUT.mkdir(parents=True, exist_ok=True)
    context = create_context()
    with tempfile.TemporaryDirectory() as temporary:
        files = folder or Path(temporary)
        files.mkdir(parents=True, exist_ok=True)
        for name in BROKEN:
            path = files / f"{name}.glb"
            path.write_bytes(broken_character(name))
            _draw(context, path, DIAGNOSES[name])


def _draw(context, path, diagnosis):
    driver = PanelDriver(context, path)
    driver.before = driver.framebuffer  # what is used afterwards
    begin(driver, diagnosis)
    for click in diagnosis.clicks:
        follow(driver, click)
    driver.move(driver.size[0] * 0.5, 4.0)  # no tooltip
    driver.frames(30)
    picture = Image.fromarray(driver.picture(scene=True)).resize(SHOWN, Image.Resampling.LANCZOS)
    out = OUT / f"{path.stem}.webp"
    picture.save(out, quality=82, method=6)
    print(f"{out}: {out.stat().st_size / 1000:.0f} kB")
    driver.gui.release()


if __name__ == "__main__":
    main()
