"""Supersampling: pictures with one sample, each shifted by a part of a pixel, and their average.

The average is of linear display light, after tone mapping, premultiplied. Further pictures are only
drawn where the first ones differ by more than rounding.
"""

from contextlib import ExitStack
from typing import Any

import moderngl
import numpy as np

from ..animation.types import F64, U8
from .program import Defines, Programs

TOGETHER = 4  # pictures that are added at once
Rectangle = tuple[int, int, int, int]  # left, bottom, width and height, pixels
_SRGB = 0x8C43  # GL_SRGB8_ALPHA8: read as linear light, written unchanged
_STEPS = np.array([0.7548776662466927, 0.5698402909980532])  # of the R2 sequence
_CORNERS = np.array([[-0.5, -0.5], [0.5, 0.5], [-0.5, 0.5], [0.5, -0.5]])


def sample_places(count: int) -> F64:
    """Return the places [N, 2] of samples in a pixel, pixels from its centre, with mean 0.

    The R2 sequence, which is even for every count: Roberts, "The Unreasonable Effectiveness of
    Quasirandom Sequences" (2018). The first four are the nearest to the corners, so that an edge
    in the pixel is likely to divide them.
    """
    places = (0.5 + np.arange(count)[:, None] * _STEPS) % 1.0
    places -= places.mean(axis=0)
    order = list(range(count))
    for rank, corner in enumerate(_CORNERS[:count]):
        nearest = min(order[rank:], key=lambda k: float(((places[k] - corner) ** 2).sum()))
        order.remove(nearest)
        order.insert(rank, nearest)
    out: F64 = places[order]
    return out


def bytes_per_pixel(count: int) -> int:
    """Return the memory of `SampleFrames` of a pixel with `count` samples."""
    return 4 * min(count, TOGETHER) + 2 * 16 + 2 + 4  # pictures, sums, marks, depth


