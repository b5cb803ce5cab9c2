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
