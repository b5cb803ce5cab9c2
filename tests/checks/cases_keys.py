"""Cases of the rules about stored keys, tracks and clips."""

import numpy as np

from rigview.checks.check_context import CheckContext
from rigview.loading.load import load
from tests.support.broken_mannequins import context_of_clip
from tests.support.rule_case import Case
from tests.support.rule_figure import HEAD, LEFT_ARM, LEFT_HAND, SPINE, Figure

TIMES = np.arange(31) / 30


def clip(*channels, name="Act", change=None):
    """Return a function that makes the context of the figure with one clip."""

    def make():
        def write(b):
            b.json["animations"] = []
            b.animation(*channels, name=name)
            if change is not None:
                change(b)

        figure = Figure()
        figure.after.append(write)
        return CheckContext(load(figure.builder().glb()))

    return make


def turning(times=TIMES, degrees=40.0, joint=LEFT_ARM):
    """Return a channel that rotates a joint evenly about +Z."""
    half = np.radians(np.linspace(0, degrees, len(times))) / 2
    values = np.stack([0 * half, 0 * half, np.sin(half), np.cos(half)], axis=1)
    return joint, "rotation", times, values


def with_key(change, joint=LEFT_ARM):
    """Return a channel with changed keys."""
    node, path, times, values = turning(joint=joint)
    change(values)
    return node, path, times, values


def longer(values):
    values[12] *= 1.25


def flipped(values):
    values[10:] *= -1


def tiny(values):
    values[:7, 0] = 1e-40


def cubic(channel):
    """Return the same channel as CUBICSPLINE with zero tangents."""
    node, path, times, values = channel
    flat = np.zeros_like(values)
    keys = np.stack([flat, values, flat], axis=1).reshape(-1, 4)
    return node, path, times, keys, "CUBICSPLINE"


def half_turn():
    return LEFT_ARM, "rotation", [0, 0.5, 1], [[0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 1, 0]]


def scaled(values, joint=LEFT_ARM):
    return joint, "scale", [0, 0.5, 1], [[1, 1, 1], values, [1, 1, 1]]


def off_frames():
    times = TIMES.copy()
    times[[7, 19]] += 0.011
    return turning(times)


def wandering(count):
    """Return a channel with random translations."""
    places = np.random.default_rng(3).normal(size=(count, 3))
    return LEFT_ARM, "translation", np.arange(count) / 30, places


def gliding(count):
    return LEFT_ARM, "translation", np.arange(count) / 30, np.linspace([0, 0, 0], [1, 2, 3], count)


def stray(b):
    """Add a node outside the skeleton, which the clip moves too."""
    b.add("nodes", name="Pole")
    b.json["scenes"][0]["nodes"].append(len(b.json["nodes"]) - 1)


def matched(count):
    """The figure with a clip of another file, of which `count` of ten joints match."""
    made = clip(turning())()
    return CheckContext(made.model, matches={"Act": (count, 10)})


STRAY = (8, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]])
STILL = (LEFT_ARM, "rotation", np.arange(400) / 30, np.tile([0, 0, 0.6, 0.8], (400, 1)))

CASES = {
    "rotation-length": Case(
        clip(with_key(longer)), clip(turning()), 1.25, "/animations/0/samplers/0/output"
    ),
    "rotation-flip": Case(
        clip(turning(joint=SPINE), cubic(with_key(flipped))),
        clip(cubic(turning())),
        1.0,
        "/animations/0/samplers/1/output",
    ),
    "half-turn": Case(clip(half_turn()), clip(turning([0, 0.5, 1], 340.0)), 180.0),
    "denormal-keys": Case(clip(with_key(tiny)), clip(turning()), 7.0),
    "animated-scale": Case(clip(scaled([1, 2, 1])), clip(scaled([2, 2, 2])), 100.0),
    "late-start": Case(clip(turning(TIMES + 0.5)), clip(turning()), 500.0),
    "short-track": Case(
        clip(turning(TIMES[:16]), turning(joint=SPINE)),
        clip(turning(), turning(joint=SPINE)),
        500.0,
    ),
    "off-frame-keys": Case(clip(off_frames()), clip(turning()), 200 / 31),
    "constant-tracks": Case(clip(STILL, turning(joint=SPINE)), clip(turning()), 399 * 16),
    "redundant-keys": Case(clip(gliding(3001)), clip(wandering(3001)), 3001 * 16 - 2 * 16),
    "empty-clip": Case(
        clip((HEAD, "rotation", [0, 1], [[0, 0, 0, 1]] * 2)), clip(turning()), None, "/animations/0"
    ),
    "large-clip": Case(clip(turning([0, 150.0])), lambda: context_of_clip("Idle"), 150.0),
    "bone-length": Case(
        clip((LEFT_HAND, "translation", [0, 0.5, 1], [[0.4, 0, 0], [0.6, 0, 0], [0.4, 0, 0]])),
        clip(turning()),
        50.0,
    ),
    "clip-matches": Case(lambda: matched(3), lambda: matched(7), 30.0),
    "stray-targets": Case(clip(turning(), STRAY, change=stray), clip(turning()), 1.0),
}
