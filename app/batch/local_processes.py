"""Local worker processes with one task at a time each, so that a crash affects one task only.

They are forked where this process has a single thread and no OpenGL, as that of a command has:
they need not import anything again. Otherwise they are spawned, because an OpenGL context and
threads do not survive a fork. A process pool of the standard library would lose every running task
when one of its processes is killed, without reporting which task killed it.
"""

import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any, NamedTuple, TypeVar, cast

from ..errors import AppError, WorkerError
from .task_attempt import run_pickled

Task = TypeVar("Task")
Result = TypeVar("Result")

EXIT_TIMEOUT = 2.0  # seconds to wait for the exit of a process that closed its pipe
TRIES = 2  # attempts of a task that kills its process
_MESA_THREADS = "LP_NUM_THREADS"  # beside the thread that draws
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


class _Attempt(NamedTuple):
    """An attempt to run a task."""

    number: int
    data: bytes  # pickled: the work and the task
    tries: int


def run_here(
    work: Callable[[Task], Result], tasks: Sequence[Task], count: int
) -> Iterator[tuple[int, Result | AppError]]:
    """Run `work` in `count` processes; parameters as in `rigview.batch.parallel.run`."""
    pool = _WorkerPool(work, tasks, count)
    try:
        pool.fill()
        while pool.busy:
            for pipe in wait(pool.busy):
                worker = pool.busy.pop(cast(Connection, pipe))
                attempt, (done, result) = worker.attempt, worker.answer()
                if done:
                    pool.idle.append(worker)
                elif attempt.tries < TRIES:
                    pool.repeated.append(attempt)
                pool.fill()  # before the caller looks at the result
                if done or attempt.tries >= TRIES:
                    yield attempt.number, result
    finally:
        pool.end()


class _WorkerPool:
    """The worker processes and the waiting tasks."""

    def __init__(self, work: Callable[[Task], Result], tasks: Sequence[Task], count: int) -> None:
        self.idle: list[_Worker] = []
        self.busy: dict[Connection, _Worker] = {}
        self.repeated: deque[_Attempt] = deque()
        self._waiting = (
            _Attempt(index, pickle.dumps((work, task)), 0) for index, task in enumerate(tasks)
        )
        self._count = count

    def fill(self) -> None:
        """Give every idle process a task; repeated tasks first."""
        while len(self.busy) < self._count:
            attempt = self.repeated.popleft() if self.repeated else next(self._waiting, None)
            if attempt is None:
                return
            threads = max(1, (os.cpu_count() or 1) // self._count)
            worker = self.idle.pop() if self.idle else _Worker(threads)
            self.busy[worker.pipe] = worker
            worker.begin(attempt)

    def end(self) -> None:
        """Kill all processes."""
        for worker in (*self.idle, *self.busy.values()):
            worker.end()


class _Worker:
    """A worker process, in the parent process."""

    def __init__(self, threads: int) -> None:
        self.pipe, self._process = start_process(_serve, threads, fork=can_fork())
        self.attempt = _Attempt(-1, b"", 0)

    def begin(self, attempt: _Attempt) -> None:
        """Send a task to the process; `answer` reports if it has exited."""
        self.attempt = attempt._replace(tries=attempt.tries + 1)
        with suppress(OSError):
            self.pipe.send_bytes(attempt.data)

    def answer(self) -> tuple[bool, Any]:
        """Return whether the process survived, and the result of the task or an error."""
        try:
            return True, pickle.loads(self.pipe.recv_bytes())
        except (EOFError, OSError):
            self._process.join(EXIT_TIMEOUT)
            self.end()
            return False, WorkerError(
                f"the worker process {end_of(self._process.exitcode)}, twice",
                hint="a common reason is too little memory; --jobs 1 needs least",
            )

    def end(self) -> None:
        """Kill the process; it has no open files."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


def start_process(
    serve: Callable[..., None], *arguments: object, fork: bool = False
) -> tuple[Connection, BaseProcess]:
    """Start a process that calls `serve` with an end of a pipe; return the other end, and it."""
    context = get_context("fork") if fork else get_context("spawn")
    pipe, child_pipe = context.Pipe()
    process = context.Process(target=serve, args=(child_pipe, *arguments), daemon=True)
    with child_pipe:
        try:
            with interrupts_blocked():
                process.start()
        except BaseException:
            pipe.close()
            raise
    return pipe, process


def can_fork() -> bool:
    """Return whether this process can be forked: on Linux, with one thread and no OpenGL."""
    try:
        threads = len(os.listdir("/proc/self/task"))
    except OSError:
        return False
    return threads == 1 and "moderngl" not in sys.modules


def end_of(code: int | None) -> str:
    """Return how a process ended: "was killed by SIGKILL", "exited with code 1"."""
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"was killed by {signal.Signals(-code).name}"
    return f"exited with code {code}"


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Block SIGINT and SIGHUP while a process starts: it never receives them from the terminal.

    The parent process receives a blocked signal afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows: `_serve` ignores it shortly afterwards
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection, threads: int) -> None:
    """Run received tasks in a worker process until the parent closes the pipe."""
    begin_worker(threads)
    with suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(run_pickled(pipe.recv_bytes()))


def begin_worker(threads: int) -> None:
    """Prepare a new worker process: it ignores Ctrl+C, and ends with its parent.

    `threads` is the number of threads for libraries that would use every core. Of one, Mesa
    draws in the thread that calls it: its own threads have a rare race, in which they write to a
    fence after it was freed (llvmpipe: lp_fence_signalled does not lock the fence).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a forked process has the handler of the command
    os.environ.setdefault(_MESA_THREADS, str(threads if threads > 1 else 0))
    for name in _THREADS:
        os.environ.setdefault(name, str(threads))
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
