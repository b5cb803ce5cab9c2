"""Supersampling: pictures with one sample, each shifted by a part of a pixel, and their average.

The average is of linear display light, after tone mapping, premultiplied. Two pictures are drawn
first. Where these differ, from each other or from the pixels beside them, all samples are drawn: by
pictures of twice the resolution if their number is a multiple of four, as four samples at once cost
less than four pictures. Elsewhere the mean of the first two is shown.
"""

import math
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

import moderngl
import numpy as np

from ..animation.types import F64, U8
from .program import Defines, Programs

TILED: Defines = frozenset({"TILED": 1}.items())  # programs that draw tiles
PROBES = 2  # pictures that are drawn first, of all pixels
SIDE = 8  # of a tile, pixels
Color = tuple[float, float, float, float]
_SRGB = 0x8C43  # GL_SRGB8_ALPHA8: read as linear light, written unchanged
Rectangle = tuple[int, int, int, int]  # left, bottom, width and height, pixels
_STEPS = np.array([0.7548776662466927, 0.5698402909980532])  # of the R2 sequence
_PROBES = np.array([[-0.25, -0.25], [0.25, 0.25]])  # pixels: a line of half a pixel is in one
_CORNERS = np.array([[0, 0], [1, 0], [0, 1], [0, 1], [1, 0], [1, 1]])  # of two triangles


def zoom_of(count: int, most: float = math.inf) -> int:
    """Return the resolution of pictures with `count` samples together, of that of the pixels.

    `most` is the greatest one possible.
    """
    return 2 if count % 4 == 0 and most >= 2 else 1


