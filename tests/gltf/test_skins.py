import numpy as np
import pytest

from rigview.errors import GltfError
from tests.support.gltf_documents import Builder

MOVE = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]  # column major


def rig(matrices=None, dtype="float32"):
    b = Builder()
    b.add("nodes", children=[1])
    b.add("nodes")
    skin = {"joints": [1, 0]}
    if matrices is not None:
        skin["inverseBindMatrices"] = b.accessor(matrices, dtype, "MAT4")
    b.add("skins", **skin)
    return b


def test_matrices_are_transposed():
    (skin,) = rig([MOVE, MOVE]).load().skins
    assert skin.name == "Skin 0"
    assert skin.joints.tolist() == [1, 0]
    np.testing.assert_array_equal(skin.inverse_bind[0, :3, 3], [5, 6, 7])
    assert skin.inverse_bind.flags.c_contiguous


def test_missing_matrices_are_the_identity():
    (skin,) = rig().load().skins
    np.testing.assert_array_equal(skin.inverse_bind, [np.eye(4)] * 2)


def test_more_matrices_than_joints_are_fine():
    assert rig([MOVE] * 3).load().skins[0].inverse_bind.shape == (2, 4, 4)


def test_too_few_matrices_raise():
    with pytest.raises(GltfError, match="1 matrices for 2 joints") as caught:
        rig([MOVE]).load()
    assert caught.value.place == "/skins/0/inverseBindMatrices"


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e30])
def test_invalid_matrices_raise(bad):
    with pytest.raises(GltfError, match="NaN, infinite or too large") as caught:
        rig([MOVE, [bad] * 16]).load()
    assert caught.value.place == "/skins/0/inverseBindMatrices"


def test_matrices_of_integers_raise():
    with pytest.raises(GltfError, match="not MAT4 of float32"):
        rig([MOVE] * 2, "uint8").load()


def skinned(sets, joints=4, dtype="uint8", weight_dtype="float32"):
    """Return a builder with a skin and a mesh with sets of (joints, weights)."""
    b = Builder()
    attributes = {}
    for n, (j, w) in enumerate(sets):
        attributes[f"JOINTS_{n}"] = b.accessor([j] * 3, dtype)
        attributes[f"WEIGHTS_{n}"] = b.accessor(
            [w] * 3, weight_dtype, normalized=weight_dtype != "float32"
        )
    b.mesh(attributes)
    b.add("nodes", mesh=0, skin=0)
    for _ in range(joints):
        b.add("nodes")
    b.add("skins", joints=list(range(1, joints + 1)))
    return b


def influences(b):
    model = b.load()
    primitive = model.meshes[0].primitives[0]
    assert primitive.joints.dtype == np.uint16
    assert primitive.weights.dtype == np.float32
    np.testing.assert_allclose(primitive.weights.sum(axis=1), 1, atol=1e-6)
    return primitive.joints[0].tolist(), primitive.weights[0].tolist(), model.warnings


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
def test_four_influences(dtype):
    b = skinned([([0, 1, 2, 3], [0.25, 0.25, 0.5, 0])], dtype=dtype)
    assert influences(b) == ([0, 1, 2, 3], [0.25, 0.25, 0.5, 0], [])


