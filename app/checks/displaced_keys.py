"""Runs of keys that are displaced from the curve through the keys before and after them.

A displaced run is off the curve through the keys on both sides by the same distance as off the
motion before it and off the motion after it, each continued. A sudden start, stop or turn of a
sound motion is off one of them only.
"""

from typing import NamedTuple

import numpy as np

from ..animation.types import F64, Bool, Index
from ..animation.vectors import dot, length
from .key_groups import FRAME, SHORT, KeyGroup, distances_of, key_noise

LONGEST = 3  # keys of a run
SIDE = 4  # keys before and after a run that are looked at
AGREE = 0.4  # of the distance: how much the distances from the three curves differ
ALIKE = 0.2  # of the distance: how much the keys of a run differ
NOISE = 0.25  # of the limit: tracks with more noise are noisy
NOISY = 8.0  # times the median distance of the keys of a noisy track: they stand out
USUAL = 4.0  # times that of other tracks
LOT = 1 << 14  # keys of all tracks that are processed at once
ROUGH = 3.0  # times the limit: keys as far off are found in rough tracks too


class DisplacedKeys(NamedTuple):
    """Displaced runs [m] of a group."""

    keys: Index  # [m] first key of a run
    length: int  # keys of each run
    tracks: Index  # [m]
    off: F64  # [m] from the curve, in the unit of the group
    elsewhere: F64  # [m] the greatest distance of other keys of the track; infinite: unknown
    differences: F64  # [m, C] of the values


def displaced_keys(group: KeyGroup, limits: F64) -> list[DisplacedKeys]:
    """Return the runs of one to three keys that are off by more than the limit [n] of a track."""
    times, values = _continued(group)
    aligned = _aligned(values)
    found = []
    for count in range(1, min(LONGEST, len(group.times) - 4) + 1):  # two keys on each side
        first = np.arange(SIDE, len(times) - SIDE - count + 1)
        mean = _means(_Run(times, values, first, count, aligned=aligned), 2)
        greatest = np.fmax.reduce(length(mean), axis=0)
        some = np.flatnonzero(distances_of(group.unit, group.sizes, greatest) > limits)
        if len(some):
            runs = _Run(times, values[:, some], first, count, aligned=aligned)
            bad, amount = _displaced(group.only(some), runs, mean[:, some], limits[some])
            rows, tracks = np.nonzero(bad)
            differences = mean[:, some][bad]
            elsewhere = _elsewhere(amount, rows, tracks, count, len(group.times) - 1)
            found.append(
                DisplacedKeys(
                    first[rows] - SIDE, count, some[tracks], amount[bad], elsewhere, differences
                )
            )
    return found


def _elsewhere(amount: F64, rows: Index, tracks: Index, count: int, steps: int) -> F64:
    """Return the greatest distances [m] of runs [k, n] that are not near some of them [m].

    Infinite, if there are few keys elsewhere. `steps` is the number of keys of a pass: after so
    many runs a loop has the same again.
    """
    apart = np.abs(np.arange(len(amount))[:, None] - rows) % max(steps, 1)
    away = np.minimum(apart, steps - apart) > SIDE + count
    greatest = np.nanmax(np.where(away, amount[:, tracks], 0.0), axis=0)
    return np.where(np.count_nonzero(away, axis=0) < SHORT, np.inf, greatest)


def _displaced(group: KeyGroup, runs: "_Run", mean: F64, limit: F64) -> tuple[Bool, F64]:
    """Return [k, n] which runs are displaced, and by how much; `mean` is off the nearest keys."""
    noise, alternates = key_noise(group)
    noisy = alternates & (noise > NOISE * limit)
    amount = group.distances(mean)
    far = _means(runs, 3)  # off a curve that follows fast motion more closely
    far = np.where(np.isfinite(far), far, mean)
    bad = amount > limit
    bad &= _stands_out(amount, limit, noisy) | _stands_out(group.distances(far), limit, noisy)
    for rows in _lots(np.flatnonzero(bad.any(axis=1)), mean.shape[1]):
        bad[rows] &= runs.only(rows).displaced(mean[rows], far[rows])
    return bad & ~_vibrates(bad, mean, runs.count), amount


def _stands_out(amount: F64, limit: F64, noisy: Bool) -> Bool:
    """Return which distances [k, n] are greater than is usual in their track."""
    usual = np.nan_to_num(np.nanmedian(amount, axis=0))
    usual = np.where(noisy, NOISY * usual, np.minimum(USUAL * usual, ROUGH * limit))
    return np.asarray(amount > np.maximum(limit, usual))


def _means(runs: "_Run", keys: int) -> F64:
    """Return the mean differences [k, n, C] of runs from the curve through `keys` on each side."""
    lots = _lots(np.arange(len(runs.first)), runs.values.shape[1])
    return np.concatenate([runs.only(rows).from_both(keys).mean(axis=0) for rows in lots])


