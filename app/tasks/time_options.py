"""The times to show: --time, --phase, --frame, --frames."""

import math
from collections.abc import Sequence
from dataclasses import replace

from ..errors import UsageError
from ..fields.readers import MOST_FRAMES, TimeRange
from ..options.command_options import Options, TimeOptions


def given_taus(options: Options, length: float) -> tuple[float, ...]:
    """Return the global times to show of what plays for `length` seconds; phase 1 is its end.

    Raises
    ------
    UsageError
        Several options give the time, or a range has too many times.
    """
    check_given_times(options)
    if options.times.frames is not None:
        return frame_taus(options, options.times.frames)
    if options.times.phase is not None:
        return tuple(u * length for u in options.times.phase)
    if options.times.frame is not None:
        return tuple(frame / options.scene.frame_rate for frame in options.times.frame)
    return _given_seconds(options) or (0.0,)


def _given_seconds(options: Options) -> tuple[float, ...] | None:
    """Return the times of --time; those of a range are computed from integers."""
    time = options.shown.time
    if not isinstance(time, TimeRange):
        return time
    step = time.step or 1 / options.scene.frame_rate
    count = math.floor((time.end - time.begin) / step * (1 + 1e-9)) + 1
    if count > MOST_FRAMES:
        raise UsageError(f"--time: {count} times, more than {MOST_FRAMES}")
    return tuple(time.begin + k * step for k in range(count))


def frame_taus(options: Options, frames: range) -> tuple[float, ...]:
    """Return the times of a sequence: frame k is at k / fps, computed from the integer k."""
    for name in given_times(options):
        raise UsageError(f"--frames and --{name} exclude each other")
    return tuple(frame / options.scene.frame_rate for frame in frames)


def at_times(options: Options, times: TimeOptions) -> Options:
    """Return the options with other times to show, in place of those given."""
    return replace(options.with_shown(time=None), times=times)


def check_given_times(options: Options) -> None:
    """Raise UsageError if several options give the time."""
    given = list(given_times(options))
    if len(given) > 1:
        raise UsageError(f"--{given[0]} and --{given[1]} exclude each other")


def given_times(options: Options) -> dict[str, Sequence[float]]:
    """Return the given times by the name of their option; only one may be given."""
    times = options.times
    given = {
        "time": _given_seconds(options),
        "phase": times.phase,
        "frame": times.frame,
        "key": times.key,
    }
    return {name: values for name, values in given.items() if values is not None}


def even_phases(count: int) -> tuple[float, ...]:
    """Return phases from start to end; a single one is the start."""
    return tuple(k / max(count - 1, 1) for k in range(count))
