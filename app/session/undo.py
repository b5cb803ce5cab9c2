"""Undo and redo of the last edit, whether of the stage or of the motion of any character."""

from typing import Any

from .session import Session
from .undo_history import Step


def undo(session: Session) -> None:
    """Undo the last edit."""
    session.editor.end_drag()
    step = session.history.undo()
    if step is None:
        session.notify("Nothing to undo")
    else:
        _show(session, step, step.before, f"Undo: {step.label}")


def redo(session: Session) -> None:
    """Repeat the edit that was undone last."""
    session.editor.end_drag()
    step = session.history.redo()
    if step is None:
        session.notify("Nothing to redo")
    else:
        _show(session, step, step.after, f"Redo: {step.label}")


def _show(session: Session, step: Step, value: Any, words: str) -> None:  # noqa: ANN401
    """Show a value of the subject of a step; a character that it belongs to becomes active."""
    of = next(
        (each for each in session.open_characters if step.subject in (each, each.editor)), None
    )
    if of is not None and of is not session.active:
        session.activate(of)
        words = f"{words} ({of.name})"
    step.show(value, words)
