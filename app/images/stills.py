"""The formats of single pictures, by file ending.

A .png has transparency, a .jpg has none, an .exr has light before tone mapping.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..animation.types import F32, U8
from ..fields.readers import Colour
from .png import as_png

OPAQUE = (".jpg", ".jpeg")
DISPLAYED = (".png", *OPAQUE)  # as on a screen
LINEAR = ".exr"
ENDINGS = (*DISPLAYED, LINEAR)
QUALITY = 92  # of a .jpg, 0 to 100
_BEHIND = ((38 / 255, 40 / 255, 44 / 255, 1.0),)  # sRGB: the dark theme's background


def is_linear(target: str) -> bool:
    """Return whether the picture of a file has light, and raise if it cannot be written here.

    Raises
    ------
    OutputError
        PyAV, which writes it, is not installed.
    """
    if Path(target).suffix.lower() != LINEAR:
        return False
    from .exr import CODEC
    from .video import require_encoder

    require_encoder(LINEAR, CODEC, "write .png")
    return True


def as_still(pixels: U8 | F32, target: str, behind: Sequence[Colour] | None = None) -> bytes:
    """Return a picture [H, W, 4] in the format of a file name, else as PNG.

    Parameters
    ----------
    pixels
        sRGB, straight alpha; of an .exr light, premultiplied, as float32.
    behind
        Colours behind transparent pixels of a .jpg, from top to bottom; None: a dark grey. It has
        full colour resolution (4:4:4).
    """
    if pixels.dtype != np.uint8:
        from .exr import as_exr

        return as_exr(pixels.astype(np.float32, copy=False))
    shown = pixels.astype(np.uint8, copy=False)
    if Path(target).suffix.lower() in OPAQUE:
        return _as_jpeg(shown, behind or _BEHIND)
    return as_png(shown)


def _as_jpeg(pixels: U8, behind: Sequence[Colour]) -> bytes:
    import io

    from PIL import Image

    buffer = io.BytesIO()
    opaque = _opaque(pixels, behind)
    Image.fromarray(opaque).save(buffer, "JPEG", quality=QUALITY, subsampling=0)
    return buffer.getvalue()


def _opaque(pixels: U8, behind: Sequence[Colour]) -> U8:
    """Return a picture [H, W, 3] over colours."""
    alpha = pixels[..., 3:]
    if (alpha == 255).all():
        return np.ascontiguousarray(pixels[..., :3])
    share: F32 = alpha.astype(np.float32) / 255.0
    stops = np.array(behind, np.float32)[:, :3] * 255.0
    rows = np.linspace(0.0, len(stops) - 1.0, len(pixels))
    back = np.stack([np.interp(rows, np.arange(len(stops)), c) for c in stops.T], axis=-1)
    mixed = pixels[..., :3] * share + back[:, None] * (1.0 - share)
    return np.rint(mixed).astype(np.uint8)
