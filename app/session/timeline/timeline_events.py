"""The events on the timeline: those of the clip that plays alone, or those that layers fire."""

from ...motion.document import ClipEvent
from ...scene.character import Character
from .. import transport
from ..clip_settings import settings_of
from ..session import Session
from .timeline_view import TimelineEvent, TimelineView

MOST = 200  # events on a timeline


def timeline_events(session: Session, begin: float, end: float) -> list[TimelineEvent]:
    """Return the events between two times of the ruler, seconds, in order of time."""
    character = transport.playable_character(session)
    if character is None:
        return []
    if session.editor.shown:
        listed = [
            TimelineEvent(fired.tau, fired.name, fired.clip) for fired in session.editor.upcoming
        ]
    else:
        listed = _clip_events(session, character)
    seen = [each for each in listed if begin - 1e-9 <= each.time <= end + 1e-9]
    return sorted(seen)[:MOST]


def _clip_events(session: Session, character: Character) -> list[TimelineEvent]:
    """Return the events of the clip that plays alone, kept until it or its settings change."""
    view, number = session.interface.of(TimelineView), character.mixer.clip
    if number < 0:
        return []
    clip, (begin, end) = character.model.clips[number], transport.time_range(session)
    key = clip, session.document, begin, end
    if view.events_of != key:
        settings = settings_of(character.model, session.document, number)
        view.events = [
            TimelineEvent(time_of(mark, begin, end), mark.name, clip.name)
            for mark in settings.events
        ]
        view.events_of = key
    return view.events


def time_of(mark: ClipEvent, begin: float, end: float) -> float:
    """Return the clip time of an event of a clip that plays from `begin` to `end`, seconds."""
    if mark.phase is not None:
        return begin + mark.phase * (end - begin)
    return begin + (mark.time or 0.0)


def has_events(session: Session) -> bool:
    """Return whether the motion document has events."""
    view, document = session.interface.of(TimelineView), session.document
    if view.has_events[0] is not document:
        found = any(settings.events for settings in document.clips.values())
        view.has_events = document, found
    return view.has_events[1]
