"""Frame times of a video: of a loop, or from start to end."""

import math
from dataclasses import dataclass

from ..errors import UsageError
from ..wording import counted

MAX_FRAMES = 20_000  # of a video whose range is not given by --frames
REPORTED = 0.001  # least relative change of speed that is reported
_ROUNDING = 1e-6  # of a frame: rounding error of a product of two decimal numbers


@dataclass(frozen=True, slots=True)
class FrameTimes:
    """The frame times of a video.

    Attributes
    ----------
    taus
        Global time of every frame, seconds.
    fps
        Frame rate of the file.
    note
        A message if the loop plays faster or slower than designed; empty for none.
    """

    taus: tuple[float, ...]
    fps: float
    note: str = ""

    @property
    def seconds(self) -> float:
        """Duration of the video, once."""
        return len(self.taus) / self.fps


def loop_frame_times(period: float, fps: float, *, exact: bool = False) -> FrameTimes:
    """Return the frame times of a video that is played in a loop.

    There are N = max(1, round(T fps)) frames at times k T / N, so that the step across the seam
    equals every other step. The video lasts N / fps, which may differ slightly from T; with
    `exact`, frame k is at time k / fps, and the seam has a different step instead.

    Parameters
    ----------
    period
        T, seconds; 0 without motion.
    fps
        Frames per second.

    Raises
    ------
    UsageError
        There are more than `MAX_FRAMES` frames.
    """
    count = max(1, math.floor(_frames(period, fps) + 0.5))
    if period <= 0:
        return FrameTimes((0.0,), fps)
    if exact:
        return FrameTimes(tuple(k / fps for k in range(count)), fps)
    change = period * fps / count - 1.0
    note = ""
    if abs(change) > REPORTED:
        faster = "faster" if change > 0 else "slower"
        frames = counted(count, "frame")
        note = (
            f"plays {abs(change):.1%} {faster}: {frames} at {fps:g} a second last "
            f"{count / fps:.4g} s, the loop {period:.4g} s; --exact keeps the speed"
        )
    return FrameTimes(tuple(k * period / count for k in range(count)), fps, note)


def once_frame_times(length: float, fps: float) -> FrameTimes:
    """Return the frame times from 0 to the end: k / fps, then `length`.

    Raises
    ------
    UsageError
        There are more than `MAX_FRAMES` frames.
    """
    steps = max(0, math.ceil(_frames(length, fps) - _ROUNDING))
    return FrameTimes((*(k / fps for k in range(steps)), max(length, 0.0)), fps)


def _frames(length: float, fps: float) -> float:
    frames = length * fps
    if not frames <= MAX_FRAMES:  # also for NaN
        raise UsageError(
            f"{length:g} seconds at {fps:g} frames a second are more than {MAX_FRAMES} frames",
            hint="ask for a lower --frame-rate, or a part with --frames A..B",
        )
    return frames
