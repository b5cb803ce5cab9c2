"""Anisotropy, iridescence, diffuse transmission and dispersion by numbers, against formulas."""

import math
from dataclasses import replace

import numpy as np
import pytest

from rigview.model.material import (
    Anisotropy,
    DiffuseTransmission,
    Dispersion,
    Iridescence,
    Material,
    Specular,
    TextureRef,
    Transmission,
    Volume,
)
from rigview.rendering.gpu_material import extension_defines
from rigview.scene.environment import LEVELS, Environment, harmonics, octahedral
from tests.rendering.lit_spheres import BLACK, TOWARDS_EYE, TOWARDS_LIGHT, draw_sphere, schlick
from tests.support.draw import draw, middle, srgb
from tests.support.lights import environment_brdf, lit_model
from tests.support.models import square, square_model
from tests.support.solids import (
    equatorial,
    linear_from_srgb,
    sphere,
    uniform_environment,
)

METAL = Material(base_color=(0.9, 0.6, 0.3, 1), metallic=1.0, roughness=0.5)
MATT = Material(base_color=(0.7, 0.5, 0.3, 1), metallic=0.0, roughness=1.0)
NONE = Specular(factor=0.0)  # mirrors nothing
HALF = (TOWARDS_LIGHT + TOWARDS_EYE) / np.linalg.norm(TOWARDS_LIGHT + TOWARDS_EYE)


def cosines(normals, way):
    return np.clip(normals @ way, 1e-9, 1.0)


def dots(one, other):
    return (one * other).sum(axis=-1)


def turned(normals, rotation):
    """The directions [N, 3] along and across the highlight of a sphere's normals."""
    east = equatorial(normals)[:, :3].astype(float)
    along = east * math.cos(rotation) + np.cross(normals, east) * math.sin(rotation)
    return along, np.cross(normals, along)


def stretched(roughness, anisotropy, normals):
    """Distribution times visibility of KHR_materials_anisotropy, [N]."""
    ab = max(roughness**2, 2e-3)
    at = ab + (1 - ab) * anisotropy.strength**2
    t, b = turned(normals, anisotropy.rotation)
    nl, nv, nh = (cosines(normals, way) for way in (TOWARDS_LIGHT, TOWARDS_EYE, HALF))
    spread = (t @ HALF / at) ** 2 + (b @ HALF / ab) ** 2 + nh**2
    masks = [
        other * np.sqrt((at * (t @ way)) ** 2 + (ab * (b @ way)) ** 2 + own**2)
        for way, own, other in ((TOWARDS_EYE, nv, nl), (TOWARDS_LIGHT, nl, nv))
    ]
    return 0.5 / sum(masks) / (math.pi * at * ab * spread**2)


def put_back(roughness, nv):
    """What several reflections among the facets add, relative to one, [N, 1]."""
    return np.array([1 / sum(environment_brdf(roughness, x)) - 1 for x in nv])[:, None]


def steps(seen, expected):
    """Differences in steps of 255 as displayed."""
    return np.abs(srgb(np.clip(seen, 0, 1)) - srgb(np.clip(expected, 0, 1)))


@pytest.mark.parametrize("rotation", [0.0, 0.6, math.pi / 2])
@pytest.mark.parametrize("strength", [0.0, 0.5, 1.0])
def test_anisotropic_highlights(gl, strength, rotation):
    given = Anisotropy(strength, rotation)
    seen, normals = draw_sphere(gl, replace(METAL, anisotropy=given), lamp=1.0)
    color = np.array(METAL.base_color[:3])
    nl, nv = cosines(normals, TOWARDS_LIGHT), cosines(normals, TOWARDS_EYE)
    fresnel = schlick(color, 1.0, TOWARDS_EYE @ HALF)
    again = 1 + color * put_back(METAL.roughness, nv)
    light = fresnel * again * (stretched(METAL.roughness, given, normals) * nl)[:, None]
    off = steps(seen, np.where((normals @ TOWARDS_LIGHT > 0)[:, None], light, 0))
    assert off.max() < 6
    assert off.mean() < 0.4


def striped(radiance):
    """An environment of a function of the direction that is the same for every roughness."""
    side = 96
    place = (np.arange(side) + 0.5 - side / 2) / (side / 2 - 1)
    toward = octahedral(np.stack(np.meshgrid(place, place), axis=-1))
    level = np.repeat(radiance(toward)[..., None], 3, axis=-1).astype(np.float32)
    return Environment(np.zeros((9, 3), np.float32), np.tile(level, (LEVELS, 1, 1, 1)))


