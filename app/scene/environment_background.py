"""The environment as the background of pictures: a map of all directions, blurred on the sphere.

Maps are equirectangular: +Y at the top, +X in the middle, +Z at three quarters of the width.
"""

import math

import numpy as np

from ..animation.types import F16, F64

SPREAD = 0.6  # radians, standard deviation of the greatest blur
MARGIN = 2  # rows beyond each pole, for the filter of the picture
_FINEST = 1024  # rows of a blurred map
_COARSEST = 32
_REACH = 3.5  # standard deviations, where the blur ends


def blurred(light: F16, blur: float) -> F16:
    """Return a map [H, W, 3] blurred evenly in all directions, with as few rows as show it.

    Parameters
    ----------
    light
        [H, W, 3] linear.
    blur
        0 to 1. The light of a direction is the mean by a normal distribution about it, whose
        standard deviation is `SPREAD` times the square of the blur.
    """
    if blur <= 0.0:
        return light
    spread = SPREAD * blur * blur
    rows = 2 ** math.ceil(math.log2(2.0 * math.pi / spread))
    reduced = resized(light, min(max(rows, _COARSEST), _FINEST, len(light)))
    texel = math.pi / len(reduced)
    rest = spread * spread - texel * texel / 3.0  # the variance of the filter of the picture
    return _half(_convolved(reduced, math.sqrt(rest)) if rest > 0.0 else reduced)


def resized(light: F16, rows: int) -> F64:
    """Return a map [rows, 2 rows, 3] whose pixels are means of the solid angle that they cover."""
    wide = _resized_axis(light, 1, 2 * rows)
    area = np.sin((np.arange(len(light)) + 0.5) * (math.pi / len(light)))[:, None, None]
    found = _resized_axis(wide * area, 0, rows) / _resized_axis(area, 0, rows)
    return found.astype(np.float64)


def _resized_axis(light: F16 | F64, axis: int, count: int) -> F16 | F64:
    size = light.shape[axis]
    if count == size:
        return light
    if size % count == 0:
        shape = (*light.shape[:axis], count, size // count, *light.shape[axis + 1 :])
        return light.reshape(shape).mean(axis=axis + 1, dtype=np.float64)
    edges = np.arange(count + 1) * (size / count)
    whole = np.minimum(edges.astype(int), size - 1)
    part = np.expand_dims(edges - whole, (1, 2) if axis == 0 else (0, 2))
    sums, here = np.cumsum(light, axis=axis, dtype=np.float64), np.take(light, whole, axis=axis)
    until = np.take(sums, whole, axis=axis) - here * (1.0 - part)
    out: F64 = np.diff(until, axis=axis) * (count / size)
    return np.maximum(out, 0.0)


def fitted(light: F16, texel: float, widest: int) -> F16:
    """Return a map whose texels are not much smaller than an angle, with rows beyond the poles.

    The rows [MARGIN, W, 3] beyond a pole are those of the other side of it.

    Parameters
    ----------
    texel
        Radians: of a pixel of the picture.
    widest
        Texels of a row, at most.
    """
    rows = len(light)
    while rows > _COARSEST and (math.pi / rows < 0.7 * texel or 2 * rows > widest):
        rows = (rows + 1) // 2
    if rows != len(light) or light.shape[1] > widest:
        light = _half(resized(light, rows))
    across = np.roll(light, light.shape[1] // 2, axis=1)
    padded = [across[MARGIN - 1 :: -1], light, across[: -MARGIN - 1 : -1]]
    return np.ascontiguousarray(np.concatenate(padded))


def _half(light: F64) -> F16:
    return np.minimum(light, 6e4).astype(np.float16)


def _convolved(light: F64, spread: float) -> F64:
    """Return a map [H, W, 3] convolved with a normal distribution on the sphere.

    The weight of two directions is exp((cos a - 1) / spread^2) of the angle a between them. For
    two rows it depends on the difference of longitudes only: a product of Fourier series.
    """
    rows, columns = light.shape[:2]
    theta = (np.arange(rows) + 0.5) * (math.pi / rows)
    sine, away = np.sin(theta), 1.0 - np.cos(np.arange(columns) * (2.0 * math.pi / columns))
    spectrum = np.fft.rfft(light * sine[:, None, None], axis=1)
    mean, weight = np.zeros_like(spectrum), np.zeros(rows)
    for apart in range(min(math.ceil(_REACH * spread / math.pi * rows), rows - 1) + 1):
        upper, lower = slice(0, rows - apart), slice(apart, rows)
        near = 1.0 - math.cos(apart * math.pi / rows)
        angle = near + (sine[upper] * sine[lower])[:, None] * away  # 1 - its cosine
        kernel = np.fft.rfft(np.exp(angle / -(spread * spread)), axis=1).real
        for to, source in ((upper, lower), (lower, upper))[: 1 + (apart > 0)]:
            mean[to] += kernel[..., None] * spectrum[source]
            weight[to] += kernel[:, 0] * sine[source]
    found = np.fft.irfft(mean, columns, axis=1) / weight[:, None, None]
    out: F64 = np.maximum(found, 0.0)
    return out
