"""The motion files of tests/motion_examples through the command line, and the clips alone."""

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from rigview.cli.main import main
from rigview.resources import asset_path

ROWS = Path(__file__).resolve().parents[1] / "motion_examples"
MANNEQUIN = asset_path("mannequin.glb")


def run(*arguments):
    """The arrays that `rigview pose …` writes."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "pose.npz"
        assert main(["pose", *map(str, arguments), "-o", str(out), "--quiet"]) == 0
        with np.load(out) as arrays:
            found = dict(arrays)
    for key in ("node_local", "node_global"):
        found[key] = found[key].astype(np.float64)
    return found


def listed(times):
    return ",".join(f"{time:.9g}" for time in np.atleast_1d(times))


def row(name, times, *options, model=MANNEQUIN):
    """What a motion file shows at some times."""
    file = ROWS / f"{name}.motion.toml"
    return run(model, "--motion", file, f"--time={listed(times)}", *options)


@lru_cache(maxsize=256)
def clip(name, time, model=MANNEQUIN):
    """Local transforms [N, 10] of a clip at a time, or of the rest pose for None."""
    return whole(name, time, model)["node_local"][0]


@lru_cache(maxsize=256)
def whole(name, time, model=MANNEQUIN):
    """All arrays of a clip at a time, which wraps."""
    if name is None:
        return run(model, "--no-motion", "--pose", "rest")
    return run(model, "--no-motion", "--animation", name, "--loop", "loop", f"--time={time:.9g}")


@lru_cache(maxsize=16)
def cycle(name, seconds, count):
    """Local transforms [count, N, 10] over a clip of that many seconds, its end left out."""
    times = listed(np.arange(count) / count * seconds)
    return run(MANNEQUIN, "--no-motion", "--animation", name, f"--time={times}")["node_local"]


@lru_cache(maxsize=1)
def order():
    """The number of each node of the mannequin by its name."""
    return {name: k for k, name in enumerate(whole(None, 0)["node_names"])}


def place(arrays, joint):
    """Where a joint is [T, 3]."""
    return arrays["node_global"][:, order()[joint], :3, 3]
