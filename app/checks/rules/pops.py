"""Rules about keys off their curve: pops, jumps, full turns within a few frames, noise."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from ...animation.clip import Clip
from ...animation.types import F64, Bool
from ...model.model import Model
from ...wording import counted, measure, quoted
from ..check_context import CheckContext
from ..clip_rules import per_clip
from ..displaced_keys import LONGEST, displaced_keys
from ..finding import Finding, Limit, Limits, Rule
from ..key_groups import FRAME, KeyGroup, distances, key_groups, key_noise
from ..rule_settings import Settings
from ..visible_size import axis_of, size_of_displacement, size_of_rotation

MIN_MOVEMENT = 0.5  # of the limit: tracks that move less between two keys have no displaced key
JUMP = 15.0  # times the motion in the frames before and after: a greater step is a jump
FULL_TURN = range(3, 7)  # frames that a full turn takes
FULL_TURN_REST = 60.0  # degrees: greatest difference of the rotations before and after a full turn
PATHS = {"mm": "translation", "°": "rotation"}  # of tracks, by the unit of their distances
SLOW = 0.25  # of the speed of the full turn: the track is slower before and after


class Pop(NamedTuple):
    """A key that pops."""

    time: float  # seconds
    joint: int
    amount: float  # mm or degrees, from the curve of its neighbours or from the key before
    over: float  # as a multiple of its limit
    unit: str
    axis: F64 | None  # [3] of a rotation, joint space
    keys: int = 1

    def size(self, context: CheckContext) -> float:
        """Return how far it moves the surface, metres."""
        return _size(context, self.joint, self.amount, self.unit, self.axis)


def _size(
    context: CheckContext, joint: int, amount: float, unit: str, axis: F64 | None = None
) -> float:
    if unit == "mm":
        return size_of_displacement(context, joint, amount / 1000)
    return size_of_rotation(context, joint, amount, axis)


def _find(
    kind: str, context: CheckContext, limits: Limits, c: int, clip: Clip
) -> Iterator[Finding]:
    """Yield the pops of a kind in a clip, one finding for those of a moment."""
    found = _found_in(context, c, limits, _KINDS[kind])
    yield from _merged(context, clip, found, limits, _KINDS[kind].message)


def _found_in(context: CheckContext, c: int, limits: Limits, kind: "_Kind") -> list[Pop]:
    """Return the pops of a kind in a clip, of each joint."""
    found: list[Pop] = []
    for group in context.cached(key_groups, c):
        limit = limits.get("degrees" if group.unit == "°" else "mm", np.inf)
        moving = group.moving(limit * kind.fraction)
        if len(moving.joints):
            found += kind.look(moving, limit)
    return found


def _find_outliers(group: KeyGroup, limit: float) -> list[Pop]:
    """Return the runs of one to three keys that are displaced from the curve around them."""
    return [
        Pop(
            float(group.times[key]),
            int(group.joints[track]),
            off,
            off / limit,
            group.unit,
            _axis(group, key, track, difference),
            found.length,
        )
        for found in displaced_keys(group, limit)
        for key, track, off, difference in zip(
            found.keys.tolist(),
            found.tracks.tolist(),
            found.off.tolist(),
            found.differences,
            strict=True,
        )
    ]


def _axis(group: KeyGroup, key: int, track: int, difference: F64) -> F64 | None:
    """Return the axis of a rotation by its difference from that of a key; None if it is none."""
    return axis_of(group.values[key, track], difference) if group.unit == "°" else None


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
    return _found(group, limit, moves, np.asarray(bad), begin=1, width=1)


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
        best += _found(group, limit, inside, np.asarray(bad & ~slow), begin=0, width=width // 2)
    return best


def _found(
    group: KeyGroup, limit: float, amount: F64, bad: Bool, *, begin: int, width: int
) -> list[Pop]:
    """Return the pops of a table `bad` with a row per key and a column per track.

    A row is about its key and the one `width` keys later; `begin` keys later is its time.
    """
    rows, columns = np.nonzero(bad)
    values = group.values
    return [
        Pop(
            float(group.times[row + begin]),
            int(group.joints[column]),
            float(amount[row, column]),
            float(amount[row, column]) / limit,
            group.unit,
            _axis(group, row, column, values[row + width, column] - values[row, column]),
        )
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]


def _merged(
    context: CheckContext, clip: Clip, found: list[Pop], limits: Limits, message: str
) -> Iterator[Finding]:
    """Yield a finding for each group of simultaneous pops, about the one that is seen best."""
    names = context.model.skeleton.names
    left = sorted(found, key=lambda off: (-off.size(context), -off.over))
    while left:
        worst = left[0]
        near = [off for off in left if abs(off.time - worst.time) <= 2 * FRAME]
        left = [off for off in left if abs(off.time - worst.time) > 2 * FRAME]
        others = len({off.joint for off in near} - {worst.joint})
        words = message.format(
            joint=quoted(names[worst.joint]),
            clip=quoted(clip.name),
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
            joint=names[worst.joint],
            time=worst.time,
            size=worst.size(context),
            touches=others + 1,
            path=PATHS[worst.unit],
        )


class _Kind(NamedTuple):
    """A kind of pop."""

    look: Callable[[KeyGroup, float], list[Pop]]  # in tracks, with a limit in their unit
    fraction: float  # of the limit: tracks that move less between two keys have none
    message: str  # of a finding
    mark: str  # on the timeline


_KINDS = {
    "pop": _Kind(
        _find_outliers,
        MIN_MOVEMENT,
        "{joint} pops in {clip}: {keys} {time} s {be} {amount} off the curve",
        "pop, {amount} off the curve",
    ),
    "jump": _Kind(
        _find_jumps,
        1.0,
        "{joint} jumps by {amount} at {time} s of {clip}",
        "jump by {amount}",
    ),
    "full-turn": _Kind(
        _find_full_turns,
        1 / max(FULL_TURN),
        "{joint} makes a full turn, {amount} within a few frames, from {time} s of {clip}",
        "full turn, {amount} within a few frames",
    ),
}


class PopMark(NamedTuple):
    """A moment at which a joint pops."""

    seconds: float  # of the clip
    words: str
    path: str  # of the track: "translation" or "rotation"


@np.errstate(all="ignore")  # invalid numbers of a file propagate
def clip_pops(model: Model, number: int) -> dict[int, tuple[PopMark, ...]]:
    """Return the pops of the joints in a clip, by joint, in order of time."""
    context = CheckContext(model, clips=(number,))
    found: dict[int, list[PopMark]] = {}
    rules = {rule.id: rule for rule in RULES}
    for identity, kind in _KINDS.items():
        limits = Settings().limits_of(rules[identity], context.scale)
        for pop in _found_in(context, number, limits, kind):
            words = kind.mark.format(amount=measure(pop.amount, pop.unit))
            found.setdefault(pop.joint, []).append(PopMark(pop.time, words, PATHS[pop.unit]))
    return {joint: tuple(sorted(marks)) for joint, marks in found.items()}


@per_clip
def _noise(context: CheckContext, limits: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    names = context.model.skeleton.names
    found: list[tuple[float, float, float, str, int]] = []
    for group in context.cached(key_groups, c):
        limit = limits["degrees" if group.unit == "°" else "mm"]
        noise, alternates = key_noise(group)
        for k in np.flatnonzero(alternates & (noise > limit)).tolist():
            amount, joint = float(noise[k]), int(group.joints[k])
            size = _size(context, joint, amount, group.unit)
            found.append((size, amount / limit, amount, group.unit, joint))
    if not found:
        return
    size, _, amount, unit, joint = max(found)
    others = len({track[-1] for track in found} - {joint})
    yield Finding(
        f"{quoted(names[joint])} trembles in {quoted(clip.name)}: its keys are typically "
        f"{measure(amount, unit)} off a smooth curve"
        + (f", as are those of {counted(others, 'other joint')}" if others else ""),
        amount,
        unit,
        limits["degrees" if unit == "°" else "mm"],
        joint=names[joint],
        path=PATHS[unit],
        size=size,
        touches=others + 1,
    )


RULES: tuple[Rule, ...] = (
    Rule(
        "pop",
        "size",
        "one, two or three keys are far from the curve through the keys before and after them",
        "delete the keys, or move them between their neighbours",
        per_clip(partial(_find, "pop")),
        (
            Limit("mm", 15.0, "mm", "distance of a key from the curve", scaled=True),
            Limit("degrees", 8.0, "°", "angle of a key to the curve"),
        ),
        group="Motion",
    ),
    Rule(
        "jump",
        "size",
        "a joint jumps from one frame to the next, and moves slowly before and after",
        "blend over some frames; if the jump is intended, use STEP",
        per_clip(partial(_find, "jump")),
        (
            Limit("mm", 300.0, "mm", "from one frame to the next", scaled=True),
            Limit("degrees", 90.0, "°", "from one frame to the next"),
        ),
        group="Motion",
    ),
    Rule(
        "full-turn",
        "size",
        "a joint makes a full turn within a few frames, as baked Euler angles do that wrap at 180°",
        "filter the Euler curves in the authoring program, and bake again",
        per_clip(partial(_find, "full-turn")),
        (Limit("degrees", 300.0, "°", "within three to six frames"),),
        group="Motion",
    ),
    Rule(
        "noise",
        "size",
        "the keys of a track are off a smooth curve, in another direction at nearly every key",
        "filter the curve (Blender: Key > Smooth, or the Butterworth filter), or clean the capture",
        _noise,
        (
            Limit("mm", 4.0, "mm", "root mean square distance of the keys", scaled=True),
            Limit("degrees", 2.0, "°", "root mean square angle of the keys"),
        ),
        group="Motion",
    ),
)
