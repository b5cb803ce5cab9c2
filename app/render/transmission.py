"""What transmissive surfaces show behind them: the frame without them, with mipmaps.

There are two textures. Lit surfaces are stored as linear radiance, before tone mapping, so that
their full brightness is transmitted. Unlit surfaces, ground and background are stored as displayed.
Both are drawn in one pass, by shaders with RADIANCE defined.
"""

from dataclasses import dataclass
from typing import ClassVar

import moderngl

from ..errors import ContextError
from .context import GpuObjects
from .picture import Picture
from .program import UNITS

TRANSMITTED = "transmitted_light", "transmitted_unlit"  # uniforms of the textures


@dataclass(frozen=True, slots=True, kw_only=True)
class TransmissionPicture(Picture):
    """A picture whose framebuffer has two textures, radiance first.

    Attributes
    ----------
    displayed
        The second texture alone, with the same depth buffer.
    """

    displayed: moderngl.Framebuffer

    defines: ClassVar[dict[str, int]] = {"RADIANCE": 1}

    @property
    def unlit(self) -> moderngl.Framebuffer:
        """Where unlit things are drawn: the second texture."""
        return self.displayed

    def clear(self) -> None:
        """Bind the picture, and clear it, parts that are not drawn too."""
        self.framebuffer.clear(depth=1.0)
        self.unlit.clear(*self.color, depth=1.0)
        self.framebuffer.use()
        self.framebuffer.viewport = self.viewport


class TransmissionTarget:
    """Two textures of one size, which are drawn and then used."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._made = GpuObjects()
        self._made_for: tuple[tuple[int, int], int] | None = None  # size and samples
        self._textures: list[moderngl.Texture] = []
        self._framebuffers: list[moderngl.Framebuffer] = []

    def picture(self, seen: Picture) -> TransmissionPicture:
        """Return a picture to be drawn without the transmissive surfaces of another one.

        Raises
        ------
        ContextError
            The driver cannot allocate it.
        """
        wanted = size, samples = seen.drawn, seen.samples
        if self._made_for != wanted:
            self.release()
            try:
                self._make(size, samples)
            except moderngl.Error as error:
                sides = f"{size[0]} x {size[1]} pixels"
                raise ContextError(f"not enough GPU memory for transmission, {sides}") from error
            self._made_for = wanted
        return TransmissionPicture(
            framebuffer=self._framebuffers[0],
            displayed=self._framebuffers[1],
            size=seen.size,
            part=seen.part,
            color=seen.color,
            divisor=seen.divisor,
            zoom=seen.zoom,
            shift=seen.shift,
            samples=seen.samples,
        )

    def finish(self) -> None:
        """Resolve the samples and build mipmaps."""
        if len(self._framebuffers) > 2:
            self._context.copy_framebuffer(self._framebuffers[2], self._framebuffers[0])
        for texture in self._textures:
            texture.build_mipmaps()
            texture.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)

    def use(self) -> None:
        """Bind both as textures."""
        for texture, name in zip(self._textures, TRANSMITTED, strict=True):
            texture.use(UNITS[name])

    def release(self) -> None:
        """Free all GPU objects; bound framebuffers cannot be freed."""
        if self._made_for is not None:
            self._context.detect_framebuffer(0).use()
        self._made.close()
        self._made_for = None

    def _make(self, size: tuple[int, int], samples: int) -> None:
        context, add = self._context, self._made.add
        self._textures = [add(context.texture(size, 4, dtype=kind)) for kind in ("f2", "f1")]
        for texture in self._textures:
            texture.repeat_x = texture.repeat_y = False
        drawn: list[moderngl.Texture | moderngl.Renderbuffer] = [*self._textures]
        if samples > 1:
            drawn = [
                add(context.renderbuffer(size, 4, samples=samples, dtype=kind))
                for kind in ("f2", "f1")
            ]
        depth = add(context.depth_renderbuffer(size, samples=samples if samples > 1 else 0))
        self._framebuffers = [
            add(context.framebuffer(drawn, depth)),
            add(context.framebuffer(drawn[1:], depth)),
        ]
        if samples > 1:
            self._framebuffers.append(add(context.framebuffer(self._textures)))
