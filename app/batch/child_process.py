"""Work in a process of low priority, beside a window that must not wait for it."""

import os
import pickle
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar, cast

from ..errors import AppError, WorkerError
from .local_processes import EXIT_TIMEOUT, begin_worker, end_of, start_process
from .task_attempt import internal_error, loads, run_pickled

Result = TypeVar("Result")
Report = Callable[[Any], object]  # reports the progress of work

NICENESS = 10  # of the process: it yields to the window, and still advances on a busy machine
_FIRST_TO_KILL = "800"  # of 1000: if memory runs out, Linux kills this process, not the window


class ChildProcess(Generic[Result]):
    """Work that runs in a process of its own, which ends with the work and with this process.

    Parameters
    ----------
    work
        A picklable function of a function that reports progress, such as a `partial` of an
        importable one; it must not print, and may be killed at any time: what it writes, it
        writes atomically.
    """

    def __init__(self, work: Callable[[Report], Result]) -> None:
        self._work = work
        self._process: BaseProcess | None = None
        self._killed = False
        self._lock = Lock()  # of the process and of whether it was killed

    def kill(self) -> None:
        """Kill the process, now or when it starts; `run` ends soon, with an error."""
        with self._lock:
            self._killed = True
            if self._process is not None:
                self._process.kill()
                self._process.join(EXIT_TIMEOUT)

    def run(self, report: Report) -> Result:
        """Start the process, and return the result of the work; it takes longer than a frame.

        Parameters
        ----------
        report
            Called with the progress that the work reports.

        Raises
        ------
        AppError
            The work has failed, or its process cannot start or was killed.
        """
        with self._lock:
            if self._killed:
                raise WorkerError("the process of the task was killed before its start")
            try:
                pipe, process = start_process(_serve)
            except OSError as error:
                raise WorkerError(f"no process can be started: {error.strerror}") from None
            except Exception as error:  # such as a script that lacks a main guard
                raise internal_error(error) from None
            self._process = process
        with pipe:
            found = self._receive(pipe, report)
        if not found:
            process.join(EXIT_TIMEOUT)
        with self._lock:
            process.kill()
            process.join(EXIT_TIMEOUT)
            self._process = None
        if not found:
            message = f"the process of the task {end_of(process.exitcode)}"
            raise WorkerError(message, hint="a common reason is too little memory")
        if isinstance(found[0], AppError):
            raise found[0]
        return cast("Result", found[0])

    def _receive(self, pipe: Connection, report: Report) -> list[Any]:
        """Send the work, and return its result in a list; none if the process ends without one."""
        with suppress(EOFError, OSError):
            pipe.send_bytes(pickle.dumps((self._work, _report)))
            while True:
                message = loads(pipe.recv_bytes())
                if not isinstance(message, _Progress):
                    return [message]
                report(message.value)
        return []


class _Progress:
    """Progress that the work reports."""

    def __init__(self, value: object) -> None:
        self.value = value


_window: list[Connection] = []  # in the process of the work: the pipe to the window


def _report(value: object) -> None:
    for pipe in _window:
        pipe.send_bytes(pickle.dumps(_Progress(value)))


def _serve(pipe: Connection) -> None:
    """Run the received work in its process."""
    begin_worker(threads=1)
    _lower_priority()
    _window.append(pipe)
    with suppress(EOFError, OSError):
        pipe.send_bytes(run_pickled(pipe.recv_bytes()))


def _lower_priority() -> None:
    """Leave the processor and the memory to other processes."""
    with suppress(OSError, AttributeError):  # there is no niceness on Windows
        os.nice(NICENESS)
    with suppress(OSError):  # Linux only
        Path("/proc/self/oom_score_adj").write_text(_FIRST_TO_KILL, encoding="ascii")
