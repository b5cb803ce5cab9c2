"""Models with lights of their own, and the environment BRDF that the shader approximates."""

import math

import numpy as np

from rigview.model.model import LightSource
from tests.support.models import make_model


def light_source(kind="directional", joint=1, **fields):
    given = {
        "name": "", "number": 0, "joint": joint, "kind": kind, "color": (1.0, 1.0, 1.0),
        "intensity": 1.0, "range": 0.0, "inner": 0.0, "outer": math.pi / 4,
    }  # fmt: skip
    return LightSource(**(given | fields))


def lit_model(primitives, lamps=(), *, places=(), **fields):
    """A model with one joint for each light, at `places`; lights shine along -Z."""
    places = [(0, 0, 0), *(places or [(0, 0, 2)] * len(lamps))]
    lamps = tuple(
        light_source(**(given if isinstance(given, dict) else {}) | {"joint": k + 1})
        for k, given in enumerate(lamps)
    )
    return make_model(
        primitives,
        (-1,) * len(places),
        translations=np.array(places, float),
        lights=lamps,
        **fields,
    )


def environment_brdf(roughness, nv):
    """Scale and bias of f0: the approximation of the split-sum integral in lib/light.glsl."""
    r, away = roughness, 1 - nv
    cubic = 0.194 + nv * (nv * (1.554 - 0.61 * nv) - 2.039)
    both = 1 + r * (0.487 * nv - 0.286 + r * cubic)
    bias = away**4 * (4.38 * r + away * (1 - 4.76 * r)) / (1 + r**2 * (8.09 + 22.98 * r**2))
    return min(both, 1) - bias, bias
