import numpy as np
import pytest

from rigview.animation.distinct import distinct


@pytest.mark.parametrize("count", [0, 1, 2, 50])
@pytest.mark.parametrize("kind", [np.int32, np.float64])
def test_equal_to_numpy(count, kind):
    values = np.random.default_rng(count).integers(-9, 9, (count, 2)).astype(kind)
    found = distinct(values)
    np.testing.assert_array_equal(found, np.unique(values))
    assert found.dtype == kind
