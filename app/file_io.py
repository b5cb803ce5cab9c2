"""Reading and writing of files.

Only regular files are read, and no more bytes than a limit. Writing is atomic: a temporary file in
the same folder replaces the target. Temporary files and folders are locked while their process
lives, so that those left by a killed process are recognised and removed by the next process that
writes in the folder.
"""

import errno
import os
import re
import shutil
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from .errors import OutputError

HEAD = 1 << 16  # first bytes of a file, by which it is recognised
MAX_BYTES = 1 << 32  # 4 GiB: a GLB file cannot be larger, its length has 32 bits
_DRAFT = re.compile(r"\..*\.\d+\.\d+\.tmp(\..*)?", re.DOTALL)  # names of temporary files
_NAME_BYTES = 100  # of the target's name and extension that a temporary file has, each
_PIECE = 1 << 16  # least number of bytes that are read at a time

CheckHead = Callable[[bytes, int | None], object]  # first bytes, and size if it is known

_cleaned: set[Path] = set()  # folders without files of killed processes
_cleaning = threading.Lock()


class NotAFileError(OSError):
    """The path is a folder, a device or a pipe."""


def read_file(
    path: Path | str,
    limit: int = MAX_BYTES,
    *,
    truncate: bool = False,
    check: CheckHead | None = None,
) -> bytes:
    """Return the bytes of a regular file; a device or a pipe is not opened.

    Parameters
    ----------
    path
        A symbolic link is followed.
    limit
        Maximum number of bytes.
    truncate
        Whether only the first `limit` bytes of a larger file are returned.
    check
        Called with the first `HEAD` bytes and the size of the file before the rest is read; raises
        an error if it is of another kind.

    Raises
    ------
    OSError
        The file does not exist, cannot be read, is larger than `limit`, or is not a regular file
        (`NotAFileError`); with the reason in `strerror`.
    """
    try:
        status = os.stat(path)
    except ValueError as error:  # a null character in the name
        raise OSError(errno.EINVAL, str(error)) from None
    if not stat.S_ISREG(status.st_mode):
        folder = stat.S_ISDIR(status.st_mode)
        reason = os.strerror(errno.EISDIR) if folder else "not a regular file"
        raise NotAFileError(errno.EINVAL, reason)
    if status.st_size > limit and not truncate:
        raise OSError(errno.EFBIG, f"too large: {status.st_size} bytes, at most {limit}")
    # without blocking, even if a pipe has taken its place since
    with open(path, "rb", opener=_without_blocking) as file:
        if check is not None:
            check(file.read(HEAD), status.st_size)
            file.seek(0)
        data = _read(file, status.st_size, limit if truncate else limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"too large: at most {limit} bytes")
    return data


def read_stream(file: BinaryIO, limit: int, check: CheckHead) -> bytes:
    """Return the bytes of a pipe; `check` is called with its first bytes, without a size.

    Raises
    ------
    OSError
        It cannot be read, or has more than `limit` bytes.
    """
    head = file.read(HEAD)
    check(head, None)
    data = _read(file, 0, limit + 1, head)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"too large: at most {limit} bytes")
    return data


def _read(file: BinaryIO, size: int, limit: int, head: bytes = b"") -> bytes:
    """Return at most `limit` bytes of a file of about `size` bytes, of which `head` is read.

    `read(limit)` would allocate a buffer of `limit` bytes. One part is returned without a copy.
    """
    parts = [head] if head else []
    missing = limit - len(head)
    while part := file.read(min(max(size, _PIECE) + 1, missing)):
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


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
    path = _resolved(target)
    owner = f"{os.getpid()}.{threading.get_ident()}"
    draft = path.with_name(f".{_shortened(path.stem)}.{owner}.tmp{_shortened(path.suffix)}")
    try:
        if make_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(path.parent)
        with _locked(draft, create=True, patient=True):
            yield draft
            if path.exists():
                draft.chmod(stat.S_IMODE(path.stat().st_mode))
            draft.replace(path)
    except OSError as error:
        raise _output_error(error, target) from None
    finally:
        with suppress(OSError):
            draft.unlink()


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """Yield a new folder in a folder, which is created; it is removed at the end of the block.

    Raises
    ------
    OutputError
        It cannot be created.
    """
    folder = parent / f".folder.{os.getpid()}.{threading.get_ident()}.tmp"
    try:
        parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(parent)
        shutil.rmtree(folder, ignore_errors=True)  # of a killed process with this number
        folder.mkdir()
    except OSError as error:
        raise _output_error(error, folder) from None
    try:
        with _locked(folder, patient=True):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _resolved(target: Path | str) -> Path:
    """Return the path after symbolic links; raises OutputError."""
    try:
        return Path(target).resolve()
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a circle
        raise _output_error(error, target) from None


def _shortened(text: str) -> str:
    """Return the beginning of a name, of at most `_NAME_BYTES` bytes."""
    while len(os.fsencode(text)) > _NAME_BYTES:
        text = text[:-1]
    return text


def _remove_abandoned(folder: Path) -> None:
    """Remove the temporary files of killed processes from a folder, once in each process."""
    with _cleaning:
        if folder in _cleaned:
            return
        _cleaned.add(folder)
    remove_abandoned(folder)


def remove_abandoned(folder: Path) -> None:
    """Remove the temporary files and folders of killed processes (Windows: no effect)."""
    if sys.platform == "win32":
        return
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _DRAFT.fullmatch(entry.name) and not entry.is_symlink():
                with suppress(OSError), _locked(entry.path):
                    (shutil.rmtree if entry.is_dir() else os.unlink)(entry.path)


def open_drafts(process: int) -> list[str]:
    """Return the paths of the temporary files that a process is writing (Linux only)."""
    found = []
    with suppress(OSError):
        for handle in os.scandir(f"/proc/{process}/fd"):
            with suppress(OSError):  # closed since
                found.append(os.readlink(handle.path))
    return [path for path in found if _DRAFT.fullmatch(os.path.basename(path))]


@contextmanager
def locked_folder(target: Path | str) -> Iterator[None]:
    """Lock the folder of a file within the block: processes change the file one after the other.

    A missing folder is created. Windows, and file systems without locks: not locked.

    Raises
    ------
    OutputError
        The folder cannot be created or opened, or the block raised an OSError.
    """
    folder = _resolved(target).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder, patient=True):
            yield
    except OSError as error:
        raise _output_error(error, target) from None


@contextmanager
def _locked(path: Path | str, *, create: bool = False, patient: bool = False) -> Iterator[None]:
    """Lock a temporary file, or a folder, within the block (Windows: no effect).

    Parameters
    ----------
    create
        Create the file.
    patient
        Wait for the lock, and accept a file system without locks.

    Raises
    ------
    OSError
        The file cannot be opened, or is locked by another process or thread.
    """
    if sys.platform == "win32":
        yield
        return
    import fcntl

    new = os.O_RDWR | os.O_CREAT if create else os.O_RDONLY
    handle = os.open(path, new | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    try:
        with suppress(*([OSError] if patient else [])):
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if patient else fcntl.LOCK_NB))
        yield
    finally:
        os.close(handle)


def _output_error(error: Exception, target: Path | str) -> OutputError:
    return OutputError(getattr(error, "strerror", None) or str(error), file=str(target))
