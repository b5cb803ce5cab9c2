"""Supersampling: pictures with one sample, each shifted by a part of a pixel, and their average.

The average is of linear display light, after tone mapping, premultiplied. Two pictures are drawn
first. Where these differ, from each other or from the pixels beside them, all samples are drawn: by
pictures of twice the resolution if their number is a multiple of four, as four samples at once cost
less than four pictures. Elsewhere the mean of the first two is shown.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import moderngl
import numpy as np

from ..animation.types import F64, U8
from .context import GpuObjects
from .picture import Picture, Rectangle, zoomed
from .program import Defines, Programs

TILED: Defines = frozenset({"TILED": 1}.items())  # programs that draw tiles
SIDE = 8  # of a tile, pixels
_SRGB = 0x8C43  # GL_SRGB8_ALPHA8: read as linear light, written unchanged
__STEPS = np.array([0.7548776662466927, 0.5698402909980532])  # of the R2 sequence
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
    places = (0.5 + np.arange(count // zoom**2)[:, None] * __STEPS) % 1.0
    out: F64 = (places - places.mean(axis=0)) / zoom
    return out


def in_clip_space(places: F64, size: tuple[int, int]) -> list[tuple[float, float]]:
    """Return shifts [N, 2] in pixels as offsets in clip space."""
    return [(float(x), float(y)) for x, y in places * 2.0 / np.array(size)]


def bytes_per_pixel(zoom: int) -> int:
    """Return the memory of `Supersampling` of a pixel, for pictures of a resolution."""
    return 4 * len(_PROBES) + 2 * 4 * zoom**2 + 16 + 2  # pictures and depth, sums, marks


class Supersampling:
    """Draws shifted pictures, and adds up their light.

    Parameters
    ----------
    made
        Receives all GPU objects.
    finished
        Receives the average; its depth is that of the first two pictures.
    count
        Samples per pixel, more than one.
    zoom
        See `zoom_of`.

    Attributes
    ----------
    shifts
        Offset in clip space of each picture with all samples.
    """

    def __init__(
        self,
        context: moderngl.Context,
        made: GpuObjects,
        finished: moderngl.Framebuffer,
        count: int,
        zoom: int,
    ) -> None:
        self._context = context
        self._count = count
        self._zoom = zoom
        size = finished.size
        self._probe_shifts = in_clip_space(_PROBES, size)
        self.shifts = in_clip_space(picture_places(count, zoom), size)
        self._tiles = Tiles(context, made, size)
        self._probes = [made.add(context.texture(size, 4)) for _ in _PROBES]
        self._sums = made.add(context.texture(size, 4, dtype="f4"))
        self._wanted = made.add(context.texture(size, 1))  # 1: all samples are
        self._first_wanted = made.add(context.texture(size, 1))  # before the first were seen
        sides = size[0] * zoom, size[1] * zoom
        self._picture = made.add(context.texture(sides, 4, internal_format=_SRGB))
        hidden = made.add(context.depth_renderbuffer(sides))
        average, depth = finished.color_attachments[0], finished.depth_attachment
        self._into_probes = [made.add(context.framebuffer([p], depth)) for p in self._probes]
        self._into_picture = made.add(context.framebuffer([self._picture], hidden))
        self._into_mean = made.add(context.framebuffer([average, self._first_wanted]))
        self._into_first = made.add(context.framebuffer([self._sums, average, self._wanted]))
        self._into_wanted = made.add(context.framebuffer([self._wanted]))
        self._into_sums = made.add(context.framebuffer([self._sums]))
        self._into_average = made.add(context.framebuffer([average]))

    def pictures(self, programs: Programs, finished: Picture) -> Iterator[Picture]:
        """Yield the pictures whose average is the finished one, as far as they are needed."""
        part, tiles = finished.scissor, self._tiles
        for framebuffer, shift in zip(self._into_probes, self._probe_shifts, strict=True):
            yield replace(finished, framebuffer=framebuffer, shift=shift)
        self._draw_mean(programs, part)
        if not tiles.find(self._first_wanted, part):
            return
        first, *others = self.shifts
        yield self._tiled(programs, finished, first, self._first_wanted)
        self._draw_first(programs, finished)
        if not others or not tiles.find(self._wanted, part):
            return
        for shift in others:
            yield self._tiled(programs, finished, shift, self._wanted)
            self._add(programs, finished)
        self._draw_average(programs, part)

    def _tiled(
        self,
        programs: Programs,
        finished: Picture,
        shift: tuple[float, float],
        wanted: moderngl.Texture,
    ) -> "TiledPicture":
        """Return a picture with all samples where they are wanted."""
        return TiledPicture(
            framebuffer=self._into_picture,
            size=finished.size,
            part=finished.part,
            color=finished.color,
            divisor=finished.divisor,
            zoom=self._zoom,
            shift=shift,
            programs=programs,
            tiles=self._tiles,
            wanted=wanted,
        )

    def _draw_mean(self, programs: Programs, part: Rectangle) -> None:
        """Draw the mean of the first pictures, and where all samples are wanted."""
        self._use(self._into_mean, part)
        array = programs.array("probe")
        for unit, texture in enumerate(self._probes):
            texture.use(unit)
            array.program[f"picture_{unit}"] = unit
        array.render(moderngl.TRIANGLES, vertices=3)

    def _draw_first(self, programs: Programs, finished: Picture) -> None:
        """Draw the average of the samples of one picture, and where more are wanted."""
        self._into_wanted.clear()
        self._use(self._into_first, finished.scissor)
        self._first_wanted.use(1)
        self._draw_sum(programs, finished, {"FIRST": 1}, wanted=1)

    def _add(self, programs: Programs, finished: Picture) -> None:
        """Add the samples of a picture."""
        self._use(self._into_sums, finished.scissor)
        self._context.enable(moderngl.BLEND)
        self._context.blend_func = (moderngl.ONE, moderngl.ONE)
        self._draw_sum(programs, finished, {})

    def _draw_sum(
        self, programs: Programs, finished: Picture, defines: dict[str, int], **values: int
    ) -> None:
        self._picture.use(0)
        translucent = {} if finished.color[3] >= 1.0 else {"TRANSLUCENT": 1}
        values |= {"picture": 0, "zoom": self._zoom}
        self._tiles.draw(programs, "sum", values, frozenset((defines | translucent).items()))

    def _draw_average(self, programs: Programs, part: Rectangle) -> None:
        """Draw the average of all pictures where further ones are wanted."""
        self._use(self._into_average, part)
        self._wanted.use(0)
        self._sums.use(1)
        values = {"wanted": 0, "sums": 1, "samples": float(self._count)}
        self._tiles.draw(programs, "average", values)

    def _use(self, framebuffer: moderngl.Framebuffer, part: Rectangle) -> None:
        framebuffer.scissor = part
        framebuffer.use()
        self._context.enable_only(moderngl.NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True)
class TiledPicture(Picture):
    """A picture of which only some pixels are drawn: those of the greatest depth, once cleared.

    Attributes
    ----------
    wanted
        Not 0 where a pixel of the finished picture is drawn.
    """

    programs: Programs
    tiles: "Tiles"
    wanted: moderngl.Texture

    def clear(self) -> None:
        """Bind the part, and clear the pixels that are drawn; the others have the least depth."""
        framebuffer, context = self.framebuffer, self.framebuffer.ctx
        framebuffer.scissor = self.scissor
        framebuffer.color_mask = False, False, False, False
        framebuffer.clear(depth=0.0)
        framebuffer.color_mask = True, True, True, True
        framebuffer.use()
        framebuffer.viewport = self.viewport
        framebuffer.scissor = zoomed(self.tiles.around, self.zoom)
        context.disable(moderngl.CULL_FACE | moderngl.BLEND)
        context.depth_func = "1"
        self.wanted.use(0)
        self.draw("open", {"wanted": 0, "zoom": self.zoom, "color": self.color})
        context.enable(moderngl.BLEND)
        context.depth_func = "<="

    def draw(self, name: str, values: Mapping[str, Any], defines: Defines = frozenset()) -> None:
        """Draw a program at the greatest depth; `values` are its uniforms."""
        box = self.part.viewport(self.size)
        self.tiles.draw(self.programs, name, values, defines, box)


class Tiles:
    """The squares of a picture with pixels where all samples are wanted.

    Attributes
    ----------
    around
        The rectangle around them, pixels.
    """

    def __init__(self, context: moderngl.Context, made: GpuObjects, size: tuple[int, int]) -> None:
        self._context = context
        self._made = made
        self._size = size
        self.around: Rectangle = 0, 0, *size
        columns, rows = (-(-side // SIDE) for side in size)
        self._marks: U8 = np.zeros((rows * SIDE, columns * SIDE), np.uint8)
        self._count = 0
        corner = 4  # bytes
        reserve = columns * rows * len(_CORNERS) * corner
        self._corners = made.add(context.buffer(reserve=reserve, dynamic=True))
        self._arrays: dict[moderngl.Program, moderngl.VertexArray] = {}

    def find(self, wanted: moderngl.Texture, part: Rectangle) -> bool:
        """Find the tiles of a part in which a texture is not 0: return whether there are any."""
        left, low, width, height = part
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

    def draw(
        self,
        programs: Programs,
        name: str,
        values: Mapping[str, Any],
        defines: Defines = frozenset(),
        box: Rectangle | None = None,
    ) -> None:
        """Draw a program over the tiles.

        Parameters
        ----------
        values
            Its uniforms.
        box
            That the viewport shows, pixels; None: the whole picture.
        """
        program = programs.get(name, defines)
        if program not in self._arrays:
            array = self._context.vertex_array(program, [(self._corners, "2u2", "in_corner")])
            self._arrays[program] = self._made.add(array)
        program["tiled_box"] = box or (0, 0, *self._size)
        for uniform, value in values.items():
            program[uniform] = value
        self._arrays[program].render(moderngl.TRIANGLES, vertices=len(_CORNERS) * self._count)
