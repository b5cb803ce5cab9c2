"""Playing of all who are on stage: they go on, stop and are sought together, to compare them.

Which clip plays, how it repeats and whether it is trimmed is each one's own. Where `together` is
off, and of those that show a pose instead of a clip, only the active one is played.
"""

from collections.abc import Callable
from typing import Protocol

from . import transport
from .open_character import OpenCharacter


class LinkedPlayers(transport.Player, Protocol):
    """What is needed of a session."""

    @property
    def open_characters(self) -> list[OpenCharacter]:
        """All who are on stage."""

    @property
    def active(self) -> OpenCharacter | None:
        """The one that is worked with."""

    @property
    def together(self) -> bool:
        """Whether all are played, not only the active one."""


def linked(session: LinkedPlayers) -> list[OpenCharacter]:
    """Return who is played by what the active one is played by, in the order they stand."""
    active = session.active
    return [
        each
        for each in session.open_characters
        if each is active or (session.together and each.character.show == "clip")
    ]


def is_running(session: LinkedPlayers) -> bool:
    """Tell whether time goes on for anybody."""
    return any(transport.is_running(each) for each in session.open_characters)


def toggle(session: LinkedPlayers) -> None:
    """Play or pause, as the active one needs it; where it has nothing to play, as the others do."""
    players = [each for each in linked(session) if transport.playable_character(each) is not None]
    first = next((each for each in players if each is session.active), None)
    running = any(map(transport.is_running, players if first is None else [first]))
    for each in players:
        if transport.is_running(each) == running:
            transport.toggle(each)


def resume_linked(session: LinkedPlayers) -> None:
    """Let everyone play on beside the active one, which has begun another clip."""
    if not transport.is_running(session):
        return
    for each in linked(session):
        if transport.playable_character(each) is not None and each.character.playback.paused:
            transport.toggle(each)


def seek(session: LinkedPlayers, seconds: float) -> None:
    """Take everyone to a time of the active one's clip; playing goes on where it was."""
    _all_to(session, seconds, transport.seek)


def pause_at(session: LinkedPlayers, seconds: float) -> None:
    """Pause everyone at a time of the active one's clip."""
    _all_to(session, seconds, transport.pause_at)


def go_to_frame(session: LinkedPlayers, number: int) -> None:
    """Pause everyone at a frame of the active one's clip."""
    transport.go_to_frame(session, number)
    pause_at(session, transport.time(session))


def go_to_key(session: LinkedPlayers, direction: int) -> None:
    """Pause everyone at the active one's next key (`direction` 1), or at the one before."""
    transport.go_to_key(session, direction)
    if transport.playable_character(session) is not None:
        pause_at(session, transport.time(session))


def step(session: LinkedPlayers, count: int) -> None:
    """Pause everyone, and go `count` frames on or back."""
    for each in linked(session):
        transport.step(each, count)


def go_to_end(session: LinkedPlayers, *, last: bool) -> None:
    """Pause everyone at the first or the last moment of the own clip."""
    for each in linked(session):
        transport.go_to_end(each, last=last)


def set_speed(session: LinkedPlayers, rate: float) -> None:
    """Play everyone at another rate from now on; below 0 backwards."""
    for each in linked(session):
        transport.set_speed(each, rate)


def change_speed(session: LinkedPlayers, direction: int) -> None:
    """Play everyone as fast as the active one is by one step faster (`direction` 1) or slower (-1)."""
    transport.change_speed(session, direction)
    set_speed(session, transport.speed(session))


def join_playback(session: LinkedPlayers, new: OpenCharacter) -> None:
    """Let one that has just begun go on where the active one is, as it is played."""
    active = session.active
    if not session.together or active is None or transport.playable_character(session) is None:
        return
    transport.set_speed(new, transport.speed(session))
    transport.seek(new, time_in_range(new, transport.time(session)))
    if active.character.playback.paused:
        new.character.playback.pause(session.tau)


def time_in_range(open_character: OpenCharacter, seconds: float) -> float:
    """Return a time as it is in a clip that may be shorter: what loops for ever begins again."""
    begin, end = transport.time_range(open_character)
    if begin <= seconds <= end or end <= begin or transport.is_continuous(open_character):
        return seconds
    if float(open_character.character.playback.passes) == float("inf"):
        return begin + (seconds - begin) % (end - begin)
    return min(max(seconds, begin), end)


def _all_to(
    session: LinkedPlayers, seconds: float, go: Callable[[transport.Player, float], None]
) -> None:
    active = session.active
    for each in linked(session):
        go(each, seconds if each is active else time_in_range(each, seconds))
