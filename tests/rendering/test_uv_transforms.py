"""UV transforms by the examples of KHR_texture_transform, and all wrap modes."""

import math

import numpy as np
import pytest

from rigview.model.material import Material, Sampler, TextureRef
from tests.support.animated_value_files import FeatureBuilder
from tests.support.draw import draw
from tests.support.models import square_model

CLAMP, MIRROR, REPEAT, NEAREST = 33071, 33648, 10497, 9728
P, Q, R, S = ([255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0])  # of the lower left quarter
REST = [90, 90, 90]
PICTURE = np.array([[REST] * 4, [REST] * 4, [P, Q, REST, REST], [R, S, REST, REST]])
TURNED = {"offset": [0, 1], "rotation": math.pi / 2, "scale": [0.5, 0.5]}
UPSIDE_DOWN = {"offset": [0, 1], "scale": [1, -1]}


def quarters(picture):
    """Return the colours [2, 2, 3] at the centres of the four quarters of the picture."""
    rows, columns = np.nonzero(picture[..., 3] == 255)
    low, high = (np.array([x.min(), x.max()]) for x in (columns, rows))
    at = [[int(side[0] + f * (side[1] - side[0])) for f in (0.25, 0.75)] for side in (high, low)]
    return picture[np.ix_(*at)][..., :3].astype(int)


@pytest.mark.parametrize(
    ("transform", "expected"),
    [
        (TURNED, [[R, P], [S, Q]]),  # “only the lower left quadrant, rotated clockwise 90°”
        (UPSIDE_DOWN, PICTURE[[3, 0]][:, [0, 2]]),  # “a bottom-left origin”
    ],
)
def test_the_examples_of_the_extension(gl, transform, expected):
    b = FeatureBuilder()
    b.extension("KHR_texture_transform")
    pixels = np.full((4, 4, 4), 255)
    pixels[..., :3] = PICTURE
    info = {
        "index": b.picture(pixels.repeat(8, 0).repeat(8, 1)),
        "extensions": {"KHR_texture_transform": transform},
    }
    b.unlit(pbrMetallicRoughness={"baseColorTexture": info})
    b.add("nodes", mesh=b.square(material=0))
    picture = draw(gl, b.load(), view_mode="base-colour")
    np.testing.assert_allclose(quarters(picture), expected, atol=1)


def wrapped(x, way):
    """Return the wrapped coordinate of glTF 2.0, section 3.8.4."""
    if way == CLAMP:
        return np.clip(x, 0, 1)
    if way == MIRROR:
        return 1 - np.abs(x % 2 - 1)
    return x % 1


@pytest.mark.parametrize("s", [CLAMP, MIRROR, REPEAT])
@pytest.mark.parametrize("t", [CLAMP, MIRROR, REPEAT])
def test_wrap_modes_per_axis(gl, s, t):
    image = np.full((5, 7, 4), 255, np.uint8)  # no sides of one length, nor powers of two
    image[..., 0], image[..., 1] = np.meshgrid(np.arange(7) * 35, np.arange(5) * 50)
    ref = TextureRef(0, Sampler(s, t, NEAREST, NEAREST), offset=(-1.2, -1.7), scale=(3.5, 4.1))
    model = square_model(Material(base_color_texture=ref, unlit=True), image)
    picture = draw(gl, model, size=(96, 96), view_mode="base-colour").astype(int)
    rows, columns = np.nonzero(picture[..., 3] == 255)
    low, side = columns.min(), columns.max() + 1 - columns.min()
    texels = []  # by a pixel to the left, one to the right, above and below; [..] of a pixel
    for d in (-1, 1):
        u = wrapped((columns + d - low + 0.5) / side * 3.5 - 1.2, s)
        v = wrapped((rows + d - rows.min() + 0.5) / side * 4.1 - 1.7, t)
        texels.append((np.minimum(v * 5, 4).astype(int), np.minimum(u * 7, 6).astype(int)))
    inside = (np.array(texels[0]) == np.array(texels[1])).all(axis=0)  # not on an edge between two
    assert inside.mean() > 0.2
    found, expected = picture[rows, columns, :3], image[texels[0]][:, :3]
    assert np.abs(found - expected)[inside].max() <= 1


@pytest.mark.parametrize("s", [MIRROR, REPEAT])
def test_the_uv_view_mode_ignores_wrap_modes(gl, s):
    image = np.full((4, 4, 4), 255, np.uint8)
    clamped, other = (TextureRef(0, Sampler(way, way)) for way in (CLAMP, s))
    pictures = (
        draw(gl, square_model(Material(base_color_texture=ref), image), view_mode="uv")
        for ref in (clamped, other)
    )
    np.testing.assert_allclose(*(each.astype(int) for each in pictures), atol=1)
