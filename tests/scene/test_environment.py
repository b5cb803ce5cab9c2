"""Prefiltering of environment maps, by numbers."""

import runpy

import numpy as np
import pytest

from rigview.resources import asset_path
from rigview.scene import environment
from rigview.scene.environment import LEVELS, SIDE, directions, harmonics, octahedral

STUDIO = asset_path("studio.npz")


@pytest.fixture(scope="module")
def studio():
    return environment.load(STUDIO)


@pytest.fixture(scope="module")
def generator():
    return runpy.run_path(str(STUDIO.with_name("make_studio.py")))


@pytest.fixture(scope="module")
def room(generator):
    return generator["studio"]()


def test_constant_light_stays_constant():
    found = environment.prefilter(np.full((32, 64, 3), [0.5, 1.0, 2.0], np.float32))
    np.testing.assert_allclose(found.levels, np.broadcast_to([0.5, 1, 2], found.levels.shape), 1e-5)
    around = harmonics(directions(8, 16)) @ found.irradiance
    np.testing.assert_allclose(around, np.broadcast_to([0.5, 1, 2], around.shape), rtol=2e-3)


def test_prefiltering_conserves_energy():
    """The total light is the same at every roughness."""
    light = np.zeros((64, 128, 3), np.float32)
    light[20:23, 40:44] = 100.0
    theta = (np.arange(64) + 0.5) / 64 * np.pi
    area = np.sin(theta)[:, None] * (np.pi / 64) * (2 * np.pi / 128)
    given = (light[..., 0] * area).sum()
    found = environment.prefilter(light)
    side = environment.SIDE
    at = (np.arange(side) - 0.5) / (side - 2) * 2 - 1
    u, v = np.meshgrid(at[1:-1], at[1:-1])
    way = octahedral(np.stack([u, v], -1))
    step = 2 / (side - 2)  # solid angle: |d|^3 of the octahedron's point, times its face's slant
    angle = np.abs(way).sum(-1) ** 3 * step**2
    assert angle.sum() == pytest.approx(4 * np.pi, rel=0.01)
    for k in (0, 2, 4, 6):
        level = found.levels[k, 1:-1, 1:-1, 0]
        assert (level * angle).sum() == pytest.approx(given, rel=0.08), k
    peaks = found.levels[..., 0].max(axis=(1, 2))
    assert (np.diff(peaks[1:]) < 0).all()


def test_octahedral_coordinates_and_directions_are_inverse(rng):
    way = rng.normal(size=(500, 3))
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    np.testing.assert_allclose(octahedral(octahedral_uv(way)), way, atol=1e-12)


def octahedral_uv(d):
    """Return octahedral coordinates as the shader computes them."""
    d = d / np.abs(d).sum(axis=-1, keepdims=True)
    upper = d[..., [0, 2]]
    sign = np.where(d[..., [0, 2]] >= 0, 1.0, -1.0)
    lower = (1 - np.abs(d[..., [2, 0]])) * sign
    return np.where(d[..., 1:2] < 0, lower, upper)


def test_border_texels_continue_across_edges():
    """Texels beyond an edge are mirrored at the middle of the edge."""
    way = environment.texel_directions()
    assert way.shape == (SIDE, SIDE, 3)
    np.testing.assert_allclose(np.linalg.norm(way, axis=-1), 1.0)
    np.testing.assert_allclose(way[0, 1:-1], way[1, 1:-1][::-1], atol=1e-12)
    np.testing.assert_allclose(way[1:-1, -1], way[1:-1, -2][::-1], atol=1e-12)
    steps = np.linalg.norm(np.diff(way, axis=0), axis=-1)
    assert steps.max() < 2.5 * 2 / (SIDE - 2), "nowhere a jump"


