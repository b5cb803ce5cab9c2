"""One representative of each kind of file that Rigview writes, in two versions of its content.

A writer is a function of the target and the version, 0 or 1; it returns an exit status.
"""

from functools import partial
from importlib import import_module

import numpy as np

from rigview.cli.main import main
from rigview.errors import AppError
from rigview.golden.golden import Golden, Rules
from rigview.images.frame_times import FrameTimes
from rigview.images.png import as_png
from rigview.motion.read import parse_motion
from rigview.motion.write import save_motion
from rigview.options.parser import parse
from rigview.pages.page import build
from rigview.scene import hdri
from rigview.scene.environment import Environment
from rigview.session import settings
from rigview.tasks.output import write
from rigview.tasks.render_video import write_frames
from tests.support.gltf_documents import Builder
from tests.support.page_entries import entry

for name in ("av", "av.subtitles.stream", "av.video.reformatter", "rigview.cli.bake"):
    import_module(name)  # otherwise imported while a file is written

VIDEOS = (".gif", ".mp4", ".webm", ".webp")
COLOURS = ([200, 120, 40, 255], [20, 60, 220, 128])


def writers(folder):
    """Return the writers by the names of their targets; `folder` keeps their input files."""
    sources = [folder / f"character{version}.glb" for version in range(2)]
    for version, source in enumerate(sources):
        source.write_bytes(character(version))
    pages = [build([entry(f"page{version}.glb")]).encode() for version in range(2)]
    return {
        "picture.png": _picture,
        **{f"video{ending}": _video for ending in VIDEOS},
        "page.html": partial(_data, pages),
        "baked.glb": partial(_baked, sources),
        "character.motion.toml": _motion,
        "settings.toml": _settings,
        "golden.png": _golden,
        "cache.npz": _cache,
    }


def checked(action, *arguments):
    """Return the exit status of a function as the command line does."""
    try:
        return action(*arguments) or 0
    except AppError as error:
        return error.exit_code


def character(version):
    """A node that turns, with more keys than it needs."""
    b = Builder()
    node = b.add("nodes", name=f"Node {version}", mesh=b.mesh())
    b.add("scenes", nodes=[node])
    times = np.linspace(0, 1, 9, dtype=np.float32)
    b.animation((node, "translation", times, np.outer(times, [1 + version, 0, 0])), name="Slide")
    return b.glb()


def _still(version, number=0):
    picture = np.full((16, 16, 4), COLOURS[version], np.uint8)
    picture[4:8, number % 12 : number % 12 + 4] = 255
    return picture


def _picture(target, version):
    write(str(target), as_png(_still(version)))


def _video(target, version):
    options = parse("render", ["character.glb", "-o", str(target), "--quiet"])
    times = FrameTimes(tuple(k / 10 for k in range(3)), 10)
    frames = (_still(version, k) for k in range(3))
    write_frames(options, [str(target)], times, frames, loop=True)


def _data(data, target, version):
    write(str(target), data[version])


def _baked(sources, target, version):
    return main(["bake", str(sources[version]), "-o", str(target), "--quiet"])


def _motion(target, version):
    file = parse_motion("version = 1\n# kept\n")
    document = parse_motion(
        f"version = 1\nparameters = {{ speed = {{ default = {version} }} }}\n"
    ).document
    save_motion(target, file, document)


def _settings(target, version):
    settings.save(settings.Settings(ui_scale=1.0 + version), target)


def _golden(target, version):
    golden = Golden(target.with_suffix(""), target.with_name("failed"), Rules(update=True))
    golden.picture(_still(version), "a renderer")


def _cache(target, version):
    levels = np.full((7, 4, 4, 3), version + 0.5, np.float32)
    error = hdri._write_cache(Environment(np.zeros((9, 3), np.float32), levels), target)
    return error.exit_code if error else 0
