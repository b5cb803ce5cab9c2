"""Textures that are uploaded in pieces, between the frames of a window."""

from collections import deque
from collections.abc import Callable, Iterator
from threading import Thread

import moderngl

from ...animation.types import U8

PIECE = 1 << 20  # pixels that are drawn at once: some ten milliseconds without a GPU
COPIED = 4 * PIECE  # pixels that are copied at once


class GpuTexture:
    """A texture of a material; while it is being uploaded, one pixel in its place.

    Attributes
    ----------
    texture
        What is drawn.
    size
        Width and height, pixels.
    """

    def __init__(self, texture: moderngl.Texture, size: tuple[int, int]) -> None:
        self.texture = texture
        self.size = size

    def use(self, unit: int) -> None:
        """Bind it to a texture unit."""
        self.texture.use(unit)

    def replace(self, texture: moderngl.Texture, size: tuple[int, int]) -> None:
        """Draw another texture; the present one is freed."""
        self.texture.release()
        self.texture, self.size = texture, size

    def release(self) -> None:
        """Free the texture."""
        self.texture.release()


Upload = Callable[[U8], Iterator[moderngl.Texture | None]]


class _Pending:
    """A texture that is not uploaded yet."""

    def __init__(self, shown: GpuTexture, read: Callable[[], U8], upload: Upload) -> None:
        self.shown = shown
        self.read = read
        self.upload = upload
        self.pixels: U8 | None = None  # once they are decoded
        self.error: Exception | None = None  # raised by `read`


class TextureStream:
    """Decodes pictures in a thread and uploads them piece by piece, in the order of `add`."""

    def __init__(self) -> None:
        self._pending: list[_Pending] = []
        self._unread: deque[_Pending] = deque()
        self._thread: Thread | None = None
        self._pieces: Iterator[moderngl.Texture | None] | None = None  # of the first one

    @property
    def pending(self) -> bool:
        """Whether a texture is not uploaded yet."""
        return bool(self._pending)

    @property
    def ready(self) -> bool:
        """Whether there is a piece to upload."""
        return bool(self._pending) and self._pending[0].pixels is not None

    def add(self, shown: GpuTexture, read: Callable[[], U8], upload: Upload) -> None:
        """Add a texture.

        Parameters
        ----------
        read
            Returns the pixels [H, W, 4]; called in a thread.
        upload
            Uploads a piece at each step, and yields the texture at last.
        """
        self._pending.append(_Pending(shown, read, upload))
        self._unread.append(self._pending[-1])

    def advance(self) -> bool:
        """Upload a piece of a decoded texture; return whether a texture is complete.

        An error of `read` is raised here.
        """
        if self._unread and (self._thread is None or not self._thread.is_alive()):
            self._thread = Thread(target=_read, args=(self._unread,), name="textures", daemon=True)
            self._thread.start()
        first = self._pending[0] if self._pending else None
        if first is not None and first.error is not None:
            raise first.error
        if first is None or first.pixels is None:
            return False
        if self._pieces is None:
            self._pieces = first.upload(first.pixels)
        texture = next(self._pieces)
        if texture is None:
            return False
        height, width = first.pixels.shape[:2]
        first.shown.replace(texture, (width, height))
        del self._pending[0]
        self._pieces = None
        return True

    def finish(self) -> None:
        """Wait for all textures, and upload them."""
        while self._pending:
            if not self.advance() and not self.ready and self._thread is not None:
                self._thread.join()

    def release(self) -> None:
        """Drop the textures that are not uploaded; no further one is decoded."""
        if self._pieces is not None:
            self._pieces.close()  # type: ignore[attr-defined]  # a generator: it frees its parts
        self._pieces = None
        self._pending = []
        self._unread.clear()


def _read(unread: deque[_Pending]) -> None:
    """Decode the pictures, until none is left; another thread may add and remove some."""
    while True:
        try:
            each = unread.popleft()
        except IndexError:
            return
        try:
            each.pixels = each.read()
        except Exception as error:  # raised by `TextureStream.advance`
            each.error = error
