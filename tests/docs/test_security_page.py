"""SECURITY.md: its limits are those of the program."""

import re
from pathlib import Path

import pytest

from rigview import file_io
from rigview.animation import resample
from rigview.blending import stepped_mixer
from rigview.checks import baseline, rule_settings
from rigview.conversion import cache as conversion_cache
from rigview.conversion import conversion_settings
from rigview.fields import readers
from rigview.gltf import accessor, document, images, limits, skins
from rigview.golden import files as golden_files
from rigview.images import frame_times
from rigview.loading import bvh
from rigview.options.parser import parse
from rigview.pages import page
from rigview.rendering import render_target
from rigview.scene import hdri
from rigview.session import settings
from rigview.tasks import bake, clip_choice, thumbnail_cache
from rigview.tomlfile import parse as toml

TEXT = (Path(__file__).resolve().parents[2] / "SECURITY.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \| (?:`[^`]+` )?\|$", TEXT, re.MULTILINE))
KIB = 1 << 10


def in_bytes(size):
    """A size as the page writes it: 4 GiB."""
    unit = next(k for k in (3, 2) if size % KIB**k == 0)
    return f"{size // KIB**unit} {' KMG'[unit]}iB"


def spaced(number):
    """A number as the page writes it: 10 000."""
    text = f"{number:,.0f}"
    return text if len(text) < 6 else text.replace(",", " ")


def square(pixels):
    side = round(pixels**0.5)
    assert side * side == pixels
    return f"{side} × {side}"


LIMITS = {
    "size of a file": in_bytes(file_io.MAX_BYTES),
    "arrays of a glTF file in memory": f"{in_bytes(accessor._BASE_LIMIT)} + {accessor._RATIO} times"
    " the size of the file",
    "JSON of a glTF file": f"{in_bytes(document.MAX_JSON)} and {spaced(document.MAX_VALUES)}"
    " values",
    "size of an encoded image": in_bytes(images.MAX_BYTES),
    "pixels of an image": square(images.MAX_PIXELS),
    "pixels of the images of a file that are decoded, in every scan of a JPEG": "64 × "
    + square(images.MAX_DECODED / 64),
    "pixels of the images of a file that are shown": f"3 × {square(images.MAX_SHOWN / 3)}",
    "time of a conversion by Blender": f"{conversion_settings.SECONDS:g} s",
    "memory of Blender, on Linux; on Windows and macOS it is not limited": in_bytes(
        conversion_settings.MEMORY
    ),
    "converted files in the cache": in_bytes(conversion_cache.MAX_BYTES),
    "thumbnails in the cache": in_bytes(thumbnail_cache.MAX_BYTES),
    "size of a `.bvh` file": in_bytes(bvh.MAX_BYTES),
    "memory for the textures of a file": in_bytes(document.MAX_MEMORY),
    "memory to decode an image": in_bytes(document.MAX_MEMORY),
    "influences of a vertex": spaced(skins.MAX_INFLUENCES),
    "nodes of a file": spaced(limits.NODES),
    "joints of a skin, or of a `.bvh` file": spaced(limits.JOINTS),
    "clips of a file": spaced(limits.CLIPS),
    "primitives to draw, for each node of their mesh": f"{limits.PRIMITIVES}",
    "vertices of these primitives, for each instance, also where they share an accessor": spaced(
        limits.VERTICES
    ),
    "indices of these primitives": spaced(limits.INDICES),
    "vertices times morph targets of these primitives": spaced(limits.DISPLACEMENTS),
    "clips of a file in `check --joins` or `report`": f"{clip_choice.MOST_COMPARED}",
    "characters that a report plays, packed": in_bytes(page.MOST_PLAYED),
    "size of an environment map": in_bytes(hdri.MAX_BYTES),
    "pixels of an environment map": square(hdri.LARGEST),
    "size of a motion file, and of a configuration file": in_bytes(toml.MAX_BYTES),
    "accepted findings, clips and rules that a configuration file lists, each": (
        f"{rule_settings.MOST_ENTRIES}"
    ),
    "size of the settings file": in_bytes(settings.MAX_BYTES),
    "size of a baseline": in_bytes(baseline.MAX_BYTES),
    "size of a golden, packed and unpacked": in_bytes(golden_files.MAX_BYTES),
    "parts of a dotted TOML key": spaced(toml.MAX_KEY_PARTS),
    "playback speed": f"±{readers.LARGEST_SPEED:.0f}",
    "events of a list": spaced(stepped_mixer.MAX_EVENTS),
    f"steps of a list of events: one for {stepped_mixer.LONGEST:.0f} s, {stepped_mixer.RATE} a"
    " second while weights change or a pivot turns": spaced(stepped_mixer.MAX_STEPS),
    "side of a picture (`--resolution`)": f"{spaced(readers.LARGEST_SIDE)} pixels",
    "memory to draw a picture": f"{in_bytes(render_target.MAX_BYTES)}: 8192 × 8192 pixels with 16"
    " samples",
    "frames of a video": spaced(frame_times.MAX_FRAMES),
    "frames of `--frames`": spaced(readers.MOST_FRAMES),
    "characters of `--crowd`": spaced(readers.LARGEST_CROWD),
    "keys of `bake --fps`": spaced(resample.MOST_KEYS),
    "keys per track of `bake --mix`": spaced(bake.MOST_MIX_KEYS),
}


def test_the_limits_are_listed():
    assert set(ROWS) - {"what", "---"} == set(LIMITS)


@pytest.mark.parametrize("what", LIMITS)
def test_limit(what):
    assert ROWS[what].partition(";")[0] == LIMITS[what]


def test_equal_limits():
    assert f"all of a file together {in_bytes(images.MAX_ENCODED)}" in TEXT
    assert clip_choice.MOST_REPORTED == clip_choice.MOST_COMPARED
    options = parse("render", ["a.glb", "-o", "a.png"])
    assert options.general.max_memory == document.MAX_MEMORY


def test_the_example_of_a_limit_is_understood():
    (command,) = re.findall(r"rigview (\w+ [^']+)'", TEXT)
    name, *arguments = command.split()
    assert parse(name, arguments).files == ("FILE",)
