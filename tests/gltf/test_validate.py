import base64

import pytest

from rigview.errors import AppError, GltfError, UnsupportedError
from rigview.gltf.schema import FIELDS, LARGEST, MAX_INT, NUMBER, UNSIGNED
from rigview.gltf.validate import SUPPORTED
from rigview.loading.load import load
from tests.support.gltf_documents import Builder, make_glb

WRONG = [None, True, -1, 1.5, 2**63, 10**400, "x", [], {}, [None], [{}], {"a": None}, 1e300]


TRIANGLE = (  # a Draco stream
    "RFJBQ08CAgEBAAAAAwEAAQAAAQf/AREB/wAAAQAJAwAAAgABAQADA1UVrSoDBHCBMRAAAAAA/wAAAAAA"
    "AAAAAAAAAAAAAAAAgD8I"
)


def add_compressed(b):
    """Add a Draco primitive and meshopt views."""
    stream = b.view(base64.b64decode(TRIANGLE))
    attributes = {"POSITION": b.add("accessors", componentType=5126, count=3, type="VEC3")}
    indices = b.add("accessors", componentType=5125, count=3, type="SCALAR")
    packed = {"bufferView": stream, "attributes": {"POSITION": 0}}
    primitive = {"attributes": attributes, "indices": indices, "targets": [{}]}
    primitive["extensions"] = {"KHR_draco_mesh_compression": packed}
    b.json["meshes"][0]["primitives"].append(primitive)
    for name in ("EXT_meshopt_compression", "KHR_meshopt_compression"):
        begin = b.json["bufferViews"][b.view(b"\xa0" + bytes(36))]["byteOffset"]
        packed = {"buffer": 0, "byteOffset": begin, "byteLength": 37, "byteStride": 4, "count": 1}
        packed |= {"mode": "ATTRIBUTES", "filter": "NONE"}
        b.add("bufferViews", buffer=0, byteLength=4, extensions={name: packed})