@pytest.mark.parametrize(("strength", "rotation"), [(0.0, 0.0), (0.7, 0.0), (1.0, 0.9)])
def test_the_environment_is_reflected_about_a_bent_normal(gl, strength, rotation):
    def radiance(way):
        return 0.4 + 0.3 * way[..., 0] + 0.2 * way[..., 1]

    roughness = 0.3
    metal = Material(roughness=roughness, anisotropy=Anisotropy(strength, rotation))
    seen, normals = draw_sphere(gl, metal, environment=striped(radiance))
    _, across = turned(normals, rotation)
    bent = np.cross(np.cross(across, TOWARDS_EYE), across)
    straight = (1 - strength * (1 - roughness)) ** 4
    bent += (normals - bent) * straight
    bent /= np.linalg.norm(bent, axis=1, keepdims=True)
    mirrored = 2 * (bent @ TOWARDS_EYE)[:, None] * bent - TOWARDS_EYE
    way = mirrored + (bent - mirrored) * roughness**4
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    once = [sum(environment_brdf(roughness, x)) for x in cosines(normals, TOWARDS_EYE)]
    off = np.abs(seen[:, 0] - radiance(way) * once)
    assert off.max() < 0.03
    assert off.mean() < 0.003


def test_no_tangents_no_anisotropy(gl):
    """Without tangents and texture coordinates, the highlight is round."""
    parts = [sphere(material=0)]
    pictures = [
        draw(gl, lit_model(parts, [{"intensity": 1.0}], materials=(material,)), shadow=False)
        for material in (replace(METAL, anisotropy=Anisotropy(1.0)), METAL)
    ]
    np.testing.assert_allclose(*(picture.astype(int) for picture in pictures), atol=2)


def test_texture_coordinates_replace_tangents(gl):
    ball = sphere(material=0)
    turns = np.linspace(0, 1, 97), np.linspace(0, 1, 49)
    uv = np.stack(np.meshgrid(*turns), axis=-1).reshape(-1, 2).astype(np.float32)
    material = replace(METAL, anisotropy=Anisotropy(1.0, 0.5))
    seen = []
    for part in (
        replace(ball, texcoords=(uv,)),
        replace(ball, tangents=equatorial(ball.normals)),
    ):
        model = lit_model([part], [{"intensity": 1.0}], materials=(material,))
        seen.append(draw(gl, model, shadow=False).astype(int))
    off = np.abs(seen[0] - seen[1])[8:-8]  # at the poles, triangles have one tangent
    assert off.mean() < 0.5
    assert np.percentile(off, 99) < 6


SOAP = {
    "soap": (0.04, 1.33, 350.0),
    "thick": (0.04, 1.4, 900.0),
    "oil on water": (0.02, 1.5, 250.0),
    "metal": (0.7, 1.8, 420.0),
    "nothing": (0.5, 1.3, 0.0),
}


def interference(path, shift):
    """The linear sRGB of interference, [..., 3]: sensitivities of the eye as sums of Gaussians."""
    turn = 2 * math.pi * 1e-9 * path[..., None]
    rows = (  # of X twice, Y, Z: height, place, spread
        ((5.4856e-13, 1.6810e6, 4.3278e9), (9.7470e-14, 2.2399e6, 4.5282e9)),
        ((4.4201e-13, 1.7953e6, 9.3046e9),),
        ((5.2481e-13, 2.2084e6, 6.6121e9),),
    )
    xyz = np.concatenate(
        [
            sum(
                h * math.sqrt(2 * math.pi * s) * np.cos(p * turn + shift) * np.exp(-s * turn**2)
                for h, p, s in row
            )
            for row in rows
        ],
        axis=-1,
    )
    return (xyz / 1.0685e-7) @ RGB_FROM_XYZ.T


RGB_FROM_XYZ = np.array(
    [
        [3.2404542, -1.5371385, -0.4985314],
        [-0.9692660, 1.8760108, 0.0415560],
        [0.0556434, -0.2040259, 1.0572252],
    ]
)


