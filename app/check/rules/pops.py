"""Rules about pops: displaced keys, a jump within a frame, a full turn within a few frames."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ...animation.types import F64, Bool, Index
from ...wording import counted, measure, quoted
from ..check_context import CheckContext
from ..displaced_keys import LONGEST, displaced_keys
from ..finding import Finding, Limit, Limits, Rule
from ..key_groups import FRAME, KeyGroup, distances, key_groups

MIN_MOVEMENT = 0.5  # of the limit: tracks that move less between two keys have no displaced key
JUMP = 15.0  # times the motion in the frames before and after: a greater step is a jump
FULL_TURN = range(3, 7)  # frames that a full turn takes
FULL_TURN_REST = 60.0  # degrees: greatest difference of the rotations before and after a full turn
SLOW = 0.25  # of the speed of the full turn: the track is slower before and after


class Pop(NamedTuple):
    """A key that pops."""

    time: float  # seconds
    joint: int
    amount: float  # mm or degrees, from the curve of its neighbours or from the key before
    over: float  # as a multiple of its limit
    unit: str
    keys: int = 1


def _pops(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    message = "{joint} pops in {clip}: {keys} {time} s {be} {amount} off the curve"
    yield from _hits(context, limits, *_LOOKS["pop"], message)


def _jumps(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    message = "{joint} jumps by {amount} at {time} s of {clip}"
    yield from _hits(context, limits, *_LOOKS["jump"], message)


def _full_turns(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    message = "{joint} makes a full turn, {amount} within a few frames, from {time} s of {clip}"
    yield from _hits(context, limits, *_LOOKS["full-turn"], message)


def _hits(
    context: CheckContext,
    limits: Limits,
    look: "_Look",
    fraction: float,
    message: str,
) -> Iterator[Finding]:
    """Yield the pops that `look` finds in tracks that move by a fraction of their limit."""
    for c in context.clips:
        found = _found_in(context, c, limits, look, fraction)
        yield from _merged(context, c, found, limits, message)


def _found_in(
    context: CheckContext, c: int, limits: Limits, look: "_Look", fraction: float
) -> list[Pop]:
    found: list[Pop] = []
    for group in context.cached(key_groups, c):
        limit = limits.get("degrees" if group.unit == "°" else "mm", np.inf)
        moving = group.moving(limit * fraction)
        if len(moving.joints):
            found += look(moving, limit)
    return found


def all_pops(context: CheckContext, c: int, rule: Rule, limits: Limits) -> list[Pop]:
    """Return what a rule of this module finds in a clip, of each joint.

    The findings of the rule name the worst joint at a time only.
    """
    return _found_in(context, c, limits, *_LOOKS[rule.id])


def _find_outliers(group: KeyGroup, limit: float) -> list[Pop]:
    """Return the runs of one to three keys that are displaced from the curve around them."""
    return [
        Pop(
            float(group.times[key]),
            int(group.joints[track]),
            off,
            off / limit,
            group.unit,
            found.length,
        )
        for found in displaced_keys(group, limit)
        for key, track, off in zip(
            found.keys.tolist(), found.tracks.tolist(), found.off.tolist(), strict=True
        )
    ]


def _find_jumps(group: KeyGroup, limit: float) -> list[Pop]:
    """Return steps between adjacent keys that are far greater than those before and after."""
    moves = group.moves
    close = np.diff(group.times) <= FRAME
    before, after = np.zeros_like(moves), np.zeros_like(moves)
    before[1:], after[:-1] = moves[:-1], moves[1:]
    bad = (moves > limit) & (moves > JUMP * np.maximum(before, after)) & close[:, None]
    bad[[0, -1]] = False
    for key, track in np.argwhere(bad).tolist():
        bad[key, track] = _stays(group, key, track)
    return _found(group, limit, np.arange(1, len(group.times)), moves, np.asarray(bad))


def _stays(group: KeyGroup, key: int, track: int) -> bool:
    """Return whether a track is not back soon after its step from a key, nor was there before."""
    values, sizes = group.values[:, track : track + 1], group.sizes[track : track + 1]
    last = len(values) - 1
    pairs = ((key, min(key + 1 + LONGEST, last)), (max(key - LONGEST, 0), key + 1))
    off = [distances(group.unit, sizes, values[a] - values[b]) for a, b in pairs]
    return bool(np.min(off) > group.moves[key, track] / 2)


def _find_full_turns(group: KeyGroup, limit: float) -> list[Pop]:
    """Return full turns within a few frames, of tracks that turn slowly before and after.

    Their time is that of the key before the first fast step.
    """
    steps = group.moves
    total = np.concatenate([np.zeros((1, steps.shape[1])), np.cumsum(steps, axis=0)])
    best: list[Pop] = []
    for width in FULL_TURN:
        count = len(steps) - width
        if count < 2:
            break
        inside = total[width:] - total[:-width]  # [K - width, n]
        begin, end = group.values[:-width], group.values[width:]
        back = np.minimum(*(group.distances(begin - rotation) for rotation in (end, -end)))
        pace, outer = inside / width, np.zeros_like(inside)
        outer[1:], outer[:-1] = steps[: len(outer) - 1], np.maximum(outer[:-1], steps[width:])
        bad = (inside > limit) & (back < FULL_TURN_REST) & (outer < SLOW * pace)
        spans = group.times[width:] - group.times[:-width]
        bad &= (spans <= width * FRAME)[:, None]
        slow = steps[: len(inside)] < SLOW * pace  # a wider span that begins before the turn
        best += _found(group, limit, np.arange(len(inside)), inside, np.asarray(bad & ~slow))
    return best


def _found(group: KeyGroup, limit: float, keys: Index, amount: F64, bad: Bool) -> list[Pop]:
    """Return the pops of a table `bad` with a row per key and a column per track."""
    rows, columns = np.nonzero(bad)
    return [
        Pop(
            float(group.times[keys[row]]),
            int(group.joints[column]),
            float(amount[row, column]),
            float(amount[row, column]) / limit,
            group.unit,
        )
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]


def _merged(
    context: CheckContext, c: int, found: list[Pop], limits: Limits, message: str
) -> Iterator[Finding]:
    """Yield a finding for each group of simultaneous pops, about the worst of them."""
    clip, names = context.clip(c).name, context.model.skeleton.names
    left = sorted(found, key=lambda off: -off.over)
    while left:
        worst = left[0]
        near = [off for off in left if abs(off.time - worst.time) <= 2 * FRAME]
        left = [off for off in left if abs(off.time - worst.time) > 2 * FRAME]
        others = len({off.joint for off in near} - {worst.joint})
        words = message.format(
            joint=quoted(names[worst.joint]),
            clip=quoted(clip),
            time=f"{worst.time:.3f}",
            amount=measure(worst.amount, worst.unit),
            keys="its key at" if worst.keys == 1 else f"its {worst.keys} keys from",
            be="is" if worst.keys == 1 else "are",
        )
        yield Finding(
            words + (f", with {counted(others, 'other joint')}" if others else ""),
            worst.amount,
            worst.unit,
            limits["mm" if worst.unit == "mm" else "degrees"],
            clip=clip,
            joint=names[worst.joint],
            time=worst.time,
        )


_Look = Callable[[KeyGroup, float], list[Pop]]
_LOOKS: dict[
    str, tuple[_Look, float]
] = {  # what finds them, for tracks that move a part of a limit
    "pop": (_find_outliers, MIN_MOVEMENT),
    "jump": (_find_jumps, 1.0),
    "full-turn": (_find_full_turns, 1 / max(FULL_TURN)),
}

RULES: tuple[Rule, ...] = (
    Rule(
        "pop",
        "warning",
        "one, two or three keys are far from the curve through the keys before and after them",
        "delete the keys, or move them between their neighbours",
        _pops,
        (
            Limit("mm", 15.0, "mm", "distance of a key from the curve", scaled=True),
            Limit("degrees", 8.0, "°", "angle of a key to the curve"),
        ),
    ),
    Rule(
        "jump",
        "warning",
        "a joint jumps from one frame to the next, and moves slowly before and after",
        "blend over some frames; if the jump is intended, use STEP",
        _jumps,
        (
            Limit("mm", 300.0, "mm", "from one frame to the next", scaled=True),
            Limit("degrees", 90.0, "°", "from one frame to the next"),
        ),
    ),
    Rule(
        "full-turn",
        "warning",
        "a joint makes a full turn within a few frames, as baked Euler angles do that wrap at 180°",
        "filter the Euler curves in the authoring program, and bake again",
        _full_turns,
        (Limit("degrees", 300.0, "°", "within three to six frames"),),
    ),
)
