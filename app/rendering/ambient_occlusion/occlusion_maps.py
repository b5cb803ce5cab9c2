"""The textures of ambient occlusion, at half the resolution of the picture."""

from contextlib import ExitStack

import moderngl

from ...errors import ContextError
from ..render_target import depth_texture

NOTHING = 2e30  # distance where there is no surface, metres


class OcclusionMaps:
    """Depth, distance, and visibility with distance before and after it is smoothed."""

    depth: moderngl.Texture
    distance: moderngl.Texture
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
            self.depth = depth_texture(context, size)
            self._made.callback(self.depth.release)
            self._keep("depth", context.framebuffer(depth_attachment=self.depth))
            self.distance = context.texture(size, 1, dtype="f4")
            self.rough, self.smooth = (context.texture(size, 2, dtype="f4") for _ in range(2))
            for texture in (self.distance, self.rough, self.smooth):
                self._made.callback(texture.release)
            self._keep("occlusion_distance", context.framebuffer([self.distance]))
            self._keep("occlusion", context.framebuffer([self.rough], self.depth))
            self._keep("occlusion_blur", context.framebuffer([self.smooth], self.depth))
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

    def begin_distance(self) -> None:
        """Bind the distance for drawing, of all texels."""
        self._framebuffers["occlusion_distance"].use()
        self._context.enable_only(moderngl.NOTHING)

    def begin_visibility(self, name: str) -> None:
        """Bind and clear the map that a program draws, of texels nearer than the far plane."""
        framebuffer = self._framebuffers[name]
        framebuffer.use()
        framebuffer.depth_mask = False
        framebuffer.clear(1.0, NOTHING)
        self._context.enable_only(moderngl.DEPTH_TEST)
        self._context.depth_func = ">"

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
