"""A target of linear light, before tone mapping, that is read back as floats."""

from collections.abc import Iterator
from dataclasses import replace

import moderngl
import numpy as np

from ..animation.types import F32
from ..scene.versions import PicturePart
from .picture import Color, Picture
from .program import Programs
from .render_target import Target
from .supersampling import in_clip_space, picture_places


class LinearTarget(Target):
    """A picture of half floats, premultiplied; a renderer that is `linear` draws into it.

    All samples are drawn, in one picture after the other; parameters are those of `Target`.
    """

    def __init__(self, context: moderngl.Context, size: tuple[int, int], samples: int = 4) -> None:
        super().__init__(context, size, 1, dtype="f2")
        self.samples = samples
        self._shifts = in_clip_space(picture_places(samples, 1), size)
        self._sum: F32 = np.zeros((size[1], size[0], 4), np.float32)

    def pictures(self, _: Programs, part: PicturePart, color: Color) -> Iterator[Picture]:
        """Yield a picture for each sample of a part, and add them up."""
        finished = replace(self.finished(part, color), linear=True)
        left, low, width, height = finished.scissor
        box = slice(low, low + height), slice(left, left + width)
        self._sum[box] = 0.0
        for shift in self._shifts:
            yield replace(finished, shift=shift)
            self._sum[box] += self._read()[box]

    def read_light(self) -> F32:
        """Return the light [H, W, 4], top row first, premultiplied."""
        light: F32 = self._sum[::-1] / np.float32(self.samples)
        return light

    def _read(self) -> F32:
        """Return the last picture [H, W, 4], bottom row first."""
        data = self.framebuffer.read(components=4, dtype="f4", alignment=1)
        return np.frombuffer(data, np.float32).reshape(self._sum.shape)
