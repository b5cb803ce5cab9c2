"""Unsupported extensions: they are listed with warnings, and loading continues."""

import pytest

from rigview.errors import UnsupportedError
from rigview.loading.load import load
from tests.support.gltf_documents import Builder, make_glb

VENDORS = {  # unsupported extensions by the kind of object that has them
    "scene": {"EXT_lights_image_based": {"light": 0}},
    "node": {
        "KHR_node_hoverability": {"hoverable": False},
        "KHR_node_selectability": {"selectable": False},
        "MSFT_lod": {"ids": [0]},
        "VRMC_node_constraint": {"specVersion": "1.0"},
        "VENDOR_sparkle": None,
    },
    "material": {
        "KHR_materials_pbrSpecularGlossiness": {"glossinessFactor": 1},
        "KHR_materials_volume_scatter": {"multiscatterColor": [1, 1, 1]},
        "VRMC_materials_mtoon": {"specVersion": "1.0", "shadeColorFactor": "pink"},
    },
    "texture": {"MSFT_texture_dds": {"source": 0}},
    "primitive": {"CESIUM_primitive_outline": {"indices": 0}},
    "document": {
        "KHR_xmp_json_ld": {"packets": [{"dc:title": "x"}]},
        "VRM": {"humanoid": {"humanBones": []}},
        "VRMC_springBone": {"springs": []},
        "VRMC_vrm": {"specVersion": "1.0"},
    },
}
NAMES = [name for held in VENDORS.values() for name in held]


def file_with_extensions(**lists):
    """Return a file with all of these extensions."""
    b = Builder()
    mesh = b.mesh(extensions=VENDORS["primitive"])
    b.json["meshes"][mesh]["primitives"][0]["material"] = 0
    b.add("nodes", mesh=mesh, extensions=VENDORS["node"])
    b.add("scenes", nodes=[0], extensions=VENDORS["scene"])
    b.add("materials", extensions=VENDORS["material"])
    b.add("images", uri="data:,x")
    b.add("textures", source=0, extensions=VENDORS["texture"])
    b.json |= {"extensions": VENDORS["document"]} | lists
    return b


def test_unsupported_extensions_are_listed_with_warnings():
    model = file_with_extensions(extensionsUsed=NAMES).load()
    assert model.facts.not_drawn == tuple(NAMES)
    assert model.warnings == [
        f"/extensionsUsed/{k}: {name} is not supported; its content is not shown"
        for k, name in enumerate(NAMES)
    ]
    assert len(model.instances) == 1


def test_extensions_missing_in_extensions_used_are_found():
    model = file_with_extensions().load()
    assert sorted(model.facts.not_drawn) == sorted(NAMES)
    assert sorted(model.warnings) == sorted(
        f"/extensionsUsed: {name} is not supported, and not listed here; its content is not shown"
        for name in NAMES
    )


@pytest.mark.parametrize("name", NAMES)
def test_required_unsupported_extension_raises(name):
    with pytest.raises(UnsupportedError, match=name) as caught:
        file_with_extensions(
            extensionsUsed=NAMES, extensionsRequired=["KHR_mesh_quantization", name]
        ).load()
    assert caught.value.place == "/extensionsRequired/1"


@pytest.mark.parametrize("value", [None, 1, "x", [], ["VENDOR_a"], {}, {"VENDOR_a": 7}])
def test_unknown_extensions_may_have_any_value(value):
    json = {"asset": {"version": "2.0"}, "samplers": [{"extensions": value}], "more": [value]}
    found = load(make_glb(json)).facts.not_drawn
    assert found == (("VENDOR_a",) if value == {"VENDOR_a": 7} else ())
