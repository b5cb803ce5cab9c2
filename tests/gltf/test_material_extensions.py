"""KHR_materials extensions: reading, animation, differences."""

from types import SimpleNamespace

import numpy as np
import pytest

from rigview.checks.rules.mesh_geometry import texture_sets
from rigview.checks.stored_meshes import StoredPrimitive
from rigview.cli.main import main
from rigview.differences.materials import material_changes
from rigview.differences.objects import Matching, match_objects, names_of, where
from rigview.errors import GltfError
from rigview.gltf.document import parse
from rigview.gltf.materials import normal_maps
from rigview.loading.load import load
from rigview.model.material import (
    Anisotropy,
    Clearcoat,
    DiffuseTransmission,
    Dispersion,
    Iridescence,
    Material,
    Sheen,
    Specular,
    Transmission,
    Volume,
)
from rigview.model.pointer_values import PointerValues
from rigview.model.statistics import describe
from rigview.pages.file_statistics import tables
from tests.support.material_extension_files import (
    ANISOTROPY,
    CLEARCOAT,
    DIFFUSE_TRANSMISSION,
    DISPERSION,
    IOR,
    IRIDESCENCE,
    SHEEN,
    SPECULAR,
    TRANSMISSION,
    VOLUME,
    ExtensionBuilder,
    every_extension,
)

LAYERS = (
    *("specular", "clearcoat", "sheen", "transmission", "volume", "dispersion"),
    *("diffuse_transmission", "anisotropy", "iridescence"),
)
OFFSET = "extensions/KHR_texture_transform/offset"


@pytest.fixture(scope="module")
def full():
    return every_extension().load()


def check_texture(ref, image, **fields):
    assert (ref.image, ref.texcoord, ref.offset) == (
        image,
        fields.get("texcoord", 0),
        fields.get("offset", (0.0, 0.0)),
    )


def test_every_factor_and_texture_is_read(full):
    material = full.materials[0]
    assert full.warnings == []
    assert material.ior == 1.3
    specular, coat, sheen = material.specular, material.clearcoat, material.sheen
    assert (specular.factor, specular.color) == (0.5, (1, 0.5, 2))
    assert (coat.factor, coat.roughness, coat.normal_scale) == (0.75, 0.5, 0.5)
    assert (sheen.color, sheen.roughness) == ((0.25, 0.5, 1), 0.5)
    assert material.transmission.factor == 0.5
    check_texture(specular.texture, 0)
    check_texture(specular.color_texture, 1, texcoord=1, offset=(0.25, 0))
    check_texture(coat.texture, 2)
    check_texture(coat.roughness_texture, 3)
    check_texture(coat.normal_texture, 4)
    check_texture(sheen.color_texture, 5, texcoord=1)
    check_texture(sheen.roughness_texture, 6)
    check_texture(material.transmission.texture, 7)
    volume = material.volume
    assert (volume.thickness, volume.attenuation_distance) == (0.25, 2)
    assert volume.attenuation_color == (0.5, 0.25, 1)
    check_texture(volume.thickness_texture, 8)
    assert material.dispersion == Dispersion(0.75)
    through, stretched, film = (
        material.diffuse_transmission,
        material.anisotropy,
        material.iridescence,
    )
    assert (through.factor, through.color) == (0.25, (1, 0.5, 0.25))
    check_texture(through.texture, 9)
    check_texture(through.color_texture, 10)
    assert (stretched.strength, stretched.rotation) == (0.5, 0.25)
    check_texture(stretched.texture, 11)
    assert (film.factor, film.ior) == (0.5, 1.75)
    assert (film.thickness_minimum, film.thickness_maximum) == (200, 500)
    check_texture(film.texture, 12)
    check_texture(film.thickness_texture, 13)


