"""The title of the window."""

from typing import TYPE_CHECKING

from ..session.session import Session

if TYPE_CHECKING:
    from moderngl_window.context.pyglet.window import Window


def show_title(session: Session, window: "Window") -> None:
    """Show the active file, and the number of other characters, in the window's title."""
    title = _title(session)
    if title != window.title:
        window.title = title


def _title(session: Session) -> str:
    if session.active is None or session.path is None:
        return "Rigview"
    others = len(session.open_characters) - 1
    more = f" + {others} more" if others else ""
    return f"{'*' if session.dirty else ''}{session.active.name}{more} – Rigview"
