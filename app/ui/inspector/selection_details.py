"""The inspector: what is known of the selection."""

from imgui_bundle import imgui

from ...session.session import Session
from .. import widgets


def draw(session: Session) -> None:
    """Draw what is known of the selection."""
    current = session.selections.current
    if current is None:
        widgets.quiet("Nothing is selected")
        return
    imgui.text_wrapped(current.name)
    widgets.mark(session, "inspected")
