"""The clocks of the program: wall time for the window, fixed steps for pictures."""

import time
from typing import Protocol


class Clock(Protocol):
    """A source of the global time tau, in seconds."""

    def now(self) -> float:
        """Return tau, seconds since this clock's start."""


class WallClock:
    """Seconds since creation, by the machine's monotonic clock."""

    def __init__(self) -> None:
        self._start = time.perf_counter()

    def now(self) -> float:
        """Return tau, seconds since this clock's start."""
        return time.perf_counter() - self._start


class FixedClock:
    """A clock of fixed frames: frame k is at k / fps, computed from the integer k without drift."""

    def __init__(self, fps: float) -> None:
        self.fps = fps
        self.frame = 0

    def now(self) -> float:
        """Return tau of the current frame, seconds."""
        return self.frame / self.fps


def pause(seconds: float) -> None:
    """Sleep for some seconds."""
    time.sleep(seconds)
