"""What passes draw into: a part of a framebuffer, or those tiles of it that are wanted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import moderngl
import numpy as np

from ..animation.types import U8
from ..images.exr import decoded
from ..scene.versions import PicturePart
from .context import GpuObjects
from .program import NO_DEFINES, Defines, Programs, set_uniforms

Rectangle = tuple[int, int, int, int]  # left, bottom, width and height, pixels
Color = tuple[float, float, float, float]  # sRGB, premultiplied
CLEAR: Color = 0.0, 0.0, 0.0, 0.0
SIDE = 8  # of a tile, pixels
_CORNERS = np.array([[0, 0], [1, 0], [0, 1], [0, 1], [1, 0], [1, 1]])  # of two triangles


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
    tiles
        The only ones that are drawn, None: everything is.
    displayed
        Where unlit things are drawn, None: into `framebuffer`.
    defines
        In shaders of surfaces.
    linear
        Whether it has light in place of sRGB.
    """

    framebuffer: moderngl.Framebuffer
    size: tuple[int, int]
    part: PicturePart
    color: Color
    divisor: int = 1
    zoom: int = 1
    shift: tuple[float, float] = (0.0, 0.0)
    samples: int = 1
    tiles: "Tiles | None" = None
    displayed: moderngl.Framebuffer | None = None
    defines: dict[str, int] = field(default_factory=dict)
    linear: bool = False

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
        """Where unlit things are drawn."""
        return self.displayed or self.framebuffer

    def clear(self) -> None:
        """Bind the part, and clear what is drawn of it."""
        framebuffer, tiles = self.framebuffer, self.tiles
        framebuffer.scissor = self.scissor
        framebuffer.color_mask = (tiles is None,) * 4
        color = linear_color(self.color) if self.linear else self.color
        framebuffer.clear(*color, depth=1.0 if tiles is None else 0.0)
        framebuffer.color_mask = True, True, True, True
        framebuffer.use()
        framebuffer.viewport = self.viewport
        if tiles is not None:
            framebuffer.scissor = zoomed(tiles.around, self.zoom)
            tiles.clear(self.zoom, self.color)


class Tiles:
    """The tiles of a part of a picture.

    Attributes
    ----------
    around
        The rectangle around them, pixels.
    """

    around: Rectangle
    _programs: Programs
    _wanted: moderngl.Texture  # not 0: pixels that are drawn
    _viewport: Rectangle

    def __init__(self, made: GpuObjects, context: moderngl.Context, size: tuple[int, int]) -> None:
        self._context = context
        self._made = made
        columns, rows = (-(-side // SIDE) for side in size)
        self._marks: U8 = np.zeros((rows * SIDE, columns * SIDE), np.uint8)
        self._count = 0
        reserve = columns * rows * 4 * len(_CORNERS)  # bytes
        self._corners = made.add(context.buffer(reserve=reserve, dynamic=True))
        self._arrays: dict[moderngl.Program, moderngl.VertexArray] = {}

    def find(self, programs: Programs, picture: "Picture", wanted: moderngl.Texture) -> bool:
        """Find the tiles of a picture where a texture is not 0: return whether there are any."""
        self._programs, self._wanted, self._viewport = programs, wanted, picture.viewport
        left, low, width, height = picture.scissor
        marks = self._marks
        wanted.read_into(marks, alignment=SIDE)
        rows = marks.view(np.uint64).reshape(-1, SIDE, marks.shape[1] // SIDE)
        found = np.bitwise_or.reduce(rows, axis=1) != 0
        found[: low // SIDE] = found[:, : left // SIDE] = False  # of other parts
        found[-(-(low + height) // SIDE) :] = found[:, -(-(left + width) // SIDE) :] = False
        y, x = found.nonzero()
        self._count = len(x)
        if self._count:
            corners = np.stack([x, y], axis=1)[:, None] + _CORNERS
            self._corners.write((corners * SIDE).astype(np.uint16))
            right, high = (int(each.max() + 1) * SIDE for each in (x, y))
            right, high = min(right, left + width), min(high, low + height)
            left, low = max(int(x.min()) * SIDE, left), max(int(y.min()) * SIDE, low)
            self.around = left, low, right - left, high - low
        return self._count > 0

    def clear(self, zoom: int, color: Color) -> None:
        """Draw a colour and the greatest depth at the pixels that are wanted."""
        context = self._context
        context.disable(moderngl.CULL_FACE | moderngl.BLEND)
        context.depth_func = "1"
        self.draw("open", {"wanted": self._wanted, "zoom": zoom, "color": color})
        context.enable(moderngl.BLEND)
        context.depth_func = "<="

    def draw(self, name: str, values: Mapping[str, Any], defines: Defines = NO_DEFINES) -> None:
        """Draw a program over the tiles, at the greatest depth; `values` are its uniforms."""
        program = self._programs.get(name, defines)
        if program not in self._arrays:
            array = self._context.vertex_array(program, [(self._corners, "2u2", "in_corner")])
            self._arrays[program] = self._made.add(array)
        set_uniforms(program, {"tiled_box": self._viewport, **values})
        self._arrays[program].render(moderngl.TRIANGLES, vertices=len(_CORNERS) * self._count)


def linear_color(color: Color) -> Color:
    """Return a colour as light, premultiplied."""
    *channels, alpha = color
    red, green, blue = alpha * decoded(np.array(channels, np.float32) / max(alpha, 1e-6))
    return float(red), float(green), float(blue), alpha


def zoomed(box: Rectangle, zoom: int) -> Rectangle:
    """Return a box in a picture of `zoom` times the resolution."""
    left, low, width, height = box
    return left * zoom, low * zoom, width * zoom, height * zoom
