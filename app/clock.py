"""The only source of time: the wall clock for a window, a fixed step for pictures."""

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the global time tau, in seconds."""

    def now(self) -> float:
        """Return tau, seconds since this clock's start."""


class WallClock:
    """Seconds since it was made, by the machine's monotonic clock."""

    def __init__(self) -> None:
        self._start = time.perf_counter()

    def now(self) -> float:
        """Return tau, seconds since this clock's start."""
        return time.perf_counter() - self._start


class FixedClock:
    """Frame k is at k / fps, computed from the integer k; nobody adds up steps."""

    def __init__(self, fps: float) -> None:
        self.fps = fps
        self.frame = 0

    def now(self) -> float:
        """Return tau of the present frame, seconds."""
        return self.frame / self.fps


def pause(seconds: float) -> None:
    """Do nothing for a while."""
    time.sleep(seconds)
