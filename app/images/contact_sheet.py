"""Contact sheets: pictures in rows and columns with captions."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from PIL import Image, ImageDraw

from ..animation.types import U8
from ..scenedoc.view_modes import Swatch
from .swatches import Swatches
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
    lines
        Number of lines of rows.
    columns
        Number of pictures of a row.
    beside
        Number of rows in a line.
    """

    def __init__(self, cell: tuple[int, int], lines: int, columns: int, beside: int = 1) -> None:
        self.cell = cell
        self.columns = columns
        self.beside = beside
        self.places = lines * beside  # of rows
        self.text = max(_SMALLEST_TEXT, cell[1] * _TEXT)
        self.line = round(self.text * _LINE)
        self.margin = self.line // 2
        self.head = self.margin + 2 * self.line
        self.row = self.line + cell[1] + self.line + self.margin
        self.width = 2 * self.margin + columns * beside * (cell[0] + _GAP) - _GAP
        self.height = self.head + lines * self.row

    def column(self, index: int) -> int:
        """Return the left edge of a column."""
        return self.margin + index * (self.cell[0] + _GAP)


def folded(rows: Iterable[Row], columns: int) -> Iterator[Row]:
    """Yield rows of at most so many pictures; longer ones are continued in rows without title."""
    for row in rows:
        cells, captions = iter(row.cells), row.captions
        for first in range(0, len(captions), columns):
            part = captions[first : first + columns]
            titles = ("", "") if first else (row.title, row.note)
            yield Row(*titles, islice(cells, len(part)), part)


def contact_sheet(
    title: str, rows: Iterable[Row], layout: Layout, swatches: Sequence[Swatch] = ()
) -> U8:
    """Return the contact sheet [H, W, 4]: a heading, and rows of pictures with titles.

    `swatches` are a legend beside the heading, if half of the sheet is wide enough for it.
    """
    sheet = Image.new("RGBA", (layout.width, layout.height), _PAPER)
    draw = ImageDraw.Draw(sheet)
    heading, letters = TextRenderer(layout.text * _TITLE), TextRenderer(layout.text)
    edge = layout.width - layout.margin
    legend = Swatches(draw, swatches, round(layout.text), across=True) if swatches else None
    if legend is not None and 2 * legend.width < layout.width:
        edge -= legend.width + layout.margin
        legend.draw(edge + layout.margin, layout.margin + round(layout.text * 0.2))
    heading.line(draw, (layout.margin, layout.margin), title, edge, fill=_INK)
    for index, row in enumerate(rows):
        line, place = divmod(index, layout.beside)
        first, top = place * layout.columns, layout.head + line * layout.row
        right = layout.column(first + layout.columns) - _GAP
        end = letters.line(draw, (layout.column(first), top), row.title, right, fill=_INK)
        letters.line(draw, (end + layout.text, top), row.note, right, fill=_FAINT)
        under = top + layout.line + layout.cell[1] + layout.line // 6
        for column, (cell, caption) in enumerate(zip(row.cells, row.captions, strict=True), first):
            x = layout.column(column)
            sheet.paste(Image.fromarray(cell), (x, top + layout.line))
            letters.line(draw, (x, under), caption, x + layout.cell[0], fill=_FAINT)
    return np.array(sheet)
