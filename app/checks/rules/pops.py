"""Rules about keys off their curve: pops, jumps, full turns within a few frames, noise."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, cast

import numpy as np

from ...animation.clip import Clip
from ...animation.types import F64, Bool
from ...model.model import Model
from ...wording import counted, measure, quoted
from ..check_context import CheckContext
from ..clip_rules import per_clip
from ..displaced_keys import LONGEST, displaced_keys
from ..finding import Finding, Limit, Limits, rule
from ..key_groups import FRAME, UNITS, KeyGroup, distances, key_groups, key_noise
from ..rule_settings import Settings
from ..visible_size import axis_of, joint_reach, size_of_amount

MIN_MOVEMENT = 0.5  # of the limit: tracks that move less between two keys have no displaced key
LONE = 3.0  # times the distances of its other keys: a track pops by less than the usual limit
JUMP = 15.0  # times the motion in the frames before and after: a greater step is a jump
FULL_TURN = range(3, 7)  # frames that a full turn takes
FULL_TURN_REST = 60.0  # degrees: greatest difference of the rotations before and after a full turn
PATHS = {unit: path for path, unit in UNITS.items()}  # of tracks, by the unit of their distances
LIMITS = {"mm": "mm", "°": "degrees"}  # names of limits, by unit
SLOW = 0.25  # of the speed of the full turn: the track is slower before and after


class Pop(NamedTuple):
    """A key that pops."""

    time: float  # seconds
    joint: int
    amount: float  # in the unit, from the curve of its neighbours or from the key before
    limit: float
    unit: str  # "mm", "°" or "%"
    axis: F64 | None  # [3] of a rotation, joint space
    keys: int = 1
    elsewhere: float = 0.0  # amount of the other keys of the track at most

    def size(self, context: CheckContext) -> float:
        """Return how far it moves the surface, metres."""
        return size_of_amount(context, self.joint, self.amount, self.unit, self.axis)

    def rank(self, context: CheckContext) -> tuple[float, float]:
        """Return numbers that are greater for what is seen better."""
        return self.size(context), self.amount / self.limit


@dataclass(frozen=True, slots=True)
class _Kind:
    """The function of a rule about pops of a kind."""

    look: Callable[[KeyGroup, F64], list[Pop]]  # in tracks with limits [n] in their unit
    message: str  # of a finding
    mark: str  # on the timeline
    fraction: float = 1.0  # of the limit: tracks that move less between two keys have none

    def __call__(self, context: CheckContext, limits: Limits) -> Iterable[Finding]:
        """Return the pops of all clips, one finding for those of a moment."""
        return per_clip(self._in_clip)(context, limits)

    def _in_clip(
        self, context: CheckContext, limits: Limits, c: int, clip: Clip
    ) -> Iterator[Finding]:
        return _merged(context, clip, self.pops(context, limits, c), self.message)

    def pops(self, context: CheckContext, limits: Limits, c: int) -> list[Pop]:
        """Return the pops of each joint in a clip."""
        found: list[Pop] = []
        visible = limits.get("surface", np.inf) / 1000
        for group in context.cached(key_groups, c):
            limit = limits.get(LIMITS.get(group.unit, ""), np.inf)
            each = np.minimum(limit, _seen(context, group, visible))
            moving = np.flatnonzero(group.moves.max(axis=0) > each * self.fraction)
            if len(moving):
                found += [
                    pop._replace(limit=limit) if pop.amount > limit else pop
                    for pop in self.look(group.only(moving), each[moving])
                    if pop.amount > limit
                    or (pop.size(context) > visible and pop.amount > LONE * pop.elsewhere)
                ]
        return found


def _seen(context: CheckContext, group: KeyGroup, size: float) -> F64:
    """Return the distances [n] of keys, in their unit, that move the surface by `size` metres."""
    if size == np.inf:
        return np.full(len(group.joints), np.inf)
    reaches = np.array([joint_reach(context, joint) for joint in group.joints.tolist()])
    shares = size / np.maximum(reaches, 1e-30)
    if group.unit == "°":
        return np.where(shares < 2, np.degrees(2 * np.arcsin(np.minimum(shares / 2, 1))), np.inf)
    return shares * 100 if group.unit == "%" else np.where(reaches > 0, size * 1000, np.inf)


@rule(
    "pop",
    "size",
    "one, two or three keys of a joint's rotation, translation or scale are far from the curve "
    "through the keys before and after them",
    "delete the keys, or move them between their neighbours",
    Limit("mm", 15.0, "mm", "distance of a key from the curve", scaled=True),
    Limit("degrees", 8.0, "°", "angle of a key to the curve"),
    Limit("surface", 18.0, "mm", "displacement of the surface by a smaller one", scaled=True),
)
@partial(
    _Kind,
    message="{joint} pops in {clip}: {keys} {time} s {be} {amount} off the curve",
    mark="pop, {amount} off the curve",
    fraction=MIN_MOVEMENT,
)
def _outliers(group: KeyGroup, limits: F64) -> list[Pop]:
    """Return the runs of one to three keys that are displaced from the curve around them."""
    return [
        Pop(
            float(group.times[key]),
            int(group.joints[track]),
            off,
            float(limits[track]),
            group.unit,
            _axis(group, key, track, difference),
            found.length,
            elsewhere,
        )
        for found in displaced_keys(group, limits)
        for key, track, off, elsewhere, difference in zip(
            found.keys.tolist(),
            found.tracks.tolist(),
            found.off.tolist(),
            found.elsewhere.tolist(),
            found.differences,
            strict=True,
        )
    ]


def _axis(group: KeyGroup, key: int, track: int, difference: F64) -> F64 | None:
    """Return the axis of a rotation by its difference from that of a key; None if it is none."""
    return axis_of(group.values[key, track], difference) if group.unit == "°" else None


@rule(
    "jump",
    "size",
    "a joint jumps from one frame to the next, and moves slowly before and after",
    "blend over some frames; if the jump is intended, use STEP",
    Limit("mm", 300.0, "mm", "from one frame to the next", scaled=True),
    Limit("degrees", 90.0, "°", "from one frame to the next"),
)
@partial(_Kind, message="{joint} jumps by {amount} at {time} s of {clip}", mark="jump by {amount}")
def _jumps(group: KeyGroup, limits: F64) -> list[Pop]:
    """Return steps between adjacent keys that are far greater than those before and after."""
    moves = group.moves
    close = np.diff(group.times) <= FRAME
    before, after = np.zeros_like(moves), np.zeros_like(moves)
    before[1:], after[:-1] = moves[:-1], moves[1:]
    bad = (moves > limits) & (moves > JUMP * np.maximum(before, after)) & close[:, None]
    bad[[0, -1]] = False
    for key, track in np.argwhere(bad).tolist():
        bad[key, track] = _stays(group, key, track)
    return _found(group, limits, moves, np.asarray(bad), begin=1, width=1)


def _stays(group: KeyGroup, key: int, track: int) -> bool:
    """Return whether a track is not back soon after its step from a key, nor was there before."""
    values, sizes = group.values[:, track : track + 1], group.sizes[track : track + 1]
    last = len(values) - 1
    pairs = ((key, min(key + 1 + LONGEST, last)), (max(key - LONGEST, 0), key + 1))
    off = [distances(group.unit, sizes, values[a] - values[b]) for a, b in pairs]
    return bool(np.min(off) > group.moves[key, track] / 2)


@rule(
    "full-turn",
    "size",
    "a joint makes a full turn within a few frames, as baked Euler angles do that wrap at 180°",
    "filter the Euler curves in the authoring program, and bake again",
    Limit("degrees", 300.0, "°", "within three to six frames"),
)
@partial(
    _Kind,
    message="{joint} makes a full turn, {amount} within a few frames, from {time} s of {clip}",
    mark="full turn, {amount} within a few frames",
    fraction=1 / max(FULL_TURN),
)
def _full_turns(group: KeyGroup, limits: F64) -> list[Pop]:
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
        bad = (inside > limits) & (back < FULL_TURN_REST) & (outer < SLOW * pace)
        spans = group.times[width:] - group.times[:-width]
        bad &= (spans <= width * FRAME)[:, None]
        slow = steps[: len(inside)] < SLOW * pace  # a wider span that begins before the turn
        best += _found(group, limits, inside, np.asarray(bad & ~slow), begin=0, width=width // 2)
    return best


def _found(
    group: KeyGroup, limits: F64, amount: F64, bad: Bool, *, begin: int, width: int
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
            float(limits[column]),
            group.unit,
            _axis(group, row, column, values[row + width, column] - values[row, column]),
        )
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]


def _merged(context: CheckContext, clip: Clip, found: list[Pop], message: str) -> Iterator[Finding]:
    """Yield a finding for each group of simultaneous pops, about the one that is seen best."""
    names = context.model.skeleton.names
    left = sorted(found, key=lambda off: off.rank(context), reverse=True)
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
            worst.limit,
            joint=names[worst.joint],
            time=worst.time,
            size=worst.size(context),
            touches=others + 1,
            path=PATHS[worst.unit],
        )


class PopMark(NamedTuple):
    """A moment at which a joint pops."""

    seconds: float  # of the clip
    words: str
    path: str  # of the track


@np.errstate(all="ignore")  # invalid numbers of a file propagate
def clip_pops(model: Model, number: int) -> dict[int, tuple[PopMark, ...]]:
    """Return the pops of the joints in a clip, by joint, in order of time."""
    context = CheckContext(model, clips=(number,))
    found: dict[int, list[PopMark]] = {}
    for each in (_outliers, _jumps, _full_turns):
        kind, limits = cast("_Kind", each.find), Settings().limits_of(each, context.scale)
        for pop in kind.pops(context, limits, number):
            words = kind.mark.format(amount=measure(pop.amount, pop.unit))
            found.setdefault(pop.joint, []).append(PopMark(pop.time, words, PATHS[pop.unit]))
    return {joint: tuple(sorted(marks)) for joint, marks in found.items()}


@rule(
    "noise",
    "size",
    "the keys of a track are off a smooth curve, in another direction at nearly every key",
    "filter the curve (Blender: Key > Smooth, or the Butterworth filter), or clean the capture",
    Limit("mm", 4.0, "mm", "root mean square distance of the keys", scaled=True),
    Limit("degrees", 2.0, "°", "root mean square angle of the keys"),
)
@per_clip
def _noise(context: CheckContext, limits: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    names = context.model.skeleton.names
    found: list[tuple[float, float, float, str, int]] = []
    for group in context.cached(key_groups, c):
        limit = limits.get(LIMITS.get(group.unit, ""), np.inf)
        noise, alternates = key_noise(group)
        for k in np.flatnonzero(alternates & (noise > limit)).tolist():
            amount, joint = float(noise[k]), int(group.joints[k])
            size = size_of_amount(context, joint, amount, group.unit)
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
        limits[LIMITS[unit]],
        joint=names[joint],
        path=PATHS[unit],
        size=size,
        touches=others + 1,
    )
