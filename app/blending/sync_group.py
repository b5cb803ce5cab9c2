"""Clips of different length in step: one phase for all of them (SPEC C5, RULINGS M6, M8)."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..animation.playback import NEVER, Span, wrap
from ..animation.types import F64, Bool, Index
from .sync_marks import Beat, Discord, discord, mismatch, repeat

__all__ = ["Beat", "Discord", "SyncGroup", "SyncState", "discord"]


class SyncState(NamedTuple):
    """Where a group stands; the arrays are never written in place."""

    at: F64
    entered: F64
    begins: Bool
    rate: F64


class _Pace(NamedTuple):
    """How long the intervals last with the weights of a step, until they repeat."""

    whole: F64  # [...] seconds of all R
    lengths: F64  # [..., R] seconds
    ends: F64  # [..., R] seconds at the end of each


class SyncGroup:
    """Clips that stand at one phase, whatever the weights.

    The state is the number of the interval from sync mark to sync mark (without marks: of the
    cycle) and the fraction in it, not wrapped. Only its speed depends on the weights: an interval
    lasts as long as the weighted mean of what it lasts in the clips. So a clip alone runs at its
    own speed, and a change of weights moves nothing.

    Parameters
    ----------
    beats
        The n clips.
    rate
        [...] R, clip seconds per second; negative: backwards.
    batch
        Of the characters.

    Raises
    ------
    ValueError
        Where the marks do not fit; ask `discord` first.
    """

    def __init__(
        self, beats: Sequence[Beat], rate: ArrayLike = 1.0, batch: tuple[int, ...] = ()
    ) -> None:
        fault = mismatch(beats) if beats else Discord(0, -1, "a group needs a clip")
        if fault:
            raise ValueError(f"clip {fault.clip}: {fault.what}")
        self.beats = tuple(beats)
        self.batch = batch
        self.rate: F64 = np.broadcast_to(np.asarray(rate, np.float64), batch)
        self._counts: Index = np.array([beat.intervals for beat in beats], np.intp)
        self._durations: F64 = np.array([beat.duration for beat in beats], np.float64)
        self._cycles: F64 = np.array([beat.cycle for beat in beats], np.float64)
        widest = int(self._counts.max())
        self._knots: F64 = np.full((len(beats), widest + 1), np.inf)  # seconds at marks
        self._lengths: F64 = np.zeros((len(beats), widest))
        self._ticks: list[list[float]] = []
        for i, beat in enumerate(beats):
            knots = beat.knots()
            self._ticks.append(knots.tolist())
            self._knots[i, : len(knots)] = knots
            self._lengths[i, : len(knots) - 1] = np.diff(knots)
        self._repeat = repeat(beats)
        self._shift: F64  # [..., n] whole intervals a clip is ahead of the group
        self._at: F64  # [...] interval and fraction
        self._before: F64  # [...] the same when the last step began
        self._entered: F64  # [...] where it was put, infinity: it was not
        self._pending: Bool  # [...] nothing has moved since a start
        self._first: Bool  # [...] the last step began at a start
        self._place(np.zeros(batch), np.zeros(len(beats)))
        self.start(0)

    def start(self, i: ArrayLike = 0, phase: float | None = None) -> None:
        """Begin where clip `i` ([...], the heaviest) begins: at 0, playing backwards at its end.

        With a `phase` from 0 to 1 it begins there.
        """
        length = self._durations[np.asarray(i)]
        if phase is None:
            self.enter(i, np.where(self.rate < 0, length, 0.0))
        else:
            self.enter(i, length * phase)
        self._pending = np.ones((), bool)

    def enter(self, i: ArrayLike, x: ArrayLike) -> None:
        """Put the group where clip `i` [...] stands at the unwrapped local time `x` [...]."""
        self._place(np.broadcast_to(self._of(i, x), self.batch), self._shift)
        self._entered = self._at

    def advance(self, seconds: ArrayLike, weights: ArrayLike) -> None:
        """Go on, exactly for weights that are constant, however long the step.

        Parameters
        ----------
        seconds
            [...] of global time, either direction.
        weights
            [..., n] of the clips; they need not sum to 1. All zero: as if all were equal.
        """
        self.run(self.rate * np.asarray(seconds, np.float64), weights)

    def run(self, elapsed: F64, weights: ArrayLike) -> None:
        """Go on by clip seconds [...]: `advance` without the rate."""
        self._before = self._at
        self._pace = pace = self._paces(np.asarray(weights, np.float64))
        whole = np.where(pace.whole > 0, pace.whole, np.inf)  # clips of no length stand still
        if self._repeat == 1:
            self._at = self._at + elapsed / whole
        else:
            periods, within = self._seconds(self._at)
            within = within + elapsed
            more = np.floor(within / whole)
            within = within - more * pace.whole
            key = (pace.ends[..., :-1] <= within[..., None]).sum(axis=-1)
            length = _pick(pace.lengths, key)
            left = (_pick(pace.ends, key) - within) / np.where(length > 0, length, np.inf)
            fraction = 1.0 - np.minimum(np.maximum(left, 0.0), 1.0)
            moved = (periods + more) * self._repeat + key + fraction
            moved = np.where((elapsed == 0) | (pace.whole <= 0), self._at, moved)
            ahead = np.maximum(
                self._at, moved
            )  # never an ulp the wrong way: it would be a step back
            self._at = np.where(elapsed < 0, np.minimum(self._at, moved), ahead)
        self._first = self._pending
        if self._pending.any():
            self._pending = self._pending & (self._before == self._at)

    def x(self, i: int) -> F64:
        """Return the unwrapped local time [...] of clip `i`, seconds."""
        return self._x(i, self._at)

    def span(self, i: int, *, passes: float = math.inf, start: float = 0.0) -> Span:
        """Return what clip `i` passed over in the last step, and its time now.

        Parameters
        ----------
        i
            Number of the clip.
        passes
            N, for a clip that a fade brought in phase and that does not loop for ever: it rests
            at its end while the group goes on.
        start
            Clip time at x = 0, seconds.
        """
        duration, count = self._durations[i], np.asarray(passes, np.float64)
        x0, x1 = self._x(i, self._before), self._x(i, self._at)
        if not np.isinf(count):
            x0, x1 = (np.clip(x, 0.0, count * duration) for x in (x0, x1))
        local = wrap(x1, duration, "loop", count)[1]
        at_end = (self._at == self._entered) & (self.rate < 0) & (local == 0)  # started backwards
        time = start + np.where(at_end, duration, local)
        return Span(x0, x1, duration, "loop", count, time, self._first)

    def when(self, i: int, x: float, character: tuple[int, ...] = ()) -> float:
        """Return when in the last step clip `i` stood at `x`: seconds since the step's beginning.

        Parameters
        ----------
        i
            Number of the clip.
        x
            Unwrapped local time that the step passed over, seconds.
        character
            Index in the batch.
        """
        return self.reached(i, x, character) / float(self.rate[character])

    def reached(self, i: int, x: float, character: tuple[int, ...] = ()) -> float:
        """Return the same in clip seconds: `when` without the rate."""
        pace = self._pace
        if self.batch:
            rows = (*self.batch, pace.lengths.shape[-1])
            each = (
                np.broadcast_to(pace.whole, self.batch),
                *(np.broadcast_to(part, rows) for part in (pace.lengths, pace.ends)),
            )
            pace = _Pace(*(part[character] for part in each))
        lengths, ends, whole = pace.lengths.tolist(), pace.ends.tolist(), float(pace.whole)
        at = _intervals(self.beats[i], self._ticks[i], x) - float(self._shift[(*character, i)])
        periods, within = _clock(at, lengths, ends)
        before, began = _clock(float(self._before[character]), lengths, ends)
        return (periods - before) * whole + (within - began)

    def cycle(self, weights: ArrayLike) -> F64:
        """Return how long one cycle of all lasts with these weights [..., n], [...] seconds."""
        return _mean(self._cycles, np.asarray(weights, np.float64))

    def last(self, count: int) -> "SyncGroup":
        """Return the group of the last clips alone, where they stand."""
        group = SyncGroup(self.beats[-count:], self.rate, self.batch)
        group._place(self._at, self._shift[..., -count:])
        return group

    def follow(self, other: "SyncGroup", mine: int, its: int) -> "SyncGroup":
        """Return the group of both: another's clips, whose marks fit, come in at this one's phase.

        Clip `its` of the other then stands in its first pass where clip `mine` is in its own.
        """
        both = SyncGroup(self.beats + other.beats, self.rate, self.batch)
        ahead = self._shift[..., mine]
        for count in (self._counts[mine], other._counts[its]):
            ahead = ahead - count * np.floor((self._at + ahead) / count)
        theirs = other._shift + (ahead - other._shift[..., its])[..., None]
        both._place(self._at, np.concatenate([self._shift, theirs], axis=-1))
        return both

    def save(self) -> SyncState:
        """Return the state, for `restore`."""
        return SyncState(self._at, self._entered, self._pending, self.rate)

    def restore(self, state: SyncState) -> None:
        """Go back to a state that `save` gave; no step is under way then."""
        self._at, self._entered, self._pending, self.rate = state
        self._before, self._first = self._at, NEVER

    def _place(self, at: F64, shift: F64) -> None:
        """Stand at [...] intervals, the clips [..., n] whole intervals ahead of that."""
        self._at = self._before = at
        self._entered = np.full((), np.inf)
        self._pending = self._first = NEVER
        self._shift = np.broadcast_to(shift, (*self.batch, len(self.beats)))
        ahead = np.arange(self._repeat)[:, None] + self._shift[..., None, :].astype(np.intp)
        self._table: F64 = self._lengths[np.arange(len(self.beats)), ahead % self._counts]
        self._pace = self._paces(np.ones(len(self.beats)))

    def _paces(self, weights: F64) -> _Pace:
        """Return how long the intervals last: the weighted mean of what they last in the clips."""
        if self._repeat == 1:
            whole = _mean(self._cycles, weights)
            return _Pace(whole, whole[..., None], whole[..., None])
        lengths = _mean(self._table, weights[..., None, :])
        ends = np.cumsum(np.broadcast_to(lengths, (*self.batch, self._repeat)), axis=-1)
        return _Pace(ends[..., -1], lengths, ends)

    def _seconds(self, at: F64) -> tuple[F64, F64]:
        """Return the number of whole periods [...] and the clip seconds [...] into this one."""
        periods = np.floor(at / self._repeat)
        within = at - periods * self._repeat
        key = np.minimum(within.astype(np.intp), self._repeat - 1)
        left = (key + 1 - within) * _pick(self._pace.lengths, key)
        return periods, _pick(self._pace.ends, key) - left

    def _x(self, i: int, at: F64) -> F64:
        """Return the unwrapped local time [...] of a clip with the group at [...] intervals."""
        count = int(self._counts[i])
        at = at + self._shift[..., i]
        passes = np.floor(at / count)
        within = at - passes * count
        key = np.minimum(within.astype(np.intp), count - 1)
        into = self._knots[i, key] + (within - key) * self._lengths[i, key]
        return passes * self._durations[i] + np.minimum(into, self._knots[i, key + 1])

    def _of(self, i: ArrayLike, x: ArrayLike) -> F64:
        """Return the intervals [...] at which the group has clip `i` [...] at `x` [...]."""
        clip, local = np.asarray(i, np.intp), np.asarray(x, np.float64)
        duration, count, knots = self._durations[clip], self._counts[clip], self._knots[clip]
        passes = np.floor((local - knots[..., 0]) / np.where(duration > 0, duration, np.inf))
        local = local - passes * duration
        key = (knots[..., 1:] <= local[..., None]).sum(axis=-1)
        key = np.minimum(key, count - 1)
        length = self._lengths[clip, key]
        fraction = (local - _pick(knots, key)) / np.where(length > 0, length, np.inf)
        at = passes * count + key + np.minimum(np.maximum(fraction, 0.0), 1.0)
        shift = np.broadcast_to(clip, self.batch)[..., None]
        return at - np.take_along_axis(self._shift, shift, axis=-1)[..., 0]


def _mean(values: F64, weights: F64) -> F64:
    """Return the weighted mean [...] over the last axis; all weights 0: as if they were equal."""
    total = weights.sum(axis=-1)
    if not np.all(total > 0):
        weights = np.where(total[..., None] > 0, weights, 1.0)
        total = weights.sum(axis=-1)
    return np.einsum("...i,...i->...", values, weights) / total


def _intervals(beat: Beat, knots: list[float], x: float) -> float:
    """Return the intervals at which a clip stands at `x`: `_of` for one, in plain numbers."""
    passes = math.floor((x - knots[0]) / beat.duration) if beat.duration > 0 else 0
    local = x - passes * beat.duration
    key = min(bisect_right(knots, local, 1), len(knots) - 1) - 1
    length = knots[key + 1] - knots[key]
    fraction = (local - knots[key]) / length if length > 0 else 0.0
    return passes * beat.intervals + key + min(max(fraction, 0.0), 1.0)


def _clock(at: float, lengths: list[float], ends: list[float]) -> tuple[int, float]:
    """Return the number of whole periods and the seconds into this one: `_seconds` for one."""
    periods = math.floor(at / len(ends))
    within = at - periods * len(ends)
    key = min(int(within), len(ends) - 1)
    return periods, ends[key] - (key + 1 - within) * lengths[key]


def _pick(rows: F64, key: Index) -> F64:
    """Return the entry [...] that `key` [...] names in each row [..., R]."""
    if rows.shape[-1] == 1:
        return rows[..., 0]
    if rows.ndim == 1:
        return rows[key]
    rows = np.broadcast_to(rows, (*key.shape, rows.shape[-1]))
    return np.take_along_axis(rows, key[..., None], axis=-1)[..., 0]
