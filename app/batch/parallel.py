"""Run many tasks: in this process, in several local processes, or on a Dask cluster.

A failed task does not stop the others: its error is its result.
"""

import os
from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from ..errors import AppError

Task = TypeVar("Task")
Result = TypeVar("Result")


def run(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    *,
    jobs: int | None = None,
    dask: str | None = None,
    verbose: bool = False,
    notify: Callable[[str], None] = lambda _: None,
) -> Generator[tuple[int, Result | AppError], None, None]:
    """Run `work` on every task and yield the index and result of each as it completes.

    A single job or task runs in this process, others in `jobs` processes, which are started once
    and end with this one, also on Ctrl+C. Close the iterator (`contextlib.closing`) if it may be
    left before its end.

    Parameters
    ----------
    work
        An importable function; it must not write files or print, because it may be killed at any
        time and run again.
    tasks
        Picklable values.
    jobs
        Greatest number of processes; None: the number of cores that this process may use.
    dask
        Address of a Dask scheduler whose workers run the tasks.
    verbose
        Whether Dask may log to standard error.
    notify
        Called with a message while the cluster has no worker.

    Yields
    ------
    tuple
        Index and result of a task; an AppError if it failed, raised another exception, or killed
        its process twice (`WorkerError`).

    Raises
    ------
    AppError
        The cluster cannot be reached or was lost; `distributed` is not installed.
    """
    if dask is not None:
        from .dask_cluster import run_on

        yield from run_on(dask, work, tasks, verbose=verbose, notify=notify)
        return
    count = min(len(tasks), jobs or cores())
    if count <= 1:
        from .task_attempt import attempt

        for index, task in enumerate(tasks):
            yield index, attempt(work, task)
        return
    from .local_processes import run_here

    yield from run_here(work, tasks, count)


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
