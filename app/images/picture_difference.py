"""Perceptual comparison of two pictures.

Colours are compared in OKLab (B. Ottosson, *A perceptual color space for image processing*, 2020),
in which equal distances look about equally large and black and white have distance 1. The eye does
not resolve single pixels, and drivers differ in them along edges, so both pictures are smoothed in
linear light first, as by the contrast filters of FLIP (Andersson et al., *FLIP: A Difference
Evaluator for Alternating Images*, 2020).
"""

from dataclasses import dataclass

import numpy as np

from ..animation.types import F32, U8
from .exr import as_light

_NEAR, _APART = 0.05, 0.08  # OKLab distances from the background: part of it, surely not
_THIN = 2  # pixels: half the width of lines that are not part of the silhouette
_PAPER = 0.7, 0.95  # sRGB of black and white in equal areas of a difference picture
_FAINT = 0.35  # least opacity of a difference, so that one level of 255 is visible
_STRONG = 0.25  # OKLab distance with full opacity
_SLIGHT_INK, _STRONG_INK = np.array([1.0, 0.55, 0.0]), np.array([0.78, 0.0, 0.45])

_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    np.float32,
).T
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ],
    np.float32,
).T


@dataclass(frozen=True, slots=True)
class Similarity:
    """Similarity of two pictures of the same size.

    Attributes
    ----------
    identical
        No channel of any pixel differs; the colour of fully transparent pixels is ignored.
    greatest
        The greatest difference of a channel, 0 to 255.
    mean
        Mean OKLab distance from 0 (equal) to 1 (black instead of white), over the whole picture or
        over the silhouettes, whichever is greater.
    overlap
        Intersection over union of the silhouettes, 0 to 1.
    """

    identical: bool
    greatest: int
    mean: float
    overlap: float


def similarity(expected: U8, actual: U8) -> Similarity:
    """Return the similarity of two pictures [H, W, 4] (sRGB, straight alpha) of the same size.

    The mean is also computed over the silhouettes, so that empty space around the character does
    not reduce it. Silhouettes have soft edges: their union is the sum of the greater coverage of
    each pixel, their intersection the sum of the smaller.

    Raises
    ------
    ValueError
        The sizes differ.
    """
    if expected.shape != actual.shape:
        raise ValueError(f"pictures of {expected.shape} and {actual.shape}")
    greatest = int(_channels(expected, actual).max(initial=0))
    if greatest == 0:
        return Similarity(True, 0, 0.0, 1.0)
    one, other = coverage(expected), coverage(actual)
    larger = np.maximum(one, other)
    union = float(larger.sum(dtype=np.float64))
    both = float(np.minimum(one, other).sum(dtype=np.float64))
    apart = distance(expected, actual)
    seen = [apart[larger > 0.0], apart]
    mean = max(float(part.mean(dtype=np.float64)) for part in seen if part.size)
    return Similarity(False, greatest, mean, both / union if union > 0.0 else 1.0)


def distance(expected: U8, actual: U8) -> F32:
    """Return the OKLab distance of each pixel [H, W].

    Transparent pixels are composited over black and over white, and the greater distance counts.
    """
    one, other = _light(expected), _light(actual)
    opaque = bool((expected[..., 3] == 255).all() and (actual[..., 3] == 255).all())
    greys = (0.0,) if opaque else (0.0, 1.0)
    apart = [
        np.linalg.norm(_over_grey(one, grey) - _over_grey(other, grey), axis=-1) for grey in greys
    ]
    return np.max(apart, axis=0)