def full():
    """Return a document with every object of the schema."""
    b = Builder()
    b.json |= {
        "extensionsUsed": sorted(SUPPORTED),
        "extensions": {
            "KHR_lights_punctual": {
                "lights": [
                    {
                        "name": "Key",
                        "type": "spot",
                        "color": [1, 1, 1],
                        "intensity": 5,
                        "range": 5,
                        "spot": {"innerConeAngle": 0.1, "outerConeAngle": 0.7},
                    }
                ]
            },
            "KHR_materials_variants": {"variants": [{"name": "Night"}]},
        },
        "scene": 0,
        "scenes": [{"nodes": [0], "name": "Scene"}],
    }
    b.json["asset"] |= {"generator": "test", "copyright": "none", "minVersion": "2.0"}
    info = {
        "index": 0,
        "texCoord": 0,
        "extensions": {
            "KHR_texture_transform": {
                "offset": [0, 1],
                "rotation": 1,
                "scale": [1, 1],
                "texCoord": 0,
            }
        },
    }
    b.add("images", uri="data:,x", mimeType="image/png", name="Picture")
    b.add("images", bufferView=b.view(b"x"), name="Packed")
    b.add("samplers", magFilter=9728, minFilter=9729, wrapS=10497, wrapT=33071)
    b.add("textures", sampler=0, source=0, extensions={"EXT_texture_webp": {"source": 0}})
    b.add("textures", source=0, extensions={"EXT_texture_avif": {"source": 0}})
    b.add("textures", extensions={"KHR_texture_basisu": {"source": 0}})
    b.add(
        "materials",
        name="Skin",
        pbrMetallicRoughness={
            "baseColorFactor": [1, 1, 1, 1],
            "baseColorTexture": info,
            "metallicFactor": 1,
            "roughnessFactor": 1,
            "metallicRoughnessTexture": info,
        },
        normalTexture=info | {"scale": 1},
        occlusionTexture=info | {"strength": 1},
        emissiveTexture=info,
        emissiveFactor=[0, 0, 0],
        alphaMode="MASK",
        alphaCutoff=0.5,
        doubleSided=True,
        extensions={
            "KHR_materials_clearcoat": {
                "clearcoatFactor": 1,
                "clearcoatTexture": info,
                "clearcoatRoughnessFactor": 0.5,
                "clearcoatRoughnessTexture": info,
                "clearcoatNormalTexture": info | {"scale": 1},
            },
            "KHR_materials_anisotropy": {
                "anisotropyStrength": 0.5,
                "anisotropyRotation": 1,
                "anisotropyTexture": info,
            },
            "KHR_materials_diffuse_transmission": {
                "diffuseTransmissionFactor": 0.5,
                "diffuseTransmissionTexture": info,
                "diffuseTransmissionColorFactor": [1, 1, 1],
                "diffuseTransmissionColorTexture": info,
            },
            "KHR_materials_dispersion": {"dispersion": 0.5},
            "KHR_materials_emissive_strength": {"emissiveStrength": 2},
            "KHR_materials_iridescence": {
                "iridescenceFactor": 1,
                "iridescenceTexture": info,
                "iridescenceIor": 1.3,
                "iridescenceThicknessMinimum": 100,
                "iridescenceThicknessMaximum": 400,
                "iridescenceThicknessTexture": info,
            },
            "KHR_materials_ior": {"ior": 1.3},
            "KHR_materials_sheen": {
                "sheenColorFactor": [1, 1, 1],
                "sheenColorTexture": info,
                "sheenRoughnessFactor": 0.5,
                "sheenRoughnessTexture": info,
            },
            "KHR_materials_specular": {
                "specularFactor": 1,
                "specularTexture": info,
                "specularColorFactor": [1, 1, 1],
                "specularColorTexture": info,
            },
            "KHR_materials_transmission": {
                "transmissionFactor": 1,
                "transmissionTexture": info,
            },
            "KHR_materials_unlit": {},
            "KHR_materials_volume": {
                "thicknessFactor": 0.5,
                "thicknessTexture": info,
                "attenuationDistance": 2,
                "attenuationColor": [1, 0.5, 0.5],
            },
        },
    )
    sparse = {
        "count": 1,
        "indices": {"bufferView": b.view(b"\0\0"), "byteOffset": 0, "componentType": 5121},
        "values": {"bufferView": b.view(bytes(12)), "byteOffset": 0},
    }
    b.mesh(
        {
            "JOINTS_0": b.accessor([[0, 0, 0, 0]] * 3, "uint8"),
            "WEIGHTS_0": b.accessor([[1, 0, 0, 0]] * 3),
        },
        indices=b.accessor([0, 1, 2], "uint8", byteOffset=0, normalized=False),
        material=0,
        mode=4,
        extensions={"KHR_materials_variants": {"mappings": [{"material": 0, "variants": [0]}]}},
        targets=[{"POSITION": b.accessor([[0, 0, 0]] * 3, sparse=sparse)}],
    )
    b.json["meshes"][0] |= {"name": "Body", "weights": [0], "extras": {"targetNames": ["smile"]}}
    b.add("nodes", name="Root", children=[1, 2, 3], translation=[0, 0, 0], scale=[1, 1, 1])
    b.add("nodes", mesh=0, skin=0, weights=[0], rotation=[0, 0, 0, 1])
    b.add("nodes", matrix=[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], camera=0)
    extensions = {
        "KHR_lights_punctual": {"light": 0},
        "KHR_node_visibility": {"visible": True},
        "EXT_mesh_gpu_instancing": {"attributes": {}},
    }
    b.add("nodes", camera=1, extensions=extensions)
    bind = b.accessor([[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]])
    b.add("skins", joints=[2], inverseBindMatrices=bind, skeleton=0, name="Skin")
    perspective = {"yfov": 1, "znear": 0.1, "zfar": 10, "aspectRatio": 1.5}
    b.add("cameras", type="perspective", perspective=perspective, name="Front")
    b.add(
        "cameras", type="orthographic", orthographic={"xmag": 1, "ymag": 1, "znear": 0, "zfar": 9}
    )
    b.animation((1, "weights", [0, 1], [[0], [1]], "LINEAR"), name="Smile")
    b.json["bufferViews"][3]["byteStride"] = 4
    add_compressed(b)
    pointer = {"pointer": "/materials/0/alphaCutoff"}
    target = {"path": "pointer", "extensions": {"KHR_animation_pointer": pointer}}
    b.json["animations"][0]["channels"].append({"sampler": 0, "target": target})
    return b


def walk(value, path=()):
    """Yield the path of every value in a document, containers included."""
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from walk(value[key], (*path, key))


