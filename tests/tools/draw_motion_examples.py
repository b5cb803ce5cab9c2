"""Draws every motion file of this folder: `python -m tests.tools.draw_motion_examples [NAME…]`.

Each file tells in its first lines how it is looked at; those commands are run, and what they draw
is put under each other into build/strips/NAME.png, all of it small into build/strips/index.png.
"""

import io
import os
import shlex
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from tests.tools import make_motion_examples

ROWS = Path(__file__).resolve().parents[1] / "motion_examples"
HOME = ROWS.parents[1]
OUT = HOME / "build" / "strips"
PROMPT = "#   rigview "
PAPER, INK, FAINT = (30, 32, 36), (236, 238, 242), (158, 164, 176)
WIDEST = 1800  # pixels
SMALL = 900  # pixels, width of a strip in the index


def files(names=()):
    """The motion files of the names given, else all, in the order of the rows."""

    def order(path):
        row, _, rest = path.name.removesuffix(".motion.toml").partition("-")
        return (row[0].lower(), int(row[1:]) if row[1:].isdigit() else 0, rest)

    found = sorted(ROWS.glob("*.motion.toml"), key=order)
    return [path for path in found if not names or path.name.removesuffix(".motion.toml") in names]


def told(path):
    """The words at the head of a file, and the commands among them as lists of arguments."""
    words, commands = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        if line.startswith(PROMPT):
            commands.append(shlex.split(line.removeprefix(PROMPT)))
        elif line.strip("# "):
            words.append(line.removeprefix("# "))
    return words, commands


def missing(command):
    """The first file that a command needs and that is not here, else None."""
    inputs = [word for word in command if word.endswith((".glb", ".gltf", ".toml"))]
    return next((word for word in inputs if not (HOME / word).exists()), None)


def make_models():
    """Write the models that some files need."""
    OUT.mkdir(parents=True, exist_ok=True)
    make_motion_examples.write_sides(OUT / "sides.glb")
    make_motion_examples.write_lanky(OUT / "lanky.glb")


def sheet(command):
    """The picture of one command."""
    from rigview.cli.main import main

    file = OUT / "one.png"
    code = main([*command, "--quiet", "-o", str(file)])
    if code:
        raise SystemExit(f"exit {code}: rigview {shlex.join(command)}")
    picture = Image.open(io.BytesIO(file.read_bytes())).convert("RGB")
    file.unlink()
    return picture


def strip(path):
    """What a file's commands draw, under its words; None where something that it needs is away."""
    words, commands = told(path)
    commands = [command for command in commands if command[0] == "sheet"]
    if any(map(missing, commands)):
        return None
    pictures = [sheet(command) for command in commands]
    width = max(900, *(picture.width for picture in pictures))
    large, small = ImageFont.load_default(20), ImageFont.load_default(15)
    lines = [(path.name.removesuffix(".motion.toml"), large, INK)]
    lines += [(line, small, INK) for line in words]
    height = 28 * len(lines) + sum(picture.height + 26 for picture in pictures) + 12
    whole = Image.new("RGB", (width, height), PAPER)
    pen, y = ImageDraw.Draw(whole), 8
    for text, font, colour in lines:
        pen.text((12, y), text, font=font, fill=colour)
        y += 26
    for command, picture in zip(commands, pictures, strict=True):
        pen.text((12, y), "rigview " + shlex.join(command), font=small, fill=FAINT)
        whole.paste(picture, (0, y + 22))
        y += picture.height + 26
    if width > WIDEST:
        whole = whole.resize((WIDEST, round(height * WIDEST / width)), Image.Resampling.LANCZOS)
    return whole


def index(strips):
    """All strips small, in two columns."""
    small = [s.resize((SMALL, round(s.height * SMALL / s.width))) for s in strips]
    columns, heights = [[], []], [0, 0]
    for each in small:
        shorter = heights.index(min(heights))
        columns[shorter].append(each)
        heights[shorter] += each.height + 8
    whole = Image.new("RGB", (2 * SMALL + 8, max(heights)), (0, 0, 0))
    for k, column in enumerate(columns):
        y = 0
        for each in column:
            whole.paste(each, (k * (SMALL + 8), y))
            y += each.height + 8
    return whole


def main(names):
    """Draw the rows named, else all, and the index."""
    os.chdir(HOME)
    make_models()
    drawn = []
    for path in files(names):
        picture = strip(path)
        if picture is None:
            sys.stderr.write(f"{path.name}: left out, it needs what is not here\n")
            continue
        target = OUT / path.name.replace(".motion.toml", ".png")
        picture.save(target)
        sys.stdout.write(f"{target.relative_to(HOME)}\n")
        drawn.append(picture)
    if not names:
        index(drawn).save(OUT / "index.png")
        sys.stdout.write("build/strips/index.png\n")


if __name__ == "__main__":
    main(sys.argv[1:])
