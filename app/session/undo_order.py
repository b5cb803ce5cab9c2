"""Undo and redo of the last edit, whether of the motion or of the stage."""

from .session import Session


def undo(session: Session) -> None:
    """Undo the last edit of the active character's motion or of the stage."""
    if _stage_is_last(session):
        session.notify(f"Undo: {session.stage.undo()}")
    else:
        session.editor.undo()


def redo(session: Session) -> None:
    """Redo the first of the undone edits."""
    if _stage_is_next(session):
        session.notify(f"Redo: {session.stage.redo()}")
    else:
        session.editor.redo()


def undo_label(session: Session) -> str:
    """Return the label of the edit that `undo` would revert, "" for none."""
    stage = session.stage.history
    if stage is not None and _stage_is_last(session):
        return stage.undo_label
    return session.editor.history.undo_label


def redo_label(session: Session) -> str:
    """Return the label of the edit that `redo` would repeat, "" for none."""
    stage = session.stage.history
    if stage is not None and _stage_is_next(session):
        return stage.redo_label
    return session.editor.history.redo_label


def _stage_is_last(session: Session) -> bool:
    stage = session.stage.history
    return stage is not None and stage.undo_number > session.editor.history.undo_number


def _stage_is_next(session: Session) -> bool:
    stage, motion = session.stage.history, session.editor.history.redo_number
    return (
        stage is not None and stage.redo_number > 0 and (not motion or stage.redo_number < motion)
    )
