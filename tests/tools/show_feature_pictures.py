"""Shows the feature pictures with their labels.

`python -m tests.tools.show_feature_pictures [NAME…]`

Writes each one at four times its size to build/features/NAME.png, and without names all of them at
twice their size to build/features.png. Transparent pixels show a checkered background.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from tests.feature_pictures.catalogue import PICTURES
from tests.feature_pictures.shapes import checker

ROOT = Path(__file__).resolve().parents[2]
GOLDENS = ROOT / "tests" / "golden" / "features"
OUT = ROOT / "build" / "features"
BACKGROUND, TEXT, PALE_TEXT = (30, 32, 36), (236, 238, 242), (158, 164, 176)
GAP, LINE_HEIGHT = 8, 14  # pixels
SMALLEST_WIDTH, PAGE_WIDTH = 280, 2400  # pixels


def labelled(feature, scale):
    """A feature picture with the labels of its cells, below its name and description."""
    with Image.open(GOLDENS / f"{feature.name}.png") as stored:
        pixels = np.asarray(stored.convert("RGBA"))
    width, height = (scale * side for side in feature.size)
    columns = min(feature.columns, len(feature.cells))
    rows = -(-len(feature.cells) // columns)
    large, small = ImageFont.load_default(18), ImageFont.load_default(12)
    room = max(columns * (width + GAP) + GAP, SMALLEST_WIDTH)
    words = wrapped(feature.description, small, room - 2 * GAP)
    labels = [wrapped(cell.label, small, width + GAP) for cell in feature.cells]
    label_height = LINE_HEIGHT * max(map(len, labels)) + GAP
    top = 28 + LINE_HEIGHT * len(words) + GAP
    whole = Image.new("RGB", (room, top + rows * (height + label_height)), BACKGROUND)
    canvas = ImageDraw.Draw(whole)
    canvas.text((GAP, 5), feature.name, font=large, fill=TEXT)
    write(canvas, (GAP, 28), words, small, PALE_TEXT)
    for number, label in enumerate(labels):
        row, column = divmod(number, columns)
        x, y = GAP + column * (width + GAP), top + row * (height + label_height)
        picture = Image.fromarray(pixels[feature.cell_slices(number)]).resize((width, height), 0)
        below = checkered(width, height)
        below.alpha_composite(picture)
        whole.paste(below.convert("RGB"), (x, y))
        write(canvas, (x, y + height + 1), label, small, TEXT)
    return whole


def write(canvas, place, lines, font, colour):
    """Draw lines of text."""
    for number, line in enumerate(lines):
        canvas.text((place[0], place[1] + LINE_HEIGHT * number), line, font=font, fill=colour)


def checkered(width, height):
    """A checkered background [height, width] for transparent pixels."""
    squares = checker(2, 8, ((96, 98, 102), (112, 114, 118)))
    tiles = np.tile(squares, (-(-height // 16), -(-width // 16), 1))
    return Image.fromarray(tiles[:height, :width]).convert("RGBA")


def wrapped(text, font, room):
    """Break a text into lines that are at most `room` pixels wide."""
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and font.getlength(longer) > room:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line]


def page_of(pictures):
    """All pictures in rows on one page."""
    places, x, y, tallest = [], GAP, GAP, 0
    for picture in pictures:
        if x > GAP and x + picture.width + GAP > PAGE_WIDTH:
            x, y, tallest = GAP, y + tallest + GAP, 0
        places.append((x, y))
        x, tallest = x + picture.width + GAP, max(tallest, picture.height)
    whole = Image.new("RGB", (PAGE_WIDTH, y + tallest + GAP), (0, 0, 0))
    for picture, place in zip(pictures, places, strict=True):
        whole.paste(picture, place)
    return whole


def main(names):
    """Write the named feature pictures, else all."""
    OUT.mkdir(parents=True, exist_ok=True)
    chosen = [feature for feature in PICTURES if not names or feature.name in names]
    for feature in chosen:
        labelled(feature, 4).save(OUT / f"{feature.name}.png")
    if not names:
        target = ROOT / "build" / "features.png"
        page_of([labelled(feature, 2) for feature in chosen]).save(target)
        sys.stdout.write(f"{target.relative_to(ROOT)}\n")
    sys.stdout.write(f"{OUT.relative_to(ROOT)}: {len(chosen)} pictures\n")


if __name__ == "__main__":
    main(sys.argv[1:])
