"""EXT_texture_avif, with and without AVIF support in Pillow."""

import io
import random
from functools import partial

import numpy as np
import pytest
from PIL import Image as Picture

from rigview.errors import UnsupportedError
from rigview.gltf import optional_packages
from rigview.gltf.bake import bake
from rigview.gltf.document import open_document
from rigview.gltf.read_model import read_model
from rigview.loading.load import load
from tests.support.gltf_documents import COLOURS, GREY, textured_triangle

NAME = "EXT_texture_avif"

needs_avif = pytest.mark.skipif(
    not optional_packages.available(NAME), reason="this Pillow has no AVIF"
)


def picture():
    """Four squares of 8 × 8 pixels."""
    pixels = np.array(COLOURS, np.uint8).reshape(2, 2, 4).repeat(8, 0).repeat(8, 1)
    out = io.BytesIO()
    Picture.fromarray(pixels).save(out, "AVIF", quality=95, subsampling="4:4:4")
    return out.getvalue()


textured = partial(textured_triangle, NAME, "image/avif")


@pytest.fixture
def without(monkeypatch):
    """Simulate a Pillow without AVIF."""
    monkeypatch.setattr(optional_packages, "_found", lambda _: False)


@needs_avif
@pytest.mark.parametrize("plain", [False, True])
def test_avif_is_preferred_to_its_fallback(plain):
    model = textured(picture(), plain=plain, required=not plain).load()
    assert model.materials[0].base_color_texture.image == 0
    assert model.facts.not_drawn == ()
    pixels = model.images[0].pixels
    assert pixels.shape == (16, 16, 4)
    middles = pixels[[4, 4, 12], [4, 12, 4]].astype(int)
    assert np.abs(middles - COLOURS[:3]).max() <= 6
    assert pixels[12, 12, 3] <= 2
    assert model.warnings == []


@needs_avif
def test_written_file_has_the_mime_type(tmp_path):
    b = textured(picture())
    (tmp_path / "picture").write_bytes(picture())
    b.json["images"][0] = {"uri": "picture"}
    b.add("nodes", mesh=0)
    b.animation((0, "translation", [0, 1, 2], [[0, 0, 0], [1, 0, 0], [2, 0, 0]]))
    path = tmp_path / "a.glb"
    path.write_bytes(b.glb())
    document = open_document(path)
    after = load(bake(document, read_model(document), metres=1e-4).data)
    assert after.document.json["images"][0]["mimeType"] == "image/avif"
    assert after.images[0].pixels.shape == (16, 16, 4)


@needs_avif
def test_corrupt_images_only_warn():
    data, chance = picture(), random.Random(5)
    for _ in range(100):
        broken = bytearray(data)
        for _ in range(chance.choice((1, 3, 9))):
            broken[chance.randrange(12, len(data))] = chance.randrange(256)
        model = textured(
            bytes(broken[: chance.choice((len(data), chance.randrange(12, 99)))])
        ).load()
        shape = model.images[0].pixels.shape
        assert shape[2] == 4
        assert bool(model.warnings) == (shape == (1, 1, 4))


def test_without_avif_the_error_says_how_to_install_it(without):
    with pytest.raises(UnsupportedError) as caught:
        textured(b"").load()
    assert NAME in caught.value.message
    assert caught.value.place == "/extensionsRequired/0"
    assert "pip install 'Pillow>=11.3'" in caught.value.hint


def test_without_avif_the_fallback_is_shown(without):
    model = textured(b"x", plain=True, required=False).load()
    assert model.materials[0].base_color_texture.image == 1
    assert model.images[1].pixels[0, 0].tolist() == GREY
    assert any("Pillow" in warning for warning in model.warnings)
    start = b"\0\0\0\x20ftypavif"
    model = textured(start, required=False).load()  # there is none
    assert model.images[0].pixels.tolist() == [[[255] * 4]]
    assert any("AVIF is not supported here: pip install" in warning for warning in model.warnings)