def _lots(rows: Index, tracks: int) -> list[Index]:
    """Return the rows in lots of few values, which bounds the memory."""
    most = max(1, LOT // max(tracks, 1))
    return [rows[k : k + most] for k in range(0, len(rows), most)]


def _continued(group: KeyGroup) -> tuple[F64, F64]:
    """Return times and values with `SIDE` more keys at both ends: of the next pass, else NaN.

    The first and the last key of a loop are equal.
    """
    times, values = group.times, group.values
    passes = group.distances(values[-1] - values[0]) <= group.moves.max(axis=0)
    length_, shape = times[-1] - times[0], (SIDE, *values.shape[1:])
    before = np.where(passes[:, None], values[-1 - SIDE : -1], np.full(shape, np.nan))
    after = np.where(passes[:, None], values[1 : 1 + SIDE], np.full(shape, np.nan))
    return (
        np.concatenate([times[-1 - SIDE : -1] - length_, times, times[1 : 1 + SIDE] + length_]),
        np.concatenate([before, values, after]),
    )


def _aligned(values: F64) -> bool:
    """Return whether quaternions [K, n, 4] have the sign of all that are compared with them."""
    if values.shape[-1] != 4:
        return True
    furthest = min(SIDE + LONGEST, len(values) - 1)
    pairs = ((values[k:], values[:-k]) for k in range(1, furthest + 1))
    return not any((dot(later, earlier) < 0).any() for later, earlier in pairs)


class _Run:
    """Runs of `count` keys that begin at keys `first` [k]; `aligned`: no sign needs a check."""

    def __init__(self, times: F64, values: F64, first: Index, count: int, *, aligned: bool) -> None:
        self.times, self.values, self.first, self.count = times, values, first, count
        self._is_aligned = aligned
        begin, end = int(first[0]), int(first[-1]) + 1
        in_order = end - begin == len(first)  # then no copies are needed
        self._shown: Index | slice = slice(begin, end) if in_order else first

    def only(self, rows: Index) -> "_Run":
        """Return some of the runs."""
        return _Run(self.times, self.values, self.first[rows], self.count, aligned=self._is_aligned)

    def displaced(self, mean: F64, far: F64) -> Bool:
        """Return which runs [k, n] are off by `mean` [k, n, C] from each of the curves."""
        off, size = self.from_both(2), np.maximum(length(mean), 1e-300)
        found = length(far - mean) < AGREE * size
        for each in off:
            found &= length(each - mean) < ALIKE * size
        found &= self.off_before(off[0]) < AGREE * size
        found &= self.off_after(off[-1]) < AGREE * size
        found &= (self.widest() <= FRAME)[:, None]
        if self.count > 1:
            found &= length(self.step(-1) - mean) < AGREE * size
            found &= length(self.step(self.count - 1) + mean) < AGREE * size
        return np.asarray(found)

    def from_both(self, keys: int) -> F64:
        """Return the differences [count, k, n, C] from the curve through `keys` on each side."""
        around = (*range(-keys, 0), *range(self.count, self.count + keys))
        return np.stack([self._off(at, around) for at in range(self.count)])

    def off_before(self, off: F64) -> F64:
        """Return how much the first key's difference from the motion before differs from `off`."""
        sides = [tuple(range(-keys, 0)) for keys in range(2, SIDE + 1)]
        return _least([length(self._off(0, side) - off) for side in sides])

    def off_after(self, off: F64) -> F64:
        """Return how much the last key's difference from the motion after differs from `off`."""
        last = self.count - 1
        sides = [tuple(range(last + 1, last + 1 + keys)) for keys in range(2, SIDE + 1)]
        return _least([length(self._off(last, side) - off) for side in sides])

    def step(self, at: int) -> F64:
        """Return the steps [k, n, C] after a key, less the motion in the steps before and after."""
        keys, before = self.first + at, self.values[self.first - 1]
        moves, spans = [], []
        for k in (-1, 0, 1):
            begin = self._alike(self.values[keys + k], before)
            moves.append(self._alike(self.values[keys + k + 1], begin) - begin)
            spans.append((self.times[keys + k + 1] - self.times[keys + k])[:, None, None])
        pace = moves[0] / np.maximum(spans[0], 1e-9) + moves[2] / np.maximum(spans[2], 1e-9)
        return moves[1] - spans[1] * pace / 2

    def widest(self) -> F64:
        """Return the greatest step [k] between the keys of a run and two on each side, seconds."""
        steps = np.diff(self.times)
        near = range(-2, self.count + 1)
        return np.asarray(np.max([steps[self.first + k] for k in near], axis=0))

    def _off(self, at: int, nodes: tuple[int, ...]) -> F64:
        """Return the differences [k, n, C] of a key from the polynomial through other keys."""
        before = self._key(-1)
        value = self._alike(self._key(at), before)
        total = np.zeros_like(value)
        for weight, node in zip(self._weights(at, nodes), nodes, strict=True):
            total += weight[:, None, None] * self._alike(self._key(node), before)
        return value - total

    def _weights(self, at: int, nodes: tuple[int, ...]) -> F64:
        """Return the weights [nodes, k] of other keys in their polynomial at a key."""
        there = self.times[self.first + np.array(nodes)[:, None]]
        apart = there[:, None] - there  # of each node from the others
        to_others = self.times[self.first + at] - there
        ratios = to_others / np.where(apart == 0, 1, apart)
        own = np.arange(len(nodes))
        ratios[own, own] = 1
        return np.asarray(np.prod(ratios, axis=1))

    def _key(self, at: int) -> F64:
        """Return the values [k, n, C] of a key of each run, counted from its first one."""
        if isinstance(self._shown, slice):
            return self.values[self._shown.start + at : self._shown.stop + at]
        return self.values[self._shown + at]

    def _alike(self, values: F64, others: F64) -> F64:
        """Return values with the sign of others: the quaternions q and -q are equal rotations."""
        if self._is_aligned:
            return values
        return np.where(dot(values, others)[..., None] < 0, -values, values)


def _least(distances: list[F64]) -> F64:
    return np.asarray(np.nanmin(np.nan_to_num(np.stack(distances), nan=np.inf), axis=0))


def _vibrates(bad: Bool, off: F64, count: int) -> Bool:
    """Return which runs are next to a run that is off in the opposite direction."""
    out = np.zeros_like(bad)
    if len(bad) > count:
        opposite = bad[count:] & bad[:-count] & (dot(off[count:], off[:-count]) < 0)
        out[count:] |= opposite
        out[:-count] |= opposite
    return out
