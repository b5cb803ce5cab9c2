"""Supersampling: pictures with one sample, each shifted by a part of a pixel, and their average.

The average is of linear display light, after tone mapping, premultiplied. Two pictures are drawn
first. Where these differ, from each other or from the pixels beside them, all samples are drawn: by
pictures of twice the resolution if their number is a multiple of four, as four samples at once cost
less than four pictures. Elsewhere the mean of the first two is shown.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import moderngl
import numpy as np

from ..animation.types import F64
from .context import GpuObjects, depth_texture
from .picture import Picture, Tiles
from .program import Programs

_SRGB = 0x8C43  # GL_SRGB8_ALPHA8: read as linear light, written unchanged
__STEPS = np.array([0.7548776662466927, 0.5698402909980532])  # of the R2 sequence
_PROBES = np.array([[-0.25, -0.25], [0.25, 0.25]])  # pixels: a line of half a pixel is in one


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
        self, made: GpuObjects, finished: moderngl.Framebuffer, count: int, zoom: int
    ) -> None:
        context, size = finished.ctx, finished.size
        self._count, self._zoom = count, zoom
        self._probe_shifts = in_clip_space(_PROBES, size)
        self.shifts = in_clip_space(picture_places(count, zoom), size)
        self._tiles = Tiles(made, context, size)
        self._probes = [made.add(context.texture(size, 4)) for _ in _PROBES]
        self._sums = made.add(context.texture(size, 4, dtype="f4"))
        self._wanted = made.add(context.texture(size, 1))  # 1: all samples are
        self._first_wanted = made.add(context.texture(size, 1))  # before the first were seen
        sides = size[0] * zoom, size[1] * zoom
        self._picture = made.add(context.texture(sides, 4, internal_format=_SRGB))
        hidden = made.add(depth_texture(context, sides))
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
        for framebuffer, shift in zip(self._into_probes, self._probe_shifts, strict=True):
            yield replace(finished, framebuffer=framebuffer, shift=shift)
        _use(self._into_mean, finished)
        programs.draw("probe", {f"picture_{k}": p for k, p in enumerate(self._probes)})

        tiles, zoom = self._tiles, self._zoom
        tiled = replace(finished, framebuffer=self._into_picture, zoom=zoom, tiles=tiles)
        translucent = {} if finished.color[3] >= 1.0 else {"TRANSLUCENT": 1}
        whole = {"tiled_box": (0, 0, *finished.size)}
        values = {"picture": self._picture, "zoom": zoom, "wanted": self._first_wanted, **whole}
        first, *others = self.shifts
        if not tiles.find(programs, finished, self._first_wanted):
            return
        yield replace(tiled, shift=first)
        _use(self._into_wanted, finished)  # whose box is cleared, not that of the tiles
        self._into_wanted.clear()
        _use(self._into_first, finished)
        tiles.draw("sum", values, {"FIRST": 1, **translucent})

        if not others or not tiles.find(programs, finished, self._wanted):
            return
        for shift in others:
            yield replace(tiled, shift=shift)
            _use(self._into_sums, finished, moderngl.BLEND)
            finished.framebuffer.ctx.blend_func = (moderngl.ONE, moderngl.ONE)
            tiles.draw("sum", values, translucent)
        _use(self._into_average, finished)
        values = {"wanted": self._wanted, "sums": self._sums, "samples": float(self._count)}
        tiles.draw("average", values | whole)


def _use(framebuffer: moderngl.Framebuffer, finished: Picture, flags: int = 0) -> None:
    """Bind the part of a framebuffer that a picture shows, for drawing with few flags."""
    framebuffer.scissor = finished.scissor
    framebuffer.use()
    framebuffer.ctx.enable_only(flags)