def test_an_extension_without_properties_has_the_extensions_defaults():
    b = ExtensionBuilder()
    b.extended(ior={}, **{name: {} for name in LAYERS})
    (material,) = b.load().materials
    assert material == Material(
        name="Material 0",
        metallic=0,
        specular=Specular(1.0, None, (1, 1, 1)),
        clearcoat=Clearcoat(0.0, roughness=0.0),
        sheen=Sheen((0, 0, 0), roughness=0.0),
        transmission=Transmission(0.0),
        volume=Volume(0.0, None, 0.0, (1, 1, 1)),
        dispersion=Dispersion(0.0),
        diffuse_transmission=DiffuseTransmission(0.0, None, (1, 1, 1)),
        anisotropy=Anisotropy(0.0, 0.0),
        iridescence=Iridescence(0.0, None, 1.3, 100.0, 400.0),
    )
    b = ExtensionBuilder()
    b.extended()
    plain = b.load().materials[0]
    assert plain.ior == 1.5
    assert {plain.value(name) for name in LAYERS} == {None}
    assert plain.textures == {}


def test_textures_of_all_extensions_are_listed(full):
    textures = full.materials[0].textures
    assert textures["clearcoat.normal_texture"].image == 4
    assert sorted(ref.image for ref in textures.values()) == list(range(14))
    assert normal_maps(full.materials) == {4}


def test_facts_list_extensions_and_their_textures(full):
    (description,) = describe(full)["materials"]
    assert description["layers"] == [name.replace("_", " ") for name in LAYERS]
    assert description["ior"] == 1.3
    assert description["textures"]["specular colour"] == 1
    assert description["textures"]["clearcoat normal"] == 4
    assert len(description["textures"]) == 14
    assert describe(full)["gpu_bytes"]["textures"] == 7 * round(4 * 4 * 4 / 3), (
        "equal ones are one texture"
    )


@pytest.mark.parametrize(
    ("name", "row", "message"),
    [
        ("ior", {"ior": "glass"}, "must be a number"),
        ("clearcoat", {"clearcoatTexture": {}}, "required, but missing"),
        ("clearcoat", {"clearcoatTexture": {"index": 3}}, "index into textures"),
        ("sheen", {"sheenColorFactor": [1, 1]}, "must be 3 numbers"),
        ("specular", {"specularColorFactor": 1}, "must be 3 numbers"),
        ("transmission", {"transmissionFactor": True}, "must be a number"),
        ("transmission", [], "must be an object"),
        ("volume", {"attenuationColor": [1, 1, 1, 1]}, "must be 3 numbers"),
        ("volume", {"thicknessTexture": {"index": 3}}, "index into textures"),
        ("dispersion", {"dispersion": []}, "must be a number"),
        ("diffuse_transmission", {"diffuseTransmissionColorFactor": [1]}, "must be 3 numbers"),
        ("anisotropy", {"anisotropyTexture": {"index": 3}}, "index into textures"),
        ("iridescence", {"iridescenceIor": "soap"}, "must be a number"),
    ],
)
def test_errors_have_a_json_pointer(name, row, message):
    b = ExtensionBuilder()
    b.extended(**{name: row})
    with pytest.raises(GltfError) as caught:
        b.load()
    assert message in str(caught.value)
    assert caught.value.place.startswith(f"/materials/0/extensions/KHR_materials_{name}")


def test_checks_include_textures_of_extensions():
    document = parse(every_extension().glb(), "a.glb", None, None)
    primitive = StoredPrimitive(0, "/meshes/0/primitives/0", {"material": 0})
    sets = dict(texture_sets(SimpleNamespace(document=document), primitive))
    assert sets["clearcoatNormalTexture"] == 0
    assert sets["specularColorTexture"] == sets["sheenColorTexture"] == 1
    assert len(sets) == 14


