"""Speed bound of fades between clips of real characters, sampled at 1 kHz."""

from pathlib import Path

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.blending.cross_fade import FadeSettings, FadeSource
from rigview.blending.pose_layout import PoseLayout
from rigview.loading.load import load
from tests.support.function_sources import FunctionSource, clip_at
from tests.support.shared import MODELS

CHARACTERS = {
    "mannequin": Path(__file__).resolve().parents[2] / "assets" / "mannequin.glb",
    "robot": MODELS / "robot.glb",
    "Fox": MODELS / "Fox.glb",
}
SLACK = 2e-5  # radians or metres at a size of 1: float32 of poses, and of the turns between them


def angles(a, b):
    """Return angles between the rotations of two poses [J], radians, exact for small angles."""
    a, b = a.rotation.astype(float), b.rotation.astype(float)
    apart, other = np.linalg.norm(a - b, axis=1), np.linalg.norm(a + b, axis=1)
    return 4 * np.arctan2(np.minimum(apart, other), np.maximum(apart, other))


def distances(a, b):
    return np.linalg.norm(a.translation.astype(float) - b.translation, axis=1)


class Watch:
    """Compares steps of a fade with the bound v_A + v_B + 2 · 1.5 · |A - B| / duration."""

    def __init__(self, fade, rest):
        self.fade, self.rest = fade, rest
        self.before = self.look()
        self.crossed = np.zeros(rest.count, bool)  # joints that have come to half a turn apart

    def look(self):
        poses = [Pose.like(self.rest) for _ in range(3)]
        for source, pose in zip((self.fade.old, self.fade.new, self.fade), poses, strict=True):
            source.sample(pose)
        return poses

    def check(self):
        was, now = self.before, self.look()
        share = 3e-3 / self.fade.seconds
        for measure, size in ((angles, 1.0), (distances, np.abs(self.rest.translation).max())):
            v_a, v_b, moved = (measure(x, y) for x, y in zip(was, now, strict=True))
            apart = np.maximum(measure(*was[:2]), measure(*now[:2]))
            if measure is angles:
                self.crossed |= apart > np.radians(175)
                apart = np.where(self.crossed, 4, 2 * np.sin(apart / 2))
            bound = v_a + v_b + share * apart
            assert (moved <= bound + SLACK * size).all()
        self.before = now


@pytest.fixture(scope="module", params=CHARACTERS)
def model(request):
    path = CHARACTERS[request.param]
    if not path.exists():
        pytest.skip(f"{path.name} is not here")
    return load(path)


@pytest.mark.parametrize("seed", range(8))
def test_joint_rotations_stay_within_speed_bound(model, seed):
    """Random clips, speeds and fades, and a nested fade at a random time."""
    rng = np.random.default_rng(seed)
    rig, rest = PoseLayout.bare(model.skeleton), model.skeleton.rest
    taken = []

    def source(tau):
        clip = model.clips[rng.integers(len(model.clips))]
        taken.append(clip.name)
        return FunctionSource(
            clip_at(clip, rest, rng.uniform(0, clip.end), rng.choice([1, -1, 3])), tau
        )

    def fade(old, new, tau):
        return FadeSource(
            old,
            new,
            tau,
            FadeSettings(
                float(rng.choice([0.05, 0.15, 0.3])),
                ease=rng.choice(["cubic", "linear"]),
                kind=rng.choice(["smooth", "frozen"]),
                rotation=rng.choice(["nlerp", "slerp"]),
            ),
            rig,
        )

    top = fade(source(0.0), source(0.0), 0.0)
    watch = Watch(top, rest)
    again = set(rng.integers(5, 250, 2).tolist())
    for k in range(300):
        if k in again:
            shown = watch.before[2]
            top = fade(top, source(k / 1000), k / 1000)
            watch = Watch(top, rest)
            assert watch.before[2].equals(shown)
        top.advance(k / 1000, (k + 1) / 1000)
        watch.check()
        if top.is_complete((k + 1) / 1000):
            assert watch.before[2].equals(watch.before[1])


def joint_positions(model, pose):
    return model.skeleton.to_model(pose)[:, :3, 3].astype(float)


@pytest.mark.parametrize(("old", "new"), [("Idle", "Run"), ("Walk", "Run"), ("Run", "Wave")])
def test_joint_positions_stay_within_speed_bound(old, new):
    """The same for positions in model space, with upright clips.

    Where a whole chain folds (from walking to lying prone in 0.05 s) the turns of a chain add up,
    and a joint that is to end where it began still has a way to go: there the bound holds joint
    by joint, as above.
    """
    model = load(CHARACTERS["mannequin"])
    rig, rest = PoseLayout.bare(model.skeleton), model.skeleton.rest
    clips = {clip.name: clip for clip in model.clips}
    for name, kind in (("cubic", "smooth"), ("linear", "smooth"), ("cubic", "frozen")):
        a, b = (FunctionSource(clip_at(clips[clip_name], rest, 0.2)) for clip_name in (old, new))
        fade = FadeSource(a, b, 0.0, FadeSettings(0.1, ease=name, kind=kind), rig)
        watch = Watch(fade, rest)
        was = [joint_positions(model, pose) for pose in watch.before]
        for k in range(100):
            fade.advance(k / 1000, (k + 1) / 1000)
            now = [joint_positions(model, pose) for pose in watch.look()]
            v_a, v_b, moved = np.linalg.norm(np.array(now) - was, axis=-1)
            apart = np.linalg.norm(now[0] - now[1], axis=-1)
            assert (moved <= v_a + v_b + 3e-3 / 0.1 * apart + SLACK).all()
            was = now
