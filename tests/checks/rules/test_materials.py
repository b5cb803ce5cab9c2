"""Blending without transparency, forgotten metalness, images in two colour spaces."""

from functools import cache

import numpy as np
import pytest

from rigview.checks.check_context import CheckContext
from rigview.images.png import as_png
from rigview.loading.load import load
from tests.checks.cases_surface import BASE, NORMAL, PLASTIC, material, pictures, second_material
from tests.support.planted.materials import CLASSES
from tests.support.rule_case import found, messages_of, one
from tests.support.rule_figure import context, document_change
from tests.support.shared import MODELS, needs_shared

BLEND, METALLIC, SPACES = "material-blend-opaque", "material-metallic", "texture-two-spaces"
UNLIT = {"KHR_materials_unlit": {}}


def blended(**pbr):
    return material(alphaMode="BLEND", pbrMetallicRoughness=pbr)


def colored(alpha, width=4):
    """Vertex colours with an alpha."""

    def change(figure):
        colors = np.ones((len(figure.positions), width), np.float32)
        if width == 4:
            colors[5, 3] = alpha
        figure.attributes["COLOR_0"] = colors

    return change


def textured(alpha, side=8):
    """A base colour texture with a pixel of an alpha."""

    @document_change
    def change(b):
        pixels = np.full((side, side, 4), 255, np.uint8)
        pixels[0, -1, 3] = alpha
        source = b.add("images", bufferView=b.view(as_png(pixels)), mimeType="image/png")
        texture = {"index": b.add("textures", source=source)}
        b.json["materials"][0].setdefault("pbrMetallicRoughness", {})["baseColorTexture"] = texture

    return change


@document_change
def broken_picture(b):
    source = b.add("images", bufferView=b.view(b"no picture"), mimeType="image/png")
    texture = {"index": b.add("textures", source=source)}
    b.json["materials"][0]["pbrMetallicRoughness"] = {"baseColorTexture": texture}


@document_change
def fading(b):
    """Animate the base colour."""
    pointer = "/materials/0/pbrMetallicRoughness/baseColorFactor"
    name = "KHR_animation_pointer"
    sampler = {"input": b.accessor([0, 1]), "output": b.accessor(np.ones((2, 4)))}
    target = {"path": "pointer", "extensions": {name: {"pointer": pointer}}}
    b.add("animations", samplers=[sampler], channels=[{"sampler": 0, "target": target}])
    b.json["extensionsUsed"] = [name]


@pytest.mark.parametrize(
    ("changes", "count"),
    [
        ((blended(),), 1),
        ((blended(baseColorFactor=[1, 1, 1, 0.997]),), 1),
        ((blended(baseColorFactor=[1, 1, 1, 0.99]),), 0),
        ((blended(), colored(1)), 1),
        ((blended(), colored(0.5)), 0),
        ((blended(), colored(1, width=3)), 1),
        ((blended(), textured(255)), 1),
        ((blended(), textured(255, side=1)), 1),
        ((blended(), textured(254)), 1),
        ((blended(), textured(253)), 0),
        ((blended(), textured(253, side=1)), 0),
        ((blended(), broken_picture), 0),
        ((blended(), fading), 0),
        ((material(alphaMode="MASK"),), 0),
    ],
)
def test_blending(changes, count):
    assert len(found(context(*changes), BLEND)) == count


def test_unused_material_is_silent():
    @document_change
    def spare(b):
        b.add("materials", name="Spare", alphaMode="BLEND")

    assert not found(context(spare), "material-*")


def test_huge_image_is_not_decoded(monkeypatch):
    monkeypatch.setattr("rigview.checks.rules.materials._MOST_PIXELS", 63)
    made = context(blended(), textured(255))()
    assert not found(lambda: made, BLEND)
    assert not made.model.images[0].decoded


def test_blending_says_why():
    finding = one(context(blended()), BLEND)
    assert (finding.severity, finding.group, finding.item) == ("warning", "Material", "Cloth")
    assert finding.message == (
        "material “Cloth” is blended, but its alpha is 1 everywhere: blended surfaces are sorted "
        "by distance, so that parts may be drawn in the wrong order"
    )


METAL = {"metallicFactor": 1}


