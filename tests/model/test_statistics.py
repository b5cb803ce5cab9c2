"""Statistics that the window shows, too."""

import numpy as np

from rigview.model.statistics import describe, texture_bytes
from tests.support.models import square_model


def test_texture_memory_counts_decoded_images_with_mipmaps():
    model = square_model(image=np.zeros((8, 16, 4)))
    assert texture_bytes(model) == 0, "not decoded yet"
    model.images[0].decode()
    assert texture_bytes(model) == round(8 * 16 * 4 * 4 / 3)
    assert texture_bytes(model) == describe(model)["gpu_bytes"]["textures"]
