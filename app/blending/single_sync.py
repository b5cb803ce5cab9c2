"""The arithmetic of a sync group for one character, in plain numbers.

For single numbers, numpy takes ten times as long; the results are equal bit for bit.
"""

import math
from bisect import bisect_right

from .sync_marks import SyncTrack


def intervals(sync_track: SyncTrack, knots: list[float], x: float) -> float:
    """Return the state, in intervals, at the local time `x` of a clip."""
    passes = math.floor((x - knots[0]) / sync_track.duration) if sync_track.duration > 0 else 0
    local = x - passes * sync_track.duration
    key = min(bisect_right(knots, local, 1), len(knots) - 1) - 1
    length = knots[key + 1] - knots[key]
    fraction = (local - knots[key]) / length if length > 0 else 0.0
    return passes * sync_track.intervals + key + min(max(fraction, 0.0), 1.0)


def clock(at: float, lengths: list[float], ends: list[float]) -> tuple[int, float]:
    """Return whole periods of a state, and seconds in the current one."""
    periods = math.floor(at / len(ends))
    within = at - periods * len(ends)
    key = min(int(within), len(ends) - 1)
    return periods, ends[key] - (key + 1 - within) * lengths[key]


def advanced(at: float, elapsed: float, lengths: list[float], ends: list[float]) -> float:
    """Return the state after clip seconds from a state, as `SyncGroup.run` does.

    Parameters
    ----------
    lengths, ends
        Seconds of the intervals after which all clips repeat, and the end of each.
    """
    whole = ends[-1]
    if elapsed == 0:
        return at
    periods, within = clock(at, lengths, ends)
    within += elapsed
    more = math.floor(within / whole)
    within -= more * whole
    key = bisect_right(ends, within, 0, len(ends) - 1)
    left = (ends[key] - within) / lengths[key] if lengths[key] > 0 else 0.0
    moved = (periods + more) * len(ends) + key + (1.0 - min(max(left, 0.0), 1.0))
    return max(at, moved) if elapsed > 0 else min(at, moved)


def position(at: float, knots: list[float], duration: float) -> float:
    """Return the unwrapped local time of a clip in a state of whole and partial intervals."""
    count = len(knots) - 1
    passes = math.floor(at / count)
    within = at - passes * count
    key = min(int(within), count - 1)
    into = knots[key] + (within - key) * (knots[key + 1] - knots[key])
    return passes * duration + min(into, knots[key + 1])
