"""Alpha of textures that materials cut."""

import numpy as np


def mask_alpha(kind):
    """Return alpha [128, 128], 0 to 1: round leaves, or strands of two texels."""
    y, x = np.mgrid[:128, :128]
    if kind == "strands":
        return np.clip(1.6 - np.abs((x + 6 * np.sin(y / 9 + x / 17)) % 9.7 - 4), 0.0, 1.0)
    alpha = np.zeros((128, 128))
    for column, row in np.random.default_rng(4).integers(0, 128, (90, 2)):
        alpha = np.maximum(alpha, np.clip(4.5 - np.hypot(x - column, y - row), 0.0, 1.0))
    return alpha
