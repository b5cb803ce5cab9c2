"""Files that are measured: generated ones, the same bytes on every run, and sample models."""

import numpy as np

from rigview.resources import asset_path
from tests.support.light_mannequin import light_mannequin
from tests.support.radiance_files import write_radiance
from tests.support.shared import MODELS
from tests.tools import large_files

LARGE = ("small", "medium", "face", "clips", "keys")
MAP = (2048, 4096)  # pixels of an environment, rows first
MANY = 40  # files of a folder
CLIPS = frozenset(("Idle", "Walk", "Run", "Wave"))  # of each of them


def prepare(folder):
    """Write the files that are missing in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in LARGE:
        if not list(folder.glob(f"{name}*.glb")):
            large_files.FILES[name](folder)
    if not environment(folder).exists():
        _write_environment(environment(folder))
    many(folder).mkdir(exist_ok=True)
    for number in range(MANY):
        path = many(folder) / f"character{number:02}.glb"
        if not path.exists():
            path.write_bytes(light_mannequin(CLIPS))


def environment(folder):
    """Return the path of an environment map."""
    return folder / "environment.hdr"


def many(folder):
    """Return the folder of many characters."""
    return folder / "many"


def samples(*names):
    """Return the sample models beside the checkout, the bundled character if there are none."""
    found = [MODELS / name for name in names if (MODELS / name).exists()]
    return found or [asset_path("mannequin.glb")]


def _write_environment(path):
    """A sky with a sun, and noise."""
    rng = np.random.default_rng(4)
    height, width = MAP
    up = np.cos(np.linspace(0, np.pi, height))[:, None, None]
    light = np.clip(0.4 + up * (0.1, 0.2, 0.5), 0.05, None) * rng.uniform(0.8, 1.2, (*MAP, 3))
    light[height // 4 : height // 4 + 24, width // 3 : width // 3 + 24] = 3000.0
    write_radiance(path, light)
