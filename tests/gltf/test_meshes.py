import numpy as np
import pytest

from rigview.errors import GltfError
from tests.support.gltf_documents import TRIANGLE, Builder


def only(model):
    return model.meshes[0].primitives[0]


def test_triangle_with_positions_only():
    b = Builder()
    b.mesh()
    primitive = only(b.load())
    np.testing.assert_array_equal(primitive.positions, TRIANGLE)
    assert primitive.topology == "triangles"
    assert primitive.material == -1
    assert primitive.texcoords == ()
    for nothing in ("normals", "tangents", "colors", "joints", "weights", "indices", "morph"):
        assert getattr(primitive, nothing) is None


def test_all_attributes():
    b = Builder()
    b.add("materials")
    b.mesh(
        {
            "NORMAL": b.accessor([[0, 0, 1]] * 3),
            "TANGENT": b.accessor([[1, 0, 0, -1]] * 3),
            "TEXCOORD_0": b.accessor([[0, 0], [1, 0], [0, 1]]),
            "TEXCOORD_1": b.accessor([[0, 0], [65535, 0], [0, 65535]], "uint16", normalized=True),
            "TEXCOORD_3": b.accessor([[5, 5]] * 3),
            "COLOR_0": b.accessor([[255, 0, 51]] * 3, "uint8", normalized=True),
            "_MINE": b.accessor([1, 2, 3]),
        },
        indices=b.accessor([2, 1, 0], "uint16"),
        material=0,
    )
    model = b.load()
    primitive = only(model)
    np.testing.assert_array_equal(primitive.normals, [[0, 0, 1]] * 3)
    np.testing.assert_array_equal(primitive.tangents, [[1, 0, 0, -1]] * 3)
    assert len(primitive.texcoords) == 2
    np.testing.assert_array_equal(primitive.texcoords[1], [[0, 0], [1, 0], [0, 1]])
    (warning,) = model.warnings
    assert warning.endswith("attributes/TEXCOORD_3: it is not read: the mesh has no TEXCOORD_2")
    np.testing.assert_allclose(primitive.colors, [[1, 0, 0.2, 1]] * 3)
    assert primitive.indices.dtype == np.uint32
    assert primitive.indices.tolist() == [2, 1, 0]
    assert primitive.material == 0


def test_quantized_vertices_become_float32():
    b = Builder()
    b.json["extensionsRequired"] = ["KHR_mesh_quantization"]
    view = b.view(np.array([[1, 2, 3, 0], [-4, 5, 6, 0]], np.int16).tobytes(), byteStride=8)
    common = {"bufferView": view, "count": 2, "componentType": 5122, "type": "VEC3"}
    b.add("accessors", **common)
    b.mesh(
        {
            "POSITION": 0,
            "NORMAL": b.accessor([[127, 0, 0], [0, -127, 0]], "int8", normalized=True),
            "TEXCOORD_0": b.accessor([[255, 0], [3, 4]], "uint8"),
        }
    )
    primitive = only(b.load())
    assert primitive.positions.dtype == np.float32
    np.testing.assert_array_equal(primitive.positions, [[1, 2, 3], [-4, 5, 6]])
    np.testing.assert_array_equal(primitive.normals, [[1, 0, 0], [0, -1, 0]])
    np.testing.assert_array_equal(primitive.texcoords[0], [[255, 0], [3, 4]])


@pytest.mark.parametrize(
    ("mode", "topology", "indices"),
    [
        (0, "points", None),
        (1, "lines", None),
        (2, "lines", [0, 1, 1, 2, 2, 3, 3, 0]),
        (3, "lines", [0, 1, 1, 2, 2, 3]),
        (4, "triangles", None),
        (5, "triangles", [0, 1, 2, 1, 3, 2]),
        (6, "triangles", [1, 2, 0, 2, 3, 0]),
    ],
)
def test_modes(mode, topology, indices):
    b = Builder()
    b.mesh(positions=np.eye(4, 3), mode=mode)
    b.mesh(positions=np.eye(4, 3), mode=mode, indices=b.accessor([0, 1, 2, 3], "uint8"))
    model = b.load()
    bare, indexed = (mesh.primitives[0] for mesh in model.meshes)
    assert bare.topology == indexed.topology == topology
    assert (None if bare.indices is None else bare.indices.tolist()) == indices
    plain = [0, 1, 2] if mode == 4 else [0, 1, 2, 3]
    assert indexed.indices.tolist() == (plain if indices is None else indices)


