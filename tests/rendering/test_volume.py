"""KHR_materials_volume: refraction by the thickness, and absorption (Beer and Lambert)."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.model.material import Material, TextureRef, Transmission, Volume
from rigview.scene.camera import OrbitCamera
from tests.support.draw import draw, middle
from tests.support.lights import environment_brdf, lit_model
from tests.support.models import rod_model, square, square_model
from tests.support.solids import linear_from_srgb, uniform_environment

COLOUR, DISTANCE = np.array([0.8, 0.4, 0.1]), 0.6
GREEN = Volume(0.5, None, DISTANCE, tuple(COLOUR))
PANE = Material(metallic=0.0, roughness=0.0, transmission=Transmission(1.0), volume=GREEN)
WALL = Material(base_color=(0.9, 0.9, 0.9, 1.0), unlit=True)
SCREEN = {
    "tone_mapping": "linear",
    "environment": uniform_environment(0.0),
    "shadow": False,
    "background": (0.0, 0.0, 0.0, 1.0),
}


def scene(*materials, images=(), at=0.5):
    """Squares at z = 0.5 of all materials but the last, that of a square at z = -0.5."""
    parts = [square(z=at, material=k) for k in range(len(materials) - 1)]
    parts.append(square(z=-0.5, material=len(materials) - 1))
    return lit_model(parts, [{"intensity": 0.0}], materials=materials, images=images)


def scaled(model, scale):
    """The model with its mesh scaled."""
    model.skeleton.rest.scale[model.instances[0].joint] = scale
    return model


def head_on(ior):
    """The transmittance of a smooth surface at normal incidence."""
    scale, bias = environment_brdf(0.0, 1.0)
    return 1.0 - (((ior - 1.0) / (ior + 1.0)) ** 2 * scale + bias)


def absorbed(length):
    return COLOUR ** (length / DISTANCE)


@pytest.mark.parametrize("ior", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("scale", [(1, 1, 1), (2, 2, 2), (1, 1, 3), (1, 1, -0.5)])
def test_absorption_by_the_thickness_in_the_space_of_the_mesh(gl, ior, scale):
    model = scaled(scene(replace(PANE, ior=ior), WALL), scale)
    camera = OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True, target=np.zeros(3))
    if scale[2] < 0:
        camera.azimuth = np.pi
    found = linear_from_srgb(middle(draw(gl, model, camera=camera, **SCREEN)))
    expected = 0.9 * head_on(ior) * absorbed(0.5 * abs(scale[2]))
    np.testing.assert_allclose(found, expected, atol=0.006)


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_the_scale_of_joints_scales_the_thickness(gl, scale):
    rod = rod_model()
    part = replace(rod.meshes[0].primitives[0], material=0)
    mesh = replace(rod.meshes[0], primitives=(part,))
    glass = replace(PANE, ior=1.0)
    model = replace(rod, meshes=(mesh,), materials=(glass,))
    model.skeleton.rest.scale[1] = scale
    camera = OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True, distance=1.0)
    camera.target = np.array([0.0, 0.3 * scale, 0.0])
    white = SCREEN | {"background": (1.0, 1.0, 1.0, 1.0)}
    found = linear_from_srgb(middle(draw(gl, model, camera=camera, **white)))
    np.testing.assert_allclose(found, absorbed(0.5 * scale), atol=0.006)


def gradient():
    """A texture whose red grows to the right, and green downwards."""
    pixels = np.full((64, 64, 4), 255, np.uint8)
    pixels[..., 0], pixels[..., 1] = np.meshgrid(np.arange(64) * 4, np.arange(64) * 4)
    return pixels


@pytest.mark.parametrize("ortho", [True, False])
@pytest.mark.parametrize("ior", [1.0, 1.33, 1.8])
def test_refraction_shows_where_the_ray_leaves_the_volume(gl, ior, ortho):
    """Rays of our own: bent by Snell's law, as long as the thickness, and then straight ahead."""
    volume = Volume(0.7, None, DISTANCE, tuple(COLOUR))
    wall = Material(unlit=True, base_color_texture=TextureRef(0))
    glass = replace(PANE, ior=ior, volume=volume)
    images = square_model(Material(), gradient()).images
    camera = OrbitCamera(azimuth=0.5, elevation=0.3, ortho=ortho, target=np.zeros(3))
    camera.distance = 3.0
    pane, bare = (
        linear_from_srgb(draw(gl, scene(*given, images=images, at=0.3), camera=camera, **SCREEN))
        for given in ((glass, wall), (wall,))
    )
    checked = 0
    for x, y in np.random.default_rng(1).uniform(-0.45, 0.45, (40, 2)).tolist():
        point = np.array([x, y, 0.3])
        view = camera.direction() if ortho else camera.position() - point
        view = view / np.linalg.norm(view)
        across = np.array([-view[0], -view[1], 0.0]) / ior
        bent = across - [0.0, 0.0, np.sqrt(1.0 - across @ across)]
        seen, shown = camera.project(np.stack([point, point + 0.7 * bent]), 1.0)[:, :2] * 64
        at, there = seen.astype(int), shown - 0.5 + (np.floor(seen) + 0.5 - seen)
        low = np.floor(there).astype(int)
        around = bare[low[1] : low[1] + 2, low[0] : low[0] + 2]
        if (around.min(axis=(0, 1)) < 0.02).any() or around.shape != (2, 2, 3):
            continue  # beside the wall
        part = there - low
        expected = np.einsum("yxc,y,x->c", around, [1 - part[1], part[1]], [1 - part[0], part[0]])
        scale, bias = environment_brdf(0.0, float(view[2]))
        kept = ((ior - 1.0) / (ior + 1.0)) ** 2 * scale + bias
        expected = expected * (1.0 - kept) * absorbed(0.7)
        np.testing.assert_allclose(pane[at[1], at[0]], expected, atol=0.025)
        checked += 1
    assert checked > 10


