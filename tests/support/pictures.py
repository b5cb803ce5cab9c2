"""Picture files, and what they show."""

import numpy as np
from PIL import Image


def read_picture(path):
    with Image.open(path) as image:
        return np.asarray(image.convert("RGBA"))


def separate_parts(pixels):
    """The number of parts of a picture that empty columns separate."""
    filled = (pixels[..., 3] > 0).any(axis=0).astype(int)
    return int((np.diff(filled, prepend=0) == 1).sum())