def test_primitive_restart_warns():
    b = Builder()
    b.mesh(positions=np.eye(6, 3), mode=5, indices=b.accessor([0, 1, 2, 255, 3, 4, 5], "uint8"))
    model = b.load()
    assert only(model).indices.tolist() == [0, 1, 2, 3, 4, 5]
    assert "restart" in model.warnings[0]


def test_index_255_may_be_a_vertex():
    b = Builder()
    b.mesh(positions=np.zeros((256, 3)), indices=b.accessor([0, 1, 255], "uint8"))
    model = b.load()
    assert only(model).indices.tolist() == [0, 1, 255]
    assert model.warnings == []


def test_index_out_of_range_raises():
    b = Builder()
    b.mesh(indices=b.accessor([0, 1, 3], "uint8"))
    with pytest.raises(
        GltfError, match="index 3 is out of range: the primitive has 3 vertices"
    ) as caught:
        b.load()
    assert caught.value.place == "/meshes/0/primitives/0/indices"


def test_attributes_of_unequal_count_raise():
    b = Builder()
    b.mesh({"NORMAL": b.accessor([[0, 0, 1]] * 2)})
    with pytest.raises(GltfError, match="2 elements for 3 vertices") as caught:
        b.load()
    assert caught.value.place == "/meshes/0/primitives/0/attributes/NORMAL"


@pytest.mark.parametrize(
    ("name", "values", "dtype"),
    [
        ("NORMAL", [[0, 0]] * 3, "float32"),
        ("NORMAL", [[0, 0, 1]] * 3, "uint8"),
        ("TEXCOORD_0", [[0, 0, 1]] * 3, "float32"),
        ("COLOR_0", [[0, 0, 1]] * 3, "int8"),
        ("TANGENT", [[0, 0, 1]] * 3, "float32"),
        ("POSITION", [[0, 0, 1]] * 3, "uint32"),
    ],
)
def test_wrong_attribute_type_raises(name, values, dtype):
    b = Builder()
    b.mesh({name: b.accessor(values, dtype)})
    with pytest.raises(GltfError, match="not VEC") as caught:
        b.load()
    assert caught.value.place.endswith(name)


def test_wrong_index_type_raises():
    b = Builder()
    b.mesh(indices=b.accessor([0, 1, 2], "float32"))
    with pytest.raises(GltfError, match="not SCALAR of uint8, uint16, uint32"):
        b.load()


def test_a_primitive_without_positions_is_left_out():
    b = Builder()
    b.mesh()
    b.json["meshes"][0]["primitives"].insert(0, {"attributes": {}})
    model = b.load()
    assert len(model.meshes[0].primitives) == 1
    assert "/meshes/0/primitives/0" in model.warnings[0]
    assert model.meshes[0].primitives[0].number == 1, "its number in the file"


def test_invalid_positions_become_zero():
    b = Builder()
    b.mesh(positions=[[0, 0, 0], [np.nan, 0, 0], [0, 1, 0]])
    model = b.load()
    assert np.isfinite(only(model).positions).all()
    assert "NaN, infinite or too large" in model.warnings[0]


def test_primitives_that_share_accessors_share_arrays():
    b = Builder()
    target = {"POSITION": b.accessor([[1, 0, 0]] * 3)}
    b.mesh(
        {
            "COLOR_0": b.accessor([[1, 1, 1]] * 3),
            "JOINTS_0": b.accessor([[0, 0, 0, 0]] * 3, "uint8"),
            "WEIGHTS_0": b.accessor([[1, 0, 0, 0]] * 3),
        },
        targets=[target],
    )
    b.json["meshes"][0]["primitives"] *= 2
    one, two = b.load().meshes[0].primitives
    assert one.positions is two.positions
    assert one.colors is two.colors
    assert one.joints is two.joints
    assert one.weights is two.weights
    assert one.morph.positions is two.morph.positions


