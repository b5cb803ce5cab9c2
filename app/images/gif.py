"""Writer of animated GIFs with one global palette, without flicker.

The first pass counts the colours and stores the pictures, compressed; the second writes them.
Dithering is ordered, so that static areas are equal in every frame, and colours of the palette
are not dithered, so that a plain background stays plain.
"""

import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import IO, BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import GifImagePlugin, Image

from ..animation.types import F32, I32, U8, Bool

FASTEST = 50  # frames per second: most players replace a delay below 2/100 s by 1/10 s
CLEAR = 255  # palette index of transparent pixels
_COLOURS = 255
_IN_MEMORY = 64 << 20  # bytes of stored pictures in memory; more go to a file
_SAMPLES = 1 << 14  # sampled pixels per picture for the palette
_EXACT = 8  # greatest number of frequent colours that are exact in the palette
_BITS = 6  # bits per channel of the table from colour to palette
_SIDE = 1 << _BITS
_SHIFT = 8 - _BITS
_NEAR = 2.5  # levels: colours closer to the palette are not dithered
_SPREAD = 10.0  # levels, amplitude of the dithering


def write_gif(pictures: Iterator[U8], path: Path, rate: Fraction, *, loop: bool) -> None:
    """Write an animated GIF.

    Frame k ends at round(100 (k + 1) / rate) hundredths of a second, so that the duration is
    exact. Above 50 frames per second, frames are dropped.
    """
    ends: list[int] = []
    colours = _Colours()
    with tempfile.SpooledTemporaryFile(_IN_MEMORY, prefix="rigview-") as store:
        for picture in _limit_rate(pictures, rate, ends):
            size = picture.shape[1], picture.shape[0]
            colours.look(picture)
            packed = zlib.compress(picture.tobytes(), 1)
            store.write(len(packed).to_bytes(8, "little") + packed)
        store.seek(0)
        with path.open("wb") as file:
            frame_writer = _FrameWriter(colours.palette(), size, clear=colours.clear)
            file.write(_head(frame_writer.palette, size, loop=loop))
            before = 0
            for end in ends:
                frame_writer.write(file, _next_stored(store, size), end - before)
                before = end
            file.write(b";")


def _limit_rate(pictures: Iterator[U8], rate: Fraction, ends: list[int]) -> Iterator[U8]:
    """Yield at most 50 pictures per second, and append the end time of each to `ends`."""
    shown = -1
    for number, picture in enumerate(pictures):
        place = int(number * FASTEST / rate) if rate > FASTEST else number
        begin = 2 * place if rate > FASTEST else round(100 * number / rate)
        end = max(begin + 2, round(100 * (number + 1) / rate))
        if place == shown:
            ends[-1] = end
            continue
        if ends:
            ends[-1] = begin
        ends.append(end)
        shown = place
        yield picture


def _next_stored(store: IO[bytes], size: tuple[int, int]) -> U8:
    """Return the next stored picture [H, W, 4]."""
    length = int.from_bytes(store.read(8), "little")
    pixels = np.frombuffer(zlib.decompress(store.read(length)), np.uint8)
    return pixels.reshape(size[1], size[0], 4)


