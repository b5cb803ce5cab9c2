"""The formats of single pictures, by file ending: .png, and .jpg without transparency."""

from pathlib import Path

import numpy as np

from ..animation.types import F32, U8
from .png import as_png

ENDINGS = (".png", ".jpg", ".jpeg")
QUALITY = 92  # of a .jpg, 0 to 100
_BEHIND = (38, 40, 44)  # sRGB, behind transparent pixels of a .jpg: the dark theme's background


def is_still(target: str) -> bool:
    """Return whether a file name has the ending of a picture."""
    return Path(target).suffix.lower() in ENDINGS


def as_still(pixels: U8, target: str) -> bytes:
    """Return a picture [H, W, 4] (sRGB, straight alpha) in the format of a file name, else as PNG.

    A .jpg has full colour resolution (4:4:4); transparent pixels are mixed with a dark grey.
    """
    if Path(target).suffix.lower() not in (".jpg", ".jpeg"):
        return as_png(pixels)
    return _as_jpeg(pixels)


def _as_jpeg(pixels: U8) -> bytes:
    import io

    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(_opaque(pixels)).save(buffer, "JPEG", quality=QUALITY, subsampling=0)
    return buffer.getvalue()


def _opaque(pixels: U8) -> U8:
    """Return a picture [H, W, 3] over the background of the dark theme."""
    alpha = pixels[..., 3:]
    if (alpha == 255).all():
        return np.ascontiguousarray(pixels[..., :3])
    share: F32 = alpha.astype(np.float32) / 255.0
    mixed = pixels[..., :3] * share + np.array(_BEHIND, np.float32) * (1.0 - share)
    return np.rint(mixed).astype(np.uint8)
