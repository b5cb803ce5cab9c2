"""The keys of a track with their tangents, and the curve between two of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .bezier import Hermite
from .track import Interpolation, Path, Track
from .types import F32


@dataclass(frozen=True, slots=True, eq=False)
class Key:
    """One key: a scalar (C = 1), a 3-vector, a quaternion or any other number of components.

    Tangents are per second, as glTF stores them; only CUBICSPLINE tracks have them.

    Examples
    --------
    >>> keys = [rigview.Key(0.0, np.float32([0])), rigview.Key(1.0, np.float32([2]))]
    >>> rigview.make_track(keys, "LINEAR").sample(0.5).tolist()
    [1.0]
    """

    time: float  # seconds
    value: F32  # [C]
    arrive: F32 | None = None  # [C] in-tangent
    leave: F32 | None = None  # [C] out-tangent


def key_of(track: Track, k: int) -> Key:
    """Return key number `k` of a track, clamped to the first and last."""
    k = min(max(k, 0), len(track.times) - 1)
    time, value = float(track.times[k]), track.values[k]
    if track.interpolation != "CUBICSPLINE":
        return Key(time, value)
    tangents = tangents_of(track)
    return Key(time, value, tangents[k, 0], tangents[k, 1])


def keys_of(track: Track) -> list[Key]:
    """Return every key of a track."""
    return [key_of(track, k) for k in range(len(track.times))]


def tangents_of(track: Track) -> F32:
    """Return the tangents [K, 2, C] of a track, zeros where it has none."""
    if track.tangents is not None:
        return track.tangents
    count, width = track.values.shape
    return np.zeros((count, 2, width), np.float32)


def segment(a: Key, b: Key) -> Hermite:
    """Return the curve from one key to the next: tangents times the seconds between them."""
    seconds = b.time - a.time
    flat = np.zeros_like(a.value, np.float64)
    leave = flat if a.leave is None else a.leave * np.float64(seconds)
    arrive = flat if b.arrive is None else b.arrive * np.float64(seconds)
    return Hermite.of(a.value, leave, b.value, arrive)


def make_track(
    frames: Sequence[Key],
    interpolation: Interpolation,
    *,
    target: int = 0,
    path: Path = "values",
    start: int = 0,
) -> Track:
    """Return the track of some keys, sorted by time.

    Parameters
    ----------
    frames
        The keys, in any order, all of one width C.
    interpolation
        "STEP", "LINEAR" or "CUBICSPLINE"; a key without tangents gets zeros.
    target, path, start
        As those of `Track`.

    Raises
    ------
    ValueError
        No keys, a time that is not finite, keys of different widths, or another interpolation.

    Examples
    --------
    >>> keys = [rigview.Key(0.0, np.float32([0])), rigview.Key(0.8, np.float32([1]))]
    >>> rigview.make_track(keys, "CUBICSPLINE").tangents.shape  # [K, 2, C], zeros
    (2, 2, 1)
    """
    if not frames:
        raise ValueError("a track needs at least one key")
    shapes = {np.shape(frame.value) for frame in frames}
    if len(shapes) > 1 or len(next(iter(shapes))) != 1:
        raise ValueError(f"all keys must have the shape [C], not {sorted(shapes)}")
    ordered = sorted(frames, key=lambda frame: frame.time)
    values = np.array([frame.value for frame in ordered], np.float32)
    tangents = None
    if interpolation == "CUBICSPLINE":
        tangents = np.zeros((len(ordered), 2, values.shape[1]), np.float32)
        for row, frame in zip(tangents, ordered, strict=True):
            row[0] = 0 if frame.arrive is None else frame.arrive
            row[1] = 0 if frame.leave is None else frame.leave
    times = np.array([frame.time for frame in ordered], np.float32)
    if not np.isfinite(times).all():
        raise ValueError("the times of keys must be finite")
    return Track(target, path, interpolation, times, values, tangents, start)