class _Colours:
    """Colour histogram of fixed size."""

    def __init__(self) -> None:
        self.clear = False  # whether any pixel is transparent
        self._counts = np.zeros(_SIDE**3)
        self._sums = np.zeros((3, _SIDE**3))
        self._often: Counter[int] = Counter()  # exact colours, 0xrrggbb

    def look(self, picture: U8) -> None:
        """Count the colours of a picture [H, W, 4], sampled on a grid."""
        step = max(1, int((picture.shape[0] * picture.shape[1] / _SAMPLES) ** 0.5))
        self.clear = self.clear or bool((picture[..., 3] < 128).any())
        seen = picture[step // 2 :: step, step // 2 :: step].reshape(-1, 4)
        seen = seen[seen[:, 3] >= 128, :3]
        if not len(seen):
            return
        cells = _cells(seen)
        self._counts += np.bincount(cells, minlength=_SIDE**3)
        for channel in range(3):
            self._sums[channel] += np.bincount(cells, seen[:, channel], minlength=_SIDE**3)
        exact, counts = np.unique(seen @ np.array([1 << 16, 1 << 8, 1]), return_counts=True)
        for place in np.argsort(-counts)[: 2 * _EXACT].tolist():
            self._often[int(exact[place])] += int(counts[place])

    def palette(self) -> U8:
        """Return up to 255 colours [C, 3]; the most frequent are exact."""
        used = np.flatnonzero(self._counts)
        if not len(used):
            return np.zeros((1, 3), np.uint8)
        means = np.rint(self._sums[:, used] / self._counts[used]).T.astype(np.uint8)
        weight = np.sqrt(self._counts[used])  # keeps the colours of small bright objects
        times = np.maximum(1, np.rint(weight / weight.sum() * 4 * len(used))).astype(np.intp)
        samples = Image.fromarray(np.repeat(means, times, axis=0)[None])
        found = samples.quantize(_COLOURS, Image.Quantize.MEDIANCUT, kmeans=1).getpalette() or []
        palette: U8 = np.array(found, np.uint8).reshape(-1, 3)[:_COLOURS]
        total = self._counts.sum()
        taken: set[int] = set()
        for colour, count in self._often.most_common(_EXACT):
            if count < 0.01 * total:
                break
            exact = np.array([colour >> 16, colour >> 8 & 255, colour & 255])
            away = ((palette.astype(np.int32) - exact) ** 2).sum(axis=1)
            away[sorted(taken)] = 1 << 30
            nearest = int(away.argmin())
            palette[nearest] = exact
            taken.add(nearest)
        return palette


class _FrameWriter:
    """Writer of frames, each reduced to the area that differs from the frame before."""

    def __init__(self, palette: U8, size: tuple[int, int], *, clear: bool) -> None:
        self.palette = palette
        self._clear = clear
        self._shown: U8 | None = None
        self._table = _Table(palette)
        rows, columns = np.indices((size[1], size[0]))
        self._grain: I32 = _bayer()[rows % 8, columns % 8][..., None]

    def write(self, file: BinaryIO, picture: U8, delay: int) -> None:
        """Write a frame [H, W, 4] with a delay in hundredths of a second."""
        chosen = self._choose(picture)
        if self._clear:
            drawn = chosen != CLEAR
        elif self._shown is None:
            drawn = np.ones(chosen.shape, bool)
        else:
            drawn = chosen != self._shown
        first = self._shown is None
        self._shown = chosen
        rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
        top, bottom = (rows[0], rows[-1] + 1) if len(rows) else (0, 1)
        left, right = (columns[0], columns[-1] + 1) if len(columns) else (0, 1)
        part = np.where(drawn, chosen, np.uint8(CLEAR))[top:bottom, left:right]
        transparent = self._clear or not first
        options = {"transparency": CLEAR} if transparent else {}
        image = Image.fromarray(np.ascontiguousarray(part))
        image.putpalette(self.palette.tobytes())
        disposal = 2 if self._clear else 1  # restore to background, or keep
        blocks = GifImagePlugin.getdata(
            image, (int(left), int(top)), duration=10 * delay, disposal=disposal, **options
        )
        file.writelines(blocks)

    def _choose(self, picture: U8) -> U8:
        """Return the palette index of every pixel [H, W]."""
        colours = picture[..., :3]
        cells = _cells(colours)
        dithered = np.clip(colours + self._grain, 0, 255)
        cells = np.where(self._table.is_plain(cells), cells, _cells(dithered))
        chosen = self._table.nearest(cells)
        if self._clear:
            alpha = picture[..., 3]
            shadow = (alpha < 255) & ~colours.any(axis=-1)
            chosen[(alpha < 128) | shadow] = CLEAR
        return chosen


def _cells(colours: U8 | I32) -> I32:
    """Return the cell of the table [...] for colours [..., 3]."""
    few = colours.astype(np.int32) >> _SHIFT
    cells: I32 = (few[..., 0] << 2 * _BITS) | (few[..., 1] << _BITS) | few[..., 2]
    return cells


class _Table:
    """Nearest palette colour of every cell, computed for a cell when it first occurs."""

    def __init__(self, palette: U8) -> None:
        self._colours = palette.astype(np.float32)
        self._squares = (self._colours**2).sum(axis=1)
        self._nearest = np.zeros(_SIDE**3, np.uint8)
        self._plain = np.zeros(_SIDE**3, bool)
        self._known = np.zeros(_SIDE**3, bool)
        cells = _cells(palette)  # a colour of the palette is itself
        self._nearest[cells] = np.arange(len(palette))
        self._plain[cells] = True
        self._known[cells] = True

    def nearest(self, cells: I32) -> U8:
        """Return the index of the nearest palette colour for cells [...]."""
        self._compute(cells)
        return self._nearest[cells]

    def is_plain(self, cells: I32) -> Bool:
        """Return for cells [...] whether their colour needs no dithering."""
        self._compute(cells)
        return self._plain[cells]

    def _compute(self, cells: I32) -> None:
        new = np.zeros(_SIDE**3, bool)
        new[cells] = True
        new &= ~self._known
        self._known |= new
        missing = np.flatnonzero(new)
        for begin in range(0, len(missing), 1 << 14):
            few = missing[begin : begin + (1 << 14)]
            points = _middles(few)
            distance = self._squares - 2.0 * points @ self._colours.T
            self._nearest[few] = distance.argmin(axis=1)
            away = distance.min(axis=1) + (points**2).sum(axis=1)
            self._plain[few] = away <= _NEAR**2


def _middles(cells: NDArray[np.intp]) -> F32:
    """Return the colours [C, 3] in the middle of cells [C]."""
    channels = np.stack([cells >> 2 * _BITS, cells >> _BITS, cells], axis=-1) & (_SIDE - 1)
    half = (1 << _SHIFT) / 2 - 0.5
    middles: F32 = channels.astype(np.float32) * (1 << _SHIFT) + np.float32(half)
    return middles


def _bayer() -> I32:
    """Return the Bayer matrix [8, 8] of ordered dithering, in levels around 0."""
    pattern = np.zeros((1, 1))
    for _ in range(3):
        pattern = np.block([[4 * pattern, 4 * pattern + 2], [4 * pattern + 3, 4 * pattern + 1]])
    return np.rint(((pattern + 0.5) / 64 - 0.5) * _SPREAD).astype(np.int32)


def _head(palette: U8, size: tuple[int, int], *, loop: bool) -> bytes:
    """Return everything before the first frame."""
    table = palette.tobytes().ljust(3 * 256, b"\0")
    sides = b"".join(side.to_bytes(2, "little") for side in size)
    again = b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0" if loop else b""
    return b"GIF89a" + sides + b"\xf7\0\0" + table + again
