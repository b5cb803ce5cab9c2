import pytest

from rigview.model.material import TEXCOORD_SETS, TEXTURES, Material, Sampler, TextureRef
from tests.support.gltf_documents import Builder


def built(material, **rows):
    b = Builder()
    b.add("images", uri="data:,x")
    b.add("images", uri="data:,x")
    b.add("textures", source=0)
    for key, row in rows.items():
        b.json[key] = row
    b.add("materials", **material)
    return b.load()


def test_defaults():
    assert built({}).materials == (Material(name="Material 0"),)


def test_factors():
    (material,) = built(
        {
            "name": "Skin",
            "pbrMetallicRoughness": {
                "baseColorFactor": [1, 0.5, 0, 1],
                "metallicFactor": 0,
                "roughnessFactor": 0.25,
            },
            "emissiveFactor": [1, 2, 3],
            "alphaMode": "MASK",
            "alphaCutoff": 0,
            "doubleSided": True,
            "extensions": {"KHR_materials_unlit": {}},
        }
    ).materials
    assert material == Material(
        name="Skin",
        base_color=(1, 0.5, 0, 1),
        metallic=0,
        roughness=0.25,
        emissive=(1, 2, 3),
        alpha_mode="MASK",
        alpha_cutoff=0,
        double_sided=True,
        unlit=True,
    )


def test_textures_and_strengths():
    (material,) = built(
        {
            "pbrMetallicRoughness": {
                "baseColorTexture": {"index": 0},
                "metallicRoughnessTexture": {"index": 0, "texCoord": 1},
            },
            "normalTexture": {"index": 0, "scale": 0.5},
            "occlusionTexture": {"index": 0, "strength": 0},
            "emissiveTexture": {"index": 0},
        }
    ).materials
    plain = TextureRef(0)
    assert material.base_color_texture == material.emissive_texture == plain
    assert material.metallic_roughness_texture == TextureRef(0, texcoord=1)
    assert (material.normal_texture, material.normal_scale) == (plain, 0.5)
    assert (material.occlusion_texture, material.occlusion_strength) == (plain, 0)


@pytest.mark.parametrize(
    ("transform", "reference"),
    [
        ({}, TextureRef(0, texcoord=1)),
        (
            {"offset": [0.5, 1], "rotation": 2, "scale": [3, -1]},
            TextureRef(0, texcoord=1, offset=(0.5, 1), rotation=2, scale=(3, -1)),
        ),
        ({"texCoord": 0}, TextureRef(0, texcoord=0)),
        ({"texCoord": 2}, TextureRef(0, texcoord=2)),
    ],
)
def test_texture_transform(transform, reference):
    info = {"index": 0, "texCoord": 1, "extensions": {"KHR_texture_transform": transform}}
    (material,) = built({"emissiveTexture": info}).materials
    assert material.emissive_texture == reference


def test_samplers():
    samplers = [{"wrapS": 33071, "wrapT": 33648, "minFilter": 9728, "magFilter": 9728}]
    textures = [{"source": 1, "sampler": 0}]
    (material,) = built(
        {"emissiveTexture": {"index": 0}}, samplers=samplers, textures=textures
    ).materials
    assert material.emissive_texture == TextureRef(1, Sampler(33071, 33648, 9728, 9728))


def test_webp_is_preferred_to_its_fallback():
    textures = [{"source": 0, "extensions": {"EXT_texture_webp": {"source": 1}}}]
    (material,) = built({"emissiveTexture": {"index": 0}}, textures=textures).materials
    assert material.emissive_texture == TextureRef(1)


def test_a_texture_without_an_image_is_left_out():
    textures = [{"extensions": {"MSFT_texture_dds": {"source": 1}}}]
    model = built({"emissiveTexture": {"index": 0}}, textures=textures)
    assert model.materials[0].emissive_texture is None
    warning_start = "/materials/0/emissiveTexture: texture 0 has no supported image"
    assert any(warning_start in warning for warning in model.warnings)


@pytest.mark.parametrize("override", [False, True])
@pytest.mark.parametrize("row", TEXTURES.values(), ids=list(TEXTURES))
def test_sets_of_texture_coordinates_in_every_slot(row, override):
    """Textures with a set that is drawn have it; others are left out, with one warning."""
    for number in range(TEXCOORD_SETS + 2):
        info = {"index": 0, "texCoord": number}
        if override:
            transform = {"texCoord": number}
            info |= {"texCoord": 1, "extensions": {"KHR_texture_transform": transform}}
        material = info
        for key in reversed(row.path.split("/")):
            material = {key: material}
        model = built(material)
        if number < TEXCOORD_SETS:
            assert model.materials[0].value(row.name) == TextureRef(0, texcoord=number)
            assert not any("TEXCOORD" in warning for warning in model.warnings)
            continue
        assert model.materials[0].value(row.name) is None
        (warning,) = (warning for warning in model.warnings if "TEXCOORD" in warning)
        assert warning == (
            f"/materials/0/{row.path}: texture 0 needs TEXCOORD_{number}, but only TEXCOORD_0 to "
            "TEXCOORD_3 are drawn; it is not shown"
        )
