"""The textures of ambient occlusion, at half the resolution of the picture."""

from contextlib import ExitStack

import moderngl

from ...errors import ContextError


class OcclusionMaps:
    """Depth, and visibility with distance before and after it is smoothed."""

    depth: moderngl.Texture
    rough: moderngl.Texture
    smooth: moderngl.Texture

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._size = 0, 0
        self._made = ExitStack()
        self._framebuffers: dict[str, moderngl.Framebuffer] = {}

    def allocate(self, size: tuple[int, int]) -> None:
        """Create the textures of a size, unless they have it.

        Raises
        ------
        ContextError
            The driver cannot allocate them.
        """
        if size == self._size:
            return
        self.release()
        context = self._context
        try:
            self.depth = context.depth_texture(size)
            self._made.callback(self.depth.release)
            self.depth.compare_func = ""
            self.depth.filter = moderngl.NEAREST, moderngl.NEAREST
            self._keep("depth", context.framebuffer(depth_attachment=self.depth))
            self.rough, self.smooth = (context.texture(size, 2, dtype="f4") for _ in range(2))
            for texture in (self.rough, self.smooth):
                self._made.callback(texture.release)
            self._keep("occlusion", context.framebuffer([self.rough]))
            self._keep("occlusion_blur", context.framebuffer([self.smooth]))
        except moderngl.Error as error:
            self.release()
            sides = f"{size[0]} x {size[1]} pixels"
            raise ContextError(f"not enough GPU memory for occlusion, {sides}") from error
        self._size = size

    def begin(self) -> None:
        """Bind and clear the depth for drawing."""
        framebuffer = self._framebuffers["depth"]
        framebuffer.use()
        framebuffer.clear(depth=1.0)
        self._context.enable_only(moderngl.DEPTH_TEST)
        self._context.depth_func = "<="

    def framebuffer(self, name: str) -> moderngl.Framebuffer:
        """Return the framebuffer that a program draws into."""
        return self._framebuffers[name]

    def release(self) -> None:
        """Free all GPU objects; bound framebuffers cannot be freed."""
        if self._framebuffers:
            self._context.detect_framebuffer(0).use()
        self._made.close()
        self._framebuffers.clear()
        self._size = 0, 0

    def _keep(self, name: str, framebuffer: moderngl.Framebuffer) -> None:
        self._framebuffers[name] = framebuffer
        self._made.callback(framebuffer.release)
