"""The environment as the background: directions, filtering, and what is drawn before it."""

import numpy as np
import pytest

from rigview.model.material import Material, Transmission
from rigview.scene.camera import OrbitCamera
from rigview.scene.environment import directions
from rigview.scene.environment_background import blurred
from rigview.scene.hdri import rotated
from tests.support.draw import draw
from tests.support.models import make_model, square_model
from tests.support.solids import linear_from_srgb, sphere, uniform_environment

GREY = (0.5, 0.5, 0.5, 1.0)
AXES = directions(128, 256)
# a colour for each direction: its coordinates, from 0 to 1
COLOURED = (AXES * 0.5 + 0.5).astype(np.float16)


def view(**fields):
    """A camera that does not see the origin, unless it has a target."""
    camera = OrbitCamera(**({"azimuth": 0.7, "elevation": 0.3} | fields))
    if "target" not in fields:
        camera.target = 100.0 * camera.axes()[0] - 10.0 * camera.direction()
    return camera


def picture(gl, shown_map=COLOURED, model=None, camera=None, **display):
    shown = {
        "environment_map": shown_map,
        "background": GREY,
        "tone_mapping": "none",
    }
    return draw(gl, model or make_model([]), camera=camera or view(), **(shown | display))


def rays(camera, size=64):
    """The directions [H, W, 3] of the pixels of a square picture."""
    at = (np.arange(size) + 0.5) / size * 2 - 1
    slope = np.tan(camera.fov / 2)
    x, y = np.meshgrid(at * slope, -at * slope)
    seen = np.stack([x, y, -np.ones_like(x)], -1) @ camera.axes()
    return seen / np.linalg.norm(seen, axis=-1, keepdims=True)


@pytest.mark.parametrize(
    "camera",
    [
        view(),
        view(azimuth=-np.pi / 2, elevation=0.0),  # the edge of the map, at -X
        view(elevation=-1.56),  # a pole
        view(fov=1.9, elevation=1.2),
        view(ortho=True),
    ],
)
@pytest.mark.parametrize("samples", [1, 9])
def test_every_pixel_shows_its_direction(gl, camera, samples):
    found = linear_from_srgb(picture(gl, camera=camera, samples=samples))
    rounded = 0.006 if samples == 1 else 0.008  # once, or also as the mean of two
    np.testing.assert_allclose(found, rays(camera) * 0.5 + 0.5, atol=rounded)


@pytest.mark.parametrize("turn", [90.0, -37.5])
def test_it_is_rotated_with_the_light(gl, turn):
    turned = picture(gl, rotation=turn).astype(int)
    light = rotated(COLOURED.astype(np.float32), turn).astype(np.float16)
    assert np.abs(turned - picture(gl, light)).max() <= 1


def test_poles_and_edges_have_no_seams(gl):
    """A blurred map of noise changes as little from pixel to pixel there as anywhere."""
    noise = np.random.default_rng(1).gamma(0.3, 2.0, (128, 256, 3)).astype(np.float16)
    light = blurred(noise, 0.4)
    steps = []
    for azimuth, elevation in ((1.0, 0.0), (np.pi / 2, 0.0), (0.0, 1.56), (0.0, -1.56)):
        camera = view(azimuth=azimuth, elevation=elevation, fov=1.2)
        shown = picture(gl, light, camera=camera).astype(int)
        steps.append(max(np.abs(np.diff(shown, axis=axis)).max() for axis in (0, 1)))
    assert max(steps[1:]) < 2 * steps[0] + 2, steps


def test_exposure_and_tone_mapping(gl):
    light = np.full((8, 16, 3), 0.18, np.float16)
    bright = linear_from_srgb(picture(gl, light, tone_mapping="linear", exposure=1.0))
    np.testing.assert_allclose(bright, 0.36, atol=0.005)
    neutral = linear_from_srgb(picture(gl, light * 50, tone_mapping="neutral"))
    assert 0.8 < neutral.max() < 1.0


def test_surfaces_hide_it(gl):
    alone = draw(gl, square_model(), samples=4)
    inside = alone[..., 3] == 255
    camera = OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True)
    camera.frame(np.array([[-1.0, -1.0, 0.0], [1.0, 1.0, 0.0]]), 1.0)
    before = [
        draw(gl, square_model(), camera=camera, samples=4, background=GREY, environment_map=light)
        for light in (COLOURED, None)
    ]
    assert inside.any()
    centre = np.s_[28:36, 28:36]
    np.testing.assert_array_equal(before[0][centre], before[1][centre])
    assert (before[0][:4] != before[1][:4]).any()


@pytest.mark.parametrize("below", [(), (GREY,)])
def test_it_is_not_drawn_on_transparent_backgrounds(gl, below):
    clear = (0.0, 0.0, 0.0, 0.0)
    shown = picture(gl, background=(clear, *below))
    np.testing.assert_array_equal(
        shown, draw(gl, make_model([]), camera=view(), background=(clear, *below))
    )


def test_glass_shows_it_as_light(gl):
    """Light brighter than white stays so behind grey glass; the glass is not brighter than it."""
    glass = Material(
        metallic=0.0, roughness=0.0, base_color=(0.1, 0.1, 0.1, 1.0), transmission=Transmission(1.0)
    )
    ball = make_model([sphere(32, material=0)], materials=(glass,))
    camera = view(target=np.zeros(3), distance=8.0)
    light = np.full((8, 16, 3), 4.0, np.float16)
    dark = uniform_environment(0.0)
    shown = {"camera": camera, "tone_mapping": "linear", "environment": dark, "light": "none"}
    found = linear_from_srgb(picture(gl, light, ball, **shown))
    assert found[32, 32].mean() == pytest.approx(4.0 * 0.1 * 0.96, abs=0.02)
    assert found[2, 2].min() == 1.0


def test_shadow_of_the_floor_darkens_it(gl):
    ball = make_model([sphere(16, at=(0.0, 1.0, 0.0))])
    camera = view(target=np.array([0.0, 0.6, 0.0]), distance=7.0, elevation=0.6)
    light = np.full((8, 16, 3), 0.5, np.float16)
    shown = {"camera": camera, "grid": True}
    shadowed, without = (
        picture(gl, light, ball, shadow=shadow, **shown).astype(int) for shadow in (True, False)
    )
    darker = (without - shadowed)[..., :3].max(axis=-1)
    assert (darker > 30).mean() > 0.01
    assert (shadowed <= without).all()
