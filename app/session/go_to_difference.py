"""Go to a difference: show its clip at the worst moment, select what it is about, and frame it."""

from ..scene.selected_bounds import AROUND
from . import played_motion
from .difference_rows import DifferenceRow
from .opened_character import OpenedCharacter
from .session import Session


def go_to_difference(session: Session, row: DifferenceRow) -> None:
    """Select what a difference is about; play its clip in both versions, paused at its time."""
    pair = session.comparison.pair
    if pair is None:
        return
    subject = pair[row.version]
    session.together = True
    session.activate(subject)
    if row.selected is not None:
        session.selections.select(subject, row.selected)
    if row.clips is not None:
        for each, clip in zip(pair, row.clips, strict=True):
            _show_clip(session, each, clip)
        if row.time is not None:
            session.transport.pause_at(row.time)
    elif row.rest:
        for each in pair:
            each.character.show = "rest"
    session.update()
    if row.selected is not None:
        session.scene.frame_selected(session.aspect, AROUND)


def _show_clip(session: Session, each: OpenedCharacter, clip: int) -> None:
    character = each.character
    if character.clip != clip or character.mixer.layered:
        played_motion.choose_clip(each, clip)
        session.interface.scroll_to_clip = True
    character.show = "clip"
