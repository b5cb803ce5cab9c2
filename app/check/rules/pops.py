"""Pops: a key out of line with its neighbours, a jump within a frame, a turn all the way round."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ...animation import quat
from ...animation.track import Track
from ...animation.types import F64, Bool, Index
from ...model.skinned_vertices import model_space
from ..finding_text import counted, number, quoted
from ..rule import Hit, Limit, Limits, Rule
from ..subject import Subject

FRAME = 0.06  # seconds: keys that are further apart are no neighbouring frames
LEAST = 0.7  # of how far a key is out of line: so much it moves from one of its neighbours
OUT = 4.0  # times what the neighbours move in a frame: the key is out of their line
USUAL = 8.0  # times what the track's keys are usually out of line
HARD = 15.0  # times what the track moves in the frames before and after: a jump
ROUND = range(3, 7)  # frames that a turn all the way round takes
BACK = 60.0  # degrees: what turned all the way round is left so near to where it began
SLOW = 0.25  # of its pace: before and after the turn the track goes slower


class _Off(NamedTuple):
    """A key that pops."""

    time: float  # seconds
    joint: int
    amount: float  # mm or degrees, off the line of its neighbours or from the key before
    over: float  # times its limit
    unit: str


class _Group(NamedTuple):
    """Tracks [n] of one path with the same K times."""

    times: F64  # [K]
    values: F64  # [K, n, C]; neighbouring quaternions on one side
    joints: Index  # [n]
    unit: str
    sizes: F64  # [n] millimetres that a unit of a translation is
    moves: F64  # [K - 1, n] from key to key, mm or degrees

    def lively(self, limit: float) -> "_Group":
        """Return the tracks that move so much between any two keys."""
        on = self.moves.max(axis=0) > limit
        return self._replace(
            values=self.values[:, on],
            joints=self.joints[on],
            sizes=self.sizes[on],
            moves=self.moves[:, on],
        )


def _glitches(subject: Subject, limits: Limits) -> Iterator[Hit]:
    sentence = "{joint} pops in {clip}: its key at {time} s is {amount} out of line"
    yield from _hits(subject, limits, _out_of_line, LEAST, sentence)


def _jumps(subject: Subject, limits: Limits) -> Iterator[Hit]:
    yield from _hits(
        subject, limits, _leaps, 1.0, "{joint} jumps by {amount} at {time} s of {clip}"
    )


def _spins(subject: Subject, limits: Limits) -> Iterator[Hit]:
    sentence = (
        "{joint} turns all the way round, by {amount} in a few frames, from {time} s of {clip} on"
    )
    yield from _hits(subject, limits, _round, 1 / max(ROUND), sentence)


def _hits(
    subject: Subject,
    limits: Limits,
    look: Callable[[_Group, float], list[_Off]],
    share: float,
    sentence: str,
) -> Iterator[Hit]:
    """Look at the tracks of all clips that move by a share of their limit between two keys."""
    for c in subject.clips:
        found: list[_Off] = []
        for group in subject.once(_groups, c):
            limit = limits.get("degrees" if group.unit == "°" else "mm", np.inf)
            lively = group.lively(limit * share)
            if len(lively.joints):
                found += look(lively, limit)
        yield from _told(subject, c, found, sentence)


def _groups(subject: Subject, c: int) -> list[_Group]:
    """Return the tracks of a clip that have keys on neighbouring frames."""
    members: dict[tuple[int, str], list[Track]] = {}
    for track in subject.clip(c).tracks:
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
        sizes, unit = subject.once(_scales)[joints] * 1000, "mm"
        if path == "rotation":
            values, unit = quat.one_side(quat.normalize(values)), "°"
        moves = _apart(unit, sizes, values[1:], values[:-1])
        found.append(_Group(times, values, joints, unit, sizes, moves))
    return found


def _scales(subject: Subject, _: int) -> F64:
    """Return how long a unit of each joint's translation is at rest [J], metres."""
    skeleton = subject.model.skeleton
    matrices, _turns = model_space(skeleton, skeleton.rest)
    own = np.cbrt(np.abs(np.linalg.det(matrices[:, :3, :3])))
    return np.where(skeleton.parents >= 0, own[skeleton.parents], 1.0)


def _apart(unit: str, sizes: F64, a: F64, b: F64) -> F64:
    """Return the distances [..., n] between values [..., n, C], in mm or degrees."""
    off = np.sqrt(np.einsum("...c,...c->...", a - b, a - b))
    if unit == "°":
        return np.degrees(4 * np.arcsin(np.minimum(off / 2, 1)))
    return off * sizes


def _around(group: _Group) -> tuple[Index, list[F64]]:
    """Return the keys [k] that have neighbours, and values [k, n, C] two frames before to after."""
    steps = np.diff(group.times)
    wide = np.maximum(steps[1:], steps[:-1])
    keys = 1 + np.flatnonzero((wide <= FRAME) & (np.minimum(steps[1:], steps[:-1]) > 0))
    frame = wide[keys - 1]
    return keys, [_at(group, group.times[keys] + k * frame) for k in (-2, -1, 1, 2)]


