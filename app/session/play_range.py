"""The range between the in and the out point: playback that is inside it repeats it.

It is a part of the ruler, for each clip and for the layers. The loop mode applies to it: loop,
ping-pong, or a number of passes and then a pause. Seeking and stepping may leave the range; from
outside time runs on until it reaches the range.
"""

import math
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from ..animation.playback import Playback
from ..blending.mixer import Mixer
from . import transport
from .transport import Player

SHORTEST = 1e-3  # seconds
_NEAR = 1e-6  # seconds, or frames: times this near are equal


class PlayRange(NamedTuple):
    """A range of the ruler, seconds."""

    begin: float
    end: float  # infinity: a ruler without an end

    @property
    def length(self) -> float:
        """Seconds from the in to the out point."""
        return self.end - self.begin


class Moment(NamedTuple):
    """The state of a playback in a frame."""

    mixer: Mixer
    anchor: tuple[float, float]  # of the playback
    speed: float  # seconds of the ruler a second; negative: time goes back
    tau: float  # global time, seconds
    time: float  # on the ruler, seconds


@dataclass(slots=True)
class PlayRanges:
    """The ranges of a character.

    Attributes
    ----------
    known
        By what plays: a clip's name, or "" for layers.
    passes
        Number of passes of the present range that are over.
    last
        The moment of the last frame.
    """

    known: dict[str, PlayRange] = field(default_factory=dict)
    passes: int = 0
    last: Moment | None = None


class RangedPlayer(Player, Protocol):
    """A player of one character, with its ranges."""

    @property
    def play_ranges(self) -> PlayRanges:
        """The ranges."""


class Crossing(NamedTuple):
    """Where time goes on that has left a range."""

    time: float  # seconds
    forwards: bool
    passes: int  # that were completed


def play_range(player: RangedPlayer) -> PlayRange | None:
    """Return the range of what plays, within its ruler; None if there is none."""
    ranges = player.play_ranges.known
    known = ranges.get(_key(player)) if ranges else None
    if known is None:
        return None
    begin, end = transport.time_range(player)
    found = PlayRange(max(known.begin, begin), min(known.end, end))
    return found if found.length >= SHORTEST else None


def chosen_range(player: RangedPlayer) -> PlayRange | None:
    """Return the range of what plays; None if there is none, or it has no end."""
    span = play_range(player)
    return None if span is None or math.isinf(span.end) else span


def frames_of(span: PlayRange, frame_rate: float) -> range:
    """Return the frames in a range, at least one.

    Parameters
    ----------
    span
        Seconds since the start of the clip.
    """
    first = math.ceil(span.begin * frame_rate - _NEAR)
    last = math.floor(span.end * frame_rate + _NEAR)
    return range(first, max(last, first) + 1)


def set_play_range(player: RangedPlayer, begin: float, end: float) -> None:
    """Set the range, seconds of the ruler, in either order; one without length clears it."""
    low, high = transport.time_range(player)
    first, last = sorted((begin, end))
    wanted = PlayRange(max(first, low), min(last, high))
    if wanted.length < SHORTEST:
        clear(player)
    else:
        player.play_ranges.known[_key(player)] = wanted


def set_in(player: RangedPlayer) -> None:
    """Start the range at the present time; without a range after it, it ends with the ruler."""
    now, known = transport.time(player), play_range(player)
    end = transport.time_range(player)[1]
    set_play_range(player, now, known.end if known and known.end > now + SHORTEST else end)


def set_out(player: RangedPlayer) -> None:
    """End the range at the present time; without a range before it, it starts with the ruler."""
    now, known = transport.time(player), play_range(player)
    begin = transport.time_range(player)[0]
    set_play_range(player, known.begin if known and known.begin < now - SHORTEST else begin, now)


def clear(player: RangedPlayer) -> None:
    """Remove the range of what plays."""
    player.play_ranges.known.pop(_key(player), None)


