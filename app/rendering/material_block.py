"""The uniform block of a material, laid out from the table of its fields, as GLSL and as numbers.

Vectors of the metallic-roughness material come first; materials with an effective extension have
those of all extensions behind them. Each texture has two vectors, the rows of its UV transform.
"""

import math
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from ..animation.types import F32
from ..model.material import EXTENSIONS, FACTORS, ROWS, TEXTURES, Material, TextureRef
from ..model.material_fields import FactorRow
from .textures.mirrored_repeat import mirror_scale

EXTENDED = "MATERIAL_EXTENSIONS"  # defined in shaders of materials with an effective extension
_DARKEST, _SHORTEST = 1e-9, 1e-9  # attenuation colour, and its distance in metres
_IDENTITY_UV: F32 = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]], np.float32)


class Uniform(NamedTuple):
    """A value of the block; its name in GLSL begins with `material_`."""

    name: str
    width: int
    fields: tuple[str, ...]  # that it is computed from
    components: Callable[[Material], tuple[float, ...]]
    start: int = 0  # first float of the block
    owners: frozenset[str] = frozenset()  # of the fields: "" of those of no extension's object


def _emission(material: Material) -> tuple[float, ...]:
    return tuple(x * material.emissive_strength for x in material.emissive)


def _base_color_mirror(material: Material) -> tuple[float, ...]:
    """Return the scale of the base colour's u and v, as mirrored textures are doubled."""
    ref = material.base_color_texture
    return (1.0, 1.0) if ref is None else mirror_scale(ref.sampler)


def _reflectance(material: Material) -> tuple[float, ...]:
    """Return the reflectance at normal incidence; an index of 0 is infinite."""
    ior = max(material.ior, 1.0)
    return (1.0 if material.ior == 0 else ((ior - 1.0) / (ior + 1.0)) ** 2,)


def _refraction_blur(material: Material) -> tuple[float, ...]:
    """Return the factor of the roughness for the blur of transmitted light."""
    return (1.0 if material.ior == 0 else min(2.0 * max(material.ior, 1.0) - 2.0, 1.0),)


def _inverse_ior(material: Material) -> tuple[float, ...]:
    """Return the index outside over that inside, at most 1, of red, green and blue light.

    Of refraction into the volume; the spread is that of KHR_materials_dispersion.
    """
    ior = max(material.ior, 1.0)
    spread = 0.0 if material.dispersion is None else max(material.dispersion.factor, 0.0)
    half = 0.025 * spread * (ior - 1.0)
    return 1.0 / max(ior - half, 1.0), 1.0 / ior, 1.0 / (ior + half)


def _absorption(material: Material) -> tuple[float, ...]:
    """Return the absorption coefficients of the volume, per metre (KHR_materials_volume)."""
    volume = material.volume
    if volume is None or volume.attenuation_distance <= 0:
        return 0.0, 0.0, 0.0
    red, green, blue = (
        -math.log(min(max(x, _DARKEST), 1.0)) / max(volume.attenuation_distance, _SHORTEST)
        for x in volume.attenuation_color
    )
    return red, green, blue


_COMPUTED = (  # in place of the fields that they are computed from
    Uniform("emission", 3, ("emissive", "emissive_strength"), _emission),
    Uniform("base_color_mirror", 2, ("base_color_texture",), _base_color_mirror),
    Uniform("reflectance", 1, ("ior",), _reflectance),
    Uniform("refraction_blur", 1, ("ior",), _refraction_blur),
    Uniform("inverse_ior", 3, ("ior", "dispersion.factor"), _inverse_ior),
    Uniform(
        "absorption",
        3,
        ("volume.attenuation_distance", "volume.attenuation_color"),
        _absorption,
    ),
)

_USUAL = {  # values that shaders have as constants unless the name, in capitals, is defined
    "emission": (0.0, 0.0, 0.0),
    "base_color": (1.0, 1.0, 1.0, 1.0),
    "metallic": (0.0,),
}


def glsl_name(field: str) -> str:
    """Return the name of a field in GLSL: of a texture's sampler; in capitals, its definition."""
    return field.replace(".", "_")


def _uniform(row: FactorRow) -> Uniform:
    def components(material: Material) -> tuple[float, ...]:
        stored = material.components(row)
        return stored if row.as_stored else row.clamped(stored)

    return Uniform(glsl_name(row.name), len(row.default), (row.name,), components)


def _uniforms() -> list[Uniform]:
    replaced = {field for uniform in _COMPUTED for field in uniform.fields}
    rows = [row for row in FACTORS.values() if row.name not in replaced]
    return [*_COMPUTED, *map(_uniform, rows)]


def _placed(uniforms: Iterable[Uniform], begin: int) -> list[Uniform]:
    """Return uniforms with their place from the vector `begin` on: in the first one with room."""
    used: list[int] = []  # floats of each vector
    placed = []
    for uniform in uniforms:
        k = next((k for k, n in enumerate(used) if n + uniform.width <= 4), len(used))
        used += [0] * (k == len(used))
        owners = frozenset(field.rpartition(".")[0] for field in uniform.fields)
        placed.append(uniform._replace(start=4 * (begin + k) + used[k], owners=owners))
        used[k] += uniform.width
    return placed