def film(base, index, thickness, nv):
    """The reflectance [N, 3] of a film on a grey base (KHR_materials_iridescence)."""
    if thickness == 0:
        return schlick(base, 1.0, nv)[:, None] * np.ones(3)
    inside = np.sqrt(1 - (1 - nv**2) / index**2)
    outer = schlick(((index - 1) / (index + 1)) ** 2, 1.0, nv)
    below = (1 + math.sqrt(base)) / (1 - math.sqrt(base))
    inner = schlick(((below - index) / (below + index)) ** 2, 1.0, inside)
    shift = math.pi * (1 + (below < index))
    mean = (1 - outer) ** 2 * inner / (1 - outer * inner)
    light = (outer + mean)[:, None] * np.ones(3)
    path = 2 * index * thickness * inside
    for m in (1, 2):
        weight = (mean - (1 - outer)) * np.sqrt(outer * inner) ** m
        light = light + 2 * weight[:, None] * interference(m * path, m * shift)
    return np.clip(light, 0, 1)


@pytest.mark.parametrize("metallic", [0.0, 1.0])
@pytest.mark.parametrize("name", SOAP)
def test_a_thin_film_in_uniform_light(gl, name, metallic):
    """On a smooth surface: on a black dielectric, and on grey metal."""
    base, index, thickness = SOAP[name]
    ior = (1 + math.sqrt(base)) / (1 - math.sqrt(base))
    given = Iridescence(1.0, None, index, 1.0, thickness)
    color = (base * metallic,) * 3 + (1,)
    material = Material(
        base_color=color, metallic=metallic, roughness=0.0, ior=ior, iridescence=given
    )
    seen, normals = draw_sphere(gl, material, 1.0)
    nv = cosines(normals, TOWARDS_EYE)
    expected = film(base, index, thickness, nv)
    if thickness:
        assert np.ptp(expected, axis=1).max() > 0.01, "it has colours"
        assert np.abs(seen - expected).max() < 0.03
    assert np.abs(seen - expected).mean() < 0.012


def exact_film(base, index, thickness):
    """The linear sRGB of a film at normal incidence, by a sum over the spectrum (Airy).

    The eye: Wyman, Sloan and Shirley, "Simple Analytic Approximations to the CIE XYZ Color Matching
    Functions" (2013). The light is of equal energy, and white after division.
    """
    nm = np.arange(380.0, 781.0, 0.5)

    def lobe(height, place, below, above):
        return height * np.exp(-0.5 * ((nm - place) * np.where(nm < place, below, above)) ** 2)

    x = lobe(0.362, 442.0, 0.0624, 0.0374) + lobe(1.056, 599.8, 0.0264, 0.0323)
    x += lobe(-0.065, 501.1, 0.0490, 0.0382)
    y = lobe(0.821, 568.8, 0.0213, 0.0247) + lobe(0.286, 530.9, 0.0613, 0.0322)
    z = lobe(1.217, 437.0, 0.0845, 0.0278) + lobe(0.681, 459.0, 0.0385, 0.0725)
    below = (1 + math.sqrt(base)) / (1 - math.sqrt(base))
    outer, inner = (1 - index) / (1 + index), (index - below) / (index + below)
    turn = np.exp(4j * math.pi * index * thickness / nm)
    reflected = np.abs((outer + inner * turn) / (1 + outer * inner * turn)) ** 2
    xyz = np.array([(reflected * each).sum() for each in (x, y, z)]) / y.sum()
    return RGB_FROM_XYZ @ xyz / RGB_FROM_XYZ.sum(axis=1)


@pytest.mark.parametrize(
    ("name", "most"), [("soap", 0.003), ("thick", 0.003), ("oil on water", 0.003), ("metal", 0.08)]
)
def test_films_against_a_sum_over_the_spectrum(name, most):
    """Two reflections are enough for dielectrics; bright metal has more."""
    found = film(*SOAP[name], np.ones(1))[0]
    np.testing.assert_allclose(found, np.clip(exact_film(*SOAP[name]), 0, 1), atol=most)


def test_half_a_film_is_between_none_and_a_whole_one(gl):
    whole = Iridescence(1.0, None, 1.5, 0.0, 400.0)
    material = Material(base_color=(0.5, 0.5, 0.5, 1), roughness=0.2)
    none, half, full = (
        draw_sphere(gl, replace(material, iridescence=each), 1.0)[0]
        for each in (None, replace(whole, factor=0.5), whole)
    )
    np.testing.assert_allclose(half, (none + full) / 2, atol=0.012)


