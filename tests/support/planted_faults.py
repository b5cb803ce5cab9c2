"""Sound clips of several speeds, and faults of given sizes to plant in them."""

from functools import partial

import numpy as np

from rigview.animation import quat
from tests.support.broken_mannequins import context_of_clip, key_times
from tests.support.walking_figure import HEAD, walker

FPS = 30
# name: frequency in hertz, swing in degrees, swing in metres
MOTIONS = {"slow": (0.5, 10, 0.05), "medium": (1.0, 40, 0.2), "fast": (2.0, 50, 0.2)}
MANNEQUIN = ("Limp", "Walk", "Run")
POPPED = 19  # a key in the fastest part of the clips
SIZES = (0.1, 0.25, 0.5, 1.05, 1.5, 2, 5, 10, 20)  # times the limit
AXIS = np.array([0.6, 0.0, 0.8])


def turned(values, degrees, axes):
    """Return quaternions [K, 4] turned by degrees [K] about axes [K, 3]."""
    half = np.radians(degrees)[:, None] / 2
    turns = np.concatenate([axes * np.sin(half), np.cos(half)], axis=1)
    return quat.multiply(np.asarray(values, float), turns)


def popped(path, size, keys, values):
    """Return values with `keys` keys displaced by a size in millimetres or degrees."""
    off = np.zeros(len(values))
    off[POPPED : POPPED + keys] = size
    return _displaced(path, off, np.tile(AXIS, (len(values), 1)), values)


def noisy(path, size, values):
    """Return values with noise of a root mean square size in every key."""
    rng = np.random.default_rng(7)
    off = rng.normal(size=(len(values), 3)) * size / np.sqrt(3)
    most = np.maximum(np.linalg.norm(off, axis=1), 1e-12)
    return _displaced(path, most, off / most[:, None], values)


def _displaced(path, off, axes, values):
    if path == "rotation":
        return turned(values, off, axes)
    return np.asarray(values, float) + axes * off[:, None] / 1000


def moving(motion, path, change=lambda values: values):
    """The figure with a head that swings or moves to and fro, as a context."""
    hertz, degrees, metres = MOTIONS[motion]
    times = np.arange(2 * FPS + 1) / FPS
    wave = np.sin(2 * np.pi * hertz * times)
    if path == "rotation":
        values = turned(np.tile([0, 0, 0, 1.0], (len(times), 1)), degrees * wave, _axes(times))
    else:
        values = [0, 0.7, 0] + metres * wave[:, None] * _axes(times)
    return walker([(HEAD, path, times, change(values))], "Act")


def _axes(times):
    """Return directions [K, 3] that change in the course of a clip."""
    angle = 0.8 * np.sin(np.pi * times)
    return np.stack([np.cos(angle), 0 * angle, np.sin(angle)], axis=1)


def clip_of_mannequin(clip, path, change=lambda values: values):
    """A clip of the bundled character whose forearm or hips change, as a context."""
    joint = "LeftForeArm" if path == "rotation" else "Hips"
    assert len(key_times(clip, joint, path)) > POPPED + 6
    return context_of_clip(clip, joint, path, change)


def contexts(path):
    """Return functions by name that make a context with a change of its keys."""
    made = {motion: partial(moving, motion, path) for motion in MOTIONS}
    return made | {clip: partial(clip_of_mannequin, clip, path) for clip in MANNEQUIN}
