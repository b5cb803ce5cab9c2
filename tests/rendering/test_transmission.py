"""Transmission: the background is visible at full brightness, tinted and blurred."""

import math
from dataclasses import replace

import moderngl
import numpy as np
import pytest

from rigview.errors import ContextError
from rigview.model.material import Clearcoat, Material, Sheen, TextureRef, Transmission
from rigview.rendering.forward_drawing import TransmissionTarget
from rigview.rendering.picture import Picture
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from rigview.scene.versions import PicturePart
from tests.support.crowd_pictures import show_crowd
from tests.support.draw import draw, gpu_objects, middle, srgb
from tests.support.ground_pictures import draw_from_above
from tests.support.lights import environment_brdf, lit_model
from tests.support.looks import new_look
from tests.support.material_extension_files import TRANSMISSION, ExtensionBuilder
from tests.support.models import make_model, square
from tests.support.solids import cube, linear_from_srgb, uniform_environment

TINT = (0.9, 0.6, 0.3, 1.0)
CLEAR = Material(
    base_color=(1, 1, 1, 1), metallic=0.0, roughness=0.0, ior=1.0, transmission=Transmission(1.0)
)  # an index of 1 mirrors nothing: as if it were not there
PANE = replace(CLEAR, ior=1.5)
RED = Material(base_color=(0.8, 0.1, 0.05, 1), unlit=True)
GLOW = Material(base_color=(0, 0, 0, 1), metallic=1.0, emissive=(2.5, 0.6, 0.1))
DARK = {"environment": uniform_environment(0.0), "shadow": False}
SCREEN = {"tone_mapping": "linear", **DARK}
PAPER = (0.2, 0.5, 0.8, 1.0)
OFF = {"type": "directional", "intensity": 0}


def before(*materials, **fields):
    """Return squares at 0.5 before squares at -0.5; the last material is that of the far ones."""
    parts = [square(z=0.5, material=k) for k in range(len(materials) - 1)]
    parts.append(square(z=-0.5, material=len(materials) - 1))
    return lit_model(parts, [{"intensity": 0.0}], materials=materials, **fields)


def behind(gl, *materials, **options):
    return middle(draw(gl, before(*materials), **(SCREEN | options)))


def head_on(material):
    """Return the transmittance of a smooth surface at normal incidence."""
    scale, bias = environment_brdf(material.roughness, 1.0)
    return 1 - (0.04 * scale + bias)


@pytest.mark.parametrize("metallic", [0.0, 0.3, 0.6, 1.0])
def test_transmissive_surfaces_have_no_diffuse_light(gl, metallic):
    """On black only reflected light is left."""
    pane = replace(PANE, metallic=metallic)
    light = {"environment": uniform_environment(0.8), "tone_mapping": "linear", "shadow": False}
    found = linear_from_srgb(behind(gl, pane, replace(RED, base_color=(0, 0, 0, 1)), **light))
    expected = 0.8 * (metallic + (1 - metallic) * (1 - head_on(pane)))
    np.testing.assert_allclose(found, expected, atol=0.01)


@pytest.mark.parametrize("tone_mapping", ["neutral", "aces", "linear", "none"])
@pytest.mark.parametrize("wall", [RED, GLOW])
@pytest.mark.parametrize("samples", [1, 4])
def test_glass_of_ior_1_is_invisible(gl, tone_mapping, wall, samples):
    """Radiance is transmitted before tone mapping, unlit colours unchanged."""
    options = {"tone_mapping": tone_mapping, "exposure": 0.7, "samples": samples}
    through, bare = behind(gl, CLEAR, wall, **options), behind(gl, wall, **options)
    np.testing.assert_allclose(through, bare, atol=1)


