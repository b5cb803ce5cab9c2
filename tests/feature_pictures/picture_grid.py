"""A feature picture: a grid of renders of small generated files, stored as one golden."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

SMALL = (64, 64)


@dataclass(frozen=True)
class Cell:
    """One render of a feature picture.

    Attributes
    ----------
    label
        What the render shows; part of the message if it differs from the golden.
    make
        Function that returns the builder of the file; cells with the same function share a file.
    clip
        Index of the clip; None: the first clip.
    time
        Seconds.
    options
        Options of `rigview render`, added to those of the feature picture.
    """

    label: str
    make: Callable
    time: float | None = None
    clip: int | None = None
    options: Mapping = field(default_factory=dict)


@dataclass(frozen=True)
class FeaturePicture:
    """Cells of one feature, in rows.

    Attributes
    ----------
    name
        Name of the golden.
    description
        What the picture shows.
    size
        Width and height of a cell in pixels.
    options
        Options of `rigview render` for all cells.
    needs
        Optional packages that read its files.
    """

    name: str
    description: str
    cells: tuple[Cell, ...]
    columns: int = 4
    size: tuple[int, int] = SMALL
    options: Mapping = field(default_factory=dict)
    needs: tuple[str, ...] = ()

    def cell_slices(self, number):
        """The rows and columns of a cell's pixels, as slices."""
        width, height = self.size
        row, column = divmod(number, self.columns)
        return (
            slice(row * height, (row + 1) * height),
            slice(column * width, (column + 1) * width),
        )

    def compose(self, pictures):
        """The picture [H, W, 4] of all cells."""
        width, height = self.size
        rows = -(-len(self.cells) // self.columns)
        out = np.zeros((rows * height, min(self.columns, len(self.cells)) * width, 4), np.uint8)
        for number, picture in enumerate(pictures):
            out[self.cell_slices(number)] = picture
        return out

    def differing_cells(self, one, other):
        """The labels of the cells that differ between two versions of this picture."""
        if one.shape != other.shape:
            return ["the size"]
        return [
            cell.label
            for number, cell in enumerate(self.cells)
            if (one[self.cell_slices(number)] != other[self.cell_slices(number)]).any()
        ]


def cells(make, labels, **options):
    """Cells of one file, one for each label; each option is a list with one value per cell."""
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
    """Cells of one clip, one for each time."""
    return tuple(Cell(label.format(t), make, t, clip, options) for t in times)
