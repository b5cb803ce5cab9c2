"""Text on pictures: with the font bundled with Pillow, and system fonts for what it lacks."""

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, Literal
from unicodedata import category, combining

from PIL import ImageDraw, ImageFont

from . import fallback_fonts

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
Anchor = Literal["la", "ls", "ms", "rs"]  # as Pillow has them
Place = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom; pixels
_BEFORE: dict[str, float] = {
    "ls": 0.0,
    "ms": 0.5,
    "rs": 1.0,
}  # share of the width left of the position


class TextRenderer:
    """Draws text of one size, in any script that the system has a font for.

    Parameters
    ----------
    size
        Font size, pixels.
    """

    def __init__(self, size: float) -> None:
        self._size = size
        self._font = ImageFont.load_default(size)

    def length(self, draw: ImageDraw.ImageDraw, text: str) -> float:
        """Return the width of a text, pixels."""
        return float(sum(draw.textlength(part, font=font) for part, font in self._runs(text)))

    def box(self, draw: ImageDraw.ImageDraw, text: str) -> Box:
        """Return the bounding box of a text drawn at (0, 0)."""
        boxes = [
            draw.textbbox(at, part, font=font, anchor=anchor)
            for part, font, at, anchor in self._placed(draw, (0.0, 0.0), text)
        ]
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)

    def line(
        self,
        draw: ImageDraw.ImageDraw,
        place: Place,
        text: str,
        limit: float,
        fill: tuple[int, int, int, int],
    ) -> float:
        """Draw a line from its top left corner up to x = `limit`; return the end of the text.

        It is truncated, with U+FFFD in place of control characters, which file names may contain.
        """
        text = "".join(c if c.isprintable() else "\ufffd" for c in text)
        text = self.cut(draw, text, limit - place[0])
        self.write(draw, place, text, fill=fill)
        return place[0] + self.length(draw, text)

    def cut(self, draw: ImageDraw.ImageDraw, text: str, room: float) -> str:
        """Return a text truncated to a width; "" if not even its first character fits."""
        if self.length(draw, text) <= room:
            return text
        fit = bisect_right(
            range(1, len(text)), room, key=lambda count: self.length(draw, text[:count] + "...")
        )
        return text[:fit] + "..." if fit else ""

    def write(
        self,
        draw: ImageDraw.ImageDraw,
        place: Place,
        text: str,
        *,
        anchor: Anchor = "la",
        **how: Any,  # noqa: ANN401 - arguments of `ImageDraw.text`
    ) -> None:
        """Draw a text with its anchor at a position."""
        for part, font, at, held in self._placed(draw, place, text, anchor):
            draw.text(at, part, font=font, anchor=held, **how)

    def _placed(
        self, draw: ImageDraw.ImageDraw, place: Place, text: str, anchor: Anchor = "la"
    ) -> Iterator[tuple[str, Font, Place, str]]:
        """Yield the parts of a text with font, position and anchor, on a common baseline."""
        runs = self._runs(text)
        if len(runs) == 1 and runs[0][1] is self._font:
            yield text, self._font, place, anchor
            return
        x, base = place
        if anchor == "la":
            base += self._ascent()
        else:
            x -= self.length(draw, text) * _BEFORE[anchor]
        for part, font in runs:
            yield part, font, (x, base), "ls"
            x += float(draw.textlength(part, font=font))

    def _ascent(self) -> float:
        font = self._font
        return float(font.getmetrics()[0]) if isinstance(font, ImageFont.FreeTypeFont) else 0.0

    def _runs(self, text: str) -> list[tuple[str, Font]]:
        """Return the runs of a text with the same font; spaces and marks join the preceding run."""
        if text.isascii() or not isinstance(self._font, ImageFont.FreeTypeFont):
            return [(text, self._font)]
        faces: list[tuple[str, Path | None]] = []
        for letter in text:
            joins = bool(faces) and (letter.isspace() or combining(letter) != 0)
            faces.append((letter, faces[-1][1] if joins else _face(letter)))
        return [
            ("".join(letter for letter, _ in run), self._sized(face))
            for face, run in groupby(faces, key=lambda pair: pair[1])
        ]

    def _sized(self, face: Path | None) -> Font:
        return self._font if face is None else _opened(face, self._size)


@lru_cache(maxsize=4096)
def _face(letter: str) -> Path | None:
    """Return the font for a character; None: the font bundled with Pillow."""
    base = ImageFont.load_default(16)
    if letter.isascii() or not isinstance(base, ImageFont.FreeTypeFont):
        return None
    if fallback_fonts.shows(base)(letter):
        return None
    found = fallback_fonts.covering(letter)
    if not found and category(letter)[0] in "LNPS":  # no mark, space or control character
        fallback_fonts.undrawn.add(letter)
    return found[0] if found else None


@lru_cache(maxsize=64)
def _opened(path: Path, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), size)
