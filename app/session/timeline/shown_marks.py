"""The events, foot contacts and findings of what plays, at their times on the timeline."""

from ..clip_results import clip_number
from ..session import Session
from .key_places import playing_clips
from .timeline_marks import ContactPhase, FindingGroup, TimelineEvent
from .timeline_ticks import TimeAxis
from .timeline_view import TimelineView

MOST = 200  # events on a timeline


def timeline_events(session: Session, begin: float, end: float) -> list[TimelineEvent]:
    """Return the events between two times of the ruler, seconds, in order of time.

    They are those of the clip that plays alone, or those that layers fire.
    """
    character = session.transport.playable
    if character is None:
        return []
    if session.editor.shown:
        listed = [
            TimelineEvent(fired.tau, fired.name, fired.clip) for fired in session.editor.upcoming
        ]
    elif character.mixer.clip >= 0:
        document, (first, last) = session.document, session.transport.span
        listed = session.interface.of(TimelineView).events(
            character.model, document, character.mixer.clip, first, last
        )
    else:
        listed = []
    seen = [each for each in listed if begin - 1e-9 <= each.time <= end + 1e-9]
    return sorted(seen)[:MOST]


def contact_phases(session: Session) -> list[ContactPhase]:
    """Return the contacts of the selected foot in the clip that plays alone."""
    character, chosen = session.character, session.selected
    if character is None or chosen is None or chosen.primitive >= 0 or character.mixer.clip < 0:
        return []
    found, skeleton = character.foot_contacts, character.model.skeleton
    if found is None or found.clip is not character.model.clips[character.mixer.clip]:
        return []
    foot = found.foot_of(chosen.joint, skeleton.parents)
    if foot < 0:
        return []
    begin, end = session.transport.span
    return session.interface.of(TimelineView).contacts(
        found, foot, skeleton.names[foot], begin, end
    )


def finding_groups(session: Session, axis: TimeAxis, apart: float) -> list[FindingGroup]:
    """Return the visible findings of the clips that play.

    Of clips in layers they are at all times at which their layer passes them; clips of a sync
    group have no even time. Findings less than `apart` points after the first one of a group
    belong to it.
    """
    active = session.active
    times = {} if active is None else active.check.places(active.model).times
    if active is None or not any(times.values()):
        return []
    model, shown = active.model, playing_clips(session.transport)
    found = tuple(each for each in shown if times.get(clip_number(model, each.clip)))
    return session.interface.of(TimelineView).findings(times, model, found, axis, apart)