def picture_places(count: int, zoom: int) -> F64:
    """Return the shifts [M, 2] of pictures with N samples together, pixels, with mean 0.

    The R2 sequence, which is even for every count: Roberts, "The Unreasonable Effectiveness of
    Quasirandom Sequences" (2018).
    """
    places = (0.5 + np.arange(count // zoom**2)[:, None] * _STEPS) % 1.0
    out: F64 = (places - places.mean(axis=0)) / zoom
    return out


def sample_places(count: int) -> F64:
    """Return the places [N, 2] of samples in a pixel, pixels from its centre, with mean 0."""
    zoom = zoom_of(count)
    cells = (np.indices((zoom, zoom)).reshape(2, -1).T + 0.5) / zoom - 0.5
    places: F64 = picture_places(count, zoom)[:, None] + cells
    return places.reshape(-1, 2)


def bytes_per_pixel(zoom: int) -> int:
    """Return the memory of `SampleFrames` of a pixel, for pictures of a resolution."""
    return 4 * PROBES + 2 * 4 * zoom**2 + 16 + 2  # pictures and depth, sums, marks


class SampleFrames:
    """The framebuffers of shifted pictures, and the sums of their light.

    Parameters
    ----------
    average
        The texture of the finished picture.
    count
        Samples per pixel, more than one.
    zoom
        See `zoom_of`.
    depth
        The depth buffer of the first pictures.

    Attributes
    ----------
    shifts
        Offset of each picture in clip space.
    """

    def __init__(
        self,
        context: moderngl.Context,
        average: moderngl.Texture,
        count: int,
        zoom: int,
        depth: moderngl.Texture,
    ) -> None:
        self._context = context
        self._count = count
        size = average.size
        self._size = size
        self._zoom = zoom
        self._part: Rectangle = 0, 0, *size
        self._rectangle = self._part  # in it, where all samples are wanted
        self._arrays: dict[str, tuple[moderngl.Program, moderngl.VertexArray]] = {}
        places = np.concatenate([_PROBES, picture_places(count, zoom)]) * 2.0 / np.array(size)
        self.shifts = [(float(x), float(y)) for x, y in places]
        columns, rows = (-(-side // SIDE) for side in size)
        self._marks: U8 = np.zeros((rows * SIDE, columns * SIDE), np.uint8)
        self._tiles = 0
        with ExitStack() as made:
            self._probes = [self._texture(made, 4) for _ in range(PROBES)]
            self._sums = self._texture(made, 4, dtype="f4")
            self._wanted = self._texture(made, 1)  # 1: all samples are
            self._first_wanted = self._texture(made, 1)  # before the first of them were seen
            sides = size[0] * self._zoom, size[1] * self._zoom
            self._picture = context.texture(sides, 4, internal_format=_SRGB)
            made.callback(self._picture.release)
            hidden = context.depth_renderbuffer(sides)
            made.callback(hidden.release)
            self._into_probes = [self._framebuffer(made, [one], depth) for one in self._probes]
            self._into_picture = self._framebuffer(made, [self._picture], hidden)
            self._into_mean = self._framebuffer(made, [average, self._first_wanted])
            self._into_first = self._framebuffer(made, [self._sums, average, self._wanted])
            self._into_wanted = self._framebuffer(made, [self._wanted])
            self._into_sums = self._framebuffer(made, [self._sums])
            self._into_average = self._framebuffer(made, [average])
            tile = 4 * len(_CORNERS)  # bytes
            self._corners = context.buffer(reserve=columns * rows * tile, dynamic=True)
            made.callback(self._corners.release)
            self._made = made.pop_all()

    def zoom(self, number: int) -> int:
        """Return the resolution of picture `number`, of that of the pixels."""
        return 1 if number < PROBES else self._zoom

    def begin(self, part: Rectangle, number: int) -> moderngl.Framebuffer:
        """Return the framebuffer of picture `number`, of a part of the whole."""
        if number == 0:
            self._part = part
            drawn = self._into_mean, self._into_first, self._into_sums, self._into_average
            for framebuffer in drawn:
                framebuffer.scissor = part
        return self._into_probes[number] if number < PROBES else self._into_picture

    @property
    def rectangle(self) -> Rectangle:
        """The rectangle around the pixels where all samples are wanted."""
        return self._rectangle

    def open_wanted(
        self, programs: Programs, color: Color, viewport: Rectangle, number: int
    ) -> None:
        """Prepare a picture of the least depth: clear it where its samples are wanted.

        `color` is sRGB, premultiplied, `viewport` that of the picture, pixels.
        """
        self._context.disable(moderngl.CULL_FACE | moderngl.BLEND)
        self._context.depth_func = "1"
        (self._first_wanted if number == PROBES else self._wanted).use(0)
        values = {"wanted": 0, "zoom": self._zoom, "color": color}
        self._draw_tiles(programs, "open", values, viewport=viewport)
        self._context.enable(moderngl.BLEND)
        self._context.depth_func = "<="

    def draw_behind(
        self, programs: Programs, name: str, values: Mapping[str, Any], viewport: Rectangle
    ) -> None:
        """Draw a program over the pixels where all samples are wanted, at the greatest depth."""
        self._draw_tiles(programs, name, values, TILED, viewport=viewport)

    def add(self, programs: Programs, number: int, *, opaque: bool) -> bool:
        """Add picture `number`; return whether the picture is finished.

        `opaque` is whether all of its pixels are.
        """
        if number < PROBES - 1:
            return False
        if number == PROBES - 1:
            self._context.enable_only(moderngl.NOTHING)
            return not self._find_wanted(programs)
        self._picture.use(0)
        values = {"picture": 0, "zoom": self._zoom}
        defines = {} if opaque else {"TRANSLUCENT": 1}
        if number == PROBES:
            self._into_wanted.clear()
            self._into_first.use()
            self._context.enable_only(moderngl.NOTHING)
            self._first_wanted.use(1)
            values["wanted"] = 1
            defines["FIRST"] = 1
        else:
            self._into_sums.use()
            self._context.enable_only(moderngl.BLEND)
            self._context.blend_func = (moderngl.ONE, moderngl.ONE)
        self._draw_tiles(programs, "sum", values, frozenset(defines.items()))
        last = number == len(self.shifts) - 1
        if number == PROBES:
            return last or not self._find_tiles(self._wanted)
        if last:
            self._average(programs)
        return last

    def release(self) -> None:
        """Free all GPU objects; bound framebuffers cannot be freed."""
        for _, array in self._arrays.values():
            array.release()
        self._made.close()

    def _find_wanted(self, programs: Programs) -> bool:
        """Draw the mean of the first pictures; return whether all samples are wanted anywhere."""
        self._into_mean.use()
        program, array = self._array(programs, "probe")
        for unit, texture in enumerate(self._probes):
            texture.use(unit)
            program[f"picture_{unit}"] = unit
        array.render(moderngl.TRIANGLES, vertices=3)
        return self._find_tiles(self._first_wanted)

    def _find_tiles(self, wanted: moderngl.Texture) -> bool:
        """Find the tiles with pixels where all samples are wanted: return whether there are any."""
        left, low, width, height = self._part
        marks = self._marks
        wanted.read_into(marks, alignment=SIDE)
        rows = marks.view(np.uint64).reshape(-1, SIDE, marks.shape[1] // SIDE)
        found = np.bitwise_or.reduce(rows, axis=1) != 0
        found[: low // SIDE] = found[:, : left // SIDE] = False  # of other parts
        found[-(-(low + height) // SIDE) :] = found[:, -(-(left + width) // SIDE) :] = False
        y, x = found.nonzero()
        self._tiles = len(x)
        if self._tiles:
            corners = np.stack([x, y], axis=1)[:, None] + _CORNERS
            self._corners.write((corners * SIDE).astype(np.uint16))
            right, high = (int(each.max() + 1) * SIDE for each in (x, y))
            right, high = min(right, left + width), min(high, low + height)
            left, low = max(int(x.min()) * SIDE, left), max(int(y.min()) * SIDE, low)
            self._rectangle = left, low, right - left, high - low
        return self._tiles > 0

    def _average(self, programs: Programs) -> None:
        """Draw the average of all pictures where further ones are wanted."""
        self._into_average.use()
        self._context.enable_only(moderngl.NOTHING)
        self._wanted.use(0)
        self._sums.use(1)
        values = {"wanted": 0, "sums": 1, "samples": float(self._count)}
        self._draw_tiles(programs, "average", values)

    def _draw_tiles(
        self,
        programs: Programs,
        name: str,
        values: Mapping[str, Any],
        defines: Defines = frozenset(),
        viewport: Rectangle | None = None,
    ) -> None:
        """Draw a program over the tiles with pixels where all samples are wanted."""
        program, array = self._array(programs, name, defines)
        program["tiled_box"] = viewport or (0, 0, *self._size)
        for uniform, value in values.items():
            program[uniform] = value
        array.render(moderngl.TRIANGLES, vertices=len(_CORNERS) * self._tiles)

    def _array(
        self, programs: Programs, name: str, defines: Defines = frozenset()
    ) -> tuple[moderngl.Program, moderngl.VertexArray]:
        """Return a program, and the vertex array to draw it with."""
        program = programs.get(name, defines)
        known = self._arrays.get(name)
        if known is None or known[0] is not program:
            if known is not None:
                known[1].release()
            tiles = [(self._corners, "2u2", "in_corner")] if "in_corner" in program else []
            known = self._arrays[name] = program, self._context.vertex_array(program, tiles)
        return known

    def _texture(self, made: ExitStack, components: int, dtype: str = "f1") -> moderngl.Texture:
        texture = self._context.texture(self._size, components, dtype=dtype)
        made.callback(texture.release)
        return texture

    def _framebuffer(
        self,
        made: ExitStack,
        textures: list[moderngl.Texture],
        depth: moderngl.Texture | moderngl.Renderbuffer | None = None,
    ) -> moderngl.Framebuffer:
        framebuffer = self._context.framebuffer(textures, depth)
        made.callback(framebuffer.release)
        return framebuffer
