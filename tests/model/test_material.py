"""The table of material fields."""

import dataclasses

import pytest

from rigview.model.material import (
    EXTENSIONS,
    FACTORS,
    GLTF_EXTENSIONS,
    ROWS,
    TEXTURES,
    Clearcoat,
    Material,
    TextureRef,
)


def test_every_field_has_a_row():
    fields = {field.name for field in dataclasses.fields(Material)} - {"name"}
    fields |= {
        f"{name}.{field.name}"
        for name, row in EXTENSIONS.items()
        for field in dataclasses.fields(row.object_type)
    }
    assert {row.name for row in ROWS} == fields
    assert len({row.path for row in ROWS}) == len(ROWS)


def test_a_row_says_where_a_file_stores_the_field():
    row = FACTORS["clearcoat.roughness"]
    assert row.path == "extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor"
    assert (row.extension, row.owner, row.key) == (
        "KHR_materials_clearcoat",
        "clearcoat",
        "roughness",
    )
    assert (FACTORS["roughness"].extension, FACTORS["roughness"].owner) == ("", "")
    assert "KHR_materials_ior" in GLTF_EXTENSIONS


@pytest.mark.parametrize(
    ("rows", "name", "label"),
    [
        (FACTORS, "base_color", "base colour"),
        (TEXTURES, "metallic_roughness_texture", "metallic-roughness"),
        (FACTORS, "clearcoat.factor", "clearcoat"),
        (TEXTURES, "clearcoat.normal_texture", "clearcoat normal"),
        (FACTORS, "sheen.color", "sheen colour"),
        (FACTORS, "ior", "index of refraction"),
    ],
)
def test_labels(rows, name, label):
    assert rows[name].label == label


def test_defaults_are_within_their_limits():
    for row in FACTORS.values():
        assert row.clamped(row.default) == row.default
        assert Material().components(row) == row.default


def test_changed_fields():
    ref = TextureRef(0)
    material = Material(clearcoat=Clearcoat(0.5))
    changed = material.changed(
        {"roughness": 0.25, "clearcoat.roughness": 0.75, "clearcoat.texture": ref, "sheen.color": 1}
    )
    assert changed == Material(roughness=0.25, clearcoat=Clearcoat(0.5, ref, 0.75))
    assert changed.value("clearcoat.texture") is ref
    assert changed.value("sheen.color") is None
    assert changed.textures == {"clearcoat.texture": ref}
