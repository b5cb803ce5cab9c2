"""Rules about materials: blending without transparency, forgotten metalness, colour spaces."""

from collections.abc import Iterator

import numpy as np

from ...animation.types import F64
from ...animation.vectors import length
from ...model.material import TEXTURES, Material
from ...model.model import Primitive
from ...wording import joined, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limits, Rule
from .textures import image_headers

_OPAQUE = 254  # of 255: the least alpha that is drawn as opaque
_MOST_PIXELS = 1 << 24  # of an image that is decoded for its alpha: 4096 × 4096
_METAL = 0.99  # least factor of a material that is all metal
_NO_METAL = 0.5  # least factor of a material that may be metal
_MOST = 0.5  # least share of the surface of materials that are not metal
# in names of materials that are meant to be metal
_METALS = (
    *("metal", "gold", "silver", "steel", "iron", "chrome", "copper", "bronze", "brass", "alumin"),
    *("titan", "mirror", "sword", "blade", "knife", "armor", "armour", "chain", "buckle", "jewel"),
)
_NEUTRAL = 16  # pixels of a placeholder, as exporters write for a missing texture
_OPAQUE_NAMES = (".jpg", ".jpeg")


def drawn_parts(context: CheckContext, _: int = -1) -> dict[int, list[Primitive]]:
    """Return the drawn primitives of each material, by its index."""
    found: dict[int, list[Primitive]] = {}
    for mesh in dict.fromkeys(each.mesh for each in context.model.instances if each.in_scene):
        for primitive in context.model.meshes[mesh].primitives:
            used = dict.fromkeys((primitive.material, *primitive.variants.values()))
            for material in used:
                if material >= 0:
                    found.setdefault(material, []).append(primitive)
    return found


def _blended(context: CheckContext, _: Limits) -> Iterator[Finding]:
    for index, primitives in sorted(context.cached(drawn_parts).items()):
        material = context.model.materials[index]
        if material.alpha_mode == "BLEND" and _is_opaque(context, index, primitives):
            yield Finding(
                f"material {quoted(material.name)} is blended, but its alpha is 1 everywhere: "
                "blended surfaces are sorted by distance, so that parts may be drawn in the "
                "wrong order",
                place=f"/materials/{index}/alphaMode",
                item=material.name,
                touches=sum(len(each.positions) for each in primitives),
            )


def _is_opaque(context: CheckContext, index: int, primitives: list[Primitive]) -> bool:
    """Return whether no alpha of a blended material is below one."""
    material = context.model.materials[index]
    least = _OPAQUE / 255
    animated = f"/materials/{index}/pbrMetallicRoughness/baseColorFactor"
    if material.base_color[3] < least or material.transmission is not None:
        return False
    if any(channel.pointer.startswith(animated) for channel in context.model.channels):
        return False
    colors = [each.colors for each in primitives if each.colors is not None]
    if any(len(each) and not each[:, 3].min() >= least for each in colors):
        return False
    texture = material.base_color_texture
    if texture is None:
        slots = {} if context.is_capture else context.document.rows("materials")[index]
        stored = slots.get("pbrMetallicRoughness") or {}
        return "baseColorTexture" not in stored  # else it is not supported
    return _is_opaque_image(context, texture.image)


def _is_opaque_image(context: CheckContext, index: int) -> bool:
    """Return whether all pixels of an image are opaque; false if it cannot be decoded."""
    image = context.model.images[index]
    row = {} if context.is_capture else context.document.rows("images")[index]
    if row.get("mimeType") == "image/jpeg" or str(row.get("uri")).lower().endswith(_OPAQUE_NAMES):
        return True
    width, height = image.size
    if width * height > _MOST_PIXELS:
        return False
    pixels = image.pixels
    if pixels.size == 4:  # also instead of an image that cannot be decoded
        headers = context.cached(image_headers)
        if headers and (headers[index].error or headers[index].width * headers[index].height > 1):
            return False
    return bool(pixels[..., 3].min(initial=255) >= _OPAQUE)


