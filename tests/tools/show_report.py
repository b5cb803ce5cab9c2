"""Draws a report in a desktop and a phone browser into assets/readme/report.webp.

`python -m tests.tools.show_report`, or `make report`.
"""

import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw

from rigview.cli.main import main
from rigview.resources import asset_path
from tests.support.chromium import Chromium, find

TARGET = asset_path("readme") / "report.webp"
DESKTOP, PHONE = (1240, 1180), (390, 844)
PICTURE = (1330, 1230)
QUALITY = 82


def show():
    """Make a report, open it at two sizes, and compose the pictures."""
    path = find()
    if path is None:
        return "Chromium is missing: .ci/setup test installs it"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page = folder / "report.html"
        if main(["report", str(asset_path("mannequin.glb")), "-o", str(page)]):
            return "no report was made"
        browser = Chromium(path, folder / "profile")
        try:
            browser.size(*DESKTOP)
            browser.set_preferences()
            browser.open(page)
            desktop = _picture(browser, folder)
            browser.size(*PHONE, scale=2, touch=True)
            browser.set_preferences(dark=True)
            browser.ask("location.hash = '#mannequin-glb/loops'")
            phone = _picture(browser, folder)
        finally:
            browser.close()
    made = Image.new("RGBA", PICTURE)
    _put(made, desktop, (0, 0), 14)
    _put(made, phone.resize((351, 760), Image.Resampling.LANCZOS), (PICTURE[0] - 351, 470), 30)
    made.save(TARGET, "WEBP", quality=QUALITY, method=6)
    return None


def _picture(browser, folder):
    browser.ask("new Promise(done => setTimeout(done, 300))")
    with Image.open(browser.picture(folder / "shot.png")) as picture:
        return picture.convert("RGBA")


def _put(made, picture, place, radius):
    """Paste a picture with rounded corners and a border."""
    large = Image.new("L", [2 * side for side in picture.size])
    box = (0, 0, large.width - 1, large.height - 1)
    ImageDraw.Draw(large).rounded_rectangle(box, 2 * radius, fill=255)
    mask = large.resize(picture.size, Image.Resampling.LANCZOS)
    edge = Image.new("RGBA", picture.size, (128, 128, 128, 255))
    edge.paste(picture.crop((2, 2, picture.width - 2, picture.height - 2)), (2, 2))
    made.paste(edge, place, mask)


if __name__ == "__main__":
    sys.exit(show())
