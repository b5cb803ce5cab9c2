"""The keys of what plays: where they are on the ruler, and the rows of the dope sheet."""

import math
from typing import NamedTuple

import numpy as np

from ...animation.clip import Clip
from ...animation.types import F64
from ...blending.sources import ClipSource
from ...memo import Memo
from ...model.joint_branches import branch_of
from ...model.joint_key_times import branch_key_times
from ...model.model import Model
from ..transport import Transport
from .time_axis import TimeAxis, key_marks

LEAST = 0.005  # weight of a layer whose keys are shown
MOST_PASSES = 200  # on the visible ruler
ROOT = -1  # in place of a joint: all joints


class KeyPlaces(NamedTuple):
    """From the times of a clip to those of the ruler; a single clip's are equal.

    Attributes
    ----------
    start, duration
        The range that is played, seconds of the clip; a duration of 0: times are equal.
    rate
        Seconds of the clip a second.
    zero
        Time of the ruler at which its first pass begins, seconds.
    passes
        Number of passes, or infinity.
    bounces
        Whether odd passes run backwards.
    """

    start: float = 0.0
    duration: float = 0.0
    rate: float = 1.0
    zero: float = 0.0
    passes: float = math.inf
    bounces: bool = False

    def on_ruler(self, keys: F64, begin: float, end: float) -> F64:
        """Return the times [N] of the ruler, ascending, at which keys [K] of the clip are passed.

        Parameters
        ----------
        begin, end
            The visible part of the ruler, seconds; of a layer the times in it are returned.
        """
        if self.duration <= 0:
            return keys
        local = keys - self.start
        local = local[(local >= -1e-9) & (local <= self.duration + 1e-9)]
        ends = sorted((each - self.zero) * self.rate / self.duration for each in (begin, end))
        first = max(math.floor(ends[0]), 0)
        last = int(min(math.floor(ends[1]), self.passes - 1, first + MOST_PASSES))
        numbers = np.arange(first, last + 1)[:, None]
        turned = np.where(numbers % 2 == 1, self.duration - local, local)
        times = (numbers * self.duration + (turned if self.bounces else local)) / self.rate
        times = np.unique(times + self.zero)
        return times[(times >= begin - 1e-9) & (times <= end + 1e-9)]

    def marks(self, keys: F64, axis: TimeAxis, apart: float) -> list[tuple[float, float]]:
        """Return the `key_marks` of keys [K] of the clip."""
        return key_marks(self.on_ruler(keys, axis.begin, axis.end), axis, apart)


class PlayingKeys(NamedTuple):
    """A clip whose keys the timeline can show, and where they are on the ruler."""

    clip: Clip
    places: KeyPlaces


class DopeRow(NamedTuple):
    """The keys of a joint."""

    joint: int
    depth: int  # below the first joint of the branch
    times: F64  # [K] seconds of the clip, ascending


class RowMarks(dict[int, list[tuple[float, float]]]):
    """The `key_marks` of rows by their number, found when they are first asked for."""

    def __init__(
        self, rows: list[DopeRow], axis: TimeAxis, places: KeyPlaces, apart: float
    ) -> None:
        self._rows, self._places, self._axis, self._apart = rows, places, axis, apart

    def __missing__(self, number: int) -> list[tuple[float, float]]:
        times = self._rows[number].times
        found = self[number] = self._places.marks(times, self._axis, self._apart)
        return found


row_marks = Memo(RowMarks)


def playing_keys(transport: Transport) -> PlayingKeys | None:
    """Return the clip that plays alone, or that of the uppermost layer with a clip of its own time.

    Clips of a sync group have no even time; None if there is none else.
    """
    found = playing_clips(transport)
    return found[-1] if found else None


def playing_clips(transport: Transport) -> list[PlayingKeys]:
    """Return the clip that plays alone, or the clips of all layers that have their own time."""
    character = transport.playable
    if character is None:
        return []
    if character.mixer.clip >= 0:
        return [PlayingKeys(character.model.clips[character.mixer.clip], KeyPlaces())]
    return [
        PlayingKeys(source.clip, _places(transport, source))
        for weight, source in character.mixer.playing()
        if weight >= LEAST and source.by_playback and source.playback.duration > 0
        if float(source.playback.rate)
    ]


@Memo
def dope_rows(model: Model, clip: Clip, joint: int) -> list[DopeRow]:
    """Return the rows of a joint and the joints below it; of all joints for `ROOT`."""
    skeleton = model.skeleton
    joints = range(skeleton.count) if joint < 0 else branch_of(model, joint)
    first = 0 if joint < 0 else int(skeleton.depths[joint])
    times = branch_key_times(model, clip, joints)
    return [
        DopeRow(own, int(skeleton.depths[own]) - first, times[own])
        for own in _in_order(model, times)
    ]


def nearest_key(times: F64, seconds: float, reach: float) -> float | None:
    """Return the key time nearest to a time, None if none is within `reach` seconds."""
    if not times.size:
        return None
    nearest = float(times[np.abs(times - seconds).argmin()])
    return nearest if abs(nearest - seconds) <= reach else None


def _places(transport: Transport, source: ClipSource) -> KeyPlaces:
    playback, rate = source.playback, float(source.playback.rate)
    loop = transport.common_loop
    before = 0.0 if loop is None else math.floor(transport.mixer_time / loop) * loop
    return KeyPlaces(
        float(playback.start),
        float(playback.duration),
        rate,
        float(playback.tau0) - float(playback.t0) / rate - before,
        float(playback.passes),
        playback.mode == "pingpong",
    )


def _in_order(model: Model, joints: dict[int, F64]) -> list[int]:
    """Return joints as a tree lists them: each before those below it, children together."""
    parents, count = model.skeleton.parents.tolist(), model.skeleton.count
    sizes = [1] * count  # of branches; parents come before children
    for joint in reversed(range(count)):
        if parents[joint] >= 0:
            sizes[parents[joint]] += sizes[joint]
    ranks, free = [0] * count, {-1: 0}  # free: the rank of the next child
    for joint, parent in enumerate(parents):
        ranks[joint] = free[parent]
        free[parent] += sizes[joint]
        free[joint] = ranks[joint] + 1
    return sorted(joints, key=ranks.__getitem__)
