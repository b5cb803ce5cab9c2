"""Sync groups: clips of different length with one common phase."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from ..animation.playback import NEVER, Span, wrap
from ..animation.types import F64, Bool, Index
from .state import Node
from .sync_marks import SyncMismatch, SyncTrack, mark_mismatch, repeat, sync_mismatch

__all__ = ["SyncGroup", "SyncMismatch", "SyncTrack", "sync_mismatch"]

_FOREVER: F64 = np.array(np.inf)
_LEAST_WEIGHT = float(np.finfo(np.float64).tiny)  # smaller sums have lost their precision


class _Pace(NamedTuple):
    """Durations of the R intervals after which all clips repeat, at the weights of one step."""

    whole: F64  # [...] total, seconds
    lengths: F64  # [..., R] seconds
    ends: F64  # [..., R] end of each, seconds


class SyncGroup(Node):
    """Clips with a common phase, independent of their weights.

    The state is the index of the interval between sync marks (without marks: of the cycle) plus the
    fraction in it, not wrapped: 3.25 is a quarter into interval 3. Only its speed depends on the
    weights: the duration of an interval is the weighted mean of its durations in the clips. A clip
    alone plays at its own speed, and a change of weights does not change the phase.

    Parameters
    ----------
    sync_tracks
        Sync data of the n clips.
    rate
        [...] clip seconds per second; negative: reverse.
    batch
        Of the characters.

    Raises
    ------
    ValueError
        The sync marks do not match; see `sync_mismatch`.
    """

    changing = ("at", "_entered", "_pending", "rate")

    def __init__(
        self, sync_tracks: Sequence[SyncTrack], rate: ArrayLike = 1.0, batch: tuple[int, ...] = ()
    ) -> None:
        fault = (
            mark_mismatch(sync_tracks)
            if sync_tracks
            else SyncMismatch(0, -1, "a sync group needs a clip")
        )
        if fault:
            raise ValueError(f"clip {fault.clip}: {fault.what}")
        self.sync_tracks = tuple(sync_tracks)
        self.batch = batch
        self.rate: F64
        self.set_rate(rate)
        self._counts: Index = np.array(
            [sync_track.intervals for sync_track in sync_tracks], np.intp
        )
        self._durations: F64 = np.array(
            [sync_track.duration for sync_track in sync_tracks], np.float64
        )
        self._cycles: F64 = np.array([sync_track.cycle for sync_track in sync_tracks], np.float64)
        widest = int(self._counts.max())
        self._knots: F64 = np.full((len(sync_tracks), widest + 1), np.inf)  # seconds of the marks
        self._lengths: F64 = np.zeros((len(sync_tracks), widest))
        self._ticks: list[list[float]] = []
        for i, sync_track in enumerate(sync_tracks):
            knots = sync_track.knots()
            self._ticks.append(knots.tolist())
            self._knots[i, : len(knots)] = knots
            self._lengths[i, : len(knots) - 1] = np.diff(knots)
        self._repeat = repeat(sync_tracks)
        self._shift: F64  # [..., n] whole intervals that a clip is ahead of the group
        self.at: F64  # [...] interval and fraction
        self._before: F64  # [...] the same at the start of the last step
        self._entered: F64  # [...] where it was set by `enter`, infinity: it was not
        self._pending: Bool  # [...] no movement since a start
        self._first: Bool  # [...] the last step started at a start
        self._seconds: F64 = np.zeros(())  # [...] of the last step
        self._place(np.zeros(batch), np.zeros(len(sync_tracks)))
        self.start(0)

    def start(self, i: ArrayLike = 0, phase: float | None = None) -> None:
        """Start with clip `i` ([...], the heaviest) at 0, or in reverse at its end.

        With a `phase` from 0 to 1 the clip starts there.
        """
        length = self._durations[np.asarray(i)]
        if phase is None:
            self.enter(i, np.where(self.rate < 0, length, 0.0))
        else:
            self.enter(i, length * phase)
        self._pending = np.ones((), bool)

    def enter(self, i: ArrayLike, x: ArrayLike) -> None:
        """Move the group so that clip `i` [...] is at the unwrapped local time `x` [...]."""
        self._place(np.broadcast_to(self._of(i, x), self.batch), self._shift)
        self._entered = self.at

    def set_rate(self, rate: ArrayLike) -> None:
        """Set the clip seconds per second [...]; negative: reverse."""
        self.rate = np.broadcast_to(np.asarray(rate, np.float64), self.batch)

    def advance(self, seconds: ArrayLike, weights: ArrayLike) -> None:
        """Advance; exact for constant weights and any step length.

        Parameters
        ----------
        seconds
            [...] of global time, either direction.
        weights
            [..., n] of the clips; they need not sum to 1. All zero: as if equal.
        """
        elapsed = self.rate * np.asarray(seconds, np.float64)
        pace = self._paces(np.asarray(weights, np.float64))
        self._finish(self._moved(self.at, elapsed, pace), pace, seconds)

    def moved(self, at: F64, elapsed: F64, weights: F64, speed: ArrayLike = 1.0) -> F64:
        """Return a state [...] after clip seconds [...], at the mean speed of several weights.

        Parameters
        ----------
        weights
            [K, ..., n] of the clips.
        speed
            [K, ...] clip seconds per clip second at each of them.
        """
        lengths = self._paces(weights).lengths
        speed = np.broadcast_to(np.asarray(speed, np.float64)[..., None], lengths.shape)
        speeds = np.divide(speed, lengths, where=lengths > 0, out=np.full_like(lengths, np.inf))
        mean = speeds.mean(axis=0)
        lengths = np.divide(1.0, mean, where=mean > 0, out=np.zeros_like(mean))
        return self._moved(at, elapsed, self._pace_of(lengths))

    def finish(self, at: F64, seconds: ArrayLike, weights: F64) -> None:
        """Complete a step with its final state, its seconds, and weights [..., n] amid it."""
        self._finish(at, self._paces(weights), seconds)

    def _finish(self, at: F64, pace: _Pace, seconds: ArrayLike) -> None:
        self._before, self.at, self._pace = self.at, at, pace
        self._seconds = np.asarray(seconds, np.float64)
        self._first = self._pending
        if self._pending.any():
            self._pending = self._pending & (self._before == self.at)

    def _moved(self, at: F64, elapsed: F64, pace: _Pace) -> F64:
        """Return a state [...] after clip seconds [...] at a pace."""
        whole = np.where(pace.whole > 0, pace.whole, np.inf)  # clips of no length do not advance
        if self._repeat == 1:
            return at + elapsed / whole
        if not self.batch and pace.whole > 0 and _finite(at, elapsed, pace.whole):
            return np.asarray(
                _advanced(float(at), float(elapsed), pace.lengths.tolist(), pace.ends.tolist())
            )
        periods = np.floor(at / self._repeat)
        into = at - periods * self._repeat
        key = np.minimum(into.astype(np.intp), self._repeat - 1)
        within = _pick(pace.ends, key) - (key + 1 - into) * _pick(pace.lengths, key) + elapsed
        more = np.floor(within / whole)
        within = within - more * pace.whole
        key = (pace.ends[..., :-1] <= within[..., None]).sum(axis=-1)
        length = _pick(pace.lengths, key)
        left = (_pick(pace.ends, key) - within) / np.where(length > 0, length, np.inf)
        fraction = 1.0 - np.minimum(np.maximum(left, 0.0), 1.0)
        moved = (periods + more) * self._repeat + key + fraction
        moved = np.where((elapsed == 0) | (pace.whole <= 0), at, moved)
        # rounding must not step in the other direction
        return np.where(elapsed < 0, np.minimum(at, moved), np.maximum(at, moved))

    def x(self, i: int) -> F64:
        """Return the unwrapped local time [...] of clip `i`, seconds."""
        return self._x(i, self.at)

    def span(self, i: int | Index, *, passes: float = math.inf, start: float | F64 = 0.0) -> Span:
        """Return the interval of clip `i` in the last step, and its current time.

        Parameters
        ----------
        i
            Index of the clip; indices [n] give the intervals [..., n] of several.
        passes
            N, for a clip that was faded in phase and does not loop continuously: it is clamped at
            its end while the group continues.
        start
            Clip time at x = 0, seconds; of several clips [n].
        """
        duration, count = self._durations[i], np.asarray(passes, np.float64)
        before, at, entered, rate = self._before, self.at, self._entered, self.rate
        if not isinstance(i, int):
            before, at, rate = before[..., None], at[..., None], rate[..., None]
            entered = entered[..., None]
        x0, x1 = self._x(i, before), self._x(i, at)
        if not np.isinf(count):
            x0, x1 = (np.clip(x, 0.0, count * duration) for x in (x0, x1))
        local = wrap(x1, duration, "loop", count)[1]
        at_end = (at == entered) & (rate < 0) & (local == 0)  # started in reverse
        time = start + np.where(at_end, duration, local)
        return Span(x0, x1, duration, "loop", count, time, self._first)

    def spans(self, starts: Sequence[float], first: int = 0) -> list[Span]:
        """Return the intervals of clips from index `first` on, which start at clip times [n].

        For several clips it takes a fraction of the time of `span` for each.
        """
        if not self.batch and _finite(self._before, self.at):
            return [self._span_of_one(first + k, start) for k, start in enumerate(starts)]
        clips = np.arange(first, first + len(starts))
        of_all = self.span(clips, start=np.asarray(starts))
        parts = (of_all.x0, of_all.x1, of_all.duration, of_all.time)
        return [
            Span(x0, x1, duration, "loop", of_all.passes, time, self._first)
            for x0, x1, duration, time in zip(*map(_of_each, parts), strict=True)
        ]

    def _span_of_one(self, i: int, start: float) -> Span:
        """Return `span` of a clip of one character, in plain numbers."""
        knots, shift, duration = self._ticks[i], float(self._shift[i]), self._durations[i]
        x0, x1 = (
            _number(_position(float(at) + shift, knots, float(duration)))
            for at in (self._before, self.at)
        )
        local = float(wrap(x1, duration, "loop", _FOREVER)[1])
        if local == 0 and self.rate < 0 and self.at == self._entered:  # started in reverse
            local = float(duration)
        time = _number(start + local)
        return Span(x0, x1, duration, "loop", _FOREVER, time, self._first)

    def when(self, i: int, x: float, character: tuple[int, ...] = ()) -> float:
        """Return when in the last step clip `i` was at `x`, in seconds since the step's start.

        Parameters
        ----------
        i
            Index of the clip.
        x
            Unwrapped local time within the step, seconds.
        character
            Index in the batch.
        """
        seconds = np.broadcast_to(self._seconds, self.batch)[character]
        return float(seconds) * self.part_until(i, x, character)

    def part_until(self, i: int, x: float, character: tuple[int, ...] = ()) -> float:
        """Return the part of the last step, from 0 to 1, until clip `i` was at `x`."""
        pace = self._pace
        if self.batch:
            rows = (*self.batch, pace.lengths.shape[-1])
            each = (
                np.broadcast_to(pace.whole, self.batch),
                *(np.broadcast_to(part, rows) for part in (pace.lengths, pace.ends)),
            )
            pace = _Pace(*(part[character] for part in each))
        lengths, ends, whole = pace.lengths.tolist(), pace.ends.tolist(), float(pace.whole)
        shift = float(self._shift[(*character, i)])
        at = _intervals(self.sync_tracks[i], self._ticks[i], x) - shift
        states = float(self._before[character]), at, float(self.at[character])
        (periods, began), *later = (_clock(state, lengths, ends) for state in states)
        until, all_of_it = (
            (passed - periods) * whole + (within - began) for passed, within in later
        )
        return until / all_of_it if all_of_it else 0.0

    def cycle(self, weights: ArrayLike) -> F64:
        """Return the common cycle time [...] for weights [..., n], seconds."""
        return _mean(self._cycles, np.asarray(weights, np.float64))

    def period(self, weights: F64) -> float:
        """Return the clip seconds after which all clips with weight [n] repeat; for one character.

        All weights zero: as if equal.
        """
        used = np.flatnonzero(weights > 0) if np.any(weights > 0) else np.arange(weights.size)
        tracks = [self.sync_tracks[i] for i in used.tolist()]
        whole = float(SyncGroup(tracks)._paces(weights[used]).whole)
        return whole if tracks[0].marks else whole * math.lcm(*(each.cycles for each in tracks))

    def last(self, count: int) -> "SyncGroup":
        """Return a group of the last `count` clips, with the same state."""
        group = SyncGroup(self.sync_tracks[-count:], self.rate, self.batch)
        group._place(self.at, self._shift[..., -count:])
        return group

    def follow(self, other: "SyncGroup", mine: int, its: int) -> "SyncGroup":
        """Return a group of both: clips of another group, with matching marks, at this phase.

        Clip `its` of the other group is then in its first pass at the phase of clip `mine`.
        """
        both = SyncGroup(self.sync_tracks + other.sync_tracks, self.rate, self.batch)
        ahead = self._shift[..., mine]
        for count in (self._counts[mine], other._counts[its]):
            ahead = ahead - count * np.floor((self.at + ahead) / count)
        theirs = other._shift + (ahead - other._shift[..., its])[..., None]
        both._place(self.at, np.concatenate([self._shift, theirs], axis=-1))
        return both

    def restore(self, state: Any) -> None:  # noqa: ANN401
        """Restore a state that `save` returned, between steps."""
        super().restore(state)
        self._before, self._first = self.at, NEVER

    def continue_from(self, other: Self, tau: float) -> None:  # noqa: ARG002
        """Continue the phase of a group of equal sync data, at the own rate."""
        if self.sync_tracks == other.sync_tracks:
            rate = self.rate
            self.restore(other.save())
            self.rate = rate

    def _place(self, at: F64, shift: F64) -> None:
        """Set the state to [...] intervals, with clips [..., n] whole intervals ahead of it."""
        self.at = self._before = at
        self._entered = np.full((), np.inf)
        self._pending = self._first = NEVER
        self._shift = np.broadcast_to(shift, (*self.batch, len(self.sync_tracks)))
        ahead = np.arange(self._repeat)[:, None] + self._shift[..., None, :].astype(np.intp)
        self._table: F64 = self._lengths[np.arange(len(self.sync_tracks)), ahead % self._counts]
        self._pace = self._paces(np.ones(len(self.sync_tracks)))

    def _paces(self, weights: F64) -> _Pace:
        """Return the durations of the intervals: the weighted means of those in the clips."""
        if self._repeat == 1:
            return self._pace_of(_mean(self._cycles, weights)[..., None])
        return self._pace_of(_mean(self._table, weights[..., None, :]))

    def _pace_of(self, lengths: F64) -> _Pace:
        """Return the pace of intervals of some lengths [..., R], seconds."""
        if self._repeat == 1:
            return _Pace(lengths[..., 0], lengths, lengths)
        ends = np.cumsum(lengths, axis=-1)
        return _Pace(ends[..., -1], lengths, ends)

    def _x(self, i: int | Index, at: F64) -> F64:
        """Return the unwrapped local time [...] of a clip for a group state of [...] intervals.

        Of clips [n], [..., n] for a state [..., 1].
        """
        count = self._counts[i]
        at = at + self._shift[..., i]
        passes = np.floor(at / count)
        within = at - passes * count
        key = np.minimum(within.astype(np.intp), count - 1)
        into = self._knots[i, key] + (within - key) * self._lengths[i, key]
        return passes * self._durations[i] + np.minimum(into, self._knots[i, key + 1])

    def _of(self, i: ArrayLike, x: ArrayLike) -> F64:
        """Return the group state [...], in intervals, that has clip `i` [...] at `x` [...]."""
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


def _number(value: float) -> F64:
    """Return a single number as numpy does."""
    return np.float64(value)  # type: ignore[return-value]


def _finite(*numbers: F64) -> bool:
    """Return whether all single numbers are finite."""
    return all(map(math.isfinite, numbers))


def _of_each(values: F64) -> F64:
    """Return values [..., n] as [n, ...]: of one character, plain numbers when iterated."""
    return values if values.ndim == 1 else np.moveaxis(values, -1, 0)


def _mean(values: F64, weights: F64) -> F64:
    """Return the weighted mean [...] over the last axis; equal weights if all are nearly 0."""
    total = weights.sum(axis=-1)
    if not np.all(total >= _LEAST_WEIGHT):
        weights = np.where(total[..., None] >= _LEAST_WEIGHT, weights, 1.0)
        total = weights.sum(axis=-1)
    return np.einsum("...i,...i->...", values, weights) / total


def _pick(rows: F64, key: Index) -> F64:
    """Return the entry [...] at index `key` [...] of each row [..., R]."""
    if rows.shape[-1] == 1:
        return rows[..., 0]
    if rows.ndim == 1:
        return rows[key]
    rows = np.broadcast_to(rows, (*key.shape, rows.shape[-1]))
    return np.take_along_axis(rows, key[..., None], axis=-1)[..., 0]


# -- one character, in plain numbers: numpy takes ten times as long, with equal results -----------


def _intervals(sync_track: SyncTrack, knots: list[float], x: float) -> float:
    """Return the state, in intervals, at the local time `x` of a clip."""
    passes = math.floor((x - knots[0]) / sync_track.duration) if sync_track.duration > 0 else 0
    local = x - passes * sync_track.duration
    key = min(bisect_right(knots, local, 1), len(knots) - 1) - 1
    length = knots[key + 1] - knots[key]
    fraction = (local - knots[key]) / length if length > 0 else 0.0
    return passes * sync_track.intervals + key + min(max(fraction, 0.0), 1.0)


def _clock(at: float, lengths: list[float], ends: list[float]) -> tuple[int, float]:
    """Return whole periods of a state, and seconds in the current one."""
    periods = math.floor(at / len(ends))
    within = at - periods * len(ends)
    key = min(int(within), len(ends) - 1)
    return periods, ends[key] - (key + 1 - within) * lengths[key]


def _advanced(at: float, elapsed: float, lengths: list[float], ends: list[float]) -> float:
    """Return the state after clip seconds from a state, as `SyncGroup.moved` does.

    Parameters
    ----------
    lengths, ends
        Seconds of the intervals after which all clips repeat, and the end of each.
    """
    whole = ends[-1]
    if elapsed == 0:
        return at
    periods, within = _clock(at, lengths, ends)
    within += elapsed
    more = math.floor(within / whole)
    within -= more * whole
    key = bisect_right(ends, within, 0, len(ends) - 1)
    left = (ends[key] - within) / lengths[key] if lengths[key] > 0 else 0.0
    moved = (periods + more) * len(ends) + key + (1.0 - min(max(left, 0.0), 1.0))
    return max(at, moved) if elapsed > 0 else min(at, moved)


def _position(at: float, knots: list[float], duration: float) -> float:
    """Return the unwrapped local time of a clip in a state of whole and partial intervals."""
    count = len(knots) - 1
    passes = math.floor(at / count)
    within = at - passes * count
    key = min(int(within), count - 1)
    into = knots[key] + (within - key) * (knots[key + 1] - knots[key])
    return passes * duration + min(into, knots[key + 1])