@pytest.mark.parametrize("background", [PAPER, (1, 1, 1, 1), (0, 0, 0, 1)])
@pytest.mark.parametrize("tone_mapping", ["neutral", "none"])
def test_the_background_colour_is_transmitted_unchanged(gl, background, tone_mapping):
    model = lit_model([square(material=0)], [{"intensity": 0.0}], materials=(CLEAR,))
    options = {"background": background, "tone_mapping": tone_mapping, **DARK}
    picture = draw(gl, model, **options)
    assert np.ptp(picture[..., :3].reshape(-1, 3).astype(int), axis=0).max() <= 1
    np.testing.assert_allclose(picture[0, 0], np.rint(np.array(background) * 255), atol=1)


def test_base_colour_tints_the_background(gl):
    for tint, share in ((TINT, 1.0), (TINT, 0.5)):
        glass = replace(PANE, base_color=tint, transmission=Transmission(share))
        found = linear_from_srgb(behind(gl, glass, RED))
        expected = np.array([0.8, 0.1, 0.05]) * tint[:3] * share * head_on(glass)
        np.testing.assert_allclose(found, expected, atol=0.006)


def test_diffuse_share_of_partial_transmission(gl):
    """In uniform light, half of the refracted light is transmitted."""
    lit = SCREEN | {"environment": uniform_environment(0.5)}
    half = replace(CLEAR, base_color=TINT, transmission=Transmission(0.5))
    found = linear_from_srgb(behind(gl, half, replace(RED, base_color=(0, 0, 0, 1)), **lit))
    np.testing.assert_allclose(found, np.array(TINT[:3]) * 0.25, atol=0.006)


def test_white_furnace_with_transmission(gl):
    """Energy is conserved, with and without extensions."""
    white = replace(RED, base_color=(0.5, 0.5, 0.5, 1))
    paper = (*srgb([0.5] * 3) / 255, 1.0)
    for glass in (
        PANE,
        replace(PANE, roughness=0.6),
        replace(PANE, clearcoat=Clearcoat(1.0), sheen=Sheen((1, 1, 1), None, 0.6)),
    ):
        lit = SCREEN | {"environment": uniform_environment(0.5), "background": paper}
        np.testing.assert_allclose(
            linear_from_srgb(behind(gl, glass, white, **lit)), 0.5, atol=0.01
        )


def test_metal_does_not_transmit(gl):
    metal = replace(PANE, metallic=1.0)
    np.testing.assert_array_equal(behind(gl, metal, RED)[:3], 0)
    image = np.tile(np.array([0, 0, 255, 255], np.uint8), (4, 4, 1))
    ref = replace(metal, metallic_roughness_texture=TextureRef(0))
    model = before(ref, RED, images=images(image))
    np.testing.assert_array_equal(middle(draw(gl, model, **SCREEN))[:3], 0)


def images(pixels):
    from tests.support.models import square_model

    return square_model(Material(), pixels).images


def test_transmission_texture(gl):
    """Its left half, moved to the right by a UV offset."""
    pixels = np.zeros((4, 4, 4), np.uint8)
    pixels[:, :2, 0] = 255
    pixels[..., 3] = 255
    ref = TextureRef(0, offset=(0.5, 0.0))
    ref = replace(ref, sampler=replace(ref.sampler, min_filter=9728, mag_filter=9728))
    model = before(replace(CLEAR, transmission=Transmission(1.0, ref)), RED, images=images(pixels))
    picture = draw(gl, model, **SCREEN)[32]
    assert picture[20, 0] == 0
    assert picture[44, 0] == pytest.approx(srgb(0.8), abs=1)


def edge(gl, glass):
    """Return red along the middle row of glass with a surface behind its left half.

    Without the pixels at the left, where the edge of that surface is blurred, too.
    """
    wall = square(z=-0.5, material=1)
    scale, shift = np.float32([[0.5, 1, 1], [-0.25, 0, 0]])
    wall = replace(wall, positions=wall.positions * scale + shift)
    model = lit_model(
        [square(z=0.5, material=0), wall], [{"intensity": 0.0}], materials=(glass, RED)
    )
    return linear_from_srgb(draw(gl, model, background=(0, 0, 0, 1), **SCREEN)[32, 20:48])[:, 0]