def test_morph_targets():
    b = Builder()
    b.mesh(
        targets=[
            {
                "POSITION": b.accessor([[0, 0, 1]] * 3),
                "NORMAL": b.accessor([[0, 1, 0]] * 3),
                "TANGENT": b.accessor([[1, 0, 0]] * 3),
            },
            {"POSITION": b.accessor([[0, 0, 127]] * 3, "int8", normalized=True)},
        ]
    )
    b.json["meshes"][0]["extras"] = {"targetNames": ["smile", "smile"]}
    morph = only(b.load()).morph
    assert morph.names == ("smile", "smile #2")
    np.testing.assert_array_equal(morph.positions, [[[0, 0, 1]] * 3] * 2)
    np.testing.assert_array_equal(morph.normals, [[[0, 1, 0]] * 3, np.zeros((3, 3))])
    np.testing.assert_array_equal(morph.tangents, [[[1, 0, 0]] * 3, np.zeros((3, 3))])


@pytest.mark.parametrize(
    ("extras", "names"),
    [
        (None, ("Target 0", "Target 1")),
        ("x", ("Target 0", "Target 1")),
        ({"targetNames": "ab"}, ("Target 0", "Target 1")),
        ({"targetNames": ["a"]}, ("a", "Target 1")),
        ({"targetNames": [3, "b", "c"]}, ("Target 0", "b")),
    ],
)
def test_target_names(extras, names):
    b = Builder()
    b.mesh(targets=[{"POSITION": b.accessor([[0, 0, 1]] * 3)}, {}])
    b.json["meshes"][0]["extras"] = extras
    assert only(b.load()).morph.names == names


def test_targets_with_normals_only_have_no_displacement():
    b = Builder()
    b.mesh(targets=[{"NORMAL": b.accessor([[0, 1, 0]] * 3)}])
    morph = only(b.load()).morph
    np.testing.assert_array_equal(morph.positions, np.zeros((1, 3, 3)))
    assert morph.tangents is None


def test_target_tangents_have_no_handedness():
    b = Builder()
    b.mesh(targets=[{"TANGENT": b.accessor([[1, 2, 3, 4]] * 3)}])
    model = b.load()
    np.testing.assert_array_equal(only(model).morph.tangents, [[[1, 2, 3]] * 3])
    place = "/meshes/0/primitives/0/targets/0/TANGENT"
    assert model.warnings == [f"{place}: tangent displacements must be VEC3; w is left out"]


def test_primitive_with_fewer_targets_is_padded():
    b = Builder()
    target = {"POSITION": b.accessor([[0, 0, 1]] * 3)}
    b.mesh(targets=[target, target])
    less = b.json["meshes"][0]["primitives"][0] | {"targets": [target]}
    none = {"attributes": less["attributes"]}
    b.json["meshes"][0]["primitives"] += [less, none]
    model = b.load()
    full, less, none = model.meshes[0].primitives
    assert full.morph.positions.shape == less.morph.positions.shape == (2, 3, 3)
    assert not less.morph.positions[1].any()
    assert none.morph is None
    assert "1 morph target fewer" in model.warnings[0]


def test_target_of_another_count_raises():
    b = Builder()
    b.mesh(targets=[{"POSITION": b.accessor([[0, 0, 1]] * 2)}])
    with pytest.raises(GltfError) as caught:
        b.load()
    assert caught.value.place == "/meshes/0/primitives/0/targets/0/POSITION"


def test_empty_accessors_draw_nothing():
    b = Builder()
    empty = b.add("accessors", count=0, componentType=5126, type="VEC3", bufferView=b.view(b""))
    b.mesh({"POSITION": empty})
    b.mesh(indices=b.add("accessors", count=0, componentType=5121, type="SCALAR"))
    model = b.load()
    assert [mesh.primitives for mesh in model.meshes] == [(), ()]
    assert all("has no vertices" in warning for warning in model.warnings)
