"""The extent of points, column by column."""

import numpy as np
import pytest

from rigview.animation.vectors import extent


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1, 3), (500, 3), (500, 2)])
def test_extent_equals_minimum_and_maximum(rng, kind, shape):
    points = rng.normal(size=shape).astype(kind)
    found = extent(points)
    assert found.dtype == kind
    np.testing.assert_array_equal(found, [points.min(axis=0), points.max(axis=0)])


def test_extent_of_a_part_of_an_array(rng):
    points = rng.normal(size=(40, 3))[::2, ::2]
    np.testing.assert_array_equal(extent(points), [points.min(axis=0), points.max(axis=0)])


def test_extent_with_nan():
    points = np.array([[1.0, 2.0], [np.nan, 4.0]])
    np.testing.assert_array_equal(extent(points), [[np.nan, 2.0], [np.nan, 4.0]])
