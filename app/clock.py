"""The clock of the program."""

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


class FrameTime:
    """The time of the current frame: everything until the next `tick` uses the same.

    Attributes
    ----------
    tau
        The global time, seconds.

    Parameters
    ----------
    clock
        The clock that is read.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.tau = 0.0

    def tick(self) -> None:
        """Read the clock."""
        self.tau = self.clock.now()