@pytest.mark.parametrize(
    ("row", "severity"),
    [
        ({"name": "Cape"}, "warning"),
        ({"name": "Cape", "pbrMetallicRoughness": METAL}, "warning"),
        ({"name": "Cape", "pbrMetallicRoughness": METAL | {"roughnessFactor": 0.4}}, "info"),
        ({"name": "Cape", "pbrMetallicRoughness": {"roughnessFactor": 0.4}}, "warning"),
        ({"name": "Cape", "pbrMetallicRoughness": {"metallicFactor": 0.5}}, ""),
        ({"name": "Belt buckle"}, ""),
        ({"name": "Cape", "extensions": UNLIT}, ""),
    ],
)
def test_metal(row, severity):
    result = found(context(material(**PLASTIC), second_material(**row)), METALLIC)
    assert [each.severity for each in result] == [severity] * bool(severity)


def test_metal_names_the_missing_factor():
    (missing,) = messages_of(context(material(**PLASTIC), second_material(name="Cape")), METALLIC)
    assert missing.endswith("; the file has no metallicFactor, which means 1")
    row = {"name": "Cape", "pbrMetallicRoughness": METAL}
    (stated,) = messages_of(context(material(**PLASTIC), second_material(**row)), METALLIC)
    assert stated == missing.removesuffix("; the file has no metallicFactor, which means 1")
    assert "material “Cape” is all metal, unlike the rest of the character" in stated


def test_all_metal_is_meant():
    assert not found(context(), METALLIC)
    assert not found(context(second_material(name="Cape")), METALLIC)
    small = context(second_material(name="Cape", **PLASTIC))
    assert not found(small, METALLIC), "less than half of the surface is not metal"


def test_texture_of_metal_is_meant():
    @document_change
    def change(b):
        source = b.add("images", bufferView=b.view(as_png(np.full((8, 8, 4), 90, np.uint8))))
        texture = {"index": b.add("textures", source=source)}
        b.json["materials"][1]["pbrMetallicRoughness"] = {"metallicRoughnessTexture": texture}

    plain = (material(**PLASTIC), second_material(name="Cape"))
    assert found(context(*plain), METALLIC)
    assert not found(context(*plain, change), METALLIC)


ROUGH = "pbrMetallicRoughness/metallicRoughnessTexture"


@pytest.mark.parametrize(
    ("slots", "uses"),
    [
        ((BASE, NORMAL), ("base colour", "normal")),
        ((BASE, ROUGH), ("base colour", "metallic-roughness")),
        (("emissiveTexture", "occlusionTexture"), ("emissive", "occlusion")),
        ((BASE, "emissiveTexture"), None),
        ((ROUGH, "occlusionTexture"), None),
    ],
)
def test_two_spaces(slots, uses):
    result = found(context(pictures(*slots)), SPACES)
    assert len(result) == (uses is not None)
    if uses is not None:
        colour, data = uses
        assert f"in sRGB as the {colour} of “Cloth”" in result[0].message
        assert f"linear data as the {data} of “Cloth”" in result[0].message
        assert result[0].place == f"/materials/0/{slots[1]}"


@pytest.mark.parametrize(("shade", "count"), [(255, 0), (0, 0), (128, 1)])
def test_white_placeholder_is_the_same_in_both_spaces(shade, count):
    @document_change
    def change(b):
        data = as_png(np.full((1, 1, 4), shade, np.uint8))
        source = b.add("images", bufferView=b.view(data), mimeType="image/png")
        texture = {"index": b.add("textures", source=source)}
        b.json["materials"][0] |= {"occlusionTexture": texture, "emissiveTexture": texture}

    assert len(found(context(change), SPACES)) == count


@cache
def character(name):
    path = "assets/mannequin.glb" if name == "mannequin" else str(MODELS / name)
    return CheckContext(load(path))


@needs_shared
@pytest.mark.parametrize("fault", CLASSES, ids=lambda fault: fault.name)
@pytest.mark.parametrize("name", ["mannequin", "CesiumMan.glb", "Fox.glb", "robot.glb"])
def test_planted_faults(name, fault):
    sound = character(name)
    assert not found(lambda: sound, BLEND, METALLIC, SPACES)
    for place in fault.places(sound)[:2]:
        planted = fault.plant(sound, place, 1.0)
        result = found(lambda planted=planted: planted, BLEND, METALLIC, SPACES)
        assert [each.rule for each in result] == list(fault.rules)
