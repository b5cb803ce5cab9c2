"""Materials on the GPU: a uniform block of factors, textures, and shader definitions."""

import math
from collections.abc import Collection, Sequence

import moderngl
import numpy as np

from ..animation.types import F32
from ..model.model import Material, TextureRef
from . import material_layers
from .program import BLOCKS, UNITS
from .texture import Textures, mirror_scale

_TEXTURES = (  # field of Material, sampler, definition, sRGB
    ("base_color_texture", "base_texture", "BASE_TEXTURE", True),
    ("metallic_roughness_texture", "metal_rough_texture", "METAL_ROUGH_TEXTURE", False),
    ("normal_texture", "normal_texture", "NORMAL_TEXTURE", False),
    ("occlusion_texture", "occlusion_texture", "OCCLUSION_TEXTURE", False),
    ("emissive_texture", "emissive_texture", "EMISSIVE_TEXTURE", True),
)
_OTHER_TEXTURES = 5  # units of environment, shadow, transmission background (2) and crowd rows
_IDENTITY_UV: F32 = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]], np.float32)
_ALPHA = {"MASK": {"ALPHA_MASK": 1}, "BLEND": {"ALPHA_BLEND": 1}, "OPAQUE": {}}


class GpuMaterial:
    """One material on the GPU.

    Parameters
    ----------
    animated
        Layers with animated factors, see `rigview.render.material_layers`, and "texture_transform"
        if a UV transform is animated.
    """

    def __init__(
        self,
        context: moderngl.Context,
        material: Material,
        textures: Textures,
        animated: Collection[str] = (),
    ) -> None:
        self.blend = material.alpha_mode == "BLEND"
        self.double_sided = material.double_sided
        self.defines: dict[str, int] = dict(_ALPHA[material.alpha_mode])
        if material.unlit:
            self.defines["UNLIT"] = 1
        self.defines |= material_layers.defines(material, animated)
        self.layered = "LAYERED" in self.defines
        self.transmits = "TRANSMISSION" in self.defines
        self._bound: list[tuple[moderngl.Texture, int]] = []
        refs = material.textures
        shown = [each for each in _TEXTURES if each[0] in refs]
        for field, sampler, defined, srgb, layer in material_layers.TEXTURES:
            if field in refs and layer in self.defines:
                shown.append((field, sampler, defined, srgb))
        transforms = [_uv_transform(ref) for ref in refs.values()]
        if "texture_transform" in animated or any(
            (rows != _uv_transform(None)).any() for rows in transforms
        ):
            self.defines["UV_TRANSFORM"] = 1
        limit = context.info["GL_MAX_TEXTURE_IMAGE_UNITS"] - _OTHER_TEXTURES
        for field, sampler, defined, srgb in shown[:limit]:
            texture = textures.get(refs[field].image, refs[field].sampler, srgb=srgb)
            self._bound.append((texture, UNITS[sampler]))
            self.defines[defined] = 1
        for field, *_ in shown[limit:]:
            words = field.replace(".", " ").replace("_", " ")
            textures.warn(
                f"material {material.name!r} has more textures than this GPU can bind at once; its "
                f"{words} is ignored"
            )
        self._block = context.buffer(_block(material, layered=self.layered), dynamic=True)

    def write(self, material: Material) -> None:
        """Upload other factors and UV transforms; textures stay."""
        self._block.write(_block(material, layered=self.layered))

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

    def __init__(self, context: moderngl.Context, rows: int, *, layered: bool) -> None:
        self._layered = layered
        width = len(_block(Material(), layered=layered))
        self._texels = np.zeros((rows, width, 4), np.float32)
        self._texture = context.texture((width, rows), 4, dtype="f4")
        self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)

    def write(self, materials: Sequence[Material]) -> None:
        """Upload the material of every row."""
        made: dict[int, F32] = {}  # computed once per material
        for row, material in enumerate(materials):
            if id(material) not in made:
                made[id(material)] = _block(material, layered=self._layered)
            self._texels[row] = made[id(material)]
        self._texture.write(self._texels)

    def use(self) -> None:
        """Bind the texture to its unit."""
        self._texture.use(UNITS["material_rows"])

    def release(self) -> None:
        """Free the texture."""
        self._texture.release()


def _block(material: Material, *, layered: bool) -> F32:
    """Return the rows of the block in lib/material.glsl, followed by those of lib/layers.glsl."""
    rows = [
        (*material.base_color,),
        (*(x * material.emissive_strength for x in material.emissive), 0.0),
        (*np.clip((material.metallic, material.roughness), 0.0, 1.0), *_mirror_scale(material)),
        (material.normal_scale, material.occlusion_strength, material.alpha_cutoff, 0.0),
    ]
    transforms = [_uv_transform(material.texture(field)) for field, *_ in _TEXTURES]
    if layered:
        transforms.append(material_layers.factors(material))
        transforms += [
            _uv_transform(material.texture(field)) for field, *_ in material_layers.TEXTURES
        ]
    return np.concatenate([np.array(rows, np.float32), *transforms])


def _mirror_scale(material: Material) -> tuple[float, float]:
    """Return the scale of the base colour's u and v, as mirrored textures are doubled."""
    ref = material.base_color_texture
    return (1.0, 1.0) if ref is None else mirror_scale(ref.sampler)


def _uv_transform(ref: TextureRef | None) -> F32:
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
