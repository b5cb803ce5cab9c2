"""Values that the vertex shader carries to the fragments are those of the uniform blocks."""

import numpy as np
import pytest

from rigview.model.material import Material
from rigview.rendering import gpu_model
from rigview.scene.environment import Environment
from tests.support.draw import draw
from tests.support.lights import lit_model
from tests.support.solids import sphere, uniform_environment

GOLD = Material(base_color=(0.8, 0.4, 0.2, 1.0), metallic=0.3, roughness=0.4, emissive=(0, 0.1, 0))
GREY = uniform_environment(0.3)
BLUE = Environment(GREY.irradiance * np.float32([0.5, 0.7, 1.0]), GREY.levels)


@pytest.mark.parametrize("lights", [[], [{}], [{"kind": "point"}], [{}] * 3])
@pytest.mark.parametrize("environment", [None, BLUE], ids=["studio", "blue"])
def test_pictures_are_the_same(gl, monkeypatch, lights, environment):
    model = lit_model([sphere(material=0)], lights, materials=(GOLD,))
    pictures = []
    for most in (0, gpu_model.CARRIED):
        monkeypatch.setattr(gpu_model, "CARRIED", most)
        pictures.append(draw(gl, model, environment=environment))
    np.testing.assert_array_equal(*pictures)
