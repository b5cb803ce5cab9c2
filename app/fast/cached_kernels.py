"""Compiled functions in the user's cache folder: made once in a process of their own.

numba reads a cache file as it is, so a damaged one could end the program. Each folder therefore
lists the checksums of its files; one that differs is removed, and compiled again.
"""

import hashlib
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ..file_io import read_file, write_file
from ..resources import cache_folder

if TYPE_CHECKING:
    from ..animation.compiled import MakePoser

SUMS = "checksums.json"
OFF = "RIGVIEW_FAST"  # environment variable: 0 switches compiled poses off
_SOURCES = ("kernels.py", "flat_tables.py")
_HERE = Path(__file__).resolve().parent


def why_not() -> str:
    """Return why compiled poses are not used, an empty string if they are."""
    if os.environ.get(OFF, "").strip().lower() in ("0", "no", "off", "false"):
        return f"switched off by {OFF}"
    if find_spec("numba") is None:
        return "pip install 'rigview[fast]'"
    return ""


def compiled_poses() -> str:
    """Return whether windows use compiled poses, for the user."""
    missing = why_not()
    return f"not used, {missing}" if missing else f"in windows, with numba {version('numba')}"


def kernel_folder(caches: Path | None = None) -> Path:
    """Return the folder for the functions of these sources, versions and this machine."""
    return (caches or cache_folder()) / "poses" / _key()


def _key() -> str:
    parts = [sys.version, platform.machine(), platform.processor()]
    for name in ("numba", "llvmlite", "numpy"):
        with suppress(PackageNotFoundError):
            parts.append(version(name))
    for name in _SOURCES:
        path = _HERE / name
        parts += [str(path), str(path.stat().st_mtime_ns), read_file(path).decode()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]


def is_intact(folder: Path) -> bool:
    """Return whether a folder holds the functions, every file as it was written."""
    try:
        sums = json.loads(read_file(folder / SUMS))
        return bool(sums) and sums == _sums(folder)
    except (OSError, ValueError):
        return False


def _sums(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS)
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(read_file(path)).hexdigest()
        for path in files
    }


def compile_into(folder: Path, report: Callable[[object], None]) -> str:  # noqa: ARG001
    """Compile the functions, as a background task, and return the path of `filled_folder`."""
    return str(filled_folder(folder, load))


def filled_folder(folder: Path, fill: Callable[[Path], object]) -> Path:
    """Return a folder of files that `fill` writes: `folder`, or a new one if it is not writable.

    They are written beside it first, so that no other process reads half of them.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix="new-", dir=folder.parent))
    except OSError:
        made = Path(tempfile.mkdtemp(prefix="rigview-poses-"))
    fill(made)
    write_file(made / SUMS, json.dumps(_sums(made)).encode())
    if made.parent != folder.parent:
        return made
    shutil.rmtree(folder, ignore_errors=True)
    try:
        made.rename(folder)
    except OSError:  # another process was faster
        shutil.rmtree(made, ignore_errors=True)
    return folder


def load(folder: Path) -> "MakePoser":
    """Return what makes posers, with functions that numba reads from a folder or writes there."""
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    from numba.core import config

    config.CACHE_DIR = str(folder)
    from .poser import Poser, call_once

    call_once()
    return Poser
