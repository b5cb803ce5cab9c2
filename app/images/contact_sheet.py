"""Contact sheets: pictures in rows and columns with captions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from ..animation.types import U8
from .text import TextRenderer

_PAPER = (30, 32, 36, 255)
_INK, _FAINT = (236, 238, 242, 255), (158, 164, 176, 255)
_GAP = 2  # pixels between cells
_TEXT = 1 / 16  # font size, relative to the height of a cell
_SMALLEST_TEXT = 11  # pixels
_LINE = 1.5  # line height, relative to the font size
_TITLE = 1.35  # font size of the heading, relative to the others


@dataclass(frozen=True, slots=True)
class Row:
    """A row: a title, a note beside it, and a picture with a caption per column."""

    title: str
    note: str
    cells: Iterable[U8]  # each [H, W, 4], drawn lazily
    captions: Sequence[str]


class Layout:
    """Layout of a contact sheet, pixels.

    Parameters
    ----------
    cell
        Width and height of every picture.
    rows, columns
        Number of rows and columns.
    """

    def __init__(self, cell: tuple[int, int], rows: int, columns: int) -> None:
        self.cell = cell
        self.text = max(_SMALLEST_TEXT, cell[1] * _TEXT)
        self.line = round(self.text * _LINE)
        self.margin = self.line // 2
        self.head = self.margin + 2 * self.line
        self.row = self.line + cell[1] + self.line + self.margin
        self.width = 2 * self.margin + columns * (cell[0] + _GAP) - _GAP
        self.height = self.head + rows * self.row

    def column(self, index: int) -> int:
        """Return the left edge of a column."""
        return self.margin + index * (self.cell[0] + _GAP)


def contact_sheet(title: str, rows: Iterable[Row], layout: Layout) -> U8:
    """Return the contact sheet [H, W, 4]: a heading, and rows of pictures with titles."""
    sheet = Image.new("RGBA", (layout.width, layout.height), _PAPER)
    draw = ImageDraw.Draw(sheet)
    heading, letters = TextRenderer(layout.text * _TITLE), TextRenderer(layout.text)
    left, right = layout.margin, layout.width - layout.margin
    heading.line(draw, (left, layout.margin), title, right, fill=_INK)
    for index, row in enumerate(rows):
        top = layout.head + index * layout.row
        end = letters.line(draw, (left, top), row.title, right, fill=_INK)
        letters.line(draw, (end + layout.text, top), row.note, right, fill=_FAINT)
        under = top + layout.line + layout.cell[1] + layout.line // 6
        for column, (cell, caption) in enumerate(zip(row.cells, row.captions, strict=True)):
            x = layout.column(column)
            sheet.paste(Image.fromarray(cell), (x, top + layout.line))
            letters.line(draw, (x, under), caption, x + layout.cell[0], fill=_FAINT)
    return np.array(sheet)
