"""The range as a shell command: `rigview render FILE --frames A..B` makes a video."""

import math
import shlex
from dataclasses import replace

from ..options.command_options import Options
from ..options.motion_options import TimeOptions
from ..options.output_options import OutputOptions
from ..options.write_options import as_arguments
from . import transport
from .copy_command import COMMAND, command_options
from .open_character import OpenCharacter
from .play_range import PlayRange, play_range
from .screenshot import picture_stem
from .session import Session

_NEAR = 1e-6  # frames: a time this near a frame is that frame


def copy_range(session: Session, size: tuple[int, int], samples: int) -> str:
    """Return the command that draws the range as a video; "" without a range or a file.

    Parameters are those of `copy_command.copy_command`.
    """
    active, options = session.active, command_options(session, size, samples)
    span = None if active is None else chosen_range(active)
    if options is None or span is None:
        session.notify("Drag over the ruler to choose a range")
        return ""
    whole = range_options(session, options, span, session.frame_rate)
    stem = picture_stem(session, f"{span.begin:.2f}s-{span.end:.2f}s")
    whole = replace(whole, output=OutputOptions(file=f"{stem}.mp4"))
    return shlex.join(["rigview", COMMAND, *whole.files, *as_arguments(COMMAND, whole)])


def chosen_range(open_character: OpenCharacter) -> PlayRange | None:
    """Return the range of what plays; None if there is none, or it has no end."""
    span = play_range(open_character)
    return None if span is None or math.isinf(span.end) else span


def range_options(
    session: Session, options: Options, span: PlayRange, frame_rate: float
) -> Options:
    """Return the options of `command_options` for a video of a range, frames per second."""
    begin = transport.time_range(session)[0]
    frames = frames_of(PlayRange(span.begin - begin, span.end - begin), frame_rate)
    whole = _with_frames(options, frames)
    each = tuple(replace(own, times=TimeOptions()) for own in options.each_file)
    return replace(whole, each_file=each, playback=replace(whole.playback, frame_rate=frame_rate))


def frames_of(span: PlayRange, frame_rate: float) -> range:
    """Return the frames in a range, at least one.

    Parameters
    ----------
    span
        Seconds since the start of the clip.
    """
    first = math.ceil(span.begin * frame_rate - _NEAR)
    last = math.floor(span.end * frame_rate + _NEAR)
    return range(first, max(last, first) + 1)


def _with_frames(options: Options, frames: range) -> Options:
    """Return the options with frames in place of a time, which are in the first pass."""
    loop = options.playback.loop
    plain = options.playback if loop is None else replace(options.playback, loop=("loop", 1.0))
    return replace(options, times=TimeOptions(frames=frames), playback=plain)
