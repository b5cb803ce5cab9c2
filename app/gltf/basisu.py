"""KHR_texture_basisu: KTX 2 images of Basis Universal, unpacked by opengl_basisu.

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
_HEAD = struct.Struct("<9I")  # format, size of a type, width, height, depth, layers, faces, levels
_LEVEL = struct.Struct("<3Q")  # offset, length, length before the second packing
_LEVELS = 80  # where their index begins
HEAD = _LEVELS + _LEVEL.size  # bytes that `promised` reads
_WORTH = 4  # bytes of a pixel that has not been packed twice, at most


def promised(data: bytes | memoryview) -> tuple[int, int]:
    """Return width and height in pixels, by the first `HEAD` bytes.

    Raises
    ------
    ValueError
        It is no KTX 2 of one flat picture, or ends before that.
    """
    if len(data) < HEAD or bytes(data[:12]) != MAGIC:
        raise ValueError("the KTX 2 is cut off")
    _, _, width, height, depth, layers, faces, _, _ = _HEAD.unpack_from(data, 12)
    if not width or not height or depth or layers or faces != 1:
        raise ValueError("the KTX 2 does not hold one flat picture")
    return width, height


def size(data: bytes | memoryview) -> tuple[int, int]:
    """Return width and height in pixels of a whole picture.

    Raises
    ------
    ValueError
        It is no KTX 2 of one flat picture, or is cut off.
    """
    width, height = promised(data)
    levels = _HEAD.unpack_from(data, 12)[7]
    offset, length, plain = _LEVEL.unpack_from(data, _LEVELS)
    if max(levels, 1) > 32 or offset + length > len(data):
        raise ValueError("the KTX 2 is cut off")
    if plain > _WORTH * (width + 3) * (height + 3):
        raise ValueError("the KTX 2 is broken")
    return width, height


def decode(data: bytes) -> U8:
    """Return the largest picture [H, W, 4], straight alpha, top row first.

    Raises
    ------
    ValueError
        It is broken, or what unpacks it is not installed.
    """
    if not available(NAME):
        raise ValueError(f"it is packed by {NAME}; {install(NAME)}")
    import opengl_basisu

    width, height = size(data)
    try:
        image: Any = opengl_basisu.open(data).transcode(opengl_basisu.Target.RGBA8)
    except (opengl_basisu.BasisuError, IndexError, MemoryError) as error:
        raise ValueError(str(error)[:200] or type(error).__name__) from None
    pixels: U8 = image.data
    if pixels.shape != (height, width, 4):
        raise ValueError(f"it holds {pixels.shape[1]} × {pixels.shape[0]} pixels")
    return pixels
