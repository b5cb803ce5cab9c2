"""The ordered dither pattern."""

import numpy as np

from rigview.images.gif import _SPREAD, _bayer


def test_dither_pattern_is_uniform_with_zero_mean():
    """Every level occurs once, levels are evenly spaced, and their mean is 0."""
    pattern = _bayer()
    assert pattern.shape == (8, 8)
    assert abs(pattern.mean()) < 0.5
    expected = np.rint(((np.arange(64) + 0.5) / 64 - 0.5) * _SPREAD)
    assert np.array_equal(np.sort(pattern.ravel()), expected)
