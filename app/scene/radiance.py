"""Radiance .hdr pictures (RGBE), read by scanlines so that large ones need little memory.

Sources: Ward, "Real Pixels", Graphics Gems II (1991); the file format of Radiance, with both of its
run-length encodings: https://radsite.lbl.gov/radiance/refer/filefmts.pdf
"""

import re
from collections.abc import Iterator

import numpy as np

from ..animation.types import F32, U8
from ..file_io import HEAD

_SIZE = re.compile(rb"-Y (\d{1,9}) \+X (\d{1,9})")
_HEADER = HEAD - 100  # bytes: longer headers are refused
_WIDTHS = range(8, 32768)  # of scanlines with the newer encoding
_LITERAL = 128  # greatest count of unequal bytes; above it, of equal ones


class RadianceFile:
    """A Radiance picture.

    Parameters
    ----------
    data
        The bytes of a file.

    Raises
    ------
    ValueError
        It is not a Radiance picture with rows from top to bottom.
    """

    def __init__(self, data: bytes) -> None:
        head, _, _ = data[:_HEADER].partition(b"\n\n")
        start = len(head) + 2
        end = data.find(b"\n", start, start + 100)
        size = _SIZE.fullmatch(data[start : max(end, start)].strip())
        if not data.startswith((b"#?RADIANCE", b"#?RGBE")) or size is None:
            raise ValueError("not a Radiance picture with rows from top to bottom")
        if b"FORMAT=32-bit_rle_xyze" in head:
            raise ValueError("XYZ colours are not supported")
        self.height, self.width = int(size[1]), int(size[2])
        self._data = data
        self._at = end + 1

    def chunks(self, rows: int) -> Iterator[F32]:
        """Yield the rows from the top, some at a time [n, W, 3], linear.

        Raises
        ------
        ValueError
            The file is damaged.
        """
        self._position = self._at
        for top in range(0, self.height, rows):
            count = min(rows, self.height - top)
            yield _light(np.stack([self._scanline() for _ in range(count)]))

    def _scanline(self) -> U8:
        """Return the next row [W, 4]: three mantissas and an exponent."""
        start = self._data[self._position : self._position + 4]
        if len(start) < 4:
            raise ValueError("it is truncated")
        if self.width in _WIDTHS and start == bytes((2, 2, self.width >> 8, self.width & 255)):
            self._position += 4
            return self._new_scanline()
        return self._old_scanline()

    def _new_scanline(self) -> U8:
        """Read a row whose components are stored one after the other, each in runs."""
        data, at, size = self._data, self._position, 4 * self.width
        row = bytearray()
        while len(row) < size:
            room = self.width - len(row) % self.width  # runs end with the component
            try:
                count = data[at]
                equal = count > _LITERAL
                count -= _LITERAL if equal else 0
                part = data[at + 1 : at + 2] * count if equal else data[at + 1 : at + 1 + count]
            except IndexError:
                raise ValueError("it is truncated") from None
            if not 0 < count <= room:
                raise ValueError("a run is longer than its row")
            if len(part) < count:
                raise ValueError("it is truncated")
            row += part
            at += 2 if equal else 1 + count
        self._position = at
        return np.frombuffer(row, np.uint8).reshape(4, self.width).T

    def _old_scanline(self) -> U8:
        """Read a row of whole pixels; (1, 1, 1, n) repeats the last one n times."""
        data, at = self._data, self._position
        pixels = np.frombuffer(data, np.uint8, min(self.width, (len(data) - at) // 4) * 4, at)
        pixels = pixels.reshape(-1, 4)
        if len(pixels) == self.width and not (pixels[:, :3] == 1).all(axis=1).any():
            self._position = at + 4 * self.width
            return pixels
        return self._repeated_pixels()

    def _repeated_pixels(self) -> U8:
        data, at, size = self._data, self._position, 4 * self.width
        row, shift = bytearray(), 0
        while len(row) < size:
            pixel = data[at : at + 4]
            at += 4
            if len(pixel) < 4:
                raise ValueError("it is truncated")
            if pixel[:3] != b"\1\1\1":
                row += pixel
                shift = 0
                continue
            count = pixel[3] << shift
            if not row or shift > 16 or len(row) + 4 * count > size:
                raise ValueError("a run is longer than its row")
            row += row[-4:] * count
            shift += 8
        self._position = at
        return np.frombuffer(row, np.uint8).reshape(self.width, 4)


def _light(rgbe: U8) -> F32:
    """Return linear light [..., 3] of mantissas and exponents [..., 4]."""
    exponent = rgbe[..., 3].astype(np.int32)
    scale: F32 = np.where(exponent > 0, np.ldexp(np.float32(1), exponent - 136), np.float32(0))
    return rgbe[..., :3].astype(np.float32) * scale[..., None]