def test_roughness_blurs_the_background(gl):
    slopes = [np.abs(np.diff(edge(gl, replace(PANE, roughness=r)))).max() for r in (0, 0.3, 0.5)]
    assert slopes[0] > 0.7
    assert slopes[0] > 2 * slopes[1] > 3 * slopes[2]
    for roughness in (0.2, 0.35, 0.5):
        row = edge(gl, replace(PANE, roughness=roughness))
        assert (np.diff(row) <= 0.004).all(), "from what is there to what is not, without squares"


def test_ior_1_does_not_blur(gl):
    sharp, rough = edge(gl, CLEAR), edge(gl, replace(CLEAR, roughness=0.5))
    np.testing.assert_allclose(rough, sharp, atol=0.004)
    dense = edge(gl, replace(CLEAR, ior=0.0, roughness=0.5))
    assert dense.max() < 0.01, "an endless index lets nothing through"


def test_glass_on_a_transparent_background(gl):
    """Composited over a background later, it equals glass drawn on that background."""
    for tint, light in (((1, 1, 1, 1), 0.0), ((0.5, 0.5, 0.5, 1), 0.0), ((0.8, 0.8, 0.8, 1), 0.5)):
        glass = lit_model(
            [square(material=0)], [{"intensity": 0.0}],
            materials=(replace(PANE, base_color=tint),),
        )  # fmt: skip
        options = SCREEN | {"environment": uniform_environment(light)}
        cut = middle(draw(gl, glass, background=(0, 0, 0, 0), **options)) / 255
        assert 0 < cut[3] < 1
        for paper in (0.0, 0.25, 0.5, 0.75, 1.0):
            laid = cut[:3] * cut[3] + paper * (1 - cut[3])
            drawn = middle(draw(gl, glass, background=(paper,) * 3 + (1,), **options))[:3] / 255
            np.testing.assert_allclose(laid, drawn, atol=0.05 if light else 0.015)


def test_surfaces_behind_glass_stay_opaque(gl):
    found = behind(gl, PANE, RED, background=(0, 0, 0, 0))
    assert found[3] == 255
    np.testing.assert_allclose(linear_from_srgb(found)[0], 0.8 * head_on(PANE), atol=0.006)


def test_the_nearest_glass_is_visible(gl):
    near, far = replace(CLEAR, base_color=(1, 0, 0, 1)), replace(CLEAR, base_color=(0, 1, 0, 1))
    white = replace(RED, base_color=(1, 1, 1, 1))
    for order in ((0, 1), (1, 0)):
        parts = [square(z=(0.5, 0.0)[k], material=k) for k in order]
        parts.append(square(z=-0.5, material=2))
        model = lit_model(parts, [{"intensity": 0.0}], materials=(near, far, white))
        np.testing.assert_allclose(middle(draw(gl, model, **SCREEN))[:3], [255, 0, 0], atol=1)


def test_alpha_is_coverage_independent_of_transmission(gl):
    """With a mask the glass is cut out; blended, it covers half."""
    white = replace(RED, base_color=(1, 1, 1, 1))
    black = replace(CLEAR, base_color=(0, 0, 0, 0.25))
    assert behind(gl, replace(black, alpha_mode="MASK"), white)[0] == 255
    assert behind(gl, replace(black, alpha_mode="OPAQUE"), white)[0] == 0
    assert behind(gl, replace(black, alpha_mode="BLEND"), white)[0] == pytest.approx(191, abs=1)
    whole = replace(black, base_color=(0, 0, 0, 1), alpha_mode="BLEND")
    assert behind(gl, whole, white)[0] == 0
    clear = replace(CLEAR, base_color=(1, 1, 1, 0.5), alpha_mode="BLEND")
    np.testing.assert_allclose(behind(gl, clear, RED), behind(gl, RED), atol=1)


