"""Baking clips: keys at a fixed rate, and key reduction within error limits."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import key_reduction, quat
from .clip import Clip
from .key_reduction import ErrorMetric, Interpolator
from .keys import tangents_of
from .track import Interpolation, Path, Track
from .types import F32, F64, Bool, Index

MOST_KEYS = 20_000_000  # over all tracks, at a fixed rate
WITHIN = 4  # samples per segment of a spline
SHORT = np.iinfo(np.int16).max
RATES = (24, 25, 30, 48, 50, 60, 120, 12, 15, 20, 100, 24000 / 1001, 30000 / 1001, 60000 / 1001)
USUAL = 30.0  # frames per second, if the keys give no rate
OFF = 0.01  # of a frame: tolerance for a key to be on a frame
MIN_ON_FRAMES = 0.8  # share of the keys that must be on the frames of a rate
EVEN = 0.02  # of a step: tolerance for keys to be evenly spaced
FRAME = 1e-3  # of a frame: tolerance of a clip's length above a whole number of frames


def resample(clip: Clip, fps: float, *, loop: bool = False) -> Clip:
    """Return a clip with keys at a fixed rate.

    Keys are at start + k / fps and at the end, which closes a loop: N + 1 keys for N frames; if
    the length is not a whole number of frames, the last step is shorter. STEP stays STEP, other
    interpolations become LINEAR; neighbouring quaternions have the same sign.

    With `loop` there is no key at the end: N keys, evenly spaced over the length of N frames. What
    plays them interpolates between the last key and the first; glTF has no such interpolation.

    Parameters
    ----------
    clip
        The clip to sample.
    fps
        Keys per second, above 0; in a loop adjusted to a whole number of frames.
    loop
        Whether to leave out the key that closes a loop.

    Raises
    ------
    ValueError
        `fps` is not above 0, or there are more than 20 million keys.

    Examples
    --------
    >>> rigview.resample(model.clips["Walk"], 30).key_count
    1953
    """
    if not fps > 0:
        raise ValueError(f"fps must be above 0, not {fps}")
    if fps * clip.duration * len(clip.tracks) > MOST_KEYS:
        raise ValueError(f"{fps:g} keys a second are more than {MOST_KEYS:,} in {clip.name!r}")
    times = even_times(clip.start, clip.end, fps, loop=loop)
    tracks = []
    for track in clip.tracks:
        how: Interpolation = "STEP" if track.interpolation == "STEP" else "LINEAR"
        values = track.sample(times)
        if track.path == "rotation" and how == "LINEAR":
            values = quat.align_signs(values)
        tracks.append(Track(track.target, track.path, how, times, values, None, track.start))
    return replace(clip, tracks=tuple(tracks))


def even_times(start: float, end: float, fps: float, *, loop: bool = False) -> F32:
    """Return the times [K] of keys at a fixed rate, seconds; `loop` as in `resample`."""
    if loop:
        frames = max(1, round((end - start) * fps))
        even = start + np.arange(frames) * (end - start) / frames
    else:
        whole = int(np.ceil((end - start) * fps - FRAME))
        even = np.append(start + np.arange(max(whole, 0)) / fps, end)
    return np.unique(even.astype(np.float32))  # float32 may merge some


class KeyFrameRate(NamedTuple):
    """The frame rate of a clip's keys."""

    rate: float  # frames per second
    certain: bool  # whether the keys determine it
    off: F64  # [n] times of the keys between frames, seconds


def frame_rate_of(times: F64) -> KeyFrameRate:
    """Return the lowest usual rate with most key times [K], seconds, on its frames.

    Else the rate of evenly spaced keys. If neither fits, the keys were placed by hand and none
    counts as between frames.
    """
    if len(times) < 3:
        return KeyFrameRate(USUAL, False, np.zeros(0))
    fits = [_between_frames(times, rate) for rate in RATES]
    on_frames = [1 - off.mean() for off in fits]
    best = int(np.argmax(on_frames))  # the first of equal ones
    if on_frames[best] >= MIN_ON_FRAMES:
        return KeyFrameRate(float(RATES[best]), True, times[fits[best]])
    steps = np.diff(times)
    usual = float(np.median(steps))
    if usual > 0 and (np.abs(steps - usual) <= EVEN * usual).mean() >= MIN_ON_FRAMES:
        return KeyFrameRate(1 / usual, True, np.zeros(0))
    return KeyFrameRate(USUAL, False, np.zeros(0))


def _between_frames(times: F64, rate: float) -> Bool:
    """Return [K] which keys are between frames, by more than float32 rounding."""
    beyond = np.abs(times * rate - np.round(times * rate))
    return np.asarray(beyond > OFF + 4 * np.spacing(times.astype(np.float32)) * rate)


