"""Linked playback: several open characters play, pause and seek together, to compare them.

Clip, loop mode and trim belong to each character. If `together` is off, only the active character
is controlled; characters that show a pose instead of a clip are not linked.
"""

from collections.abc import Callable

from . import play_range, transport
from .open_character import OpenCharacter
from .session import Session


def linked(session: Session) -> list[OpenCharacter]:
    """Return the open characters that follow the active one's transport, in display order."""
    active = session.active
    return [
        each
        for each in session.open_characters
        if each is active or (session.together and each.character.show == "clip")
    ]


def is_running(session: Session) -> bool:
    """Return whether any character's time runs."""
    return any(transport.is_running(each) for each in session.open_characters)


def toggle(session: Session) -> None:
    """Play or pause all linked characters: the opposite of the active one's (or any's) state."""
    players = [each for each in linked(session) if transport.playable_character(each) is not None]
    first = next((each for each in players if each is session.active), None)
    running = any(map(transport.is_running, players if first is None else [first]))
    for each in players:
        if transport.is_running(each) == running:
            transport.toggle(each)


def resume_linked(session: Session) -> None:
    """Resume paused linked characters after the active one has started another clip."""
    if not transport.is_running(session):
        return
    for each in linked(session):
        if transport.playable_character(each) is not None and each.character.playback.paused:
            transport.toggle(each)


def seek(session: Session, seconds: float) -> None:
    """Go to a time of the active character's clip without pausing."""
    _all_to(session, seconds, transport.seek)


def pause_at(session: Session, seconds: float) -> None:
    """Pause linked characters at a time of the active one's clip."""
    _all_to(session, seconds, transport.pause_at)


def go_to_frame(session: Session, number: int) -> None:
    """Pause linked characters at a frame of the active one's clip."""
    transport.go_to_frame(session, number)
    pause_at(session, transport.time(session))


def go_to_key(session: Session, direction: int) -> None:
    """Pause linked characters at the active one's next (`direction` 1) or previous (-1) key."""
    transport.go_to_key(session, direction)
    if transport.playable_character(session) is not None:
        pause_at(session, transport.time(session))


def step(session: Session, count: int) -> None:
    """Pause linked characters and step them by `count` frames."""
    for each in linked(session):
        transport.step(each, count)


def go_to_end(session: Session, *, last: bool) -> None:
    """Pause each linked character at the start or end of its own clip."""
    for each in linked(session):
        transport.go_to_end(each, last=last)


def set_speed(session: Session, rate: float) -> None:
    """Set the playback rate of linked characters; negative rates play backwards."""
    for each in linked(session):
        transport.set_speed(each, rate)


def change_speed(session: Session, direction: int) -> None:
    """Set the active character's rate one step faster (1) or slower (-1) for all linked ones."""
    transport.change_speed(session, direction)
    set_speed(session, transport.speed(session))


def set_play_range(session: Session, begin: float, end: float) -> None:
    """Repeat a range of the ruler of all linked characters, seconds."""
    for each in linked(session):
        play_range.set_play_range(each, begin, end)


def set_in(session: Session) -> None:
    """Start the range of linked characters at the active one's present time."""
    _copy_range(session, play_range.set_in)


def set_out(session: Session) -> None:
    """End the range of linked characters at the active one's present time."""
    _copy_range(session, play_range.set_out)


def clear_play_range(session: Session) -> None:
    """Remove the range of linked characters."""
    for each in linked(session):
        play_range.clear(each)


def _copy_range(session: Session, change: Callable[[OpenCharacter], None]) -> None:
    """Change the active character's range, and give it to the linked ones."""
    active = session.active
    if active is None or transport.playable_character(active) is None:
        return
    change(active)
    now = play_range.play_range(active)
    if now is None:
        session.notify("The range would have no length")
        return
    set_play_range(session, *now)


def join_playback(session: Session, new: OpenCharacter) -> None:
    """Give a new character the active one's time, rate and pause, if playback is linked."""
    active = session.active
    if not session.together or active is None or transport.playable_character(session) is None:
        return
    transport.set_speed(new, transport.speed(session))
    transport.seek(new, time_in_range(new, transport.time(session)))
    if active.character.playback.paused:
        new.character.playback.pause(session.tau)


def time_in_range(open_character: OpenCharacter, seconds: float) -> float:
    """Return a time within the character's clip: wrapped if it loops without end, else clamped."""
    begin, end = transport.time_range(open_character)
    if begin <= seconds <= end or end <= begin or transport.is_continuous(open_character):
        return seconds
    if float(open_character.character.playback.passes) == float("inf"):
        return begin + (seconds - begin) % (end - begin)
    return min(max(seconds, begin), end)


def _all_to(
    session: Session, seconds: float, go: Callable[[transport.Player, float], None]
) -> None:
    active = session.active
    for each in linked(session):
        go(each, seconds if each is active else time_in_range(each, seconds))