def test_blended_surfaces_are_visible_through_glass(gl):
    veil = Material(base_color=(0, 0, 1, 0.5), alpha_mode="BLEND", unlit=True)
    parts = [
        square(z=0.5, material=0),
        square(z=0.0, material=1),
        square(z=-0.5, material=2),
    ]
    model = lit_model(parts, [{"intensity": 0.0}], materials=(CLEAR, veil, RED))
    bare = lit_model(parts[1:], [{"intensity": 0.0}], materials=(CLEAR, veil, RED))
    through, seen = (middle(draw(gl, each, **SCREEN)) for each in (model, bare))
    np.testing.assert_allclose(through, seen, atol=1)


def test_a_light_behind_rough_glass(gl):
    """KHR_materials_transmission: the transmission lobe around the view direction."""
    for roughness in (0.4, 0.7):
        glass = replace(PANE, roughness=roughness, base_color=TINT)
        model = lit_model(
            [square(material=0)], [{"intensity": 0.5}], places=[(0, 0, -2)], materials=(glass,)
        )
        angle = math.radians(150)  # it shines from behind, along +Z and a little up
        model.skeleton.rest.rotation[1] = [math.sin(angle / 2), 0, 0, math.cos(angle / 2)]
        seen = linear_from_srgb(middle(draw(gl, model, background=(0, 0, 0, 1), **SCREEN)))
        towards = -np.array([0, math.sin(angle), -math.cos(angle)])
        assert towards[2] < 0, "the light is behind"
        normal, eye = np.array([0, 0, 1.0]), np.array([0, 0, 1.0])
        half = eye + towards - 2 * (normal @ towards) * normal
        half /= np.linalg.norm(half)
        a2 = roughness**4
        nl, nh = -normal @ towards, normal @ half
        spread = a2 / (math.pi * (nh**2 * (a2 - 1) + 1) ** 2)
        visible = 1 / ((nl + math.sqrt(a2 + (1 - a2) * nl**2)) * 2)
        kept = 0.04 + 0.96 * (1 - eye @ half) ** 5
        expected = 0.5 * nl * spread * visible * (1 - kept) * np.array(TINT[:3])
        np.testing.assert_allclose(seen, expected, rtol=0.03, atol=0.004)


def test_clear_glass_casts_no_shadow(gl):
    dark = []
    for share in (0.0, 0.4, 0.9):
        material = Material(metallic=0.0, transmission=Transmission(share))
        model = make_model([cube(0.6, (0, 1.2, 0), material=0)], materials=(material,))
        dark.append(draw_from_above(gl, model)[0][..., 0].min())
    assert dark[0] == dark[1] < 160
    assert dark[2] > 200 - 60


def test_the_ground_is_visible_through_glass(gl):
    """The grid lines are unchanged."""
    model = lit_model([square(material=0)], [{"intensity": 0.0}], materials=(CLEAR,))
    hole = replace(CLEAR, base_color=(0, 0, 0, 0), alpha_mode="MASK")
    empty = replace(model, materials=(hole,))
    camera = OrbitCamera(azimuth=0.3, elevation=0.6, distance=5.0)
    pictures = []
    for each in (model, empty):
        options = {"grid": True, "background": PAPER, **DARK}
        pictures.append(draw(gl, each, camera=camera, size=(96, 96), **options).astype(int))
    assert np.ptp(pictures[1][..., 0]) > 20, "there are lines"
    np.testing.assert_allclose(*pictures, atol=2)


def test_glass_is_opaque_in_view_modes(gl):
    glass = replace(PANE, base_color=TINT)
    for mode, expected in (("base-colour", srgb(np.array(TINT[:3]))), ("roughness", [0] * 3)):
        found = behind(gl, glass, RED, view_mode=mode)
        np.testing.assert_allclose(found[:3], expected, atol=1)


def test_displayed_weights_beside_glass(gl):
    model = before(PANE, RED)
    found = middle(draw(gl, model, weights_joint=0, **SCREEN))
    assert found[3] == 255
    np.testing.assert_array_equal(found, middle(draw(gl, model, weights_joint=0, **SCREEN)))


