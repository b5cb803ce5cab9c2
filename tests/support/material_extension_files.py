"""glTF files with material extensions."""

import numpy as np

from tests.support.animated_value_files import FeatureBuilder
from tests.support.solids import equatorial, sphere

CLEARCOAT = "KHR_materials_clearcoat"
TRANSMISSION = "KHR_materials_transmission"
VOLUME = "KHR_materials_volume"
IOR = "KHR_materials_ior"
SHEEN = "KHR_materials_sheen"
SPECULAR = "KHR_materials_specular"
DISPERSION = "KHR_materials_dispersion"
DIFFUSE_TRANSMISSION = "KHR_materials_diffuse_transmission"
ANISOTROPY = "KHR_materials_anisotropy"
IRIDESCENCE = "KHR_materials_iridescence"


class ExtensionBuilder(FeatureBuilder):
    """A glTF builder for materials with extensions."""

    def extended(self, color=(1, 1, 1, 1), *, metallic=0, roughness=1, **rows):
        """Append a material with extensions: ``clearcoat={...}`` is KHR_materials_clearcoat."""
        extensions = {f"KHR_materials_{name}": row for name, row in rows.items()}
        for name in extensions:
            self.extension(name)
        pbr = {"baseColorFactor": list(color), "metallicFactor": metallic}
        pbr["roughnessFactor"] = roughness
        return self.add("materials", pbrMetallicRoughness=pbr, extensions=extensions)

    def shade(self, *color):
        """Append a texture of one colour; return its texture info."""
        return {"index": self.picture(np.full((2, 2, 4), color))}

    def ball(self, material, at=(0, 0, 0), *, radius=0.45, rings=24):
        """Append a node with a sphere, whose tangents are about the vertical axis."""
        solid = sphere(rings, radius)
        attributes = {
            "POSITION": self.accessor(solid.positions),
            "NORMAL": self.accessor(solid.normals),
            "TANGENT": self.accessor(equatorial(solid.normals)),
        }
        indices = self.accessor(solid.indices, "uint16")
        part = {"attributes": attributes, "indices": indices, "material": material}
        return self.add("nodes", mesh=self.add("meshes", primitives=[part]), translation=list(at))


def every_extension():
    """A square with all factors and textures of all extensions."""
    b = ExtensionBuilder()
    b.extension("KHR_texture_transform")
    place = {"extensions": {"KHR_texture_transform": {"offset": [0.25, 0], "texCoord": 1}}}
    material = b.extended(
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
        volume={
            "thicknessFactor": 0.25,
            "thicknessTexture": b.shade(0, 128, 0, 255),
            "attenuationDistance": 2,
            "attenuationColor": [0.5, 0.25, 1],
        },
        dispersion={"dispersion": 0.75},
        diffuse_transmission={
            "diffuseTransmissionFactor": 0.25,
            "diffuseTransmissionTexture": b.shade(0, 0, 0, 128),
            "diffuseTransmissionColorFactor": [1, 0.5, 0.25],
            "diffuseTransmissionColorTexture": b.shade(255, 128, 0, 255),
        },
        anisotropy={
            "anisotropyStrength": 0.5,
            "anisotropyRotation": 0.25,
            "anisotropyTexture": b.shade(128, 255, 128, 255),
        },
        iridescence={
            "iridescenceFactor": 0.5,
            "iridescenceTexture": b.shade(128, 0, 0, 255),
            "iridescenceIor": 1.75,
            "iridescenceThicknessMinimum": 200,
            "iridescenceThicknessMaximum": 500,
            "iridescenceThicknessTexture": b.shade(0, 128, 0, 255),
        },
    )
    b.add("nodes", name="Square", mesh=b.square(material=material))
    return b


STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)
MATERIALS = {  # of the chart: the material for a value from 0 to 1
    "ior": lambda x: {"roughness": 0.2, "ior": {"ior": 1.0 + 1.5 * x}},
    "specular": lambda x: {"roughness": 0.2, "specular": {"specularFactor": x}},
    "specular colour": lambda x: {
        "roughness": 0.2,
        "specular": {"specularColorFactor": [4 + 8 * x, 4 - 4 * x, 4 - 4 * x]},
    },
    "clearcoat": lambda x: {"roughness": 0.8, "clearcoat": {"clearcoatFactor": x}},
    "coat roughness": lambda x: {
        "roughness": 0.8,
        "clearcoat": {"clearcoatFactor": 1, "clearcoatRoughnessFactor": x},
    },
    "sheen": lambda x: {
        "sheen": {"sheenColorFactor": [x, x, x], "sheenRoughnessFactor": 0.4},
    },
    "sheen roughness": lambda x: {
        "sheen": {"sheenColorFactor": [0.2, 0.4, 1], "sheenRoughnessFactor": x},
    },
    "transmission": lambda x: {"roughness": 0.0, "transmission": {"transmissionFactor": x}},
    "glass roughness": lambda x: {"roughness": x, "transmission": {"transmissionFactor": 1}},
    "anisotropy": lambda x: {
        "metallic": 1,
        "roughness": 0.35,
        "anisotropy": {"anisotropyStrength": x},
    },
    "direction": lambda x: {
        "metallic": 1,
        "roughness": 0.35,
        "anisotropy": {"anisotropyStrength": 0.9, "anisotropyRotation": 3 * x},
    },
    "film": lambda x: {
        "metallic": 1,
        "roughness": 0.15,
        "iridescence": {"iridescenceFactor": 1, "iridescenceThicknessMaximum": 800 * x},
    },
    "film on dielectric": lambda x: {
        "roughness": 0.15,
        "iridescence": {"iridescenceFactor": x, "iridescenceIor": 2},
    },
    "scattering": lambda x: {
        "diffuse_transmission": {
            "diffuseTransmissionFactor": x,
            "diffuseTransmissionColorFactor": [0.3, 0.9, 0.4],
        },
    },
    "dispersion": lambda x: {
        "roughness": 0.0,
        "transmission": {"transmissionFactor": 1},
        "volume": {"thicknessFactor": 0.7},
        "dispersion": {"dispersion": 12 * x},
    },
}


def chart(rows=tuple(MATERIALS), color=(0.8, 0.25, 0.1, 1)):
    """Spheres: one row per property, five values in columns; bars behind transmissive spheres."""
    b = ExtensionBuilder()
    for y, name in enumerate(rows):
        clear = name in ("transmission", "glass roughness", "dispersion")
        tint = (0.6, 0.9, 0.7, 1) if clear else color
        for x, share in enumerate(STEPS):
            b.ball(b.extended(tint, **MATERIALS[name](share)), (x, -y, 0))
        if clear:
            for k, shade in enumerate(((0.9, 0.1, 0.1, 1), (0.1, 0.2, 0.9, 1))):
                bar = b.square(0.12, at=(0, 0, 0), material=b.extended(shade))
                points = 12
                for x in range(points):
                    place = [x * 0.4 - 0.2 + 0.2 * k, -y + 0.12 - 0.24 * k, -0.7]
                    b.add("nodes", mesh=bar, translation=place)
    return b
