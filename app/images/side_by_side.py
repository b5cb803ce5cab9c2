"""Three pictures side by side, with titles and a colour scale for the third."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from ..animation.types import F64, U8
from .text import TextRenderer

PAPER = (30, 32, 36, 255)
_INK, _FAINT = (236, 238, 242, 255), (158, 164, 176, 255)
_DARK = (15, 15, 20, 255)
_GAP = 4  # pixels between pictures
_TEXT = 1 / 30  # font size, relative to the height of a picture
_SMALLEST = 11  # pixels
_LINE = 1.5  # line height, relative to the font size
_TITLE = 1.3  # font size of the title, relative to the others


@dataclass(frozen=True, slots=True)
class Panel:
    """One of the pictures."""

    title: str
    picture: U8 | None  # [H, W, 4]; None: `words` are shown instead
    words: str = ""
    mark: tuple[float, float] | None = None  # position of a ring: x right, y down, 0 to 1
    label: str = ""  # beside the ring


@dataclass(frozen=True, slots=True)
class ColourScale:
    """Legend of the colours of the third picture."""

    colours: F64  # [N, 3] sRGB, ascending
    numbers: Sequence[tuple[float, str]]  # position from 0 to 1, and its label
    within: tuple[float, float, float]  # colour of errors within the threshold
    words: str  # label of that colour


class PageLayout:
    """Layout of the pictures and texts, pixels.

    Parameters
    ----------
    cell
        Width and height of each picture.
    """

    def __init__(self, cell: tuple[int, int]) -> None:
        self.cell = cell
        self.text = max(_SMALLEST, cell[1] * _TEXT)
        self.line = round(self.text * _LINE)
        self.margin = self.line // 2
        self.top = self.margin + round(2 * self.line * _TITLE) + self.line  # of the pictures
        self.width = 2 * self.margin + 3 * (cell[0] + _GAP) - _GAP
        self.height = self.top + cell[1] + 2 * self.line + 2 * self.margin

    def draw(
        self, title: str, note: str, panels: Sequence[Panel], scale: ColourScale | None, foot: str
    ) -> U8:
        """Return the page [H, W, 4]: a title, a note, the pictures, a scale, a foot note."""
        sheet = Image.new("RGBA", (self.width, self.height), PAPER)
        draw = ImageDraw.Draw(sheet)
        right = self.width - self.margin
        self._write(draw, (self.margin, self.margin), title, right, _INK, _TITLE)
        second = self.margin + round(self.line * _TITLE)
        self._write(draw, (self.margin, second), note, right, _FAINT)
        for k, panel in enumerate(panels):
            self._panel(sheet, draw, self.margin + k * (self.cell[0] + _GAP), panel)
        last = self.margin + 2 * (self.cell[0] + _GAP)
        if scale is not None:
            self._scale(draw, last, scale)
        under = self.top + self.cell[1] + self.margin
        self._write(draw, (self.margin, under), foot, last - self.margin, _FAINT)
        return np.array(sheet)

    def _panel(
        self, sheet: Image.Image, draw: ImageDraw.ImageDraw, left: int, panel: Panel
    ) -> None:
        width, height = self.cell
        above = self.top - self.line
        self._write(draw, (left, above), panel.title, left + width, _INK)
        if panel.picture is None:
            place = left + self.margin, self.top + height // 2
            self._write(draw, place, panel.words, left + width - self.margin, _FAINT)
            return
        picture = Image.fromarray(panel.picture)
        if panel.mark is not None:
            self._ring(ImageDraw.Draw(picture), panel.mark, panel.label)
        sheet.alpha_composite(picture, (left, self.top))

    def _ring(self, draw: ImageDraw.ImageDraw, mark: tuple[float, float], label: str) -> None:
        """Draw a ring around a point of the picture, and its label, visible on any colour."""
        width, height = self.cell
        x, y = mark[0] * width, mark[1] * height
        radius = self.text * 0.8
        box = (x - radius, y - radius, x + radius, y + radius)
        draw.ellipse(box, outline=_DARK, width=5)
        inner = (box[0] + 1, box[1] + 1, box[2] - 1, box[3] - 1)
        draw.ellipse(inner, outline=_INK, width=3)
        letters = TextRenderer(self.text)
        length = letters.length(draw, label)
        at = x + radius * 1.4 if x < width / 2 else x - radius * 1.4 - length
        at = min(max(at, 2.0), max(width - length - 2.0, 2.0))
        level = min(max(y - self.text / 2, 2.0), height - self.line)
        letters.write(draw, (at, level), label, fill=_INK, stroke_width=2, stroke_fill=_DARK)

    def _scale(self, draw: ImageDraw.ImageDraw, left: int, scale: ColourScale) -> None:
        """Draw the colour bar below the third picture, with numbers below it."""
        top = self.top + self.cell[1] + self.margin
        height = max(6, self.line // 2)
        box = self.line
        grey = tuple(round(c * 255) for c in scale.within)
        draw.rectangle((left, top, left + box, top + height), fill=grey)
        words = self._write(draw, (left, top + height + 2), scale.words, left + self.cell[0] / 2.5)
        begin = max(round(words + self.text), left + box + 4)
        end = left + self.cell[0]
        if end - begin < 8:
            return
        steps = np.linspace(0, len(scale.colours) - 1, end - begin).round().astype(int)
        for k, step in enumerate(steps):
            colour = tuple(round(c * 255) for c in scale.colours[step])
            draw.line((begin + k, top, begin + k, top + height), fill=colour)
        letters = TextRenderer(self.text)
        used = begin - self.text
        for place, text in scale.numbers:
            length = letters.length(draw, text)
            x = begin + place * (end - begin - 1)
            at = min(max(x - length / 2, begin), end - length)
            if at < used + self.text / 2:
                continue
            draw.line((x, top, x, top + height + 3), fill=_INK)
            letters.write(draw, (at, top + height + 2), text, fill=_INK)
            used = at + length

    def _write(
        self,
        draw: ImageDraw.ImageDraw,
        place: tuple[float, float],
        text: str,
        limit: float,
        ink: tuple[int, int, int, int] = _FAINT,
        size: float = 1.0,
    ) -> float:
        """Draw a line of text up to x = `limit`, truncated, and return the end of the text."""
        return TextRenderer(self.text * size).line(draw, place, text, limit, fill=ink)
