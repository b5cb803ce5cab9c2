"""Samplers with MIRRORED_REPEAT, which moderngl does not have: the picture is doubled."""

import numpy as np

from ...animation.types import U8
from ...model.material import Sampler

MIRRORED_REPEAT = 33648


def mirrored(pixels: U8, sampler: Sampler) -> U8:
    """Return a picture doubled by its mirror image for samplers with MIRRORED_REPEAT.

    moderngl supports only repeat and clamp; a doubled picture repeats like a mirrored one if the
    texture coordinates are halved (see `mirror_scale`).
    """
    if sampler.wrap_s == MIRRORED_REPEAT:
        pixels = np.concatenate([pixels, pixels[:, ::-1]], axis=1)
    if sampler.wrap_t == MIRRORED_REPEAT:
        pixels = np.concatenate([pixels, pixels[::-1]], axis=0)
    return pixels


def mirror_scale(sampler: Sampler) -> tuple[float, float]:
    """Return the scale of u and v for a picture doubled by `mirrored`."""
    u = 0.5 if sampler.wrap_s == MIRRORED_REPEAT else 1.0
    v = 0.5 if sampler.wrap_t == MIRRORED_REPEAT else 1.0
    return u, v
