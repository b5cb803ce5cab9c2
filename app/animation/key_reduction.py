"""Which keys of many tracks can go: all tracks of a kind are looked at together.

Every stretch begins as one piece from its first key to its last; a piece that misses what the
track showed is cut at the key it misses most (Douglas and Peucker 1973), all pieces of all tracks
in one pass. Then keys are taken out again wherever the longer piece holds as well.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import curve, quat
from .track import TOO_SHORT
from .types import F64, Bool, Index


class Stretches(NamedTuple):
    """P tracks of C components, one after another: N moments, some of which are keys."""

    times: F64  # [N] seconds, ascending in a track
    wanted: F64  # [N, C] what the track shows; quaternions of unit length
    keys: Bool  # [N] the first and the last moment of each track are keys
    values: F64  # [N, C] of a key, as stored
    tangents: F64 | None  # [N, 2, C] of a key, in and out, per second
    firsts: Index  # [P] first moment of each track
    limits: F64  # [P] how far off is still right, in units of `Miss`

    @property
    def lasts(self) -> Index:
        """[P] the last moment of each track."""
        return np.append(self.firsts[1:], len(self.times)) - 1


Between = Callable[[Stretches, Index, Index, F64, F64], F64]  # of keys a, b, fraction, seconds
Miss = Callable[[F64, F64], F64]  # of [n, C] wanted and [n, C] shown


def linear(of: Stretches, a: Index, b: Index, u: F64, seconds: F64) -> F64:  # noqa: ARG001
    """Return the straight line between two keys."""
    return of.values[a] + (of.values[b] - of.values[a]) * u[:, None]


def slerp(of: Stretches, a: Index, b: Index, u: F64, seconds: F64) -> F64:  # noqa: ARG001
    """Return the shorter arc between two keys, of unit length."""
    return quat.slerp(of.values[a], of.values[b], u)


def straight(of: Stretches, a: Index, b: Index, u: F64, seconds: F64) -> F64:  # noqa: ARG001
    """Return the straight line between what is shown at two moments."""
    return of.wanted[a] + (of.wanted[b] - of.wanted[a]) * u[:, None]


def arc(of: Stretches, a: Index, b: Index, u: F64, seconds: F64) -> F64:  # noqa: ARG001
    """Return the shorter arc between what is shown at two moments, of unit length."""
    return quat.slerp(of.wanted[a], of.wanted[b], u)


def spline(of: Stretches, a: Index, b: Index, u: F64, seconds: F64) -> F64:
    """Return the cubic between two keys (glTF 2.0, appendix C.5)."""
    tangents = np.zeros((len(of.times), 2, 1)) if of.tangents is None else of.tangents
    leave, arrive = (slope * seconds[:, None] for slope in (tangents[a, 1], tangents[b, 0]))
    return curve.Hermite(of.values[a], leave, of.values[b], arrive).sample(u)


def spline_rotation(of: Stretches, a: Index, b: Index, u: F64, seconds: F64) -> F64:
    """Return the cubic between two keys, of unit length."""
    value = spline(of, a, b, u, seconds)
    length = np.sqrt(quat.dot(value, value))[:, None]
    nearer = np.where(u[:, None] > 0.5, of.values[b], of.values[a])
    return quat.normalize(np.where(length < TOO_SHORT, nearer, value))


def distance(wanted: F64, shown: F64) -> F64:
    """Return the length of the difference."""
    apart = wanted - shown
    return np.sqrt(np.einsum("nc,nc->n", apart, apart))


def total(wanted: F64, shown: F64) -> F64:
    """Return the sum of the differences."""
    return np.abs(wanted - shown).sum(axis=1)


def angle(wanted: F64, shown: F64) -> F64:
    """Return the angle between rotations, radians: exact near 0, unlike arccos."""
    chord = np.minimum(distance(wanted, shown), distance(wanted, -shown))
    return 4 * np.arcsin(np.minimum(chord / 2, 1))


def needed(of: Stretches, between: Between, miss: Miss) -> tuple[Bool, Bool]:
    """Find keys from which the others follow.

    Returns
    -------
    kept, found
        [N] keys to keep, among them the first and last of each track; and [P] whether the keys
        there are suffice at all.
    """
    track = np.repeat(np.arange(len(of.firsts)), of.lasts - of.firsts + 1)
    kept = np.zeros(len(of.times), bool)
    kept[of.firsts], kept[of.lasts] = True, True
    found = np.ones(len(of.firsts), bool)
    a, b = of.firsts, of.lasts
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
    _prune(of, track, between, miss, kept)
    return kept, found


class _Pieces(NamedTuple):
    a: Index  # [S] first key of each piece that has moments between its ends
    b: Index  # [S]
    moments: Index  # [n] those between, piece by piece
    starts: Index  # [S] where each piece begins in `moments`
    worst: F64  # [S] the greatest miss
    worst_key: F64  # [S] the greatest at a key, -1: there is none

    def first_of(self, values: F64, greatest: F64) -> Index:
        """Return the first moment [S] of each piece where `values` [n] are the greatest."""
        piece = np.repeat(np.arange(len(self.a)), np.diff(self.starts, append=len(values)))
        hits = np.flatnonzero(values == greatest[piece])
        _, first = np.unique(piece[hits], return_index=True)
        return self.moments[hits[first]]


def _misses(
    of: Stretches, track: Index, between: Between, miss: Miss, a: Index, b: Index
) -> tuple[F64, _Pieces]:
    """Measure pieces from a to b, in units of the limits; those with nothing inside drop out.

    Also returns the miss [n] of each moment that is a key, -1 for the others.
    """
    long = b - a > 1
    a, b = a[long], b[long]
    count = b - a - 1
    starts = np.cumsum(count) - count
    moments = np.arange(int(count.sum())) + np.repeat(a + 1 - starts, count)
    from_, to = np.repeat(a, count), np.repeat(b, count)
    seconds = of.times[to] - of.times[from_]
    u = (of.times[moments] - of.times[from_]) / np.where(seconds > 0, seconds, 1)
    off = miss(of.wanted[moments], between(of, from_, to, u, seconds)) / of.limits[track[moments]]
    key_off = np.where(of.keys[moments], off, -1.0)
    if not len(a):
        return key_off, _Pieces(a, b, moments, starts, np.zeros(0), np.zeros(0))
    worst = np.maximum.reduceat(off, starts)
    return key_off, _Pieces(a, b, moments, starts, worst, np.maximum.reduceat(key_off, starts))


def _prune(of: Stretches, track: Index, between: Between, miss: Miss, kept: Bool) -> None:
    """Take out every other key where that may be, until none can go."""
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
