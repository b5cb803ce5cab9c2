"""The light of files without lights: key, rim and studio, from the front of the character."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.model.material import Material
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.scene.camera import OrbitCamera
from rigview.scene.environment import (
    Environment,
    brightest_direction,
    harmonics,
    rotated_irradiance,
    texel_directions,
)
from rigview.scene.lights import casts_shadow, key_light, lights_of
from rigview.scene.scene import Scene
from tests.support.looks import set_look
from tests.support.models import make_model
from tests.support.solids import sphere, uniform_environment

DARK = uniform_environment(0.0)
PLAIN = {"grid": False, "background": (0, 0, 0, 0), "occlusion": False}


def head(**material):
    """A head with eyes, a nose and a neck."""
    skull = sphere(24, 0.5)
    parts = [
        replace(skull, positions=skull.positions * np.array([0.8, 1.1, 0.9], np.float32)),
        sphere(12, 0.12, at=(0.0, 0.0, 0.45)),
        sphere(12, 0.08, at=(0.15, 0.15, 0.38)),
        sphere(12, 0.08, at=(-0.15, 0.15, 0.38)),
        sphere(12, 0.25, at=(0.0, -0.55, 0.0)),
    ]
    parts = [replace(part, material=0) for part in parts]
    return make_model(parts, materials=(Material(**material),))


@pytest.fixture
def drawn(gl):
    """Returns a function that draws a model from its front, or from `azimuth` radians beside it."""
    renderer, target = Renderer(gl), Target(gl, (96, 96), 4)

    def picture(model, facing=(0.0, 0.0, 1.0), azimuth=0.0, **display):
        scene = set_look(Scene(), **(PLAIN | display))
        scene.show(model)
        scene.instances.active.given_facing = facing
        scene.camera.orbit = OrbitCamera(elevation=0.0)
        scene.camera.orbit.azimuth = scene.camera.front + azimuth
        scene.frame(1.0)
        scene.update(0.0)
        renderer.draw(scene, target)
        return target.read()

    yield picture
    target.release()
    renderer.release()


def test_white_is_near_200(drawn):
    """At most 2 % of a head with the default material are above 235; the lit side is near 200."""
    for material in ({}, {"metallic": 0.0, "roughness": 1.0}):
        picture = drawn(head(**material), azimuth=0.4)
        grey = picture[picture[..., 3] == 255][:, :3].mean(axis=1)
        assert (grey > 235).mean() < 0.02
        assert 190 < np.percentile(grey, 80) < 220


@pytest.mark.parametrize("facing", [(0.0, 0.0, -1.0), (1.0, 0.0, 0.0)])
def test_a_ball_is_lit_the_same_from_any_front(drawn, facing):
    """Key light, studio and rim: a mirror shows the studio itself."""
    for material in ({"metallic": 0.0}, {"roughness": 0.1}):
        ball = make_model([sphere(32, material=0)], materials=(Material(**material),))
        ahead, turned = (drawn(ball, way).astype(int) for way in ((0.0, 0.0, 1.0), facing))
        assert np.abs(ahead - turned).mean() < 0.5
        left, right = ahead[:48, :48, :3].sum(), ahead[48:, 48:, :3].sum()
        assert left > 1.3 * right, "lit from above and the left"


def test_a_rim_separates_dark_figures(drawn):
    """The outline at the right is brighter and cooler than the middle, from any side."""
    dark = Material(base_color=(0.02, 0.02, 0.02, 1.0), metallic=0.0, roughness=0.6)
    ball = make_model([sphere(32, material=0)], materials=(dark,))
    for azimuth in (0.0, 2.0, 4.0):
        row = drawn(ball, azimuth=azimuth)[36].astype(int)
        edge = np.flatnonzero(row[:, 3] == 255)[-3]
        assert row[edge, :3].mean() > row[50, :3].mean() + 12
        assert row[edge, 2] > row[edge, 0] + 5


def test_an_environment_is_the_only_light(drawn):
    black = drawn(head(), environment=DARK)
    assert (black[black[..., 3] == 255][:, :3] == 0).all()
    for light in ({"light": "key"}, {"light_azimuth": -30.0}, {"light_elevation": 20.0}):
        assert drawn(head(), environment=DARK, **light)[..., :3].max() > 100
    white = drawn(head(), environment=DARK, light="key", light_azimuth=180.0)[48, 48, :3]
    assert white.max() < 60, "the key light is behind"


def test_no_lights_leave_the_studio(drawn):
    studio, usual = (drawn(head(), light=light)[30, 40, :3].mean() for light in ("none", None))
    assert 30 < studio < usual


def test_key_light_is_placed_by_angles():
    scene = set_look(Scene(), light_azimuth=90.0, light_elevation=0.0)
    scene.show(head())
    key, _ = lights_of(scene.characters, scene.camera.used, 0.0, lighting=scene.look.lighting)
    np.testing.assert_allclose(key.direction, [-1.0, 0.0, 0.0], atol=1e-12)
    turned = key_light(front=np.pi, azimuth=90.0, elevation=0.0)
    np.testing.assert_allclose(turned.direction, [1.0, 0.0, 0.0], atol=1e-12)


def sky_with_sun(towards, strength=40.0):
    away = 1.0 - texel_directions(32) @ (np.array(towards) / np.linalg.norm(towards))
    light = 0.3 + strength * (away < 0.01)
    levels = np.repeat(light[None, ..., None], 3, axis=-1).repeat(7, axis=0).astype(np.float32)
    return Environment(np.zeros((9, 3), np.float32), levels)


def test_the_brightest_direction_casts_the_shadow():
    sky = sky_with_sun((1.0, 2.0, -1.0))
    found = brightest_direction(sky)
    assert found @ [1.0, 2.0, -1.0] / np.sqrt(6.0) > 0.99
    assert brightest_direction(uniform_environment()) is None
    assert brightest_direction(DARK) is None
    scene = set_look(Scene(), environment=sky)
    scene.show(head())
    (sun,) = lights_of(scene.characters, scene.camera.used, environment=sky)
    np.testing.assert_array_equal(sun.direction, -found)
    assert casts_shadow(sun)
    assert not sun.color.any()


def test_an_environment_casts_a_shadow_on_the_ground(drawn):
    sky = sky_with_sun((0.3, 1.0, -1.0))
    shown = {"environment": sky, "grid": True, "background": (1.0, 1.0, 1.0, 1.0)}
    with_shadow, without = (drawn(head(), shadow=shadow, **shown) for shadow in (True, False))
    darker = without.astype(int) - with_shadow
    assert darker.min() >= 0
    assert (darker.max(axis=-1) > 40).mean() > 0.01


@pytest.mark.parametrize("turn", [0.0, 0.7, np.pi])
def test_irradiance_rotates_with_the_front(turn):
    rng = np.random.default_rng(3)
    given = rng.normal(size=(9, 3)).astype(np.float32)
    way = np.array([2.0, 3.0, 6.0]) / 7.0
    cosine, sine = np.cos(turn), np.sin(turn)
    turned = np.array([cosine * way[0] + sine * way[2], way[1], cosine * way[2] - sine * way[0]])
    np.testing.assert_allclose(
        harmonics(turned) @ rotated_irradiance(given, turn), harmonics(way) @ given, atol=1e-4
    )
