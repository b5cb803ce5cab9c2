"""Loops that do not close: a jump of the pose, a jolt of its speed, a frame that is held."""

from collections.abc import Iterator

import numpy as np

from ...animation import quat
from ...animation.types import F64, Bool
from ..clip_ends import Ends, ends, length, local_turns, mean_length, turned, worst
from ..finding_text import number, quoted
from ..key_frames import frames
from ..looping_clips import looping, loops
from ..rule import Hit, Limit, Limits, Rule
from ..subject import Subject

HARSHER = 1.5  # times the harshest change of speed inside the clip: the seam stands out
HELD = 0.05  # of the usual step between frames: the pose is the one before
MOVING = 0.3  # of it: the pose moves on


def _seams(subject: Subject, limits: Limits) -> Iterator[Hit]:
    for c in loops(subject):
        found, clip = subject.once(ends, c), subject.clip(c)
        if not len(found.joints):
            continue
        far, turned_off = worst(found.places), worst(found.angles)
        place, angle = float(found.places[far]) * 1000, float(np.degrees(found.angles[turned_off]))
        by_place = place > limits["mm"]
        if not by_place and not angle > limits["degrees"]:
            continue
        names = [subject.model.skeleton.names[found.joints[k]] for k in (far, turned_off)]
        missing = _one_frame_short(subject, c, found)
        off = f"{number(place)} mm from where it begins at {quoted(names[0])}" if by_place else ""
        if angle > limits["degrees"]:
            off += f"{', ' if off else ''}turned by {number(angle)}° at {quoted(names[1])}"
        yield Hit(
            f"{quoted(clip.name)} ends {off}; it should loop: {looping(subject, c).why}",
            place if by_place else angle,
            "mm" if by_place else "°",
            "mm" if by_place else "degrees",
            clip=clip.name,
            joint=names[0 if by_place else 1],
            time=clip.end,
            mend="add the key that closes the loop: one frame after the last, the same as the first"
            if missing
            else "",
        )


def _one_frame_short(subject: Subject, c: int, found: Ends) -> bool:
    """Tell whether a clip would close if it went on for another frame as it did in the last."""
    shown, (rate, *_) = subject.sampled(c), subject.once(frames, c)
    if not shown.step > 0:
        return False
    ahead = min(max(1, round(1 / rate / shown.step)), len(shown.times) - 1)
    places = shown.places[:, found.joints]
    on = places[-1] + (places[-1] - places[-1 - ahead])
    way = np.median(on - turned(places[0], found.turn), axis=0)
    left = mean_length(turned(on - way, -found.turn) - places[0])
    return bool(left < found.apart / 2)


def _speeds(subject: Subject, limits: Limits) -> Iterator[Hit]:
    for c in loops(subject):
        found, clip, shown = subject.once(ends, c), subject.clip(c), subject.sampled(c)
        if len(shown.times) < 6 or not len(found.joints):
            continue
        names = subject.model.skeleton.names
        moves = np.diff(shown.places[:, found.joints], axis=0) / shown.step
        jolt, inside = _jolts(moves, turned(moves[-1], -found.turn))
        hard = (jolt > HARSHER * inside) & (jolt * 1000 > limits["mm_per_s"])
        if hard.any():
            k = worst(np.where(hard, jolt, -1))
            name = names[found.joints[k]]
            top = float(length(moves[:, k]).max())
            yield Hit(
                f"{quoted(clip.name)} goes over its seam with a jolt: the speed of {quoted(name)} "
                f"changes by {number(jolt[k] * 1000)} mm/s at once, where inside the clip it "
                f"does by {number(inside[k] * 1000)} at most; "
                f"its top speed is {number(top * 1000)}",
                float(jolt[k]) * 1000,
                "mm/s",
                "mm_per_s",
                clip=clip.name,
                joint=name,
                time=clip.end,
            )
            continue
        spins = _spins(local_turns(subject, shown.turns, found.joints)) / shown.step
        jolt, inside = np.degrees(_jolts(spins, spins[-1]))
        hard = (jolt > HARSHER * inside) & (jolt > limits["degrees_per_s"])
        if hard.any():
            k = worst(np.where(hard, jolt, -1))
            name = names[found.joints[k]]
            yield Hit(
                f"{quoted(clip.name)} goes over its seam with a jolt: {quoted(name)} changes how "
                f"fast it turns by {number(jolt[k])}°/s at once, where inside the clip it does by "
                f"{number(inside[k])} at most",
                float(jolt[k]),
                "°/s",
                "degrees_per_s",
                clip=clip.name,
                joint=name,
                time=clip.end,
            )


