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
