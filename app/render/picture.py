"""What passes draw into: a part of a framebuffer, as large as the finished picture or larger."""

from dataclasses import dataclass
from typing import ClassVar

import moderngl

from ..scene.versions import PicturePart

Rectangle = tuple[int, int, int, int]  # left, bottom, width and height, pixels
Color = tuple[float, float, float, float]  # sRGB, premultiplied
CLEAR: Color = 0.0, 0.0, 0.0, 0.0


@dataclass(frozen=True, slots=True)
class Picture:
    """A part of a picture, and the framebuffer that it is drawn into.

    Attributes
    ----------
    size
        Width and height of the whole finished picture, pixels.
    color
        What the part is cleared with.
    divisor
        How many times larger the finished picture is shown.
    zoom
        Pixels for one of the finished picture, along each edge.
    shift
        Offset of the surfaces in clip space, less than a pixel.
    samples
        Samples of the driver in a pixel.
    """

    framebuffer: moderngl.Framebuffer
    size: tuple[int, int]
    part: PicturePart
    color: Color
    divisor: int = 1
    zoom: int = 1
    shift: tuple[float, float] = (0.0, 0.0)
    samples: int = 1

    defines: ClassVar[dict[str, int]] = {}  # in shaders of surfaces

    @property
    def drawn(self) -> tuple[int, int]:
        """Width and height of the whole, pixels."""
        return self.size[0] * self.zoom, self.size[1] * self.zoom

    @property
    def viewport(self) -> Rectangle:
        """The box that the camera's picture fills."""
        return zoomed(self.part.viewport(self.size), self.zoom)

    @property
    def scissor(self) -> Rectangle:
        """The box of the part."""
        return zoomed(self.part.scissor(self.size), self.zoom)

    @property
    def is_whole(self) -> bool:
        """Whether the part is the whole picture."""
        return self.scissor == (0, 0, *self.drawn)

    @property
    def line_scale(self) -> float:
        """Pixels for one of the finished picture as it is shown."""
        return self.zoom / self.divisor

    @property
    def unlit(self) -> moderngl.Framebuffer:
        """Where unlit things are drawn: the same framebuffer."""
        return self.framebuffer

    def clear(self) -> None:
        """Bind the part, and clear it."""
        self.framebuffer.scissor = self.scissor
        self.framebuffer.clear(*self.color, depth=1.0)
        self.framebuffer.use()
        self.framebuffer.viewport = self.viewport


def zoomed(box: Rectangle, zoom: int) -> Rectangle:
    """Return a box in a picture of `zoom` times the resolution."""
    left, low, width, height = box
    return left * zoom, low * zoom, width * zoom, height * zoom
