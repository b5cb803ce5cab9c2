"""Textures of materials: uploaded once, with mipmaps, sRGB decoded by the sampler."""

from collections.abc import Hashable, Iterator

import moderngl
import numpy as np

from ...animation.types import U8
from ...model.material import Sampler
from ...model.model import Model
from ..context import is_software
from .mipmaps import Mask, Mipmaps, strips
from .mirrored_repeat import mirrored
from .texture_stream import COPIED, PIECE, GpuTexture, TextureStream

SRGB8_ALPHA8 = 0x8C43
WHITE = (255, 255, 255, 255)
_MIPMAPPED = range(0x2700, 0x2704)  # NEAREST_MIPMAP_NEAREST .. LINEAR_MIPMAP_LINEAR
_REPEATS = {33071: False, 33648: True, 10497: True}  # clamp, mirrored (as repeat), repeat


class Textures:
    """A model's images on the GPU, by content, sampler and colour space."""

    def __init__(
        self,
        context: moderngl.Context,
        model: Model,
        mipmaps: Mipmaps,
        *,
        stream: TextureStream | None = None,
    ) -> None:
        self._context = context
        self._mipmaps = mipmaps
        self._model = model
        self._stream = stream
        self._textures: dict[tuple[Hashable, Sampler, bool, float], GpuTexture] = {}

    def get(
        self,
        image: int,
        sampler: Sampler,
        *,
        srgb: bool,
        neutral: tuple[int, ...] = WHITE,
        cutoff: float = 0.0,
    ) -> GpuTexture:
        """Return the texture of an image, uploaded on first use.

        With a `cutoff` between 0 and 1, its mipmaps keep the share of pixels with more alpha. With
        a stream, a `neutral` pixel is drawn until an image that is not decoded is uploaded.
        """
        key = (self._model.images[image].content, sampler, srgb, cutoff)
        if key not in self._textures:
            if self._stream is not None and not self._model.images[image].decoded:
                self._textures[key] = GpuTexture(
                    self._context.texture((1, 1), 4, bytes(neutral)), (1, 1)
                )
                self._stream.add(
                    self._textures[key],
                    lambda: self._affordable_pixels(image, sampler, neutral),
                    lambda pixels: self._pieces(pixels, sampler, cutoff, srgb=srgb),
                )
            else:
                pixels = self._pixels(image, sampler)
                *_, texture = self._pieces(pixels, sampler, cutoff, srgb=srgb)
                assert texture is not None
                self._textures[key] = GpuTexture(texture, (pixels.shape[1], pixels.shape[0]))
        return self._textures[key]

    def _pixels(self, image: int, sampler: Sampler) -> U8:
        """Return the pixels [H, W, 4] of an image as they are uploaded."""
        return np.ascontiguousarray(mirrored(self._fitting_pixels(image), sampler))

    def _affordable_pixels(self, image: int, sampler: Sampler, neutral: tuple[int, ...]) -> U8:
        """Return the same, one `neutral` pixel with a warning if memory is short."""
        try:
            return self._pixels(image, sampler)
        except MemoryError:
            self.warn(f"/images/{image}: not enough memory for its pixels; not drawn")
            return np.array(neutral, np.uint8).reshape(1, 1, 4)

    def _fitting_pixels(self, image: int) -> U8:
        """Return the pixels of an image, halved until they fit this GPU."""
        pixels = self._model.images[image].pixels
        limit = self._context.info["GL_MAX_TEXTURE_SIZE"] // 2  # mirrored pictures are doubled
        if max(pixels.shape[:2]) <= limit:
            return pixels
        size = f"{pixels.shape[1]} x {pixels.shape[0]}"
        while max(pixels.shape[:2]) > limit:
            pixels = halved(pixels)
        self.warn(f"/images/{image}: {size} pixels exceed the texture size of this GPU; downscaled")
        return pixels

    def warn(self, message: str) -> None:
        """Add a warning about a limit of this GPU to the model."""
        self._model.warnings.append(message)

    def release(self) -> None:
        """Free all textures."""
        for texture in self._textures.values():
            texture.release()
        self._textures.clear()

    def _pieces(
        self, data: U8, sampler: Sampler, cutoff: float, *, srgb: bool
    ) -> Iterator[moderngl.Texture | None]:
        """Upload a piece of pixels [H, W, 4] at each step; yield the texture at last."""
        height, width = data.shape[:2]
        context, stored_as = self._context, SRGB8_ALPHA8 if srgb else None
        mipmaps, size = self._mipmaps, (width, height)
        mipmapped = sampler.min_filter in _MIPMAPPED
        if mipmapped:
            texture = mipmaps.allocate(size, stored_as)
        else:
            texture = context.texture(size, 4, internal_format=stored_as)
        kept = False
        try:
            for first, rows in strips(width, height, COPIED):
                part = 0, first, width, rows
                piece = data[first : first + rows]
                if mipmapped:
                    mipmaps.write(texture, part, piece)
                else:
                    texture.write(piece, viewport=part, alignment=1)
                if width * height > PIECE:
                    yield None
            if mipmapped:
                mask = Mask.of(data, cutoff) if 0.0 < cutoff < 1.0 else None
                for _ in mipmaps.pieces(texture, size, stored_as, mask):
                    yield None
                texture.anisotropy = _anisotropy(context)
            texture.filter = (sampler.min_filter, sampler.mag_filter)
            texture.repeat_x = _REPEATS.get(sampler.wrap_s, True)
            texture.repeat_y = _REPEATS.get(sampler.wrap_t, True)
            kept = True
            yield texture
        finally:
            if not kept:
                texture.release()


def halved(pixels: U8) -> U8:
    """Return a picture at half its width and height; an odd last row or column is dropped."""
    height, width = (max(1, side // 2) for side in pixels.shape[:2])
    fours = pixels[: 2 * height, : 2 * width].astype(np.uint16)
    rows = fours.reshape(height, -1, fours.shape[1], 4).sum(axis=1)
    sums = rows.reshape(height, width, -1, 4).sum(axis=2)
    shared = pixels[: 2 * height, : 2 * width, 0].size // (height * width)
    return ((sums + shared // 2) // shared).astype(np.uint8)


def _anisotropy(context: moderngl.Context) -> float:
    """Return the number of anisotropic samples: 1 for software renderers.

    Mesa's llvmpipe (22.3, Debian 12) sometimes never returns from anisotropic sampling: the window
    froze within a few hundred frames of Fox.glb.
    """
    return 1.0 if is_software(context) else min(4.0, context.max_anisotropy)
