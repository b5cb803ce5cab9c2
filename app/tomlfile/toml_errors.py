"""What is wrong in a motion file, said the one way: place, sentence, nearest match."""

import json
import re
from collections.abc import Iterable

from ..errors import MotionError
from ..model.lookup import nearest

KeyPath = tuple[str | int, ...]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LISTED = 6  # names that a message lists where none comes near
_SHOWN = 40  # characters of a value in a message


def fault(
    path: KeyPath,
    sentence: str,
    *,
    wrong: str | None = None,
    known: Iterable[str] = (),
    hint: str = "",
) -> MotionError:
    """Return the error to raise about a place in the motion file; `locate` gives it its line.

    Parameters
    ----------
    path
        Keys and indices from the top: ``("layers", 1, "mask")``.
    sentence
        What is wrong: ``no mask "uper"``.
    wrong, known
        The name that does not exist and those that do: the hint offers the nearest of them.
    hint
        What to do, in place of that.
    """
    if wrong is not None:
        hint = offer(wrong, known)
    return MotionError(sentence, place=spelled(path), hint=hint, path=path)


def offer(wrong: str, known: Iterable[str]) -> str:
    """Return a hint: the names nearest to a wrong one, else those there are, else nothing."""
    names = list(dict.fromkeys(known))
    near = nearest(names, wrong)
    if near:
        return f"did you mean {' or '.join(quoted(name) for name in near)}?"
    listed = ", ".join(quoted(name) for name in names[:_LISTED])
    more = ", ..." if len(names) > _LISTED else ""
    return f"there is {listed}{more}" if names else ""


def spelled(path: KeyPath) -> str:
    """Return a key path as it is written: ``layers[1].mask``, ``clips."Walk #2".loop``."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f"{'.' if text else ''}{part if _BARE.fullmatch(part) else quoted(part)}"
    return text


def quoted(text: str) -> str:
    """Return a text in double quotes, one line of it and no more than fits a message."""
    return json.dumps(shortened(text), ensure_ascii=False)


def shortened(text: str) -> str:
    """Return the beginning of a text that is too long for a message."""
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
