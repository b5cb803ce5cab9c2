"""Mipmaps of textures.

On software renderers they are drawn by our shader: Mesa compiles those of glGenerateMipmap in every
process, 40 ms for each kind of texture, but caches ours on disk. The levels are the same.
"""

import ctypes
from functools import cache
from typing import Any

import moderngl

from ..context import is_software
from ..program import Programs

_TEXTURE_2D = 0x0DE1
_FRAMEBUFFER_SRGB = 0x8DB9  # encode what is drawn into a texture that is decoded when sampled
_RGBA, _RGBA8, _BYTES = 0x1908, 0x8058, 0x1401


class Mipmaps:
    """Builds the mipmaps of the textures of a context."""

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        self._context = context
        self._programs = programs
        self._set_level = _tex_image() if is_software(context) else None
        self._array: moderngl.VertexArray | None = None

    def build(self, texture: moderngl.Texture, internal_format: int | None) -> None:
        """Build the mipmaps of a texture of four components and 8 bits, whose level 0 is set.

        The filter of the texture is changed.
        """
        if self._set_level is None:
            texture.build_mipmaps()
            return
        context = self._context
        context.enable_only(moderngl.NOTHING)
        context.enable_direct(_FRAMEBUFFER_SRGB)
        texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        larger = texture
        for level in range(1, max(texture.size).bit_length()):
            size = max(1, larger.width // 2), max(1, larger.height // 2)
            half = context.texture(size, 4, internal_format=internal_format)
            framebuffer = context.framebuffer([half])
            framebuffer.use()
            self._draw(larger, size)
            pixels = framebuffer.read(components=4, alignment=1)
            texture.use(0)
            stored_as = internal_format or _RGBA8
            self._set_level(_TEXTURE_2D, level, stored_as, *size, 0, _RGBA, _BYTES, pixels)
            context.detect_framebuffer(0).use()
            framebuffer.release()
            if larger is not texture:
                larger.release()
            larger = half
        if larger is not texture:
            larger.release()
        context.disable_direct(_FRAMEBUFFER_SRGB)

    def release(self) -> None:
        """Free the vertex array."""
        if self._array is not None:
            self._array.release()
            self._array = None

    def _draw(self, larger: moderngl.Texture, size: tuple[int, int]) -> None:
        """Draw a texture at half its size."""
        if self._array is None:
            self._array = self._context.vertex_array(self._programs.get("mipmap"), [])
        larger.use(0)
        self._array.program["larger"] = 0
        self._array.program["size"] = size
        self._array.render(moderngl.TRIANGLES, vertices=3)


@cache
def _tex_image() -> Any:  # noqa: ANN401 - a function of a library
    """Return glTexImage2D, as moderngl sets no levels but the first; None without libGL."""
    try:
        return ctypes.CDLL("libGL.so.1").glTexImage2D
    except (OSError, AttributeError):
        return None
