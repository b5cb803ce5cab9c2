"""KHR_texture_basisu: KTX 2 images, with and without opengl_basisu."""

import base64
import random
from functools import partial

import numpy as np
import pytest

from rigview.errors import UnsupportedError
from rigview.gltf import basisu, optional_packages
from rigview.loading.load import load
from rigview.model.model import Packed
from tests.support.gltf_documents import COLOURS, GREY, textured_triangle
from tests.support.ktx2_pictures import PICTURES

NAME = "KHR_texture_basisu"


def picture(kind="uastc"):
    return base64.b64decode(PICTURES[kind])


textured = partial(textured_triangle, NAME, "image/ktx2")


@pytest.fixture
def without_package(monkeypatch):
    """Simulate that opengl_basisu is not installed."""
    monkeypatch.setattr(optional_packages, "_found", lambda _: False)


@pytest.mark.parametrize("kind", PICTURES)
def test_decoded_pixels(kind):
    pytest.importorskip("opengl_basisu", reason="the extra “basisu” is not installed")
    model = textured(picture(kind), plain=True).load()
    assert model.materials[0].base_color_texture.image == 0
    pixels = model.images[0].pixels
    assert pixels.shape == (8, 8, 4)
    corners = pixels[[0, 0, 7, 7], [0, 7, 0, 7]].astype(int)
    assert np.abs(corners - COLOURS).max() <= (3 if kind.startswith("etc1s") else 0)
    assert model.warnings == []


def test_without_the_package_the_error_says_how_to_install_it(without_package):
    with pytest.raises(UnsupportedError) as caught:
        textured(picture()).load()
    assert NAME in caught.value.message
    assert "pip install 'rigview[basisu]'" in caught.value.hint


def test_without_the_package_the_fallback_is_shown(without_package):
    model = textured(picture(), plain=True, required=False).load()
    assert model.materials[0].base_color_texture.image == 1
    assert model.images[1].pixels[0, 0].tolist() == GREY
    assert any("rigview[basisu]" in warning for warning in model.warnings)
    model = textured(picture(), required=False).load()  # no fallback
    assert model.images[0].pixels.tolist() == [[[255] * 4]]
    assert any("the texture is not shown" in warning for warning in model.warnings)


def test_the_size_is_read_from_the_header():
    assert basisu.size(picture()) == (8, 8)
    for at, value, words in [
        (20, 0, "single 2D"),
        (28, 3, "single 2D"),
        (32, 6, "single 2D"),
        (36, 6, "single 2D"),
        (40, 99, "truncated"),
        (88, 255, "truncated"),
    ]:
        broken = bytearray(picture())
        broken[at : at + 4] = value.to_bytes(4, "little")
        with pytest.raises(ValueError, match=words):
            basisu.size(bytes(broken))
    for cut in range(0, 256, 5):
        with pytest.raises(ValueError, match="truncated"):
            basisu.size(picture()[:cut])


@pytest.mark.parametrize("external", [False, True])
def test_facts_have_the_savings(external, tmp_path):
    pytest.importorskip("opengl_basisu", reason="the extra “basisu” is not installed")
    b = textured(picture())
    if external:
        (tmp_path / "packed.ktx2").write_bytes(picture())
        b.json["images"][0] = {"uri": "packed.ktx2"}
    b.add("textures", **b.json["textures"][0])  # same image
    path = tmp_path / "a.glb"
    path.write_bytes(b.glb())
    (found,) = load(path).facts.packed
    assert found == Packed(NAME, len(picture()), 8 * 8 * 4)


def test_missing_and_invalid_images_have_no_savings(tmp_path):
    pytest.importorskip("opengl_basisu", reason="the extra “basisu” is not installed")
    b = textured(picture()[:99])
    assert b.load().facts.packed == ()
    b.json["images"][0] = {"uri": "missing.ktx2"}
    path = tmp_path / "a.glb"
    path.write_bytes(b.glb())
    model = load(path)
    assert model.facts.packed == ()
    assert "missing.ktx2" in model.warnings[0]


def test_huge_image_is_not_decoded():
    pytest.importorskip("opengl_basisu", reason="the extra “basisu” is not installed")
    broken = bytearray(picture())
    broken[20:28] = (2**31).to_bytes(4, "little") * 2
    model = textured(bytes(broken)).load()
    assert model.images[0].pixels.shape == (1, 1, 4)
    assert "pixels exceed the limit" in model.warnings[0]


@pytest.mark.parametrize("kind", PICTURES)
def test_corrupt_images_only_warn(kind):
    pytest.importorskip("opengl_basisu", reason="the extra “basisu” is not installed")
    data, chance = picture(kind), random.Random(5)
    for _ in range(150):
        broken = bytearray(data)
        for _ in range(chance.choice((1, 3, 9))):
            broken[chance.randrange(12, len(data))] = chance.randrange(256)
        model = textured(bytes(broken)).load()
        shape = model.images[0].pixels.shape
        assert shape[2] == 4
        assert bool(model.warnings) == (shape == (1, 1, 4))