class Part:
    """The values and textures of the metallic-roughness material, or those of its extensions."""

    def __init__(self, begin: int, *, extended: bool) -> None:
        fields = {row.name for row in ROWS if row.extension}
        chosen = [value for value in _uniforms() if fields.issuperset(value.fields) is extended]
        self.uniforms = _placed(chosen, begin)
        end = max(value.start // 4 for value in self.uniforms) + 1
        self.values_end = end
        self.textures: dict[str, int] = {}  # first vector of the UV transform, by field
        for row in TEXTURES.values():
            if (row.name in fields) is extended:
                self.textures[row.name] = end
                end += 2
        self.end = end

    def write(self, vectors: F32, material: Material, owners: Collection[str]) -> None:
        """Write the values of the fields of some owners, and the UV transforms of textures."""
        floats = vectors.reshape(-1)
        for uniform in self.uniforms:
            if not uniform.owners.isdisjoint(owners):
                end = uniform.start + uniform.width
                floats[uniform.start : end] = uniform.components(material)
        for field, vector in self.textures.items():
            ref = material.value(field)
            if ref is not None:
                vectors[vector : vector + 2] = uv_transform(ref)

    def glsl(self) -> Iterable[str]:
        """Yield the definitions of values and textures."""
        for uniform in self.uniforms:
            vector, first = divmod(uniform.start, 4)
            components = "xyzw"[first : first + uniform.width]
            value = f"VALUES({vector}).{components}"
            if uniform.name not in _USUAL:
                yield f"#define material_{uniform.name} {value}"
                continue
            yield f"#ifdef {uniform.name.upper()}"
            yield f"#define material_{uniform.name} {value}"
            yield "#else"
            yield f"#define material_{uniform.name} {_constant(_USUAL[uniform.name])}"
            yield "#endif"
        for field, vector in self.textures.items():
            sampler = glsl_name(field)
            name = sampler.removesuffix("_texture")
            yield f"#define {name}_uv transform_uv(UV_ROWS({vector}))"
            yield f"#ifdef {sampler.upper()}"
            yield f"uniform sampler2D {sampler};"
            yield f"#define {name}_texel SAMPLED({sampler}, {name}_uv)"
            yield "#ifndef FIRST_TEXTURE"
            yield f"#define FIRST_TEXTURE {sampler}"
            yield "#endif"
            yield "#else"
            yield f"#define {name}_texel vec4(1.0)"
            yield "#endif"


BASE = Part(0, extended=False)
EXTENSION = Part(BASE.end, extended=True)


def block_glsl() -> str:
    """Return the definitions of all values and textures, for lib/material.glsl."""
    lines = chain(
        [f"#ifdef {EXTENDED}", f"#define MATERIAL_VECTORS {EXTENSION.end}"],
        ["#else", size_glsl(), "#endif"],
        BASE.glsl(),
        [f"#ifdef {EXTENDED}", *EXTENSION.glsl(), "#endif"],
    )
    return "\n".join(lines) + "\n"


def size_glsl() -> str:
    """Return the sizes of the block of a material without extensions, and of its values."""
    return f"#define MATERIAL_VECTORS {BASE.end}\n#define CARRIED_VECTORS {BASE.values_end}\n"


def block(material: Material, *, extended: bool) -> F32:
    """Return the vectors [N, 4] of a material."""
    vectors = _default_block().copy() if extended else _default_block()[: BASE.end].copy()
    present = ["", *(name for name in EXTENSIONS if getattr(material, name) is not None)]
    for part in (BASE, EXTENSION) if extended else (BASE,):
        part.write(vectors, material, present)
    return vectors


@lru_cache
def _default_block() -> F32:
    """Return the vectors of a material with the defaults of all extensions."""
    vectors: F32 = np.zeros((EXTENSION.end, 4), np.float32)
    for part in (BASE, EXTENSION):
        for vector in part.textures.values():
            vectors[vector : vector + 2] = _IDENTITY_UV
        part.write(vectors, Material(), ["", *EXTENSIONS])
    return vectors


def value_defines(material: Material, animated: Collection[str] = ()) -> dict[str, int]:
    """Return the shader definitions of the values that are not the usual ones, or are animated."""
    return {
        uniform.name.upper(): 1
        for uniform in BASE.uniforms
        if uniform.name in _USUAL
        and (
            uniform.components(material) != _USUAL[uniform.name]
            or any(FACTORS[field].path in animated for field in uniform.fields)
        )
    }


def _constant(components: tuple[float, ...]) -> str:
    """Return components in GLSL."""
    width = len(components)
    return f"vec{width}{components}" if width > 1 else str(components[0])


def uv_transform(ref: TextureRef | None) -> F32:
    """Return the two rows [2, 4] of a UV transform, the texture coordinate set in w.

    uv' = translation x rotation x scale x uv (KHR_texture_transform).
    """
    if ref is None:
        return _IDENTITY_UV
    sin, cos = math.sin(ref.rotation), math.cos(ref.rotation)
    sx, sy = ref.scale
    rows = np.array(
        [
            [cos * sx, sin * sy, ref.offset[0], ref.texcoord],
            [-sin * sx, cos * sy, ref.offset[1], ref.texcoord],
        ],
        np.float32,
    )
    rows[:, :3] *= np.array(mirror_scale(ref.sampler), np.float32)[:, None]
    return rows
