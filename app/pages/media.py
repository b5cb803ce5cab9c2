"""Pictures and videos embedded in the report: encoded bytes with MIME type and size."""

import io
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from ..animation.types import U8

QUALITY = 80  # of lossy WebP
_EFFORT = 4  # of the WebP encoder, 0 to 6
_MARGIN = 0.02  # of the picture's height, around a cropped picture


@dataclass(frozen=True, slots=True)
class Media:
    """An embedded picture or video."""

    mime: str
    data: bytes
    width: int  # pixels
    height: int

    @property
    def uri(self) -> str:
        """The data URI."""
        return f"data:{self.mime};base64,{b64encode(self.data).decode('ascii')}"


def as_webp(pixels: U8, quality: int = QUALITY) -> Media:
    """Return a picture [H, W, 4] (sRGB, straight alpha) as lossy WebP with lossless alpha."""
    height, width = pixels.shape[:2]
    opaque = bool((pixels[..., 3] == 255).all())
    picture = Image.fromarray(np.ascontiguousarray(pixels[..., :3]) if opaque else pixels)
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", quality=quality, method=_EFFORT)
    return Media("image/webp", buffer.getvalue(), width, height)


def strip(cells: Sequence[U8]) -> U8:
    """Return pictures [H, W, 4] of one size side by side."""
    return np.concatenate(cells, axis=1)


def cut_out(pixels: U8) -> U8:
    """Return a picture [H, W, 4] cropped to its non-transparent part, with a small margin."""
    rows = np.flatnonzero(pixels[..., 3].any(axis=1))
    columns = np.flatnonzero(pixels[..., 3].any(axis=0))
    if not len(rows):
        return pixels
    margin = round(pixels.shape[0] * _MARGIN)
    top, bottom = max(0, rows[0] - margin), rows[-1] + 1 + margin
    left, right = max(0, columns[0] - margin), columns[-1] + 1 + margin
    return pixels[top:bottom, left:right]


def thumbnail(pixels: U8, height: int) -> U8:
    """Return a picture [H, W, 4] scaled down to at most `height` pixels."""
    tall, wide = pixels.shape[:2]
    if tall <= height:
        return pixels
    size = max(1, round(wide * height / tall)), height
    premultiplied = Image.fromarray(pixels).convert("RGBa")
    return np.array(premultiplied.resize(size, Image.Resampling.LANCZOS).convert("RGBA"))