def stay_in_range(player: RangedPlayer) -> None:
    """Repeat the range if time has run out of it; called in each frame, before the scene's."""
    ranges, character = player.play_ranges, transport.playable_character(player)
    span = play_range(player)
    if span is None or character is None or character.show != "clip":
        ranges.last = None
        return
    playback, last = character.playback, ranges.last
    now = ranges.last = _moment(player, character.mixer)
    step = None if last is None else _step(last, now)
    if last is None or step is None:
        ranges.passes = 0
        return
    passes = float(playback.passes) - ranges.passes
    if now.speed and not last.speed and _is_over(span, last.time, now.speed, passes):
        ranges.passes = 0
        playback.seek(span.begin if float(playback.rate) > 0 else span.end, player.tau)
    else:
        crossed = crossing(
            span, last.time, step, bounces=playback.mode == "pingpong", passes=passes
        )
        if crossed is None:
            return
        ranges.passes += crossed.passes
        if crossed.passes >= passes:
            playback.pause(player.tau)
        _enter(playback, crossed, player.tau)
    ranges.last = _moment(player, character.mixer)


def crossing(
    span: PlayRange, time: float, advance: float, *, bounces: bool, passes: float = math.inf
) -> Crossing | None:
    """Return where time goes on that leaves a range; None if it stays, or was not inside.

    Parameters
    ----------
    time
        Time before the step, seconds.
    advance
        The step, seconds; negative: backwards.
    bounces
        Whether time turns back at the ends.
    passes
        Passes that may be completed; after the last one time stays at its end.
    """
    forwards = advance > 0
    inside = span.begin - _NEAR <= time <= span.end + _NEAR
    over = time + advance - span.end if forwards else span.begin - time - advance
    if not inside or not advance or over < -_NEAR or math.isinf(span.length):
        return None
    over = max(over, 0.0)
    done = math.floor(over / span.length) + 1
    ended = done >= passes
    if ended:
        done, over = max(int(passes), 1), span.length
    else:
        over %= span.length
    if bounces and done % 2 == (0 if ended else 1):
        forwards = not forwards
    return Crossing(span.begin + over if forwards else span.end - over, forwards, done)


def _step(last: Moment, now: Moment) -> float | None:
    """Return by how much time ran on between two frames, seconds; None: it was sought."""
    if last.mixer is not now.mixer:
        return None
    if last.anchor == now.anchor:
        return last.speed * (now.tau - last.tau)
    held = min(max(now.anchor[0], last.tau), now.tau)  # of the change of speed or pause
    step = last.speed * (held - last.tau) + now.speed * (now.tau - held)
    return step if abs(last.time + step - now.time) <= _NEAR else None


def _is_over(span: PlayRange, time: float, speed: float, passes: float) -> bool:
    """Return whether time that starts to run is at the end of the last pass."""
    end = span.end if speed > 0 else span.begin
    return passes <= 0 or (passes <= 1 and abs(time - end) <= _NEAR)


def _enter(playback: Playback, crossed: Crossing, tau: float) -> None:
    """Go on at a time; in ping-pong, in a direction."""
    local, duration = crossed.time - float(playback.start), float(playback.duration)
    if playback.mode != "pingpong":
        playback.seek(crossed.time, tau)
    elif crossed.forwards == (float(playback.rate) > 0):
        playback.enter(local, tau)
    else:
        playback.enter(2.0 * duration - local, tau)


def _moment(player: RangedPlayer, mixer: Mixer) -> Moment:
    playback = mixer.playback
    speed = 0.0 if playback.paused else float(playback.rate)
    if playback.mode == "pingpong" and float(playback.duration):
        passed = math.floor(float(playback.x(player.tau)) / float(playback.duration))
        speed = -speed if passed % 2 else speed
    anchor = float(playback.tau0), float(playback.t0)
    return Moment(mixer, anchor, speed, player.tau, transport.time(player))


def _key(player: RangedPlayer) -> str:
    character = transport.playable_character(player)
    return "" if character is None or character.mixer.layered else character.mixer.name
