"""Materials, and the table of their fields.

A new field is one line here, and the shader line that uses it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from . import material_fields as row
from .material_fields import (
    POSITIVE,
    UNIT,
    UNLIMITED,
    ExtensionRow,
    FactorRow,
    TextureRow,
    rows_of,
)

AlphaMode = Literal["OPAQUE", "MASK", "BLEND"]
Color = tuple[float, float, float]  # linear
Color4 = tuple[float, float, float, float]  # linear, and alpha
TEXCOORD_SETS = 4  # of texture coordinates of a mesh that are drawn


@dataclass(frozen=True, slots=True)
class Sampler:
    """Texture filtering and wrapping modes: OpenGL constants, as stored in glTF."""

    wrap_s: int = 10497  # REPEAT
    wrap_t: int = 10497
    min_filter: int = 9987  # LINEAR_MIPMAP_LINEAR
    mag_filter: int = 9729  # LINEAR


@dataclass(frozen=True, slots=True)
class TextureRef:
    """A material's reference to a texture, with its texture coordinates and UV transform."""

    image: int  # index into Model.images
    sampler: Sampler = Sampler()
    texcoord: int = 0  # set of texture coordinates, less than TEXCOORD_SETS
    offset: tuple[float, float] = (0.0, 0.0)  # KHR_texture_transform
    rotation: float = 0.0  # radians, KHR_texture_transform
    scale: tuple[float, float] = (1.0, 1.0)  # KHR_texture_transform


@dataclass(frozen=True, slots=True)
class Specular:
    """Strength and colour of dielectric specular reflection; the colour may be above 1."""

    factor: float = row.factor("specularFactor", 1.0, UNIT)
    texture: TextureRef | None = row.texture("specularTexture", srgb=True)  # alpha
    color: Color = row.factor("specularColorFactor", (1.0, 1.0, 1.0), POSITIVE)
    color_texture: TextureRef | None = row.texture("specularColorTexture", srgb=True)


@dataclass(frozen=True, slots=True)
class Clearcoat:
    """A clear coating over the base material."""

    factor: float = row.factor("clearcoatFactor", 0.0, UNIT)
    texture: TextureRef | None = row.texture("clearcoatTexture")  # red
    roughness: float = row.factor("clearcoatRoughnessFactor", 0.0, UNIT)
    roughness_texture: TextureRef | None = row.texture("clearcoatRoughnessTexture")  # green
    normal_texture: TextureRef | None = row.texture("clearcoatNormalTexture", normal_map=True)
    normal_scale: float = row.factor("clearcoatNormalTexture/scale", 1.0, UNLIMITED)


@dataclass(frozen=True, slots=True)
class Sheen:
    """Cloth fibres, brightest at grazing angles."""

    color: Color = row.factor("sheenColorFactor", (0.0, 0.0, 0.0), UNIT)
    color_texture: TextureRef | None = row.texture("sheenColorTexture", srgb=True)
    roughness: float = row.factor("sheenRoughnessFactor", 0.0, UNIT)
    roughness_texture: TextureRef | None = row.texture("sheenRoughnessTexture", srgb=True)  # alpha


@dataclass(frozen=True, slots=True)
class Transmission:
    """Light transmitted through the surface."""

    factor: float = row.factor("transmissionFactor", 0.0, UNIT)
    texture: TextureRef | None = row.texture("transmissionTexture")  # red


@dataclass(frozen=True, slots=True)
class Volume:
    """The medium behind a transmissive surface, which refracts and absorbs light.

    Without thickness there is none. The thickness is in the space of the mesh; the distance in
    world space, metres.
    """

    thickness: float = row.factor("thicknessFactor", 0.0, POSITIVE)
    thickness_texture: TextureRef | None = row.texture("thicknessTexture")  # green
    attenuation_distance: float = row.factor("attenuationDistance", 0.0, POSITIVE)  # 0: infinite
    attenuation_color: Color = row.factor("attenuationColor", (1.0, 1.0, 1.0), UNIT)


@dataclass(frozen=True, slots=True)
class Dispersion:
    """How refraction differs by colour: 20 over the Abbe number of the volume."""

    factor: float = row.factor("dispersion", 0.0, POSITIVE)


@dataclass(frozen=True, slots=True)
class DiffuseTransmission:
    """Light scattered to the other side of the surface, by its share and colour."""

    factor: float = row.factor("diffuseTransmissionFactor", 0.0, UNIT)
    texture: TextureRef | None = row.texture("diffuseTransmissionTexture", srgb=True)  # alpha
    color: Color = row.factor("diffuseTransmissionColorFactor", (1.0, 1.0, 1.0), UNIT)
    color_texture: TextureRef | None = row.texture("diffuseTransmissionColorTexture", srgb=True)


@dataclass(frozen=True, slots=True)
class Anisotropy:
    """Highlights stretched along a direction: the tangent, rotated counter-clockwise, radians."""

    strength: float = row.factor("anisotropyStrength", 0.0, UNIT)
    rotation: float = row.factor("anisotropyRotation", 0.0, UNLIMITED)
    texture: TextureRef | None = row.texture("anisotropyTexture")  # direction, and blue: strength


