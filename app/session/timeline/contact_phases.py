"""The foot contacts of the selected foot on the timeline."""

from ...scene.contact_spans import ContactSpan
from ...wording import measure
from .. import transport
from ..session import Session
from .timeline_view import ContactPhase, TimelineView


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
    view, (begin, end) = session.interface.of(TimelineView), transport.time_range(session)
    key = found, foot, begin, end
    if view.contacts_of != key:
        name = skeleton.names[foot]
        view.contacts = [_phase(span, name, begin, end) for span in found.spans[foot]]
        view.contacts_of = key
    return view.contacts


def _phase(span: ContactSpan, name: str, begin: float, end: float) -> ContactPhase:
    whole = span.end > span.begin
    parts = ((span.begin, span.end),) if whole else ((span.begin, end), (begin, span.end))
    over = "" if whole else " over the seam"
    slide = measure(span.slide * 1000, "mm")
    words = f"{name} on the ground from {span.begin:.2f} s to {span.end:.2f} s{over}"
    return ContactPhase(span, parts, f"{words}, slides {slide}")
