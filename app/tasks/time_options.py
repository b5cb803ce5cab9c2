"""The times of a clip to show: --time, --phase, --frame, --speed, --loop, --trim."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..animation.clip import Clip
from ..animation.playback import Mode, Playback
from ..errors import UsageError
from ..options.command_options import Options
from ..scene.character import clip_begin

if TYPE_CHECKING:
    from ..motion.single_clip import SingleClip

Loop = tuple[Mode, float]


@dataclass(frozen=True, slots=True)
class Timing:
    """Playback options of a clip, and the global times to show, seconds."""

    passes: float
    mode: Mode
    rate: float
    trim: bool
    taus: tuple[float, ...]

    def playback(self, clip: Clip, clip_settings: "SingleClip | None" = None) -> Playback:
        """Return the playback of `clip` that starts at the global time 0."""
        begin, end = clip_range(clip, clip_settings, trim=self.trim)
        return Playback(
            end - begin, passes=self.passes, mode=self.mode, rate=self.rate, start=begin
        )


def clip_range(
    clip: Clip, clip_settings: "SingleClip | None" = None, *, trim: bool = False
) -> tuple[float, float]:
    """Return the start and end of a pass, seconds, from the clip's motion settings if any."""
    if clip_settings is not None:
        return clip_settings.begin, clip_settings.end
    return clip_begin(clip, trim=trim), clip.end


def playback_timing(
    options: Options, taus: tuple[float, ...] = (), default_loop: Loop = ("loop", 1.0)
) -> Timing:
    """Return the timing of the playback options with the times `taus`."""
    mode, passes = options.playback.loop or default_loop
    return Timing(passes, mode, options.playback.speed, options.playback.trim, taus)


def timing(
    options: Options,
    clip: Clip | None,
    default_loop: Loop = ("loop", 1.0),
    clip_settings: "SingleClip | None" = None,
) -> Timing:
    """Return the timing of one clip from the options.

    --phase is independent of speed and loop mode; phase 1 is the end of the clip.

    Raises
    ------
    UsageError
        Several options give the time.
    """
    check_given_times(options)
    if options.times.phase is not None:
        begin, end = (
            (0.0, 0.0)
            if clip is None
            else clip_range(clip, clip_settings, trim=options.playback.trim)
        )
        length = end - begin
        return Timing(
            1.0, "loop", 1.0, options.playback.trim, tuple(u * length for u in options.times.phase)
        )
    if options.times.frame is not None:
        taus = tuple(frame / options.playback.frame_rate for frame in options.times.frame)
        return playback_timing(options, taus, default_loop)
    return playback_timing(
        options, options.times.time if options.times.time is not None else (0.0,), default_loop
    )


def motion_taus(options: Options, length: float) -> tuple[float, ...]:
    """Return the global times to show of a motion of `length` seconds."""
    check_given_times(options)
    if options.times.phase is not None:
        return tuple(u * length for u in options.times.phase)
    if options.times.frame is not None:
        return tuple(frame / options.playback.frame_rate for frame in options.times.frame)
    return options.times.time if options.times.time is not None else (0.0,)


def frames_timing(options: Options, frames: range) -> Timing:
    """Return the timing of a sequence: frame k is at k / fps, computed from the integer k."""
    for name in given_times(options):
        raise UsageError(f"--frames and --{name} exclude each other")
    return playback_timing(options, tuple(frame / options.playback.frame_rate for frame in frames))


def check_given_times(options: Options) -> None:
    """Raise for several options that give the time.

    Raises
    ------
    UsageError
        Several options give the time.
    """
    given = list(given_times(options))
    if len(given) > 1:
        raise UsageError(f"--{given[0]} and --{given[1]} exclude each other")


def given_times(options: Options) -> dict[str, Sequence[float]]:
    """Return the given times by the name of their option; only one may be given."""
    times = options.times
    given = {
        "time": times.time,
        "phase": times.phase,
        "frame": times.frame,
        "key": options.playback.key,
    }
    return {name: values for name, values in given.items() if values is not None}


def even_phases(count: int) -> tuple[float, ...]:
    """Return phases from start to end."""
    return tuple(k / (count - 1) for k in range(count))
