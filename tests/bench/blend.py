"""Measures the time of blending four clips relative to sampling them.

python -m tests.bench.blend [MODEL CLIP ...]: microseconds of one sample (rest pose and clip), of
the weighted mean of four poses, of sampling and blending, and of mixing two poses, the best of many
short runs; then the ratio of the blend to one sample, which should stay below 4.5, with constant
and with changing weights. CLIP "several" uses four clips of the file, otherwise one clip is sampled
at four times. Without arguments the last case is a character of 65 animated joints.
"""

import itertools
import sys
import time
from pathlib import Path

import numpy as np

from rigview.animation.pose import Pose
from rigview.blending.blend import PoseStack, lerp_pose
from rigview.blending.pose_layout import PoseLayout
from rigview.cli.bench import benchmark_character
from rigview.loading.load import load

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT.parent / "shared" / "models"
TURNS, CALLS = 400, 10  # short runs, so that some are not interrupted
CASES = [
    (ROOT / "assets" / "mannequin.glb", "Walk"),
    (MODELS / "robot.glb", "Robot_Walking"),
    (MODELS / "Woman.gltf", "Walking"),
    (ROOT / "assets" / "mannequin.glb", "several"),
    (MODELS / "robot.glb", "several"),
    (MODELS / "Woman.gltf", "several"),
]
PHASES = (0.13, 0.37, 0.61, 0.83)


def best(works):
    """The least microseconds of one call of each function; runs are interleaved."""
    least = [np.inf] * len(works)
    for _ in range(TURNS):
        for i, work in enumerate(works):
            begin = time.perf_counter()
            for _ in range(CALLS):
                work()
            least[i] = min(least[i], (time.perf_counter() - begin) / CALLS * 1e6)
    return least


def measure(skeleton, four):
    rest = skeleton.rest
    pose, other = Pose.like(rest), Pose.like(rest)
    stack = PoseStack(PoseLayout.bare(skeleton), 4)
    weights = np.array([0.1, 0.2, 0.3, 0.4])
    others = itertools.cycle(np.random.default_rng(0).uniform(0.1, 1, (16, 4)))
    played = [(clip, clip.end * u) for clip, u in zip(four, PHASES, strict=True)]

    def fill():
        for (clip, t), row in zip(played, stack.rows, strict=True):
            row.assign(rest)
            clip.sample(t, row)

    def mean():
        stack.mean(weights, pose)

    def blend():
        fill()
        mean()

    def change():
        fill()
        stack.mean(next(others), pose)

    def over():
        lerp_pose(other, pose, 0.3, None, stack.rig)

    fill()
    mean()
    return best([fill, mean, blend, change, over])


def main(arguments):
    cases = list(zip(map(Path, arguments[::2]), arguments[1::2], strict=True)) or CASES
    head = ("sample us", "mean us", "blend us", "mix us", "blend / sample", "changing")
    sys.stdout.write(f"{'':32}" + "".join(f"{name:>15}" for name in head) + "\n")
    for path, name in cases:
        model = load(path)
        found = [clip for clip in model.clips if clip.name == name or name == "several"]
        show(f"{path.name} {name}", model.skeleton, [found[k % len(found)] for k in range(4)])
    if not arguments:
        show("65 joints", *benchmark_character())


def show(name, skeleton, four):
    filled, mean, blend, change, over = measure(skeleton, four)
    sample = filled / 4
    figures = "".join(f"{figure:15.1f}" for figure in (sample, mean, blend, over))
    ratios = f"{blend / sample:15.2f}{change / sample:15.2f}"
    sys.stdout.write(f"{name:32}{figures}{ratios}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
