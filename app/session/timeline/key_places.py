"""Where the keys of what plays are on the ruler: of a single clip, or of a clip in a layer."""

import math
from typing import NamedTuple

import numpy as np

from ...animation.clip import Clip
from ...animation.types import F64
from ...blending.sources import ClipSource
from ..transport import Transport
from .timeline_ticks import TimeAxis, key_marks

LEAST = 0.005  # weight of a layer whose keys are shown
MOST_PASSES = 200  # on the visible ruler


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


def playing_keys(transport: Transport) -> PlayingKeys | None:
    """Return the clip that plays alone, or that of the uppermost layer with a clip of its own time.

    Clips of a sync group have no even time; None if there is none else.
    """
    character = transport.playable
    if character is None:
        return None
    if character.mixer.clip >= 0:
        return PlayingKeys(character.model.clips[character.mixer.clip], KeyPlaces())
    found = [source for weight, source in character.mixer.playing() if weight >= LEAST]
    found = [each for each in found if each.by_playback and each.playback.duration > 0]
    if not found or not float(found[-1].playback.rate):
        return None
    return PlayingKeys(found[-1].clip, _places(transport, found[-1]))


def playing_clips(transport: Transport) -> list[PlayingKeys]:
    """Return the clip that plays alone, or the clips of all layers that have their own time."""
    character = transport.playable
    if character is None or character.mixer.clip >= 0:
        alone = playing_keys(transport)
        return [] if alone is None else [alone]
    return [
        PlayingKeys(source.clip, _places(transport, source))
        for weight, source in character.mixer.playing()
        if weight >= LEAST and source.by_playback and source.playback.duration > 0
        if float(source.playback.rate)
    ]


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
