"""Images: PNG, JPEG, WebP, AVIF and KTX 2, decoded on first use; one neutral pixel if invalid."""

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from heapq import heapify, heapreplace
from io import BytesIO
from threading import Condition, Lock, Thread
from typing import TYPE_CHECKING, Any

import numpy as np

from ..animation.types import U8
from ..errors import GltfError
from ..model.model import Image
from ..wording import binary_size
from . import basisu
from .accessor import Accessors
from .document import Document
from .optional_packages import available, install
from .unique_names import unique_names
from .uri import has_scheme, is_data, locate

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

MAX_PIXELS = 8192 * 8192  # of one image: 256 MiB decoded
_SHARE = 4  # of the memory limit: images that are decoded at once
PIXEL_BYTES = 4 + 4 * 4 / 3  # decoded, and as a texture with its mipmaps
_AT_ONCE = 1 << 24  # pixels of four images of 2048 x 2048: decoded before a first frame
_STRIP = 1 << 22  # pixels that are converted at a time
_BLOCK = 1 << 26  # bytes that Pillow allocates at once; the system gets back blocks of this size
_REDUCIBLE = ("L", "RGB", "RGBA", "CMYK")  # modes of Pillow that can be averaged
_WHITE = (255, 255, 255, 255)
_JPEG = b"\xff\xd8\xff"
_AVIF = (b"avif", b"avis", b"mif1")  # brands of AVIF files
_FLAT_NORMAL = (128, 128, 255, 255)  # normal (0, 0, 1) of a normal map


def read_images(
    document: Document, accessors: Accessors, normals: frozenset[int]
) -> tuple[Image, ...]:
    """Return all images, not yet decoded.

    Parameters
    ----------
    document, accessors
        Validated. Missing or invalid images add warnings to the document, some when decoded.
    normals
        Indices of the images that are normal maps.

    Raises
    ------
    GltfError
        An image lies outside the permitted folder, or on the network.
    """
    rows = document.rows("images")
    named_rows = [row if row.get("name") else {"name": _file_name(row)} for row in rows]
    names = unique_names(named_rows, "Image")
    readers = [
        _ImageReader(document, accessors, i, _FLAT_NORMAL if i in normals else _WHITE)
        for i in range(len(rows))
    ]
    budget = _Budget(readers, document.max_memory)
    return tuple(
        Image(name, partial(reader.decode, budget), reader.nbytes, reader.size)
        for name, reader in zip(names, readers, strict=True)
    )


def decode_all(images: Iterable[Image]) -> None:
    """Decode images in parallel, so that `Image.pixels` returns immediately afterwards."""
    pending = [image for image in images if not image.decoded]
    if len(pending) < 2:
        for image in pending:
            image.decode()
        return
    from concurrent.futures import ThreadPoolExecutor  # imported late: many files have one image

    with ThreadPoolExecutor(min(len(pending), os.cpu_count() or 1)) as pool:
        list(pool.map(Image.decode, pending))


def decode_ahead(images: Iterable[Image]) -> None:
    """Start decoding images in a background thread."""
    Thread(target=decode_all, args=(tuple(images),), daemon=True).start()


def shown_at_once(images: Iterable[Image]) -> list[Image]:
    """Return the images to decode before a first frame: of the smallest, a number of pixels."""
    chosen, pixels = [], 0
    for image in sorted(images, key=lambda image: math.prod(image.size)):
        pixels += math.prod(image.size)
        if pixels > _AT_ONCE:
            break
        chosen.append(image)
    return chosen


def _file_name(row: dict[str, Any]) -> str:
    uri = row.get("uri")
    return "" if uri is None or is_data(uri) else str(uri)


