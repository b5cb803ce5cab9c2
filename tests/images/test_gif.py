"""The ordered dither pattern."""

import io

import numpy as np
from PIL import Image

from rigview.images.gif import _SPREAD, _bayer
from rigview.images.video import video_bytes


def test_shadows_of_cut_outs_are_left_out():
    """They are black with alpha, which would be all or nothing."""
    frame = np.zeros((8, 12, 4), np.uint8)
    frame[:, :4] = [0, 0, 0, 200]
    frame[:, 4:8] = [0, 0, 0, 255]
    data = video_bytes([frame, frame], ".gif", 10.0)
    alpha = np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))[..., 3]
    assert alpha[0].tolist() == [0] * 4 + [255] * 4 + [0] * 4


def test_dither_pattern_is_uniform_with_zero_mean():
    """Every level occurs once, levels are evenly spaced, and their mean is 0."""
    pattern = _bayer()
    assert pattern.shape == (8, 8)
    assert abs(pattern.mean()) < 0.5
    expected = np.rint(((np.arange(64) + 0.5) / 64 - 0.5) * _SPREAD)
    assert np.array_equal(np.sort(pattern.ravel()), expected)
