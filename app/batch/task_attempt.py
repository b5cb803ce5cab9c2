"""Result of a task: its value, or the error it raised."""

import io
import pickle
from collections.abc import Callable
from traceback import format_exc
from typing import Any, TypeVar

from ..errors import AppError, OutOfMemoryError

Task = TypeVar("Task")
Result = TypeVar("Result")


def attempt(work: Callable[[Task], Result], task: Task) -> Result | AppError:
    """Return the result of `work(task)`, or its error; never raises an Exception.

    The error has the traceback as a note, because it may be sent to another process.
    """
    try:
        return work(task)
    except AppError as error:
        return with_traceback_note(error)
    except MemoryError:
        return with_traceback_note(OutOfMemoryError("out of memory"))
    except Exception as error:
        return internal_error(error)


def run_pickled(data: bytes) -> bytes:
    """Return the pickled result of a pickled pair of work and task, in a worker process."""
    try:
        work, task = loads(data)
        return dumps(attempt(work, task))
    except Exception as error:  # the work cannot be imported, or its result cannot be pickled
        return dumps(internal_error(error))


def dumps(value: object) -> bytes:
    """Return a pickled result.

    It is the same in every process: with the protocol that all Pythons have, and without the
    pickling of exceptions that Dask registers for the whole process.
    """
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, protocol=4)
    pickler.dispatch_table = {}
    pickler.dump(value)
    return buffer.getvalue()


class Unpickler(pickle.Unpickler):
    """Unpickler that maps the package names ``rigview`` and ``app`` to that of this process.

    The process that pickled the data may have imported the package by the other name.
    """

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - signature of pickle
        """Return a class or function of a module by its name."""
        root, dot, rest = module.partition(".")
        if root in ("app", "rigview"):
            module = __name__.partition(".")[0] + dot + rest
        return super().find_class(module, name)


def loads(data: bytes) -> Any:  # noqa: ANN401 - any pickled value
    """Return a value pickled by another process of this program."""
    return Unpickler(io.BytesIO(data)).load()


def internal_error(error: BaseException) -> AppError:
    """Return the error to report for an unexpected exception."""
    message = f"internal error: {type(error).__name__}: {error}"
    return with_traceback_note(
        AppError(message, hint="please report it, with the output of --verbose")
    )


def with_traceback_note(error: AppError) -> AppError:
    """Return an error without frames, with the traceback of the current exception as a note."""
    error.add_note(format_exc())
    return error.with_traceback(None)
