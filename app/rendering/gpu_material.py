"""Materials on the GPU: a uniform block of factors, textures, and shader definitions."""

from collections.abc import Collection, Mapping, Sequence

import moderngl
import numpy as np

from ..animation.types import F32
from ..model.material import EXTENSIONS, FACTORS, TEXTURES, Material
from .material_block import EXTENDED, EXTENSION, block, glsl_name, uv_transform, value_defines
from .program import BLOCKS, UNITS
from .textures.texture import WHITE, Textures
from .textures.texture_stream import GpuTexture
from .upload import Upload

# units of environment, shadow, occlusion, transmission background (2) and crowd rows
_OTHER_TEXTURES = 6
_ALPHA = {"MASK": {"ALPHA_MASK": 1}, "BLEND": {"ALPHA_BLEND": 1}, "OPAQUE": {}}


class GpuMaterial:
    """One material on the GPU.

    Parameters
    ----------
    animated
        JSON paths of its animated properties.
    """

    def __init__(
        self,
        context: moderngl.Context,
        material: Material,
        textures: Textures,
        animated: Collection[str] = (),
    ) -> None:
        self.blend = material.alpha_mode == "BLEND"
        self.defines = material_defines(material, animated)
        self.extended = EXTENDED in self.defines
        self.transmits = "TRANSMISSION" in self.defines
        # doubleSided has no effect on the boundary of a volume (KHR_materials_volume)
        scatters = "DIFFUSE_TRANSMISSION" in self.defines
        is_boundary = (self.transmits or scatters) and "VOLUME" in self.defines
        self.double_sided = material.double_sided and not is_boundary
        self._bound: list[tuple[GpuTexture, int]] = []
        refs, shown = material.textures, shown_textures(material, self.defines)
        limit = context.info["GL_MAX_TEXTURE_IMAGE_UNITS"] - _OTHER_TEXTURES
        for field in shown[:limit]:
            ref = refs[field]
            texture = textures.get(
                ref.image,
                ref.sampler,
                srgb=TEXTURES[field].srgb,
                neutral=_neutral(field),
                cutoff=_cutoff(material) if field == "base_color_texture" else 0.0,
            )
            self._bound.append((texture, UNITS[glsl_name(field)]))
            self.defines[glsl_name(field).upper()] = 1
        for field in shown[limit:]:
            textures.warn(
                f"material {material.name!r} has more textures than this GPU can bind at once; its "
                f"{TEXTURES[field].label} texture is ignored"
            )
        self._block = context.buffer(block(material, extended=self.extended), dynamic=True)
        self._upload = Upload(self._block)

    def write(self, material: Material) -> None:
        """Upload other factors and UV transforms; textures stay."""
        self._upload.write(block(material, extended=self.extended))

    def use(self) -> None:
        """Bind the block and the textures."""
        self._block.bind_to_uniform_block(BLOCKS["Material"])
        for texture, unit in self._bound:
            texture.use(unit)

    def release(self) -> None:
        """Free the block (textures belong to `Textures`)."""
        self._block.release()


class MaterialRows:
    """An animated material of a crowd: a row of texels per character."""

    def __init__(self, context: moderngl.Context, rows: int, *, extended: bool) -> None:
        self._extended = extended
        width = len(block(Material(), extended=extended))
        self._texels = np.zeros((rows, width, 4), np.float32)
        self._texture = context.texture((width, rows), 4, dtype="f4")
        self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._upload = Upload(self._texture)

    def write(self, materials: Sequence[Material]) -> None:
        """Upload the material of every row."""
        made: dict[int, F32] = {}  # computed once per material
        for row, material in enumerate(materials):
            if id(material) not in made:
                made[id(material)] = block(material, extended=self._extended)
            self._texels[row] = made[id(material)]
        self._upload.write(self._texels)

    def use(self) -> None:
        """Bind the texture to its unit."""
        self._texture.use(UNITS["material_rows"])

    def release(self) -> None:
        """Free the texture."""
        self._texture.release()


def material_defines(material: Material, animated: Collection[str] = ()) -> dict[str, int]:
    """Return the shader definitions of a material but for its textures.

    `animated` are the JSON paths of its animated properties.
    """
    found: dict[str, int] = dict(_ALPHA[material.alpha_mode])
    if material.unlit:
        found["UNLIT"] = 1
    found |= extension_defines(material, animated) | value_defines(material, animated)
    if any("/KHR_texture_transform/" in path for path in animated) or any(
        (uv_transform(ref) != uv_transform(None)).any() for ref in material.textures.values()
    ):
        found["UV_TRANSFORM"] = 1
    return found


def shown_textures(material: Material, defines: Mapping[str, int]) -> list[str]:
    """Return the fields of the textures that programs with these definitions use."""
    return [field for field in material.textures if _required_define(field) in ("", *defines)]


def extension_defines(material: Material, animated: Collection[str] = ()) -> dict[str, int]:
    """Return the shader definitions of the extensions with effect.

    Those without define nothing, so that plain materials are not slower. Extensions with animated
    properties, given by JSON path, are defined even if they have no effect at rest.
    """
    if material.unlit:
        return {}
    found: dict[str, int] = {}
    for name, extension in EXTENSIONS.items():
        if material.value(name) is None:
            continue
        is_animated = any(path.startswith(f"{extension.path}/") for path in animated)
        if not extension.strength:
            effective = material.value(name) != extension.object_type()
        else:
            strength = FACTORS[f"{name}.{extension.strength}"]
            effective = max(material.components(strength)) > 0
        if effective or is_animated:
            found |= {EXTENDED: 1} | ({name.upper(): 1} if extension.strength else {})
    for field in {field for uniform in EXTENSION.uniforms for field in uniform.fields}:
        row = FACTORS[field]
        if not row.owner and (material.components(row) != row.default or row.path in animated):
            found[EXTENDED] = 1
    return found


def _cutoff(material: Material) -> float:
    """Return the alpha of the base colour texture that is cut; 0: of another mode."""
    if material.alpha_mode != "MASK":
        return 0.0
    return material.alpha_cutoff / max(material.base_color[3], 1e-6)


def _neutral(field: str) -> tuple[int, ...]:
    """Return the pixel that is drawn before a texture is uploaded: that of the factors alone.

    Before their texture, surfaces emit no light.
    """
    if TEXTURES[field].normal_map:
        return (128, 128, 255, 255)
    if field == "anisotropy.texture":  # the tangent's direction, at full strength
        return (255, 128, 255, 255)
    return (0, 0, 0, 255) if field == "emissive_texture" else WHITE


def _required_define(field: str) -> str:
    """Return what must be defined for a texture to be used, "" if nothing."""
    owner = TEXTURES[field].owner
    if not owner:
        return ""
    return owner.upper() if EXTENSIONS[owner].strength else EXTENDED
