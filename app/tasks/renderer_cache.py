"""A cached renderer for processes that render many files.

Its shaders are compiled with the first picture, which takes longer than rendering a small file.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..render.offscreen import Painter

_local = threading.local()  # an OpenGL context belongs to a thread


@contextmanager
def cached_renderer(size: tuple[int, int], samples: int, *, keep: bool) -> "Iterator[Painter]":
    """Yield a renderer of pictures of a size; `keep` caches it for the next caller.

    Raises
    ------
    ContextError
        There is no OpenGL.
    """
    from ..render.offscreen import Painter  # the GPU's packages

    kept: tuple[tuple[int, int], int, Painter] | None = getattr(_local, "kept", None)
    _local.kept = None
    if kept is not None and (not keep or kept[:2] != (size, samples)):
        kept[2].release()
        kept = None
    lent = kept[2] if kept is not None else Painter(size, samples)
    try:
        yield lent
    except BaseException:
        lent.release()
        raise
    if not keep:
        lent.release()
        return
    lent.renderer.unload()
    clear()
    _local.kept = size, samples, lent


def clear() -> None:
    """Release the cached renderer, if any."""
    kept = getattr(_local, "kept", None)
    _local.kept = None
    if kept is not None:
        kept[2].release()
