"""Messages on standard error: errors, warnings, notes and a progress bar; a closed output."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from types import TracebackType
from typing import Self

from .clock import WallClock
from .wording import one_line

_BAR = 24  # characters
_DELAY = 0.5  # seconds before the progress bar shows

_captured: ContextVar[list[str] | None] = ContextVar("kept", default=None)
_warned: ContextVar[set[str] | None] = ContextVar("warned", default=None)
_report: ContextVar[Callable[[int, int], object] | None] = ContextVar("report", default=None)
_bars: "list[_TerminalLine]" = []  # shown on the terminal now


def print_message(message: str) -> None:
    """Print one line on standard error."""
    lines = _captured.get()
    if lines is not None:
        lines.append(message)
        return
    for bar in _bars:
        bar.hide()
    print_line(f"rigview: {one_line(message)}")


def print_line(text: str) -> None:
    """Print text on standard error; nothing if that cannot be written."""
    if sys.stderr is not None:  # None where the parent process closed it
        with suppress(OSError, ValueError):  # a full disk, a closed pipe
            print(text, file=sys.stderr, flush=True)


def discard_stdout() -> None:
    """Redirect standard output to the null device, so that Python's final flush succeeds."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
    os.close(nothing)


def warn(warnings: Sequence[str], *, file: str = "", quiet: bool) -> None:
    """Print warnings, one line each, unless `quiet`; in a run of a command each of them once."""
    if quiet:
        return
    printed = _warned.get()
    for warning in warnings:
        message = ": ".join(part for part in (file, "warning", warning) if part)
        if printed is None or message not in printed:
            print_message(message)
        if printed is not None:
            printed.add(message)


@contextmanager
def each_warning_once() -> Iterator[None]:
    """Print each warning of the block once, although several steps of a command find it."""
    token = _warned.set(set())
    try:
        yield
    finally:
        _warned.reset(token)


def print_verbose(message: str, *, verbose: bool) -> None:
    """Print a line where `--verbose` was given."""
    if verbose:
        print_message(message)


@contextmanager
def captured_messages() -> Iterator[list[str]]:
    """Collect the messages of the block instead of printing them; no progress is shown."""
    lines: list[str] = []
    token = _captured.set(lines)
    try:
        with each_warning_once():
            yield lines
    finally:
        _captured.reset(token)


def is_captured() -> bool:
    """Return whether messages are collected, as beside a window, where nothing is printed."""
    return _captured.get() is not None


@contextmanager
def reported_progress(report: Callable[[int, int], object]) -> Iterator[None]:
    """Call `report` with the number of steps done and their total, of all progress in the block."""
    token = _report.set(report)
    try:
        yield
    finally:
        _report.reset(token)


class _TerminalLine:
    """A line of the terminal that messages erase, and that is erased after the `with` block."""

    def __init__(self) -> None:
        self._shown = False

    def hide(self) -> None:
        """Erase the line until it is drawn again."""
        if self._shown:
            _draw("\r\x1b[K")
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


class Progress(_TerminalLine):
    """A progress bar on the terminal; nothing where standard error is not a terminal.

    `reported_progress` receives the progress too. The bar is erased at the end of the `with` block.
    """

    def __init__(self, total: int, what: str, *, quiet: bool) -> None:
        super().__init__()
        self._total = total
        self._what = what
        terminal = _captured.get() is None and sys.stderr is not None and sys.stderr.isatty()
        self._wanted = terminal and not quiet
        self._clock = WallClock()
        self._done = 0

    def step(self) -> None:
        """Count the next step as begun and redraw the bar."""
        self._done += 1
        self._tell(self._done - 1)
        if not self._wanted or self._clock.now() < _DELAY:
            return
        self._shown = True
        filled = _BAR * (self._done - 1) // self._total
        bar = "#" * filled + "." * (_BAR - filled)
        line = f"\r[{bar}] {self._what} {self._done} of {self._total}"
        _draw(line)

    def _tell(self, done: int) -> None:
        report = _report.get()
        if report is not None:
            report(done, self._total)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        super().__exit__(kind, error, trace)
        if error is None:
            self._tell(self._total)


class Status(_TerminalLine):
    """What is being done, as one line of the terminal that the next one replaces.

    There is nothing where standard error is not a terminal. It is erased at the end of the `with`
    block, and by messages and progress bars.
    """

    def __init__(self, *, quiet: bool) -> None:
        super().__init__()
        self._quiet = quiet

    def show(self, text: str) -> None:
        """Show another text; an empty one erases the last."""
        if not text:
            self.hide()
        if not text or self._quiet:
            return
        from multiprocessing import parent_process  # imported late: it takes time

        if parent_process() is not None:  # a worker among several
            return
        if sys.stderr is not None and sys.stderr.isatty():
            width = os.get_terminal_size(sys.stderr.fileno()).columns or 80
            _draw(f"\r\x1b[K{one_line(text)[: width - 1]}")
            self._shown = True


def _draw(text: str) -> None:
    with suppress(OSError, ValueError):
        print(text, end="", file=sys.stderr, flush=True)
