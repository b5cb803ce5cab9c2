"""Swatches: a legend of colours on a picture, in a column or a row."""

from collections.abc import Sequence

from PIL import ImageDraw

from ..scenedoc.view_modes import Swatch
from .text import TextRenderer

_INK = (255, 255, 255, 255)
_STEP = 1.5  # from a swatch to the one below it, of the font size
_WIDE = 1.4  # width of a swatch
_LABEL = 2.0  # from the left edge of a swatch to its label


class Swatches:
    """Colours with labels of one font size.

    Parameters
    ----------
    swatches
        From below to above, or from left to right.
    size
        Font size, and height of a swatch, pixels.
    across
        Whether they are a row.
    """

    def __init__(
        self, draw: ImageDraw.ImageDraw, swatches: Sequence[Swatch], size: int, *, across: bool
    ) -> None:
        self._draw = draw
        self._letters, self._size = TextRenderer(size), size
        self._swatches = swatches if across else swatches[::-1]
        wide = max(self._letters.length(draw, each.label) for each in swatches)
        cell = round(wide + _LABEL * size), round(_STEP * size)
        self._step = (cell[0] + size, 0) if across else (0, cell[1])
        count = len(swatches) - 1
        self.width = cell[0] + count * self._step[0]
        self.height = size + count * self._step[1]

    def draw(self, left: float, top: float) -> None:
        """Draw them to the right of and below a point."""
        draw, size = self._draw, self._size
        for number, swatch in enumerate(self._swatches):
            x, y = left + number * self._step[0], top + number * self._step[1]
            color = tuple(round(255 * c) for c in swatch.colour)
            draw.rectangle((x, y, x + _WIDE * size, y + size), fill=color)
            place = x + _LABEL * size, y + 0.9 * size
            self._letters.write(draw, place, swatch.label, anchor="ls", fill=_INK)
