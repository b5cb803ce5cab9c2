"""Parts of tracks, tracks played backwards, and tracks that follow each other."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from .bezier import hermite, hermite_slopes
from .keys import tangents_of
from .track import Track
from .types import F32, F64


class _Point(NamedTuple):
    """A track at a time: the value [C], and its slope [C] per second."""

    value: F64
    slope: F64


def cut(track: Track, begin: float, end: float) -> Track:
    """Return the part of a track from `begin` to `end`, moved to start at 0 s.

    There is a key at both ends. The part has the values of the track at all times: a spline is
    split so that it keeps its slopes, therefore keys of a rotation need not have unit length.
    Of two keys at one time the second begins a part, the first ends it.
    """
    times = track.times.astype(np.float64)
    inside = (times > begin) & (times < end)
    first, last = _point(track, begin, "right"), _point(track, end, "left")
    line = np.concatenate([[0.0], times[inside] - begin, [end - begin]]).astype(np.float32)
    values = np.concatenate([[first.value], track.values[inside], [last.value]])
    tangents = None
    if track.interpolation == "CUBICSPLINE":
        ends = np.array([[each.slope, each.slope] for each in (first, last)])
        own = tangents_of(track).copy()
        own[0, 0] = own[-1, 1] = 0  # before the first key and after the last it holds
        tangents = np.concatenate([ends[:1], own[inside], ends[1:]]).astype(np.float32)
    return replace(track, times=line, values=values.astype(np.float32), tangents=tangents)


def _point(track: Track, time: float, side: Literal["left", "right"]) -> _Point:
    """Return a track at a time; of two keys there the first ("left") or the second."""
    k = int(np.searchsorted(track.times, np.float32(time), side)) - 1
    count = len(track.times)
    if k < 0 or k >= count - 1:  # the first key holds before, the last one after
        value = track.values[min(max(k, 0), count - 1)].astype(np.float64)
        return _Point(value, np.zeros_like(value))
    t0, t1 = float(track.times[k]), float(track.times[k + 1])
    u = (time - t0) / (t1 - t0)
    if track.interpolation != "CUBICSPLINE" or track.tangents is None:
        value = track.between(k, u).astype(np.float64)
        return _Point(value, np.zeros_like(value))
    values, tangents = track.values.astype(np.float64), track.tangents.astype(np.float64)
    parts = values[k], tangents[k, 1] * (t1 - t0), values[k + 1], tangents[k + 1, 0] * (t1 - t0)
    at = np.array([u])
    value = sum(w * part for w, part in zip(hermite(at), parts, strict=True))
    slope = sum(w * part for w, part in zip(hermite_slopes(at), parts, strict=True))
    return _Point(np.asarray(value), np.asarray(slope) / (t1 - t0))


def reversed_track(track: Track, begin: float, end: float) -> Track:
    """Return a track played backwards: its value at `begin` + t is that of the track at `end` - t.

    Each STEP value holds between the same two keys as in the track; that of the last key, which is
    seen for an instant, is left out unless it is the only one.
    """
    if track.interpolation == "STEP" and track.end < end:
        line = np.append(track.times, np.float32(end))
        held = np.concatenate([track.values, track.values[-1:]])
        return reversed_track(replace(track, times=line, values=held), begin, end)
    times = (begin + end - track.times.astype(np.float64))[::-1].astype(np.float32)
    values = track.values[::-1]
    if track.interpolation == "STEP" and len(times) > 1:
        return replace(track, times=times, values=np.concatenate([values[1:], values[-1:]]))
    tangents = None if track.tangents is None else -track.tangents[::-1, ::-1]
    return replace(track, times=times, values=np.ascontiguousarray(values), tangents=tangents)


def joined(parts: Sequence[tuple[Track, float]]) -> Track:
    """Return the track of several that follow each other, each moved by some seconds.

    Where two parts meet with different values, the first ends at the last float32 before.

    Raises
    ------
    ValueError
        Their interpolation differs, and none of them is constant.
    """
    moving = {part.interpolation for part, _ in parts if not _is_constant(part)}
    if len(moving) > 1:
        kinds = " and ".join(sorted(moving))
        raise ValueError(f"the {parts[0][0].path} of target {parts[0][0].target} is {kinds}")
    how = moving.pop() if moving else parts[0][0].interpolation
    times: list[F32] = []
    for part, offset in parts:
        line = (part.times + np.float64(offset)).astype(np.float32)
        if times and line[0] <= times[-1][-1]:
            times[-1][-1] = np.nextafter(line[0], np.float32(-np.inf))
        times.append(line)
    tangents = None
    if how == "CUBICSPLINE":
        tangents = np.concatenate([tangents_of(part) for part, _ in parts])
    values = np.concatenate([part.values for part, _ in parts])
    return replace(
        parts[0][0],
        interpolation=how,
        times=np.concatenate(times),
        values=values,
        tangents=tangents,
    )


def _is_constant(track: Track) -> bool:
    still = bool((track.values == track.values[0]).all())
    return still and (track.tangents is None or not track.tangents.any())
