"""Key reduction: the keys of many tracks that are needed within an error limit.

Each track begins as one segment from its first key to its last, long ones as several. A segment
whose error exceeds the limit is split at the key of the greatest error (Douglas and Peucker 1973),
all segments in one pass. Then keys are removed again wherever the longer segment is within the
limit.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import bezier, quat
from .track import TOO_SHORT
from .types import F64, Bool, Index
from .vectors import length

LONGEST = 1 << 12  # keys: longer tracks begin as several segments
LOT = 1 << 16  # samples whose segments are split together, which bounds the memory


class TrackSamples(NamedTuple):
    """P tracks of C components, concatenated: N samples, some of which are keys."""

    times: F64  # [N] seconds, ascending in a track
    wanted: F64  # [N, C] values of the original track; quaternions of unit length
    keys: Bool  # [N] whether a sample is a key; the first and the last of each track are
    values: F64  # [N, C] of a key, as stored
    tangents: F64 | None  # [N, 2, C] of a key, in and out, per second
    firsts: Index  # [P] first sample of each track
    limits: F64  # [P] greatest error allowed, in units of `ErrorMetric`

    @property
    def lasts(self) -> Index:
        """[P] the last sample of each track."""
        return np.append(self.firsts[1:], len(self.times)) - 1


Interpolator = Callable[
    [TrackSamples, Index, Index, F64, F64], F64
]  # of keys a, b, fraction, seconds
ErrorMetric = Callable[[F64, F64], F64]  # of [n, C] wanted and [n, C] shown


def linear(of: TrackSamples, a: Index, b: Index, u: F64, seconds: F64) -> F64:  # noqa: ARG001
    """Return linear interpolation between two keys: by column, a fifth of the time."""
    out = np.empty((len(u), of.values.shape[1]))
    for column, mixed in zip(of.values.T, out.T, strict=True):
        begin = column[a]
        change = column[b]
        change -= begin
        change *= u
        np.add(begin, change, out=mixed)
    return out


def slerp(of: TrackSamples, a: Index, b: Index, u: F64, seconds: F64) -> F64:  # noqa: ARG001
    """Return spherical linear interpolation between two keys, of unit length."""
    return quat.slerp(of.values.take(a, axis=0), of.values.take(b, axis=0), u)


def spline(of: TrackSamples, a: Index, b: Index, u: F64, seconds: F64) -> F64:
    """Return cubic spline interpolation between two keys (glTF 2.0, appendix C.5)."""
    assert of.tangents is not None
    leave, arrive = (slope * seconds[:, None] for slope in (of.tangents[a, 1], of.tangents[b, 0]))
    return bezier.Hermite(of.values[a], leave, of.values[b], arrive).sample(u)


def spline_rotation(of: TrackSamples, a: Index, b: Index, u: F64, seconds: F64) -> F64:
    """Return cubic spline interpolation between two rotation keys, of unit length."""
    value = spline(of, a, b, u, seconds)
    size = length(value)[:, None]
    nearer = np.where(u[:, None] > 0.5, of.values[b], of.values[a])
    return quat.normalize(np.where(size < TOO_SHORT, nearer, value))


def distance(wanted: F64, shown: F64) -> F64:
    """Return the length of the difference."""
    apart = wanted - shown
    return length(apart)


def total(wanted: F64, shown: F64) -> F64:
    """Return the sum of the absolute differences."""
    return np.abs(wanted - shown).sum(axis=1)


def required_keys(of: TrackSamples, between: Interpolator, miss: ErrorMetric) -> tuple[Bool, Bool]:
    """Return the keys from which the others can be interpolated within the limits.

    Returns
    -------
    kept, found
        [N] keys to keep, including the first and last of each track; and [P] whether the existing
        keys suffice at all.
    """
    track = np.repeat(np.arange(len(of.firsts)), of.lasts - of.firsts + 1)
    kept = np.zeros(len(of.times), bool)
    kept[of.firsts], kept[of.lasts] = True, True
    found = np.ones(len(of.firsts), bool)
    a, b = _first_segments(of, track)
    kept[a] = True
    lots = np.cumsum(b - a) // LOT
    for lot in np.split(np.arange(len(a)), np.flatnonzero(np.diff(lots)) + 1):
        _split(of, track, between, miss, a[lot], b[lot], kept, found)
    _prune(of, track, between, miss, kept)
    return kept, found


def _first_segments(of: TrackSamples, track: Index) -> tuple[Index, Index]:
    """Return the first and last keys of segments with at most `LONGEST` keys each."""
    at = np.flatnonzero(of.keys)
    rank = np.arange(len(at)) - np.searchsorted(at, of.firsts)[track[at]]
    a = at[(rank % LONGEST == 0) & ((at != of.lasts[track[at]]) | (rank == 0))]
    return a, np.minimum(np.append(a[1:], len(of.times)), of.lasts[track[a]])


def _split(
    of: TrackSamples,
    track: Index,
    between: Interpolator,
    miss: ErrorMetric,
    a: Index,
    b: Index,
    kept: Bool,
    found: Bool,
) -> None:
    """Keep keys within segments a to b until the others can be interpolated within the limits."""
    while len(a):
        key_off, pieces = _misses(of, track, between, miss, a, b)
        bad = pieces.worst > 1
        hopeless = bad & (pieces.worst_key < 0)
        found[track[pieces.a[hopeless]]] = False
        bad &= found[track[pieces.a]]
        if not bad.any():
            break
        at = pieces.first_of(key_off, pieces.worst_key)[bad]
        kept[at] = True
        a, b = np.append(pieces.a[bad], at), np.append(at, pieces.b[bad])


class _Pieces(NamedTuple):
    a: Index  # [S] first key of each segment that has samples between its ends
    b: Index  # [S] last key
    moments: Index  # [n] the samples between, segment by segment
    starts: Index  # [S] where each segment begins in `moments`
    worst: F64  # [S] the greatest error
    worst_key: F64  # [S] the greatest error at a key, -1: none

    def first_of(self, values: F64, greatest: F64) -> Index:
        """Return each segment's first sample [S] with the greatest of `values` [n]."""
        piece = np.repeat(np.arange(len(self.a)), np.diff(self.starts, append=len(values)))
        hits = np.flatnonzero(values == greatest[piece])
        return self.moments[hits[np.diff(piece[hits], prepend=-1) > 0]]


