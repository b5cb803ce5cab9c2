"""Textures of materials: uploaded once, with mipmaps, sRGB decoded by the sampler."""

import moderngl
import numpy as np

from ...animation.types import U8
from ...model.material import Sampler
from ...model.model import Model
from ..context import is_software
from .mipmaps import Mipmaps
from .mirrored_repeat import mirrored

SRGB8_ALPHA8 = 0x8C43
_MIPMAPPED = range(0x2700, 0x2704)  # NEAREST_MIPMAP_NEAREST .. LINEAR_MIPMAP_LINEAR
_REPEATS = {33071: False, 33648: True, 10497: True}  # clamp, mirrored (as repeat), repeat


class Textures:
    """A model's images on the GPU, by image, sampler and colour space."""

    def __init__(self, context: moderngl.Context, model: Model, mipmaps: Mipmaps) -> None:
        self._context = context
        self._mipmaps = mipmaps
        self._model = model
        self._textures: dict[tuple[int, Sampler, bool], moderngl.Texture] = {}

    def get(self, image: int, sampler: Sampler, *, srgb: bool) -> moderngl.Texture:
        """Return the texture of an image, uploaded on first use."""
        key = (image, sampler, srgb)
        if key not in self._textures:
            self._textures[key] = self._upload(self._fitting_pixels(image), sampler, srgb=srgb)
        return self._textures[key]

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

    def _upload(self, pixels: U8, sampler: Sampler, *, srgb: bool) -> moderngl.Texture:
        data = np.ascontiguousarray(mirrored(pixels, sampler))
        height, width = data.shape[:2]
        context, stored_as = self._context, SRGB8_ALPHA8 if srgb else None
        texture = context.texture((width, height), 4, data, alignment=1, internal_format=stored_as)
        if sampler.min_filter in _MIPMAPPED:
            self._mipmaps.build(texture, stored_as)
            texture.anisotropy = _anisotropy(context)
        texture.filter = (sampler.min_filter, sampler.mag_filter)
        texture.repeat_x = _REPEATS.get(sampler.wrap_s, True)
        texture.repeat_y = _REPEATS.get(sampler.wrap_t, True)
        return texture


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