FACTORS = {
    f"{IOR}/ior": (lambda m: m.ior, [1.3]),
    f"{SPECULAR}/specularFactor": (lambda m: m.specular.factor, [0.5]),
    f"{SPECULAR}/specularColorFactor": (lambda m: m.specular.color, [1, 0.5, 2]),
    f"{CLEARCOAT}/clearcoatFactor": (lambda m: m.clearcoat.factor, [0.75]),
    f"{CLEARCOAT}/clearcoatRoughnessFactor": (lambda m: m.clearcoat.roughness, [0.5]),
    f"{CLEARCOAT}/clearcoatNormalTexture/scale": (lambda m: m.clearcoat.normal_scale, [0.5]),
    f"{SHEEN}/sheenColorFactor": (lambda m: m.sheen.color, [0.25, 0.5, 1]),
    f"{SHEEN}/sheenRoughnessFactor": (lambda m: m.sheen.roughness, [0.5]),
    f"{TRANSMISSION}/transmissionFactor": (lambda m: m.transmission.factor, [0.5]),
    f"{TRANSMISSION}/transmissionTexture/{OFFSET}": (
        lambda m: m.transmission.texture.offset,
        [0, 0],
    ),
    f"{VOLUME}/thicknessFactor": (lambda m: m.volume.thickness, [0.25]),
    f"{VOLUME}/attenuationDistance": (lambda m: m.volume.attenuation_distance, [2]),
    f"{VOLUME}/attenuationColor": (lambda m: m.volume.attenuation_color, [0.5, 0.25, 1]),
    f"{DISPERSION}/dispersion": (lambda m: m.dispersion.factor, [0.75]),
    f"{DIFFUSE_TRANSMISSION}/diffuseTransmissionFactor": (
        lambda m: m.diffuse_transmission.factor,
        [0.25],
    ),
    f"{DIFFUSE_TRANSMISSION}/diffuseTransmissionColorFactor": (
        lambda m: m.diffuse_transmission.color,
        [1, 0.5, 0.25],
    ),
    f"{ANISOTROPY}/anisotropyStrength": (lambda m: m.anisotropy.strength, [0.5]),
    f"{ANISOTROPY}/anisotropyRotation": (lambda m: m.anisotropy.rotation, [0.25]),
    f"{IRIDESCENCE}/iridescenceFactor": (lambda m: m.iridescence.factor, [0.5]),
    f"{IRIDESCENCE}/iridescenceIor": (lambda m: m.iridescence.ior, [1.75]),
    f"{IRIDESCENCE}/iridescenceThicknessMinimum": (
        lambda m: m.iridescence.thickness_minimum,
        [200],
    ),
    f"{IRIDESCENCE}/iridescenceThicknessMaximum": (
        lambda m: m.iridescence.thickness_maximum,
        [500],
    ),
    f"{SPECULAR}/specularColorTexture/{OFFSET}": (
        lambda m: m.specular.color_texture.offset,
        [0.25, 0],
    ),
}


def test_factors_and_uv_transforms_of_extensions_are_animated():
    b = every_extension()
    keys = {f"/materials/0/extensions/{name}": rest for name, (_, rest) in FACTORS.items()}
    ends = {name: [1.5] if name.endswith("/ior") else [1] * len(x) for name, x in keys.items()}
    b.pointer(*[(name, [0, 1], [keys[name], ends[name]]) for name in keys])
    model = b.load()
    assert model.warnings == []
    moving, rest = PointerValues(model), model.skeleton.rest.values
    resting, moved = moving.material(0, rest), rest.copy()
    for channel in model.channels:
        np.testing.assert_allclose(channel.default, keys[channel.pointer], atol=1e-6)
        read_value = FACTORS[channel.pointer.removeprefix("/materials/0/extensions/")][0]
        np.testing.assert_allclose(read_value(resting), read_value(model.materials[0]), atol=1e-6)
        moved[channel.slice] = 1.2
    material = moving.material(0, moved)
    one = np.float32(1.2)
    assert material.ior == material.specular.color[0] == material.clearcoat.normal_scale == one
    assert material.specular.factor == material.clearcoat.factor == 1.0, "never above"
    assert material.anisotropy.strength == material.iridescence.factor == 1.0
    assert material.anisotropy.rotation == material.iridescence.ior == one
    assert material.sheen.color == (1, 1, 1)
    assert material.transmission.texture.offset == (one, one)
    assert material.clearcoat.texture == model.materials[0].clearcoat.texture


def test_animated_ior_is_zero_or_at_least_one():
    for rest, expected in ((0, 0), (1.4, 1.0)):
        b = ExtensionBuilder()
        b.extended(ior={"ior": rest})
        b.pointer((f"/materials/0/extensions/{IOR}/ior", [0, 1], [1.4, 0.5]))
        model = b.load()
        assert PointerValues(model).material(0, np.array([0.5], np.float32)).ior == expected


