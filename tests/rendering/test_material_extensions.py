"""Material extensions by numbers, against their formulas."""

import math
from dataclasses import replace

import numpy as np
import pytest

from rigview.model.material import Clearcoat, Material, Sheen, Specular, TextureRef
from rigview.rendering.gpu_material import GpuMaterial, extension_defines
from rigview.rendering.program import Programs
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.rendering.textures.mipmaps import Mipmaps
from rigview.rendering.textures.texture import Textures
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from tests.rendering.lit_spheres import BLACK, TOWARDS_EYE, TOWARDS_LIGHT, draw_sphere, schlick
from tests.support.crowd_pictures import show_crowd
from tests.support.draw import draw, middle, srgb
from tests.support.lights import environment_brdf, lit_model
from tests.support.looks import new_look
from tests.support.material_extension_files import CLEARCOAT, ExtensionBuilder
from tests.support.models import make_model, square, square_model
from tests.support.solids import linear_from_srgb, uniform_environment

PLAIN = Material(base_color=(0.5, 0.5, 0.5, 1), metallic=0.0, roughness=0.6)
NONE = Specular(factor=0.0)  # mirrors nothing
EXTENDED = {
    "coat": Material(metallic=0.0, clearcoat=Clearcoat(1.0)),
    "rough coat": Material(metallic=0.0, clearcoat=Clearcoat(0.7, roughness=1.0)),
    "coated metal": Material(metallic=1.0, roughness=0.4, clearcoat=Clearcoat(1.0, None, 0.3)),
    "sheen": Material(metallic=0.0, sheen=Sheen((1, 1, 1), roughness=0.3)),
    "rough sheen": Material(metallic=0.0, sheen=Sheen((1, 1, 1), roughness=1.0)),
    "no specular": Material(metallic=0.0, roughness=0.3, specular=NONE),
    "specular": Material(metallic=0.0, roughness=0.3, specular=Specular(0.5, None, (9, 9, 9))),
    "index of air": Material(metallic=0.0, roughness=0.3, ior=1.0),
    "index of diamond": Material(metallic=0.3, roughness=0.5, ior=2.42),
    "endless index": Material(metallic=0.0, roughness=0.2, ior=0.0),
    "all": Material(
        metallic=0.2, ior=1.8, specular=Specular(0.8),
        clearcoat=Clearcoat(0.8, None, 0.4), sheen=Sheen((1, 1, 1), None, 0.5),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EXTENDED)
def test_white_furnace(gl, name):
    """A white surface in uniform light is invisible, with and without extensions."""
    seen = 2 * draw_sphere(gl, EXTENDED[name], 1.0, exposure=-1.0)[0]
    assert seen.max() < 1.02, "no light is won"
    assert seen.min() > 0.97
    assert seen.mean() == pytest.approx(1.0, abs=0.01)


def test_clearcoat_fresnel(gl):
    """On a black surface without specular: fresnel_coat of KHR_materials_clearcoat."""
    for strength, roughness in ((1.0, 0.0), (0.6, 0.5)):
        coat = Clearcoat(strength, roughness=roughness)
        seen, normals = draw_sphere(gl, replace(BLACK, specular=NONE, clearcoat=coat), 1.0)
        expected = strength * schlick(0.04, 1.0, normals @ TOWARDS_EYE)
        np.testing.assert_allclose(seen[:, 0], expected, atol=0.012)


def test_clearcoat_attenuates_emission(gl):
    glow = replace(BLACK, specular=NONE, emissive=(0.8, 0.4, 0.0), clearcoat=Clearcoat(1.0))
    seen, normals = draw_sphere(gl, glow)
    left = 1 - schlick(0.04, 1.0, normals @ TOWARDS_EYE)
    np.testing.assert_allclose(seen, left[:, None] * [0.8, 0.4, 0.0], atol=0.012)


@pytest.mark.parametrize("ior", [0.0, 1.0, 1.33, 1.5, 1.76, 2.42])
def test_ior_at_normal_incidence(gl, ior):
    """A black surface in uniform light: ((n - 1) / (n + 1))²; the special value 0 reflects all."""
    model = square_model(replace(BLACK, roughness=0.0, ior=ior))
    options = {"environment": uniform_environment(1.0), "tone_mapping": "linear", "shadow": False}
    seen = linear_from_srgb(middle(draw(gl, lit_model(
        model.meshes[0].primitives, [{"intensity": 0.0}], materials=model.materials,
    ), **options)))  # fmt: skip
    assert seen[0] == pytest.approx(((ior - 1) / (ior + 1)) ** 2, abs=0.007)


def test_specular_colour_at_normal_incidence(gl):
    """It is clamped at 25 x 0.04 = 1 before the strength is applied (KHR_materials_specular)."""
    coloured = Specular(0.5, None, (50.0, 5.0, 0.0))
    seen, normals = draw_sphere(gl, replace(BLACK, roughness=0.0, specular=coloured), 1.0)
    front = seen[normals[:, 2] > 0.995].mean(axis=0)
    np.testing.assert_allclose(front, [0.5, 0.1, 0.0], atol=0.008)


def fibres(roughness, nl, nv, nh):
    """Return distribution and visibility of KHR_materials_sheen (Conty Estevez and Kulla 2017)."""
    alpha = roughness**2

    def level(x):
        t = (1 - alpha) ** 2
        lows = np.array([21.5473, 3.82987, 0.19823, -1.97760, -4.32054])
        highs = np.array([25.3245, 3.32435, 0.16801, -1.27393, -4.85967])
        a, b, c, d, e = lows + (highs - lows) * t
        return a / (1 + b * x**c) + d * x + e

    def shadow(x):
        far = np.exp(2 * level(0.5) - level(1 - np.minimum(x, 1 - 1e-9)))
        return np.where(x < 0.5, np.exp(level(x)), far)

    spread = (2 + 1 / alpha) * (1 - nh**2) ** (0.5 / alpha) / (2 * math.pi)
    return spread / ((1 + shadow(nv) + shadow(nl)) * 4 * nv * nl)


def sheen_albedo(roughness, nv, n=300):
    """Return the directional albedo of sheen: an integral over the hemisphere."""
    u = (np.arange(n) + 0.5) / n
    nl, turn = np.meshgrid(u**2, u * math.pi, indexing="ij")  # more of what is flat
    vl = math.sqrt(1 - nv**2) * np.sqrt(1 - nl**2) * np.cos(turn) + nv * nl
    nh = np.minimum((nv + nl) / np.sqrt(2 + 2 * vl), 1.0)
    part = fibres(roughness, nl, nv, nh) * nl * 2 * u[:, None] * 2 * math.pi
    return min(float(part.mean()), 1.0)


@pytest.mark.parametrize("roughness", [0.15, 0.3, 0.5, 0.75, 1.0])
def test_sheen_in_uniform_light(gl, roughness):
    """On black: the colour times the albedo; on white: also the attenuated base."""
    sheen = Sheen((0.8, 0.4, 0.0), roughness=roughness)
    seen, normals = draw_sphere(gl, replace(BLACK, specular=NONE, sheen=sheen), 1.0)
    below, _ = draw_sphere(
        gl, replace(BLACK, base_color=(1, 1, 1, 1), specular=NONE, sheen=sheen), 1.0
    )
    for cosine in (0.35, 0.5, 0.7, 0.85, 0.99):
        near = np.abs(normals[:, 2] - cosine) < 0.02
        share = sheen_albedo(roughness, cosine)
        found = seen[near].mean(axis=0)
        np.testing.assert_allclose(found, share * np.array([0.8, 0.4, 0.0]), atol=0.02)
        left = (below[near] - seen[near]).mean(axis=0)
        np.testing.assert_allclose(left, 1 - 0.8 * share, atol=0.025)


def lobe(alpha, nl, nv, nh):
    """Return distribution and visibility of GGX (glTF 2.0, appendix B)."""
    a2 = alpha**2
    spread = a2 / (math.pi * (nh**2 * (a2 - 1) + 1) ** 2)
    smith = [c * np.sqrt(d**2 * (1 - a2) + a2) for c, d in ((nl, nv), (nv, nl))]
    return spread * 0.5 / np.maximum(sum(smith), 1e-9)


def reflected(m, normals):
    """The light of a lamp of one lux from TURN, [N, 3], by the formulas of the extensions.

    What is lost among the facets is put back as for plain surfaces (Turquin 2019).
    """
    half = (TOWARDS_LIGHT + TOWARDS_EYE) / np.linalg.norm(TOWARDS_LIGHT + TOWARDS_EYE)
    nl, nv, nh = (np.clip(normals @ way, 1e-9, 1) for way in (TOWARDS_LIGHT, TOWARDS_EYE, half))
    vh = TOWARDS_EYE @ half
    color = np.array(m.base_color[:3])
    specular = m.specular or Specular()
    head_on = ((m.ior - 1) / (m.ior + 1)) ** 2 * np.array(specular.color)
    f0 = np.minimum(head_on, 1.0) * specular.factor
    dielectric, metal = schlick(f0, specular.factor, vh), schlick(color, 1.0, vh)
    again = [1 / sum(environment_brdf(m.roughness, x)) - 1 for x in nv]
    again = np.array(again)[:, None]
    shine = lobe(max(m.roughness**2, 2e-3), nl, nv, nh)[:, None]
    matt = color / math.pi * (1 - dielectric.max())
    light = (1 - m.metallic) * (matt + dielectric * (1 + f0 * again) * shine)
    light = (light + m.metallic * metal * (1 + color * again) * shine) * nl[:, None]
    if m.sheen:
        shares = np.interp(np.stack([nl, nv]), *table(m.sheen.roughness))
        light *= (1 - max(m.sheen.color) * shares.max(axis=0))[:, None]
        light += np.array(m.sheen.color) * (fibres(m.sheen.roughness, nl, nv, nh) * nl)[:, None]
    if m.clearcoat:
        r = m.clearcoat.roughness
        put_back = np.array([1 / sum(environment_brdf(r, x)) for x in nv])
        coat = lobe(max(r**2, 2e-3), nl, nv, nh) * nl * put_back
        weight = m.clearcoat.factor * schlick(0.04, 1.0, nv)
        light = light * (1 - weight)[:, None] + (coat * weight)[:, None]
    return np.where((normals @ TOWARDS_LIGHT > 0)[:, None], light, 0.0)


def table(roughness):
    cosines = np.linspace(0.01, 0.9999, 40)
    return cosines, [sheen_albedo(roughness, x, 160) for x in cosines]


LIT = {
    "index": replace(PLAIN, ior=2.0),
    "strength": replace(PLAIN, specular=Specular(0.3)),
    "colour": replace(PLAIN, specular=Specular(0.9, None, (12.0, 6.0, 0.5))),
    "half metal": replace(PLAIN, metallic=0.5, ior=1.2, specular=Specular(0.7)),
    "coat": replace(PLAIN, clearcoat=Clearcoat(0.8, roughness=0.4)),
    "coat on metal": replace(PLAIN, metallic=1.0, clearcoat=Clearcoat(1.0, roughness=0.5)),
    "sheen": replace(PLAIN, sheen=Sheen((0.8, 0.3, 0.1), roughness=0.5)),
    "rough sheen": replace(BLACK, sheen=Sheen((1, 1, 1), roughness=0.9)),
    "all": replace(
        PLAIN, ior=1.7, specular=Specular(0.8, None, (1, 2, 3)),
        clearcoat=Clearcoat(0.6, roughness=0.45), sheen=Sheen((0.2, 0.4, 0.8), roughness=0.6),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LIT)
def test_a_light_against_the_formulas(gl, name):
    material = LIT[name]
    seen, normals = draw_sphere(gl, material, lamp=1.2)
    off = srgb(seen) - srgb(np.clip(1.2 * reflected(material, normals), 0, 1))
    assert np.abs(off).max() < 4.5, "steps of 255"
    assert np.abs(off).mean() < 0.4


def test_extensions_without_effect_change_nothing(gl):
    plain, _ = draw_sphere(gl, PLAIN, 0.5, 1.0)
    for idle in (
        replace(PLAIN, clearcoat=Clearcoat(0.0, None, 0.5)),
        replace(PLAIN, sheen=Sheen((0, 0, 0), None, 0.5)),
        replace(PLAIN, specular=Specular()),
        replace(PLAIN, ior=1.5),
    ):
        assert extension_defines(idle) == {}
        np.testing.assert_array_equal(draw_sphere(gl, idle, 0.5, 1.0)[0], plain)
    for metallic in (0.0, 0.5, 1.0):
        metal = replace(PLAIN, base_color=(0.9, 0.5, 0.1, 1), metallic=metallic, roughness=0.9)
        nearly = replace(metal, clearcoat=Clearcoat(1e-6))
        assert extension_defines(nearly) == {"CLEARCOAT": 1, "MATERIAL_EXTENSIONS": 1}
        for light in ((0.5, 0.0), (0.0, 1.0)):
            seen, without = (draw_sphere(gl, each, *light)[0] for each in (nearly, metal))
            np.testing.assert_allclose(seen, without, atol=0.006)


def test_unlit_surfaces_have_no_extensions(gl):
    material = Material(base_color=(0.2, 0.6, 0.4, 1), unlit=True, clearcoat=Clearcoat(1.0))
    picture = draw(gl, square_model(material), environment=uniform_environment(1.0))
    np.testing.assert_allclose(middle(picture)[:3], srgb([0.2, 0.6, 0.4]), atol=1)


HALF = 128 / 255
DARK = Material(base_color=(0.02, 0.02, 0.02, 1), metallic=0.0, roughness=0.3)
SLANTED = np.tile(np.array([0.6, 0.5, 0.62], np.float32), (4, 1))
TEXTURED = {  # what is shown by a texture of (128, 64, 32, 200), and by factors
    "clearcoat": (Clearcoat(1.0, TextureRef(0)), Clearcoat(HALF)),
    "coat roughness": (
        Clearcoat(1.0, None, 1.0, TextureRef(0)),
        Clearcoat(1.0, None, 64 / 255),
    ),
    "sheen colour": (
        Sheen((1, 1, 1), TextureRef(0), 0.5),
        Sheen(tuple(linear_from_srgb(np.array([128, 64, 32]))), None, 0.5),
    ),
    "sheen roughness": (
        Sheen((1, 1, 1), None, 1.0, TextureRef(0)),
        Sheen((1, 1, 1), None, 200 / 255),
    ),
    "specular": (Specular(1.0, TextureRef(0)), Specular(200 / 255)),
    "specular colour": (
        Specular(1.0, None, (9, 9, 9), TextureRef(0)),
        Specular(1.0, None, tuple(9 * linear_from_srgb(np.array([128, 64, 32])))),
    ),
}


@pytest.mark.parametrize("name", TEXTURED)
def test_textures_of_extensions(gl, name):
    image = np.tile(np.array([128, 64, 32, 200], np.uint8), (4, 4, 1))
    pictures = []
    for extension in (*TEXTURED[name], None):
        extensions = {} if extension is None else {type(extension).__name__.lower(): extension}
        material = replace(DARK, **extensions)
        model = square_model(material, image)
        slanted = replace(model.meshes[0].primitives[0], normals=SLANTED)
        model = replace(model, meshes=(replace(model.meshes[0], primitives=(slanted,)),))
        pictures.append(middle(draw(gl, model, tone_mapping="linear", exposure=3.0)))
    np.testing.assert_allclose(*pictures[:2], atol=1)
    changed = pictures[0].astype(int) - pictures[2]
    assert np.abs(changed).max() > 4, "it does something"


def test_clearcoat_normal_texture(gl):
    """Tilted by 20 degrees away from a light at the camera; a scale of 0 removes the tilt."""
    tilt = math.radians(20)
    pixel = np.array([math.sin(tilt), 0, math.cos(tilt)]) * 127.5 + 127.5
    image = np.tile(np.array([*pixel, 255], np.uint8), (4, 4, 1))
    coat = Clearcoat(1.0, None, 0.5, None, TextureRef(0))
    lamps = [{"intensity": 3.0}]
    seen = {}
    for name, material in {
        "flat": replace(BLACK, specular=NONE, clearcoat=replace(coat, normal_texture=None)),
        "bumps": replace(BLACK, specular=NONE, clearcoat=coat),
        "scale 0": replace(BLACK, specular=NONE, clearcoat=replace(coat, normal_scale=0.0)),
    }.items():
        part = square(material=0)
        model = lit_model([part], lamps, materials=(material,), images=square_model(
            material, image).images)  # fmt: skip
        options = {
            "environment": uniform_environment(0.0),
            "tone_mapping": "linear",
            "shadow": False,
        }
        seen[name] = linear_from_srgb(middle(draw(gl, model, **options)))[0]
    weight = schlick(0.04, 1.0, math.cos(tilt))
    put_back = 1 / sum(environment_brdf(0.5, math.cos(tilt)))
    cosine = math.cos(tilt)
    expected = 3 * weight * lobe(0.25, cosine, cosine, cosine) * cosine * put_back
    assert seen["bumps"] == pytest.approx(expected, abs=0.01)
    assert seen["scale 0"] == pytest.approx(seen["flat"], abs=0.004)
    assert seen["flat"] > seen["bumps"] + 0.01


def test_animated_extensions(gl):
    b = ExtensionBuilder()
    material = b.extended((0, 0, 0, 1), clearcoat={}, specular={"specularFactor": 0})
    b.ball(material)
    b.pointer((f"/materials/0/extensions/{CLEARCOAT}/clearcoatFactor", [0, 1], [0, 1]))
    model = b.load()
    options = {"environment": uniform_environment(1.0), "tone_mapping": "linear", "shadow": False}
    times = (0, 0.5, 0.9999)
    dull, half, bright = (
        linear_from_srgb(middle(draw(gl, model, tau=t, **options)))[0] for t in times
    )
    assert dull == 0
    assert half == pytest.approx(bright / 2, abs=0.002)
    assert bright > 0.039


def test_animated_extensions_of_a_crowd(gl):
    b = ExtensionBuilder()
    material = b.extended((0, 0, 0, 1), clearcoat={}, specular={"specularFactor": 0})
    b.ball(material)
    b.pointer((f"/materials/0/extensions/{CLEARCOAT}/clearcoatFactor", [0, 1], [0, 1]))
    model = b.load()
    scene = Scene(camera=OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True))
    new_look(
        scene, grid=False, environment=uniform_environment(1.0), tone_mapping="linear", shadow=False
    )
    scene.show(model)
    world = np.tile(np.eye(4, dtype=np.float32), (3, 1, 1))
    world[:, 0, 3] = -1, 0, 1
    show_crowd(scene, np.zeros(3, int), world, np.array([0, 0.5, 1.0]))
    scene.camera.orbit.target = np.zeros(3)
    scene.camera.follow = False
    renderer, target = Renderer(gl), Target(gl, (96, 48), 1)
    renderer.draw(scene, target)
    picture = target.read()
    renderer.release()
    target.release()
    across = scene.camera.orbit.projection(2.0)[0, 0] * 48
    seen = [linear_from_srgb(picture[24, round(48 + k * across)])[0] for k in (-1, 0, 1)]
    assert seen[0] == 0
    assert seen[1] == pytest.approx(seen[2] / 2, abs=0.003)
    assert seen[2] > 0.039


def test_more_textures_than_texture_units(gl):
    class Narrow:
        """A context of few texture units."""

        info = gl.info | {"GL_MAX_TEXTURE_IMAGE_UNITS": 8}
        buffer, texture = gl.buffer, gl.texture

    image = np.full((4, 4, 4), 128, np.uint8)
    ref = TextureRef(0)
    model = square_model(
        Material(
            "Skin", base_color_texture=ref, occlusion_texture=ref,
            clearcoat=Clearcoat(1.0, ref),
        ),
        image,
    )  # fmt: skip
    textures = Textures(gl, model, Mipmaps(gl, Programs(gl)))
    made = GpuMaterial(Narrow(), model.materials[0], textures)
    assert {"BASE_COLOR_TEXTURE", "OCCLUSION_TEXTURE", "CLEARCOAT"} < set(made.defines)
    assert "CLEARCOAT_TEXTURE" not in made.defines
    assert model.warnings == [
        "material 'Skin' has more textures than this GPU can bind at once; its clearcoat texture "
        "is ignored"
    ]
    made.release()
    textures.release()


def test_view_modes_ignore_extensions(gl):
    coated = replace(PLAIN, clearcoat=Clearcoat(1.0), sheen=Sheen((1, 1, 1), None, 0.5))
    for mode in ("base-colour", "roughness", "normals"):
        pictures = [draw(gl, make_model([square(material=0)], materials=(m,)), view_mode=mode)
                    for m in (PLAIN, coated)]  # fmt: skip
        np.testing.assert_array_equal(*pictures)
