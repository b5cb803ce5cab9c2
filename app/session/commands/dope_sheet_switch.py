"""The action that shows the dope sheet."""

from ..session import Session


def toggle(session: Session) -> None:
    """Show or hide the dope sheet, which is part of the timeline."""
    sheet = session.interface.timeline.dope_sheet
    sheet.shown = not sheet.shown
    if sheet.shown:
        session.interface.hidden = False


def shown(session: Session) -> bool:
    """Return whether the dope sheet is shown."""
    return session.interface.timeline.dope_sheet.shown
