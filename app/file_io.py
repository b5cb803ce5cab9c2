"""Atomic writing of files: a temporary file in the same folder replaces the target."""

import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import OutputError


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
    except OSError as error:
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
    path = Path(target).resolve()  # follow symbolic links
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


def _output_error(error: OSError, target: Path | str) -> OutputError:
    return OutputError(error.strerror or str(error), file=str(target))
