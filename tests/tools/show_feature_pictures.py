"""Puts the golden pictures of features together with their words.

`python -m tests.tools.show_feature_pictures [NAME…]`

All of them, twice as large, come into build/features.png, and each by itself, four times as large,
into build/features/NAME.png; with names, those alone. What is transparent lies on a checker.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from tests.feature_pictures.catalogue import PLATES
from tests.feature_pictures.shapes import checker

HOME = Path(__file__).resolve().parents[2]
GOLDENS = HOME / "tests" / "golden" / "features"
OUT = HOME / "build" / "features"
PAPER, INK, FAINT = (30, 32, 36), (236, 238, 242), (158, 164, 176)
GAP, LINE = 8, 14  # pixels
LEAST, ROOM = 280, 2400  # pixels, widths of a plate and of the picture of all


def shown(plate, scale):
    """A plate's cells with their labels, below its name and its words."""
    with Image.open(GOLDENS / f"{plate.name}.png") as stored:
        pixels = np.asarray(stored.convert("RGBA"))
    width, height = (scale * side for side in plate.size)
    columns = min(plate.columns, len(plate.cells))
    rows = -(-len(plate.cells) // columns)
    large, small = ImageFont.load_default(18), ImageFont.load_default(12)
    room = max(columns * (width + GAP) + GAP, LEAST)
    words = wrapped(plate.what, small, room - 2 * GAP)
    labels = [wrapped(cell.label, small, width + GAP) for cell in plate.cells]
    below = LINE * max(map(len, labels)) + GAP
    top = 28 + LINE * len(words) + GAP
    whole = Image.new("RGB", (room, top + rows * (height + below)), PAPER)
    pen = ImageDraw.Draw(whole)
    pen.text((GAP, 5), plate.name, font=large, fill=INK)
    write(pen, (GAP, 28), words, small, FAINT)
    for number, label in enumerate(labels):
        row, column = divmod(number, columns)
        x, y = GAP + column * (width + GAP), top + row * (height + below)
        picture = Image.fromarray(pixels[plate.place(number)]).resize((width, height), 0)
        under = ground(width, height)
        under.alpha_composite(picture)
        whole.paste(under.convert("RGB"), (x, y))
        write(pen, (x, y + height + 1), label, small, INK)
    return whole


def write(pen, place, lines, font, colour):
    """Write lines under each other."""
    for number, line in enumerate(lines):
        pen.text((place[0], place[1] + LINE * number), line, font=font, fill=colour)


def ground(width, height):
    """A pale checker [height, width] for what is transparent."""
    squares = checker(2, 8, ((96, 98, 102), (112, 114, 118)))
    tiles = np.tile(squares, (-(-height // 16), -(-width // 16), 1))
    return Image.fromarray(tiles[:height, :width]).convert("RGBA")


def wrapped(text, font, room):
    """The lines of a text that are no wider than some pixels."""
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and font.getlength(longer) > room:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line]


def together(pictures):
    """All pictures in rows, as many a row as there is room for."""
    places, x, y, tallest = [], GAP, GAP, 0
    for picture in pictures:
        if x > GAP and x + picture.width + GAP > ROOM:
            x, y, tallest = GAP, y + tallest + GAP, 0
        places.append((x, y))
        x, tallest = x + picture.width + GAP, max(tallest, picture.height)
    whole = Image.new("RGB", (ROOM, y + tallest + GAP), (0, 0, 0))
    for picture, place in zip(pictures, places, strict=True):
        whole.paste(picture, place)
    return whole


def main(names):
    """Show the plates named, else all."""
    OUT.mkdir(parents=True, exist_ok=True)
    chosen = [plate for plate in PLATES if not names or plate.name in names]
    for plate in chosen:
        shown(plate, 4).save(OUT / f"{plate.name}.png")
    if not names:
        target = HOME / "build" / "features.png"
        together([shown(plate, 2) for plate in chosen]).save(target)
        sys.stdout.write(f"{target.relative_to(HOME)}\n")
    sys.stdout.write(f"{OUT.relative_to(HOME)}: {len(chosen)} plates\n")


if __name__ == "__main__":
    main(sys.argv[1:])
