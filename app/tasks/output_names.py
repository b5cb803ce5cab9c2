"""Names of output files from a pattern with fields for model, clip and frame."""

import re
from collections.abc import Iterable
from pathlib import Path

from ..errors import UsageError
from ..images.video import ENDINGS
from ..wording import joined, suggestion
from .output import STANDARD

NAMES = ("model", "clip", "frame", "page")
_FIELD = re.compile(r"\{(\w+)(?::0?(\d+))?\}")  # {model}, {frame:04}
_NUMBER = re.compile(r"#+|%0?(\d*)d")  # ####, and %04d as in ffmpeg; in the file name only
_INVALID = re.compile(r'[\x00-\x1f<>:"/\\|?*]')  # not allowed in file names on some systems
_DIGITS = 4


def fill_pattern(
    pattern: str,
    *,
    model: str | None = None,
    clip: str | None = None,
    frame: int | None = None,
    stem: str | None = None,
) -> str:
    """Return the file name for a pattern.

    Parameters
    ----------
    pattern
        A path with ``{model}``, ``{clip}``, and for the frame number ``{frame}``, ``{frame:04}``,
        ``####`` or ``%04d``, for that of a page also ``{page}``; without a field the number goes
        before the extension: ``walk.png`` becomes ``walk_0007.png``.
    model, clip, stem
        Values of the fields, with characters that are invalid in file names replaced by ``_``;
        None: not available.
    frame
        The number of the frame or page; None: there is only one.

    Raises
    ------
    UsageError
        The pattern has an unknown field, or one without a value.
    """
    numbered = False

    def field(match: re.Match[str]) -> str:
        nonlocal numbered
        name, digits = match[1], int(match[2] or 1)
        if name in ("frame", "page") and frame is not None:
            numbered = True
            return f"{frame:0{digits}}"
        values = {"model": model, "clip": clip, "stem": stem}
        value = values.get(name)
        if value is None or match[2]:
            known = [k for k, v in values.items() if v is not None]
            if clip is not None and not pattern.lower().endswith(ENDINGS):
                known.append("frame")  # a picture with it is one of a sequence
            elif frame is not None:
                known.append("page")
            raise _unknown(pattern, match[0], name, known)
        return safe_name(value)

    # the file name first, so that inserted names are not read as fields
    path = Path(pattern)
    name = path.name
    if frame is not None:
        name = _NUMBER.sub(lambda match: _padded(match, frame), name, count=1)
        numbered = name != path.name
    name = _FIELD.sub(field, name)
    if frame is not None and not numbered:
        stem, dot, ending = name.rpartition(".")
        name = f"{stem or ending}_{frame:0{_DIGITS}}{dot if stem else ''}{ending if stem else ''}"
    folder = pattern[: len(pattern) - len(path.name)] if pattern.endswith(path.name) else ""
    return _FIELD.sub(field, folder) + name


def safe_name(name: str) -> str:
    """Return a name that is a valid, single component of a path."""
    return _INVALID.sub("_", name).strip(". ") or "_"


def has_field(pattern: str, field: str) -> bool:
    """Return whether a pattern has the field ``{field}``."""
    return any(found[1] == field for found in _FIELD.finditer(pattern))


def model_name(file: str) -> str:
    """Return the value of ``{model}``: the file name without folder and extension."""
    return "stdin" if file == STANDARD else Path(file).stem


def unique_names(wanted: Iterable[str]) -> list[str]:
    """Return unique names: the second ``robot`` becomes ``robot-2``.

    Case is ignored, as on the file systems of Windows and macOS.
    """
    wanted = list(wanted)
    taken: set[str] = set()
    own = {name.casefold() for name in wanted}
    names = []
    for name in wanted:
        one, count = name, 1
        while one.casefold() in taken or (count > 1 and one.casefold() in own):
            count += 1
            one = f"{name}-{count}"
        taken.add(one.casefold())
        names.append(one)
    return names


def _padded(match: re.Match[str], frame: int) -> str:
    digits = len(match[0]) if match[1] is None else int(match[1] or 1)
    return f"{frame:0{digits}}"


def _unknown(pattern: str, written: str, name: str, known: list[str]) -> UsageError:
    if name in NAMES:
        return UsageError(f"{pattern!r}: {written} has no value here")
    fields = joined([f"{{{each}}}" for each in known])
    hint = suggestion(name, known, "{{{}}}".format) or f"available: {fields}"
    return UsageError(f"{pattern!r}: unknown field {written}", hint=hint)