@pytest.mark.parametrize(("dtype", "full"), [("uint8", 255), ("uint16", 65535)])
def test_normalized_integer_weights(dtype, full):
    joints, weights, warnings = influences(
        skinned([([0, 1, 0, 0], [full // 3, full - full // 3, 0, 0])], weight_dtype=dtype)
    )
    np.testing.assert_allclose(weights, [1 / 3, 2 / 3, 0, 0], atol=3e-3)
    assert (joints, warnings) == ([0, 1, 0, 0], [])


def test_wrong_sums_are_normalized_with_a_warning():
    _, weights, warnings = influences(skinned([([0, 1, 0, 0], [0.49, 0.49, 0, 0])]))
    np.testing.assert_allclose(weights, [0.5, 0.5, 0, 0])
    assert len(warnings) == 1
    assert "sum to 0.98" in warnings[0]
    _, _, warnings = influences(skinned([([0, 1, 0, 0], [0.6, 0.6, 0, 0])]))
    assert "sum to 1.2" in warnings[0]


def test_sums_of_the_file_are_kept_where_they_are_not_1():
    def sums(weights):
        model = skinned([([0, 1, 0, 0], weights)]).load()
        return model.meshes[0].primitives[0].weight_sums

    np.testing.assert_allclose(sums([0.49, 0.49, 0, 0]), [0.98] * 3, atol=1e-6)
    np.testing.assert_array_equal(sums([0, 0, 0, 0]), [0, 0, 0])
    assert sums([0.3, 0.7, 0, 0]) is None


def test_rounding_does_not_warn():
    assert influences(skinned([([0, 1, 0, 0], [0.499, 0.499, 0, 0])]))[2] == []


def test_vertices_without_weights_use_their_first_joint():
    joints, weights, warnings = influences(skinned([([2, 1, 0, 0], [0, 0, 0, 0])]))
    assert (joints, weights) == ([2, 1, 0, 0], [1, 0, 0, 0])
    assert "3 vertices have no weight" in warnings[0]


def test_negative_and_invalid_weights_become_zero():
    _, weights, warnings = influences(skinned([([0, 1, 2, 3], [1, -1, np.nan, 0])]))
    assert weights == [1, 0, 0, 0]
    assert any("negative" in w for w in warnings)
    assert any("NaN, infinite or too large" in w for w in warnings)


def test_eight_influences_are_kept():
    b = skinned([([0, 1, 2, 3], [0.2] * 4), ([3, 2, 1, 0], [0.05] * 4)])
    joints, weights, warnings = influences(b)
    assert joints == [0, 1, 2, 3, 3, 2, 1, 0]
    np.testing.assert_allclose(weights, [0.2] * 4 + [0.05] * 4)
    assert warnings == []


def test_a_second_set_without_weight_is_left_out():
    b = skinned([([0, 1, 2, 3], [0.25] * 4), ([3, 2, 1, 0], [0] * 4)])
    assert influences(b)[0] == [0, 1, 2, 3]


def test_largest_eight_influences_are_kept():
    b = skinned(
        [
            ([0, 1, 2, 3], [0.01, 0.1, 0.1, 0.1]),
            ([4, 5, 6, 7], [0.1, 0.02, 0.1, 0.1]),
            ([8, 9, 10, 11], [0.1, 0.1, 0.05, 0.12]),
        ],
        joints=12,
    )
    joints, weights, warnings = influences(b)
    assert joints == [1, 2, 3, 4, 6, 7, 8, 11]
    np.testing.assert_allclose(weights, np.array([0.1] * 7 + [0.12]) / 0.82, rtol=1e-6)
    assert [w for w in warnings if "more than 8" in w] == [
        "/meshes/0/primitives/0/attributes: 3 vertices have more than 8 influences; "
        "the largest are kept"
    ]


def test_third_set_of_zeros_is_left_out():
    b = skinned([([0, 1, 2, 3], [0.125] * 4)] * 2 + [([0, 1, 2, 3], [0] * 4)])
    joints, _, warnings = influences(b)
    assert len(joints) == 8
    assert warnings == []


@pytest.mark.parametrize(("have", "lack"), [("JOINTS", "WEIGHTS"), ("WEIGHTS", "JOINTS")])
def test_joints_without_weights_are_ignored(have, lack):
    b = skinned([([0, 1, 2, 3], [0.25] * 4)])
    del b.json["meshes"][0]["primitives"][0]["attributes"][f"{lack}_0"]
    model = b.load()
    assert model.meshes[0].primitives[0].joints is None
    assert f"{have}_0 without {lack}_0" in model.warnings[0]


def test_joint_out_of_range_raises():
    b = skinned([([0, 1, 2, 4], [0.25] * 4)])
    with pytest.raises(GltfError, match="joint 4 is out of range: the skin has 4 joints") as caught:
        b.load()
    assert caught.value.place == "/meshes/0/primitives/0/attributes/JOINTS_0"


def test_joint_without_weight_may_be_out_of_range():
    joints, _, warnings = influences(skinned([([3, 1, 2, 200], [0.5, 0.5, 0, 0])]))
    assert (joints, warnings) == ([3, 1, 0, 0], [])


def test_joints_are_checked_against_the_smallest_skin():
    b = skinned([([0, 1, 2, 3], [0.25] * 4)])
    b.add("skins", joints=[1, 2])
    b.add("nodes", mesh=0, skin=1)
    with pytest.raises(GltfError, match="joint 3 is out of range: the skin has 2 joints"):
        b.load()


def test_joints_without_a_skin_are_not_checked():
    b = skinned([([0, 1, 2, 99], [0.25] * 4)])
    del b.json["nodes"][0]["skin"]
    assert b.load().meshes[0].primitives[0].joints[0, 3] == 99