@dataclass(frozen=True, slots=True)
class Iridescence:
    """A thin film, whose colours change with the angle; the thickness in nanometres."""

    factor: float = row.factor("iridescenceFactor", 0.0, UNIT)
    texture: TextureRef | None = row.texture("iridescenceTexture")  # red
    ior: float = row.factor("iridescenceIor", 1.3, (1.0, math.inf), "index of the film")
    thickness_minimum: float = row.factor("iridescenceThicknessMinimum", 100.0, POSITIVE)
    thickness_maximum: float = row.factor("iridescenceThicknessMaximum", 400.0, POSITIVE)
    thickness_texture: TextureRef | None = row.texture("iridescenceThicknessTexture")  # green


_PBR = "pbrMetallicRoughness"
_KHR = "extensions/KHR_materials"


@dataclass(frozen=True, slots=True)
class Material:
    """Metallic-roughness material (glTF 2.0, section 3.9) with its extensions."""

    name: str = ""
    base_color: Color4 = row.factor(
        f"{_PBR}/baseColorFactor", (1.0, 1.0, 1.0, 1.0), UNIT, as_stored=True
    )
    base_color_texture: TextureRef | None = row.texture(f"{_PBR}/baseColorTexture", srgb=True)
    metallic: float = row.factor(f"{_PBR}/metallicFactor", 1.0, UNIT)
    roughness: float = row.factor(f"{_PBR}/roughnessFactor", 1.0, UNIT)
    metallic_roughness_texture: TextureRef | None = row.texture(
        f"{_PBR}/metallicRoughnessTexture", "metallic-roughness"
    )
    normal_texture: TextureRef | None = row.texture("normalTexture", normal_map=True)
    normal_scale: float = row.factor("normalTexture/scale", 1.0, UNLIMITED)
    occlusion_texture: TextureRef | None = row.texture("occlusionTexture")
    occlusion_strength: float = row.factor("occlusionTexture/strength", 1.0, UNIT, as_stored=True)
    emissive: Color = row.factor("emissiveFactor", (0.0, 0.0, 0.0), UNIT, as_stored=True)
    emissive_texture: TextureRef | None = row.texture("emissiveTexture", srgb=True)
    emissive_strength: float = row.factor(
        f"{_KHR}_emissive_strength/emissiveStrength", 1.0, POSITIVE, as_stored=True
    )
    alpha_mode: AlphaMode = row.option("alphaMode", "OPAQUE", get_args(AlphaMode))
    alpha_cutoff: float = row.factor("alphaCutoff", 0.5, UNLIMITED)
    double_sided: bool = row.option("doubleSided", False, label="double-sided")
    unlit: bool = row.option(f"{_KHR}_unlit", False)
    ior: float = row.factor(  # 0: full reflection
        f"{_KHR}_ior/ior", 1.5, (1.0, math.inf), "index of refraction", as_stored=True
    )
    specular: Specular | None = row.extension(f"{_KHR}_specular", Specular)
    clearcoat: Clearcoat | None = row.extension(f"{_KHR}_clearcoat", Clearcoat, "factor")
    sheen: Sheen | None = row.extension(f"{_KHR}_sheen", Sheen, "color")
    transmission: Transmission | None = row.extension(
        f"{_KHR}_transmission", Transmission, "factor"
    )
    volume: Volume | None = row.extension(f"{_KHR}_volume", Volume, "thickness")
    dispersion: Dispersion | None = row.extension(f"{_KHR}_dispersion", Dispersion, "factor")
    diffuse_transmission: DiffuseTransmission | None = row.extension(
        f"{_KHR}_diffuse_transmission", DiffuseTransmission, "factor"
    )
    anisotropy: Anisotropy | None = row.extension(f"{_KHR}_anisotropy", Anisotropy, "strength")
    iridescence: Iridescence | None = row.extension(f"{_KHR}_iridescence", Iridescence, "factor")

    @property
    def textures(self) -> dict[str, TextureRef]:
        """Textures by field; those of an extension as ``clearcoat.normal_texture``."""
        named = ((name, self.value(name)) for name in TEXTURES)
        return {name: ref for name, ref in named if ref is not None}

    def value(self, name: str) -> Any:  # noqa: ANN401 - of any field
        """Return the value of a field of the table, None for one of an absent extension."""
        owner, _, key = name.rpartition(".")
        holder = getattr(self, owner) if owner else self
        return None if holder is None else getattr(holder, key)

    def components(self, factor: FactorRow) -> tuple[float, ...]:
        """Return the components of a factor; the default for one of an absent extension."""
        value = self.value(factor.name)
        if value is None:
            return factor.default
        return value if isinstance(value, tuple) else (value,)

    def changed(self, values: Mapping[str, Any]) -> "Material":
        """Return the material with other values of fields; absent extensions stay absent."""
        own: dict[str, Any] = {}
        for name, value in values.items():
            owner, _, key = name.rpartition(".")
            if not owner:
                own[key] = value
            elif getattr(self, owner) is not None:
                own[owner] = replace(own.get(owner, getattr(self, owner)), **{key: value})
        return replace(self, **own)


ROWS = tuple(rows_of(Material))
FACTORS = {field.name: field for field in ROWS if isinstance(field, FactorRow)}
TEXTURES = {field.name: field for field in ROWS if isinstance(field, TextureRow)}
EXTENSIONS = {field.name: field for field in ROWS if isinstance(field, ExtensionRow)}
GLTF_EXTENSIONS = frozenset(field.extension for field in ROWS if field.extension)
