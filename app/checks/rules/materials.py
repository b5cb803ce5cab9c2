"""Rules about materials, their images and textures.

Sizes of images are read from headers; few images are decoded, for their alpha or their values.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

import numpy as np

from ...animation.types import F64
from ...animation.vectors import length
from ...errors import GltfError
from ...gltf import basisu
from ...gltf.images import read_image_file
from ...gltf.materials import source
from ...model.material import TEXTURES, Material
from ...model.model import Primitive
from ...wording import binary_size, counted, joined, listed, quoted
from ..check_context import CheckContext
from ..finding import Find, Finding, Limit, Limits, rule

_MIPMAPS = 4 / 3  # size of a texture with all mipmaps
_REPEAT, _MIRROR, _SMALLER = (10497, 33648, frozenset({9984, 9985, 9986, 9987}))
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # markers of frame headers


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """An image of the file, with data of its header."""

    index: int
    name: str
    error: str  # why it cannot be decoded, "" if it can
    width: int = 0
    height: int = 0
    nbytes: int = 0
    digest: bytes = b""


def image_headers(context: CheckContext) -> list[ImageHeader]:
    """Return all images; call it by `context.cached`."""
    found, data = [], []
    for i, row in enumerate(context.document.rows("images")):
        try:
            data.append(_data(context, i, row))
            found.append(_picture(i, context.model.images[i].name, data[-1]))
        except GltfError as error:
            data.append(b"")
            found.append(ImageHeader(i, context.model.images[i].name, error.message))
    times = Counter(map(len, data))  # only images of the same length can be equal
    return [
        replace(header, digest=hashlib.blake2b(held, digest_size=16).digest())
        if held and times[len(held)] > 1
        else header
        for header, held in zip(found, data, strict=True)
    ]


def _picture(index: int, name: str, data: bytes | memoryview) -> ImageHeader:
    try:
        width, height = _size(data)
    except Exception as error:  # a ValueError, or any error of Pillow's decoder
        return ImageHeader(index, name, str(error)[:200] or type(error).__name__, nbytes=len(data))
    return ImageHeader(index, name, "", width, height, len(data))


def _data(context: CheckContext, index: int, row: dict[str, Any]) -> bytes | memoryview:
    document, place = context.document, f"/images/{index}"
    if row.get("uri") is not None:
        return read_image_file(document, row["uri"], f"{place}/uri")
    if row.get("bufferView") is None:
        raise document.error(place, "it has neither a uri nor a buffer view")
    return context.stored.accessors.view(row["bufferView"])


def _size(data: bytes | memoryview) -> tuple[int, int]:
    """Return width and height in pixels; raises ValueError or an error of Pillow if broken."""
    head, tail = bytes(data[:32]), bytes(data[-1024:])
    if head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) >= 24:
        if b"IEND" not in tail:
            raise ValueError("the PNG is truncated")
        return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])
    if head.startswith(b"\xff\xd8\xff"):
        if b"\xff\xd9" not in tail:
            raise ValueError("the JPEG is truncated")
        return _jpeg_size(data)
    if head.startswith(basisu.MAGIC):
        return basisu.size(data)
    if head[:4] != b"RIFF" or head[8:12] != b"WEBP":
        raise ValueError("it is neither PNG, JPEG, WebP nor KTX 2" if data else "it is empty")
    if int.from_bytes(head[4:8], "little") + 8 > len(data):
        raise ValueError("the WebP is truncated")
    from PIL import Image

    with Image.open(BytesIO(data), formats=["WEBP"]) as picture:
        return picture.size


def _jpeg_size(data: bytes | memoryview) -> tuple[int, int]:
    """Return the size in the frame header of a JPEG (ITU-T T.81, annex B)."""
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            raise ValueError("the JPEG is broken")
        kind = data[at + 1]
        if kind in _FRAMES:
            height, width = bytes(data[at + 5 : at + 7]), bytes(data[at + 7 : at + 9])
            return int.from_bytes(width), int.from_bytes(height)
        at += 1 if kind == 0xFF else 2 + int.from_bytes(bytes(data[at + 2 : at + 4]))
    raise ValueError("the JPEG has no frame header")


def _per_image(find: Callable[[ImageHeader, Limits], Iterable[Finding]]) -> Find:
    """Make a rule look at one image at a time, which its findings name."""

    def find_all(context: CheckContext, limits: Limits) -> Iterator[Finding]:
        for header in context.cached(image_headers):
            for finding in find(header, limits):
                yield replace(finding, place=f"/images/{header.index}", item=header.name)

    return find_all


@rule(
    "texture-missing",
    "error",
    "an image is missing or cannot be read",
    "move the file to the path in the model, or embed the images in a .glb on export",
    covers=("the texture is not shown", "neither a uri"),
)
@_per_image
def _missing(header: ImageHeader, _: Limits) -> Iterator[Finding]:
    if header.error:
        yield Finding(f"image {quoted(header.name)} cannot be displayed: {header.error}")


@rule(
    "texture-size",
    "warning",
    "an image is larger than most devices or characters need",
    "scale it down before exporting",
    Limit("pixels", 4096, "pixels", "the longer side of an image"),
)
@_per_image
def _large(header: ImageHeader, limits: Limits) -> Iterator[Finding]:
    longest = max(header.width, header.height)
    if longest > limits["pixels"]:
        yield Finding(
            f"image {quoted(header.name)} is {header.width} × {header.height} pixels: "
            f"{binary_size(_gpu(header))} on the GPU",
            amount=longest,
        )


def _gpu(picture: ImageHeader) -> float:
    return picture.width * picture.height * 4 * _MIPMAPS


@rule(
    "texture-memory",
    "warning",
    "the images of a character need much memory",
    "scale images down, pack masks into the channels of one image, compress them for the GPU",
    Limit("mebibytes", 512, "MiB", "GPU memory of all images, uncompressed"),
)
def _memory(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    found = [header for header in context.cached(image_headers) if not header.error]
    size = sum(map(_gpu, found)) / (1 << 20)
    if size > limits["mebibytes"]:
        heaviest = max(found, key=_gpu)
        yield Finding(
            f"{counted(len(found), 'image')} need {size:.0f} MiB on the GPU uncompressed, with "
            f"mipmaps; the largest is {quoted(heaviest.name)}, {heaviest.width} × "
            f"{heaviest.height} pixels",
            amount=size,
            place="/images",
        )


@rule(
    "texture-power",
    "info",
    "the sides of an image that repeats or has mipmaps are not powers of two",
    "scale it to 512, 1024, 2048 …, which WebGL 1 and block compression need",
)
def _odd_size(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield images that repeat or have mipmaps, and whose sides are not powers of two."""
    samplers, why = context.document.rows("samplers"), dict[int, str]()
    for texture in context.document.rows("textures"):
        image, number = source(texture), texture.get("sampler")
        row = {} if number is None else samplers[number]
        repeats = {row.get("wrapS") or _REPEAT, row.get("wrapT") or _REPEAT} & {_REPEAT, _MIRROR}
        smaller = (row.get("minFilter") or 9987) in _SMALLER
        if image is not None and (repeats or smaller):
            why.setdefault(image, "is repeated" if repeats else "has mipmaps")
    for header in context.cached(image_headers):
        sides = (header.width, header.height)
        if header.index in why and not header.error and any(side & (side - 1) for side in sides):
            yield Finding(
                f"image {quoted(header.name)} {why[header.index]}, but its {header.width} × "
                f"{header.height} pixels are not powers of two",
                amount=max(side for side in sides if side & (side - 1)),
                unit="pixels",
                place=f"/images/{header.index}",
                item=header.name,
            )