def _metallic(context: CheckContext, _: Limits) -> Iterator[Finding]:
    used, materials = context.cached(drawn_parts), context.model.materials
    metal = [index for index in sorted(used) if _is_all_metal(materials[index])]
    if not metal:
        return
    areas = {index: sum(map(surface_area, primitives)) for index, primitives in used.items()}
    others = sum(areas[index] for index in used if materials[index].metallic < _NO_METAL)
    if not others or others < _MOST * sum(areas.values()):
        return
    rows = context.document.rows("materials")
    for index in metal:
        material = materials[index]
        row = (rows[index].get("pbrMetallicRoughness") or {}) if index < len(rows) else {}
        missing = row.get("metallicFactor") is None
        cause = "; the file has no metallicFactor, which means 1" if missing else ""
        plain = missing or material.roughness >= _METAL  # else it may be meant
        yield Finding(
            f"material {quoted(material.name)} is all metal, unlike the rest of the character: "
            f"metal only reflects, and looks black where it is dark all around{cause}",
            place=f"/materials/{index}/pbrMetallicRoughness",
            item=material.name,
            severity="" if plain else "info",
            touches=sum(len(each.positions) for each in used[index]),
        )


def _is_all_metal(material: Material) -> bool:
    """Return whether a material is metal without a texture, and its name does not say so."""
    metal = material.metallic >= _METAL and material.metallic_roughness_texture is None
    return metal and not material.unlit and not any(w in material.name.lower() for w in _METALS)


def surface_area(primitive: Primitive) -> float:
    """Return the area of the triangles of a primitive, in the space of its mesh."""
    if primitive.topology != "triangles":
        return 0.0
    listed = primitive.indices
    rows = np.arange(len(primitive.positions)) if listed is None else listed
    at: F64 = primitive.positions[rows[: len(rows) // 3 * 3].reshape(-1, 3)].astype(np.float64)
    return float(length(np.cross(at[:, 1] - at[:, 0], at[:, 2] - at[:, 0])).sum()) / 2


def _two_spaces(context: CheckContext, _: Limits) -> Iterator[Finding]:
    materials, images = context.model.materials, context.model.images
    uses: dict[int, dict[bool, dict[str, str]]] = {}  # image, whether sRGB: use, place
    for index in sorted(context.cached(drawn_parts)):
        for name, texture in materials[index].textures.items():
            slot = TEXTURES[name]
            place = f"/materials/{index}/{slot.path}"
            use = f"the {slot.label} of {quoted(materials[index].name)}"
            uses.setdefault(texture.image, {}).setdefault(slot.srgb, {}).setdefault(use, place)
    for image, spaces in sorted(uses.items()):
        if len(spaces) == 2 and not _is_placeholder(context, image):
            colors, data = spaces[True], spaces[False]
            yield Finding(
                f"image {quoted(images[image].name)} is a picture in sRGB as "
                f"{joined(list(colors)[:2])}, and linear data as {joined(list(data)[:2])}: one of "
                "them has wrong values",
                place=next(iter(data.values())),
                item=images[image].name,
                touches=len(colors) + len(data),
            )


def _is_placeholder(context: CheckContext, index: int) -> bool:
    """Return whether an image has only values that are the same in both spaces, 0 and 1."""
    image = context.model.images[index]
    width, height = image.size
    return width * height <= _NEUTRAL and bool(np.isin(image.pixels[..., :3], (0, 255)).all())


RULES: tuple[Rule, ...] = (
    Rule(
        "material-blend-opaque",
        "warning",
        "a material is blended although no alpha is below one: it costs time, and its triangles "
        "may be drawn in the wrong order",
        "set the alpha mode to OPAQUE, or MASK for cut-out edges: in Blender remove the link to "
        "the Alpha input of the shader",
        _blended,
    ),
    Rule(
        "material-metallic",
        "warning",
        "a material is all metal without a texture, unlike the rest of the character, and its name "
        "does not say so (info if the file says both that and a roughness below 1)",
        "set metallicFactor to 0 (in Blender Metallic of the shader): without the factor a "
        "material is all metal",
        _metallic,
    ),
    Rule(
        "texture-two-spaces",
        "warning",
        "an image is used in two colour spaces: for colours, in sRGB, and for data such as normals "
        "or roughness, which are linear",
        "use another image for one of them: an export may have mixed them up",
        _two_spaces,
    ),
)
