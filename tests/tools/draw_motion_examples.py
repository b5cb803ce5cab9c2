"""Draws the motion examples: `python -m tests.tools.draw_motion_examples [NAME…]`.

The comment at the head of each file contains the commands that show it. This program runs them and
puts their pictures below each other into build/strips/NAME.png, and without names all of them,
scaled down, into build/strips/index.png.
"""

import io
import os
import shlex
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from tests.support import mannequin_variants
from tests.support.motion_examples import EXAMPLES

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "strips"
PROMPT = "#   rigview "
BACKGROUND, TEXT, PALE_TEXT = (30, 32, 36), (236, 238, 242), (158, 164, 176)
LARGEST_WIDTH = 1800  # pixels
INDEX_WIDTH = 900  # pixels, of a strip in the index


def files(names=()):
    """The motion files with these names, else all, in alphabetical order."""
    found = sorted(EXAMPLES.glob("*.motion.toml"))
    return [path for path in found if not names or name_of(path) in names]


def name_of(path):
    return path.name.removesuffix(".motion.toml")


def comment_and_commands(path):
    """The lines of the comment at the head of a file, and its commands as lists of arguments."""
    words, commands = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        if line.startswith(PROMPT):
            commands.append(shlex.split(line.removeprefix(PROMPT)))
        elif line.strip("# "):
            words.append(line.removeprefix("# "))
    return words, commands


def missing_file(command):
    """The first input of a command that does not exist, else None."""
    inputs = [word for word in command if word.endswith((".glb", ".gltf", ".toml"))]
    return next((word for word in inputs if not (ROOT / word).exists()), None)


def make_models():
    """Write the models that some examples use."""
    OUT.mkdir(parents=True, exist_ok=True)
    mannequin_variants.write_three_keys(OUT / "sides.glb")
    mannequin_variants.write_other_proportions(OUT / "proportions.glb")


def picture_of(command):
    """The picture that a command draws."""
    from rigview.cli.main import main

    file = OUT / "one.png"
    code = main([*command, "--quiet", "-o", str(file)])
    if code:
        raise SystemExit(f"exit {code}: rigview {shlex.join(command)}")
    picture = Image.open(io.BytesIO(file.read_bytes())).convert("RGB")
    file.unlink()
    return picture


def strip_of(path):
    """The pictures of an example below its comment; None if an input is missing."""
    words, commands = comment_and_commands(path)
    commands = [command for command in commands if command[0] == "sheet"]
    if any(map(missing_file, commands)):
        return None
    pictures = [picture_of(command) for command in commands]
    width = max(900, *(picture.width for picture in pictures))
    large, small = ImageFont.load_default(20), ImageFont.load_default(15)
    lines = [(name_of(path), large, TEXT)]
    lines += [(line, small, TEXT) for line in words]
    height = 28 * len(lines) + sum(picture.height + 26 for picture in pictures) + 12
    whole = Image.new("RGB", (width, height), BACKGROUND)
    pen, y = ImageDraw.Draw(whole), 8
    for text, font, colour in lines:
        pen.text((12, y), text, font=font, fill=colour)
        y += 26
    for command, picture in zip(commands, pictures, strict=True):
        pen.text((12, y), "rigview " + shlex.join(command), font=small, fill=PALE_TEXT)
        whole.paste(picture, (0, y + 22))
        y += picture.height + 26
    if width > LARGEST_WIDTH:
        whole = whole.resize(
            (LARGEST_WIDTH, round(height * LARGEST_WIDTH / width)), Image.Resampling.LANCZOS
        )
    return whole


def index_of(strips):
    """All strips, scaled down, in two columns."""
    small = [s.resize((INDEX_WIDTH, round(s.height * INDEX_WIDTH / s.width))) for s in strips]
    columns, heights = [[], []], [0, 0]
    for each in small:
        shorter = heights.index(min(heights))
        columns[shorter].append(each)
        heights[shorter] += each.height + 8
    whole = Image.new("RGB", (2 * INDEX_WIDTH + 8, max(heights)), (0, 0, 0))
    for k, column in enumerate(columns):
        y = 0
        for each in column:
            whole.paste(each, (k * (INDEX_WIDTH + 8), y))
            y += each.height + 8
    return whole


def main(names):
    """Draw the named examples, else all and the index."""
    os.chdir(ROOT)
    make_models()
    drawn = []
    for path in files(names):
        picture = strip_of(path)
        if picture is None:
            sys.stderr.write(f"{path.name}: skipped, an input is missing\n")
            continue
        target = OUT / f"{name_of(path)}.png"
        picture.save(target)
        sys.stdout.write(f"{target.relative_to(ROOT)}\n")
        drawn.append(picture)
    if not names:
        index_of(drawn).save(OUT / "index.png")
        sys.stdout.write("build/strips/index.png\n")


if __name__ == "__main__":
    main(sys.argv[1:])
