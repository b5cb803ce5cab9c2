"""Errors about a key of a motion file: place, message, and a hint with the nearest names."""

from collections.abc import Iterable

from ..errors import KeyPath, MotionError
from ..wording import first_of, suggestion
from .format import BARE_KEY, string

_LISTED = 6  # names listed where none is similar
_SHOWN = 40  # characters of a value in a message


def motion_error(
    path: KeyPath,
    message: str,
    *,
    wrong: str | None = None,
    known: Iterable[str] = (),
    hint: str = "",
) -> MotionError:
    """Return a MotionError about a key path; `MotionFile.locate` adds file and line.

    Parameters
    ----------
    path
        Keys and indices from the root table: ``("layers", 1, "mask")``.
    message
        The message: ``no mask "uper"``.
    wrong, known
        An unknown name and the known names; the hint suggests the nearest of them.
    hint
        What the user can do, without `wrong`.
    """
    if wrong is not None:
        hint = suggested(wrong, known)
    return MotionError(message, place=path_text(path), hint=hint, path=path)


def suggested(wrong: str, known: Iterable[str]) -> str:
    """Return a hint with the names nearest to a wrong one, else all known names, else ``""``."""
    names = list(dict.fromkeys(known))
    available = f"available: {first_of([quoted(name) for name in names], _LISTED)}"
    return suggestion(wrong, names, quoted) or (available if names else "")


def path_text(path: KeyPath) -> str:
    """Return a key path as text: ``layers[1].mask``, ``clips."Walk #2".loop``."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f"{'.' if text else ''}{part if BARE_KEY.fullmatch(part) else quoted(part)}"
    return text


def quoted(text: str) -> str:
    """Return a text in double quotes, on one line and shortened for a message."""
    return string(shortened(text))


def shortened(text: str) -> str:
    """Return a text, truncated with "..." if it is too long for a message."""
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
