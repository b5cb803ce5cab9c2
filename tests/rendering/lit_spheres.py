"""Light that a drawn sphere reflects, by normal, to compare with formulas."""

import math
from dataclasses import replace

import numpy as np

from rigview.model.material import Material
from tests.support.draw import draw
from tests.support.lights import lit_model
from tests.support.solids import equatorial, linear_from_srgb, sphere, uniform_environment

SIDE = 97


TOWARDS_LIGHT = np.array([0.45, 0.35, 0.82]) / np.linalg.norm([0.45, 0.35, 0.82])


TOWARDS_EYE = np.array([0.0, 0.0, 1.0])


BLACK = Material(base_color=(0, 0, 0, 1), metallic=0.0, roughness=0.6)


def draw_sphere(gl, material, light=0.0, lamp=0.0, **options):
    """The linear light [N, 3] of a sphere's pixels, and their normals [N, 3].

    `light` is that of the environment, `lamp` the intensity of a directional light.
    """
    solid = sphere(material=0)
    solid = replace(solid, tangents=equatorial(solid.normals))
    model = lit_model([solid], [{"intensity": lamp}], materials=(material,))
    half = np.array([-TOWARDS_LIGHT[1], TOWARDS_LIGHT[0], 0]) / np.hypot(*TOWARDS_LIGHT[:2])
    angle = math.acos(TOWARDS_LIGHT[2]) / 2
    model.skeleton.rest.rotation[1] = [*(half * math.sin(angle)), math.cos(angle)]
    given = {
        "environment": uniform_environment(light),
        "tone_mapping": "linear",
        "shadow": False,
    } | options
    picture = draw(gl, model, size=(SIDE, SIDE), **given)
    radius = math.sqrt((picture[..., 3] > 0).sum() / math.pi)
    y, x = np.mgrid[:SIDE, :SIDE]
    place = np.stack([x - SIDE // 2, SIDE // 2 - y], axis=-1) / radius
    within = (place**2).sum(axis=-1) < 0.88
    place = place[within]
    normals = np.column_stack([place, np.sqrt(1 - (place**2).sum(axis=1))])
    return linear_from_srgb(picture[within]), normals


def schlick(f0, f90, cosine):
    return f0 + (f90 - f0) * (1 - cosine) ** 5
