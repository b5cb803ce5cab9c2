"""Thumbnails in the cache folder of the user: of files that a wall or a list has shown before."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ..animation.types import U8
from ..conversion.conversion_settings import present, using
from ..errors import AppError
from ..file_io import read_file, write_file
from ..images.png import as_png, read_png
from ..loading.file_watcher import file_stamps
from ..motion.file_paths import motion_path
from ..resources import cache_folder
from ..version import __version__

SIZE = 256  # pixels of an edge
MAX_BYTES = 128 << 20  # of all thumbnails
_LARGEST = 1 << 20  # bytes of one

Reasons = Mapping[Path, str]  # why files have no thumbnail; "" for those that have one


def thumbnail_key(file: Path) -> str:
    """Return what the thumbnail of a file as it is now is called, "" if it cannot be read."""
    own = file.absolute()
    stamps = file_stamps((own, motion_path(own)))
    if own not in stamps:
        return ""
    text = repr((__version__, [(str(path), stamp) for path, stamp in stamps.items()]))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:40]


def cached_thumbnail(key: str) -> U8 | None:
    """Return the thumbnail [SIZE, SIZE, 4] of a key, None without one."""
    try:
        return read_png(read_file(_path(key), _LARGEST), (SIZE, SIZE)) if key else None
    except OSError:
        return None


def draw_missing(
    files: Sequence[Path],
    max_memory: int,
    blender: str | None,
    seconds: float,
    report: Callable[[Reasons], object],
) -> Reasons:
    """Draw the thumbnails of files that have none, and return why some still have none.

    Parameters
    ----------
    max_memory
        Bytes for the textures of a file.
    blender, seconds
        The Blender that converts files, and its time for one; see `conversion_settings.Settings`.
    report
        Called after each file with the reasons so far.
    """
    reasons: dict[Path, str] = {}
    with using(replace(present(), blender=blender, seconds=seconds)):
        for file in files:
            reasons[file] = _draw(file, max_memory)
            report(dict(reasons))
    trim()
    return reasons


def _draw(file: Path, max_memory: int) -> str:
    """Draw and keep a thumbnail; return why that is not possible, "" if it is."""
    from .still_pictures import draw_thumbnail  # the GPU's packages

    key = thumbnail_key(file)
    if cached_thumbnail(key) is not None:
        return ""
    try:
        pixels = draw_thumbnail(file, SIZE, max_memory=max_memory)
        write_file(_path(key), as_png(pixels), make_folder=True)
    except AppError as error:
        return error.message
    return ""


def trim() -> None:
    """Remove the thumbnails that were drawn longest ago while all are too large."""
    found: list[tuple[float, int, Path]] = []
    for path in _path("*").parent.glob("*.png"):
        with suppress(OSError):
            status = path.stat()
            found.append((-status.st_mtime, status.st_size, path))
    total = 0
    for _, size, path in sorted(found):
        total += size
        if total > MAX_BYTES:
            with suppress(OSError):
                path.unlink()


def _path(key: str) -> Path:
    return cache_folder() / "thumbnails" / f"{key}.png"
