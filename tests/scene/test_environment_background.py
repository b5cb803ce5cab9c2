"""Maps as backgrounds: blurred evenly on the sphere, reduced, and continued beyond the poles."""

import numpy as np
import pytest

from rigview.scene.environment import directions
from rigview.scene.environment_background import MARGIN, SPREAD, blurred, fitted, resized


def solid_angles(light):
    rows = len(light)
    return np.sin((np.arange(rows) + 0.5) / rows * np.pi)[:, None]


@pytest.mark.parametrize(("row", "column"), [(0, 5), (2, 255), (64, 0), (90, 77), (126, 200)])
def test_a_point_becomes_a_round_spot(row, column):
    """Also at the poles, and where the left edge of the map meets the right one."""
    light = np.zeros((128, 256, 3), np.float16)
    light[row, column] = 6e4
    spot = blurred(light, 0.5).astype(float)[..., 1]
    towards = directions(128, 256)[row, column]
    cosine = directions(*spot.shape) @ towards
    spread = SPREAD * 0.25
    expected = np.exp((cosine - 1) / spread**2)
    shown = spot > 0.05 * spot.max()
    np.testing.assert_allclose(
        spot[shown] / spot.max(), (expected / expected.max())[shown], atol=0.1
    )
    before = (light[..., 1] * solid_angles(light)).sum() / len(light) ** 2
    after = (spot * solid_angles(spot)).sum() / len(spot) ** 2
    assert after == pytest.approx(before, rel=0.05), "no light is lost"


@pytest.mark.parametrize("blur", [0.02, 0.2, 1.0])
def test_even_light_stays(blur):
    light = np.full((64, 128, 3), (0.25, 1.0, 40.0), np.float16)
    found = blurred(light, blur)
    np.testing.assert_allclose(found, np.broadcast_to(found[0, 0], found.shape), rtol=1e-3)
    np.testing.assert_allclose(found[0, 0], light[0, 0], rtol=1e-3)


def test_more_blur_is_smoother():
    light = np.random.default_rng(1).gamma(0.3, 2.0, (64, 128, 3)).astype(np.float16)
    deviations = [blurred(light, blur).astype(float).std() for blur in (0.0, 0.3, 0.6, 1.0)]
    assert deviations == sorted(deviations, reverse=True)
    np.testing.assert_array_equal(blurred(light, 0.0), light)


@pytest.mark.parametrize("size", [(64, 128), (61, 121)])
def test_reduced_maps_keep_their_light(size):
    height, width = size
    light = np.random.default_rng(2).random((height, width, 3)).astype(np.float16)
    found = resized(light, 32)
    assert found.shape == (32, 64, 3)
    means = [(one * solid_angles(one)[..., None]).mean((0, 1)) for one in (light, found)]
    np.testing.assert_allclose(*means, rtol=2e-3)


def test_rows_beyond_a_pole_are_those_of_its_other_side():
    light = np.random.default_rng(3).random((64, 128, 3)).astype(np.float16)
    found = fitted(light, 0.0, 128)
    np.testing.assert_array_equal(found[MARGIN:-MARGIN], light)
    across = np.roll(light, 64, axis=1)
    np.testing.assert_array_equal(found[:MARGIN], across[MARGIN - 1 :: -1])
    np.testing.assert_array_equal(found[-MARGIN:], across[: -MARGIN - 1 : -1])
    assert fitted(light, 0.2, 128).shape == (32 + 2 * MARGIN, 64, 3), "no finer than a pixel"
    assert fitted(light, 0.0, 100).shape[1] == 64, "no wider than textures may be"