def _at(group: _Group, times: F64) -> F64:
    """Return the values [k, n, C] at times [k], held beyond the ends."""
    after = np.clip(np.searchsorted(group.times, times), 1, len(group.times) - 1)
    begin, end = group.times[after - 1], group.times[after]
    u = np.clip((times - begin) / np.where(end > begin, end - begin, 1), 0, 1)[:, None, None]
    return group.values[after - 1] * (1 - u) + group.values[after] * u


def _out_of_line(group: _Group, limit: float) -> list[_Off]:
    """Find single keys that a smooth curve through the two on both sides passes by.

    What the neighbours themselves move tells a glitch from a fast motion, and what the track's
    other keys are off tells it from noise.
    """
    keys, (far, near, next_, beyond) = _around(group)
    if len(keys) < 3:
        return []
    line = (4 * (near + next_) - far - beyond) / 6
    kind = group.unit, group.sizes
    off = _apart(*kind, group.values[keys], line)
    paces = (_apart(*kind, far, near), _apart(*kind, next_, beyond), _apart(*kind, near, next_))
    usual = np.median(off, axis=0)
    bad = (off > limit) & (off > OUT * np.max(paces, axis=0)) & (off > USUAL * usual)
    return _found(group, limit, keys, off, np.asarray(bad))


def _leaps(group: _Group, limit: float) -> list[_Off]:
    """Find steps between neighbouring keys that what is before and after does not lead to."""
    moves = group.moves
    close = np.diff(group.times) <= FRAME
    before, after = np.zeros_like(moves), np.zeros_like(moves)
    before[1:], after[:-1] = moves[:-1], moves[1:]
    bad = (moves > limit) & (moves > HARD * np.maximum(before, after)) & close[:, None]
    bad[[0, -1]] = False
    return _found(group, limit, np.arange(1, len(group.times)), moves, np.asarray(bad))


def _round(group: _Group, limit: float) -> list[_Off]:
    """Find turns all the way round within a few frames, of what else turns slowly."""
    steps = group.moves
    total = np.concatenate([np.zeros((1, steps.shape[1])), np.cumsum(steps, axis=0)])
    best: list[_Off] = []
    for width in ROUND:
        count = len(steps) - width
        if count < 2:
            break
        inside = total[width:] - total[:-width]  # [K - width, n]
        begin, end = group.values[:-width], group.values[width:]
        back = np.minimum(*(_apart(group.unit, group.sizes, begin, each) for each in (end, -end)))
        pace, outer = inside / width, np.zeros_like(inside)
        outer[1:], outer[:-1] = steps[: len(outer) - 1], np.maximum(outer[:-1], steps[width:])
        bad = (inside > limit) & (back < BACK) & (outer < SLOW * pace)
        spans = group.times[width:] - group.times[:-width]
        bad &= (spans <= width * FRAME)[:, None]
        best += _found(group, limit, np.arange(len(inside)), inside, np.asarray(bad))
    return best


def _found(group: _Group, limit: float, keys: Index, amount: F64, bad: Bool) -> list[_Off]:
    """Return the pops of rows that are keys, and columns that are tracks."""
    rows, columns = np.nonzero(bad)
    return [
        _Off(
            float(group.times[keys[row]]),
            int(group.joints[column]),
            float(amount[row, column]),
            float(amount[row, column]) / limit,
            group.unit,
        )
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]


def _told(subject: Subject, c: int, found: list[_Off], sentence: str) -> Iterator[Hit]:
    """Tell of pops: those at one time together, by the worst of them."""
    clip, names = subject.clip(c).name, subject.model.skeleton.names
    left = sorted(found, key=lambda off: -off.over)
    while left:
        worst = left[0]
        near = [off for off in left if abs(off.time - worst.time) <= 2 * FRAME]
        left = [off for off in left if abs(off.time - worst.time) > 2 * FRAME]
        others = len({off.joint for off in near} - {worst.joint})
        amount = f"{number(worst.amount)}{'' if worst.unit == '°' else ' '}{worst.unit}"
        words = sentence.format(
            joint=quoted(names[worst.joint]),
            clip=quoted(clip),
            time=f"{worst.time:.3f}",
            amount=amount,
        )
        yield Hit(
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
        "a single key lies off the line that the keys before and after it are on",
        "delete the key, or set it between its neighbours",
        _glitches,
        (
            Limit("mm", 15.0, "mm", "that a key may be out of line", scaled=True),
            Limit("degrees", 8.0, "°", "that a key may be out of line"),
        ),
    ),
    Rule(
        "jump",
        "warning",
        "a joint jumps from one frame to the next, and moves slowly before and after",
        "blend over some frames; where the jump is meant, use STEP",
        _jumps,
        (
            Limit("mm", 300.0, "mm", "from one frame to the next", scaled=True),
            Limit("degrees", 90.0, "°", "from one frame to the next"),
        ),
    ),
    Rule(
        "full-turn",
        "warning",
        "a joint turns all the way round within a few frames, as baked Euler angles do that run "
        "over at 180°",
        "filter the Euler curves in the program they come from, and bake again",
        _spins,
        (Limit("degrees", 300.0, "°", "in three to six frames"),),
    ),
)
