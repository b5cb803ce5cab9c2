"""Measures a frame of a motion file: advancing by 1/60 s, and sampling the pose.

python -m tests.bench.motion [MOTION ...]: microseconds of a frame during playback, the best of
many short runs, for one character and for 100 with one motion file. Each motion file is in the
folder of a character of the same name; by default that of the mannequin, and the layers below.
"""

import sys
import time
from pathlib import Path

import numpy as np

from rigview.animation.pose import Pose
from rigview.loading.load import load
from rigview.motion.bind import bind
from rigview.motion.read import read_motion
from tests.support.motion_texts import document_from

ROOT = Path(__file__).resolve().parents[2]
MANNEQUIN = ROOT / "assets" / "mannequin.glb"
BATCH_LAST = 100
SECONDS = 6.0  # of playback
TURN = 20  # frames
ROUNDS = 5
STACK = """
version = 1
[parameters]
speed = { default = 2.0, range = [0, 4], damp = 0.2 }
look_at = { default = [0.5, 1.6, 2.0] }
[clips.Walk]
sync = { left = 0.25, right = 0.75 }
events = [{ name = "foot_l", phase = 0.25 }, { name = "foot_r", phase = 0.75 }]
root = { joint = "Hips", mode = "accumulate", axes = "xz", turn = true }
[clips.Run]
sync = { left = 0.25, right = 0.75 }
events = [{ name = "run_l", phase = 0.25 }, { name = "run_r", phase = 0.75 }]
root = { joint = "Hips", mode = "accumulate", axes = "xz", turn = true }
[masks.upper]
joints = { Spine = 0.3, Spine1 = 0.6, RightShoulder = 1.0 }
[spaces.loco]
kind = "line"
x = "speed"
clips = [{ clip = "Walk", at = 1.4 }, { clip = "Run", at = 4 }]
sync = true
[additives.Lean]
source = "LeanLeft"
reference = { clip = "Walk" }
[aims.head]
chain = { Neck = 0.5, Head = 1.0 }
target = "look_at"
limit = 70
[[layers]]
name = "base"
play = "loco"
[[layers]]
name = "wave"
play = "Wave"
mask = "upper"
weight = 0.8
[[layers]]
name = "lean"
play = "Lean"
weight = 0.5
[[layers]]
name = "head"
play = "head"
"""


def frames(model, doc, batch):
    """Microseconds of advancing, of the pose, and of both: the least mean of a run."""
    least = np.full(3, np.inf)
    pose = Pose.like(model.skeleton.rest, batch)
    for _ in range(ROUNDS):
        mixer = bind(model, doc, batch=batch)
        spent = []
        for k in range(int(SECONDS * 60)):
            begin = time.perf_counter()
            mixer.play(k / 60)
            middle = time.perf_counter()
            mixer.sample(pose)
            mixer.commit_long_step(0.5)  # as during continuous playback
            spent.append((middle - begin, time.perf_counter() - middle))
        turns = np.array(spent).reshape(-1, TURN, 2)[1:].mean(axis=1) * 1e6
        least = np.minimum(least, [*turns.min(axis=0), turns.sum(axis=1).min()])
    return least


def main(arguments):
    cases = []
    for path in map(Path, arguments or [MANNEQUIN.with_suffix(".motion.toml")]):
        glb = path.with_name(path.name.removesuffix(".motion.toml") + ".glb")
        cases.append((path.name, load(glb), read_motion(path).document))
    if not arguments:
        cases.append(("four layers", cases[0][1], document_from(STACK)))
    head = ("play us", "sample us", "frame us")
    sys.stdout.write(f"{'':40}" + "".join(f"{name:>12}" for name in head) + "\n")
    for name, model, doc in cases:
        for batch in ((), (BATCH_LAST,)):
            what = f"{name}, {BATCH_LAST} characters" if batch else name
            figures = frames(model, doc, batch)
            sys.stdout.write(f"{what:40}" + "".join(f"{f:12.0f}" for f in figures) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
