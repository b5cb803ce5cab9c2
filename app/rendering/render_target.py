"""Render targets: what scenes are drawn into, with any number of samples, and read back."""

from collections.abc import Iterator
from dataclasses import replace

import moderngl
import numpy as np

from ..animation.types import F32, U8, U32
from ..errors import ContextError
from ..scene.versions import PicturePart
from ..wording import binary_size
from . import multisampling
from .context import GpuObjects, depth_texture
from .multisampling import MULTISAMPLES, Multisampling
from .picture import Color, Picture
from .program import Programs
from .supersampling import Supersampling, bytes_per_pixel, in_clip_space, picture_places, zoom_of

MAX_BYTES = 1 << 32  # of the buffers: 4 GiB
_FEWER = "choose a lower resolution or fewer samples"


class Target:
    """A finished picture of `size` (width, height) pixels, averaged of `samples` samples each.

    Four samples are those of the driver, if it has them; other numbers are pictures that are drawn
    one after the other. With a `divisor`, it is shown as many times larger, and overlay lines are
    as much thinner. `dtype` is that of its colours.

    Attributes
    ----------
    texture
        Colours of the finished picture: sRGB, premultiplied.
    sampling
        What averages several samples, None: there is one.
    quick
        Whether effects that are slow without a GPU are left out.

    Raises
    ------
    ContextError
        It takes more than `MAX_BYTES`, or the driver cannot allocate it.
    """

    def __init__(
        self,
        context: moderngl.Context,
        size: tuple[int, int],
        samples: int = 4,
        divisor: int = 1,
        dtype: str = "f1",
    ) -> None:
        self.context = context
        self.size = size
        self.samples = samples
        self.divisor = divisor
        self.quick = False
        self.sampling: Multisampling | Supersampling | None = None
        self._words: U32 | None = None  # [H, W] buffer of the last read, bottom row first
        limit = context.info["GL_MAX_RENDERBUFFER_SIZE"]
        if max(size) > limit:
            raise ContextError(f"a picture of {size[0]} x {size[1]} pixels; at most {limit}")
        pixel, multisampled = 8, samples == MULTISAMPLES <= context.max_samples
        zoom = zoom_of(samples, limit / max(size))
        if multisampled:
            pixel += multisampling.BYTES_PER_PIXEL
        elif samples > 1:
            pixel += bytes_per_pixel(zoom)
        self._check_bytes(pixel)
        self._made = made = GpuObjects()
        try:
            self.texture = made.add(context.texture(size, 4, dtype=dtype))
            depth = made.add(depth_texture(context, size))
            self.framebuffer = made.add(context.framebuffer([self.texture], depth))
            if multisampled:
                self.sampling = Multisampling(made, self.framebuffer)
            elif samples > 1:
                self.sampling = Supersampling(made, self.framebuffer, samples, zoom)
        except moderngl.Error:
            made.close()
            raise not_enough_memory(size, samples) from None

    def _check_bytes(self, pixel: int) -> None:
        """Raise if the buffers, of a pixel this many bytes, take too much memory."""
        width, height = self.size
        if (needed := width * height * pixel) > MAX_BYTES:
            taken = f"{width} x {height} pixels with {self.samples} samples"
            taken += f" take {binary_size(needed)} of memory"
            raise ContextError(f"{taken}; at most {binary_size(MAX_BYTES)}", hint=_FEWER)

    def finished(self, part: PicturePart, color: Color) -> Picture:
        """Return a part of the finished picture, to be cleared with a colour."""
        return Picture(self.framebuffer, self.size, part, color, self.divisor)

    def pictures(self, programs: Programs, part: PicturePart, color: Color) -> Iterator[Picture]:
        """Yield the pictures to draw for a part, one after the other.

        Each is cleared and drawn before the next one is asked for; after the last one, their
        average is the finished picture.
        """
        finished = self.finished(part, color)
        if self.sampling is None:
            yield finished
        else:
            yield from self.sampling.pictures(programs, finished)

    def read(self) -> U8:
        """Return the picture [H, W, 4], top row first, straight alpha."""
        width, height = self.size
        if self._words is None:
            self._words = np.empty((height, width), "<u4")  # reused: new pages are slow
        self.framebuffer.read_into(self._words, components=4, alignment=1)
        words = self._words[::-1]
        if int(words.min()) >> 24 == 255:  # all opaque: checking whole words is faster
            words = words.copy()
            return words.view(np.uint8).reshape(height, width, 4)
        return straight_alpha(words.view(np.uint8).reshape(height, width, 4))

    def depth(self, x: int, y: int) -> float:
        """Return the depth, -1 near to 1 far, at a pixel counted from the top left."""
        drawn, y = self.framebuffer, self.size[1] - 1 - y
        if isinstance(self.sampling, Multisampling):
            if not self.sampling.covers(x, y):
                return 1.0
            drawn = self.sampling.depths()
        data = drawn.read((x, y, 1, 1), attachment=-1, dtype="f4", alignment=1)
        return float(np.frombuffer(data, np.float32)[0]) * 2.0 - 1.0

    def release(self) -> None:
        """Free the target; the default framebuffer is bound, as bound ones cannot be freed."""
        self.context.detect_framebuffer(0).use()
        self._made.close()


def not_enough_memory(size: tuple[int, int], samples: int) -> ContextError:
    """Return the error that the driver cannot allocate buffers of a size."""
    sides = f"{size[0]} x {size[1]} pixels with {samples} samples"
    return ContextError(f"not enough GPU memory for {sides}", hint=_FEWER)


def straight_alpha(premultiplied: U8) -> U8:
    """Return [H, W, 4] with colours divided by alpha; all four are 0 if alpha is 0."""
    alpha = premultiplied[..., 3:]
    if (alpha == 255).all():
        return np.ascontiguousarray(premultiplied)
    safe = np.maximum(alpha, 1).astype(np.float32)
    color = np.minimum(np.rint(premultiplied[..., :3] * (255.0 / safe)), 255.0)
    return np.concatenate([np.where(alpha == 0, 0, color).astype(np.uint8), alpha], axis=-1)


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
