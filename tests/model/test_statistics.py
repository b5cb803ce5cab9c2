"""Statistics that the window shows, too."""

import numpy as np

from rigview.model.statistics import (
    camera_words,
    describe,
    light_power,
    light_words,
    part_facts,
    texture_bytes,
)
from tests.support.models import rod_model, square_model


def test_texture_memory_counts_decoded_images_with_mipmaps():
    model = square_model(image=np.zeros((8, 16, 4)))
    assert texture_bytes(model) == 0, "not decoded yet"
    model.images[0].decode()
    assert texture_bytes(model) == round(8 * 16 * 4 * 4 / 3)
    assert texture_bytes(model) == describe(model)["gpu_bytes"]["textures"]


def test_a_part_of_a_mesh():
    model = rod_model()
    primitive = model.meshes[0].primitives[0]
    facts = part_facts(model, model.instances[0].joint, 0)
    assert (facts["vertices"], facts["triangles"]) == (
        len(primitive.positions),
        primitive.triangle_count,
    )
    assert facts["attributes"][0] == "POSITION"
    assert facts["attributes"][-2:] == ["JOINTS_0", "WEIGHTS_0"]
    assert facts["skin"] == model.skins[0].name
    np.testing.assert_array_equal(facts["bounds"][1], primitive.positions.max(axis=0))
    flat = part_facts(square_model(), 0, 0)
    assert flat["skin"] is None
    assert flat["attributes"] == ["POSITION", "NORMAL", "TEXCOORD_0"]


def test_cameras_and_lights():
    camera = {"kind": "perspective", "aspect": 16 / 9}
    assert camera_words(camera) == "perspective, made for 1.778:1"
    assert camera_words(camera | {"aspect": None}) == "perspective"
    light = {"kind": "spot", "intensity": 40.0, "range": 5.0}
    assert light_words(light) == "spot, 40 cd, up to 5 m"
    assert light_power({"kind": "directional", "intensity": 2.5}) == "2.5 lx"
