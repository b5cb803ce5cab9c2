"""The thumbnail of one file: what the window shows first when it opens it, small and cut out."""

from os import PathLike
from pathlib import Path

from ..animation.types import U8
from .still_pictures import render

THUMBNAIL_MEMORY = 512 << 20  # bytes of the textures of a file, by default


def draw_thumbnail(
    path: str | PathLike[str], size: int, *, max_memory: int = THUMBNAIL_MEMORY
) -> U8:
    """Return the thumbnail [size, size, 4] of a file: uint8, sRGB, straight alpha.

    It shows the first pose of what the file plays, framed as in the window, over no background.
    The renderer is kept for further thumbnails of the thread.

    Parameters
    ----------
    path
        A file that the program opens; others than glTF are converted, or read from their cache.
    size
        Pixels of an edge.
    max_memory
        Bytes for the textures of the file; if they need more, the largest are halved.

    Raises
    ------
    AppError
        The file cannot be read, or there is no OpenGL.
    """
    return render(
        Path(path),
        resolution=(size, size),
        no_background=True,
        shadow=False,
        grid=False,
        quiet=True,
        max_memory=max_memory,
    )
