"""Formats of single pictures."""

import io

import numpy as np
from PIL import Image

from rigview.images.png import as_png
from rigview.images.stills import as_still, is_linear


def picture() -> np.ndarray:
    pixels = np.zeros((16, 16, 4), np.uint8)
    pixels[:, :8] = (255, 0, 0, 255)
    pixels[:, 8:] = (0, 0, 255, 255)
    return pixels


def test_a_png_is_written_for_png_and_standard_output() -> None:
    assert as_still(picture(), "a.PNG") == as_still(picture(), "-") == as_png(picture())


def test_a_jpg_keeps_the_resolution_of_colours() -> None:
    shown = Image.open(io.BytesIO(as_still(picture(), "a.JPG")))
    assert shown.format == "JPEG"
    assert [layer[1:3] for layer in shown.layer] == [(1, 1)] * 3  # 4:4:4
    difference = np.abs(np.asarray(shown).astype(int) - picture()[..., :3])
    assert difference.max() <= 4


def test_transparent_pixels_of_a_jpg_show_the_dark_background() -> None:
    pixels = np.full((8, 8, 4), 255, np.uint8)
    pixels[..., 3] = 0
    shown = np.asarray(Image.open(io.BytesIO(as_still(pixels, "a.jpeg"))))
    assert np.abs(shown.astype(int) - (38, 40, 44)).max() <= 2


def test_transparent_pixels_of_a_jpg_show_the_chosen_background() -> None:
    pixels = np.zeros((9, 8, 4), np.uint8)
    colours = ((1.0, 0.0, 0.0, 0.5), (0.0, 0.0, 1.0, 0.0))
    shown = np.asarray(Image.open(io.BytesIO(as_still(pixels, "a.jpg", colours)))).astype(int)
    for row, expected in ((0, (255, 0, 0)), (4, (128, 0, 128)), (8, (0, 0, 255))):
        assert np.abs(shown[row] - expected).max() <= 12


def test_endings_of_light() -> None:
    assert not any(map(is_linear, ("a.png", "-", "a.exr.jpg")))
