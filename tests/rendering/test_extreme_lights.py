"""Extreme values of lights: they never darken a pixel."""

import math

import numpy as np
import pytest

from rigview.model.material import Material
from rigview.model.model import MAX_LIGHTS
from rigview.scene.camera import OrbitCamera
from tests.support.draw import draw
from tests.support.lights import lit_model
from tests.support.models import square
from tests.support.solids import linear_from_srgb, sphere, uniform_environment

FRONT = OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True, distance=3.0)
LIGHT = {"environment": uniform_environment(0.5), "tone_mapping": "linear", "shadow": False}


def model_of(lamps, *, places=(), rotation=None, scale=None, material=None, shape=None):
    material = material or Material(metallic=0.0, base_color=(0.4, 0.4, 0.4, 1))
    shape = sphere(rings=12, material=0) if shape is None else shape
    model = lit_model([shape], lamps, places=places, materials=(material,))
    if rotation is not None:
        model.skeleton.rest.rotation[1:] = rotation
    if scale is not None:
        model.skeleton.rest.scale[1:] = scale
    return model


def light(gl, model, camera=FRONT):
    """Return the radiance of the surface, linear [N, 3]."""
    picture = draw(gl, model, camera=camera, size=(48, 48), **LIGHT)
    return linear_from_srgb(picture[picture[..., 3] == 255])


ODD = {
    "against the view": ({}, {"rotation": [0, 1, 0, 0]}),
    "from a joint without size": ({"kind": "spot", "outer": 0.7}, {"scale": 0.0}),
    "from within the surface": ({"kind": "point"}, {"places": [(0, 0, 1)]}),
    "from the middle": ({"kind": "point"}, {"places": [(0, 0, 0)]}),
    "a cone without a soft edge": ({"kind": "spot", "inner": 0.4, "outer": 0.4}, {}),
    "a cone of nothing": ({"kind": "spot", "inner": 0.0, "outer": 0.0}, {}),
    "half of all": ({"kind": "spot", "inner": math.pi / 2, "outer": math.pi / 2}, {}),
    "no range": ({"kind": "point", "range": 0.0}, {}),
    "hardly a range": ({"kind": "point", "range": 1e-30}, {}),
    "very far": ({"kind": "point", "intensity": 1e30}, {"places": [(0, 0, 1e18)]}),
    "very bright": ({"kind": "point", "intensity": 1e30}, {}),
    "darkness": ({"intensity": -5.0}, {}),
    "no number": ({"intensity": math.nan}, {}),
}


@pytest.mark.parametrize("material", [Material(metallic=0.0, roughness=0.0), Material()])
@pytest.mark.parametrize("name", ODD)
def test_lights_never_darken(gl, name, material):
    lamp, more = ODD[name]
    dark = light(gl, model_of([{"intensity": 0.0}], material=material))
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        found = light(gl, model_of([lamp], material=material, **more))
    assert (found >= dark - 0.01).all()
    if name in ("darkness", "no number", "hardly a range", "a cone of nothing"):
        np.testing.assert_array_equal(found, dark)
    if name in ("no range", "very bright", "half of all", "from a joint without size"):
        assert found.max() > dark.max() + 0.05, "it shines"


def test_the_first_lights_are_used_if_there_are_too_many(gl):
    """As many lights as supported keep their intensities; further ones are ignored."""
    lamps = [{"intensity": 0.01 * (k + 1)} for k in range(MAX_LIGHTS + 5)]
    wall = square(4.0, material=0)
    dark = light(gl, model_of([{"intensity": 0.0}], shape=wall)).mean()
    one = light(gl, model_of([{"intensity": 1.0}], shape=wall)).mean() - dark
    for count in (2, MAX_LIGHTS, MAX_LIGHTS + 5):
        found = light(gl, model_of(lamps[:count], shape=wall)).mean() - dark
        shining = sum(0.01 * (k + 1) for k in range(min(count, MAX_LIGHTS)))
        assert found == pytest.approx(shining * one, abs=0.012)
