"""KHR_texture_basisu: KTX 2 images with Basis Universal compression, decoded by opengl_basisu.

Notes
-----
KTX 2.0 specification, section 3, “File Structure”.
"""

import struct
from typing import Any

from ..animation.types import U8
from .optional_packages import available, install

NAME = "KHR_texture_basisu"
MAGIC = b"\xabKTX 20\xbb\r\n\x1a\n"
_HEADER = struct.Struct("<9I")  # vkFormat, typeSize, width, height, depth, layers, faces, levels, …
_LEVEL = struct.Struct("<3Q")  # byteOffset, byteLength, uncompressedByteLength
_LEVEL_INDEX = 80  # byte offset of the level index
HEADER_BYTES = _LEVEL_INDEX + _LEVEL.size  # bytes that `header_size` reads
_MAX_PIXEL_BYTES = 4  # maximum bytes per pixel after supercompression is undone


def header_size(data: bytes | memoryview) -> tuple[int, int]:
    """Return width and height in pixels, from the first `HEADER_BYTES` bytes.

    Raises
    ------
    ValueError
        The data is not a KTX 2 file with one 2D image, or is truncated.
    """
    if len(data) < HEADER_BYTES or bytes(data[:12]) != MAGIC:
        raise ValueError("the KTX 2 file is truncated")
    _, _, width, height, depth, layers, faces, _, _ = _HEADER.unpack_from(data, 12)
    if not width or not height or depth or layers or faces != 1:
        raise ValueError("the KTX 2 file does not contain a single 2D image")
    return width, height


def size(data: bytes | memoryview) -> tuple[int, int]:
    """Return width and height in pixels of a complete file.

    Raises
    ------
    ValueError
        The data is not a KTX 2 file with one 2D image, or is truncated.
    """
    width, height = header_size(data)
    levels = _HEADER.unpack_from(data, 12)[7]
    offset, length, uncompressed = _LEVEL.unpack_from(data, _LEVEL_INDEX)
    if max(levels, 1) > 32 or offset + length > len(data):
        raise ValueError("the KTX 2 file is truncated")
    if uncompressed > _MAX_PIXEL_BYTES * (width + 3) * (height + 3):
        raise ValueError("the KTX 2 file is corrupt: its level is too large")
    return width, height


def decode(data: bytes) -> U8:
    """Return the largest mip level [H, W, 4], straight alpha, top row first.

    Raises
    ------
    ValueError
        The file is corrupt, or opengl_basisu is not installed.
    """
    if not available(NAME):
        raise ValueError(f"{NAME} needs a package that is not installed: {install(NAME)}")
    import opengl_basisu

    width, height = size(data)
    try:
        image: Any = opengl_basisu.open(data).transcode(opengl_basisu.Target.RGBA8)
    except (opengl_basisu.BasisuError, IndexError, MemoryError) as error:
        raise ValueError(str(error)[:200] or type(error).__name__) from None
    pixels: U8 = image.data
    if pixels.shape != (height, width, 4):
        raise ValueError(
            f"decoded to {pixels.shape[1]} × {pixels.shape[0]} pixels, not {width} × {height}"
        )
    return pixels
