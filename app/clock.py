"""The clock of the program."""

import math
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
    longest
        Of a frame, seconds; after a longer one the time is behind the clock.

    Parameters
    ----------
    clock
        The clock that is read.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.tau = 0.0
        self.longest = math.inf
        self._late = 0.0  # seconds behind the clock

    def now(self) -> float:
        """Return the present time, seconds; `tau` is that of the last tick."""
        return self.clock.now() - self._late

    def tick(self) -> None:
        """Read the clock."""
        beyond = self.now() - self.tau - self.longest
        self._late += max(beyond, 0.0)
        self.tau = self.now() if beyond <= 0.0 else self.tau + self.longest