class _ImageReader:
    """Reads the header and the pixels of one image; if that fails, the document gets a warning."""

    def __init__(
        self, document: Document, accessors: Accessors, index: int, neutral: tuple[int, ...]
    ) -> None:
        self.index = index
        self._place = f"/images/{index}"
        self._document = document
        self._accessors = accessors
        self._row = document.rows("images")[index]
        self._neutral = neutral
        self._size: tuple[int, int] | None = None
        missing, self.nbytes = _check_image(document, accessors, self._row, self._place)
        self._broken = bool(missing)
        if missing:
            self._warn(f"{missing}; the texture is not shown")

    def size(self) -> tuple[int, int]:
        """Return width and height by the header; 1 and 1 if the image cannot be read."""
        if self._size is None and not self._broken:
            try:
                self._size = image_size(self._data())
                if math.prod(self._size) > MAX_PIXELS:
                    raise _BrokenError("{} × {} pixels exceed the limit".format(*self._size))
            except (GltfError, _BrokenError) as error:
                self._fail(error)
        return (1, 1) if self._broken or self._size is None else self._size

    def decode(self, budget: "_Budget") -> U8:
        """Return the pixels [H, W, 4], halved as often as the memory budget requires."""
        width, height = self.size()
        if not self._broken:
            halvings = budget.halvings()[self.index]
            try:
                data = self._data()
                with budget.decoding(_decoding_bytes(data, width * height, halvings)):
                    if halvings:
                        self._warn(
                            f"{width} × {height} pixels are reduced to {width >> halvings} × "
                            f"{height >> halvings}: the textures need more than {budget.text}"
                        )
                    return _decode(data, halvings)
            except (GltfError, _BrokenError) as error:
                self._fail(error)
        return np.array([[self._neutral]], np.uint8)

    def _data(self) -> bytes:
        uri = self._row.get("uri")
        if uri is not None:
            return self._document.resource(uri, f"{self._place}/uri")
        return bytes(self._accessors.view(self._row.get("bufferView") or 0))

    def _fail(self, error: "GltfError | _BrokenError") -> None:
        reason = error.message if isinstance(error, GltfError) else str(error)
        self._broken = True
        self._warn(f"the image cannot be read: {reason}; the texture is not shown")

    def _warn(self, message: str) -> None:
        self._document.warn(self._place, message)


class _Decoding:
    """The memory of all images that are being decoded, bytes."""

    def __init__(self) -> None:
        self._used = 0
        self._changed = Condition()

    @contextmanager
    def room(self, needed: int, limit: int) -> Iterator[None]:
        """Wait until an image fits into the limit together with the others, or is alone."""
        with self._changed:
            self._changed.wait_for(lambda: not self._used or self._used + needed <= limit)
            self._used += needed
        try:
            yield
        finally:
            with self._changed:
                self._used -= needed
                self._changed.notify_all()


_decoding = _Decoding()


