"""One task: its result, or the error it ends in."""

import io
import pickle
from collections.abc import Callable
from traceback import format_exc
from typing import Any, TypeVar

from ..errors import AppError

Task = TypeVar("Task")
Result = TypeVar("Result")


def attempt(work: Callable[[Task], Result], task: Task) -> Result | AppError:
    """Return what `work` makes of a task; never raises an Exception.

    The error of a task has the traceback as a note, for it may travel to another process.
    """
    try:
        return work(task)
    except AppError as error:
        return noted(error)
    except MemoryError:
        return noted(AppError("out of memory"))
    except Exception as error:
        return fault(error)


def answered(data: bytes) -> bytes:
    """Do a task in another process: a pickled pair of work and task in, its result pickled out."""
    try:
        work, task = loads(data)
        return pickle.dumps(attempt(work, task))
    except Exception as error:  # it cannot be found here, or what it makes cannot be sent
        return pickle.dumps(fault(error))


class _Unpickler(pickle.Unpickler):
    """Finds this package's classes by the name it has here: ``rigview``, or ``app`` in a checkout.

    The process that pickled them may have imported it by the other name.
    """

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - what pickle asks for
        root, dot, rest = module.partition(".")
        if root in ("app", "rigview"):
            module = __name__.partition(".")[0] + dot + rest
        return super().find_class(module, name)


def loads(data: bytes) -> Any:  # noqa: ANN401 - whatever was pickled
    """Unpickle what another process of this program has sent."""
    return _Unpickler(io.BytesIO(data)).load()


def fault(error: BaseException) -> AppError:
    """Return the error to report for an unexpected exception."""
    sentence = f"internal error: {type(error).__name__}: {error}"
    return noted(AppError(sentence, hint="please report it, with the output of --verbose"))


def noted(error: AppError) -> AppError:
    """Return an error with the traceback of the exception at hand as its note, without frames."""
    error.add_note(format_exc())
    return error.with_traceback(None)
