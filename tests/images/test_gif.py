"""The pattern that what a palette has not is scattered with."""

import numpy as np

from rigview.images.gif import _SPREAD, _bayer


def test_pattern_is_even_and_does_not_tint():
    """Every step occurs once, they are in even distances, and their mean is nothing."""
    pattern = _bayer()
    assert pattern.shape == (8, 8)
    assert abs(pattern.mean()) < 0.5
    expected = np.rint(((np.arange(64) + 0.5) / 64 - 0.5) * _SPREAD)
    assert np.array_equal(np.sort(pattern.ravel()), expected)