@rule(
    "texture-twice",
    "info",
    "an image is in the file twice",
    "use one image in both materials: in Blender the same image datablock",
)
def _identical_images(context: CheckContext, _: Limits) -> Iterator[Finding]:
    same: dict[bytes, list[ImageHeader]] = {}
    for header in context.cached(image_headers):
        if header.digest:
            same.setdefault(header.digest, []).append(header)
    for found in same.values():
        if len(found) > 1:
            wasted = found[0].nbytes * (len(found) - 1)
            yield Finding(
                f"{len(found)} images are identical: "
                f"{listed([header.name for header in found])}; {binary_size(wasted)} wasted",
                amount=wasted,
                unit="bytes",
                place=f"/images/{found[1].index}",
                item=found[1].name,
            )


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


def drawn_parts(context: CheckContext) -> dict[int, list[Primitive]]:
    """Return the drawn primitives of each material, by its index."""
    found: dict[int, list[Primitive]] = {}
    for mesh in dict.fromkeys(each.mesh for each in context.model.instances if each.in_scene):
        for primitive in context.model.meshes[mesh].primitives:
            used = dict.fromkeys((primitive.material, *primitive.variants.values()))
            for material in used:
                if material >= 0:
                    found.setdefault(material, []).append(primitive)
    return found


@rule(
    "material-blend-opaque",
    "warning",
    "a material is blended although no alpha is below one: it costs time, and its triangles "
    "may be drawn in the wrong order",
    "set the alpha mode to OPAQUE, or MASK for cut-out edges: in Blender remove the link to "
    "the Alpha input of the shader",
)
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


@rule(
    "material-metallic",
    "warning",
    "a material is all metal without a texture, unlike the rest of the character, and its name "
    "does not say so (info if the file says both that and a roughness below 1)",
    "set metallicFactor to 0 (in Blender Metallic of the shader): without the factor a "
    "material is all metal",
)
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


@rule(
    "texture-two-spaces",
    "warning",
    "an image is used in two colour spaces: for colours, in sRGB, and for data such as normals "
    "or roughness, which are linear",
    "use another image for one of them: an export may have mixed them up",
)
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
