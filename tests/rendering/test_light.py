"""Lighting by numbers: furnace test, BRDF and punctual lights against reference formulas."""

import math

import numpy as np
import pytest

from rigview.model.material import Material, Sampler, TextureRef
from rigview.scene.camera import OrbitCamera
from tests.support.draw import draw, middle, srgb
from tests.support.lights import environment_brdf, lit_model
from tests.support.models import make_model, make_primitive, square, square_model
from tests.support.solids import linear_from_srgb, sphere, uniform_environment

DARK = uniform_environment(0.0)


@pytest.mark.parametrize("metallic", [0.0, 1.0])
@pytest.mark.parametrize("roughness", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_white_furnace(gl, metallic, roughness):
    """A white surface in uniform light is invisible."""
    white = Material(metallic=metallic, roughness=roughness)
    model = lit_model([sphere(material=0)], [{"intensity": 0.0}], materials=(white,))
    options = {
        "environment": uniform_environment(),
        "tone_mapping": "linear",
        "exposure": -1.0,
        "shadow": False,
    }
    picture = draw(gl, model, size=(96, 96), **options)
    seen = 2 * linear_from_srgb(picture[picture[..., 3] == 255])
    assert seen.max() < 1.02, "no light is won"
    assert seen.min() > 0.97
    assert seen.mean() == pytest.approx(1.0, abs=0.01)


def brdf(albedo, metallic, roughness, n, light, view):
    """Return the BRDF of glTF 2.0, appendix B."""
    h = (light + view) / np.linalg.norm(light + view)
    nl, nv, nh, vh = n @ light, n @ view, n @ h, view @ h
    if nl <= 0 or nv <= 0:
        return 0.0
    a2 = max(roughness**2, 2e-3) ** 2
    distribution = a2 / (math.pi * ((nh * nh) * (a2 - 1) + 1) ** 2)
    visible = 0.5 / (nl * math.sqrt(nv**2 * (1 - a2) + a2) + nv * math.sqrt(nl**2 * (1 - a2) + a2))
    lost = 1 / sum(environment_brdf(roughness, nv)) - 1  # bounces among the facets (Turquin 2019)
    matt = albedo / math.pi * 0.96 * (1 - (1 - vh) ** 5)
    plain, metal = (
        (f0 + (1 - f0) * (1 - vh) ** 5) * (1 + f0 * lost) * distribution * visible
        for f0 in (0.04, albedo)
    )
    return (1 - metallic) * (matt + plain) + metallic * metal


def integrated(roughness, nv, n=96):
    """Return the environment BRDF by importance sampling of the lobe (Karis 2013)."""
    a2 = max(roughness**2, 2e-3) ** 2
    u, turn = np.meshgrid(*[(np.arange(n) + 0.5) / n] * 2)
    nh = np.sqrt((1 - u) / (1 + (a2 - 1) * u))
    vh = math.sqrt(1 - nv**2) * np.sqrt(1 - nh**2) * np.cos(2 * np.pi * turn) + nv * nh
    nl = np.maximum(2 * vh * nh - nv, 0)
    visible = 0.5 / (nl * np.sqrt(nv**2 * (1 - a2) + a2) + nv * np.sqrt(nl**2 * (1 - a2) + a2))
    part = 4 * visible * nl * np.clip(vh, 0, 1) / nh
    graze = (1 - np.clip(vh, 0, 1)) ** 5
    return float((part * (1 - graze)).mean()), float((part * graze).mean())


@pytest.mark.parametrize("roughness", [0.1, 0.25, 0.5, 0.75, 1.0])
def test_environment_brdf(roughness):
    off = []
    for nv in (0.1, 0.25, 0.5, 0.75, 1.0):
        told, true = environment_brdf(roughness, nv), integrated(roughness, nv)
        off.append([told[0] + told[1] - true[0] - true[1], told[1] - true[1]])
    assert np.abs(off).max() < 0.06
    assert np.abs(off).mean() < 0.02


@pytest.mark.parametrize("roughness", [0.0, 0.5, 1.0])
def test_a_gold_sphere_in_uniform_light(gl, roughness):
    """At normal incidence, against the integral: single and multiple scattering."""
    gold = Material(base_color=(1.0, 0.6, 0.2, 1), metallic=1.0, roughness=roughness)
    model = lit_model([sphere(material=0)], [{"intensity": 0.0}], materials=(gold,))
    options = {"environment": uniform_environment(0.9), "tone_mapping": "linear", "shadow": False}
    picture = draw(gl, model, size=(65, 65), **options)
    scale, bias = integrated(roughness, 1.0)
    f0 = np.array([1.0, 0.6, 0.2])
    mean, lost = f0 + (1 - f0) / 21, 1 - scale - bias
    single = f0 * scale + bias
    expected = 0.9 * (single + single * mean / (1 - lost * mean) * lost)
    assert linear_from_srgb(picture[32, 32]) == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize(("metallic", "roughness"), [(0, 0.3), (0, 0.9), (1, 0.4), (0.5, 0.9)])
def test_directional_light_in_lux(gl, rng, metallic, roughness):
    """64 squares with different normals, seen along -Z, against the reference."""
    normals = rng.normal(size=(64, 3)) + np.array([0, 0, 1.5])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    normals = normals[normals[:, 2] > 0.15]
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * 0.5
    places = np.array([[k % 8, k // 8, 0] for k in range(len(normals))], float)
    indices = (np.arange(len(normals))[:, None] * 4 + [0, 1, 2, 0, 2, 3]).ravel()
    squares = make_primitive(
        (corners + places[:, None]).reshape(-1, 3), indices,
        normals=np.repeat(normals, 4, axis=0).astype(np.float32), material=0,
    )  # fmt: skip
    material = Material(base_color=(0.6, 0.6, 0.6, 1), metallic=metallic, roughness=roughness)
    model = lit_model([squares], [{"intensity": 1.5}], materials=(material,))
    towards = np.array([0.4, 0.3, 0.9]) / np.linalg.norm([0.4, 0.3, 0.9])
    half = np.array([-towards[1], towards[0], 0]) / np.hypot(*towards[:2])  # turns +Z to the light
    angle = math.acos(towards[2]) / 2
    model.skeleton.rest.rotation[1] = [*(half * math.sin(angle)), math.cos(angle)]
    options = {"environment": DARK, "tone_mapping": "linear", "shadow": False}
    picture = draw(gl, model, size=(160, 160), **options)
    rows, columns = np.nonzero(picture[..., 3])
    top, left = rows.min(), columns.min()
    step = (columns.max() + 1 - left) / 8
    high = math.ceil(len(normals) / 8)
    assert (rows.max() + 1 - top) / high == pytest.approx(step, abs=0.3)
    for place, normal in zip(places.astype(int), normals, strict=True):
        y = round(top + (high - 1 - place[1] + 0.5) * step)
        x = round(left + (place[0] + 0.5) * step)
        expected = (
            1.5
            * max(normal @ towards, 0)
            * brdf(0.6, metallic, roughness, normal, towards, np.array([0, 0, 1.0]))
        )
        found = picture[y, x, 0].astype(float)
        assert found == pytest.approx(float(srgb(min(expected, 1.0))), abs=1.6), normal


def seen(gl, model, **options):
    """The light that comes from the middle of a picture, in parts of 255 steps of sRGB."""
    options = {"environment": DARK, "tone_mapping": "linear", "shadow": False} | options
    return linear_from_srgb(middle(draw(gl, model, size=(16, 16), **options)))[0]


MATT = Material(base_color=(0.8, 0.8, 0.8, 1), metallic=0.0, roughness=1.0)
FACING = np.array([0, 0, 1.0])
HEAD_ON = brdf(0.8, 0, 1.0, FACING, FACING, FACING)


@pytest.mark.parametrize("distance", [0.5, 1.0, 2.0])
def test_a_point_light_decreases_with_the_square_of_the_distance(gl, distance):
    model = lit_model(
        [square(0.05, material=0)], [{"kind": "point"}],
        places=[(0, 0, distance)], materials=(MATT,),
    )  # fmt: skip
    assert seen(gl, model) == pytest.approx(min(HEAD_ON / distance**2, 1), rel=0.03)


def test_a_point_light_ends_at_its_range(gl):
    for reach, part in ((4.0, 1 - 0.5**4), (2.5, 1 - 0.8**4), (2.0, 0.0), (1.0, 0.0)):
        model = lit_model(
            [square(0.05, material=0)], [{"kind": "point", "intensity": 8.0, "range": reach}],
            places=[(0, 0, 2)], materials=(MATT,),
        )  # fmt: skip
        assert seen(gl, model) == pytest.approx(2 * HEAD_ON * part, abs=0.006)


@pytest.mark.parametrize("angle", [0.0, 0.25, 0.35, 0.45, 0.6])
def test_a_spot_cone(gl, angle):
    """Against KHR_lights_punctual: the square of a clamped linear function of the cosine."""
    inner, outer = 0.2, 0.5
    model = lit_model(
        [square(0.02, material=0)],
        [{"kind": "spot", "intensity": 4.0, "inner": inner, "outer": outer}],
        places=[(0, 0, 2)], materials=(MATT,),
    )  # fmt: skip
    model.skeleton.rest.rotation[1] = [math.sin(angle / 2), 0, 0, math.cos(angle / 2)]
    across = (math.cos(angle) - math.cos(outer)) / (math.cos(inner) - math.cos(outer))
    assert seen(gl, model) == pytest.approx(HEAD_ON * np.clip(across, 0, 1) ** 2, abs=0.006)


def test_lights_add_up(gl):
    three = [{"intensity": 0.5}, {"kind": "point"}, {"intensity": 1.0, "color": (0.5, 0.5, 0.5)}]
    model = lit_model([square(0.05, material=0)], three, materials=(MATT,))
    assert seen(gl, model) == pytest.approx(HEAD_ON * (0.5 + 0.25 + 0.5), rel=0.03)


@pytest.mark.parametrize("intensity", [0.0, -3.0, float("nan")])
def test_lights_of_intensity_zero(gl, intensity):
    model = lit_model([square(material=0)], [{"intensity": intensity}], materials=(MATT,))
    assert seen(gl, model, environment=uniform_environment(0.5), exposure=0.0) == pytest.approx(
        0.4, abs=0.02
    )
    assert seen(gl, model) == 0.0


def test_a_light_within_the_mesh(gl):
    """On the surface and inside a sphere: no pixel becomes black or transparent."""
    model = lit_model(
        [square(material=0)], [{"kind": "point"}], places=[(0, 0, 0)], materials=(MATT,)
    )
    picture = draw(gl, model, environment=uniform_environment(0.5))
    assert (picture[8:56, 8:56, 3] == 255).all()
    assert picture[8:56, 8:56, :3].min() > 100
    ball = lit_model(
        [sphere(material=0)], [{"kind": "point"}], places=[(0, 0, 0)], materials=(MATT,)
    )
    assert seen(gl, ball, environment=uniform_environment(0.5)) == pytest.approx(0.4, abs=0.02)


def test_more_lights_than_supported(gl):
    many = [{"intensity": 0.05}] * 20
    model = lit_model([square(material=0)], many, materials=(MATT,))
    assert seen(gl, model) == pytest.approx(HEAD_ON * 0.05 * 16, rel=0.04)


def test_unlit_texture_values_are_preserved(gl):
    """sRGB is decoded once and encoded once: all 256 values."""
    ramp = np.arange(256, dtype=np.uint8).reshape(16, 16)
    image = np.stack([ramp, ramp[::-1], ramp.T, np.full_like(ramp, 255)], axis=-1)
    nearest = TextureRef(0, sampler=Sampler(33071, 33071, 9728, 9728))
    for material, view in (
        (Material(base_color_texture=nearest, unlit=True), "lit"),
        (Material(base_color_texture=nearest), "base-colour"),
    ):
        camera = OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True, distance=3.0)
        camera.move_to(np.array([0, 0, 3.0]))
        picture = draw(gl, square_model(material, image), size=(128, 128), view_mode=view)
        rows, columns = np.nonzero(picture[..., 3] == 255)
        area = picture[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
        side = len(area)
        at = ((np.arange(16) + 0.5) / 16 * side).astype(int)
        np.testing.assert_allclose(area[at][:, at].astype(int), image.astype(int), atol=1)


def test_mipmaps_average_linear_light(gl):
    """A fine black and white checkerboard becomes 188, not 128."""
    fine = np.indices((256, 256)).sum(axis=0) % 2 * 255
    image = np.stack([fine] * 3 + [np.full_like(fine, 255)], axis=-1).astype(np.uint8)
    material = Material(base_color_texture=TextureRef(0), unlit=True)
    found = middle(draw(gl, square_model(material, image), size=(32, 32)))
    np.testing.assert_allclose(found[:3], 188, atol=2)


def test_files_without_lights_have_a_key_light(gl):
    """Light from the front, above and left: that side of a sphere is brighter."""
    model = make_model([sphere(material=0)], materials=(MATT,))
    picture = draw(gl, model, environment=DARK, light="key", tone_mapping="linear")
    light = linear_from_srgb(picture)[..., 0]
    assert light[:32, :32].sum() > 2 * light[32:, 32:].sum()
