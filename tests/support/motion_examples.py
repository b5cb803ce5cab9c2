"""Poses of the motion files of tests/motion_examples and of single clips, by `rigview pose`."""

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from rigview.cli.main import main
from rigview.resources import asset_path

EXAMPLES = Path(__file__).resolve().parents[1] / "motion_examples"
MANNEQUIN = asset_path("mannequin.glb")


def run_pose(*arguments):
    """The arrays that `rigview pose …` writes."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "pose.npz"
        assert main(["pose", *map(str, arguments), "-o", str(out), "--quiet"]) == 0
        with np.load(out) as arrays:
            found = dict(arrays)
    for key in ("node_local", "node_global"):
        found[key] = found[key].astype(np.float64)
    return found


def time_list(times):
    return ",".join(f"{time:.9g}" for time in np.atleast_1d(times))


def example(name, times, *options, model=MANNEQUIN):
    """The arrays of a motion example at some times."""
    file = EXAMPLES / f"{name}.motion.toml"
    return run_pose(model, "--motion", file, f"--time={time_list(times)}", *options)


@lru_cache(maxsize=256)
def clip_pose(name, time, model=MANNEQUIN):
    """Local transforms [N, 10] of a clip at a time; of the rest pose for None."""
    return clip_arrays(name, time, model)["node_local"][0]


@lru_cache(maxsize=256)
def clip_arrays(name, time, model=MANNEQUIN):
    """All arrays of a looping clip at a time; of the rest pose for None."""
    if name is None:
        return run_pose(model, "--no-motion", "--pose", "rest")
    return run_pose(
        model, "--no-motion", "--animation", name, "--loop", "loop", f"--time={time:.9g}"
    )


@lru_cache(maxsize=16)
def clip_cycle(name, seconds, count):
    """Local transforms [count, N, 10] over one pass of a clip, without its end."""
    times = time_list(np.arange(count) / count * seconds)
    return run_pose(MANNEQUIN, "--no-motion", "--animation", name, f"--time={times}")["node_local"]


@lru_cache(maxsize=1)
def node_indices():
    """The index of each node of the mannequin by its name."""
    return {name: k for k, name in enumerate(clip_arrays(None, 0)["node_names"])}


def joint_positions(arrays, joint):
    """The position [T, 3] of a joint in model space."""
    return arrays["node_global"][:, node_indices()[joint], :3, 3]
