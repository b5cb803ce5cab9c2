"""Small files of materials with layers: clearcoat, sheen, specular, transmission; their index."""

import numpy as np

from tests.features import Features

COAT = "KHR_materials_clearcoat"
GLASS = "KHR_materials_transmission"
INDEX = "KHR_materials_ior"
SHEEN = "KHR_materials_sheen"
SPECULAR = "KHR_materials_specular"


class Coats(Features):
    """A builder that knows layers."""

    def layered(self, color=(1, 1, 1, 1), *, metallic=0, roughness=1, **layers):
        """Append a material; `layers` by the end of their names: ``clearcoat={...}``."""
        extensions = {f"KHR_materials_{name}": row for name, row in layers.items()}
        for name in extensions:
            self.extension(name)
        pbr = {"baseColorFactor": list(color), "metallicFactor": metallic}
        pbr["roughnessFactor"] = roughness
        return self.add("materials", pbrMetallicRoughness=pbr, extensions=extensions)

    def shade(self, *color):
        """Append a texture of one colour, 0 to 255."""
        return {"index": self.picture(np.full((2, 2, 4), color))}


def every_layer():
    """A square whose material has every layer with every factor and texture."""
    b = Coats()
    b.extension("KHR_texture_transform")
    place = {"extensions": {"KHR_texture_transform": {"offset": [0.25, 0], "texCoord": 1}}}
    material = b.layered(
        ior={"ior": 1.3},
        specular={
            "specularFactor": 0.5,
            "specularTexture": b.shade(0, 0, 0, 128),
            "specularColorFactor": [1, 0.5, 2],
            "specularColorTexture": b.shade(255, 128, 0, 255) | place,
        },
        clearcoat={
            "clearcoatFactor": 0.75,
            "clearcoatTexture": b.shade(128, 0, 0, 255),
            "clearcoatRoughnessFactor": 0.5,
            "clearcoatRoughnessTexture": b.shade(0, 128, 0, 255),
            "clearcoatNormalTexture": b.shade(128, 128, 255, 255) | {"scale": 0.5},
        },
        sheen={
            "sheenColorFactor": [0.25, 0.5, 1],
            "sheenColorTexture": b.shade(255, 255, 255, 255) | {"texCoord": 1},
            "sheenRoughnessFactor": 0.5,
            "sheenRoughnessTexture": b.shade(0, 0, 0, 128),
        },
        transmission={"transmissionFactor": 0.5, "transmissionTexture": b.shade(128, 0, 0, 255)},
    )
    b.add("nodes", name="Square", mesh=b.square(material=material))
    return b
