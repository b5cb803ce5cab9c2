"""Cases of the rules about motion."""

import numpy as np

from tests.support.broken_mannequins import (
    context_of_clip,
    context_with_motion,
    move_key,
    rotate_key,
)
from tests.support.planted_faults import moving, noisy
from tests.support.rule_case import Case
from tests.support.walking_figure import (
    CONTACT,
    CYCLE,
    FPS,
    HEAD,
    LEFT,
    PLACES,
    RIGHT,
    foot_path,
    joint_channel,
    key_times,
    walk,
    walker,
)

SIDEWAYS, JOLT, HALT, DIP = 0.03, 1.2, 0.1, 0.05


def jolting():
    """The head moves sideways with growing speed and jumps back fast at the end."""
    u = np.linspace(0, 1, CYCLE + 1)
    aside = (JOLT * u**3 * (1 - u))[:, None] * [1, 0, 0] + [0, 0.7, 0]
    return walker([*walk(), (HEAD, "translation", key_times(), aside)])


def holding():
    """The last frame of a pass is repeated."""
    channels = [
        (node, path, np.append(times, times[-1] + 1 / FPS), np.concatenate([values, values[-1:]]))
        for node, path, times, values in walk()
    ]
    return walker(channels)


def creeping():
    aside = np.linspace(0, SIDEWAYS, CYCLE + 1)
    tracks = [
        (joint, foot_path(joint, shift=shift) + aside[:, None] * [1, 0, 0])
        for joint, shift in ((LEFT, 0), (RIGHT, 30))
    ]
    hips = np.array([0, 0.9, 0]) + aside[:, None] * [1, 0, 0]
    return walker(walk(*(way for _, way in tracks), hips))


def sliding():
    """The left foot stops in the middle of its contact for a tenth of a second."""
    way = foot_path(LEFT)
    k = np.arange(CONTACT + 1)
    late = np.interp(k, [0, 12, 18, CONTACT], [0, 0, HALT, 0])
    way[: CONTACT + 1, 2] += late
    return walker(walk(way))


def dipping():
    way = np.tile(np.array(PLACES[LEFT], float), (CYCLE + 1, 1))
    way[20:40, 1] -= DIP * np.sin(np.linspace(0, np.pi, 20))
    return walker(joint_channel(LEFT, way), "Stamp")


def keyed(joint, degrees, name="Act"):
    """A joint that rotates about +X by degrees, with 30 keys per second."""
    half = np.radians(degrees) / 2
    values = np.stack([np.sin(half), 0 * half, 0 * half, np.cos(half)], axis=1)
    return walker([(joint, "rotation", np.arange(len(degrees)) / 30, values)], name)


def jumping():
    return keyed(LEFT, np.where(np.arange(31) < 12, 0.0, 120.0))


def spinning():
    return keyed(LEFT, np.interp(np.arange(31), [12, 16], [0.0, 360.0]))


def mark(old, new):
    return lambda text: text.replace(old, new, 1)


CASES = {
    "loop-seam": Case(
        lambda: walker(walk(move_key(-1, (0.02, 0, 0))(foot_path(LEFT)))),
        lambda: context_of_clip("Walk"),
        20.0,
    ),
    "loop-speed": Case(jolting, lambda: context_of_clip("Run")),
    "loop-held-frame": Case(holding, lambda: walker(walk()), 1000 / FPS),
    "root-drift": Case(creeping, lambda: walker(walk()), SIDEWAYS * 1000),
    "foot-slide": Case(sliding, lambda: walker(walk())),
    "ground-speed": Case(
        lambda: walker(walk()),
        lambda: walker(joint_channel(LEFT, np.tile(PLACES[LEFT], (61, 1)))),
        1.0,
    ),
    "feet-hover": Case(
        lambda: walker(walk(foot_path(LEFT, lift=0.04), foot_path(RIGHT, shift=30, lift=0.04))),
        lambda: walker(walk()),
        40.0,
    ),
    "floor": Case(dipping, lambda: walker(walk())),
    "pop": Case(
        lambda: context_of_clip("Walk", "LeftForeArm", "rotation", rotate_key(12, 25.0)),
        lambda: context_of_clip("Jump"),
    ),
    "noise": Case(
        lambda: moving("fast", "rotation", lambda values: noisy("rotation", 20, values)),
        lambda: moving("fast", "rotation"),
    ),
    "jump": Case(jumping, lambda: keyed(LEFT, np.linspace(0, 120, 31)), 120.0),
    "full-turn": Case(spinning, lambda: keyed(LEFT, np.linspace(0, 360, 31)), 360.0),
    "cone-limit": Case(
        lambda: context_with_motion(
            mark('source = "Breathe"', 'source = "Breathe"\nlimits = { Spine1 = 0.3 }'), ["Idle"]
        ),
        lambda: context_with_motion(
            mark('source = "Breathe"', 'source = "Breathe"\nlimits = { Spine1 = 20 }'), ["Idle"]
        ),
    ),
    "transition-gap": Case(
        lambda: context_with_motion(
            mark('right_to_back = "TurnStepRight"', 'right_to_back = "TurnStepRightForward"')
        ),
        context_with_motion,
    ),
    "sync-mark": Case(
        lambda: context_with_motion(
            mark(
                "[clips.WalkBack]\nsync = { left = 0.25", "[clips.WalkBack]\nsync = { left = 0.45"
            ),
            ["Walk", "WalkBack"],
        ),
        lambda: context_with_motion(clips=["Walk", "WalkBack", "RunForward", "Idle"]),
    ),
}
