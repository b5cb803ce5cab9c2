"""Multisampling: a framebuffer with the samples of the driver, and their average."""

from collections.abc import Iterator
from dataclasses import replace

import moderngl

from .context import GpuObjects
from .picture import Picture, Rectangle
from .program import Programs

MULTISAMPLES = 4  # per pixel
BYTES_PER_PIXEL = 8 * MULTISAMPLES  # colour and depth


class Multisampling:
    """Draws one picture with four samples a pixel.

    Parameters
    ----------
    made
        Receives all GPU objects.
    finished
        Receives the average.

    Attributes
    ----------
    box
        Around the samples of the last picture, pixels; None: it has samples everywhere.
    """

    def __init__(self, made: GpuObjects, finished: moderngl.Framebuffer) -> None:
        self._context = context = finished.ctx
        self._made = made
        self._finished = finished
        self.box: Rectangle | None = None
        self._color = made.add(context.texture(finished.size, 4, samples=MULTISAMPLES))
        depth = made.add(context.depth_texture(finished.size, samples=MULTISAMPLES))
        self._framebuffer = made.add(context.framebuffer([self._color], depth))
        self._depths: moderngl.Framebuffer | None = None

    def picture(self, finished: Picture) -> Picture:
        """Return the picture of the samples, of a finished one."""
        return replace(finished, framebuffer=self._framebuffer, samples=MULTISAMPLES)

    def pictures(self, programs: Programs, finished: Picture) -> Iterator[Picture]:
        """Yield the picture whose samples are averaged into the finished one."""
        self.box = None
        yield self.picture(finished)
        self.average(programs, finished.scissor)

    def average(self, programs: Programs, box: Rectangle, *, over: bool = False) -> None:
        """Draw the average of the samples in a box; `over` what the finished picture shows.

        It is done by a shader: Mesa compiles that of a blit in every process.
        """
        self._finished.scissor = box
        self._finished.viewport = 0, 0, *self._finished.size
        self._finished.use()
        self._context.enable_only(moderngl.BLEND if over else moderngl.NOTHING)
        self._context.blend_func = (moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
        programs.draw("resolve", {"samples": self._color})
        self._finished.scissor = None  # type: ignore[assignment]  # the stub lacks "none"

    def covers(self, x: int, y: int) -> bool:
        """Return whether a pixel has samples of the last picture, counted from the bottom left."""
        left, low, width, height = self.box or (0, 0, *self._finished.size)
        return left <= x < left + width and low <= y < low + height

    def depths(self) -> moderngl.Framebuffer:
        """Return a framebuffer with the depth of one sample of each pixel."""
        context, size = self._context, self._finished.size
        if self._depths is None:
            color = self._made.add(context.renderbuffer(size))
            depth = self._made.add(context.depth_renderbuffer(size))
            self._depths = self._made.add(context.framebuffer([color], depth))
        context.copy_framebuffer(self._depths, self._framebuffer)
        return self._depths