def test_missing_extension_cannot_be_animated():
    b = ExtensionBuilder()
    b.extended()
    b.pointer((f"/materials/0/extensions/{CLEARCOAT}/clearcoatFactor", [0, 1], [0, 1]))
    model = b.load()
    assert model.channels == ()
    assert f"material 0 has no extensions/{CLEARCOAT}" in model.warnings[-1]


def same_numbers(one, two):
    return match_objects(names_of(one, two), {"same number": where(int.__eq__)})


def changes_of(a, b, images):
    return list(material_changes(a, b, same_numbers(a.materials, b.materials), images))


def changes(one, two):
    models = []
    for row in (one, two):
        b = ExtensionBuilder()
        b.extended(**row)
        models.append(b.load())
    images = Matching(names_of(*(model.images for model in models)))
    return [(each.field, each.before, each.after) for each in changes_of(*models, images)]


def test_differences_of_extensions_by_factor():
    coats = {"clearcoat": {"clearcoatFactor": 1}}, {"clearcoat": {"clearcoatRoughnessFactor": 0.5}}
    assert changes(*coats) == [("clearcoat", 1.0, 0.0), ("clearcoat roughness", 0.0, 0.5)]
    assert changes({}, {"sheen": {}}) == [("sheen", "none", "there")]
    assert changes({"ior": {"ior": 1.2}}, {}) == [("index of refraction", 1.2, 1.5)]
    both = {"specular": {"specularFactor": 0.5}}
    assert changes(both, both) == []
    clear = {"volume": {"attenuationDistance": 2}}, {"volume": {}}
    assert changes(*clear) == [("volume attenuation distance", 2.0, 0.0)]


def test_difference_of_a_uv_transform_of_an_extension():
    models = []
    for offset in ([0, 0], [0.5, 0]):
        b = ExtensionBuilder()
        place = {"extensions": {"KHR_texture_transform": {"offset": offset}}}
        b.extended(transmission={"transmissionTexture": b.shade(255, 0, 0, 255) | place})
        models.append(b.load())
    images = same_numbers(*(model.images for model in models))
    (description,) = changes_of(*models, images)
    assert description.field == "transmission texture, offset"
    assert (description.before, description.after) == ((0.0, 0.0), (0.5, 0.0))


def test_textures_of_extensions_without_an_image_are_left_out():
    b = ExtensionBuilder()
    b.add("textures", extensions={"MSFT_texture_dds": {"source": 1}})
    b.extended(transmission={"transmissionTexture": {"index": 0}})
    model = b.load()
    assert model.materials[0].transmission.texture is None
    place = f"/materials/0/extensions/{TRANSMISSION}/transmissionTexture"
    assert any(warning.startswith(place) for warning in model.warnings)


def test_attenuation_without_a_distance_is_endless():
    b = ExtensionBuilder()
    b.extended(volume={"attenuationColor": [0.1, 0.2, 0.3]})
    model = b.load()
    assert model.materials[0].volume == Volume(attenuation_color=(0.1, 0.2, 0.3))
    assert model.facts.not_drawn == ()
    assert model.warnings == []


def test_baking_preserves_extensions_and_their_animation(tmp_path):
    b = every_extension()
    b.pointer((f"/materials/0/extensions/{CLEARCOAT}/clearcoatFactor", [0, 0.5, 1], [0, 0.5, 1]))
    source, target = b.path(tmp_path), tmp_path / "baked.glb"
    assert main(["bake", str(source), "-o", str(target)]) == 0
    before, after = load(source), load(target)
    assert before.materials == after.materials
    assert [each.pointer for each in after.channels] == [each.pointer for each in before.channels]


def test_info_and_the_page_list_extensions(full, capsys, tmp_path):
    assert main(["info", str(every_extension().path(tmp_path))]) == 0
    description = capsys.readouterr().out
    layers = ", ".join(LAYERS).replace("_", " ")
    assert f"{layers}, ior 1.3" in " ".join(description.split())
    assert "clearcoat normal 4" in description
    assert "Not drawn" not in description
    (table,) = (each for each in tables(describe(full)) if each.title == "Materials")
    assert "anisotropy, iridescence, ior 1.3" in table.rows[0][3]
