"""Process the files of one command in parallel: results, messages and one exit code."""

import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from ..batch import parallel
from ..batch.task_attempt import attempt
from ..console import Progress, captured_messages, print_message
from ..errors import AppError, ContextError, UsageError
from ..options.command_options import Options
from .conversion import run_converting
from .input_file import source_name
from .output import STANDARD

AnyTask = TypeVar("AnyTask")
Result = TypeVar("Result")
Work = Callable[[Options], Result]


def run_tasks(
    options: Options, work: Callable[[AnyTask], Result], tasks: Sequence[AnyTask]
) -> Generator[tuple[int, Result | AppError], None, None]:
    """Run `work` on every task as `rigview.batch.parallel.run` does, by --jobs and --dask."""
    batch = options.parallel

    def notify(message: str) -> None:
        if not options.general.quiet:
            print_message(message)

    return parallel.run(
        partial(run_converting, options.general, work),
        tasks,
        jobs=batch.jobs,
        dask=batch.dask,
        verbose=options.general.verbose,
        notify=notify,
    )


@dataclass(frozen=True, slots=True)
class TaskOutput(Generic[Result]):
    """The result of a file and its lines for standard error."""

    result: Result | AppError
    lines: tuple[str, ...] = ()


def _captured(work: Work[Result], task: Options) -> TaskOutput[Result]:
    """Run a function on a file, in any process, and capture its messages."""
    with captured_messages() as lines:
        result = attempt(work, task)
    return TaskOutput(result, tuple(lines))


class FileResults(Generic[Result]):
    """Files being processed; iterate once over the index and result of each.

    Results are yielded as they finish, messages are printed in the order of the files. Files that
    fail are reported and skipped.

    Parameters
    ----------
    options
        Arguments of the command, with ``--jobs``, ``--dask``, ``--quiet`` and ``--verbose``.
    work
        The function to run on each file; see `rigview.batch.parallel.run` for its requirements.
    tasks
        The arguments of each file.

    Attributes
    ----------
    code
        The exit code after iteration: the highest one of the failed files.
    errors
        The errors of the failed files, by index.
    """

    def __init__(self, options: Options, work: Work[Result], tasks: Sequence[Options]) -> None:
        self.code = 0
        self.errors: dict[int, AppError] = {}
        self._options = options
        self._work = partial(_captured, work)
        self._tasks = tasks
        self._next = 0
        self._waiting: dict[int, tuple[AppError | None, tuple[str, ...]]] = {}

    def __iter__(self) -> Generator[tuple[int, Result], None, None]:
        """Process the files; yield index and result of each.

        Raises
        ------
        AppError
            There is no OpenGL, or the cluster cannot be reached, or not with standard input.
        """
        options = self._options
        if options.parallel.dask is not None and self._tasks[0].file == STANDARD:
            raise UsageError("standard input cannot be sent to --dask", hint="name the file")
        done = run_tasks(options, self._work, self._tasks)
        with closing(done), Progress(len(self._tasks), "file", quiet=options.general.quiet) as bar:
            for number, found in done:
                bar.step()
                output: TaskOutput[Result] = (
                    TaskOutput(found) if isinstance(found, AppError) else found
                )
                if isinstance(output.result, ContextError):
                    raise output.result
                error = output.result if isinstance(output.result, AppError) else None
                self._waiting[number] = error, output.lines
                self._print_finished()
                if not isinstance(output.result, AppError):
                    yield number, output.result

    def in_order(self) -> dict[int, Result]:
        """Process the files; return the results by index, in order; errors as of the iteration."""
        with closing(iter(self)) as done:
            return dict(sorted(done, key=lambda each: each[0]))

    def _print_finished(self) -> None:
        """Print the messages of the next finished files, in order."""
        while self._next in self._waiting:
            error, lines = self._waiting.pop(self._next)
            for line in lines:
                print_message(line)
            if error is not None:
                self._report_error(error)
            self._next += 1

    def _report_error(self, error: AppError) -> None:
        if len(self._tasks) == 1:
            raise error
        error.file = error.file or source_name(self._tasks[self._next])
        self.errors[self._next] = error
        self.code = max(self.code, error.exit_code)
        if self._options.general.verbose and sys.stderr is not None:
            print(*getattr(error, "__notes__", ()), sep="\n", file=sys.stderr, end="")
        print_message(str(error))
