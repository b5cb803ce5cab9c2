"""Two instances compared as versions of one character, and the parts of the picture they fill."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from ..scenedoc.scene_doc import CompareMode
from ..scenedoc.view_modes import Swatch
from .instance import Instance


@dataclass(frozen=True, slots=True, eq=False)
class PicturePart:
    """A part of the picture between two upright edges, and what it shows.

    Attributes
    ----------
    ghosts
        Drawn as translucent shapes, where they are in front of `instances`.
    left, right
        The edges, of the width of the picture.
    shift
        How far to the right of its place everything is drawn, of the width.
    """

    instances: tuple[Instance, ...]
    ghosts: tuple[Instance, ...] = ()
    left: float = 0.0
    right: float = 1.0
    shift: float = 0.0

    def viewport(self, size: tuple[int, int]) -> tuple[int, int, int, int]:
        """Return the box that the camera's picture fills in a picture of a size, pixels.

        Left, bottom, width and height; all of them are whole, so that a shifted picture has the
        same pixels.
        """
        return round(self.shift * size[0]), 0, *size

    def scissor(self, size: tuple[int, int]) -> tuple[int, int, int, int]:
        """Return the box of the part in a picture: left, bottom, width and height, pixels."""
        left, right = (round(edge * size[0]) for edge in (self.left, self.right))
        return left, 0, right - left, size[1]

    def contains(self, x: float) -> bool:
        """Return whether a place of the picture, of its width, is in the part."""
        return self.left <= x < self.right


@dataclass(eq=False, slots=True)
class Versions:
    """Two instances at the same place, seen by the same camera.

    Attributes
    ----------
    scale
        Size of the new version relative to the old one, by which it is divided.
    edge
        Where the old version ends and the new one begins in a wipe, of the width of the picture.
    free
        Left and right end of the picture that no panel covers, of its width.
    painter
        Called after each update of the scene, to colour the new version.
    swatches
        The legend of the errors that colour the new version, (): none are known yet.
    """

    old: Instance
    new: Instance
    mode: CompareMode
    scale: float = 1.0
    edge: float = 0.5
    free: tuple[float, float] = (0.0, 1.0)
    painter: Callable[[Self], None] | None = None
    swatches: tuple[Swatch, ...] = ()

    @property
    def instances(self) -> list[Instance]:
        """Both instances, the old one first."""
        return [self.old, self.new]

    @property
    def middle(self) -> float:
        """The middle of what no panel covers, of the width of the picture."""
        return sum(self.free) / 2.0

    @property
    def parts(self) -> tuple[PicturePart, ...]:
        """The parts of the picture, from left to right."""
        old, new = (self.old,), (self.new,)
        if self.mode == "side-by-side":
            quarter = (self.free[1] - self.free[0]) / 4.0
            middle = self.middle
            return (
                PicturePart(old, right=middle, shift=middle - quarter - 0.5),
                PicturePart(new, left=middle, shift=middle + quarter - 0.5),
            )
        if self.mode == "wipe":
            return PicturePart(old, right=self.edge), PicturePart(new, left=self.edge)
        return (PicturePart(new, ghosts=old if self.mode == "overlaid" else ()),)
