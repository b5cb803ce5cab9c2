import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.blending.strafe import half, weights, wrap

angles = st.floats(-720, 720)


def at(*degrees, back=False):
    return weights(np.radians(degrees), back)


def test_weights_of_directions():
    np.testing.assert_allclose(at(0)[0], [1, 0, 0, 0, 0, 0])
    np.testing.assert_allclose(at(45)[0], [0.5, 0.5, 0, 0, 0, 0])
    np.testing.assert_allclose(at(-30)[0], [2 / 3, 0, 1 / 3, 0, 0, 0])
    np.testing.assert_allclose(at(99)[0], [0, 1, 0, 0, 0, 0])  # beyond the side, before the turn
    np.testing.assert_allclose(at(180, back=True)[0], [0, 0, 0, 1, 0, 0])
    np.testing.assert_allclose(at(-120, back=True)[0], [0, 0, 0, 1 / 3, 0, 2 / 3])
    np.testing.assert_allclose(at(81, -81, back=True), [[0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]])


@given(angles, st.booleans())
def test_weights_of_active_half_sum_to_one(degrees, back):
    here = weights(np.radians(degrees), back)
    assert (here >= 0).all()
    assert here.sum() == pytest.approx(1)
    assert not here[:3].any() if back else not here[3:].any()
    mirrored = weights(-np.radians(degrees), back)
    np.testing.assert_allclose(mirrored[[0, 2, 1, 3, 5, 4]], here, atol=1e-9)


@given(angles, st.floats(-1e-4, 1e-4))
def test_weights_are_continuous_over_full_circle(degrees, little):
    for back in (False, True):
        near = at(degrees, degrees + little, back=back)
        np.testing.assert_allclose(near[0], near[1], atol=1e-5)


def test_half_change_has_hysteresis():
    """The half changes at 100 degrees forwards and at 80 degrees backwards."""
    back, changes = False, []
    for degrees in [*range(181), *range(180, -1, -1)]:
        now = bool(half(np.radians(degrees), back, np.radians(10) + 1e-9))
        if now != back:
            changes.append(degrees)
        back = now
    assert changes == [101, 79]
    np.testing.assert_array_equal(half(np.radians([89, 91, -91]), False, 0.0), [0, 1, 1])
    np.testing.assert_allclose(wrap(np.radians([190, -190])), np.radians([-170, 170]))
