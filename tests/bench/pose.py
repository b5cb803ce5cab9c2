"""Measures a pose, from clip to skin palette, for one character and for crowds.

Usage: python tests/bench/pose.py [MODEL ...]     (default: the characters of ../shared/models)

Microseconds per character, the best of several runs: local transforms (sample), model matrices
(model) and skin palettes (palette), of one character or one block of a crowd, and all of them for
the whole crowd (all). If ../shared/bench exists, its plain numpy version is measured, too (numpy).
"""

import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
sys.path[:0] = [str(ROOT), str(SHARED / "bench")]

from rigview.animation.crowd import Crowd  # noqa: E402
from rigview.animation.pose import BLOCK, Pose  # noqa: E402
from rigview.gltf.load import load  # noqa: E402
from rigview.model.model import Model  # noqa: E402

CROWDS = (1, 100, 1000)
CLIPS = {"robot.glb": "Robot_Walking", "Woman.gltf": "Walking", "Fox.glb": "Run"}
CHARACTERS = (*CLIPS, "CesiumMan.glb")


def best(work: Callable[[], object], seconds: float = 0.03, runs: int = 9) -> float:
    """Return the least time of one call in seconds."""
    work()
    count, taken = 1, 0.0
    while taken < seconds:
        count *= 2
        taken = _repeat(work, count)
    gc.disable()
    taken = min(_repeat(work, count) for _ in range(runs)) / count
    gc.enable()
    return taken


def _repeat(work: Callable[[], object], count: int) -> float:
    begin = time.perf_counter()
    for _ in range(count):
        work()
    return time.perf_counter() - begin


def measure(model: Model, clip_name: str, count: int) -> dict[str, float]:
    """Return the microseconds per character of each step and of all."""
    clip = next((c for c in model.clips if c.name == clip_name), model.clips[0])
    times = (np.arange(count) * 0.61803 + 0.3) % 1 * clip.end
    batch = () if count == 1 else (min(count, BLOCK),)
    pose = Pose.like(model.skeleton.rest, batch)
    matrices = model.skeleton.to_model(pose)
    palettes = [skin.palette(matrices) for skin in model.skins]
    block = times[:BLOCK].reshape(batch)
    world = np.tile(np.eye(4, dtype=np.float32), (count, 1, 1))
    crowd = Crowd(model.skeleton, model.skins, [clip], np.zeros(count, int), world)

    def sample() -> None:
        pose.assign(model.skeleton.rest)
        clip.sample(block, pose)

    def palette() -> None:
        for skin, out in zip(model.skins, palettes, strict=True):
            skin.palette(matrices, out=out)

    def one() -> None:
        sample()
        model.skeleton.to_model(pose, out=matrices)
        palette()

    everything = one if count == 1 else lambda: crowd.pose_at(times)
    in_block = min(count, BLOCK)
    return {
        "sample": best(sample) * 1e6 / in_block,
        "model": best(lambda: model.skeleton.to_model(pose, out=matrices)) * 1e6 / in_block,
        "palette": best(palette) * 1e6 / in_block,
        "all": best(everything) * 1e6 / count,
    }


def plain_numpy(path: Path, clip_name: str, count: int) -> float | None:
    """Return the microseconds per character of ../shared/bench, None if it is missing."""
    try:
        import spike_pose
    except ImportError:
        return None
    rig = spike_pose.build(path, clip_name)
    times = ((np.arange(count) * 0.61803 + 0.3) % 1 * rig.dur).astype(np.float32)
    if count == 1:
        return best(lambda: spike_pose.pose_np1(rig, float(times[0]))) * 1e6
    return best(lambda: spike_pose.pose_np(rig, times)) * 1e6 / count


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(line + "\n")


def main() -> None:
    """Print a line for each model and size of crowd."""
    paths = [Path(name) for name in sys.argv[1:]]
    paths = paths or [SHARED / "models" / name for name in CHARACTERS]
    heads = ("sample", "model", "palette", "all", "numpy")
    say(f"{'us per character':24}{'crowd':>6}" + "".join(f"{head:>9}" for head in heads))
    for path in paths:
        model = load(path)
        clip = CLIPS.get(path.name, model.clips[0].name)
        for count in CROWDS:
            found = measure(model, clip, count)
            other = plain_numpy(path, clip, count)
            figures = "".join(f"{figure:9.2f}" for figure in found.values())
            say(f"{path.name:24}{count:6}{figures}" + (f"{other:9.2f}" if other else ""))


if __name__ == "__main__":
    main()