def error_of(data):
    """Return the error of a file, "" if it loads; other exceptions than AppError propagate."""
    try:
        load(data)
    except AppError as error:
        return str(error)
    return ""


def test_full_document_is_valid():
    pytest.importorskip("DracoPy", reason="the extra “draco” is not installed")
    pytest.importorskip("opengl_basisu", reason="the extra “basisu” is not installed")
    model = full().load()
    rigid = "/nodes/1/skin: a primitive of its mesh has no JOINTS_0 and stays rigid"
    assert model.warnings == [rigid]
    assert len(model.cameras) == 2


def test_the_full_document_has_every_property_of_the_schema():
    document = full().document
    document["extensionsRequired"] = []
    names = ("EXT_meshopt_compression", "KHR_meshopt_compression")
    document["buffers"][0] |= {"uri": "", "extensions": {n: {"fallback": True} for n in names}}

    def lacking(value, fields, path):
        for field in fields:
            found = [row[field.name] for row in value if field.name in row]
            if not found:
                yield f"{path}/{field.name}"
            elif field.rule is None:
                rows = [x for rows in found for x in rows] if field.is_array else found
                yield from lacking(rows, field.fields, f"{path}/{field.name}")

    assert list(lacking([document], FIELDS, "")) == []


def test_any_wrong_type_raises_a_one_line_error():
    document = full().document
    blob = bytes(full().blob)
    failed = 0
    holder = {"whole": document}
    for path in list(walk(document)):
        *above, key = ("whole", *path)
        owner = holder
        for part in above:
            owner = owner[part]
        before = owner[key]
        for wrong in WRONG:
            owner[key] = wrong
            if message := error_of(make_glb(holder["whole"], blob)):
                failed += 1
                assert len(message) < 400
                assert len(message.splitlines()) == 1
        owner[key] = before
    assert failed > 1500


@pytest.mark.parametrize(
    ("path", "value", "place", "words"),
    [
        (("nodes", 1, "mesh"), 7, "/nodes/1/mesh", "there are 1"),
        (("nodes", 1, "mesh"), -1, "/nodes/1/mesh", "not -1"),
        (("nodes", 1, "mesh"), "0", "/nodes/1/mesh", '"0"'),
        (("nodes", 0, "children"), [1, 2, 9], "/nodes/0/children/2", "there are 4"),
        (("nodes", 0, "scale"), [1, 1], "/nodes/0/scale", "3 numbers, not an array of 2"),
        (("nodes", 0, "scale"), [1, "1", 1], "/nodes/0/scale/1", "3 numbers"),
        (("nodes", 0, "scale"), [1, -1e30, 1], "/scale/1", "-1e+30 is too large: at most 1e+18"),
        (("nodes", 2, "matrix", 3), None, "/nodes/2/matrix/3", "null"),
        (("meshes", 0, "primitives", 0, "attributes", "POSITION"), 99, "POSITION", "accessors"),
        (("meshes", 0, "primitives", 0, "targets", 0, "POSITION"), 99, "targets/0/POSITION", "99"),
        (("meshes", 0, "primitives", 0, "mode"), 7, "/meshes/0/primitives/0/mode", "one of 0, 1"),
        (("skins", 0, "joints"), [], "/skins/0/joints", "indices"),
        (("animations", 0, "channels", 0, "sampler"), 1, "/channels/0/sampler", "no sampler 1"),
        (("animations", 0, "channels", 0, "target", "node"), 4, "/target/node", "there are 4"),
        (("animations", 0, "samplers", 0, "interpolation"), "SPLINE", "/interpolation", "SPLINE"),
        (("accessors", 0, "count"), -1, "/accessors/0/count", "≥ 0"),
        (("accessors", 0, "count"), 4_000_000_000, "/accessors/0", "ends at byte"),
        (("accessors", 0, "count"), 2**64, "/accessors/0/count", f"at most {MAX_INT} is"),
        (("accessors", 0, "componentType"), 5124, "/accessors/0/componentType", "5126"),
        (("bufferViews", 0, "byteLength"), 10**6, "/bufferViews/0", "ends at byte"),
        (("bufferViews", 3, "byteStride"), 2, "/accessors/0", "a stride of 2"),
        (("scene",), 1, "/scene", "there are 1"),
        (("asset", "version"), None, "/asset/version", "missing"),
        (("materials", 0, "alphaMode"), "GLASS", "/materials/0/alphaMode", "OPAQUE"),
    ],
)
def test_errors_have_a_place_and_a_reason(path, value, place, words):
    b = full()
    target = b.json
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    with pytest.raises(GltfError) as caught:
        b.load()
    assert place in caught.value.place
    assert words in str(caught.value)
    assert caught.value.file == "<bytes>"


