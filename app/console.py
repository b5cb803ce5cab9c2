"""Words for the user, on standard error: complaints, warnings and progress."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Self

from .clock import WallClock

_BAR = 24  # characters
_PATIENCE = 0.5  # seconds before progress shows: a short job shows none

_kept: ContextVar[list[str] | None] = ContextVar("kept", default=None)
_bars: "list[Progress]" = []  # those on the terminal now


def one_line(text: str) -> str:
    """Return text on one line, with characters that would steer a terminal written as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def complain(sentence: str) -> None:
    """Print one line on standard error."""
    lines = _kept.get()
    if lines is not None:
        lines.append(sentence)
        return
    for bar in _bars:
        bar.hide()
    if sys.stderr is not None:  # else it was closed by who started us
        print(f"rigview: {one_line(sentence)}", file=sys.stderr)


def warn(warnings: Sequence[str], *, file: str = "", quiet: bool) -> None:
    """Print warnings, each a line, unless the user wants none."""
    if quiet:
        return
    for warning in warnings:
        complain(": ".join(part for part in (file, "warning", warning) if part))


def tell(sentence: str, *, verbose: bool) -> None:
    """Print what only who asked for more wants to know."""
    if verbose:
        complain(sentence)


@contextmanager
def kept() -> Iterator[list[str]]:
    """Keep what is said meanwhile, to be told elsewhere, and show no progress."""
    lines: list[str] = []
    token = _kept.set(lines)
    try:
        yield lines
    finally:
        _kept.reset(token)


class Progress:
    """A line on the terminal that tells how far a long job has come; elsewhere nothing.

    It is taken away when the `with` block ends.
    """

    def __init__(self, total: int, what: str, *, quiet: bool) -> None:
        self._total = total
        self._what = what
        told = _kept.get() is None and sys.stderr is not None and sys.stderr.isatty()
        self._wanted = told and not quiet
        self._clock = WallClock()
        self._done = 0
        self._shown = False

    def step(self) -> None:
        """Count one more as begun."""
        self._done += 1
        if not self._wanted or self._clock.now() < _PATIENCE:
            return
        self._shown = True
        filled = _BAR * (self._done - 1) // self._total
        bar = "#" * filled + "." * (_BAR - filled)
        line = f"\r[{bar}] {self._what} {self._done} of {self._total}"
        print(line, end="", file=sys.stderr, flush=True)

    def hide(self) -> None:
        """Take it away, until the next step."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        self._shown = False

    def __enter__(self) -> Self:
        _bars.append(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.hide()
        _bars.remove(self)