@pytest.mark.parametrize("roughness", [0.1, 0.6, 1.0])
def test_films_win_no_light(gl, roughness):
    white = Material(metallic=0.3, roughness=roughness, iridescence=Iridescence(1.0, None, 1.8))
    assert 2 * draw_sphere(gl, white, 1.0, exposure=-1.0)[0].max() < 1.02


THROUGH = {
    "none": (DiffuseTransmission(0.0, None, (0.2, 0.9, 0.4)), None),
    "half": (DiffuseTransmission(0.5, None, (0.2, 0.9, 0.4)), None),
    "all": (DiffuseTransmission(1.0, None, (0.2, 0.9, 0.4)), None),
    "volume": (DiffuseTransmission(0.8), Volume(0.4, None, 0.5, (0.3, 0.8, 0.9))),
}


def behind(through, volume):
    """The share and colour of the light from behind."""
    color = np.array(through.color) * through.factor
    if volume is None:
        return color
    return color * np.array(volume.attenuation_color) ** (
        volume.thickness / volume.attenuation_distance
    )


@pytest.mark.parametrize("name", THROUGH)
def test_light_that_is_scattered_to_the_other_side(gl, name):
    through, volume = THROUGH[name]
    material = replace(MATT, specular=NONE, diffuse_transmission=through, volume=volume)
    seen, normals = draw_sphere(gl, material, lamp=3.0)
    nl = (normals @ TOWARDS_LIGHT)[:, None]
    front = np.array(MATT.base_color[:3]) * (1 - through.factor) * np.maximum(nl, 0)
    expected = 3.0 / math.pi * (front + behind(through, volume) * np.maximum(-nl, 0))
    off = steps(seen, expected)
    assert off.max() < 6, "where the light is flat on the facets"
    assert off.mean() < 0.4

    slope = np.stack([[0.4, 0.05, 0.05, 0.15, *[0.0] * 5]] * 3, axis=-1).astype(np.float32)
    dark = np.zeros((LEVELS, 96, 96, 3), np.float32)
    seen, normals = draw_sphere(gl, material, environment=Environment(slope / 0.282095, dark))
    near, far = harmonics(normals) @ slope / 0.282095, harmonics(-normals) @ slope / 0.282095
    front = np.array(MATT.base_color[:3]) * (1 - through.factor) * near
    assert steps(seen, front + behind(through, volume) * far).max() < 2.5


def test_dielectric_reflection_takes_from_both_sides(gl):
    """A white translucent surface in uniform light is invisible."""
    for roughness in (0.2, 0.8):
        white = Material(
            metallic=0.0, roughness=roughness, diffuse_transmission=DiffuseTransmission(0.6)
        )
        seen = 2 * draw_sphere(gl, white, 1.0, exposure=-1.0)[0]
        assert 0.97 < seen.min() <= seen.max() < 1.02


@pytest.mark.parametrize("away", [0.0, 0.6])
def test_a_leaf_does_not_shadow_its_other_side(gl, away):
    leaf = replace(MATT, specular=NONE, diffuse_transmission=DiffuseTransmission(1.0))
    model = lit_model([square(material=0)], [{"intensity": 2.0}], materials=(leaf,))
    model.skeleton.rest.rotation[1] = [0.0, math.cos(away / 2), 0.0, math.sin(away / 2)]
    dark = {"environment": uniform_environment(0.0), "tone_mapping": "linear"}
    found = linear_from_srgb(middle(draw(gl, model, shadow=True, **dark)))
    np.testing.assert_allclose(found, 2.0 / math.pi * math.cos(away), atol=0.01)


def test_light_enters_a_volume_at_its_other_side(gl):
    """A ball is lit through, but not if something is before the light."""
    thick = Volume(2.0, None, 1e9)
    ball = replace(MATT, specular=NONE, diffuse_transmission=DiffuseTransmission(1.0), volume=thick)
    wall = square(4.0, z=-2.0, material=1)
    wall = replace(wall, indices=wall.indices[::-1].copy())
    dark = {"environment": uniform_environment(0.0), "tone_mapping": "linear", "shadow": True}
    seen = []
    for parts in ([sphere(material=0)], [sphere(material=0), wall]):
        model = lit_model(parts, [{"intensity": 2.0}], materials=(ball, MATT))
        model.skeleton.rest.rotation[1] = [0.0, 1.0, 0.0, 0.0]
        seen.append(linear_from_srgb(middle(draw(gl, model, **dark)))[0])
    assert seen[0] == pytest.approx(2.0 / math.pi, abs=0.02)
    assert seen[1] < 0.01


