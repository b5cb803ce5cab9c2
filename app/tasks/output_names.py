"""Names of files that are written, from a pattern with the names and numbers of what is shown."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from ..errors import UsageError
from .output import STANDARD

NAMES = ("model", "clip", "frame")
_FIELD = re.compile(r"\{(\w+)(?::0?(\d+))?\}")  # {model}, {frame:04}
_NUMBER = re.compile(r"#+|%0?(\d*)d")  # ####, and %04d as in ffmpeg; of the file's own name
_ODD = re.compile(r'[\x00-\x1f<>:"/\\|?*]')  # may not be in the name of a file, here or elsewhere
_DIGITS = 4


def filled(pattern: str, *, model: str | None, clip: str | None, frame: int | None = None) -> str:
    """Return the name of a file, made from a pattern.

    Parameters
    ----------
    pattern
        A path with ``{model}``, ``{clip}``, and for the number of a frame ``{frame}``,
        ``{frame:04}``, ``####`` or ``%04d``; a frame without any place has one before the ending:
        ``walk.png`` becomes ``walk_0007.png``.
    model, clip
        What stands for them, with characters that no file may have in its name made ``_``;
        None: there is no such thing.
    frame
        The number of the frame; None: this is no sequence.

    Raises
    ------
    UsageError
        It names something else, or something that there is not.
    """
    numbered = False

    def field(found: re.Match[str]) -> str:
        nonlocal numbered
        name, digits = found[1], int(found[2] or 1)
        if name == "frame" and frame is not None:
            numbered = True
            return f"{frame:0{digits}}"
        values = {"model": model, "clip": clip}
        value = values.get(name)
        if value is None or found[2]:
            raise _unknown(pattern, found[0], name, [k for k, v in values.items() if v is not None])
        return plain(value)

    # the file's own name first, so that the names put in are not taken for patterns
    path = Path(pattern)
    name = path.name
    if frame is not None:
        name = _NUMBER.sub(lambda found: _placed(found, frame), name, count=1)
        numbered = name != path.name
    name = _FIELD.sub(field, name)
    if frame is not None and not numbered:
        stem, dot, ending = name.rpartition(".")
        name = f"{stem or ending}_{frame:0{_DIGITS}}{dot if stem else ''}{ending if stem else ''}"
    folder = pattern[: len(pattern) - len(path.name)] if pattern.endswith(path.name) else ""
    return _FIELD.sub(field, folder) + name


def plain(name: str) -> str:
    """Return a name that can be part of a file's: one piece of a path, never a way out of it."""
    return _ODD.sub("_", name).strip(". ") or "_"


def names(pattern: str, field: str) -> bool:
    """Return whether a pattern has a place for ``{field}``."""
    return any(found[1] == field for found in _FIELD.finditer(pattern))


def stem(file: str) -> str:
    """Return what ``{model}`` stands for: the file's name without folder and ending."""
    return "stdin" if file == STANDARD else Path(file).stem


def distinct(wanted: Iterable[str]) -> list[str]:
    """Return names of which no two are one file: the second ``robot`` is ``robot-2``.

    Capitals make no difference, as on the disks of Windows and macOS.
    """
    wanted = list(wanted)
    taken: set[str] = set()
    own = {name.casefold() for name in wanted}
    found = []
    for name in wanted:
        one, count = name, 1
        while one.casefold() in taken or (count > 1 and one.casefold() in own):
            count += 1
            one = f"{name}-{count}"
        taken.add(one.casefold())
        found.append(one)
    return found


def _placed(found: re.Match[str], frame: int) -> str:
    digits = len(found[0]) if found[1] is None else int(found[1] or 1)
    return f"{frame:0{digits}}"


def _unknown(pattern: str, written: str, name: str, known: list[str]) -> UsageError:
    if name in NAMES:
        return UsageError(f"{pattern!r}: there is no {written} here")
    near = get_close_matches(name, known, 1)
    fields = " and ".join(f"{{{each}}}" for each in known)
    hint = f"did you mean {{{near[0]}}}?" if near else f"there are {fields}"
    return UsageError(f"{pattern!r}: {written} stands for nothing", hint=hint)
