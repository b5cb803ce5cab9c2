"""The current view as Python: a script that draws it, or a test with a golden image."""

import re
from pprint import pformat
from typing import Any

from ..fields.option import Option
from ..options.write_options import changed_options
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
    options = command_options(session, size, samples)
    if options is None:
        return ""
    values = {
        option.key: _plain(option, value)
        for option, value in changed_options(COMMAND, options)
        if option.name not in _COMMAND_ONLY
    }
    if function == "rigview_render":
        values["samples"] = samples  # its default is lower
    clip, time = values.pop("animation", None), values.pop("time", None)
    paths = list(options.files)
    leading = [paths if len(paths) > 1 else paths[0], clip, time]
    while leading and leading[-1] is None:
        leading.pop()
    arguments = [_literal(value) for value in leading]
    arguments += [f"{key}={_literal(value)}" for key, value in values.items()]
    return "\n".join([f"{function}(", *(f"    {argument}," for argument in arguments), ")"])


def _plain(option: Option, value: Any) -> Any:  # noqa: ANN401 - the value of an option
    """Return a value as an argument: a single number instead of a tuple of one."""
    if isinstance(value, list):
        return [_plain(option, one) for one in value]
    value = option.plain(value)
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


def _literal(value: object) -> str:
    return pformat(value, width=_WIDTH).replace("\n", "\n    ")
