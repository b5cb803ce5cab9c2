"""Sound clips of several speeds, and faults of given sizes to plant in them."""

from functools import partial

import numpy as np

from rigview.animation import quat
from tests.support.broken_mannequins import context_of_clip, key_times
from tests.support.walking_figure import (
    CONTACT,
    CYCLE,
    HEAD,
    LEFT,
    PLACES,
    RIGHT,
    foot_path,
    walker,
)
from tests.support.walking_figure import FPS as FPS_OF_WALK
from tests.support.walking_figure import key_times as walk_times

FPS = 30
# name: frequency in hertz, swing in degrees, swing in metres
MOTIONS = {"slow": (0.5, 10, 0.05), "medium": (1.0, 40, 0.2), "fast": (2.0, 50, 0.2)}
MANNEQUIN = ("Limp", "Walk", "Run")
POPPED = 19  # a key in the fastest part of the clips
SLIDES = {"stand": 0.2, "walk": 0.2, "march": 0.1}  # seconds of a slide
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


def slid(motion, size, seconds):
    """A standing or walking figure whose left foot slides aside on the ground, as a context.

    Parameters
    ----------
    motion
        ``stand``, ``walk`` (1 m/s) or ``march`` (the same, twice as fast).
    size, seconds
        Distance in millimetres, and the time that it takes.
    """
    path = np.tile(np.array(PLACES[LEFT], float), (CYCLE + 1, 1))
    right = np.tile(np.array(PLACES[RIGHT], float), (CYCLE + 1, 1))
    if motion != "stand":
        path, right = foot_path(LEFT), foot_path(RIGHT, shift=CYCLE // 2)
    rate = 2 if motion == "march" else 1
    begin, frames = 8, seconds * FPS_OF_WALK * rate
    contact = np.clip((np.arange(CYCLE + 1) - begin) / frames, 0, 1)
    back = np.clip((np.arange(CYCLE + 1) - CONTACT) / 10, 0, 1)  # in the air
    aside = contact * contact * (3 - 2 * contact) - back * back * (3 - 2 * back)
    path[:, 0] += aside * size / 1000
    if motion == "stand":
        path[:, 1] += 0.1 * np.sin(np.pi * back)
    return walker(
        [
            (joint, "translation", times / rate, way)
            for joint, times, way in (
                (LEFT, walk_times(), path),
                (RIGHT, walk_times(), right),
            )
        ],
        "Idle" if motion == "stand" else "Walk",
    )


def swaying(size):
    """A standing figure whose left foot goes to and fro on the ground without a pause."""
    wave = np.sin(2 * np.pi * np.arange(CYCLE + 1) / CYCLE)
    path = np.array(PLACES[LEFT], float) + wave[:, None] * [0, 0, size / 1000]
    return walker([(LEFT, "translation", walk_times(), path)], "Idle")