def test_irradiance_of_the_studio(studio, room, rng):
    """Nine coefficients against the integral over the map, relative to the brightest direction."""
    light = room[::2, ::2, 0].astype(float)
    looked = directions(*light.shape)
    theta = (np.arange(len(light)) + 0.5) / len(light) * np.pi
    area = np.sin(theta)[:, None] * (np.pi / light.shape[0]) * (2 * np.pi / light.shape[1])
    normals = rng.normal(size=(60, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    cosine = np.maximum(np.einsum("hwa,na->nhw", looked, normals), 0)
    expected = np.einsum("nhw,hw->n", cosine, light * area) / np.pi
    found = (harmonics(normals) @ studio.irradiance)[:, 0]
    np.testing.assert_allclose(found, expected, atol=0.03 * expected.max())


def test_the_studio_file_equals_its_generator(studio, room, generator):
    """Some rows of two levels are computed again."""
    light = environment.mip_pyramid(room.astype(np.float64))
    way = environment.texel_directions()[::19]
    for k in (2, 6):
        again = generator["sampled"](light, way, (k / (LEVELS - 1)) ** 2)
        np.testing.assert_allclose(studio.levels[k, ::19], again, rtol=2e-3, atol=1e-3)
    np.testing.assert_allclose(
        studio.irradiance, environment._irradiance(room.astype(np.float64)), atol=1e-4
    )


def test_prefiltering_equals_sums_over_samples(studio, room):
    """By convolution as by 512 samples for each texel of the studio: within 1 of 255."""
    found = environment.prefilter(room)
    np.testing.assert_allclose(found.levels, studio.levels, rtol=0, atol=1 / 255)
    np.testing.assert_allclose(found.levels.mean(), studio.levels.mean(), rtol=1e-4)


def test_the_studio_is_worth_reflecting(studio):
    """Windows, with darker bars in the largest one, and a horizon above a darker floor."""
    towards, sharp = environment.texel_directions(), studio.levels[0][..., 0]
    assert np.percentile(sharp, 98) > 3 * np.median(sharp)
    level = np.abs(towards[..., 1] - 0.1) < 0.03, np.abs(towards[..., 1] + 0.1) < 0.03
    wall, floor = (np.median(sharp[each]) for each in level)
    assert wall > 2 * floor
    window = towards @ (np.array([-0.62, 0.62, 0.78]) / np.linalg.norm([0.62, 0.62, 0.78]))
    middle, pane = sharp[window > 0.9995], sharp[(window > 0.965) & (window < 0.975)]
    assert np.median(pane) > 1.5 * middle.min()


def test_the_studio_is_small_and_grey(studio):
    assert STUDIO.stat().st_size < 300_000
    assert studio.levels.shape == (LEVELS, SIDE, SIDE, 3)
    np.testing.assert_array_equal(studio.levels[..., 0], studio.levels[..., 2])
    assert np.isfinite(studio.levels).all()
    assert studio.levels.min() > 0


def test_a_map_must_have_three_channels():
    with pytest.raises(ValueError, match="must be"):
        environment.prefilter(np.zeros((4, 8), np.float32))


def test_saved_environments_are_loaded(tmp_path, studio):
    environment.save(studio, tmp_path / "a.npz")
    again = environment.load(tmp_path / "a.npz")
    np.testing.assert_array_equal(again.irradiance, studio.irradiance)
    np.testing.assert_array_equal(again.levels, studio.levels)


def bilinear(level, way):
    """Return the light [..., 3] of a level from directions, as the texture unit filters it."""
    side = len(level)
    at = (octahedral_uv(way) * (side - 2) / (2 * side) + 0.5) * side - 0.5
    left = np.floor(at).astype(int)
    (x, y), (right, down) = np.moveaxis(left, -1, 0), np.moveaxis(at - left, -1, 0)[..., None]
    above = level[y, x] * (1 - right) + level[y, x + 1] * right
    below = level[y + 1, x] * (1 - right) + level[y + 1, x + 1] * right
    return above * (1 - down) + below * down


def test_lamps_are_sharp_in_a_mirror():
    """The contrast of lamps of three pixels to the room around them is 0.9 of that of the map."""
    room = np.full((512, 1024, 3), 0.2, np.float32)
    rng = np.random.default_rng(7)
    lamps = np.stack([rng.integers(60, 440, 30), rng.integers(20, 1000, 30)], axis=1)
    for row, column in lamps:
        room[row - 1 : row + 2, column - 1 : column + 2] = 6.0
    way = directions(*room.shape[:2])
    kept = {}
    for side in (SIDE, environment.SHARP_SIDE):
        mirror = environment.prefilter(room, side).levels[0]
        peak = np.array([bilinear(mirror, way[row, column])[0] for row, column in lamps])
        kept[side] = (peak - 0.2) / (peak + 0.2) / (5.8 / 6.2)
    assert kept[SIDE].min() < 0.75
    assert kept[environment.SHARP_SIDE].min() > 0.9
