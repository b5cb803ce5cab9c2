"""The pictures of docs/window.md and the moving one of the README: up to date with the panels."""

import re

import numpy as np
import pytest
from PIL import Image, ImageSequence

from tests.tools.show_window import MOVING, OUT, PICTURES, SHOWN, moving, still

SCENE = (100, 250)  # pixel in which every picture has the scene, whose colour is the background
BLOCK = 12  # pixels
SIDES = (
    (slice(None), slice(0, 208)),
    (slice(None), slice(760, None)),
    (slice(540, None), slice(None)),
)
DIALOG = ((slice(212, 380), slice(300, 660)),)  # of the export
DIFFERENCE = 12.0  # of the grey of a block, of 255: lossy files differ less, other digits more
LENGTH = (146, 78, 170, 92)  # of the clip Walk: 1.00
ROW = 16  # pixels


def stored(name):
    return OUT / f"{name}.webp"


def blocks(values):
    """[rows, columns, pixels] of an array of SHOWN, without what does not fill a block."""
    columns, rows = (size // BLOCK for size in SHOWN)
    cut = values[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK)
    return cut.swapaxes(1, 2).reshape(rows, columns, BLOCK * BLOCK)


def difference(panels, picture, places=SIDES):
    """The greatest mean difference of a block that panels fill, in the places that have panels."""
    colors = np.asarray(panels.convert("RGB"), int)
    inside = np.zeros(colors.shape[:2], bool)
    for place in places:
        inside[place] = True
    filled = blocks(inside & (colors != colors[SCENE]).any(axis=-1)).all(axis=-1)
    assert filled.mean() > 0.02
    panels, picture = (np.asarray(each.convert("L"), int) for each in (panels, picture))
    return blocks(np.abs(panels - picture)).mean(axis=-1)[filled].max()


def test_pages_show_every_picture():
    page = (OUT.parent / "window.md").read_text(encoding="utf-8")
    assert re.findall(r"^!\[.+\]\(window/(.+)\.webp\)$", page, re.MULTILINE) == list(PICTURES)
    readme = (OUT.parents[1] / "README.md").read_text(encoding="utf-8")
    assert f"](docs/window/{MOVING}.webp)" in readme
    assert {path.stem for path in OUT.iterdir()} == {*PICTURES, MOVING}
    for name in PICTURES:
        assert stored(name).stat().st_size < 60_000
    assert stored(MOVING).stat().st_size < 1_000_000


@pytest.mark.parametrize("name", PICTURES)
def test_picture_is_of_the_present_panels(gl, name):
    with Image.open(stored(name)) as picture:
        assert picture.size == SHOWN
        places = DIALOG if name == "export" else SIDES
        found = []
        while len(found) < 3 and not any(each < DIFFERENCE for each in found):
            # what a background process finds may not be shown yet on a busy machine
            found.append(difference(still(gl, name, scene=False), picture, places))
        assert min(found) < DIFFERENCE, found


def test_moving_picture_is_of_the_present_panels(gl):
    drawn, lasting = [], []
    for draw, duration in moving(gl, scene=False):
        if not drawn or duration > 2000:
            drawn.append(draw())
        lasting.append(duration)
    assert 6000 < sum(lasting) < 10_000
    with Image.open(stored(MOVING)) as film:
        frames = [frame.convert("RGB") for frame in ImageSequence.Iterator(film)]
    first, last = (difference(*pair) for pair in zip(drawn, (frames[0], frames[-1]), strict=True))
    assert max(first, last) < DIFFERENCE < difference(drawn[0], frames[-1])


def test_another_number_and_another_place_are_found(gl):
    with Image.open(stored("clips")) as picture:
        shown = picture.convert("RGB")
    present = still(gl, "clips", scene=False)
    assert difference(present, shown) < DIFFERENCE
    moved = shown.copy()
    moved.paste(shown.crop((10, 60, 200, 400)), (10, 61))
    assert difference(present, moved) > DIFFERENCE
    number = shown.copy()
    number.paste(shown.crop(LENGTH), (LENGTH[0], LENGTH[1] + ROW))
    assert difference(present, number) > DIFFERENCE
