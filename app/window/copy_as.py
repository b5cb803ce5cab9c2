"""Copies the view to the clipboard: as a command, as Python, as a pytest case."""

from collections.abc import Callable

from ..session.copied_text import (
    as_python,
    as_test,
    copy_command,
    copy_range,
    diff_command,
    not_in_command,
)
from ..session.export.export_command import export_text
from ..session.findings.check_command import check_command
from ..session.session import Session
from ..session.ui_state import Copy


def _as_check(session: Session, _size: tuple[int, int], _samples: int) -> str:
    """Return the `check` command of the active character; "" without one."""
    return "" if session.active is None else check_command(session, session.active)


_COPIES: dict[Copy, tuple[str, Callable[[Session, tuple[int, int], int], str]]] = {
    "copy command": ("Copied as a command", copy_command),
    "copy range": ("Copied as a video command", copy_range),
    "copy export": ("Copied as a command", export_text),
    "copy python": ("Copied as Python", as_python),
    "copy test": ("Copied as a pytest case", as_test),
    "copy check": ("Copied as a check command", _as_check),
    "copy diff": ("Copied as a diff command", diff_command),
}


def copy_as(
    session: Session,
    how: Copy,
    size: tuple[int, int],
    samples: int,
    set_clipboard: Callable[[str], None],
) -> None:
    """Copy the view, `size` pixels with some samples each, and show a notice."""
    for character in session.open_characters:
        character.editor.apply_document()
    words, write = _COPIES[how]
    text = write(session, size, samples)
    if not text:
        return
    if not text.replace("\n", "").isprintable():
        session.notify("Not copied: a name contains unprintable characters")
        return
    set_clipboard(text)
    left_out = "" if how in ("copy check", "copy diff") else " and ".join(not_in_command(session))
    session.notify(f"Copied, without {left_out}" if left_out else words)
