"""Rules about images and textures; sizes are read from headers, images are not decoded."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

from ...errors import GltfError
from ...gltf import basisu
from ...gltf.images import read_image_file
from ...gltf.materials import source
from ...wording import binary_size, counted, listed, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, Rule

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

    @property
    def place(self) -> str:
        """JSON pointer of the image."""
        return f"/images/{self.index}"


def image_headers(context: CheckContext, _: int = -1) -> list[ImageHeader]:
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


def _missing(context: CheckContext, _: Limits) -> Iterator[Finding]:
    for header in context.cached(image_headers):
        if header.error:
            yield Finding(
                f"image {quoted(header.name)} cannot be displayed: {header.error}",
                place=header.place,
                item=header.name,
            )


def _large(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    for header in context.cached(image_headers):
        longest = max(header.width, header.height)
        if longest > limits["pixels"]:
            yield Finding(
                f"image {quoted(header.name)} is {header.width} × {header.height} pixels: "
                f"{binary_size(_gpu(header))} on the GPU",
                amount=longest,
                unit="pixels",
                limit=limits["pixels"],
                place=header.place,
                item=header.name,
            )


def _gpu(picture: ImageHeader) -> float:
    return picture.width * picture.height * 4 * _MIPMAPS


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
            unit="MiB",
            limit=limits["mebibytes"],
            place="/images",
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
                place=header.place,
                item=header.name,
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
                place=found[1].place,
                item=found[1].name,
            )


RULES: tuple[Rule, ...] = (
    Rule(
        "texture-missing",
        "error",
        "an image is missing or cannot be read",
        "move the file to the path in the model, or embed the images in a .glb on export",
        _missing,
        covers=("the texture is not shown", "neither a uri"),
    ),
    Rule(
        "texture-size",
        "warning",
        "an image is larger than most devices or characters need",
        "scale it down before exporting",
        _large,
        (Limit("pixels", 4096, "pixels", "the longer side of an image"),),
    ),
    Rule(
        "texture-memory",
        "warning",
        "the images of a character need much memory",
        "scale images down, pack masks into the channels of one image, compress them for the GPU",
        _memory,
        (Limit("mebibytes", 512, "MiB", "GPU memory of all images, uncompressed"),),
    ),
    Rule(
        "texture-power",
        "info",
        "the sides of an image that repeats or has mipmaps are not powers of two",
        "scale it to 512, 1024, 2048 …, which WebGL 1 and block compression need",
        _odd_size,
    ),
    Rule(
        "texture-twice",
        "info",
        "an image is in the file twice",
        "use one image in both materials: in Blender the same image datablock",
        _identical_images,
    ),
)
