"""Pictures of linear light, before tone mapping."""

import numpy as np
import pytest

from rigview.model.material import Material, Transmission
from rigview.rendering.render_target import LinearTarget
from rigview.rendering.renderer import Renderer
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from tests.support.draw import PLAIN_DISPLAY, draw, gpu_objects
from tests.support.lights import lit_model
from tests.support.looks import set_look
from tests.support.models import make_model, square
from tests.support.solids import linear_from_srgb, uniform_environment

BLUE = (0.2, 0.5, 0.8, 1.0)
TINT = (0.9, 0.6, 0.3)
RED = Material(base_color=(0.8, 0.1, 0.05, 1), unlit=True)
GLOW = Material(base_color=(0, 0, 0, 1), metallic=1.0, emissive=(2.5, 0.6, 0.1))
GLASS = Material(  # an index of 1 mirrors nothing
    base_color=(*TINT, 1), metallic=0.0, roughness=0.0, ior=1.0, transmission=Transmission(1.0)
)
DARK = {"environment": uniform_environment(0.0), "shadow": False}


def stacked(*materials):
    """Squares behind each other, the first material nearest, without light."""
    parts = [square(z=-float(k), material=k) for k in range(len(materials))]
    return lit_model(parts, [{"intensity": 0.0}], materials=materials)


def light(gl, model, *, size=(64, 64), samples=1, turned=0.0, **display):
    """The light [H, W, 4] of what `draw` shows in sRGB."""
    scene = Scene(camera=OrbitCamera(azimuth=turned, elevation=turned, ortho=True))
    scene.show(model)
    set_look(scene, **(PLAIN_DISPLAY | {"shadow": True} | display))
    scene.measure()
    scene.frame(size[0] / size[1])
    scene.update(0.0)
    renderer, target = Renderer(gl, linear=True), LinearTarget(gl, size, samples)
    renderer.draw(scene, target)
    found = target.read_light()
    renderer.release()
    target.release()
    return found


def displayed(found):
    """Opaque light as it is in a picture without tone mapping."""
    return np.clip(found, 0.0, 1.0)


def middle(found):
    return found[found.shape[0] // 2, found.shape[1] // 2]


def in_light(picture):
    alpha = picture[..., 3:] / 255.0
    return np.concatenate([linear_from_srgb(picture[..., :3]) * alpha, alpha], axis=-1)


@pytest.mark.parametrize("display", [{}, {"view_mode": "normals"}, {"background": BLUE}])
def test_light_is_that_of_a_picture_without_tone_mapping(gl, display):
    model = lit_model([square()], [{"intensity": 2.0}])
    options = {"tone_mapping": "linear", "exposure": -1.0, **display}
    shown = draw(gl, model, **options)
    found = light(gl, model, **(options | {"tone_mapping": "neutral"}))
    np.testing.assert_allclose(displayed(found), in_light(shown), atol=0.006)


def test_light_is_not_clamped(gl):
    assert np.allclose(
        light(gl, stacked(GLOW), **DARK).max(axis=(0, 1)), (2.5, 0.6, 0.1, 1), rtol=2e-3
    )
    twice = light(gl, stacked(GLOW), exposure=1.0, **DARK)
    assert np.allclose(twice.max(axis=(0, 1)), (5.0, 1.2, 0.2, 1), rtol=2e-3)


def test_colours_that_are_not_lit_are_decoded(gl):
    model = make_model([square(material=0)], materials=(RED,))
    found = middle(light(gl, model, exposure=2.0, background=BLUE))
    assert np.allclose(found, (0.8, 0.1, 0.05, 1.0), atol=1e-3)
    corner = light(gl, model, background=((0, 0, 0, 1.0), (0.5, 0.5, 0.5, 0.5)))[-1, 0]
    assert np.allclose(corner, (0.107, 0.107, 0.107, 0.5), atol=0.01)


def test_light_through_glass(gl):
    found = middle(light(gl, stacked(GLASS, GLOW), **DARK))
    assert np.allclose(found, (*np.multiply((2.5, 0.6, 0.1), TINT), 1.0), rtol=0.02)
    unlit = middle(light(gl, stacked(GLASS, RED), **DARK))
    assert np.allclose(unlit, (*np.multiply((0.8, 0.1, 0.05), TINT), 1.0), atol=0.01)
    grey = {"background": ((0.5, 0.5, 0.5, 1.0), (0.5, 0.5, 0.5, 1.0))}
    pane = stacked(GLASS)
    gradient = middle(light(gl, pane, **DARK, **grey))
    assert np.allclose(gradient, (*np.multiply(0.214, TINT), 1.0), atol=0.01)
    clear = middle(light(gl, pane, **DARK))
    assert np.allclose(clear, (0, 0, 0, 1 - np.mean(TINT)), atol=0.01)


@pytest.mark.parametrize("samples", [2, 4, 8])
def test_samples_are_averaged_as_light(gl, samples):
    model = make_model([square(material=0)], materials=(RED,))
    found = light(gl, model, samples=samples, size=(61, 47), turned=0.3, shadow=False)
    assert np.allclose(middle(found), (0.8, 0.1, 0.05, 1.0), atol=1e-3)
    edge = (found[..., 3] > 0) & (found[..., 3] < 1)
    assert edge.any()
    assert np.allclose(found[edge][:, 0], 0.8 * found[edge][:, 3], atol=2e-3)


def test_everything_is_freed(gl):
    counts = []
    for _ in range(2):
        light(gl, make_model([square()]), samples=4)
        counts.append(gpu_objects(gl))
    assert counts[0] == counts[1]
