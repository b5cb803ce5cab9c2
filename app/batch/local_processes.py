"""Processes on this machine, each with one task at a time, so that its end costs that one alone.

They are spawned, not forked: an OpenGL context and threads do not survive a fork. A pool of the
standard library would lose every task that is under way when one of its processes is killed, and
could not tell which of them killed it, and how.
"""

import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import Any, NamedTuple, TypeVar, cast

from ..errors import AppError, WorkerError
from .task_result import answered

Task = TypeVar("Task")
Result = TypeVar("Result")

_LAST_WORDS = 2.0  # seconds, in which a process that has hung up is gone by itself
TRIES = 2  # how often a task is begun that its process does not survive
_THREADS = ("LP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


class _Held(NamedTuple):
    """A task on its way."""

    number: int
    data: bytes  # pickled: the work and the task
    tries: int


def run_here(
    work: Callable[[Task], Result], tasks: Sequence[Task], count: int
) -> Iterator[tuple[int, Result | AppError]]:
    """Do `work` in `count` processes; `rigview.batch.parallel.run` tells the rest."""
    crew = _Crew(work, tasks, count)
    try:
        crew.fill()
        while crew.busy:
            for pipe in wait(crew.busy):
                worker = crew.busy.pop(cast(Connection, pipe))
                held, (done, result) = worker.held, worker.answer()
                if done:
                    crew.idle.append(worker)
                elif held.tries < TRIES:
                    crew.again.append(held)
                crew.fill()  # before the caller looks at the result
                if done or held.tries >= TRIES:
                    yield held.number, result
    finally:
        crew.end()


class _Crew:
    """The processes, and the tasks that wait for one."""

    def __init__(self, work: Callable[[Task], Result], tasks: Sequence[Task], count: int) -> None:
        self.idle: list[_Worker] = []
        self.busy: dict[Connection, _Worker] = {}
        self.again: deque[_Held] = deque()
        self._waiting = (
            _Held(index, pickle.dumps((work, task)), 0) for index, task in enumerate(tasks)
        )
        self._count = count

    def fill(self) -> None:
        """Give every process a task, those first that have been begun before."""
        while len(self.busy) < self._count:
            held = self.again.popleft() if self.again else next(self._waiting, None)
            if held is None:
                return
            threads = max(1, (os.cpu_count() or 1) // self._count)
            worker = self.idle.pop() if self.idle else _Worker(threads)
            self.busy[worker.pipe] = worker
            worker.begin(held)

    def end(self) -> None:
        """End all processes at once."""
        for worker in (*self.idle, *self.busy.values()):
            worker.end()


class _Worker:
    """A process, seen from here."""

    def __init__(self, threads: int) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, threads), daemon=True)
        with _interrupts_held():
            self._process.start()
        theirs.close()
        self.held = _Held(-1, b"", 0)

    def begin(self, held: _Held) -> None:
        """Hand it a task; where it is gone already, `answer` tells."""
        self.held = held._replace(tries=held.tries + 1)
        with suppress(OSError):
            self.pipe.send_bytes(held.data)

    def answer(self) -> tuple[bool, Any]:
        """Return whether the task was done, and its result; else why not."""
        try:
            return True, pickle.loads(self.pipe.recv_bytes())
        except (EOFError, OSError):
            self._process.join(_LAST_WORDS)
            self.end()
            return False, WorkerError(
                f"the process that worked on it {_end_of(self._process.exitcode)}, twice",
                hint="too little memory is a usual reason; --jobs 1 needs least",
            )

    def end(self) -> None:
        """End it at once; it has nothing open that would suffer."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _end_of(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name}"
    return f"ended with code {code}"


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Start a process that never hears Ctrl+C, which reaches all of a terminal: we end it.

    What is pressed meanwhile reaches us afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows: `_serve` looks away, a moment later
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection, threads: int) -> None:
    """Work on what comes, in a process of its own, until who sends it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in _THREADS:  # of libraries that would otherwise take every core, in every process
        os.environ.setdefault(name, str(threads))
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(answered(pipe.recv_bytes()))


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
