"""Material layers on the GPU: factors stored after the basic material's, and shader definitions.

KHR_materials_ior, _specular, _clearcoat, _sheen and _transmission, as in shaders/lib/layers.glsl.
Layers without effect define nothing, so that plain materials are not slower.
"""

from collections.abc import Collection

import numpy as np

from ..animation.types import F32
from ..model.model import Clearcoat, Material, Sheen, Specular, Transmission

TEXTURES = (  # field of Material, sampler, definition, sRGB, required definition
    ("specular.texture", "specular_texture", "SPECULAR_TEXTURE", True, "LAYERED"),
    ("specular.color_texture", "specular_color_texture", "SPECULAR_COLOR_TEXTURE", True, "LAYERED"),
    ("clearcoat.texture", "coat_texture", "COAT_TEXTURE", False, "CLEARCOAT"),
    (
        "clearcoat.roughness_texture",
        "coat_roughness_texture",
        "COAT_ROUGHNESS_TEXTURE",
        False,
        "CLEARCOAT",
    ),
    ("clearcoat.normal_texture", "coat_normal_texture", "COAT_NORMAL_TEXTURE", False, "CLEARCOAT"),
    ("sheen.color_texture", "sheen_color_texture", "SHEEN_COLOR_TEXTURE", True, "SHEEN"),
    (
        "sheen.roughness_texture",
        "sheen_roughness_texture",
        "SHEEN_ROUGHNESS_TEXTURE",
        True,
        "SHEEN",
    ),
    ("transmission.texture", "transmission_texture", "TRANSMISSION_TEXTURE", False, "TRANSMISSION"),
)  # specular and sheen roughness read only alpha, so one sRGB texture also serves their colours


def defines(material: Material, animated: Collection[str] = ()) -> dict[str, int]:
    """Return the shader definitions of the layers with effect.

    Parameters
    ----------
    animated
        Layers with animated factors: they are defined even if they have no effect at rest.
    """
    found: dict[str, int] = {}
    if material.unlit:
        return found
    coat, sheen, transmission = material.clearcoat, material.sheen, material.transmission
    if coat is not None and (coat.factor > 0 or "clearcoat" in animated):
        found["CLEARCOAT"] = 1
    if sheen is not None and (max(sheen.color) > 0 or "sheen" in animated):
        found["SHEEN"] = 1
    if transmission is not None and (transmission.factor > 0 or "transmission" in animated):
        found["TRANSMISSION"] = 1
    own = material.ior != 1.5 or (material.specular or Specular()) != Specular()
    if found or own or not {"ior", "specular"}.isdisjoint(animated):
        found["LAYERED"] = 1
    return found


def factors(material: Material) -> F32:
    """Return the rows [4, 4] that follow those of every material."""
    specular = material.specular or Specular()
    coat = material.clearcoat or Clearcoat()
    sheen = material.sheen or Sheen()
    transmission = material.transmission or Transmission()
    ior = max(material.ior, 1.0)
    infinite = material.ior == 0  # KHR_materials_ior: 0 is an infinite index
    rows = [
        (*(max(x, 0.0) for x in specular.color), _clamped(specular.factor)),
        (*map(_clamped, sheen.color), _clamped(sheen.roughness)),
        (_clamped(coat.factor), _clamped(coat.roughness), coat.normal_scale, 0.0),
        (
            1.0 if infinite else ((ior - 1.0) / (ior + 1.0)) ** 2,
            _clamped(transmission.factor),
            1.0 if infinite else min(2.0 * ior - 2.0, 1.0),
            0.0,
        ),
    ]
    return np.array(rows, np.float32)


def _clamped(value: float) -> float:
    return min(max(value, 0.0), 1.0)
