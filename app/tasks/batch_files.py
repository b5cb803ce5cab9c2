"""Several files of one command, side by side: what came of each, what was said, one exit code."""

import argparse
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..batch.parallel import run
from ..batch.task_result import attempt
from ..console import Progress, complain, kept
from ..errors import AppError, ContextError
from .input_file import source_name

Result = TypeVar("Result")
Work = Callable[[argparse.Namespace], Result]


@dataclass(frozen=True, slots=True)
class Said(Generic[Result]):
    """What came of a file, and the lines for standard error."""

    result: Result | AppError
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listening(Generic[Result]):
    """A work that keeps what it says, so that it may be done anywhere."""

    work: Work[Result]

    def __call__(self, task: argparse.Namespace) -> Said[Result]:
        """Do it."""
        with kept() as lines:
            result = attempt(self.work, task)
        return Said(result, tuple(lines))


class Files(Generic[Result]):
    """Files being worked on; iterate over it once, for the number and result of each.

    Results come as they are done, what was said in the order of the files. A file that cannot be
    read is told and left out.

    Parameters
    ----------
    args
        Of the command: ``--jobs``, ``--dask``, ``--quiet`` and ``--verbose`` count here.
    work
        What is done with a file; `rigview.batch.parallel.run` tells what it must be like.
    tasks
        The arguments of each file.

    Attributes
    ----------
    code
        The exit code, once all is done: the highest one of the files that have failed.
    """

    def __init__(
        self, args: argparse.Namespace, work: Work[Result], tasks: Sequence[argparse.Namespace]
    ) -> None:
        self.code = 0
        self._args = args
        self._work = Listening(work)
        self._tasks = tasks
        self._told = 0
        self._waiting: dict[int, tuple[AppError | None, tuple[str, ...]]] = {}

    def __iter__(self) -> Generator[tuple[int, Result], None, None]:
        """Do all of it.

        Raises
        ------
        AppError
            There is no OpenGL, or no such cluster: nothing more can be done.
        """
        args = self._args
        done = run(self._work, self._tasks, jobs=args.jobs, dask=args.dask, verbose=args.verbose)
        with closing(done), Progress(len(self._tasks), "file", quiet=args.quiet) as bar:
            for number, found in done:
                bar.step()
                said: Said[Result] = Said(found) if isinstance(found, AppError) else found
                if isinstance(said.result, ContextError):
                    raise said.result
                error = said.result if isinstance(said.result, AppError) else None
                self._waiting[number] = error, said.lines
                self._tell()
                if not isinstance(said.result, AppError):
                    yield number, said.result

    def _tell(self) -> None:
        """Say what the next files have said, as far as they are done."""
        while self._told in self._waiting:
            error, lines = self._waiting.pop(self._told)
            for line in lines:
                complain(line)
            if error is not None:
                self._fail(error, source_name(self._tasks[self._told]))
            self._told += 1

    def _fail(self, error: AppError, file: str) -> None:
        if len(self._tasks) == 1:
            raise error
        error.file = error.file or file
        self.code = max(self.code, error.exit_code)
        if self._args.verbose and sys.stderr is not None:
            print(*getattr(error, "__notes__", ()), sep="\n", file=sys.stderr, end="")
        complain(str(error))