def test_thickness_texture(gl):
    """Its green: nothing at the left, half of the thickness at the right."""
    pixels = np.zeros((4, 4, 4), np.uint8)
    pixels[:, 2:, 1] = 128
    pixels[..., [0, 2, 3]] = 255
    ref = TextureRef(0)
    ref = replace(ref, sampler=replace(ref.sampler, min_filter=9728, mag_filter=9728))
    glass = replace(PANE, ior=1.0, volume=replace(GREEN, thickness_texture=ref))
    model = scene(glass, WALL, images=square_model(Material(), pixels).images)
    row = linear_from_srgb(draw(gl, model, **SCREEN))[32]
    np.testing.assert_allclose(row[22], 0.9, atol=0.01)
    np.testing.assert_allclose(row[44], 0.9 * absorbed(0.5 * 128 / 255), atol=0.01)


@pytest.mark.parametrize(
    "volume", [Volume(0.0, None, 0.1, (0, 0, 0)), Volume(0.5), Volume(0.5, None, 0.0, (0, 1, 0))]
)
def test_no_thickness_or_no_distance_absorbs_nothing(gl, volume):
    thin, thick = (
        draw(gl, scene(replace(PANE, volume=given), WALL), **SCREEN) for given in (None, volume)
    )
    np.testing.assert_allclose(thick[24:40, 24:40].astype(int), thin[24:40, 24:40], atol=1)


def test_black_attenuation_is_finite(gl):
    black = replace(PANE, volume=Volume(0.5, None, 0.1, (0.0, 0.0, 1.0)))
    found = linear_from_srgb(middle(draw(gl, scene(black, WALL), **SCREEN)))
    np.testing.assert_allclose(found, [0, 0, 0.9 * head_on(1.5)], atol=0.006)


def test_a_boundary_has_no_back_faces(gl):
    """doubleSided has no effect on it; it has on a thin surface."""
    camera = OrbitCamera(azimuth=np.pi, elevation=0.0, ortho=True, target=np.zeros(3))
    dark = replace(PANE, double_sided=True, base_color=(0.0, 0.0, 0.0, 1.0))
    for volume, expected in ((GREEN, 255), (None, 0)):
        model = scene(replace(dark, volume=volume), replace(WALL, double_sided=True), at=-0.9)
        white = SCREEN | {"background": (1.0, 1.0, 1.0, 1.0)}
        found = middle(draw(gl, model, camera=camera, **white))
        assert (found[0] > 200) == (expected > 200)


def test_a_light_behind_rough_glass_is_absorbed(gl):
    rough = replace(PANE, roughness=0.5)
    found = []
    for volume in (None, GREEN):
        model = lit_model(
            [square(material=0)], [{"intensity": 0.4}], materials=(replace(rough, volume=volume),)
        )
        model.skeleton.rest.rotation[1] = [1.0, 0.0, 0.0, 0.0]  # it shines from behind
        found.append(linear_from_srgb(middle(draw(gl, model, **SCREEN))))
    assert 0.1 < found[0].min() <= found[0].max() < 0.9
    np.testing.assert_allclose(found[1], found[0] * absorbed(0.5), rtol=0.03, atol=0.004)


def test_compositing_an_absorbing_pane(gl):
    """On a transparent background it is as dark as it would be on that background."""
    grey = replace(PANE, volume=Volume(0.5, None, DISTANCE, (0.3, 0.3, 0.3)))
    model = lit_model([square(material=0)], [{"intensity": 0.0}], materials=(grey,))
    cut = middle(draw(gl, model, **(SCREEN | {"background": (0, 0, 0, 0)}))) / 255
    on_white = middle(draw(gl, model, **(SCREEN | {"background": (1, 1, 1, 1)})))[:3] / 255
    laid = cut[:3] * cut[3] + 1.0 - cut[3]
    np.testing.assert_allclose(laid, on_white, atol=0.015)
