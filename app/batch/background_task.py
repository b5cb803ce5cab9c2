"""One task in a process of low priority, beside a window that must not wait for it."""

import os
import pickle
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Generic, TypeVar, cast

from ..errors import AppError, WorkerError
from .local_processes import begin_worker, end_of, interrupts_blocked
from .task_attempt import internal_error, loads, run_pickled

Task = TypeVar("Task")
Result = TypeVar("Result")
Report = Callable[[object], None]  # reports the progress of a task

NICENESS = 10  # of the process: it yields to the window, and still advances on a busy machine
_FIRST_TO_KILL = "800"  # of 1000: if memory runs out, Linux kills this process, not the window
_EXIT_TIMEOUT = 2.0  # seconds to wait for the exit of a process


class BackgroundTask(Generic[Result]):
    """A task that runs in a process of its own; nothing here waits for it, except `end`.

    The process ends with the task, with `end`, and with this process, however that ends. A thread
    starts it and receives its result, because both can take longer than a frame.

    Parameters
    ----------
    work
        An importable function of the task and of a function that reports progress; it must not
        print, and may be killed at any time: what it writes, it writes atomically.
    task
        A picklable value.

    Attributes
    ----------
    progress
        What the work reported last, None before.
    result
        The result; an AppError if the work failed or its process was killed; None: not there yet.
    """

    def __init__(self, work: Callable[[Task, Report], Result], task: Task) -> None:
        self.progress: Any = None
        self.result: Result | AppError | None = None
        self._work, self._task = work, task
        self._process: BaseProcess | None = None
        self._ended = False
        self._lock = Lock()  # of the process and of whether it was ended
        self._thread = Thread(target=self._run, name="background task", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Kill the process; there will be no result."""
        with self._lock:
            self._ended = True
            if self._process is not None:
                self._process.kill()
        self._thread.join(_EXIT_TIMEOUT)

    def _run(self) -> None:
        context = get_context("spawn")
        pipe, child_pipe = context.Pipe()
        process = context.Process(target=_serve, args=(child_pipe,), daemon=True)
        with child_pipe, self._lock:
            if self._ended:
                pipe.close()
                return
            try:
                with interrupts_blocked():
                    process.start()
            except OSError as error:
                pipe.close()
                self.result = WorkerError(f"no process can be started: {error.strerror}")
                return
            except Exception as error:  # such as a script that lacks a main guard
                pipe.close()
                self.result = internal_error(error)
                return
            self._process = process
        result = self._receive(pipe)
        if result is None:
            process.join(_EXIT_TIMEOUT)
        with self._lock:
            process.kill()
            process.join(_EXIT_TIMEOUT)
            self._process = None
        if result is None:
            message = f"the process of the task {end_of(process.exitcode)}"
            result = WorkerError(message, hint="a common reason is too little memory")
        if not self._ended:
            self.result = result

    def _receive(self, pipe: Connection) -> Result | AppError | None:
        """Send the task, and return its result; None if the process has ended without one."""
        with pipe, suppress(EOFError, OSError):
            pipe.send_bytes(pickle.dumps((_Reporting(self._work), self._task)))
            while True:
                message = loads(pipe.recv_bytes())
                if not isinstance(message, _Progress):
                    return cast("Result | AppError", message)
                self.progress = message.value
        return None


class _Progress:
    """Progress that a task reports."""

    def __init__(self, value: object) -> None:
        self.value = value


class _Reporting(Generic[Task, Result]):
    """The work of a task, in its process."""

    pipe: Connection | None = None  # to the window

    def __init__(self, work: Callable[[Task, Report], Result]) -> None:
        self._work = work

    def __call__(self, task: Task) -> Result:
        return self._work(task, _report)


def _report(value: object) -> None:
    if _Reporting.pipe is not None:
        _Reporting.pipe.send_bytes(pickle.dumps(_Progress(value)))


def _serve(pipe: Connection) -> None:
    """Run the received task in a worker process."""
    begin_worker(threads=1)
    _lower_priority()
    _Reporting.pipe = pipe
    with suppress(EOFError, OSError):
        pipe.send_bytes(run_pickled(pipe.recv_bytes()))


def _lower_priority() -> None:
    """Leave the processor and the memory to other processes."""
    with suppress(OSError, AttributeError):  # there is no niceness on Windows
        os.nice(NICENESS)
    with suppress(OSError):  # Linux only
        Path("/proc/self/oom_score_adj").write_text(_FIRST_TO_KILL, encoding="ascii")
