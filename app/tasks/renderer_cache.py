"""A cached renderer for processes that render many files.

Its shaders are compiled with the first picture, which takes longer than rendering a small file.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..rendering.offscreen import OffscreenRenderer

_local = threading.local()  # an OpenGL context belongs to a thread


@contextmanager
def cached_renderer(
    size: tuple[int, int], samples: int, *, keep: bool
) -> "Iterator[OffscreenRenderer]":
    """Yield a renderer of pictures of a size; `keep` caches it for the next caller.

    Raises
    ------
    ContextError
        There is no OpenGL.
    """
    from ..rendering.offscreen import OffscreenRenderer  # the GPU's packages

    cached: tuple[tuple[int, int], int, OffscreenRenderer] | None = getattr(_local, "cached", None)
    _local.cached = None
    if cached is not None and (not keep or cached[:2] != (size, samples)):
        cached[2].release()
        cached = None
    offscreen = cached[2] if cached is not None else OffscreenRenderer(size, samples)
    try:
        yield offscreen
    except BaseException:
        offscreen.release()
        raise
    if not keep:
        offscreen.release()
        return
    offscreen.renderer.unload()
    clear()
    _local.cached = size, samples, offscreen


def clear() -> None:
    """Release the cached renderer, if any."""
    cached = getattr(_local, "cached", None)
    _local.cached = None
    if cached is not None:
        cached[2].release()