class _Budget:
    """How often each image of a file is halved, so that all of them fit into memory."""

    def __init__(self, readers: Sequence[_ImageReader], max_memory: int) -> None:
        self._readers = readers
        self._max_memory = max_memory
        self._halvings: list[int] | None = None
        self._lock = Lock()

    @property
    def text(self) -> str:
        """The limit, for messages."""
        return f"the memory limit of {binary_size(self._max_memory)}"

    @contextmanager
    def decoding(self, needed: int) -> Iterator[None]:
        """Decode an image; other images of any file wait if all of them need much memory.

        Parameters
        ----------
        needed
            Bytes while it is decoded.

        Raises
        ------
        _BrokenError
            It alone exceeds the limit.
        """
        if needed > self._max_memory:
            raise _BrokenError(f"decoding it takes {binary_size(needed)}, more than {self.text}")
        with _decoding.room(needed, self._max_memory // _SHARE):
            yield

    def halvings(self) -> list[int]:
        """Return the number of halvings by image; the largest images are halved first."""
        with self._lock:
            if self._halvings is None:
                sizes = [reader.size() for reader in self._readers]
                self._halvings = fitting_halvings(sizes, self._max_memory)
            return self._halvings


def fitting_halvings(sizes: Sequence[tuple[int, int]], max_memory: int) -> list[int]:
    """Return how often images [N] of some widths and heights are halved to fit into memory.

    Parameters
    ----------
    sizes
        Width and height of each image, pixels.
    max_memory
        Bytes for the decoded pixels and for textures with mipmaps.
    """
    halvings = [0] * len(sizes)
    largest = [(-math.prod(size), index) for index, size in enumerate(sizes)]
    heapify(largest)
    pixels = -sum(area for area, _ in largest)
    while largest and pixels * PIXEL_BYTES > max_memory and -largest[0][0] > 1:
        area, index = largest[0]
        halvings[index] += 1
        width, height = (max(1, side >> halvings[index]) for side in sizes[index])
        heapreplace(largest, (-width * height, index))
        pixels += area + width * height
    return halvings


def _check_image(
    document: Document, accessors: Accessors, row: dict[str, Any], place: str
) -> tuple[str, int]:
    """Return why an image is missing ("" if it is not), and its encoded size in bytes."""
    uri, view = row.get("uri"), row.get("bufferView")
    if uri is None:
        if view is None:
            return "it has neither a uri nor a buffer view", 0
        return "", len(accessors.view(view))
    if is_data(uri):
        return "", len(uri) * 3 // 4
    if document.folder is None and not has_scheme(uri):
        return f"“{uri[:200]}” cannot be found: the folder of the model is unknown", 0
    path = locate(uri, document.folder, document.root, document.error_at(f"{place}/uri"))
    try:
        return "", path.stat().st_size
    except OSError:
        return f"“{uri[:200]}” not found", 0


class _BrokenError(Exception):
    """The image cannot be decoded."""


def image_size(data: bytes) -> tuple[int, int]:
    """Return width and height of an image by its header."""
    with _decoder_errors():
        return basisu.size(data) if data.startswith(basisu.MAGIC) else _open(data).size


@contextmanager
def _decoder_errors() -> Iterator[None]:
    """Raise the errors of decoders, which are of many types, as `_BrokenError`."""
    try:
        yield
    except _BrokenError:
        raise
    except Exception as error:
        raise _BrokenError(str(error)[:200] or type(error).__name__) from None


def _decode(data: bytes, halvings: int) -> U8:
    """Return [H, W, 4] uint8, straight alpha, top row first, of an image halved some times."""
    _use_large_blocks()
    with _decoder_errors():
        if data.startswith(basisu.MAGIC):
            pixels = basisu.decode(data)
            if not halvings:
                return pixels
            from PIL.Image import fromarray

            picture = fromarray(pixels)
        else:
            picture = _open(data)
        width, height = picture.size
        if halvings:
            picture.draft(None, (width >> halvings, height >> halvings))
        picture.load()
        factors = tuple(
            side // max(1, whole >> halvings)
            for side, whole in zip(picture.size, (width, height), strict=True)
        )
        return _rgba(picture, factors)


@cache
def _use_large_blocks() -> None:
    """Let Pillow allocate large pictures so that their memory returns to the system."""
    from PIL.Image import core  # type: ignore[attr-defined]

    core.set_block_size(_BLOCK)


def _decoding_bytes(data: bytes, pixels: int, halvings: int) -> int:
    """Return the memory that an image takes while it is decoded, besides the result."""
    if data.startswith(_JPEG):  # fewer frequencies are decoded if it is halved
        pixels >>= 2 * min(halvings, 3)
    return pixels * (16 if data.startswith(b"RIFF") else 4)


def _rgba(picture: "Picture", factors: tuple[int, ...] = (1, 1)) -> U8:
    """Return [H, W, 4] uint8, averaged over blocks; in strips, as whole pictures need much memory.

    Parameters
    ----------
    factors
        Width and height of the blocks, pixels. Colours are averaged by alpha.
    """
    width, height = picture.size
    across, down = factors
    pixels = np.empty((-(-height // down), -(-width // across), 4), np.uint8)
    rows = down * max(1, _STRIP // width // down)
    for top in range(0, height, rows):
        strip = picture.crop((0, top, width, min(top + rows, height)))
        target = pixels[top // down : (top + rows) // down]
        if strip.mode.startswith("I;16"):  # Pillow would clip, not scale
            strip = _high_bytes(strip)
        if factors != (1, 1):
            strip = strip if strip.mode in _REDUCIBLE else strip.convert("RGBA")
            strip = strip.reduce((across, down))
        target[:] = np.asarray(strip if strip.mode == "RGBA" else strip.convert("RGBA"))
    return pixels


def _high_bytes(picture: "Picture") -> "Picture":
    """Return a picture of 16 bits with 8 bits."""
    from PIL.Image import fromarray

    return fromarray((np.asarray(picture) >> 8).astype(np.uint8))


def _open(data: bytes) -> "Picture":
    """Return the image with the decoder chosen by its first bytes, not by trying all formats."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        from PIL.PngImagePlugin import PngImageFile

        return PngImageFile(BytesIO(data))
    if data.startswith(_JPEG):
        from PIL.JpegImagePlugin import JpegImageFile

        return JpegImageFile(BytesIO(data))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        from PIL.WebPImagePlugin import WebPImageFile

        return WebPImageFile(BytesIO(data))
    if data[4:8] == b"ftyp" and data[8:12] in _AVIF:
        if not available("EXT_texture_avif"):
            raise _BrokenError(f"AVIF is not supported here: {install('EXT_texture_avif')}")
        from PIL.AvifImagePlugin import AvifImageFile

        return AvifImageFile(BytesIO(data))
    raise _BrokenError("it is not PNG, JPEG, WebP, AVIF or KTX 2")
