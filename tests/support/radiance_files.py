"""Radiance .hdr files."""

import numpy as np


def write_radiance(path, light, encode=lambda row: row.tobytes()):
    """Write [H, W, 3] as Radiance .hdr; `encode` returns the bytes of a row [W, 4]."""
    high = light.max(axis=-1)
    power = np.where(high > 1e-32, np.ceil(np.log2(np.maximum(high, 1e-32)) + 1e-6), -128)
    scale = np.where(high > 1e-32, 256 / 2.0**power, 0)[..., None]
    rgbe = np.concatenate([np.clip(light * scale, 0, 255), power[..., None] + 128], axis=-1)
    size = "-Y {} +X {}\n".format(*light.shape[:2])
    head = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n" + size.encode()
    path.write_bytes(head + b"".join(map(encode, rgbe.astype(np.uint8))))
    return path


def in_runs(row):
    """Return a row [W, 4] in the newer run-length encoding: each component by itself."""
    width = len(row)
    return bytes((2, 2, width >> 8, width & 255)) + b"".join(map(_runs, row.T))


def _runs(values):
    values, encoded, at = values.tobytes(), bytearray(), 0
    while at < len(values):
        equal = 1
        while equal < 127 and at + equal < len(values) and values[at + equal] == values[at]:
            equal += 1
        if equal > 2:
            encoded += bytes((128 + equal, values[at]))
            at += equal
        else:
            part = values[at : at + 5]
            encoded += bytes((len(part),)) + part
            at += len(part)
    return encoded


def with_repetitions(row):
    """Return a row [W, 4] in the older run-length encoding: (1, 1, 1, n) repeats a pixel."""
    data, encoded, at = row.tobytes(), bytearray(), 0
    pixels = [data[k : k + 4] for k in range(0, len(data), 4)]
    while at < len(pixels):
        same = 0
        while at + same + 1 < len(pixels) and pixels[at + same + 1] == pixels[at]:
            same += 1
        encoded += pixels[at]
        at += 1 + same
        while same:
            encoded += bytes((1, 1, 1, same & 255))
            same >>= 8
    return encoded
