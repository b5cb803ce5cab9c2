"""Playing of all who are on stage: they go on, stop and are sought together, to compare them.

Which clip plays, how it repeats and whether it is trimmed is each one's own. Where `together` is
off, and of those that show a pose instead of a clip, only the active one is played.
"""

from collections.abc import Callable
from typing import Protocol

from . import transport
from .open_character import Performer


class Ensemble(transport.Stage, Protocol):
    """What is needed of a session."""

    @property
    def performers(self) -> list[Performer]:
        """All who are on stage."""

    @property
    def active(self) -> Performer | None:
        """The one that is worked with."""

    @property
    def together(self) -> bool:
        """Whether all are played, not only the active one."""


def led(session: Ensemble) -> list[Performer]:
    """Return who is played by what the active one is played by, in the order they stand."""
    active = session.active
    return [
        each
        for each in session.performers
        if each is active or (session.together and each.character.show == "clip")
    ]


def is_running(session: Ensemble) -> bool:
    """Tell whether time goes on for anybody."""
    return any(transport.is_running(each) for each in session.performers)


def toggle(session: Ensemble) -> None:
    """Play or pause, as the active one needs it; where it has nothing to play, as the others do."""
    players = [each for each in led(session) if transport.playing(each) is not None]
    first = next((each for each in players if each is session.active), None)
    running = any(map(transport.is_running, players if first is None else [first]))
    for each in players:
        if transport.is_running(each) == running:
            transport.toggle(each)


def go_on(session: Ensemble) -> None:
    """Let everyone play on beside the active one, which has begun another clip."""
    if not transport.is_running(session):
        return
    for each in led(session):
        if transport.playing(each) is not None and each.character.playback.paused:
            transport.toggle(each)


def seek(session: Ensemble, seconds: float) -> None:
    """Take everyone to a time of the active one's clip; playing goes on where it was."""
    _all_to(session, seconds, transport.seek)


def hold(session: Ensemble, seconds: float) -> None:
    """Pause everyone at a time of the active one's clip."""
    _all_to(session, seconds, transport.hold)


def go_to_frame(session: Ensemble, number: int) -> None:
    """Pause everyone at a frame of the active one's clip."""
    transport.go_to_frame(session, number)
    hold(session, transport.time(session))


def to_key(session: Ensemble, way: int) -> None:
    """Pause everyone at the active one's next key (`way` 1), or at the one before."""
    transport.to_key(session, way)
    if transport.playing(session) is not None:
        hold(session, transport.time(session))


def step(session: Ensemble, count: int) -> None:
    """Pause everyone, and go `count` frames on or back."""
    for each in led(session):
        transport.step(each, count)


def to_end(session: Ensemble, *, last: bool) -> None:
    """Pause everyone at the first or the last moment of the own clip."""
    for each in led(session):
        transport.to_end(each, last=last)


def set_speed(session: Ensemble, rate: float) -> None:
    """Play everyone at another rate from now on; below 0 backwards."""
    for each in led(session):
        transport.set_speed(each, rate)


def change_speed(session: Ensemble, way: int) -> None:
    """Play everyone as fast as the active one is by one step faster (`way` 1) or slower (-1)."""
    transport.change_speed(session, way)
    set_speed(session, transport.speed(session))


def fall_in(session: Ensemble, new: Performer) -> None:
    """Let one that has just begun go on where the active one is, as it is played."""
    active = session.active
    if not session.together or active is None or transport.playing(session) is None:
        return
    transport.set_speed(new, transport.speed(session))
    transport.seek(new, within(new, transport.time(session)))
    if active.character.playback.paused:
        new.character.playback.pause(session.tau)


def within(performer: Performer, seconds: float) -> float:
    """Return a time as it is in a clip that may be shorter: what loops for ever begins again."""
    begin, end = transport.reach(performer)
    if begin <= seconds <= end or end <= begin or transport.is_endless(performer):
        return seconds
    if float(performer.character.playback.passes) == float("inf"):
        return begin + (seconds - begin) % (end - begin)
    return min(max(seconds, begin), end)


def _all_to(
    session: Ensemble, seconds: float, go: Callable[[transport.Stage, float], None]
) -> None:
    active = session.active
    for each in led(session):
        go(each, seconds if each is active else within(each, seconds))