def test_animated_transmission(gl):
    b = ExtensionBuilder()
    b.add("nodes", mesh=b.square(2.0, at=(0, 0, -1), material=b.unlit()))
    glass = b.extended((1, 0, 0, 1), ior={"ior": 1}, transmission={})
    b.add("nodes", mesh=b.square(material=glass))
    b.add("nodes", extensions={"KHR_lights_punctual": {"light": b.light(**OFF)}})
    b.pointer((f"/materials/{glass}/extensions/{TRANSMISSION}/transmissionFactor", [0, 1], [0, 1]))
    model = b.load()
    assert model.warnings == []
    seen = [middle(draw(gl, model, tau=t, **SCREEN))[0] for t in (0.0, 0.5, 0.9999)]
    assert seen[2] == 255
    assert seen[1] == pytest.approx(float(srgb(0.5)), abs=8)
    assert seen[0] < 5


def crowd_picture(gl, model, count, **display):
    scene = Scene(camera=OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True))
    new_look(scene, grid=False, **(SCREEN | display))
    scene.show(model)
    if count:
        world = np.tile(np.eye(4, dtype=np.float32), (count, 1, 1))
        world[:, 0, 3] = 3.0 * np.arange(count)
        show_crowd(scene, np.zeros(count, int), world)
    scene.camera.orbit.target = np.zeros(3)
    scene.camera.follow = False
    if count:
        scene.crowd.pose_at(np.zeros(count))
    else:
        scene.update(0.0)
    renderer, target = Renderer(gl), Target(gl, (64, 64), 1)
    renderer.draw(scene, target)
    picture = target.read().astype(int)
    renderer.release()
    target.release()
    return picture


def test_a_crowd_of_glass(gl):
    b = ExtensionBuilder()
    b.add("nodes", mesh=b.square(1.5, at=(0, 0, -1), material=b.unlit()))
    glass = b.extended((1, 0.5, 0, 1), roughness=0, transmission={"transmissionFactor": 1})
    b.add("nodes", extensions={"KHR_lights_punctual": {"light": b.light(**OFF)}})
    b.add("nodes", mesh=b.square(material=glass))
    b.animation((0, "translation", [0, 1], [[0, 0, 0], [0, 0, 0]]), name="Still")
    model = b.load()
    one, many = crowd_picture(gl, model, 0), crowd_picture(gl, model, 3)
    np.testing.assert_allclose(middle(one)[:3], srgb(np.array([1, 0.5, 0]) * 0.955), atol=3)
    np.testing.assert_allclose(many[:, 16:48], one[:, 16:48], atol=1)


def test_transmission_target_is_freed_and_resized(gl):
    model = before(PANE, RED)
    scene = Scene(camera=OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True))
    new_look(scene, grid=False, **SCREEN)
    scene.show(model)
    scene.frame(1.0)
    scene.update(0.0)
    held = []
    for _ in range(2):
        renderer = Renderer(gl)
        for size, samples in (((32, 32), 1), ((48, 40), 4), ((32, 32), 4)):
            target = Target(gl, size, samples)
            renderer.draw(scene, target)
            found = linear_from_srgb(middle(target.read()))
            assert found[0] == pytest.approx(0.8 * head_on(PANE), abs=0.006)
            target.release()
        renderer.release()
        held.append(gpu_objects(gl))
    assert held[0] == held[1]


def test_failed_allocation_of_the_background_is_an_error(gl):
    class Full:
        """A context that gives no textures."""

        detect_framebuffer = gl.detect_framebuffer

        def texture(self, *_, **__):
            raise moderngl.Error("out of memory")

    behind_it = TransmissionTarget(Full())
    with pytest.raises(ContextError, match="32 x 24 pixels"):
        behind_it.begin(Picture(None, (32, 24), PicturePart(()), (0, 0, 0, 0)))
    behind_it.release()
