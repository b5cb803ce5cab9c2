"""Which moments a video shows: those of a loop, or those from a beginning to an end."""

import math
from dataclasses import dataclass

from ..errors import UsageError

MOST = 1_000_000  # frames of one video, as of a sequence
HEARD = 0.001  # change of speed from which on it is said
_ROUNDING = 1e-6  # of a frame: what a product of two decimal numbers may be off


@dataclass(frozen=True, slots=True)
class Reel:
    """The moments of a video.

    Attributes
    ----------
    taus
        Global time of every frame, seconds.
    fps
        Frames a second that the file is stamped with.
    note
        What to tell of it: that a loop plays faster or slower than it was made. Empty: nothing.
    """

    taus: tuple[float, ...]
    fps: float
    note: str = ""

    @property
    def seconds(self) -> float:
        """How long the video plays, once."""
        return len(self.taus) / self.fps


def loop_taus(period: float, fps: float, *, exact: bool = False) -> Reel:
    """Return the frames of a video that is played in a loop (INTERFACE "Time").

    There are N = max(1, round(T fps)) of them, at k T / N, so that the first follows the last one
    as any other follows the one before it. At `fps` they last N / fps, a little more or less than
    T; with `exact` frame k is at k / fps, and the loop is that much off beat instead.

    Parameters
    ----------
    period
        T, seconds after which everything is as it was; 0 where nothing moves.
    fps
        Frames a second.

    Raises
    ------
    UsageError
        More frames than anybody wants.
    """
    count = max(1, math.floor(_frames(period, fps) + 0.5))
    if period <= 0:
        return Reel((0.0,), fps)
    if exact:
        return Reel(tuple(k / fps for k in range(count)), fps)
    change = period * fps / count - 1.0
    note = ""
    if abs(change) > HEARD:
        faster = "faster" if change > 0 else "slower"
        frames = f"{count} frame{'s' * (count > 1)}"
        note = (
            f"plays {abs(change):.1%} {faster}: {frames} at {fps:g} a second last "
            f"{count / fps:.4g} s, the loop {period:.4g} s; --exact keeps the speed"
        )
    return Reel(tuple(k * period / count for k in range(count)), fps, note)


def once_taus(length: float, fps: float) -> Reel:
    """Return the frames from 0 to the end, which is the last of them: k / fps, then `length`.

    Raises
    ------
    UsageError
        More frames than anybody wants.
    """
    steps = max(0, math.ceil(_frames(length, fps) - _ROUNDING))
    return Reel((*(k / fps for k in range(steps)), max(length, 0.0)), fps)


def _frames(length: float, fps: float) -> float:
    frames = length * fps
    if not frames <= MOST:  # also where it is no number
        raise UsageError(
            f"{length:g} seconds at {fps:g} frames a second are more than {MOST} frames",
            hint="ask for a lower --frame-rate, or a part with --frames A..B",
        )
    return frames
