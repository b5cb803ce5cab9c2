"""Write results to standard output, or atomically to a file."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import OutputError, UsageError

STANDARD = "-"


def check_extension(target: str, endings: tuple[str, ...]) -> str:
    """Return the lower-case extension of `target` (UsageError: not one of `endings`)."""
    ending = Path(target).suffix.lower()
    if ending not in endings:
        allowed = " or ".join(endings)
        raise UsageError(f"the extension of {target!r} must be {allowed}")
    return ending


def check_target(target: str) -> None:
    """Raise OutputError if `target` cannot be written; called before the work starts."""
    if target == STANDARD:
        return
    path = Path(target)
    folder = path.parent
    try:
        path.exists()
    except OSError as error:  # the name is too long
        raise OutputError(error.strerror or str(error), file=target) from None
    if path.is_dir():
        raise OutputError("is a folder", file=target)
    if path.exists():
        if not os.access(path, os.W_OK):
            raise OutputError("no permission to write", file=target)
        if not path.is_file():
            return  # a device or a pipe is written directly
    elif not folder.is_dir():
        raise OutputError(
            f"folder {str(folder)!r} does not exist", file=target, hint="create it first"
        )
    if not os.access(path.resolve().parent, os.W_OK | os.X_OK):
        raise OutputError(f"no permission to write in folder {str(folder)!r}", file=target)


def write(target: str, data: bytes) -> None:
    """Write `data` atomically to a file, or to standard output if `target` is ``-``.

    Raises
    ------
    OutputError
        Writing failed; an existing file is unchanged.
    """
    if target == STANDARD:
        _write_standard(data)
        return
    path = Path(target).resolve()  # follow symbolic links
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
def temporary_file(target: str) -> Iterator[Path]:
    """Yield the path of a temporary file that replaces `target` when the block succeeds.

    It has the extension of `target`, for libraries that write files themselves. If the block fails
    (also by Ctrl+C), the temporary file is removed and an existing file is unchanged.

    Raises
    ------
    OutputError
        Writing failed.
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
