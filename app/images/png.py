"""PNG encoding, without Pillow: importing it would take longer than encoding a small picture."""

import io
import struct
import zlib

import numpy as np

from ..animation.types import U8

_COMPRESSION = 3  # of zlib: within a tenth of the size of 6, in two thirds of its time
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGB, _RGBA = 2, 6  # colour types
_LEFT, _ABOVE = 1, 2  # filters: differences to the pixel on the left, or above


def as_png(pixels: U8) -> bytes:
    """Return a picture [H, W, 4] (sRGB, straight alpha) as PNG; without alpha if opaque."""
    height, width = pixels.shape[:2]
    opaque = bool((pixels[..., 3] == 255).all())
    channels = 3 if opaque else 4
    rows = np.ascontiguousarray(pixels[..., :channels]).reshape(height, width * channels)
    header = struct.pack(">IIBBBBB", width, height, 8, _RGB if opaque else _RGBA, 0, 0, 0)
    data = zlib.compress(_filtered(rows, channels).data, _COMPRESSION)
    chunks = (b"IHDR", header), (b"IDAT", data), (b"IEND", b"")
    return _SIGNATURE + b"".join(_chunk(kind, content) for kind, content in chunks)


def read_png(data: bytes, size: tuple[int, int]) -> U8 | None:
    """Return the pixels [H, W, 4] of a PNG, None if it is damaged or has another size."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as found:
            return np.asarray(found.convert("RGBA")) if found.size == size else None
    except (OSError, ValueError, SyntaxError):
        return None


def _filtered(rows: U8, channels: int) -> U8:
    """Return rows [H, N] of bytes as [H, 1 + N]: the filter of each row, and what it leaves.

    Of two filters it is the one whose differences are smaller, as the specification suggests.
    """
    left, above = rows.copy(), rows.copy()
    left[:, channels:] -= rows[:, :-channels]
    above[1:] -= rows[:-1]
    sums = [np.abs(each.view(np.int8), dtype=np.int16).sum(axis=1) for each in (left, above)]
    is_above = sums[1] < sums[0]
    out = np.empty((rows.shape[0], 1 + rows.shape[1]), np.uint8)
    out[:, 0] = np.where(is_above, _ABOVE, _LEFT)
    np.copyto(out[:, 1:], left)
    np.copyto(out[:, 1:], above, where=is_above[:, None])
    return out


def _chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(content, zlib.crc32(kind)))
    )
