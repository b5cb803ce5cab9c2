"""Decoding of PNG, JPEG, WebP, AVIF and KTX 2 images, chosen by their first bytes."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from ..animation.types import U8
from . import basisu
from .optional_packages import available, install

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

_STRIP = 1 << 22  # pixels that are converted at a time
_BLOCK = 1 << 26  # bytes that Pillow allocates at once; the system gets back blocks of this size
_REDUCIBLE = ("L", "RGB", "RGBA", "CMYK")  # modes of Pillow that can be averaged
_SCAN = b"\xff\xda"  # marker at the start of a scan of a JPEG
_FORMATS = (  # MIME types, and the first bytes of files with their places
    ("image/png", b"\x89PNG\r\n\x1a\n", 0),
    ("image/jpeg", b"\xff\xd8\xff", 0),
    ("image/webp", b"WEBP", 8),
    ("image/ktx2", basisu.MAGIC, 0),
    *(("image/avif", b"ftyp" + brand, 4) for brand in (b"avif", b"avis", b"mif1")),
)
UNKNOWN = "it is not PNG, JPEG, WebP, AVIF or KTX 2"


class BrokenImageError(Exception):
    """The image cannot be decoded."""


def mime_type(data: bytes) -> str:
    """Return the MIME type of an encoded image by its first bytes, "" if none is read."""
    found = (kind for kind, first, at in _FORMATS if data[at : at + len(first)] == first)
    return next(found, "")


def image_size(data: bytes) -> tuple[int, int]:
    """Return width and height of an image by its header."""
    with _decoder_errors():
        return basisu.size(data) if data.startswith(basisu.MAGIC) else _open(data).size


def scan_count(data: bytes) -> int:
    """Return how often the pixels of an image are decoded: the scans of a JPEG, or a few more.

    The marker of a scan may also occur in its thumbnail.
    """
    return max(1, data.count(_SCAN)) if mime_type(data) == "image/jpeg" else 1


@contextmanager
def _decoder_errors() -> Iterator[None]:
    """Raise the errors of decoders, which are of many types, as `BrokenImageError`."""
    try:
        yield
    except BrokenImageError:
        raise
    except Exception as error:
        raise BrokenImageError(str(error)[:200] or type(error).__name__) from None


def decode(data: bytes, halvings: int) -> U8:
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


def decoding_bytes(data: bytes, pixels: int, halvings: int) -> int:
    """Return the memory that an image takes while it is decoded, besides the result."""
    kind = mime_type(data)
    if kind == "image/jpeg":  # fewer frequencies are decoded if it is halved
        pixels >>= 2 * min(halvings, 3)
    return pixels * (16 if kind == "image/webp" else 4)


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
    kind = mime_type(data)
    if kind == "image/png":
        from PIL.PngImagePlugin import PngImageFile

        return PngImageFile(BytesIO(data))
    if kind == "image/jpeg":
        from PIL.JpegImagePlugin import JpegImageFile

        return JpegImageFile(BytesIO(data))
    if kind == "image/webp":
        from PIL.WebPImagePlugin import WebPImageFile

        return WebPImageFile(BytesIO(data))
    if kind == "image/avif":
        if not available("EXT_texture_avif"):
            raise BrokenImageError(f"AVIF is not supported here: {install('EXT_texture_avif')}")
        from PIL.AvifImagePlugin import AvifImageFile

        return AvifImageFile(BytesIO(data))
    raise BrokenImageError(UNKNOWN)
