"""The current view as Python: a script that draws it, or a test with a golden image."""

import re
from pprint import pformat
from typing import Any

from ..options.table import changed_options
from .copy_command import COMMAND, command_options
from .screenshot import picture_stem
from .session import Session

_WIDTH = 88  # columns
_COMMAND_ONLY = ("output", "no-config")  # not parameters of the function


def as_python(session: Session, size: tuple[int, int], samples: int) -> str:
    """Return a script that draws the current view, bit for bit; "" if the scene is empty.

    Parameters are those of `copy_command.copy_command`.
    """
    call = _call("render_still", session, size, samples)
    return call and f"from rigview import render_still\n\nimage = {call}  # [H, W, 4] uint8\n"


def as_test(session: Session, size: tuple[int, int], samples: int) -> str:
    """Return a pytest case that compares the current view to a golden; "" if the scene is empty."""
    call = _call("rigview_render", session, size, samples)
    if not call:
        return ""
    name = picture_stem(session)
    words = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    body = f"image = {call}\nrigview_image_golden(image, {name!r})\n"
    indented = "".join(f"    {line}" for line in body.splitlines(keepends=True))
    return f"def test_{words or 'view'}(rigview_render, rigview_image_golden):\n{indented}"


def _call(function: str, session: Session, size: tuple[int, int], samples: int) -> str:
    """Return a call with file, clip, time and the options that differ from their defaults."""
    paths, values = command_options(session, size, samples)
    if not paths:
        return ""
    options = {
        each.key: value
        for each, value in changed_options(COMMAND, values)
        if each.name not in _COMMAND_ONLY
    }
    clip, time = options.pop("animation", None), options.pop("time", None)
    time = [_one(each) for each in time] if isinstance(time, list) else _one(time)
    leading = [paths if len(paths) > 1 else paths[0], clip, time]
    while leading and leading[-1] is None:
        leading.pop()
    arguments = [_literal(value) for value in leading]
    arguments += [f"{key}={_literal(value)}" for key, value in options.items()]
    return "\n".join([f"{function}(", *(f"    {each}," for each in arguments), ")"])


def _one(time: Any) -> Any:  # noqa: ANN401 - a time as an option value
    return time[0] if isinstance(time, tuple) and len(time) == 1 else time


def _literal(value: object) -> str:
    return pformat(value, width=_WIDTH).replace("\n", "\n    ")
