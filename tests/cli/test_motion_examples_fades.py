"""Fades cause no jumps: ten random fades, sampled at 1 kHz by `rigview pose --at`.

A is what would be shown without the fade (where it is frozen: what was shown as it began), B the
new clip. The bound for a step of 1 ms, v_A + v_B + 2 · 1.5 · |A - B| / duration · 1 ms, has two
forms:

* joint by joint, in the space of the joint above: it holds for every fade. The distance of places
  is in metres; of rotations the step is an angle and |A - B| the chord 2 sin(angle / 2), in which
  the middle of a normalised lerp is no faster than 1.5 / duration times twice the chord. Where two
  clips pass half a turn apart the arc that was chosen is followed, and the chord is that of the
  way round, 4 at most.
* of places in model space: it holds where the pose stays of one kind, as from walking to running.
  Where a whole chain folds (from standing to lying in 0.1 s) a hand may end where it began and have
  gone a long way round: |A - B| is then 0, and no fade of rotations can hold it.
"""

import numpy as np
import pytest

from tests.support.blend_formulas import Q
from tests.support.motion_examples import MANNEQUIN, run_pose, time_list

UPRIGHT = ("Idle", "Walk", "Run", "WalkBack", "Limp", "StrafeLeft", "Stand", "Nod", "Fidget",
           "LeanLeft", "Breathe", "AimCentre")  # fmt: skip
OTHERS = ("Wave", "Crouch", "Prone", "Jump", "Fall", "StandToProne", "CrouchToStand", "TurnStep",
          "AimLeft", "AimDown")  # fmt: skip
ROUNDED = 3e-5  # radians or metres: what float32 poses of one place differ by


def angles(a, b):
    """Radians between the rotations of poses [..., N, 10], exact for small ones."""
    near, far = (np.linalg.norm(a[Q] + sign * b[Q], axis=-1) for sign in (-1, 1))
    return 4 * np.arctan2(np.minimum(near, far), np.maximum(near, far))


def metres(a, b):
    return np.linalg.norm(a[..., :3] - b[..., :3], axis=-1)


def within(measure, shown, old, new, seconds):
    """How far each step [T, N] is under its bound; below 0: over it."""
    gone, v_a, v_b = (measure(p[1:], p[:-1]) for p in (shown, old, new))
    apart = measure(old, new)
    if measure is angles:
        passed = np.maximum.accumulate(apart > np.radians(175), axis=0)
        apart = np.where(passed, 4.0, 2 * np.sin(apart / 2))
    apart = np.maximum(apart[1:], apart[:-1])
    return v_a + v_b + 3e-3 / seconds * apart - gone


class Fades:
    """A clip, a fade to another one, and with luck a fade within that one."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.upright = bool(rng.integers(2))
        names = UPRIGHT if self.upright else UPRIGHT + OTHERS
        self.base = str(rng.choice(names))
        self.at, tau = [], rng.uniform(0.05, 1.5)
        for _ in range(rng.integers(1, 3)):
            name, kind = str(rng.choice(names)), str(rng.choice(["smooth", "frozen"]))
            ease, seconds = str(rng.choice(["cubic", "linear"])), rng.uniform(0.08, 0.4)
            self.at.append((round(tau, 4), name, round(seconds, 4), ease, kind))
            tau += seconds * rng.uniform(0.2, 0.8)  # the next begins within this one

    def __str__(self):
        return f"{self.base} " + " ".join(self.texts(len(self.at)))

    def texts(self, count):
        """The first fades as --at takes them."""
        return [f"{t}:fade:base={name},{s},{ease},{kind}" for t, name, s, ease, kind
                in self.at[:count]]  # fmt: skip

    def shown(self, count, taus, path):
        path.write_text(f'version = 1\n[[layers]]\nname = "base"\nplay = "{self.base}"\n')
        at = [word for text in self.texts(count) for word in ("--at", text)]
        return run_pose(MANNEQUIN, "--motion", path, f"--time={time_list(taus)}", *at)


@pytest.mark.parametrize("seed", range(10))
def test_no_joint_jumps(seed, tmp_path):
    fades = Fades(seed)
    for count, (begin, name, seconds, _, kind) in enumerate(fades.at, 1):
        taus = begin + np.arange(0, np.ceil(seconds * 1000) + 3) / 1000
        before = fades.shown(count - 1, [begin - 1e-3, *taus], tmp_path / "m.toml")
        shown = fades.shown(count, [begin - 1e-3, *taus], tmp_path / "m.toml")
        np.testing.assert_array_equal(shown["node_local"][:2], before["node_local"][:2])
        new = run_pose(MANNEQUIN, "--no-motion", "--animation", name, "--loop", "loop",
                  f"--time={time_list(taus - begin)}")  # fmt: skip
        poses = [arrays["node_local"] for arrays in (shown, before, new)]
        worlds = [arrays["node_global"][..., :3, 3] for arrays in (shown, before, new)]
        for three in (poses, worlds):
            three[:2] = [three[0][1:], three[1][1:]]
            if kind == "frozen":
                three[1] = np.broadcast_to(three[1][:1], three[1].shape)
        for measure in (angles, metres):
            assert within(measure, *poses, seconds).min() > -ROUNDED, str(fades)
        if fades.upright:
            assert within(metres, *worlds, seconds).min() > -ROUNDED, str(fades)
        assert np.abs(shown["node_local"][-1] - new["node_local"][-1]).max() < 1e-5
