"""The background of transmissive surfaces: the frame without them, with mipmaps.

There are two pictures. Lit surfaces are stored as linear radiance, before tone mapping, so that
their full brightness is transmitted. Unlit surfaces, ground and background are stored as displayed.
Both are drawn in one pass, by shaders with RADIANCE defined.
"""

from typing import ClassVar

import moderngl

from ..errors import ContextError
from ..scene.versions import PicturePart
from .program import UNITS


class TransmissionTarget:
    """Two pictures of one size, drawn like a target and then used as textures."""

    defines: ClassVar[dict[str, int]] = {"RADIANCE": 1}
    zoom = 1
    line_scale = 1.0  # see `Target.line_scale`
    masked = False  # see `Target.masked`

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self.size = 0, 0
        self.multisamples = 0
        self._textures: list[moderngl.Texture] = []
        self._framebuffers: list[moderngl.Framebuffer] = []

    def viewport_of(self, part: PicturePart) -> tuple[int, int, int, int]:
        """Return the box that the camera's picture fills in them."""
        left, low, width, height = part.viewport(
            (self.size[0] // self.zoom, self.size[1] // self.zoom)
        )
        return left * self.zoom, low * self.zoom, width * self.zoom, height * self.zoom

    @property
    def drawn(self) -> tuple[int, int]:
        """Width and height."""
        return self.size

    @property
    def framebuffer(self) -> moderngl.Framebuffer:
        """Both pictures, radiance first."""
        return self._framebuffers[0]

    @property
    def unlit(self) -> moderngl.Framebuffer:
        """The second picture alone, with the same depth buffer."""
        return self._framebuffers[1]

    def begin(
        self,
        size: tuple[int, int],
        samples: int,
        background: tuple[float, float, float, float],
        viewport: tuple[int, int, int, int],
        zoom: int = 1,
    ) -> None:
        """Bind and clear both pictures.

        Parameters
        ----------
        background
            sRGB, premultiplied.
        viewport
            Left, bottom, width and height of the camera's picture in them, pixels.
        zoom
            Their resolution, of that of the pixels of the picture.

        Raises
        ------
        ContextError
            The driver cannot allocate them.
        """
        if (self.size, self.multisamples) != (size, samples):
            self.release()
            try:
                self._make(size, samples)
            except moderngl.Error as error:
                sides = f"{size[0]} x {size[1]} pixels"
                raise ContextError(f"not enough GPU memory for transmission, {sides}") from error
            self.size, self.multisamples = size, samples
        self.zoom = zoom
        self.framebuffer.clear(depth=1.0)
        self.unlit.clear(*background, depth=1.0)
        self.framebuffer.use()
        self._context.viewport = viewport

    def finish(self) -> None:
        """Resolve the samples and build mipmaps."""
        if self._framebuffers[-1] is not self.unlit:
            self._context.copy_framebuffer(self._framebuffers[-1], self.framebuffer)
        for texture in self._textures:
            texture.build_mipmaps()
            texture.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)

    def use(self) -> None:
        """Bind both as textures."""
        for texture, name in zip(
            self._textures, ("background_light", "background_unlit"), strict=True
        ):
            texture.use(UNITS[name])

    def release(self) -> None:
        """Free all GPU objects; bound framebuffers cannot be freed."""
        if self._framebuffers:
            self._context.detect_framebuffer(0).use()
        held = {texture for made in self._framebuffers for texture in made.color_attachments}
        held |= {made.depth_attachment for made in self._framebuffers[:1]}
        for made in self._framebuffers:
            made.release()
        for texture in held | set(self._textures):
            texture.release()
        self._framebuffers, self._textures, self.size, self.multisamples = [], [], (0, 0), 0

    def _make(self, size: tuple[int, int], samples: int) -> None:
        context = self._context
        self._textures = [context.texture(size, 4, dtype=kind) for kind in ("f2", "f1")]
        for texture in self._textures:
            texture.repeat_x = texture.repeat_y = False
        if samples == 1:
            depth = context.depth_renderbuffer(size)
            self._framebuffers = [
                context.framebuffer(self._textures, depth),
                context.framebuffer(self._textures[1:], depth),
            ]
            return
        light, shown = (
            context.renderbuffer(size, 4, samples=samples, dtype=kind) for kind in ("f2", "f1")
        )
        depth = context.depth_renderbuffer(size, samples=samples)
        self._framebuffers = [
            context.framebuffer([light, shown], depth),
            context.framebuffer([shown], depth),
            context.framebuffer(self._textures),
        ]
