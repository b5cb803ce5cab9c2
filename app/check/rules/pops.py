"""Rules about pops: an outlying key, a jump within a frame, a full turn within a few frames."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ...animation import quat
from ...animation.model_space import to_model_transforms
from ...animation.track import Track
from ...animation.types import F64, Bool, Index
from ...animation.vectors import length
from ...wording import counted, number, quoted
from ..check_context import CheckContext
from ..rule import Limit, Limits, Match, Rule

FRAME = 0.06  # seconds: the greatest time step between keys of adjacent frames
MIN_MOVEMENT = 0.7  # of the limit: tracks that move less between two keys have no outlying key
OUTLIER = 4.0  # times the motion of the neighbours per frame: a greater deviation is an outlier
USUAL = 8.0  # times the median deviation of the track's keys: a greater one is an outlier
JUMP = 15.0  # times the motion in the frames before and after: a greater step is a jump
FULL_TURN = range(3, 7)  # frames that a full turn takes
FULL_TURN_REST = 60.0  # degrees: greatest difference of the rotations before and after a full turn
SLOW = 0.25  # of the speed of the full turn: the track is slower before and after


class _Pop(NamedTuple):
    """A key that pops."""

    time: float  # seconds
    joint: int
    amount: float  # mm or degrees, from the curve of its neighbours or from the key before
    over: float  # as a multiple of its limit
    unit: str


class _Group(NamedTuple):
    """Tracks [n] of the same path with the same K times."""

    times: F64  # [K]
    values: F64  # [K, n, C]; signs of consecutive quaternions aligned
    joints: Index  # [n]
    unit: str
    sizes: F64  # [n] millimetres per unit of a translation
    moves: F64  # [K - 1, n] from key to key, mm or degrees

    def moving(self, limit: float) -> "_Group":
        """Return the tracks that move more than `limit` between two consecutive keys."""
        on = self.moves.max(axis=0) > limit
        return self._replace(
            values=self.values[:, on],
            joints=self.joints[on],
            sizes=self.sizes[on],
            moves=self.moves[:, on],
        )


def _pops(context: CheckContext, limits: Limits) -> Iterator[Match]:
    message = "{joint} pops in {clip}: its key at {time} s is {amount} off the curve"
    yield from _hits(context, limits, _find_outliers, MIN_MOVEMENT, message)


def _jumps(context: CheckContext, limits: Limits) -> Iterator[Match]:
    yield from _hits(
        context, limits, _find_jumps, 1.0, "{joint} jumps by {amount} at {time} s of {clip}"
    )


def _full_turns(context: CheckContext, limits: Limits) -> Iterator[Match]:
    message = "{joint} makes a full turn, {amount} within a few frames, from {time} s of {clip}"
    yield from _hits(context, limits, _find_full_turns, 1 / max(FULL_TURN), message)


def _hits(
    context: CheckContext,
    limits: Limits,
    look: Callable[[_Group, float], list[_Pop]],
    fraction: float,
    message: str,
) -> Iterator[Match]:
    """Yield the pops that `look` finds in tracks that move by a fraction of their limit."""
    for c in context.clips:
        found: list[_Pop] = []
        for group in context.cached(_groups, c):
            limit = limits.get("degrees" if group.unit == "°" else "mm", np.inf)
            moving = group.moving(limit * fraction)
            if len(moving.joints):
                found += look(moving, limit)
        yield from _merged(context, c, found, message)


def _groups(context: CheckContext, c: int) -> list[_Group]:
    """Return the tracks of a clip that have keys on adjacent frames."""
    members: dict[tuple[int, str], list[Track]] = {}
    for track in context.clip(c).tracks:
        smooth = track.interpolation != "STEP" and len(track.times) > 4
        if smooth and track.path in ("translation", "rotation"):
            members.setdefault((id(track.times), str(track.path)), []).append(track)
    found = []
    for (_, path), tracks in members.items():
        times = tracks[0].times.astype(np.float64)
        values = np.stack([track.values for track in tracks], axis=1).astype(np.float64)
        if np.diff(times).min() > FRAME or not np.isfinite(values).all():
            continue
        joints = np.array([track.target for track in tracks], np.intp)
        sizes, unit = context.cached(_scales)[joints] * 1000, "mm"
        if path == "rotation":
            values, unit = quat.align_signs(quat.normalize(values)), "°"
        moves = _apart(unit, sizes, values[1:], values[:-1])
        found.append(_Group(times, values, joints, unit, sizes, moves))
    return found


def _scales(context: CheckContext, _: int) -> F64:
    """Return the length [J] of a unit of each joint's translation at rest, metres."""
    skeleton = context.model.skeleton
    matrices, _rotations = to_model_transforms(skeleton, skeleton.rest)
    own = np.cbrt(np.abs(np.linalg.det(matrices[:, :3, :3])))
    return np.where(skeleton.parents >= 0, own[skeleton.parents], 1.0)


def _apart(unit: str, sizes: F64, a: F64, b: F64) -> F64:
    """Return the distances [..., n] between values [..., n, C], in mm or degrees."""
    off = length(a - b)
    if unit == "°":
        return np.degrees(4 * np.arcsin(np.minimum(off / 2, 1)))
    return off * sizes


