"""The times of a clip to show: --time, --phase, --frame, --speed, --loop, --trim."""

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..animation.clip import Clip
from ..animation.playback import Mode, Playback
from ..errors import UsageError
from ..scene.character import clip_begin

if TYPE_CHECKING:
    from ..motion.single_clip import SingleClip

Loop = tuple[Mode, float]
_TIME_OPTIONS = ("time", "phase", "frame", "key")  # exclude each other


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
    args: argparse.Namespace, taus: tuple[float, ...] = (), default_loop: Loop = ("loop", 1.0)
) -> Timing:
    """Return the timing of the playback options with the times `taus`."""
    mode, passes = args.loop or default_loop
    return Timing(passes, mode, args.speed, args.trim, taus)


def timing(
    args: argparse.Namespace,
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
    check_given_times(args)
    if args.phase is not None:
        begin, end = (0.0, 0.0) if clip is None else clip_range(clip, clip_settings, trim=args.trim)
        length = end - begin
        return Timing(1.0, "loop", 1.0, args.trim, tuple(u * length for u in args.phase))
    if args.frame is not None:
        taus = tuple(frame / args.frame_rate for frame in args.frame)
        return playback_timing(args, taus, default_loop)
    return playback_timing(args, args.time if args.time is not None else (0.0,), default_loop)


def motion_taus(args: argparse.Namespace, length: float) -> tuple[float, ...]:
    """Return the global times to show of a motion of `length` seconds."""
    check_given_times(args)
    if args.phase is not None:
        return tuple(u * length for u in args.phase)
    if args.frame is not None:
        return tuple(frame / args.frame_rate for frame in args.frame)
    return args.time if args.time is not None else (0.0,)


def frames_timing(args: argparse.Namespace, frames: range) -> Timing:
    """Return the timing of a sequence: frame k is at k / fps, computed from the integer k."""
    given = given_times(args)
    if given:
        raise UsageError(f"--frames and --{given[0]} exclude each other")
    return playback_timing(args, tuple(frame / args.frame_rate for frame in frames))


def check_given_times(args: argparse.Namespace) -> list[str]:
    """Return the option that gives the time, or an empty list.

    Raises
    ------
    UsageError
        Several options give the time.
    """
    given = given_times(args)
    if len(given) > 1:
        raise UsageError(f"--{given[0]} and --{given[1]} exclude each other")
    return given


def given_times(args: argparse.Namespace) -> list[str]:
    """Return the options that give a time."""
    return [way for way in _TIME_OPTIONS if getattr(args, way, None) is not None]
