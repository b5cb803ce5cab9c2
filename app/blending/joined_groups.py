"""Sync groups joined for a cross-fade in phase, and steps of groups whose weights change.

The speed of a group depends on the weights, and jumps at sync marks and where weights bend. A step
is halved until two halves give the same as the whole: it is exact to a billionth of an interval.
"""

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..animation.playback import Span
from ..animation.types import F64
from .state import Node
from .sync_group import SyncGroup
from .sync_marks import SyncTrack, mark_mismatch

Phase = tuple["F64 | Phase", "F64 | Phase"]  # states of both groups, intervals
WeightsAt = Callable[[float], F64]  # seconds since the start of a step to weights [..., n]

_NODES = 0.5 - math.sqrt(1 / 12), 0.5 + math.sqrt(1 / 12)  # of Gauss quadrature, on 0 to 1
_EXACT = 1e-9  # intervals
_ROUNDING = 1e-14  # relative error of states
_HALVINGS = 7


class JoinedGroups(Node):
    """Two groups with different sync marks and a common phase: the fraction of a cycle.

    Each synchronises its clips by its own marks; both complete a cycle in the same time, the mean
    of their cycle times weighted by the total weights of their clips.
    """

    changing = ("rate",)

    def __init__(self, old: "Group", new: "Group") -> None:
        self.old, self.new = old, new
        self.rate: F64 = old.rate
        self.batch: tuple[int, ...] = old.batch
        self._seconds: F64 = np.zeros(())  # [...] of the last step

    def parts(self) -> Iterable[tuple[str, Node]]:
        """Return both groups."""
        return ("old", self.old), ("new", self.new)

    @property
    def sync_tracks(self) -> tuple[SyncTrack, ...]:
        """Sync data of all clips."""
        return self.old.sync_tracks + self.new.sync_tracks

    def advance(self, seconds: ArrayLike, weights: ArrayLike) -> None:
        """Advance by seconds [...] with weights [..., n], as in `SyncGroup.advance`."""
        share = np.asarray(weights, np.float64)
        elapsed = self.rate * np.asarray(seconds, np.float64)
        self.finish(self.moved(self.at, elapsed, share[None]), seconds, share)

    @property
    def at(self) -> Phase:
        """The states of both groups."""
        return self.old.at, self.new.at

    def moved(self, at: Phase, elapsed: F64, weights: F64, speed: ArrayLike = 1.0) -> Phase:
        """Return states after clip seconds [...], as `SyncGroup.moved` does."""
        count = len(self.old.sync_tracks)
        both = self.cycle(weights)
        speed = np.asarray(speed) / np.where(both > 0, both, np.inf)
        parts = weights[..., :count], weights[..., count:]
        old, new = (
            group.moved(state, elapsed, part, speed * group.cycle(part))  # type: ignore[arg-type]
            for group, state, part in zip((self.old, self.new), at, parts, strict=True)
        )
        return old, new

    def finish(self, at: Phase, seconds: ArrayLike, weights: F64) -> None:
        """Complete a step, as `SyncGroup.finish` does."""
        count = len(self.old.sync_tracks)
        self._seconds = np.asarray(seconds, np.float64)
        self.old.finish(at[0], seconds, weights[..., :count])  # type: ignore[arg-type]
        self.new.finish(at[1], seconds, weights[..., count:])  # type: ignore[arg-type]

    def enter(self, i: int, x: ArrayLike) -> None:
        """Move clip `i` to the unwrapped local time `x` [...], and the other group to its phase.

        The phase is the fraction of a cycle; the other group stays in its pass.
        """
        group, own = self._part(i)
        group.enter(own, x)
        other = self.new if group is self.old else self.old
        sync_track, ours = group.sync_tracks[own], other.sync_tracks[0]
        cycles = (
            np.asarray(x, np.float64) / sync_track.cycle
            if sync_track.cycle > 0
            else np.zeros(self.batch)
        )
        passes = np.floor(other.x(0) / ours.duration) if ours.duration > 0 else 0.0
        other.enter(0, passes * ours.duration + np.mod(cycles, ours.cycles) * ours.cycle)

    def x(self, i: int) -> F64:
        """Return the unwrapped local time [...] of clip `i`, seconds."""
        group, own = self._part(i)
        return group.x(own)

    def span(self, i: int, *, passes: float = np.inf, start: float = 0.0) -> Span:
        """Return the interval of clip `i` in the last step, and its current time."""
        group, own = self._part(i)
        return group.span(own, passes=passes, start=start)

    def spans(self, starts: Sequence[float], first: int = 0) -> list[Span]:
        """Return the intervals of clips from index `first` on, as `span` does."""
        return [self.span(k, start=start) for k, start in enumerate(starts, start=first)]

    def when(self, i: int, x: float, character: tuple[int, ...] = ()) -> float:
        """Return the seconds from the start of the last step until clip `i` was at `x`."""
        seconds = np.broadcast_to(self._seconds, self.batch)[character]
        return float(seconds) * self.part_until(i, x, character)

    def part_until(self, i: int, x: float, character: tuple[int, ...] = ()) -> float:
        """Return the part of the last step, from 0 to 1, until clip `i` was at `x`."""
        group, own = self._part(i)
        return group.part_until(own, x, character)

    def cycle(self, weights: ArrayLike) -> F64:
        """Return the common cycle time [...] for weights [..., n], seconds."""
        share = np.asarray(weights, np.float64)
        count = len(self.old.sync_tracks)
        parts = share[..., :count], share[..., count:]
        old, new = parts[0].sum(axis=-1), parts[1].sum(axis=-1)
        none = old + new <= 0
        old, new = np.where(none, 1.0, old), np.where(none, 1.0, new)
        both = old * self.old.cycle(parts[0]) + new * self.new.cycle(parts[1])
        return both / (old + new)

    def last(self, count: int) -> "Group":
        """Return a group of the last `count` clips, with the same state."""
        before = count - len(self.new.sync_tracks)
        if before > 0:
            rest = JoinedGroups(self.old.last(before), self.new)
            rest.rate = self.rate
            return rest
        group = self.new.last(count) if before else self.new
        group.rate = self.rate
        return group

    def _part(self, i: int) -> tuple["Group", int]:
        count = len(self.old.sync_tracks)
        return (self.old, i) if i < count else (self.new, i - count)


