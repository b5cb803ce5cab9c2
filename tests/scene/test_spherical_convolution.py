"""Convolution on the sphere, against sums over rings."""

import numpy as np
import pytest

from rigview.scene.environment import DEGREES, convolved, directions, legendre

ROWS = 256
AXIS = np.array([2.0, 3.0, -6.0]) / 7.0


def test_legendre_polynomials():
    x = np.linspace(-1.0, 1.0, 9)
    found = legendre(x)
    assert found.shape == (DEGREES, 9)
    np.testing.assert_allclose(found[3], (5 * x**3 - 3 * x) / 2, atol=1e-12)
    np.testing.assert_allclose(found[:, -1], 1.0)


@pytest.mark.parametrize("angle", [0.05, 1.2])
def test_a_ring_averages_the_light_at_its_angle(angle):
    way = directions(ROWS, 2 * ROWS)
    height = way @ AXIS
    light = np.stack([np.exp(5 * height), height**2, np.ones_like(height)], axis=-1)
    kernel = legendre(np.array([np.cos(angle)])).T
    kernel[:, 128:] = 0.0  # beyond the light's degrees, where rounding of the rows would be added
    (ring,) = convolved([light], kernel[None])
    turn = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    for row, column in ((0, 0), (40, 300), (128, 5), (255, 200)):
        up = way[row, column]
        x = np.cross(up, [1.0, 0.0, 0.0]) / np.linalg.norm(np.cross(up, [1.0, 0.0, 0.0]))
        around = np.outer(np.cos(turn), x) + np.outer(np.sin(turn), np.cross(up, x))
        at = (np.cos(angle) * up + np.sin(angle) * around) @ AXIS
        expected = [np.exp(5 * at).mean(), (at**2).mean(), 1.0]
        np.testing.assert_allclose(ring[row, column], expected, rtol=1e-6)


def test_several_maps_are_added():
    light = np.ones((ROWS, 2 * ROWS, 3))
    kernels = np.zeros((1, 2, DEGREES))
    kernels[0, :, 0] = 0.25, 2.0
    (found,) = convolved([light, 3 * light], kernels)
    np.testing.assert_allclose(found, 6.25, rtol=1e-12)