def can_quantize(track: Track) -> bool:
    """Return whether a track has rotations that fit in normalized integers: no tangents."""
    return track.path == "rotation" and track.interpolation != "CUBICSPLINE"


def quantized(values: F32) -> NDArray[np.int16]:
    """Return quaternions [K, 4] as normalized 16-bit integers: 32767 is 1."""
    return np.rint(np.clip(values, -1, 1) * SHORT).astype(np.int16)


def with_quantized_rotations(clip: Clip) -> Clip:
    """Return a clip whose rotations have the values that 16-bit integers give them."""
    tracks = [
        replace(track, values=quat.normalize((quantized(track.values) / SHORT).astype(np.float32)))
        if can_quantize(track)
        else track
        for track in clip.tracks
    ]
    return replace(clip, tracks=tuple(tracks))


def closed(clip: Clip, end: float) -> Clip:
    """Return a clip with the first value of each track repeated at `end`, seconds.

    It shows between the last keys and `end` what a loop without a closing key shows.
    """
    tracks = []
    for track in clip.tracks:
        times = np.append(track.times, np.float32(end))
        values = np.concatenate([track.values, track.values[:1]])
        if track.path == "rotation":
            values = quat.align_signs(values)
        tracks.append(replace(track, times=times, values=values))
    return replace(clip, end=end, tracks=tuple(tracks))


def reduce_keys(clip: Clip, limits: Sequence[float], scales: Sequence[F64]) -> Clip:
    """Return a clip without the keys that can be interpolated from the others.

    Parameters
    ----------
    clip
        The clip to reduce.
    limits
        Greatest error of each track: translation and scale by length, rotation in radians,
        other values by the sum of the absolute differences.
    scales
        [C] per track: factors of its components before the comparison.

    Returns
    -------
    Clip
        With the same first and last time. A track that is constant within its limit has one key.
        STEP loses keys that repeat the one before; CUBICSPLINE keeps some of its keys, or becomes
        LINEAR where that is smaller; neighbouring quaternions of LINEAR have the same sign. A track
        that keeps all its keys is the same object.
    """
    start = min((track.begin for track in clip.tracks), default=0.0)
    tracks = list(clip.tracks)
    groups: dict[tuple[str, Interpolation, int], list[int]] = {}
    for k, track in enumerate(clip.tracks):
        if track.interpolation == "STEP":
            tracks[k] = _without_repeats(track)
        elif len(track.times) > 1:
            kind = track.path, track.interpolation, track.values.shape[1]
            groups.setdefault(kind, []).append(k)
    for members in groups.values():
        few = [clip.tracks[k] for k in members]
        limit = np.array([limits[k] for k in members])
        thinned = _group(few, limit, [scales[k] for k in members], start)
        for k, track in zip(members, thinned, strict=True):
            tracks[k] = track
    _hold_ends(clip.tracks, tracks)
    return replace(clip, tracks=tuple(map(_finish, clip.tracks, tracks)))


# Interpolation by splines and by lines, and the error metric, of tracks of each path.
_VECTORS = key_reduction.spline, key_reduction.linear, key_reduction.distance
_WAYS: dict[Path, tuple[Interpolator, Interpolator, ErrorMetric]] = {
    "translation": _VECTORS,
    "scale": _VECTORS,
    "rotation": (key_reduction.spline_rotation, key_reduction.slerp, quat.angle),
    "values": (key_reduction.spline, key_reduction.linear, key_reduction.total),
}


def _group(tracks: list[Track], limits: F64, scales: list[F64], start: float) -> list[Track]:
    """Return reduced tracks of one path and interpolation, none with STEP or a single key."""
    cubic = tracks[0].interpolation == "CUBICSPLINE"
    curved, straight, miss = _WAYS[tracks[0].path]
    own = curved if cubic else straight
    of = _stretches(tracks, limits, scales, WITHIN if cubic else 1, own)
    still = _still(of, miss)
    kept, _ = key_reduction.required_keys(of, own, miss)
    lines = found = None
    if cubic:
        unsplit = of._replace(values=of.wanted)
        lines, found = key_reduction.required_keys(unsplit, straight, miss)
    out = []
    for p, (track, a, b) in enumerate(zip(tracks, of.firsts, of.lasts + 1, strict=True)):
        keys = of.keys[a:b]
        if still[p]:
            out.append(_single(track, start))
            continue
        needed = kept[a:b][keys]
        if lines is not None and found is not None and found[p]:
            line = lines[a:b][keys]
            if np.count_nonzero(line) * (1 + track.values.shape[1]) < np.count_nonzero(needed) * (
                1 + 3 * track.values.shape[1]
            ):
                out.append(_subset(_as_linear(track), line))
                continue
        out.append(_subset(track, needed))
    return out


