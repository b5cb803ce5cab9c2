"""Materials on the GPU: a uniform block of factors, textures, and the definitions they need."""

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
_OTHERS = 5  # textures of the light, the shadow, what stands behind, and the rows of a crowd
_NOWHERE: F32 = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]], np.float32)
_ALPHA = {"MASK": {"ALPHA_MASK": 1}, "BLEND": {"ALPHA_BLEND": 1}, "OPAQUE": {}}


class GpuMaterial:
    """One material, ready to be bound.

    Parameters
    ----------
    moved
        Its layers whose factors move, see `rigview.render.material_layers`, and
        "texture_transform" where the place of a texture does.
    """

    def __init__(
        self,
        context: moderngl.Context,
        material: Material,
        textures: Textures,
        moved: Collection[str] = (),
    ) -> None:
        self.blend = material.alpha_mode == "BLEND"
        self.double_sided = material.double_sided
        self.defines: dict[str, int] = dict(_ALPHA[material.alpha_mode])
        if material.unlit:
            self.defines["UNLIT"] = 1
        self.defines |= material_layers.defines(material, moved)
        self.layered = "LAYERED" in self.defines
        self.transmits = "TRANSMISSION" in self.defines
        self._bound: list[tuple[moderngl.Texture, int]] = []
        refs = material.textures
        shown = [each for each in _TEXTURES if each[0] in refs]
        for field, sampler, defined, srgb, layer in material_layers.TEXTURES:
            if field in refs and layer in self.defines:
                shown.append((field, sampler, defined, srgb))
        where = [_place(ref) for ref in refs.values()]
        if "texture_transform" in moved or any((rows != _place(None)).any() for rows in where):
            self.defines["PLACED"] = 1
        room = context.info["GL_MAX_TEXTURE_IMAGE_UNITS"] - _OTHERS
        for field, sampler, defined, srgb in shown[:room]:
            texture = textures.get(refs[field].image, refs[field].sampler, srgb=srgb)
            self._bound.append((texture, UNITS[sampler]))
            self.defines[defined] = 1
        for field, *_ in shown[room:]:
            words = field.replace(".", " ").replace("_", " ")
            textures.warn(
                f"material {material.name!r} has more textures than this GPU reads at once; its "
                f"{words} is not shown"
            )
        self._block = context.buffer(_block(material, layered=self.layered), dynamic=True)

    def write(self, material: Material) -> None:
        """Take other factors and texture places; the textures stay."""
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
    """A material that is another one for each character of a crowd: a line of texels each."""

    def __init__(self, context: moderngl.Context, rows: int, *, layered: bool) -> None:
        self._layered = layered
        width = len(_block(Material(), layered=layered))
        self._texels = np.zeros((rows, width, 4), np.float32)
        self._texture = context.texture((width, rows), 4, dtype="f4")
        self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)

    def write(self, materials: Sequence[Material]) -> None:
        """Send up the material of every line."""
        made: dict[int, F32] = {}  # the same one is worked out once
        for row, material in enumerate(materials):
            if id(material) not in made:
                made[id(material)] = _block(material, layered=self._layered)
            self._texels[row] = made[id(material)]
        self._texture.write(self._texels)

    def use(self) -> None:
        """Bind it where every program looks for it."""
        self._texture.use(UNITS["material_rows"])

    def release(self) -> None:
        """Free it."""
        self._texture.release()


def _block(material: Material, *, layered: bool) -> F32:
    """Return the rows of the block in lib/material.glsl, and of lib/layers.glsl behind them."""
    rows = [
        (*material.base_color,),
        (*(x * material.emissive_strength for x in material.emissive), 0.0),
        (*np.clip((material.metallic, material.roughness), 0.0, 1.0), *_mirrored(material)),
        (material.normal_scale, material.occlusion_strength, material.alpha_cutoff, 0.0),
    ]
    places = [_place(material.texture(field)) for field, *_ in _TEXTURES]
    if layered:
        places.append(material_layers.factors(material))
        places += [_place(material.texture(field)) for field, *_ in material_layers.TEXTURES]
    return np.concatenate([np.array(rows, np.float32), *places])


def _mirrored(material: Material) -> tuple[float, float]:
    """Return what the base colour's u and v are scaled by since its picture is doubled."""
    ref = material.base_color_texture
    return (1.0, 1.0) if ref is None else mirror_scale(ref.sampler)


def _place(ref: TextureRef | None) -> F32:
    """Return two rows [2, 4] of KHR_texture_transform's matrix, the texcoord set in w.

    uv' = translation x rotation x scale x uv, as the extension's own page gives it.
    """
    if ref is None:
        return _NOWHERE
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
