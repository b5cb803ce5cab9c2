"""Run the program in a child process, so that signals end it at once (Linux).

Python runs the handler of a signal between two calls of C code, and one call that parses a large
file or draws a large picture takes many seconds. The process that the user started only waits: it
passes the signal on, and kills the program if it has not ended soon after.
"""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from types import FrameType
from typing import Never

from ..errors import Terminated

GRACE = 0.5  # seconds that the program has to undo what was begun
_NAMES = "SIGINT", "SIGTERM", "SIGHUP"  # Windows has no SIGHUP
_handled = count()  # a call is not interrupted by a signal
_SIGNALS = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))


def supervise() -> None:
    """Return in a new child process; this process waits for it and exits as it does.

    On systems other than Linux, return in this process.
    """
    if sys.platform != "linux":
        return
    here = os.getpid()
    lifeline, held = os.pipe()  # closed at the other end when this process ends
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    child = os.fork()
    if child:
        os.close(lifeline)
        supervisor = _Supervisor(child)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        supervisor.wait()
    os.close(held)
    _end_with(lifeline, here)
    _handle(_end_once)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _handle(handler: Callable[[int, FrameType | None], None]) -> None:
    """Set the handler of the signals that are not ignored, as those of background jobs are."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _end_once(number: int, _frame: FrameType | None) -> None:
    """Raise the exception of the first signal; later ones do not interrupt what is being undone.

    A second signal may arrive anywhere in here, before the first statement too: one call decides.
    """
    if next(_handled) == 0:
        raise KeyboardInterrupt if number == signal.SIGINT else Terminated(number)


def _end_with(lifeline: int, parent: int) -> None:
    """Let the kernel end this process when its parent ends: by SIGIO, as the pipe is closed."""
    import fcntl

    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC)
    if os.getppid() != parent:  # it has ended before
        os._exit(1)


class _Supervisor:
    """Waits for the program, a child process."""

    def __init__(self, child: int) -> None:
        self._child = child
        self._received = 0  # the first signal
        self._left: list[str] = []  # temporary files of the killed program
        _handle(self._pass_on)
        signal.signal(signal.SIGALRM, self._kill)

    def wait(self) -> Never:
        """Exit as the program does; of a signal that was passed on, with 128 + its number."""
        os.waitid(os.P_PID, self._child, os.WEXITED | os.WNOWAIT)
        signal.pthread_sigmask(signal.SIG_BLOCK, (*_SIGNALS, signal.SIGALRM))
        _, status = os.waitpid(self._child, 0)  # from now on its number may be another process
        for path in self._left:
            with suppress(OSError):
                os.unlink(path)
        code = os.waitstatus_to_exitcode(status)
        if code < 0 and not self._received:
            _die_of(-code)
        os._exit(code if code >= 0 else 128 + self._received)

    def _pass_on(self, number: int, _frame: FrameType | None) -> None:
        with suppress(ProcessLookupError):
            os.kill(self._child, number)
        if not self._received:
            self._received = number
            signal.setitimer(signal.ITIMER_REAL, GRACE)

    def _kill(self, _number: int, _frame: FrameType | None) -> None:
        from ..file_io import open_drafts

        self._left = open_drafts(self._child)
        os.kill(self._child, signal.SIGKILL)


def _die_of(number: int) -> None:
    """End this process by a signal, without a second core dump."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
