"""Small pictures of the files that were opened last, kept in the cache folder."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from ..animation.types import U8
from ..errors import OutputError
from ..file_io import read_file, write_file
from ..resources import cache_folder

SIZE = (240, 180)  # pixels of a picture
MAX_BYTES = 1 << 20  # of a file


def picture_path(file: Path) -> Path:
    """Return the path of the picture of a file; it may not exist."""
    name = hashlib.sha256(str(file.absolute()).encode("utf-8", "surrogateescape")).hexdigest()
    return _folder() / f"{name[:24]}.png"


def keep_picture(file: Path, pixels: U8) -> None:
    """Keep a picture of a file: the middle of what its view shows.

    A picture that cannot be written is left out.

    Parameters
    ----------
    pixels
        [H, W, 4] of the view, top row first.
    """
    from ..images.thumbnail import as_thumbnail  # loads Pillow

    try:
        write_file(picture_path(file), as_thumbnail(pixels, SIZE), make_folder=True)
    except OutputError:
        return


def read_picture(file: Path) -> U8 | None:
    """Return the picture of a file [H, W, 4], None without one."""
    from ..images.thumbnail import read_thumbnail  # loads Pillow

    try:
        return read_thumbnail(read_file(picture_path(file), MAX_BYTES), SIZE)
    except OSError:
        return None


def forget_others(files: Iterable[Path]) -> None:
    """Delete the pictures of all other files."""
    kept = {picture_path(file) for file in files}
    try:
        for path in list(_folder().glob("*.png")):
            if path not in kept:
                path.unlink(missing_ok=True)
    except OSError:
        return


def _folder() -> Path:
    return cache_folder() / "recent"
