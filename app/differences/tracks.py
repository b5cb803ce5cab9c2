"""Differences of single tracks of two clips: which joint, how much, and when."""

from collections.abc import Callable, Iterator

import numpy as np

from ..animation.clip import Clip
from ..animation.pose import Pose
from ..animation.track import Path, Track
from ..animation.types import F64, Index
from ..model.model import Channel, Model
from ..model.morph_weights import morph_weights
from ..wording import counted
from .difference import TrackDifference
from .model_pair import WEIGHT, ModelPair, angles, node_property
from .nodes import SCALED, LocalSpaces

_BATCH = 256  # times at once: bounds memory
_UNITS = {"translation": (1000.0, "mm"), "rotation": (1.0, "°")}

Tracks = tuple[dict[int, Track], dict[int, Track]]  # by joint or channel, of both clips


def track_differences(
    pair: ModelPair, clips: tuple[Clip, Clip], times: F64
) -> tuple[TrackDifference, ...]:
    """Return the tracks whose values differ beyond the thresholds, the greatest difference first.

    Rotations, positions and scales are those relative to the parent joint, so that joints below a
    changed one are not listed; lengths are metres of the character at rest.
    """
    spaces = LocalSpaces(pair)
    limits: dict[Path, float] = {
        "translation": pair.metres,
        "rotation": pair.degrees,
        "scale": SCALED,
    }
    series = [_joints(pair, spaces, _of_path(clips, path), path, limits[path]) for path in limits]
    values = _of_path(clips, "values")
    series += [
        _value(pair, values, mine, theirs)
        for mine, theirs in pair.channels.items()
        if mine in values[0] or theirs in values[1]
    ]
    for few in np.split(times, range(_BATCH, len(times), _BATCH)):
        poses = pair.poses(clips, few)
        for each in series:
            each.update(poses, few)
    ranked = [found for each in series for found in each.found()]
    ranked.sort(key=lambda each: -each[0])
    return tuple(found for _, found in ranked)


class _Series:
    """The greatest differences so far of n tracks or values of two clips, and their times.

    Parameters
    ----------
    count
        n
    limit
        Up to this they are equal.
    apart
        Returns the differences [T, n] of poses [T].
    described
        Returns the difference of one of them, of an amount at a time.
    """

    def __init__(
        self,
        count: int,
        limit: float,
        apart: Callable[[tuple[Pose, Pose]], F64],
        described: Callable[[int, float, float], TrackDifference],
    ) -> None:
        self._limit, self._apart, self._described = limit, apart, described
        self._amounts, self._times = np.zeros(count), np.zeros(count)

    def update(self, poses: tuple[Pose, Pose], times: F64) -> None:
        """Take the poses [T] at times [T] into account."""
        apart = np.nan_to_num(self._apart(poses), nan=0.0)
        at, each = np.argmax(apart, axis=0), np.arange(apart.shape[1])
        more = apart[at, each] > self._amounts
        self._amounts = np.where(more, apart[at, each], self._amounts)
        self._times = np.where(more, times[at], self._times)

    def found(self) -> Iterator[tuple[float, TrackDifference]]:
        """Yield the differences beyond the limit, with their amounts as multiples of it."""
        for k in np.flatnonzero(self._amounts > self._limit).tolist():
            amount, time = float(self._amounts[k]), float(self._times[k])
            yield amount / self._limit, self._described(k, amount, time)


def _of_path(clips: tuple[Clip, Clip], path: Path) -> Tracks:
    one, two = ({t.target: t for t in clip.tracks if t.path == path} for clip in clips)
    return one, two


def _joints(
    pair: ModelPair, spaces: LocalSpaces, both: Tracks, path: Path, limit: float
) -> _Series:
    """Return the matching joints with a track of one path in either clip."""
    animated = np.isin(spaces.own, list(both[0])) | np.isin(spaces.other, list(both[1]))
    rows: Index = np.flatnonzero(animated)
    own, other = spaces.own[rows], spaces.other[rows]
    factor, unit = _UNITS.get(path, (1.0, ""))

    def apart(poses: tuple[Pose, Pose]) -> F64:
        """Return the differences [T, n]: metres, degrees, or the greatest of three factors."""
        p, q = getattr(poses[0], path)[:, own], getattr(poses[1], path)[:, other]
        if path == "translation":
            return spaces.distances(rows, p, q)
        if path == "rotation":
            return angles(p, q)
        found: F64 = np.abs(q.astype(float) - p).max(axis=-1)
        return found

    def described(k: int, amount: float, time: float) -> TrackDifference:
        name = pair.b.skeleton.names[other[k]]
        note = _storage(both[0].get(int(own[k])), both[1].get(int(other[k])))
        return TrackDifference(name, path, amount * factor, unit, time, note)

    return _Series(len(rows), limit, apart, described)


def _value(pair: ModelPair, both: Tracks, mine: int, theirs: int) -> _Series:
    """Return a matching channel of animated values, such as the morph weights of a mesh."""
    one, two = pair.a.channels[mine], pair.b.channels[theirs]
    note = _storage(both[0].get(mine), both[1].get(theirs))

    def apart(poses: tuple[Pose, Pose]) -> F64:
        found: F64 = np.abs(
            poses[1].values[:, two.slice].astype(float) - poses[0].values[:, one.slice]
        )
        return found

    def described(k: int, amount: float, time: float) -> TrackDifference:
        joint, name = _value_name(pair.b, two, k)
        return TrackDifference(joint, name, amount, "", time, note)

    return _Series(one.width, WEIGHT, apart, described)


def _storage(one: Track | None, two: Track | None) -> str:
    """Return what differs in the storage of two tracks; "" for nothing."""
    if one is None or two is None:
        return "" if one is two else "only in B" if one is None else "only in A"
    parts = []
    if one.interpolation != two.interpolation:
        parts.append(f"{one.interpolation} → {two.interpolation}")
    if len(one.times) != len(two.times):
        parts.append(f"{len(one.times)} → {counted(len(two.times), 'key')}")
    return ", ".join(parts)


def _value_name(model: Model, channel: Channel, number: int) -> tuple[str, str]:
    """Return the joint, if any, and the name of a value of a channel."""
    if channel.is_weights:
        named = {weight.value: weight.target for weight in morph_weights(model)}
        target = named[channel.start + number]
        return model.skeleton.names[channel.joint], f"morph weight {target}"
    if channel.joint < 0:
        return "", channel.pointer
    return model.skeleton.names[channel.joint], node_property(channel.pointer)
