"""Small pictures: the middle of a larger one, as PNG."""

from io import BytesIO

import numpy as np
from PIL import Image

from ..animation.types import U8
from .png import as_png


def as_thumbnail(pixels: U8, size: tuple[int, int]) -> bytes:
    """Return the largest middle part of a picture in the shape of `size`, scaled to it, as PNG.

    Parameters
    ----------
    pixels
        [H, W, 4], top row first; alpha is left out.
    """
    wide, high = pixels.shape[1], pixels.shape[0]
    share = min(wide / size[0], high / size[1])
    width, height = max(round(size[0] * share), 1), max(round(size[1] * share), 1)
    left, top = (wide - width) // 2, (high - height) // 2
    part = np.ascontiguousarray(pixels[top : top + height, left : left + width, :3])
    small = Image.fromarray(part).resize(size, Image.Resampling.BOX).convert("RGBA")
    return as_png(np.asarray(small))


def read_thumbnail(data: bytes, size: tuple[int, int]) -> U8 | None:
    """Return the pixels [H, W, 4] of a PNG, None if it is damaged or has another size."""
    try:
        with Image.open(BytesIO(data), formats=["PNG"]) as kept:
            return np.asarray(kept.convert("RGBA")) if kept.size == size else None
    except (OSError, ValueError, SyntaxError):
        return None
