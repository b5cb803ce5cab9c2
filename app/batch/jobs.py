"""Work beside the frames of a window, in threads and processes, and what follows in its thread."""

import math
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from threading import Event, Thread
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")
Report = Callable[[Any], object]  # reports the progress of work
Work = Callable[[Report], Result]

THREAD_POLL, PROCESS_POLL = 0.02, 0.1  # seconds between two looks at a job


class Shows(IntEnum):
    """What has changed in a window."""

    NOTHING = 0
    PANELS = 1
    SCENE = 2


class Job(Generic[Result]):
    """Work that runs in a thread, which ends with this process.

    Parameters
    ----------
    work
        A function of a function that reports progress.
    kill
        Ends the work; None: it cannot be ended.
    delay
        Seconds before the work begins in its thread.

    Attributes
    ----------
    progress
        What the work reported last, None before.
    poll_seconds
        The longest time between two looks at it.
    """

    def __init__(
        self, work: Work[Result], kill: Callable[[], object] | None = None, delay: float = 0.0
    ) -> None:
        self.progress: Any = None
        self.poll_seconds = THREAD_POLL if kill is None else PROCESS_POLL
        self._work, self._kill, self._delay = work, kill, delay
        self._done, self._ended = Event(), Event()
        self._found: list[Result] = []
        self._error: BaseException | None = None

    @property
    def done(self) -> bool:
        """Whether the work has returned or failed."""
        return self._done.is_set()

    def begin(self) -> None:
        """Start the thread."""
        Thread(target=self._run_after_delay, name="job", daemon=True).start()

    def run(self) -> None:
        """Do the work in the calling thread."""
        try:
            self._found.append(self._work(self._report))
        except BaseException as error:  # raised again by `result`
            self._error = error
        self._done.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, for some seconds at most if given; return whether it is done."""
        return self._done.wait(seconds)

    def result(self) -> Result:
        """Wait, and return what the work returned; what it raised is raised here."""
        self._done.wait()
        if self._error is not None:
            raise self._error
        return self._found[0]

    def end(self) -> None:
        """Kill a process; the work of a thread does not begin, or runs on and ends by itself."""
        self._ended.set()
        if self._kill is not None:
            self._kill()

    def _run_after_delay(self) -> None:
        if self._ended.wait(self._delay):
            self._done.set()
        else:
            self.run()

    def _report(self, value: object) -> None:
        self.progress = value


@dataclass(slots=True)
class _Running:
    """A job, and what its progress, its end and its cancelling are followed by."""

    job: Job[Any]
    then: Callable[[Any], object]
    progress: Callable[[Any], object] | None
    cancelled: Callable[[], object] | None
    ready: Callable[[], bool] | None
    shows: Shows
    seen: Any = None  # the progress that was handed on

    def hand_on_progress(self) -> bool:
        """Hand on new progress; return whether there was any."""
        now = self.job.progress
        if now is None or now == self.seen:
            return False
        self.seen = now
        if self.progress is not None:
            self.progress(now)
        return True


class Jobs:
    """What runs beside the frames of a window: of each key one job at a time.

    All but the work itself happens in the thread that calls `poll`. Nothing waits, but `wait`.

    Parameters
    ----------
    in_background
        Run work in threads and processes; otherwise `start` returns when it is done.
    """

    def __init__(self, *, in_background: bool = False) -> None:
        self.in_background = in_background
        self._running: dict[Hashable, _Running] = {}
        self._watched: list[Callable[[], Shows]] = []

    @property
    def poll_seconds(self) -> float:
        """The longest time between two calls of `poll`, seconds."""
        return min((each.job.poll_seconds for each in self._running.values()), default=math.inf)

    def watch(self, poll: Callable[[], Shows]) -> None:
        """Call a function at the beginning of each `poll`: it starts what is due."""
        self._watched.append(poll)

    def start(
        self,
        key: Hashable,
        work: Work[Result],
        then: Callable[[Job[Result]], object],
        *,
        progress: Callable[[Any], object] | None = None,
        cancelled: Callable[[], object] | None = None,
        ready: Callable[[], bool] | None = None,
        shows: Shows = Shows.SCENE,
        in_process: bool = False,
        delay: float = 0.0,
    ) -> Job[Result]:
        """Start a job; one of the same key is cancelled.

        Parameters
        ----------
        work
            A function of a function that reports progress.
        then
            Takes the job once it is done; its `result` returns, or raises what the work raised.
        progress
            Takes what the work reports.
        cancelled
            Called if the job is cancelled.
        ready
            Whether `then` may be called; None: at once.
        shows
            What `then` changes; progress changes panels.
        in_process
            Run it in a process of its own; see `ChildProcess` for what the work must be.
        delay
            Seconds before it begins: one that is cancelled until then is never run.
        """
        self.cancel(key)
        job = self._make(work, delay, in_process=in_process)
        self._running[key] = _Running(job, then, progress, cancelled, ready, shows)
        if self.in_background:
            job.begin()
        else:
            job.run()
            self._hand_on(key)
        return job

    def is_running(self, key: Hashable) -> bool:
        """Return whether a job runs, or its end was not handed on yet."""
        return key in self._running

    def cancel(self, key: Hashable) -> None:
        """End a job if it runs; there will be no result."""
        running = self._running.pop(key, None)
        if running is not None:
            running.job.end()
            if running.cancelled is not None:
                running.cancelled()

    def poll(self) -> Shows:
        """Start what is due, hand on progress and results; return what they have changed."""
        shows = max((poll() for poll in self._watched), default=Shows.NOTHING)
        for key, running in list(self._running.items()):
            if self._running.get(key) is not running:
                continue  # cancelled by what followed another one
            done = running.job.done  # before its last progress is read
            if running.hand_on_progress():
                shows = max(shows, Shows.PANELS)
            if done and (running.ready is None or running.ready()):
                shows = max(shows, running.shows)
                self._hand_on(key)
        return shows

    def wait(self, *keys: Hashable) -> None:
        """Wait for the jobs of some keys, by default for all, and hand on their results.

        Those that follow from them are waited for, too.
        """
        while waiting := [key for key in self._running if not keys or key in keys]:
            for key in waiting:
                with suppress(KeyError):  # cancelled by what followed another one
                    self._running[key].job.wait()
                    self._hand_on(key)

    def end(self) -> None:
        """Cancel all jobs."""
        for key in list(self._running):
            self.cancel(key)

    def _hand_on(self, key: Hashable) -> None:
        running = self._running[key]
        running.hand_on_progress()
        del self._running[key]
        running.then(running.job)

    def _make(self, work: Work[Result], delay: float, *, in_process: bool) -> Job[Result]:
        if not in_process or not self.in_background:
            return Job(work, delay=delay)
        from .child_process import ChildProcess  # imported late: multiprocessing

        process = ChildProcess(work)
        return Job(process.run, process.kill, delay)
