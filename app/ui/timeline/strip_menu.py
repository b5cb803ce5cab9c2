"""The menu of a strip: the settings of its fade, a jump to it, and its removal."""

from imgui_bundle import imgui

from ...motion.document import Fade
from ...session import linked_transport
from ...session.session import Session
from ...session.timeline.strips import removed, title
from ...session.timeline.timeline_view import TimelineView
from .. import icons, widgets
from . import schedule

_NAME = "strip menu"
_WIDTH = 16.0  # font heights


def draw(session: Session) -> None:
    """Draw the menu if it is open."""
    view, document = session.interface.of(TimelineView), session.document
    if view.opens_menu:
        imgui.open_popup(_NAME)
        view.opens_menu = False
    if not imgui.begin_popup(_NAME):
        return
    moments = tuple(k for k in view.strip_menu if k < len(document.at))
    if not moments:
        imgui.close_current_popup()
        imgui.end_popup()
        return
    first = moments[0]
    at = document.at[first]
    imgui.dummy((_WIDTH * widgets.em(), 0.0))
    widgets.quiet(f"{title(at)} at {at.time:.2f} s")
    if isinstance(at.do, Fade):
        schedule.fade_details(session, first, at, at.do)
    if imgui.menu_item(f"{icons.NEXT}  Go to its start", "", False)[0]:
        linked_transport.seek(session, at.time)
    widgets.mark(session, "go to strip")
    if imgui.menu_item(f"{icons.REMOVE}  Remove", "", False)[0]:
        remove(session, moments)
    widgets.mark(session, "remove strip")
    imgui.end_popup()


def remove(session: Session, moments: tuple[int, ...]) -> None:
    """Remove scheduled changes as one edit."""
    document = session.document
    words = title(document.at[moments[0]])
    session.editor.edit(removed(document, moments), f"Remove {words}")
