"""Time a blend of four clips against sampling them.

python tests/bench/blend.py [MODEL CLIP ...]: microseconds of one sample (rest pose and clip), of
the weighted mean of four poses alone, and of the whole blend, the best of several runs that take
turns; the last column is the whole blend in samples, which is to stay below 4.5.
"""

import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT.parent / "shared" / "models"
sys.path[:0] = [str(ROOT)]

import numpy as np  # noqa: E402

from app.animation.blend import PoseStack, mix  # noqa: E402
from app.animation.pose import Pose  # noqa: E402
from app.animation.rig import Rig  # noqa: E402
from app.gltf.load import load  # noqa: E402

TURNS, CALLS = 400, 10  # short turns, so that some fall between what else the machine does
CASES = [
    (ROOT / "assets" / "mannequin.glb", "Walk"),
    (MODELS / "robot.glb", "Robot_Walking"),
    (MODELS / "Woman.gltf", "Walking"),
]


def best(works):
    """Microseconds of one call of each; taking turns, so that a busy moment hits all."""
    least = [np.inf] * len(works)
    for _ in range(TURNS):
        for i, work in enumerate(works):
            begin = time.perf_counter()
            for _ in range(CALLS):
                work()
            least[i] = min(least[i], (time.perf_counter() - begin) / CALLS * 1e6)
    return least


def measure(model, name):
    clip = next(clip for clip in model.clips if clip.name == name)
    rest = model.skeleton.rest
    pose, other = Pose.like(rest), Pose.like(rest)
    stack = PoseStack(Rig.bare(model.skeleton), 4)
    weights = np.array([0.1, 0.2, 0.3, 0.4])
    times = [clip.end * u for u in (0.13, 0.37, 0.61, 0.83)]

    def fill():
        for row, t in zip(stack.rows, times, strict=True):
            row.assign(rest)
            clip.sample(t, row)

    def mean():
        stack.mean(weights, pose)

    def blend():
        fill()
        mean()

    def over():
        mix(other, pose, 0.3, None, stack.rig)

    fill()
    mean()
    return best([fill, mean, blend, over])


def main(arguments):
    cases = list(zip(map(Path, arguments[::2]), arguments[1::2], strict=True)) or CASES
    head = ("sample us", "mean us", "blend us", "mix us", "blend / sample")
    sys.stdout.write(f"{'':32}" + "".join(f"{name:>15}" for name in head) + "\n")
    for path, name in cases:
        filled, mean, blend, over = measure(load(path), name)
        sample = filled / 4
        figures = "".join(f"{figure:15.1f}" for figure in (sample, mean, blend, over))
        sys.stdout.write(f"{path.name + ' ' + name:32}{figures}{blend / sample:15.2f}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
