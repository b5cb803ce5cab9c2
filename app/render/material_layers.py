"""Layers of a material on the GPU: the rows behind those of every material, and what they define.

KHR_materials_ior, _specular, _clearcoat, _sheen and _transmission, as shaders/lib/layers.glsl reads
them. What has no effect defines nothing, so that a plain material costs what it always did.
"""

from collections.abc import Collection

import numpy as np

from ..animation.types import F32
from ..model.model import Clearcoat, Material, Sheen, Specular, Transmission

TEXTURES = (  # field of Material, sampler, definition, sRGB, what must be defined
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
)  # of specular and sheen roughness only alpha is read: one sRGB copy serves for their colours, too


def defines(material: Material, moved: Collection[str] = ()) -> dict[str, int]:
    """Return the definitions of the layers that show.

    Parameters
    ----------
    moved
        Layers whose factors move: they are drawn though they may be nothing at rest.
    """
    found: dict[str, int] = {}
    if material.unlit:
        return found
    coat, sheen, transmission = material.clearcoat, material.sheen, material.transmission
    if coat is not None and (coat.factor > 0 or "clearcoat" in moved):
        found["CLEARCOAT"] = 1
    if sheen is not None and (max(sheen.color) > 0 or "sheen" in moved):
        found["SHEEN"] = 1
    if transmission is not None and (transmission.factor > 0 or "transmission" in moved):
        found["TRANSMISSION"] = 1
    own = material.ior != 1.5 or (material.specular or Specular()) != Specular()
    if found or own or not {"ior", "specular"}.isdisjoint(moved):
        found["LAYERED"] = 1
    return found


def factors(material: Material) -> F32:
    """Return the rows [4, 4] behind those of every material."""
    specular = material.specular or Specular()
    coat = material.clearcoat or Clearcoat()
    sheen = material.sheen or Sheen()
    transmission = material.transmission or Transmission()
    ior = max(material.ior, 1.0)
    endless = material.ior == 0  # by KHR_materials_ior: an index beyond all
    rows = [
        (*(max(x, 0.0) for x in specular.color), _share(specular.factor)),
        (*map(_share, sheen.color), _share(sheen.roughness)),
        (_share(coat.factor), _share(coat.roughness), coat.normal_scale, 0.0),
        (
            1.0 if endless else ((ior - 1.0) / (ior + 1.0)) ** 2,
            _share(transmission.factor),
            1.0 if endless else min(2.0 * ior - 2.0, 1.0),
            0.0,
        ),
    ]
    return np.array(rows, np.float32)


def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0)
