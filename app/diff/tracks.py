"""Differences of single tracks of two clips: which joint, how much, and when."""

from collections.abc import Iterator

import numpy as np

from ..animation.clip import Clip
from ..animation.pose import Pose
from ..animation.track import Path, Track
from ..animation.types import F64, Index
from ..model.model import Channel, Model
from ..model.morph_weights import morph_weights
from ..wording import counted
from .difference import TrackDifference
from .model_pair import WEIGHT, ModelPair, node_property
from .nodes import SCALED, LocalSpaces, angles

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
    kinds: list[_Joints | _Value] = []
    limits: dict[Path, float] = {
        "translation": pair.metres,
        "rotation": pair.degrees,
        "scale": SCALED,
    }
    for path, limit in limits.items():
        kinds.append(_Joints(pair, spaces, _of_path(clips, path), path, limit))
    values = _of_path(clips, "values")
    kinds += [
        _Value(pair, values, mine, theirs)
        for mine, theirs in pair.channels.items()
        if mine in values[0] or theirs in values[1]
    ]
    for few in np.split(times, range(_BATCH, len(times), _BATCH)):
        poses = pair.poses(clips, few)
        for kind in kinds:
            kind.greatest.update(kind.apart(poses), few)
    ranked = [each for kind in kinds for each in kind.found()]
    ranked.sort(key=lambda each: -each[0])
    return tuple(found for _, found in ranked)


class _Greatest:
    """The greatest differences so far, and their times.

    Attributes
    ----------
    amounts, times
        [n]
    """

    def __init__(self, count: int) -> None:
        self.amounts, self.times = np.zeros(count), np.zeros(count)

    def update(self, apart: F64, times: F64) -> None:
        """Take differences [T, n] at times [T] into account."""
        apart = np.nan_to_num(apart, nan=0.0)
        at, each = np.argmax(apart, axis=0), np.arange(apart.shape[1])
        more = apart[at, each] > self.amounts
        self.amounts = np.where(more, apart[at, each], self.amounts)
        self.times = np.where(more, times[at], self.times)

    def above(self, limit: float) -> Iterator[tuple[int, float, float]]:
        """Yield index, amount and time of the differences beyond a limit."""
        for k in np.flatnonzero(self.amounts > limit).tolist():
            yield k, float(self.amounts[k]), float(self.times[k])


def _of_path(clips: tuple[Clip, Clip], path: Path) -> Tracks:
    one, two = ({t.target: t for t in clip.tracks if t.path == path} for clip in clips)
    return one, two


class _Joints:
    """The matching joints with a track of one path in either clip."""

    def __init__(
        self, pair: ModelPair, spaces: LocalSpaces, both: Tracks, path: Path, limit: float
    ) -> None:
        self._names, self._spaces, self._both = pair.b.skeleton.names, spaces, both
        self._path, self._limit = path, limit
        animated = np.isin(spaces.own, list(both[0])) | np.isin(spaces.other, list(both[1]))
        self._rows: Index = np.flatnonzero(animated)
        self.greatest = _Greatest(len(self._rows))

    def apart(self, poses: tuple[Pose, Pose]) -> F64:
        """Return the differences [T, n]: metres, degrees, or the greatest of three factors."""
        p = getattr(poses[0], self._path)[:, self._spaces.own[self._rows]]
        q = getattr(poses[1], self._path)[:, self._spaces.other[self._rows]]
        if self._path == "translation":
            return self._spaces.distances(self._rows, p, q)
        if self._path == "rotation":
            return angles(p, q)
        found: F64 = np.abs(q.astype(float) - p).max(axis=-1)
        return found

    def found(self) -> Iterator[tuple[float, TrackDifference]]:
        """Yield the differing tracks, with their amounts as multiples of the limit."""
        factor, unit = _UNITS.get(self._path, (1.0, ""))
        for k, amount, time in self.greatest.above(self._limit):
            row = self._rows[k]
            own, other = int(self._spaces.own[row]), int(self._spaces.other[row])
            note = _storage(self._both[0].get(own), self._both[1].get(other))
            yield (
                amount / self._limit,
                TrackDifference(self._names[other], self._path, amount * factor, unit, time, note),
            )


class _Value:
    """A matching channel of animated values, such as the morph weights of a mesh."""

    def __init__(self, pair: ModelPair, both: Tracks, mine: int, theirs: int) -> None:
        self._channels = pair.a.channels[mine], pair.b.channels[theirs]
        self._note = _storage(both[0].get(mine), both[1].get(theirs))
        self._model = pair.b
        self.greatest = _Greatest(self._channels[0].width)

    def apart(self, poses: tuple[Pose, Pose]) -> F64:
        """Return the differences [T, n]."""
        one, two = (channel.slice for channel in self._channels)
        found: F64 = np.abs(poses[1].values[:, two].astype(float) - poses[0].values[:, one])
        return found

    def found(self) -> Iterator[tuple[float, TrackDifference]]:
        """Yield the differing values, with their amounts as multiples of the tolerance."""
        for k, amount, time in self.greatest.above(WEIGHT):
            joint, name = _value_name(self._model, self._channels[1], k)
            yield amount / WEIGHT, TrackDifference(joint, name, amount, "", time, self._note)


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