def coverage(picture: U8) -> F32:
    """Return the coverage of each pixel [H, W] by the character, 0 to 1, smoothed.

    This is the alpha if the background is transparent. Otherwise it is computed from the distance
    to the background colour, the median along the picture's edges; features thinner than five
    pixels, such as lines of the ground grid, are removed.
    """
    edges = np.concatenate([picture[0], picture[-1], picture[1:-1, 0], picture[1:-1, -1]])
    ground = np.median(edges, axis=0).astype(np.uint8)
    light = _light(picture)
    if ground[3] < 128:
        return light[..., 3]
    background = _over_grey(_light(ground[None, None], smooth=False), 0.0)
    apart = np.linalg.norm(_over_grey(light, 0.0) - background, axis=-1)
    apart = np.clip((apart - _NEAR) / (_APART - _NEAR), 0.0, 1.0)
    return _around(_around(apart, np.minimum), np.maximum)


def difference_picture(expected: U8, actual: U8) -> U8:
    """Return an opaque picture [H, W, 4]: `expected` in pale grey with the differences on it.

    Small differences are orange, strong ones dark magenta. Pictures of different sizes are aligned
    at their top left corners.
    """
    expected, actual = _same_size(expected, actual)
    grey = _over_grey(_light(expected, smooth=False), 1.0)[..., :1]
    paper = np.repeat(_PAPER[0] + (_PAPER[1] - _PAPER[0]) * grey, 3, axis=-1)
    differs = _channels(expected, actual).max(axis=-1) > 0
    strength = np.minimum(distance(expected, actual) / _STRONG, 1.0)[..., None]
    ink = _SLIGHT_INK + (_STRONG_INK - _SLIGHT_INK) * strength
    opacity = np.where(differs[..., None], _FAINT + (1.0 - _FAINT) * strength, 0.0)
    shown = paper + (ink - paper) * opacity
    opaque = np.full((*shown.shape[:2], 1), 255, np.uint8)
    return np.concatenate([np.rint(shown * 255).astype(np.uint8), opaque], axis=-1)


def _around(values: F32, choose: np.ufunc) -> F32:
    """Return the minimum or maximum [H, W] over the square around each pixel."""
    for axis in (0, 1):
        values = choose.reduce(_shifted(values, axis, _THIN))
    return values


def _shifted(values: F32, axis: int, reach: int) -> list[F32]:
    """Return an array shifted along an axis by -reach to reach, with repeated edges."""
    margins = [(reach, reach) if axis == dimension else (0, 0) for dimension in range(values.ndim)]
    wide, length = np.pad(values, margins, mode="edge"), values.shape[axis]
    return [wide.take(range(at, at + length), axis) for at in range(2 * reach + 1)]


def _same_size(one: U8, other: U8) -> tuple[U8, U8]:
    height, width = np.maximum(one.shape[:2], other.shape[:2])

    def enlarged(picture: U8) -> U8:
        below, beside = height - picture.shape[0], width - picture.shape[1]
        return np.pad(picture, ((0, below), (0, beside), (0, 0)))

    return enlarged(one), enlarged(other)


def _channels(expected: U8, actual: U8) -> U8:
    """Return the difference of every channel [H, W, 4]; 0 if both are fully transparent."""
    larger, smaller = np.maximum(expected, actual), np.minimum(expected, actual)
    return np.where(larger[..., 3:] == 0, np.uint8(0), larger - smaller)


def _light(picture: U8, *, smooth: bool = True) -> F32:
    """Return premultiplied linear colour and alpha [H, W, 4], smoothed by default."""
    light = as_light(picture)
    for axis in (0, 1) if smooth else ():
        before, here, after = _shifted(light, axis, 1)
        light = 0.25 * before + 0.5 * here + 0.25 * after
    return light


def _over_grey(light: F32, grey: float) -> F32:
    """Return OKLab [H, W, 3] of a picture composited over a linear grey."""
    return _lab(light[..., :3] + grey * (1.0 - light[..., 3:]))


def _lab(linear: F32) -> F32:
    """Return OKLab of linear sRGB [..., 3]: lightness 0 to 1, then green-red and blue-yellow."""
    lms: F32 = np.cbrt(np.maximum(linear, 0.0) @ _TO_LMS) @ _TO_LAB
    return lms