def test_dispersion_refracts_each_colour_by_its_own_index(gl):
    """Red and blue are those of glass with the index of red and blue."""
    glass = Material(
        metallic=0.0, roughness=0.0, ior=1.5, specular=NONE,
        transmission=Transmission(1.0), volume=Volume(0.8),
    )  # fmt: skip
    half = 0.5 * 0.025 * 6.0
    scale = 127.5 + 120.0 * np.sin(np.arange(64) * (2 * math.pi * 5 / 64))
    image = np.stack([np.tile(scale, (64, 1))] * 3 + [np.full((64, 64), 255)], axis=-1)
    screen = Material(unlit=True, base_color_texture=TextureRef(0))
    back = replace(square(3.0, z=-1.0), material=1)
    options = {"environment": uniform_environment(0.0), "shadow": False, "tone_mapping": "linear"}

    def seen(material):
        model = lit_model(
            [sphere(material=0), back], materials=(material, screen),
            images=square_model(Material(), image).images,
        )  # fmt: skip
        return draw(gl, model, **options)[..., :3].astype(int)

    spread = seen(replace(glass, dispersion=Dispersion(6.0)))
    for channel, ior in enumerate((1.5 - half, 1.5, 1.5 + half)):
        alone = seen(replace(glass, ior=ior))
        np.testing.assert_allclose(spread[..., channel], alone[..., channel], atol=3)
    assert np.abs(spread[..., 0] - spread[..., 2]).max() > 12


def test_extensions_without_effect_define_nothing():
    for idle in (
        replace(BLACK, anisotropy=Anisotropy(0.0, 1.0)),
        replace(BLACK, iridescence=Iridescence(0.0)),
        replace(BLACK, diffuse_transmission=DiffuseTransmission(0.0, None, (1, 0, 0))),
        replace(BLACK, dispersion=Dispersion(0.0)),
    ):
        assert extension_defines(idle) == {}
    assert "IRIDESCENCE" in extension_defines(replace(BLACK, iridescence=Iridescence(0.1)))


PIXEL = np.array([128, 64, 32, 200], np.uint8)
SLANTED = np.tile(np.array([0.6, 0.5, 0.62], np.float32), (4, 1))
TEXTURED = {  # what is shown by a texture of the pixel, and by factors
    "anisotropy": (
        "anisotropy",
        Anisotropy(1.0, 0.0, TextureRef(0)),
        Anisotropy(32 / 255, math.atan2(64 / 127.5 - 1, 128 / 127.5 - 1)),
    ),
    "iridescence": (
        "iridescence",
        Iridescence(1.0, TextureRef(0)),
        Iridescence(128 / 255),
    ),
    "film thickness": (
        "iridescence",
        Iridescence(1.0, None, 1.5, 100.0, 700.0, TextureRef(0)),
        Iridescence(1.0, None, 1.5, 0.0, 100.0 + 600.0 * 64 / 255),
    ),
    "diffuse transmission": (
        "diffuse_transmission",
        DiffuseTransmission(1.0, TextureRef(0)),
        DiffuseTransmission(200 / 255),
    ),
    "its colour": (
        "diffuse_transmission",
        DiffuseTransmission(1.0, None, (1, 1, 1), TextureRef(0)),
        DiffuseTransmission(1.0, None, tuple(linear_from_srgb(PIXEL))),
    ),
}


@pytest.mark.parametrize("name", TEXTURED)
def test_textures(gl, name):
    field, *given = TEXTURED[name]
    plain = Material(base_color=(0.2, 0.2, 0.2, 1), metallic=0.5, roughness=0.35)
    pictures = []
    for extension in (*given, None):
        model = square_model(replace(plain, **{field: extension}), np.tile(PIXEL, (4, 4, 1)))
        slanted = replace(model.meshes[0].primitives[0], normals=SLANTED)
        model = replace(model, meshes=(replace(model.meshes[0], primitives=(slanted,)),))
        pictures.append(middle(draw(gl, model, tone_mapping="linear", exposure=1.0)))
    np.testing.assert_allclose(*pictures[:2], atol=1)
    changed = pictures[0].astype(int) - pictures[2]
    assert np.abs(changed).max() > 2, "it does something"