def test_error_of_a_missing_property():
    b = full()
    del b.json["accessors"][3]["componentType"]
    with pytest.raises(GltfError) as caught:
        b.load()
    assert caught.value.place == "/accessors/3/componentType"


def test_a_tilde_or_slash_in_a_name_is_escaped():
    b = full()
    b.json["meshes"][0]["primitives"][0]["attributes"]["_A/B~"] = -1
    with pytest.raises(GltfError) as caught:
        b.load()
    assert caught.value.place.endswith("/attributes/_A~1B~0")


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ([{"children": [0]}], "ancestor"),
        ([{"children": [1]}, {"children": [0]}], "ancestor"),
        ([{"children": [1]}, {"children": [2]}, {"children": [1]}], "two parents"),
        ([{}, {"children": [2]}, {"children": [3]}, {"children": [1]}], "ancestor"),
        ([{"children": [2]}, {"children": [2]}, {}], "two parents, 0 and 1"),
        ([{"children": [1, 1]}, {}], "two parents"),
    ],
)
def test_invalid_node_hierarchies_raise(nodes, words):
    with pytest.raises(GltfError, match=words) as caught:
        load(make_glb({"asset": {"version": "2.0"}, "nodes": nodes}))
    assert caught.value.place.startswith("/nodes/")


def test_a_chain_of_many_nodes_needs_no_recursion():
    count = 5000
    nodes = [{"children": [n + 1]} for n in range(count - 1)] + [{}]
    model = load(make_glb({"asset": {"version": "2.0"}, "nodes": nodes}))
    assert model.skeleton.count == count


@pytest.mark.parametrize("version", ["1.0", "3.0", "", "x"])
def test_other_versions_are_not_supported(version):
    if version == "":
        load(make_glb({"asset": {"version": "2.0", "minVersion": ""}}))
        return
    with pytest.raises(UnsupportedError, match="version"):
        load(make_glb({"asset": {"version": version}}))


def test_a_later_minor_version_loads():
    load(make_glb({"asset": {"version": "2.1"}}))
    with pytest.raises(UnsupportedError):
        load(make_glb({"asset": {"version": "2.1", "minVersion": "3.0"}}))


def test_files_that_need_a_later_minor_version_are_refused():
    with pytest.raises(UnsupportedError, match=r"version 2\.1") as caught:
        load(make_glb({"asset": {"version": "2.1", "minVersion": "2.1"}}))
    assert caught.value.place == "/asset/minVersion"


@pytest.mark.parametrize("name", ["EXT_mesh_features", "X_y"])
def test_required_extension_raises_with_a_hint(name):
    with pytest.raises(UnsupportedError) as caught:
        load(make_glb({"asset": {"version": "2.0"}, "extensionsRequired": [name]}))
    assert name in str(caught.value)
    assert caught.value.place == "/extensionsRequired/0"
    assert caught.value.hint


def test_optional_extension_warns_and_is_listed():
    used = ["KHR_texture_transform", "KHR_materials_volume_scatter", "VRM", "VRM"]
    model = load(make_glb({"asset": {"version": "2.0"}, "extensionsUsed": used}))
    assert model.facts.not_drawn == ("KHR_materials_volume_scatter", "VRM")
    assert model.facts.extensions_used == tuple(used)
    assert [w.split(":")[0] for w in model.warnings] == ["/extensionsUsed/1", "/extensionsUsed/2"]


def test_supported_extensions_may_be_required():
    names = sorted(SUPPORTED)
    model = load(make_glb({"asset": {"version": "2.0"}, "extensionsRequired": names}))
    assert model.warnings == []


def test_rule_accepts_columns_and_single_values():
    for value, valid in ((0, True), (MAX_INT, True), (MAX_INT + 1, False), (1.0, False)):
        assert UNSIGNED.accepts([value]) is valid
        assert UNSIGNED.accepts([1, value, 2]) is valid
    for number, valid in ((1e18, True), (2e18, False), (True, False), (-LARGEST, True)):
        assert NUMBER.accepts([0, number]) is valid
