"""The converted files in the user's cache folder, by content.

An entry is a folder named after the hash of the file, Blender's version and the script. Its
``links.json`` lists the files that the file refers to; the name of each .glb in it is the hash of
their contents. So a changed texture or library is another .glb, and a moved file is found again.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from ..errors import AppError, OutputError
from ..file_io import locked_folder, read_file, write_file
from ..resources import cache_folder
from .find_blender import Blender
from .run_blender import SCRIPT

MAX_BYTES = 2 << 30  # of all entries: 2 GiB
MAX_LOGS = 20  # of failed conversions
_MAX_LIST = 1 << 24  # bytes of the list of an entry
_LIST = "links.json"


class Converted(NamedTuple):
    """A converted file.

    Attributes
    ----------
    data
        The bytes of the .glb.
    warnings
        What was lost.
    links
        Absolute paths of the files that the file refers to; they need not exist.
    """

    data: bytes
    warnings: tuple[str, ...]
    links: tuple[Path, ...]


def folder() -> Path:
    """Return the folder of all converted files; it may not exist."""
    return cache_folder() / "conversion"


class Entry:
    """The converted versions of one content of a file.

    Parameters
    ----------
    path
        The file, absolute; its name counts, because clips without one take it.
    data
        Its bytes.
    """

    def __init__(self, path: Path, data: bytes, blender: Blender) -> None:
        digest = hashlib.blake2b(data, digest_size=16)
        digest.update(json.dumps([path.name, blender.version, blender.is_python]).encode())
        digest.update(read_file(SCRIPT))
        self.key = digest.hexdigest()
        self._beside = path.parent
        self._folder = folder() / self.key

    def find(self) -> Converted | None:
        """Return the converted file; None if there is none, or a file that it refers to changed."""
        try:
            listed = json.loads(read_file(self._folder / _LIST, _MAX_LIST))
            links = tuple(Path(os.path.normpath(self._beside / each)) for each in listed["links"])
            warnings = tuple(map(str, listed["warnings"]))
            data = read_file(self._folder / f"{_hash_of_files(links)}.glb")
        except (OSError, ValueError, KeyError, TypeError):
            return None
        with suppress(OSError):
            os.utime(self._folder)  # the entry that was used last is removed last
        return Converted(data, warnings, links) if data[:4] == b"glTF" else None

    def store(self, made: Converted) -> None:
        """Store a converted file; nothing happens if that is not possible."""
        listed = {
            "links": [_relative(link, self._beside) for link in made.links],
            "warnings": list(made.warnings),
        }
        with suppress(AppError):
            write_file(
                self._folder / f"{_hash_of_files(made.links)}.glb", made.data, make_folder=True
            )
            write_file(self._folder / _LIST, json.dumps(listed).encode())
            os.utime(self._folder)
            _trim(self._folder)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the entry in the block: of several processes one converts, and others wait."""
        with ExitStack() as stack:
            with suppress(OutputError):  # no folder for caches
                stack.enter_context(locked_folder(self._folder / _LIST))
            try:
                yield
            finally:
                with suppress(OSError):  # it is empty after an error
                    self._folder.rmdir()


def keep_log(log: Path, name: str) -> Path | None:
    """Keep the log of a failed conversion, in place of an earlier one; None: it cannot be kept."""
    logs = folder() / "logs"
    target = logs / f"{name}.log"
    try:
        write_file(target, read_file(log), make_folder=True)
        for old in sorted(logs.glob("*.log"), key=lambda each: -each.stat().st_mtime)[MAX_LOGS:]:
            old.unlink()
    except (AppError, OSError):
        return None if not target.is_file() else target
    return target


def _hash_of_files(paths: Sequence[Path]) -> str:
    """Return a hash of the contents of files, which need not exist."""
    digest = hashlib.blake2b(digest_size=16)
    for path in paths:
        try:
            data = read_file(path)
        except OSError:
            digest.update(b"missing")
        else:
            digest.update(hashlib.blake2b(data).digest())
    return digest.hexdigest()


def _relative(path: Path, start: Path) -> str:
    try:
        return os.path.relpath(path, start)
    except ValueError:  # another drive
        return str(path)


def _trim(kept: Path) -> None:
    """Remove the entries that were not used for longest while all are too large."""
    found = []
    for entry in folder().iterdir():
        with suppress(OSError):
            if (entry / _LIST).is_file():
                size = sum(file.stat().st_size for file in entry.iterdir())
                found.append((entry != kept, -entry.stat().st_mtime, size, entry))
            elif not entry.name.startswith("."):
                entry.rmdir()  # of a killed process, if it is empty
    total = 0
    for _, _, size, entry in sorted(found):
        total += size
        if total > MAX_BYTES and entry != kept:
            shutil.rmtree(entry, ignore_errors=True)
