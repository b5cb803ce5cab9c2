"""OpenEXR pictures: linear light as half floats with premultiplied alpha, encoded by PyAV."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..animation.types import F32, U8
from ..errors import OutputError

if TYPE_CHECKING:
    from av import VideoFrame

CODEC = "exr"
LARGEST = 65504.0  # of half floats
_OPTIONS = {"format": "half", "compression": "zip16"}


def decoded(srgb: F32) -> F32:
    """Return the light of sRGB values, 0 to 1 (IEC 61966-2-1)."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


_LIGHT = decoded(np.arange(256, dtype=np.float32) / np.float32(255)).astype(
    np.float32
)  # of each code


def as_exr(light: F32) -> bytes:
    """Return light [H, W, 4] as a picture.

    Raises
    ------
    OutputError
        PyAV is not installed, or failed.
    """
    from .video import require_encoder

    require_encoder(".exr", CODEC, "write .png")
    import av

    height, width = light.shape[:2]
    finite = np.clip(np.nan_to_num(light), 0.0, LARGEST)
    rounded = finite.astype(np.float16).astype(np.float32)  # FFmpeg truncates
    try:
        codec: Any = av.CodecContext.create(CODEC, "w")
        codec.width, codec.height, codec.pix_fmt = width, height, "gbrapf32le"
        codec.time_base, codec.options = Fraction(1), _OPTIONS
        frame = av.VideoFrame.from_ndarray(rounded, format="gbrapf32le")
        return b"".join(map(bytes, [*codec.encode(frame), *codec.encode(None)]))
    except av.error.FFmpegError as error:
        message = getattr(error, "strerror", None) or str(error)
        raise OutputError(f"the encoder failed: {message}") from None


def frame_light(frame: "VideoFrame") -> F32:
    """Return the light [H, W, C] of a decoded picture: grey, red to blue, or with alpha.

    Planes of floats are read as they are: FFmpeg's conversion between them clamps to 1.
    """
    name = frame.format.name
    if "f16" not in name and "f32" not in name:
        return frame.reformat(format="gbrpf32le").to_ndarray().astype(np.float32)
    kind = np.dtype(np.float16 if "f16" in name else np.float32).newbyteorder(
        ">" if name.endswith("be") else "<"
    )
    planes = [
        np.frombuffer(bytes(plane), kind).reshape(plane.height, -1)[:, : plane.width]
        for plane in frame.planes
    ]
    order = (2, 0, 1, 3)[: len(planes)] if len(planes) > 2 else (0,)  # from green, blue, red
    return np.stack([planes[k] for k in order], axis=-1).astype(np.float32)


def as_displayed(light: F32) -> U8:
    """Return light [..., 4] without tone mapping: sRGB, clamped, straight alpha."""
    alpha = light[..., 3:]
    straight = np.clip(light[..., :3] / np.maximum(alpha, 1e-6), 0.0, 1.0)
    encoded = np.where(
        straight <= 0.0031308, straight * 12.92, 1.055 * straight ** (1 / 2.4) - 0.055
    )
    return np.rint(np.concatenate([encoded, alpha], axis=-1) * 255.0).astype(np.uint8)


def as_light(pixels: U8) -> F32:
    """Return pixels [..., 4], sRGB with straight alpha, as light."""
    alpha = pixels[..., 3:].astype(np.float32) / 255
    return np.concatenate([_LIGHT[pixels[..., :3]] * alpha, alpha], axis=-1)
