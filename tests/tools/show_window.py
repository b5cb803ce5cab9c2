"""Draws the pictures of docs/window.md, and the moving one of the README, into docs/window.

`python -m tests.tools.show_window [--only WORD]`

`--only` draws the pictures whose name, such as docs-findings, contains all of some words.
"""

import argparse
import tempfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from rigview.rendering.context import create_context
from rigview.resources import asset_path
from rigview.session.file_wall import FilePictures, FileWall, show_wall
from rigview.tasks.still_pictures import draw_thumbnail
from rigview.tasks.thumbnail_cache import SIZE as THUMBNAIL
from tests.support.broken_characters import broken_character
from tests.support.diagnoses import DIAGNOSES, begin
from tests.support.file_version import Version
from tests.support.light_mannequin import light_mannequin
from tests.support.panels import PanelDriver
from tests.tools.show_panels import shown

OUT = Path(__file__).resolve().parents[2] / "docs" / "window"
SIZE = (1200, 750)  # points of the window
SHOWN = (960, 600)  # pixels of a picture
WALL = (  # of `broken_character`
    *("black-sword", "crossed-arms", "inside-out", "jerky-arm", "long-arm", "lost-sword", "pop"),
    *("open-body", "seam", "spike", "spin", "still-arm", "swollen-hand"),
)
PICTURES = {  # of docs/window.md: panels of `show_panels`
    "wall": "wall",
    "clips": "view",
    "joints": "joints",
    "meshes": "meshes",
    "morphs": "morphs",
    "stage": "stage sky",
    "follows": "follows",
    "timeline": "dope sheet",
    "clip-settings": "clip settings",
    "strips": "strips",
    "mapping": "clips mapping",
    "inspector": "inspector joint",
    "findings": "findings examples",
    "compare": "compare wipe",
    "curves": "speed",
    "mixer": "mixer",
    "space": "mixer space",
    "mask": "mixer mask",
    "events": "mixer events",
    "export": "export",
}
MOVING = "finding"  # of the README
FPS = 15
POINTER = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))


def _driver(context, path):
    driver = PanelDriver(context, path, size=SIZE)
    driver.session.settings.density = "compact"
    driver.session.interface.frame_ms = 1e3 / driver.clock.fps
    for image in driver.session.model.images:
        assert image.pixels.size  # decoded, for the texture memory of the panel
    driver.frames(2)
    return driver


def _picture(driver, scene):
    return Image.fromarray(driver.picture(scene=scene)).resize(SHOWN, Image.Resampling.LANCZOS)


def still(context, name, *, scene=True):
    """Return a picture of docs/window.md, or without the scene only the panels."""
    with tempfile.TemporaryDirectory() as folder:
        path = asset_path("mannequin.glb")
        if name == "compare":  # all clips take long
            path = Path(folder) / path.name
            path.write_bytes(Version(light_mannequin(frozenset({"Idle", "Walk"}))).glb())
        if name == "wall":
            driver = _wall(context, Path(folder))
        else:
            driver = _driver(context, path)
            driver.session.transport.pause_at(0.4)
            shown(driver, PICTURES[name])
        picture = _picture(driver, scene)
    driver.close()
    return picture


def _wall(context, folder):
    """Return the panels with the wall of a folder of characters and a folder."""
    folder = folder / "characters"
    (folder / "props").mkdir(parents=True)
    for name in WALL:
        (folder / f"{name}.glb").write_bytes(broken_character(name))
    (folder / "unfinished.glb").write_bytes(b"glTF")
    pixels = [draw_thumbnail(folder / f"{name}.glb", THUMBNAIL) for name in WALL]
    ExitStack().enter_context(context)  # which is current again
    driver = _driver(context, folder / f"{WALL[0]}.glb")
    show_wall(driver.session, folder)
    driver.session.interface.of(FileWall).folder = Path("/characters")  # the same on all machines
    pictures = driver.session.interface.of(FilePictures)
    for name, drawn in zip(WALL, pixels, strict=True):
        key = pictures.key(folder / f"{name}.glb")
        pictures.made[key] = driver.gui.add_picture(drawn)
    reason = "the file ends after 4 bytes"
    pictures.failed[pictures.key(folder / "unfinished.glb")] = reason
    driver.frames(3)
    return driver


def moving(context, *, scene=True):
    """Yield a function that draws each picture, and its ms: from a finding by a click to its curve.

    A picture is that of the moment of the call, before the next one is asked for.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pop.glb"
        path.write_bytes(broken_character("pop"))
        driver = _driver(context, path)
        begin(driver, DIAGNOSES["pop"])
    tab, finding, key = DIAGNOSES["pop"].clicks
    driver.click(tab)
    driver.frames(4)
    driver.session.transport.toggle()
    start = np.array(SIZE) * (0.55, 0.5)
    row = np.array(driver.place(finding))
    for place in (*[start] * 16, *_way(start, row), *[row] * 4):
        driver.move(*place)
        driver.frames(60 // FPS - 2)
        yield partial(_pointed, driver, place, scene), 1000 // FPS
    driver.click(finding)
    driver.frames(30)
    yield partial(_pointed, driver, row, scene), 400
    aside, bad = np.array(SIZE) * (0.71, 0.3), np.array(SIZE) * (0.581, 0.741)
    for place in _way(row, aside):
        driver.move(*place)
        yield partial(_pointed, driver, place, scene), 1000 // FPS
    driver.frames(30)
    yield partial(_pointed, driver, aside, scene), 1500
    driver.key(*key.names)
    driver.frames(30)
    yield partial(_pointed, driver, aside, scene), 600
    for place in _way(aside, bad):
        driver.move(*place)
        yield partial(_pointed, driver, place, scene), 1000 // FPS
    driver.frames(30)
    yield partial(_pointed, driver, bad, scene), 2400
    driver.close()


def _way(start, end):
    """Return the places of a pointer that moves smoothly, without the first."""
    for x in np.arange(1, 11) / 10:
        yield start + (end - start) * (x * x * (3 - 2 * x))


def _pointed(driver, place, scene):
    """Return the picture with the pointer."""
    picture = _picture(driver, scene)
    at = np.array(place) * SHOWN[0] / SIZE[0]
    outline = [tuple(at + point) for point in POINTER]
    ImageDraw.Draw(picture).polygon(outline, fill="white", outline="black")
    return picture


def main():
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    words = parser.parse_args().only.split()
    OUT.mkdir(parents=True, exist_ok=True)
    context = create_context()
    context.simple_framebuffer((4, 4)).use()
    for name in (MOVING, *PICTURES):
        if not all(word in f"docs-{name}" for word in words):
            continue
        out = OUT / f"{name}.webp"
        if name == MOVING:
            drawn = ((draw(), duration) for draw, duration in moving(context))
            frames, durations = zip(*drawn, strict=True)
            film = {"save_all": True, "append_images": frames[1:], "duration": list(durations)}
            frames[0].save(out, quality=60, method=4, loop=0, **film)
        else:
            still(context, name).save(out, quality=75, method=6)
        print(f"{out}: {out.stat().st_size / 1000:.0f} kB")
    context.release()


if __name__ == "__main__":
    main()
