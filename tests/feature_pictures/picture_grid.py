"""A plate: cells drawn by the program from files made here, side by side in one golden picture."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

SMALL = (64, 64)


@dataclass(frozen=True)
class Cell:
    """One picture of a plate: what it shows, and the options that it is drawn with.

    Attributes
    ----------
    label
        What it shows, for who looks at it, and for the message where it is not as it was.
    make
        Returns the builder of its file; cells with the same one share the file.
    clip
        Index of the clip, None: the first one.
    time
        Seconds.
    options
        Of `rigview render`; those of the plate come first.
    """

    label: str
    make: Callable
    time: float | None = None
    clip: int | None = None
    options: Mapping = field(default_factory=dict)


@dataclass(frozen=True)
class Plate:
    """Cells of one feature, row by row.

    Attributes
    ----------
    name
        That of its golden.
    what
        What is to be seen, in words.
    size
        Width and height of a cell, pixels.
    options
        Of `rigview render`, for all cells.
    needs
        Modules without which its files cannot be read.
    """

    name: str
    what: str
    cells: tuple[Cell, ...]
    columns: int = 4
    size: tuple[int, int] = SMALL
    options: Mapping = field(default_factory=dict)
    needs: tuple[str, ...] = ()

    def place(self, number):
        """Rows and columns of a cell's pixels in the picture, as slices."""
        width, height = self.size
        row, column = divmod(number, self.columns)
        return (
            slice(row * height, (row + 1) * height),
            slice(column * width, (column + 1) * width),
        )

    def whole(self, pictures):
        """The picture [H, W, 4] of all cells."""
        width, height = self.size
        rows = -(-len(self.cells) // self.columns)
        out = np.zeros((rows * height, min(self.columns, len(self.cells)) * width, 4), np.uint8)
        for number, picture in enumerate(pictures):
            out[self.place(number)] = picture
        return out

    def unlike(self, one, other):
        """Labels of the cells that differ between two pictures of this plate."""
        if one.shape != other.shape:
            return ["the size"]
        return [
            cell.label
            for number, cell in enumerate(self.cells)
            if (one[self.place(number)] != other[self.place(number)]).any()
        ]


def cells(make, labels, **options):
    """A cell a label, of one file; each of the options is a list with a value a cell."""
    fields = {name: options.pop(name) for name in ("time", "clip") if name in options}
    return tuple(
        Cell(
            label,
            make,
            options={name: values[k] for name, values in options.items() if values[k] is not None},
            **{name: values[k] for name, values in fields.items()},
        )
        for k, label in enumerate(labels)
    )


def moments(make, *times, clip=None, label="{} s", **options):
    """A cell a moment of one clip."""
    return tuple(Cell(label.format(t), make, t, clip, options) for t in times)
