"""Tone mapping curves against their published formulas."""

import numpy as np
import pytest

from rigview.model.material import Material, Specular
from tests.support.draw import draw, middle, srgb
from tests.support.models import square_model
from tests.support.solids import uniform_environment

LIGHTS = [
    (0.02, 0.05, 0.01),
    (0.18, 0.18, 0.18),
    (0.5, 0.25, 0.05),
    (0.9, 0.7, 0.2),
    (1.0, 1.0, 1.0),
    (3.0, 0.5, 0.1),
    (12.0, 9.0, 0.3),
    (80.0, 80.0, 80.0),
]


def neutral(c):
    """Return Khronos PBR Neutral of its specification (start 0.8, desaturation 0.15)."""
    start, fade = 0.8 - 0.04, 0.15
    x = c.min()
    c = c - (x - 6.25 * x * x if x < 0.08 else 0.04)
    peak = c.max()
    if peak < start:
        return c
    d = 1.0 - start
    lower = 1.0 - d * d / (peak + d - start)
    g = 1.0 - 1.0 / (fade * (peak - lower) + 1.0)
    return c * lower / peak * (1 - g) + lower * g


def aces(c):
    """Return Hill's fit of ACES with the exposure of three.js and the Khronos sample viewer."""
    enter = np.array(
        [[0.59719, 0.35458, 0.04823], [0.07600, 0.90834, 0.01566], [0.02840, 0.13383, 0.83777]]
    )
    leave = np.array(
        [
            [1.60475, -0.53108, -0.07367],
            [-0.10208, 1.10813, -0.00605],
            [-0.00327, -0.07276, 1.07602],
        ]
    )
    v = enter @ (c / 0.6)
    return leave @ (
        (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081)
    )


CURVES = {"neutral": neutral, "aces": aces, "linear": lambda c: c, "none": lambda c: c}


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("exposure", [0.0, 1.5])
def test_curve(gl, curve, exposure):
    """A black emissive surface without specular: its light is the emission."""
    gain = 1.0 if curve == "none" else 2.0**exposure
    for light in LIGHTS:
        material = Material(
            base_color=(0, 0, 0, 1), metallic=0.0, emissive=light, specular=Specular(factor=0.0)
        )
        picture = draw(
            gl, square_model(material), size=(8, 8), shadow=False,
            environment=uniform_environment(0.0),
            tone_mapping=curve, exposure=exposure,
        )  # fmt: skip
        expected = np.clip(CURVES[curve](np.array(light) * gain), 0.0, 1.0)
        np.testing.assert_allclose(middle(picture)[:3], srgb(expected), atol=1, err_msg=str(light))
