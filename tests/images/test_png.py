"""PNG files of ours, as Pillow reads them."""

import io

import numpy as np
import pytest
from PIL import Image

from rigview.images.png import as_png


@pytest.mark.parametrize("opaque", [False, True])
@pytest.mark.parametrize("size", [(1, 1), (1, 7), (9, 1), (33, 20)])
def test_pixels_come_back(size, opaque):
    rng = np.random.default_rng(size[0])
    pixels = rng.integers(0, 256, (*size, 4), np.uint8)
    pixels[size[0] // 2 :, :, :3] = pixels[:1, :1, :3]  # rows for both filters
    if opaque:
        pixels[..., 3] = 255
    with Image.open(io.BytesIO(as_png(pixels))) as picture:
        picture.load()
        assert picture.mode == ("RGB" if opaque else "RGBA")
        np.testing.assert_array_equal(np.asarray(picture.convert("RGBA")), pixels)
