"""Measures a pose, from clip to skin palette, for one character and for crowds.

Usage: python -m tests.bench.pose [MODEL ...]     (default: the characters of ../shared/models)

Microseconds per character, the best of several runs: local transforms (sample), model matrices
(model) and skin palettes (palette), of one character or one block of a crowd, and all of them for
the whole crowd (all). If ../shared/bench exists, its plain numpy version is measured (plain).
"""

import gc
import itertools
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from rigview.animation.crowd import Crowd
from rigview.animation.pose import BLOCK, Pose
from rigview.animation.types import F64
from rigview.loading.load import load
from rigview.model.model import Model

SHARED = Path(__file__).resolve().parents[3] / "shared"
CROWDS = (1, 100, 1000)
CLIPS = {"robot.glb": "Robot_Walking", "Woman.gltf": "Walking", "Fox.glb": "Run"}
CHARACTERS = (*CLIPS, "CesiumMan.glb")
STEPS = 60  # calls, after which the times begin again


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


def later(times: F64, end: float) -> Iterator[F64]:
    """Yield times 1/60 s later at each call, without end; they are computed beforehand."""
    return itertools.cycle([(times + k / 60) % end for k in range(STEPS)])


class Steps:
    """The steps of a pose of one character, or of a crowd that plays a clip."""

    def __init__(self, model: Model, clip_name: str, count: int) -> None:
        self._clip = next((c for c in model.clips if c.name == clip_name), model.clips[0])
        self._model = model
        self._times = (np.arange(count) * 0.61803 + 0.3) % 1 * self._clip.end
        batch = () if count == 1 else (min(count, BLOCK),)
        self._block = self._times[:BLOCK].reshape(batch)
        self._pose = Pose.like(model.skeleton.rest, batch)
        self._matrices = model.skeleton.to_model(self._pose)
        self._palettes = [skin.palette(self._matrices) for skin in model.skins]
        self._crowd = None
        if count > 1:
            world = np.tile(np.eye(4, dtype=np.float32), (count, 1, 1))
            members = np.zeros(count, int)
            self._crowd = Crowd(model.skeleton, model.skins, [self._clip], members, world)
        self._later = later(self._times, self._clip.end)

    def sample(self) -> None:
        """Compute the local transforms of the first block."""
        self._pose.assign(self._model.skeleton.rest)
        self._clip.sample(self._block, self._pose)

    def to_model(self) -> None:
        """Compute its model matrices."""
        self._model.skeleton.to_model(self._pose, out=self._matrices)

    def palette(self) -> None:
        """Compute its skin palettes."""
        for skin, out in zip(self._model.skins, self._palettes, strict=True):
            skin.palette(self._matrices, out=out)

    def next_frame(self) -> None:
        """Do all of it for every character, 1/60 s later than before."""
        times = next(self._later)
        if self._crowd is not None:
            self._crowd.pose_at(times)
            return
        self._block = times[0]
        self.sample()
        self.to_model()
        self.palette()


def measure(model: Model, clip_name: str, count: int) -> dict[str, float]:
    """Return the microseconds per character of each step and of all."""
    steps, in_block = Steps(model, clip_name, count), min(count, BLOCK)
    return {
        "sample": best(steps.sample) * 1e6 / in_block,
        "model": best(steps.to_model) * 1e6 / in_block,
        "palette": best(steps.palette) * 1e6 / in_block,
        "all": best(steps.next_frame) * 1e6 / count,
    }


def plain_numpy(path: Path, clip_name: str, count: int) -> float | None:
    """Return the microseconds per character of ../shared/bench, None if it is missing."""
    sys.path.append(str(SHARED / "bench"))
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
    heads = ("sample", "model", "palette", "all", "plain")
    say(f"{'us per character':24}{'crowd':>6}" + "".join(f"{head:>9}" for head in heads))
    for path in paths:
        model = load(path)
        clip = CLIPS.get(path.name, model.clips[0].name)
        for count in CROWDS:
            found = measure(model, clip, count)
            figures = [*found.values(), plain_numpy(path, clip, count)]
            cells = (f"{'':9}" if each is None else f"{each:9.2f}" for each in figures)
            say(f"{path.name:24}{count:6}" + "".join(cells))


if __name__ == "__main__":
    main()
