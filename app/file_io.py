"""Reading and writing of files.

Only regular files are read, and no more bytes than a limit. Writing is atomic: a temporary file in
the same folder replaces the target.
"""

import errno
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import OutputError

MAX_BYTES = 1 << 32  # 4 GiB: a GLB file cannot be larger, its length has 32 bits


class NotAFileError(OSError):
    """The path is a folder, a device or a pipe."""


def read_file(path: Path | str, limit: int = MAX_BYTES, *, truncate: bool = False) -> bytes:
    """Return the bytes of a regular file; a device or a pipe is not opened.

    Parameters
    ----------
    path
        A symbolic link is followed.
    limit
        Maximum number of bytes.
    truncate
        Whether only the first `limit` bytes of a larger file are returned.

    Raises
    ------
    OSError
        The file does not exist, cannot be read, is larger than `limit`, or is not a regular file
        (`NotAFileError`); with the reason in `strerror`.
    """
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            folder = stat.S_ISDIR(status.st_mode)
            reason = os.strerror(errno.EISDIR) if folder else "not a regular file"
            raise NotAFileError(errno.EINVAL, reason)
        if status.st_size > limit and not truncate:
            raise OSError(errno.EFBIG, f"too large: {status.st_size} bytes, at most {limit}")
        # without blocking, even if a pipe has taken its place since
        with open(path, "rb", opener=_without_blocking) as file:
            data = file.read(limit if truncate else limit + 1)
    except ValueError as error:  # a null character in the name
        raise OSError(errno.EINVAL, str(error)) from None
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"too large: at most {limit} bytes")
    return data


def _without_blocking(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def write_file(target: Path | str, data: bytes, *, make_folder: bool = False) -> None:
    """Write `data` to a file atomically; a device or a pipe is written directly.

    Parameters
    ----------
    target
        As the user named it; a symbolic link is followed, the mode of an existing file is kept.
    make_folder
        Whether a missing folder is created.

    Raises
    ------
    OutputError
        Writing failed; an existing file is unchanged.
    """
    path = Path(target)
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        raise _output_error(error, target) from None
    with temporary_file(target, make_folder=make_folder) as draft:
        draft.write_bytes(data)


@contextmanager
def temporary_file(target: Path | str, *, make_folder: bool = False) -> Iterator[Path]:
    """Yield the path of a temporary file that replaces `target` when the block succeeds.

    It has the extension of `target`, for libraries that write files themselves. If the block fails
    (also by Ctrl+C), the temporary file is removed and an existing file is unchanged.

    Raises
    ------
    OutputError
        Writing failed.
    """
    try:
        path = Path(target).resolve()  # follow symbolic links
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a circle
        raise _output_error(error, target) from None
    owner = f"{os.getpid()}.{threading.get_ident()}"
    draft = path.with_name(f".{path.stem[:100]}.{owner}.tmp{path.suffix[:100]}")
    try:
        if make_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        yield draft
        if path.exists():
            draft.chmod(stat.S_IMODE(path.stat().st_mode))
        draft.replace(path)
    except OSError as error:
        raise _output_error(error, target) from None
    finally:
        with suppress(OSError):
            draft.unlink()


def _output_error(error: Exception, target: Path | str) -> OutputError:
    return OutputError(getattr(error, "strerror", None) or str(error), file=str(target))