def _stretches(
    tracks: list[Track],
    limits: F64,
    scales: list[F64],
    within: int,
    own: Interpolator,
) -> key_reduction.TrackSamples:
    """Return tracks concatenated, with `within` samples per segment."""
    counts = np.array([len(track.times) for track in tracks])
    sizes = (counts - 1) * within + 1
    firsts = np.cumsum(sizes) - sizes
    total, width = int(sizes.sum()), tracks[0].values.shape[1]
    place = np.arange(total) - np.repeat(firsts, sizes)
    keys = place % within == 0
    values = np.zeros((total, width))
    values[keys] = np.concatenate(
        [track.values * scale for track, scale in zip(tracks, scales, strict=True)]
    )
    tangents = None
    if tracks[0].interpolation == "CUBICSPLINE":
        tangents = np.zeros((total, 2, width))
        tangents[keys] = np.concatenate(
            [tangents_of(track) * scale for track, scale in zip(tracks, scales, strict=True)]
        )
    stored = np.concatenate([track.times for track in tracks]).astype(np.float64)
    at = np.arange(total) - place % within  # the key at or before each sample
    number = np.cumsum(keys) - 1
    u = place % within / within
    step = np.diff(stored, append=stored[-1])[number]
    times = stored[number] + step * u
    of = key_reduction.TrackSamples(times, values, keys, values, tangents, firsts, limits)
    if tangents is not None:
        after = np.minimum(at + within, total - 1)
        wanted = own(of, at, np.where(u > 0, after, at), u, np.where(u > 0, step, 0.0))
        of = of._replace(wanted=wanted)
    return of


def _still(of: key_reduction.TrackSamples, miss: ErrorMetric) -> Bool:
    """Return which tracks [P] stay within the limit of their first key."""
    first = np.repeat(of.firsts, of.lasts - of.firsts + 1)
    off = np.maximum.reduceat(miss(of.wanted, of.wanted[first]), of.firsts)
    return np.asarray(off <= of.limits)


def _single(track: Track, start: float) -> Track:
    """Return a constant track of the first key."""
    return replace(
        _as_linear(track),
        times=np.array([start], np.float32),
        values=_as_linear(track).values[:1],
    )


def _as_linear(track: Track) -> Track:
    """Return a CUBICSPLINE track's keys as LINEAR ones."""
    if track.interpolation != "CUBICSPLINE":
        return track
    values = quat.normalize(track.values) if track.path == "rotation" else track.values
    return replace(track, interpolation="LINEAR", values=values, tangents=None)


def _subset(track: Track, keys: Bool | Index) -> Track:
    """Return a track of some of its keys."""
    tangents = None if track.tangents is None else track.tangents[keys]
    return replace(track, times=track.times[keys], values=track.values[keys], tangents=tangents)


def _without_repeats(track: Track) -> Track:
    """Return a STEP track without keys equal to the one before."""
    new = np.append(True, (track.values[1:] != track.values[:-1]).any(axis=1))
    return _subset(track, new)


def _hold_ends(before: Sequence[Track], after: list[Track]) -> None:
    """Restore the clip's first and last key time, in place, on a track that had them."""
    if not before:
        return
    start, end = min(t.begin for t in before), max(t.end for t in before)
    if min(track.begin for track in after) > start:
        k = next(k for k, track in enumerate(before) if track.begin == start)
        after[k] = _with_key(before[k], after[k], 0)
    if max(track.end for track in after) < end:
        k = next(k for k, track in enumerate(before) if track.end == end)
        after[k] = _with_key(before[k], after[k], -1)


def _with_key(track: Track, thinned: Track, key: int) -> Track:
    """Return a reduced track with the first or last key of the original one added."""
    whole = _as_linear(track) if thinned.interpolation != "CUBICSPLINE" else track
    extra = _subset(whole, np.array([key % len(track.times)]))
    a, b = (extra, thinned) if key == 0 else (thinned, extra)
    tangents = None
    if a.tangents is not None and b.tangents is not None:
        tangents = np.concatenate([a.tangents, b.tangents])
    return replace(
        thinned,
        times=np.concatenate([a.times, b.times]),
        values=np.concatenate([a.values, b.values]),
        tangents=tangents,
    )


def _finish(before: Track, after: Track) -> Track:
    """Return a track with aligned signs of LINEAR rotations; the old object if it is equal."""
    if after.path == "rotation" and after.interpolation == "LINEAR":
        after = replace(after, values=quat.align_signs(after.values))
    same = (
        after.interpolation == before.interpolation
        and np.array_equal(after.times, before.times)
        and np.array_equal(after.values, before.values)
    )
    return before if same else after
