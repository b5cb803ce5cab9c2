"""What stands behind glass: the picture without it, kept as light, with smaller and smaller copies.

Two pictures, since not everything is light. What is lit is kept linear, before the tone curve, and
so comes through as bright as it is. Unlit surfaces, the ground and the background are shown as they
are, and come through so. Both are drawn at once, by shaders with RADIANCE defined.
"""

import moderngl

from ..errors import ContextError
from .program import UNITS


class Behind:
    """Two pictures of one size, drawn to like a target and then looked up."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._made: tuple[tuple[int, int], int] | None = None  # size, samples
        self._textures: list[moderngl.Texture] = []
        self._framebuffers: list[moderngl.Framebuffer] = []

    @property
    def framebuffer(self) -> moderngl.Framebuffer:
        """Both pictures: light first."""
        return self._framebuffers[0]

    @property
    def shown(self) -> moderngl.Framebuffer:
        """The second one alone, with the same depths."""
        return self._framebuffers[1]

    def begin(
        self, size: tuple[int, int], samples: int, background: tuple[float, float, float, float]
    ) -> None:
        """Make them what is drawn to, empty.

        Parameters
        ----------
        background
            sRGB, premultiplied.

        Raises
        ------
        ContextError
            The driver has no room for them.
        """
        if self._made != (size, samples):
            self.release()
            try:
                self._make(size, samples)
            except moderngl.Error as error:
                sides = f"{size[0]} x {size[1]} pixels"
                raise ContextError(f"no room for what shows through glass, {sides}") from error
            self._made = size, samples
        self.framebuffer.clear(depth=1.0)
        self.shown.clear(*background, depth=1.0)
        self.framebuffer.use()
        self._context.viewport = (0, 0, *size)

    def finish(self) -> None:
        """Resolve what was drawn, and make the smaller copies."""
        if self._framebuffers[-1] is not self.shown:
            self._context.copy_framebuffer(self._framebuffers[-1], self.framebuffer)
        for texture in self._textures:
            texture.build_mipmaps()
            texture.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)

    def use(self) -> None:
        """Bind them for being looked up."""
        for texture, name in zip(self._textures, ("behind_light", "behind_shown"), strict=True):
            texture.use(UNITS[name])

    def release(self) -> None:
        """Free everything; a framebuffer that is bound may not be freed."""
        if self._framebuffers:
            self._context.detect_framebuffer(0).use()
        held = {each for made in self._framebuffers for each in made.color_attachments}
        held |= {made.depth_attachment for made in self._framebuffers[:1]}
        for made in self._framebuffers:
            made.release()
        for each in held | set(self._textures):
            each.release()
        self._framebuffers, self._textures, self._made = [], [], None

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