def _misses(
    of: TrackSamples, track: Index, between: Interpolator, miss: ErrorMetric, a: Index, b: Index
) -> tuple[F64, _Pieces]:
    """Return the errors of segments a to b in units of the limits; empty segments are dropped.

    Also returns the error [n] of each sample that is a key, -1 for the others.
    """
    long = b - a > 1
    a, b = a[long], b[long]
    count = b - a - 1
    starts = np.cumsum(count) - count
    moments = np.arange(int(count.sum())) + np.repeat(a + 1 - starts, count)
    begins, lengths = of.times[a], of.times[b] - of.times[a]
    u = of.times.take(moments)
    u -= np.repeat(begins, count)
    u /= np.repeat(np.where(lengths > 0, lengths, 1), count)
    shown = between(of, np.repeat(a, count), np.repeat(b, count), u, np.repeat(lengths, count))
    off = miss(of.wanted.take(moments, axis=0), shown)
    off /= np.repeat(of.limits[track[a]], count)
    key_off = np.where(of.keys.take(moments), off, -1.0)
    if not len(a):
        return key_off, _Pieces(a, b, moments, starts, np.zeros(0), np.zeros(0))
    worst = np.maximum.reduceat(off, starts)
    return key_off, _Pieces(a, b, moments, starts, worst, np.maximum.reduceat(key_off, starts))


def _prune(
    of: TrackSamples, track: Index, between: Interpolator, miss: ErrorMetric, kept: Bool
) -> None:
    """Remove every other key where the limits allow it, until no key can be removed."""
    idle = 0
    for turn in range(len(kept)):
        at = np.flatnonzero(kept)
        rank = np.arange(len(at)) - np.searchsorted(at, of.firsts)[track[at]]
        inner = (at != of.firsts[track[at]]) & (at != of.lasts[track[at]])
        chosen = np.flatnonzero(inner & (rank % 2 == turn % 2))
        pieces = _misses(of, track, between, miss, at[chosen - 1], at[chosen + 1])[1]
        spare = at[chosen][pieces.worst <= 1]
        kept[spare] = False
        idle = 0 if len(spare) else idle + 1
        if idle == 2:
            return
