"""Writer of animated WebP (RFC 9649), frame by frame: Pillow would keep all in memory."""

import io
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

import numpy as np
from PIL import Image

from ..animation.types import U8, Bool

QUALITY = 88
_METHOD = 3  # of libwebp, 0 to 6: higher ones are much slower and hardly smaller


def write_webp(frames: Iterator[U8], path: Path, frame_rate: Fraction, *, loop: bool) -> None:
    """Write an animated WebP; each frame holds only the part that differs from the one before.

    Frame k ends at round(1000 (k + 1) / frame_rate) ms, so that the duration is exact.
    """
    with path.open("wb") as file:
        file.write(b"RIFF\0\0\0\0WEBP")
        previous: U8 | None = None
        alpha = False
        now = 0
        for number, frame in enumerate(frames, 1):
            if previous is None:
                height, width = frame.shape[:2]
                file.write(_chunk(b"VP8X", bytes(4) + _uint24(width - 1) + _uint24(height - 1)))
                file.write(_chunk(b"ANIM", bytes(4) + (0 if loop else 1).to_bytes(2, "little")))
            end = round(1000 * number / frame_rate)
            alpha |= bool((frame[..., 3] < 255).any())
            _write_frame(file, frame, previous, end - now)
            previous, now = frame, end
        size = file.tell() - 8
        file.seek(4)
        file.write(size.to_bytes(4, "little"))
        file.seek(20)
        file.write(bytes([0x02 | (0x10 if alpha else 0)]))  # animation, alpha


def _write_frame(file: BinaryIO, frame: U8, previous: U8 | None, duration: int) -> None:
    x, y, part = 0, 0, frame
    if previous is not None:
        x, y, right, bottom = _box((frame != previous).any(axis=-1))
        part = frame[y:bottom, x:right]
    buffer = io.BytesIO()
    opaque = bool((part[..., 3] == 255).all())
    pixels = np.ascontiguousarray(part[..., :3] if opaque else part)
    Image.fromarray(pixels).save(buffer, "WEBP", quality=QUALITY, method=_METHOD)
    height, width = part.shape[:2]
    head = [x // 2, y // 2, width - 1, height - 1, duration]
    overwrite = b"\x02"  # no blending, no disposal
    data = b"".join(map(_uint24, head)) + overwrite + _image(buffer.getvalue())
    file.write(_chunk(b"ANMF", data))


def _box(changed: Bool) -> tuple[int, int, int, int]:
    """Return left, top (both even), right, bottom of the changes; one pixel without changes."""
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not len(rows):
        return 0, 0, 1, 1
    return (
        int(columns[0]) // 2 * 2,
        int(rows[0]) // 2 * 2,
        int(columns[-1]) + 1,
        int(rows[-1]) + 1,
    )


def _image(webp: bytes) -> bytes:
    """Return the image chunks of a still WebP."""
    chunks = b""
    offset = 12
    while offset + 8 <= len(webp):
        size = int.from_bytes(webp[offset + 4 : offset + 8], "little")
        end = offset + 8 + size + size % 2
        if webp[offset : offset + 4] in (b"ALPH", b"VP8 ", b"VP8L"):
            chunks += webp[offset:end]
        offset = end
    return chunks


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + len(data).to_bytes(4, "little") + data + bytes(len(data) % 2)


def _uint24(number: int) -> bytes:
    return number.to_bytes(3, "little")
