"""Radiance .hdr files."""

import numpy as np


def write_radiance(path, light):
    """Write [H, W, 3] as Radiance .hdr without compression."""
    high = light.max(axis=-1)
    power = np.where(high > 1e-32, np.ceil(np.log2(np.maximum(high, 1e-32)) + 1e-6), -128)
    scale = np.where(high > 1e-32, 256 / 2.0**power, 0)[..., None]
    rgbe = np.concatenate([np.clip(light * scale, 0, 255), power[..., None] + 128], axis=-1)
    size = "-Y {} +X {}\n".format(*light.shape[:2])
    head = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n" + size.encode()
    path.write_bytes(head + rgbe.astype(np.uint8).tobytes())
    return path
