"""Functions that are run like commands: they return 0, or raise AppError.

Some import what they use, so that others start quickly.
"""

import json
import resource
import warnings
import zlib
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from rigview.gltf.document import open_document
from rigview.gltf.read_model import read_model
from rigview.gltf.save import save
from rigview.loading.load import load
from rigview.model.model import Model
from rigview.tomlfile.parse import parse_toml
from tests.fuzz.played_file import play_model, run_rules, sample_properties
from tests.support.fixed_clock import FixedClock

BASE_MEMORY = 96 << 20  # bytes that the loading of any file may take
FACTOR = 64  # bytes of memory for a byte of the file: objects of JSON are larger than their text
BUDGET = 1 << 26  # bytes of pixels
DECODED = 16  # files to one whose images are decoded too


def _figure():
    """The path of the character, a.glb or a.gltf."""
    return next(path for path in (Path("a.glb"), Path("a.gltf")) if path.exists())


def load_bytes():
    """Load the bytes of a file: a Model or AppError, in memory linear in its size."""
    data = _figure().read_bytes()
    before = _peak()
    try:
        assert isinstance(load(data), Model)
    finally:
        used = _peak() - before
        assert used < BASE_MEMORY + FACTOR * len(data), f"{used >> 20} MiB for {len(data)} bytes"


def decode_images():
    """Decode all images, within a budget."""
    before = _peak()
    for image in load(_figure(), max_memory=BUDGET).images:
        assert image.pixels.ndim == 3
    used = _peak() - before
    assert used < BASE_MEMORY + 4 * BUDGET, f"{used >> 20} MiB"


def _peak():
    """The peak of the process's memory, bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def save_and_load():
    """Save a loaded file without changes: it can be loaded, and has the same JSON elsewhere."""
    document = open_document(_figure())
    read_model(document)
    saved = open_document(save(document, {}).data)
    read_model(saved)
    before, after = _comparable(document.json), _comparable(saved.json)
    assert before == after, "other values have changed"


def _comparable(document):
    """The JSON without what saving may change: data, and references to it."""
    moved = (
        "extensionsUsed",
        "extensionsRequired",
        "accessors",
        "bufferViews",
        "buffers",
        "images",
        "animations",
        "meshes",
        "skins",
    )
    return json.dumps({k: v for k, v in document.items() if k not in moved}, sort_keys=True)


def session():
    """Open a file in a session without a window, and play."""
    from rigview.session import character_files
    from rigview.session.session import Session

    clock = FixedClock(30)
    opened = Session(clock)
    opened.tick()
    character_files.open_file(opened, _figure())
    for frame in (1, 2, 10, 100, 100_000):
        clock.frame = frame
        opened.tick()
        opened.update()


def open_window():
    """Open a file in a window that is drawn off-screen, and use its menus."""
    from tests.fuzz import opened_window  # where there is OpenGL

    opened_window.open_window(_figure().name)


@contextmanager
def _strict():
    """Let warnings be errors, also those of numpy."""
    with warnings.catch_warnings(), np.errstate(divide="raise", over="raise", invalid="raise"):
        warnings.simplefilter("error")
        yield


def play():
    """Load a file and play it; of some files, decode the images."""
    data = _figure().read_bytes()
    with _strict():
        model = load(data, root=Path.cwd())
        play_model(model)
        for image in model.images if zlib.crc32(data) % DECODED == 0 else ():
            assert image.pixels.ndim == 3


def play_all():
    """Load a file, play it with its animated properties, and describe it."""
    with _strict():
        model = load(_figure().read_bytes(), root=Path.cwd())
        play_model(model)
        sample_properties(model)


def run_all_rules():
    """Load a file and run all rules on it."""
    with _strict():
        run_rules(load(_figure().read_bytes(), root=Path.cwd()))


def compare_pictures():
    """Draw the random document of a seed in several ways."""
    from tests.fuzz import compare_pictures as pictures  # where there is OpenGL

    pictures.compare(int(Path("seed").read_text()))


def settings_file():
    """Read the settings and write them."""
    from rigview.session import settings

    found, _ = settings.load()
    settings.save(found)
    assert settings.load() == (found, "")


def motion_text():
    """Read a motion file; written as a new file and read again, it is the same."""
    from rigview.motion.read import read_motion
    from rigview.motion.write import write_motion

    file = read_motion("a.motion.toml")
    text = write_motion(file, file.document)
    parse_toml(text)
    assert text == file.text, "an unchanged document changes the text"


def environment_map():
    """Read an environment map."""
    from rigview.scene.hdri import read as read_environment

    (path,) = Path().glob("sky.*")
    pixels = read_environment(path)
    assert np.isfinite(pixels).all(), "pixels are finite"


def golden_picture():
    """Compare a picture with a stored one."""
    from rigview.golden.golden import Golden, Rules

    image = np.full((4, 4, 4), 128, np.uint8)
    Golden(Path("stored"), Path("failed"), Rules()).picture(image, "llvmpipe")


def golden_pose():
    """Compare a pose with a stored one."""
    from rigview.golden.golden import Golden, Rules
    from rigview.golden.pose_comparison import Limits

    pose = {"node_local": [[0.0] * 10], "node_names": ["Hips"]}
    Golden(Path("stored"), Path("failed"), Rules()).pose(pose, Limits())


FUNCTIONS = {
    function.__name__: function
    for function in (
        load_bytes,
        decode_images,
        save_and_load,
        session,
        open_window,
        play,
        play_all,
        run_all_rules,
        compare_pictures,
        settings_file,
        motion_text,
        environment_map,
        golden_picture,
        golden_pose,
    )
}
QUICK = (
    "play",
    "play_all",
    "run_all_rules",
)  # many are called in one process, each for a short time
