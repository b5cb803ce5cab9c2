"""The light of files without lights: key, rim and studio, from the front of the character."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.loading.load import load
from rigview.model.material import Material
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.resources import asset_path
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
from tests.support.shared import MODELS, needs_shared
from tests.support.solids import cube, linear_from_srgb, sphere, uniform_environment

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
    """Returns a function that draws a model from its front, or from `azimuth` radians beside it.

    The camera is `elevation` radians above, and fits the model, or is `distance` metres away.
    """
    renderer, target = Renderer(gl), Target(gl, (96, 96), 4)

    def picture(
        model, facing=(0.0, 0.0, 1.0), azimuth=0.0, elevation=0.0, distance=None, **display
    ):
        scene = set_look(Scene(), **(PLAIN | display))
        scene.show(model)
        scene.instances.active.given_facing = facing
        scene.camera.orbit = OrbitCamera(elevation=elevation)
        scene.camera.orbit.azimuth = scene.camera.front + azimuth
        scene.frame(1.0)
        scene.camera.orbit.distance = distance or scene.camera.orbit.distance
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
    """The outline at the right is brighter and warmer than the middle, from any side."""
    dark = Material(base_color=(0.02, 0.02, 0.02, 1.0), metallic=0.0, roughness=0.6)
    ball = make_model([sphere(32, material=0)], materials=(dark,))
    for azimuth in (0.0, 2.0, 4.0):
        row = drawn(ball, azimuth=azimuth)[36].astype(int)
        edge = np.flatnonzero(row[:, 3] == 255)[-3]
        assert row[edge, :3].mean() > row[50, :3].mean() + 12
        assert row[edge, 0] >= row[edge, 2] + 2


def rim_and_key(drawn, model, **display):
    """The light of the rim and of the key light [n] on all surfaces that are seen."""
    shown = {"environment": DARK, "light": "key", "tone_mapping": "none"} | display
    both, key = (drawn(model, light_rim=rim, **shown) for rim in (1.0, 0.0))
    seen = key[..., 3] == 255
    both, key = (linear_from_srgb(each[seen][:, :3]).mean(axis=1) for each in (both, key))
    return both - key, key


@pytest.mark.parametrize("azimuth", [-0.6, 0.0, 0.6])
def test_the_rim_of_leather_is_faint(drawn, azimuth):
    """At most 0.3 of the key light, whose side is seen."""
    leather = head(base_color=(0.13, 0.08, 0.05, 1.0), metallic=0.0, roughness=0.5)
    rim, key = rim_and_key(drawn, leather, azimuth=azimuth)
    assert 0.0 < rim.mean() < 0.3 * key.mean()
    twice = drawn(leather, azimuth=azimuth, light_rim=2.0).astype(int).sum()
    assert twice > drawn(leather, azimuth=azimuth).astype(int).sum()


def test_the_rim_light_does_not_reach_into_a_closed_box(drawn):
    """The camera is in the box; without shadows nothing is closed."""
    white = Material(metallic=0.0, double_sided=True)
    box = make_model([cube(2.0, material=0)], materials=(white,))
    for azimuth in (0.6, 0.45, -2.6):
        inside = {"distance": 0.5, "azimuth": azimuth}
        rim, _ = rim_and_key(drawn, box, **inside)
        assert (np.abs(rim) > 0.002).mean() < 0.01, "but along edges"
        assert rim_and_key(drawn, box, shadow=False, **inside)[0].max() > 0.005


CHARACTERS = [
    asset_path("mannequin.glb"),
    *(
        pytest.param(MODELS / each, marks=needs_shared)
        for each in ("Fox.glb", "CesiumMan.glb", "Woman.gltf", "robot.glb", "RiggedSimple.gltf")
    ),
    *(
        pytest.param(MODELS / each, marks=needs_shared)
        for each in ("BoxAnimated.gltf", "AnimatedMorphCube/AnimatedMorphCube.gltf")
    ),
]


@pytest.mark.parametrize("path", CHARACTERS, ids=lambda path: path.stem)
def test_characters_keep_their_colours(drawn, path):
    """They are drawn at 0.7 to 0.8 of the bytes of their base colours, and 0.6 from behind."""
    for azimuth, least in ((0.35, 0.7), (2.95, 0.6)):
        shown = {"azimuth": azimuth, "elevation": 0.2, "occlusion": True}
        lit, base = (drawn(load(path), **shown, view_mode=mode) for mode in ("lit", "base-colour"))
        seen = base[..., 3] == 255
        lit, base = (each[seen][:, :3] @ [0.2126, 0.7152, 0.0722] for each in (lit, base))
        assert least < lit.mean() / base.mean() < 0.82


@pytest.mark.parametrize("facing", [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)])
def test_no_face_is_black(drawn, facing):
    """Nowhere less than 0.4 of the bytes of the base colour, from the front and from behind."""
    skin = head(base_color=(0.45, 0.25, 0.18, 1.0), metallic=0.0, roughness=0.6)
    for azimuth in (0.0, np.pi):
        lit, base = (
            drawn(skin, facing, azimuth, view_mode=mode) for mode in ("lit", "base-colour")
        )
        seen = base[..., 3] == 255
        assert (lit[seen][:, :3].sum(axis=1) / base[seen][:, :3].sum(axis=1)).min() > 0.4


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
