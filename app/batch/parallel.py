"""Run many tasks: in this process, in several local ones, or on a Dask cluster.

A failed task does not end the others: its error is its result.
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
) -> Generator[tuple[int, Result | AppError], None, None]:
    """Do `work` on every task; yield each task's index and result as they are done.

    One job, or one task, is done in this process; the others in `jobs` processes, which are
    started once and die with this one, also on Ctrl+C. Close the iterator
    (`contextlib.closing`) where it may be left before its end.

    Parameters
    ----------
    work
        Can be imported by its name; it writes no files and prints nothing, for it may be ended at
        any moment, and done again.
    tasks
        Each can be pickled.
    jobs
        How many processes at most; None: as many as this process may use cores.
    dask
        Address of a Dask scheduler, whose workers do it instead.
    verbose
        Whether Dask's own words are let through to standard error.

    Yields
    ------
    tuple
        Index and result of a task; an AppError where it has failed, where it has raised something
        else, and where its process has been killed, twice, over it (`WorkerError`).

    Raises
    ------
    AppError
        There is no such cluster, or it is lost half-way; `distributed` is not installed.
    """
    if dask is not None:
        from .dask_cluster import run_on

        yield from run_on(dask, work, tasks, verbose=verbose)
        return
    count = min(len(tasks), jobs or cores())
    if count <= 1:
        from .task_result import attempt

        for index, task in enumerate(tasks):
            yield index, attempt(work, task)
        return
    from .local_processes import run_here

    yield from run_here(work, tasks, count)


def cores() -> int:
    """Return how many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
