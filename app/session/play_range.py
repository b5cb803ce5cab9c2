"""The range between the in and the out point: playback that is inside it repeats it.

It is a part of the ruler, for each clip and for the layers. The loop mode applies to it: loop,
ping-pong, or a number of passes and then a pause. Seeking and stepping may leave the range; from
outside time runs on until it reaches the range.
"""

import math
from typing import NamedTuple

from ..animation.playback import Playback
from ..blending.mixer import Mixer
from .player import Moment, Player, PlayRange
from .transport import Transport

_NEAR = 1e-6  # seconds, or frames: times this near are equal


class Crossing(NamedTuple):
    """Where time goes on that has left a range."""

    time: float  # seconds
    forwards: bool
    passes: int  # that were completed


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


def stay_in_range(own: Player) -> None:
    """Repeat the range if time has run out of it; called in each frame, before the scene's."""
    transport, ranges = Transport(own), own.play_ranges
    span, character = transport.play_range, transport.playable
    if span is None or character is None or character.show != "clip":
        ranges.last = None
        return
    playback, last = character.playback, ranges.last
    now = ranges.last = _moment(own, character.mixer)
    step = None if last is None else _step(last, now)
    if last is None or step is None:
        ranges.passes = 0
        return
    passes = math.inf if transport.continuous else float(playback.passes) - ranges.passes
    if now.speed and not last.speed and _is_over(span, last.time, now.speed, passes):
        ranges.passes = 0
        playback.seek(span.begin if float(playback.rate) > 0 else span.end, own.session.tau)
    else:
        crossed = crossing(
            span, last.time, step, bounces=playback.mode == "pingpong", passes=passes
        )
        if crossed is None:
            return
        ranges.passes += crossed.passes
        if crossed.passes >= passes:
            playback.pause(own.session.tau)
        _enter(playback, crossed, own.session.tau)
    ranges.last = _moment(own, character.mixer)


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


def _moment(own: Player, mixer: Mixer) -> Moment:
    playback = mixer.playback
    speed = 0.0 if playback.paused else float(playback.rate)
    if playback.mode == "pingpong" and float(playback.duration):
        passed = math.floor(float(playback.x(own.session.tau)) / float(playback.duration))
        speed = -speed if passed % 2 else speed
    anchor = float(playback.tau0), float(playback.t0)
    return Moment(mixer, anchor, speed, own.session.tau, Transport(own).time)
