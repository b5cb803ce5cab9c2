"""Results on their way out: to standard output, or to a file that is whole or not there at all."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import OutputError, UsageError

STANDARD = "-"


def check_ending(target: str, endings: tuple[str, ...]) -> str:
    """Return the ending of `target` in lower case; UsageError where it is not one of `endings`."""
    ending = Path(target).suffix.lower()
    if ending not in endings:
        allowed = " or ".join(endings)
        raise UsageError(f"the ending of {target!r} is not {allowed}")
    return ending


def check_target(target: str) -> None:
    """Raise OutputError where `target` cannot be written; called before the work begins."""
    if target == STANDARD:
        return
    path = Path(target)
    folder = path.parent
    try:
        path.exists()
    except OSError as error:  # a name too long
        raise OutputError(error.strerror or str(error), file=target) from None
    if path.is_dir():
        raise OutputError("is a folder", file=target)
    if path.exists():
        if not os.access(path, os.W_OK):
            raise OutputError("may not be written", file=target)
        if not path.is_file():
            return  # a device or a pipe is written as it is
    elif not folder.is_dir():
        raise OutputError(f"there is no folder {str(folder)!r}", file=target, hint="make it first")
    if not os.access(path.resolve().parent, os.W_OK | os.X_OK):
        raise OutputError(f"the folder {str(folder)!r} may not be written", file=target)


def write(target: str, data: bytes) -> None:
    """Write `data` to a file at once, or to standard output where `target` is ``-``.

    Raises
    ------
    OutputError
        The disk is full, the folder is gone: what stood there before is left as it was.
    """
    if target == STANDARD:
        _write_standard(data)
        return
    path = Path(target).resolve()  # a link keeps pointing where it does
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _replace(path, data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.strerror or str(error), file=target) from None


@contextmanager
def aside(target: str) -> Iterator[Path]:
    """Give the path of a draft with the ending of `target`, which takes its place when all is well.

    For what a library writes by itself. Where anything stops the block (also Ctrl+C), the draft is
    taken away and what stood there before is left as it was.

    Raises
    ------
    OutputError
        The disk is full, the folder is gone.
    """
    path = Path(target).resolve()
    draft = path.with_name(f".{path.stem[:100]}.{os.getpid()}.tmp{path.suffix}")
    try:
        yield draft
        if path.exists():
            draft.chmod(stat.S_IMODE(path.stat().st_mode))
        draft.replace(path)
    except OSError as error:
        raise OutputError(error.strerror or str(error), file=target) from None
    finally:
        with suppress(OSError):
            draft.unlink()


def _write_standard(data: bytes) -> None:
    if sys.stdout is None:
        raise OutputError("is closed", file="standard output")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.strerror or str(error), file="standard output") from None


def _replace(path: Path, data: bytes) -> None:
    draft = path.with_name(f".{path.name[:100]}.{os.getpid()}.tmp")
    try:
        draft.write_bytes(data)
        if path.exists():
            draft.chmod(stat.S_IMODE(path.stat().st_mode))
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