class SampleFrames:
    """The framebuffers of shifted pictures, and the sums of their light.

    Parameters
    ----------
    average
        The texture of the finished picture.
    count
        Samples per pixel, more than one.
    depth
        The depth buffer of the first pictures.
    """

    def __init__(
        self,
        context: moderngl.Context,
        average: moderngl.Texture,
        count: int,
        depth: moderngl.Renderbuffer,
    ) -> None:
        self._context = context
        self._count = count
        size = average.size
        self._size = size
        self._part = self._rectangle = 0, 0, *size  # drawn of the first and the further pictures
        self._programs: dict[str, tuple[moderngl.Program, moderngl.VertexArray]] = {}
        places = sample_places(count) * 2.0 / np.array(size)
        self.shifts = [(float(x), float(y)) for x, y in places]  # in clip space
        with ExitStack() as made:
            pictures = [
                self._texture(made, size, 4, internal_format=_SRGB)
                for _ in range(min(count, TOGETHER))
            ]
            self._pictures = pictures
            sums = [self._texture(made, size, 4, dtype="f4") for _ in range(2)]
            self._sums = sums
            self._differ = self._texture(made, size, 1)  # 1: the first pictures differ
            self._wanted = self._texture(made, size, 1)  # 1: so do they here or beside it
            self._first = [self._framebuffer(made, [one], depth) for one in pictures]
            self._into_first = self._framebuffer(made, [average, sums[0], self._differ])
            hidden = context.depth_renderbuffer(size)
            made.callback(hidden.release)
            self._further = [self._framebuffer(made, [one], hidden) for one in pictures]
            self._into_sum = self._framebuffer(made, [sums[1]], hidden)
            self._into_average = self._framebuffer(made, [average], hidden)
            self._made = made.pop_all()

    def begin(self, part: Rectangle, number: int) -> Rectangle:
        """Return the rectangle that is drawn of picture `number`, in a part of the whole."""
        if number == 0:
            self._part = self._rectangle = part
            self._into_first.scissor = self._part
        return self._part if number < TOGETHER else self._rectangle

    def framebuffer(self, number: int) -> moderngl.Framebuffer:
        """Return the framebuffer of a picture."""
        return (self._first if number < TOGETHER else self._further)[number % TOGETHER]

    def hide_equal(self, programs: Programs, number: int) -> None:
        """Prepare picture `number`: surfaces are hidden where the first pictures are equal."""
        if number < TOGETHER:
            return
        self._context.depth_func = "1"
        self._wanted.use(0)
        self._draw(programs, "hide_equal", {"wanted": 0})
        self._context.depth_func = "<="

    def add(self, programs: Programs, number: int, *, opaque: bool) -> bool:
        """Add picture `number` and those before it, once there are enough.

        Returns whether the picture is finished. `opaque` is whether all of its pixels are.
        """
        last = number % TOGETHER
        if last < TOGETHER - 1 and number < self._count - 1:
            return False
        self._context.enable_only(moderngl.NOTHING)
        values: dict[str, Any] = {"pictures": last + 1}
        for unit, texture in enumerate(self._pictures):
            texture.use(unit)
            values[f"picture_{unit}"] = unit
        defines = {} if opaque else {"TRANSLUCENT": 1}
        if number >= TOGETHER:
            self._add_further(programs, values, frozenset(defines.items()))
            if number == self._count - 1:
                self._average(programs)
            return number == self._count - 1
        self._into_first.use()
        self._draw(programs, "sum", values, frozenset({"FIRST": 1, **defines}.items()))
        return self._count <= TOGETHER or not self._find_wanted()

    def release(self) -> None:
        """Free all GPU objects; bound framebuffers cannot be freed."""
        for _, array in self._programs.values():
            array.release()
        self._made.close()

    def _find_wanted(self) -> bool:
        """Find the pixels where further pictures are wanted: return whether there are any."""
        width, height = self._size
        differ = np.empty((height, width), np.uint8)
        self._differ.read_into(differ, alignment=1)
        x, y, across, up = self._part
        wanted = _spread(_spread(differ[y : y + up, x : x + across]).T).T
        rows, columns = np.flatnonzero(wanted.any(axis=1)), np.flatnonzero(wanted.any(axis=0))
        if not len(rows):
            return False
        self._wanted.write(np.ascontiguousarray(wanted), viewport=self._part, alignment=1)
        left, low, right, high = (int(k) for k in (columns[0], rows[0], columns[-1], rows[-1]))
        self._rectangle = x + left, y + low, right + 1 - left, high + 1 - low
        for framebuffer in (self._into_sum, self._into_average):
            framebuffer.scissor = self._rectangle
        self._into_sum.use()
        self._into_sum.clear()
        return True

    def _add_further(self, programs: Programs, values: dict[str, Any], defines: Defines) -> None:
        """Add pictures where they are wanted: not at the least depth."""
        self._into_sum.use()
        self._into_sum.depth_mask = False
        self._context.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        self._context.depth_func = "!="
        self._context.blend_func = (moderngl.ONE, moderngl.ONE)
        self._draw(programs, "sum", values, defines)

    def _average(self, programs: Programs) -> None:
        """Draw the average of all pictures, where there are more than the first ones."""
        self._into_average.use()
        self._into_average.depth_mask = False
        self._context.enable_only(moderngl.DEPTH_TEST)
        self._context.depth_func = "!="
        for unit, texture in enumerate(self._sums):
            texture.use(unit)
        self._draw(programs, "average", {"first": 0, "further": 1, "samples": float(self._count)})

    def _draw(
        self,
        programs: Programs,
        name: str,
        values: dict[str, Any],
        defines: Defines = frozenset(),
    ) -> None:
        """Draw a program over the whole picture, at the least depth."""
        program = programs.get(name, defines)
        known, array = self._programs.get(name, (None, None))
        if array is None or known is not program:
            if array is not None:
                array.release()
            array = self._context.vertex_array(program, [])
            self._programs[name] = program, array
        for uniform, value in values.items():
            if uniform in program:
                program[uniform] = value
        array.render(moderngl.TRIANGLES, vertices=3)

    def _texture(
        self,
        made: ExitStack,
        size: tuple[int, int],
        components: int,
        *,
        dtype: str = "f1",
        internal_format: int | None = None,
    ) -> moderngl.Texture:
        context = self._context
        texture = context.texture(size, components, dtype=dtype, internal_format=internal_format)
        made.callback(texture.release)
        return texture

    def _framebuffer(
        self,
        made: ExitStack,
        textures: list[moderngl.Texture],
        depth: moderngl.Renderbuffer | None = None,
    ) -> moderngl.Framebuffer:
        framebuffer = self._context.framebuffer(textures, depth)
        made.callback(framebuffer.release)
        return framebuffer


def _spread(marked: U8) -> U8:
    """Return rows [H, W] with the marks of the rows beside them."""
    out = marked.copy()
    out[1:] |= marked[:-1]
    out[:-1] |= marked[1:]
    return out