Group = SyncGroup | JoinedGroups


def join(old: Group, new: SyncGroup, mine: int = 0, its: int = 0) -> Group:
    """Return a group of the clips of both, with the old clips' times unchanged.

    Parameters
    ----------
    old, new
        Groups of one batch; the rate is that of the old one. They must not be used afterwards.
    mine, its
        The leading (heaviest) clip of each: `its` starts in its first pass at the phase of `mine`.
        Phases are mapped by the sync marks if both have the same marks, otherwise they are equal.
    """
    if isinstance(old, SyncGroup) and mark_mismatch(old.sync_tracks + new.sync_tracks) is None:
        return old.follow(new, mine, its)
    one, other = old.sync_tracks[mine], new.sync_tracks[its]
    cycles = old.x(mine) / one.cycle if one.cycle > 0 else np.zeros(old.batch)
    phase = np.mod(np.mod(cycles, one.cycles), other.cycles)
    new.rate = old.rate
    new.enter(its, phase * other.cycle)
    return JoinedGroups(old, new)


def advance_with(group: Group, seconds: float, weights_at: WeightsAt) -> None:
    """Advance a group by seconds of global time, with weights that change."""
    at = _reached(group, group.at, (0.0, seconds), weights_at, _HALVINGS)
    group.finish(at, seconds, weights_at(seconds / 2))  # type: ignore[arg-type]


def _reached(
    group: Group, at: F64 | Phase, span: tuple[float, float], weights_at: WeightsAt, halvings: int
) -> F64 | Phase:
    """Return the state at the end of a span of seconds."""
    begin, end = span
    middle = (begin + end) / 2
    halves = (begin, middle), (middle, end)
    once, twice = _moved(group, at, span, weights_at), at
    for half in halves:
        twice = _moved(group, twice, half, weights_at)
    if not halvings or _are_close(once, twice):
        return twice
    for half in halves:
        at = _reached(group, at, half, weights_at, halvings - 1)
    return at


def _moved(
    group: Group, at: F64 | Phase, span: tuple[float, float], weights_at: WeightsAt
) -> F64 | Phase:
    begin, end = span
    weights = np.stack([weights_at(begin + (end - begin) * node) for node in _NODES])
    return group.moved(at, group.rate * (end - begin), weights)  # type: ignore[arg-type]


def _are_close(one: F64 | Phase, two: F64 | Phase) -> bool:
    if isinstance(one, tuple) and isinstance(two, tuple):
        return all(map(_are_close, one, two))
    a, b = np.asarray(one), np.asarray(two)
    return not np.any(np.abs(a - b) > _EXACT + _ROUNDING * np.abs(a))
