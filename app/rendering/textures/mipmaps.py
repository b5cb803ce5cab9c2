"""Mipmaps of textures.

On software renderers they are drawn by our shader: Mesa compiles those of glGenerateMipmap in every
process, 40 ms for each kind of texture, but caches ours on disk. The levels are the same. Those of
alpha masks are drawn by it everywhere, to keep the share of pixels that the mask leaves.
"""

import ctypes
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import moderngl
import numpy as np

from ...animation.types import F64, U8
from ..context import is_software
from ..program import Programs
from .texture_stream import PIECE

MEASURED, BAND = 1 << 18, 16  # texels of a level that its share is measured in, rows of a band
_TEXTURE_2D = 0x0DE1
_FRAMEBUFFER_SRGB = 0x8DB9  # encode what is drawn into a texture that is decoded when sampled
_RGBA, _RGBA8, _BYTES = 0x1908, 0x8058, 0x1401


class Mask(NamedTuple):
    """The alpha of a texture that a material cuts: the least that is drawn, and its share."""

    cutoff: float  # of 255
    share: float  # of the picture

    @classmethod
    def of(cls, pixels: U8, cutoff: float) -> "Mask":
        """Return the mask of pixels [H, W, 4] by a cutoff from 0 to 1."""
        return cls(
            255.0 * cutoff,
            float(_shares(pixels)[int(np.ceil(255.0 * cutoff))]),
        )

    def kept(self, pixels: U8) -> U8:
        """Return the pixels [H, W, 4] of a level with another alpha, so that the share is the same.

        It is an affine function of the alpha, which filters as that does.
        """
        if not 0.0 < self.share < 1.0:
            return pixels
        least = 1 + int(np.abs(_shares(pixels)[1:] - self.share).argmin())
        room = (255.0 - self.cutoff) / max(255.0 - least, 1.0), self.cutoff / least
        scale, found = min(1.0, *room), pixels.copy()
        found[..., 3] = np.ceil(self.cutoff + scale * (found[..., 3] - float(least)) - 1e-6)
        return found


def _shares(pixels: U8) -> F64:
    """Return the shares [256] of a picture [H, W, 4] with at least an alpha, filtered linearly.

    Of large ones, bands of rows are measured.
    """
    step = -(-pixels.shape[0] * pixels.shape[1] // MEASURED)
    measured = np.arange(len(pixels)) // BAND % step == 0
    found = [pixels[measured, :, 3].astype(np.float32)]
    for axis in (0, 1):  # to places between the texels
        found = [
            0.75 * alpha + 0.25 * np.roll(alpha, side, axis) for alpha in found for side in (1, -1)
        ]
    counts = np.bincount(np.stack(found).astype(np.uint8).ravel(), minlength=256)
    out: F64 = counts[::-1].cumsum()[::-1] / counts.sum()
    return out


class Mipmaps:
    """Builds the mipmaps of the textures of a context."""

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        self._context = context
        self._programs = programs
        self._all_levels = _levels()
        self._levels = self._all_levels if is_software(context) else None

    def allocate(self, size: tuple[int, int], internal_format: int | None) -> moderngl.Texture:
        """Return a texture of four components and 8 bits that will have mipmaps, empty.

        With our own mipmaps, moderngl does not know its size: Mesa allocates all levels at once
        only if the filter is set before, and would copy the first one later.
        """
        if self._levels is None:
            return self._context.texture(size, 4, internal_format=internal_format)
        texture = self._context.texture((1, 1), 4)
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        self._allocate(texture, 0, size, internal_format)
        return texture

    def write(self, texture: moderngl.Texture, part: tuple[int, int, int, int], pixels: U8) -> None:
        """Write pixels [H, W, 4] into a part of a texture of `allocate`: left, bottom, size."""
        if self._levels is None:
            texture.write(pixels, viewport=part, alignment=1)
            return
        texture.use(0)
        address = pixels.ctypes.data_as(ctypes.c_void_p)
        self._levels.write(_TEXTURE_2D, 0, *part, _RGBA, _BYTES, address)

    def pieces(
        self,
        texture: moderngl.Texture,
        size: tuple[int, int],
        internal_format: int | None,
        mask: Mask | None = None,
    ) -> Iterator[None]:
        """Build the mipmaps of a texture of `allocate`, a piece at each step.

        A `mask` keeps its share of pixels in all levels. The filter of the texture is changed.
        """
        levels = self._levels if mask is None else self._all_levels
        if levels is None:
            texture.build_mipmaps()
            return
        larger = texture
        texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        try:
            for level in range(1, max(size).bit_length()):
                size = max(1, size[0] // 2), max(1, size[1] // 2)
                half = self._context.texture(size, 4, internal_format=internal_format)
                self._allocate(texture, level, size, internal_format)
                for bottom, height in strips(*size) if mask is None else [(0, size[1])]:
                    part = 0, bottom, size[0], height
                    pixels = self._draw(larger, half, part)
                    if mask is not None:
                        texels = np.frombuffer(pixels, np.uint8).reshape(*size[::-1], 4)
                        pixels = mask.kept(texels).tobytes()
                    texture.use(0)
                    levels.write(_TEXTURE_2D, level, *part, _RGBA, _BYTES, pixels)
                    if size[0] * size[1] > PIECE // 4:
                        yield
                if larger is not texture:
                    larger.release()
                larger = half
        finally:
            if larger is not texture:
                larger.release()

    def _allocate(
        self, texture: moderngl.Texture, level: int, size: tuple[int, int], stored_as: int | None
    ) -> None:
        assert self._all_levels is not None
        texture.use(0)
        self._all_levels.allocate(
            _TEXTURE_2D, level, stored_as or _RGBA8, *size, 0, _RGBA, _BYTES, None
        )

    def _draw(
        self, larger: moderngl.Texture, half: moderngl.Texture, part: tuple[int, int, int, int]
    ) -> bytes:
        """Draw a part of a texture at half its size, and return its pixels."""
        context = self._context
        framebuffer = context.framebuffer([half])
        framebuffer.use()
        framebuffer.scissor = part
        context.enable_only(moderngl.NOTHING)
        context.enable_direct(_FRAMEBUFFER_SRGB)
        self._programs.draw("mipmap", {"larger": larger, "size": half.size})
        context.disable_direct(_FRAMEBUFFER_SRGB)
        pixels = framebuffer.read(part, components=4, alignment=1)
        context.detect_framebuffer(0).use()
        framebuffer.release()
        return pixels


def strips(width: int, height: int, most: int = PIECE) -> Iterator[tuple[int, int]]:
    """Yield the first row and the number of rows of pieces of a picture of `most` pixels."""
    rows = max(1, most // width)
    for first in range(0, height, rows):
        yield first, min(rows, height - first)


class _Levels(NamedTuple):
    """Functions of OpenGL that moderngl has for the first level only."""

    allocate: Any  # glTexImage2D
    write: Any  # glTexSubImage2D


@cache
def _levels() -> _Levels | None:
    """Return the functions that set levels; None without libGL."""
    try:
        library = ctypes.CDLL("libGL.so.1")
        return _Levels(library.glTexImage2D, library.glTexSubImage2D)
    except (OSError, AttributeError):
        return None