def _jolts(moves: F64, last: F64) -> tuple[F64, F64]:
    """Return how much speeds [T, n, 3] change over the seam and at most inside, [n] each.

    Inside it is looked at over two steps: keys lie between samples.
    """
    return length(moves[0] - last), length(moves[2:] - moves[:-2]).max(axis=0)


def _spins(turns: F64) -> F64:
    """Return the turns [T - 1, n, 3] from sample to sample about the parent's axes, radians."""
    turn = quat.multiply(turns[1:], quat.conjugate(turns[:-1]))
    turn = np.where(turn[..., 3:] < 0, -turn, turn)
    sine = length(turn[..., :3])[..., None]
    return turn[..., :3] * (2 * np.arctan2(sine, turn[..., 3:]) / np.where(sine > 0, sine, 1))


def _held(subject: Subject, _: Limits) -> Iterator[Hit]:
    for c in loops(subject):
        found, clip, (rate, sure, _off) = (
            subject.once(ends, c),
            subject.clip(c),
            subject.once(frames, c),
        )
        count = round(clip.duration * rate)
        if not sure or not 6 <= count < len(subject.sampled(c).times) or not found.reach > 0:
            continue
        steps = _steps(subject, c, found, count)
        usual = float(np.median(steps))
        still: Bool = steps < HELD * usual
        moving: Bool = steps > MOVING * usual
        for at, (one, before, after) in {
            clip.start: (0, -1, 1),
            clip.end: (-1, -2, 0),
        }.items():
            if still[one] and moving[before] and moving[after]:
                yield Hit(
                    f"{quoted(clip.name)} stands still for a frame as it loops: its "
                    f"{'first' if one == 0 else 'last'} two frames are the same",
                    1000 / rate,
                    "ms",
                    clip=clip.name,
                    time=at,
                )


def _steps(subject: Subject, c: int, found: Ends, count: int) -> F64:
    """Return how far joints move from frame to frame [count], the root of the mean square."""
    shown = subject.sampled(c)
    at = np.linspace(0, len(shown.times) - 1, count + 1)
    low = np.minimum(at.astype(int), len(shown.times) - 2)
    share = (at - low)[:, None, None]
    places = shown.places[:, found.joints]
    return mean_length(np.diff(places[low] * (1 - share) + places[low + 1] * share, axis=0))


RULES: tuple[Rule, ...] = (
    Rule(
        "loop-seam",
        "warning",
        "a clip that should loop ends in another pose than it begins in; what the whole body "
        "travels is not counted",
        "make the last key of every track equal to its first, or say that the clip does not loop",
        _seams,
        (
            Limit("mm", 5.0, "mm", "between joints at both ends", scaled=True),
            Limit("degrees", 2.0, "°", "between their rotations from their parents"),
        ),
    ),
    Rule(
        "loop-speed",
        "warning",
        "a clip that loops changes its speed at the seam more than anywhere inside",
        "ease the curves over the seam: give the first and the last key the same slope",
        _speeds,
        (
            Limit("mm_per_s", 750.0, "mm/s", "by which a joint's velocity changes", scaled=True),
            Limit("degrees_per_s", 720.0, "°/s", "by which a joint's angular velocity changes"),
        ),
    ),
    Rule(
        "loop-held-frame",
        "info",
        "a loop shows one pose for two frames where it begins anew",
        "drop the key that repeats the pose, so that the clip is one frame shorter",
        _held,
    ),
)