def _around(group: _Group) -> tuple[Index, list[F64]]:
    """Return the keys [k] with neighbours, and values [k, n, C] at -2, -1, 1 and 2 frames."""
    steps = np.diff(group.times)
    wide = np.maximum(steps[1:], steps[:-1])
    keys = 1 + np.flatnonzero((wide <= FRAME) & (np.minimum(steps[1:], steps[:-1]) > 0))
    frame = wide[keys - 1]
    return keys, [_at(group, group.times[keys] + k * frame) for k in (-2, -1, 1, 2)]


def _at(group: _Group, times: F64) -> F64:
    """Return the values [k, n, C] at times [k], clamped at the ends."""
    after = np.clip(np.searchsorted(group.times, times), 1, len(group.times) - 1)
    begin, end = group.times[after - 1], group.times[after]
    u = np.clip((times - begin) / np.where(end > begin, end - begin, 1), 0, 1)[:, None, None]
    return group.values[after - 1] * (1 - u) + group.values[after] * u


def _find_outliers(group: _Group, limit: float) -> list[_Pop]:
    """Return single keys that are far from a smooth curve through the two keys on both sides.

    The motion of the neighbours distinguishes a glitch from fast motion, the deviation of the
    track's other keys distinguishes it from noise.
    """
    keys, (far, near, next_, beyond) = _around(group)
    if len(keys) < 3:
        return []
    line = (4 * (near + next_) - far - beyond) / 6
    kind = group.unit, group.sizes
    off = _apart(*kind, group.values[keys], line)
    paces = (_apart(*kind, far, near), _apart(*kind, next_, beyond), _apart(*kind, near, next_))
    usual = np.median(off, axis=0)
    bad = (off > limit) & (off > OUTLIER * np.max(paces, axis=0)) & (off > USUAL * usual)
    return _found(group, limit, keys, off, np.asarray(bad))


def _find_jumps(group: _Group, limit: float) -> list[_Pop]:
    """Return steps between adjacent keys that are far greater than those before and after."""
    moves = group.moves
    close = np.diff(group.times) <= FRAME
    before, after = np.zeros_like(moves), np.zeros_like(moves)
    before[1:], after[:-1] = moves[:-1], moves[1:]
    bad = (moves > limit) & (moves > JUMP * np.maximum(before, after)) & close[:, None]
    bad[[0, -1]] = False
    return _found(group, limit, np.arange(1, len(group.times)), moves, np.asarray(bad))


def _find_full_turns(group: _Group, limit: float) -> list[_Pop]:
    """Return full turns within a few frames, of tracks that turn slowly before and after."""
    steps = group.moves
    total = np.concatenate([np.zeros((1, steps.shape[1])), np.cumsum(steps, axis=0)])
    best: list[_Pop] = []
    for width in FULL_TURN:
        count = len(steps) - width
        if count < 2:
            break
        inside = total[width:] - total[:-width]  # [K - width, n]
        begin, end = group.values[:-width], group.values[width:]
        back = np.minimum(
            *(_apart(group.unit, group.sizes, begin, rotation) for rotation in (end, -end))
        )
        pace, outer = inside / width, np.zeros_like(inside)
        outer[1:], outer[:-1] = steps[: len(outer) - 1], np.maximum(outer[:-1], steps[width:])
        bad = (inside > limit) & (back < FULL_TURN_REST) & (outer < SLOW * pace)
        spans = group.times[width:] - group.times[:-width]
        bad &= (spans <= width * FRAME)[:, None]
        best += _found(group, limit, np.arange(len(inside)), inside, np.asarray(bad))
    return best


def _found(group: _Group, limit: float, keys: Index, amount: F64, bad: Bool) -> list[_Pop]:
    """Return the pops of a table `bad` with a row per key and a column per track."""
    rows, columns = np.nonzero(bad)
    return [
        _Pop(
            float(group.times[keys[row]]),
            int(group.joints[column]),
            float(amount[row, column]),
            float(amount[row, column]) / limit,
            group.unit,
        )
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]


def _merged(context: CheckContext, c: int, found: list[_Pop], message: str) -> Iterator[Match]:
    """Yield a match for each group of simultaneous pops, about the worst of them."""
    clip, names = context.clip(c).name, context.model.skeleton.names
    left = sorted(found, key=lambda off: -off.over)
    while left:
        worst = left[0]
        near = [off for off in left if abs(off.time - worst.time) <= 2 * FRAME]
        left = [off for off in left if abs(off.time - worst.time) > 2 * FRAME]
        others = len({off.joint for off in near} - {worst.joint})
        amount = f"{number(worst.amount)}{'' if worst.unit == '°' else ' '}{worst.unit}"
        words = message.format(
            joint=quoted(names[worst.joint]),
            clip=quoted(clip),
            time=f"{worst.time:.3f}",
            amount=amount,
        )
        yield Match(
            words + (f", with {counted(others, 'other joint')}" if others else ""),
            worst.amount,
            worst.unit,
            "mm" if worst.unit == "mm" else "degrees",
            clip=clip,
            joint=names[worst.joint],
            time=worst.time,
        )


RULES: tuple[Rule, ...] = (
    Rule(
        "pop",
        "warning",
        "a single key is far from the curve through the keys before and after it",
        "delete the key, or move it between its neighbours",
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
