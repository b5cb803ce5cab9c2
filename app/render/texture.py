"""Textures of materials: uploaded once, with mipmaps, sRGB decoded by the sampler."""

import moderngl
import numpy as np

from app.animation.types import U8
from app.model import Image, Sampler

SRGB8_ALPHA8 = 0x8C43
_MIPMAPPED = range(0x2700, 0x2704)  # NEAREST_MIPMAP_NEAREST .. LINEAR_MIPMAP_LINEAR
_REPEATS = {33071: False, 33648: True, 10497: True}  # clamp, mirrored (as repeat), repeat


class Textures:
    """The GPU's copies of a model's images, by (image, sampler, colour space)."""

    def __init__(self, context: moderngl.Context, images: tuple[Image, ...]) -> None:
        self._context = context
        self._images = images
        self._made: dict[tuple[int, Sampler, bool], moderngl.Texture] = {}

    def get(self, image: int, sampler: Sampler, *, srgb: bool) -> moderngl.Texture:
        """Return the texture of an image, uploading it when first asked for."""
        key = (image, sampler, srgb)
        if key not in self._made:
            self._made[key] = _upload(self._context, self._images[image].pixels, sampler, srgb)
        return self._made[key]

    def release(self) -> None:
        """Free all of them."""
        for texture in self._made.values():
            texture.release()
        self._made.clear()

    @property
    def nbytes(self) -> int:
        """GPU memory they take, mipmaps included."""
        return sum(t.width * t.height * 4 * 4 // 3 for t in self._made.values())


def _upload(
    context: moderngl.Context, pixels: U8, sampler: Sampler, srgb: bool
) -> moderngl.Texture:
    limit = context.info["GL_MAX_TEXTURE_SIZE"]
    while max(pixels.shape[:2]) > limit:
        pixels = pixels[::2, ::2]
    height, width = pixels.shape[:2]
    data = np.ascontiguousarray(mirrored(pixels, sampler))
    height, width = data.shape[:2]
    stored_as = SRGB8_ALPHA8 if srgb else None
    texture = context.texture((width, height), 4, data, alignment=1, internal_format=stored_as)
    if sampler.min_filter in _MIPMAPPED:
        texture.build_mipmaps()
        texture.anisotropy = _anisotropy(context)
    texture.filter = (sampler.min_filter, sampler.mag_filter)
    texture.repeat_x = _REPEATS.get(sampler.wrap_s, True)
    texture.repeat_y = _REPEATS.get(sampler.wrap_t, True)
    return texture


def _anisotropy(context: moderngl.Context) -> float:
    """Return how many samples a slanted surface may take: 1 in software.

    Mesa's llvmpipe (22.3, Debian 12) now and then never returns from an anisotropic look-up: the
    window froze within some hundred frames of Fox.glb.
    """
    software = any(name in context.info["GL_RENDERER"] for name in ("llvmpipe", "softpipe"))
    return 1.0 if software else min(4.0, context.max_anisotropy)


def mirrored(pixels: U8, sampler: Sampler) -> U8:
    """Return the picture beside its mirror image where the sampler wraps mirrored.

    moderngl knows repeat and clamp only; a doubled picture repeats as a mirrored one would, once
    the texture coordinates are halved (see `mirror_scale`).
    """
    if sampler.wrap_s == MIRRORED_REPEAT:
        pixels = np.concatenate([pixels, pixels[:, ::-1]], axis=1)
    if sampler.wrap_t == MIRRORED_REPEAT:
        pixels = np.concatenate([pixels, pixels[::-1]], axis=0)
    return pixels


MIRRORED_REPEAT = 33648


def mirror_scale(sampler: Sampler) -> tuple[float, float]:
    """Return the factors of u and v that go with `mirrored`."""
    u = 0.5 if sampler.wrap_s == MIRRORED_REPEAT else 1.0
    v = 0.5 if sampler.wrap_t == MIRRORED_REPEAT else 1.0
    return u, v
