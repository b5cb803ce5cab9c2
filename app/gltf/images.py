"""Images: PNG, JPEG, WebP, AVIF and KTX 2, decoded on first use; one neutral pixel if invalid."""

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import partial
from heapq import heapify, heapreplace
from io import BytesIO
from threading import Lock, Thread
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
PIXEL_BYTES = 4 + 4 * 4 / 3  # decoded, and as a texture with its mipmaps
_LARGE = 1 << 24  # pixels; larger images are decoded one at a time
_STRIP = 1 << 22  # pixels that are converted at a time
_REDUCIBLE = ("L", "RGB", "RGBA", "CMYK")  # modes of Pillow that can be averaged
_one_large_image = Lock()
_WHITE = (255, 255, 255, 255)
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
    with ThreadPoolExecutor(min(len(pending), os.cpu_count() or 1)) as pool:
        list(pool.map(Image.decode, pending))


def decode_ahead(images: Iterable[Image]) -> None:
    """Start decoding images in a background thread."""
    Thread(target=decode_all, args=(tuple(images),), daemon=True).start()


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
            if halvings:
                self._warn(
                    f"{width} × {height} pixels are reduced to {width >> halvings} × "
                    f"{height >> halvings}: the textures need more than {budget.text}"
                )
            try:
                with _one_large_image if width * height > _LARGE else nullcontext():
                    return _decode(self._data(), halvings)
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
        if halvings:  # JPEG decodes fewer frequencies then
            picture.draft(None, (width >> halvings, height >> halvings))
        picture.load()
        factors = [
            side // max(1, whole >> halvings)
            for side, whole in zip(picture.size, (width, height), strict=True)
        ]
        return _rgba(picture if max(factors) == 1 else _reduced(picture, factors))


def _reduced(picture: "Picture", factors: Sequence[int]) -> "Picture":
    """Return a picture averaged over blocks, its colours by alpha."""
    whole = picture if picture.mode in _REDUCIBLE else picture.convert("RGBA")
    return whole.reduce((factors[0], factors[1]))


def _rgba(picture: "Picture") -> U8:
    """Return [H, W, 4] uint8; converted in strips, as whole pictures need much memory."""
    width, height = picture.size
    pixels = np.empty((height, width, 4), np.uint8)
    rows = max(1, _STRIP // width)
    for top in range(0, height, rows):
        strip = picture.crop((0, top, width, min(top + rows, height)))
        if strip.mode.startswith("I;16"):  # Pillow would clip, not scale
            pixels[top : top + rows, :, :3] = (np.asarray(strip) >> 8)[..., None]
            pixels[top : top + rows, :, 3] = 255
        else:
            pixels[top : top + rows] = np.asarray(
                strip if strip.mode == "RGBA" else strip.convert("RGBA")
            )
    return pixels


def _open(data: bytes) -> "Picture":
    """Return the image with the decoder chosen by its first bytes, not by trying all formats."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        from PIL.PngImagePlugin import PngImageFile

        return PngImageFile(BytesIO(data))
    if data.startswith(b"\xff\xd8\xff"):
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
