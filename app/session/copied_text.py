"""The current view as text that draws the same picture: a command, Python, a pytest case.

Nothing here changes the session. A view is drawn from the numbers that a command has, so both draw
the same picture, bit for bit.
"""

import re
import shlex
from dataclasses import replace
from pprint import pformat
from typing import Any

from ..fields.option import Option
from ..options.command_options import Options, OutputOptions
from ..options.write_options import as_arguments, changed_options, left_out
from ..scenedoc.camera import Camera
from ..scenedoc.look import Shading
from ..scenedoc.shown import Shown
from .screenshot import picture_stem
from .session import Session
from .view_record import left_out_of_record, range_options, view_options

COMMAND = "render"
PICTURE = 512, 512  # of each version in the picture of `diff`: the command's own default
_WIDTH = 88  # columns
_COMMAND_ONLY = ("output", "no-config")  # not parameters of the function


def copy_command(session: Session, size: tuple[int, int], samples: int) -> str:
    """Return the current view as a command, quoted for a POSIX shell; "" if the scene is empty.

    Parameters
    ----------
    size
        Width and height of the picture, pixels.
    samples
        Requested samples per pixel.
    """
    options = view_options(session, size, samples)
    return "" if options is None else command_line(COMMAND, options)


def command_line(command: str, options: Options) -> str:
    """Return a command with its files and options, quoted for a POSIX shell."""
    return shlex.join(["rigview", command, *options.files, *as_arguments(command, options)])


def not_in_command(session: Session) -> list[str]:
    """Return the parts of the current view that no option of the command can express, in words."""
    options = view_options(session, (1, 1), 1)
    found = [] if options is None else left_out(COMMAND, options)
    return [*left_out_of_record(session), *found]


def copy_range(session: Session, size: tuple[int, int], samples: int) -> str:
    """Return the command that draws the range as a video; "" without a range or a file.

    Parameters are those of `copy_command`.
    """
    active, options = session.active, view_options(session, size, samples)
    span = None if active is None else active.transport.chosen_range
    if options is None or span is None:
        session.notify("Drag over the ruler to choose a range")
        return ""
    whole = range_options(session, options, span, session.frame_rate)
    stem = picture_stem(session, f"{span.begin:.2f}s-{span.end:.2f}s")
    return command_line(COMMAND, replace(whole, output=OutputOptions(file=f"{stem}.mp4")))


def diff_command(session: Session, size: tuple[int, int], samples: int) -> str:
    """Return the command that lists and draws the differences; "" without two files.

    It draws the worst moment, with the camera and the display options of the view. What only one
    version may have, such as a selected joint, is left out. Parameters are those of `copy_command`.
    """
    pair = session.comparison.pair
    options = view_options(session, size, samples)
    if pair is None or options is None:
        return ""
    scene = options.scene
    at_one_place = session.comparison.mode is not None and scene.camera.name is None
    shown = options.with_scene(
        characters=(Shown(file=pair[0].source),),
        active=1,
        camera=scene.camera if at_one_place else Camera(),
        size=PICTURE,
        selected=None,
        look=scene.look.changed(Shading, weights=None),
    )
    picture = f"{pair[1].path.stem}-diff.png" if pair[1].path else None
    files = tuple(each.source for each in pair)
    return command_line(
        "diff", replace(shown, files=files, output=OutputOptions(comparison=picture))
    )


def as_python(session: Session, size: tuple[int, int], samples: int) -> str:
    """Return a script that draws the current view, bit for bit; "" if the scene is empty.

    Parameters are those of `copy_command`.
    """
    call = _call("render", session, size, samples)
    return call and f"from rigview import render\n\nimage = {call}  # [H, W, 4] uint8\n"


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
    options = view_options(session, size, samples)
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
