"""Rough reflections of a half-white environment, against sums over microfacets."""

import numpy as np
import pytest

from rigview.model.material import Clearcoat, Material, Specular
from rigview.scene import environment
from tests.rendering.lit_spheres import BLACK, TOWARDS_EYE, draw_sphere, schlick

FRONT = np.array([0.0, 0.0, 1.0])  # where the light comes from


@pytest.fixture(scope="module")
def half():
    """Return an environment that is white on the side of the camera and black on the other."""
    light = np.zeros((32, 64, 3), np.float32)
    light[:, 32:] = 1.0
    return environment.prefilter(light)


def expected_share(normal, roughness, n=2048):
    """Return the share of reflected light that comes from the white half."""
    a2 = roughness**4
    u, turn = (np.arange(n) + 0.5) / n, np.arange(n) * np.pi * (3 - np.sqrt(5))
    nh = np.sqrt((1 - u) / (1 + (a2 - 1) * u))
    x = np.cross(normal, np.eye(3)[np.abs(normal).argmin()])
    x /= np.linalg.norm(x)
    around = np.cos(turn)[:, None] * x + np.sin(turn)[:, None] * np.cross(normal, x)
    half = np.sqrt(1 - nh**2)[:, None] * around + nh[:, None] * normal
    vh = half @ TOWARDS_EYE
    way = 2 * vh[:, None] * half - TOWARDS_EYE
    nl, nv = np.maximum(way @ normal, 0), normal @ TOWARDS_EYE
    smith = nl * np.sqrt(nv**2 * (1 - a2) + a2) + nv * np.sqrt(nl**2 * (1 - a2) + a2)
    part = np.where(vh > 0, nl * vh / np.maximum(smith * nh, 1e-9), 0)
    return (part * (way @ FRONT > 0)).sum() / part.sum()


def difference(seen, normals, roughness, weight):
    """Return the differences [M] at every 97th pixel."""
    chosen = slice(40, None, 97)
    expected = [expected_share(normal, roughness) for normal in normals[chosen]]
    return np.abs(seen[chosen, 0] - np.array(expected) * weight[chosen])


def test_grey_and_coloured_environments_are_drawn_alike(gl, half):
    blue = half.irradiance + np.array([0.0, 0.0, 1e-6], np.float32)
    coloured = environment.Environment(blue, half.levels)
    material = Material(metallic=0.5, roughness=0.3)
    grey, other = (draw_sphere(gl, material, environment=each)[0] for each in (half, coloured))
    np.testing.assert_allclose(grey, other, atol=0.01)  # one of 255 in sRGB


@pytest.mark.parametrize(
    ("roughness", "most"), [(0.3, 0.03), (0.6, 0.03), (0.8, 0.03), (1.0, 0.03)]
)
def test_rough_metal_lit_from_the_front(gl, half, roughness, most):
    metal = Material(metallic=1.0, roughness=roughness)
    off = difference(
        *(made := draw_sphere(gl, metal, environment=half)), roughness, np.ones(len(made[1]))
    )
    assert off.mean() < most
    assert off.max() < 0.1


def test_a_rough_coat_lit_from_the_front(gl, half):
    coated = Material(
        BLACK.name,
        (0, 0, 0, 1),
        metallic=0.0,
        specular=Specular(0.0),
        clearcoat=Clearcoat(1.0, None, 0.9),
    )
    seen, normals = draw_sphere(gl, coated, environment=half)
    weight = schlick(0.04, 1.0, normals @ TOWARDS_EYE)
    assert difference(seen, normals, 0.9, weight).mean() < 0.005
