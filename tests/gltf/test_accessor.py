import numpy as np
import pytest

from rigview.errors import GltfError
from rigview.gltf.accessor import Accessors
from rigview.gltf.document import open_document
from rigview.gltf.validate import validate
from tests.support.gltf_documents import CODES, Builder


def read(b):
    document = open_document(b.glb())
    validate(document)
    return Accessors(document)


@pytest.mark.parametrize("dtype", CODES)
@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_every_component_type_becomes_float32(dtype, width):
    b = Builder()
    info = np.finfo(dtype) if dtype == "float32" else np.iinfo(dtype)
    low = 0 if dtype.startswith("u") else -3
    values = np.resize(np.array([low, 1, 2, 7], dtype), (5, width))
    values[0, 0] = min(info.max, 2**24)
    index = b.accessor(values, dtype)
    floats = read(b).floats(index)
    assert floats.dtype == np.float32
    assert floats.flags.c_contiguous
    np.testing.assert_array_equal(floats, values.astype(np.float32))


@pytest.mark.parametrize(
    ("dtype", "values", "decoded"),
    [
        ("uint8", [0, 51, 255], [0, 0.2, 1]),
        ("int8", [-128, -127, 0, 127], [-1, -1, 0, 1]),
        ("uint16", [0, 13107, 65535], [0, 0.2, 1]),
        ("int16", [-32768, -32767, 0, 32767], [-1, -1, 0, 1]),
        ("float32", [-2, 3], [-2, 3]),
    ],
)
def test_normalized_integers(dtype, values, decoded):
    b = Builder()
    index = b.accessor(values, dtype, normalized=True)
    np.testing.assert_allclose(read(b).floats(index)[:, 0], decoded, atol=1e-7)


def test_interleaved_and_strided_views():
    b = Builder()
    rows = np.zeros(4, [("p", "<f4", 3), ("j", "u1", 4), ("pad", "u1", 4), ("w", "<u2", 4)])
    rows["p"] = np.arange(12).reshape(4, 3)
    rows["j"] = np.arange(16).reshape(4, 4)
    rows["w"] = 65535
    view = b.view(rows.tobytes(), byteStride=rows.itemsize)
    common = {"bufferView": view, "count": 4}
    p = b.add("accessors", **common, componentType=5126, type="VEC3")
    j = b.add("accessors", **common, byteOffset=12, componentType=5121, type="VEC4")
    w = b.add(
        "accessors", **common, byteOffset=20, componentType=5123, type="VEC4", normalized=True
    )
    accessors = read(b)
    np.testing.assert_array_equal(accessors.floats(p), rows["p"])
    np.testing.assert_array_equal(accessors.raw(j), rows["j"])
    np.testing.assert_array_equal(accessors.floats(w), np.ones((4, 4)))


def test_last_element_may_be_shorter_than_the_stride():
    b = Builder()
    view = b.view(np.arange(7, dtype=np.float32).tobytes(), byteStride=16)
    index = b.add(
        "accessors", bufferView=view, count=2, componentType=5126, type="VEC3", byteOffset=0
    )
    np.testing.assert_array_equal(read(b).floats(index), [[0, 1, 2], [4, 5, 6]])


def test_unaligned_offsets():
    b = Builder()
    view = b.view(b"\xff" + np.arange(6, dtype=np.float32).tobytes())
    index = b.add(
        "accessors", bufferView=view, byteOffset=1, count=2, componentType=5126, type="VEC3"
    )
    floats = read(b).floats(index)
    np.testing.assert_array_equal(floats, [[0, 1, 2], [3, 4, 5]])
    assert floats.flags.aligned


def sparse(b, at, values, dtype="uint8", **more):
    parts = {
        "indices": {
            "bufferView": b.view(np.asarray(at, dtype).tobytes()),
            "componentType": CODES[dtype],
        },
        "values": {"bufferView": b.view(np.asarray(values, np.float32).tobytes())},
    }
    return {"count": len(at)} | parts | more


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32"])
def test_sparse_values_replace_elements(dtype):
    b = Builder()
    index = b.accessor(np.zeros((4, 3)), sparse=sparse(b, [1, 3], [[1, 2, 3], [4, 5, 6]], dtype))
    base = bytes(b.blob)
    floats = read(b).floats(index)
    np.testing.assert_array_equal(floats, [[0, 0, 0], [1, 2, 3], [0, 0, 0], [4, 5, 6]])
    assert bytes(b.blob) == base


def test_sparse_without_buffer_view_starts_from_zero():
    b = Builder()
    index = b.add(
        "accessors",
        count=3,
        componentType=5126,
        type="SCALAR",
        sparse=sparse(b, [2], [9]),
    )
    empty = b.add("accessors", count=2, componentType=5126, type="VEC3")
    none = b.add(
        "accessors", count=2, componentType=5126, type="SCALAR", sparse=sparse(b, [0], [9], count=0)
    )
    accessors = read(b)
    np.testing.assert_array_equal(accessors.floats(index)[:, 0], [0, 0, 9])
    np.testing.assert_array_equal(accessors.floats(empty), np.zeros((2, 3)))
    np.testing.assert_array_equal(accessors.floats(none)[:, 0], [0, 0])


def test_invalid_sparse_accessors():
    for change, place in (
        ({"count": 5}, "/sparse/count"),
        ({"count": 3}, "/sparse/indices"),
    ):
        b = Builder()
        b.accessor(np.zeros((4, 1)), sparse=sparse(b, [1], [1]) | change)
        with pytest.raises(GltfError) as caught:
            read(b)
        assert place in caught.value.place
    b = Builder()
    index = b.accessor(np.zeros((4, 1)), sparse=sparse(b, [4], [1]))
    with pytest.raises(GltfError, match="index 4 is out of range: the accessor has 4"):
        read(b).floats(index)
    b = Builder()
    wide = sparse(b, [1, 2], [1])
    b.accessor(np.zeros((4, 1)), sparse=wide)
    with pytest.raises(GltfError) as caught:
        read(b)
    assert "/sparse/values" in caught.value.place


def test_arrays_are_cached():
    b = Builder()
    index = b.accessor([[1, 2]], "uint16")
    accessors = read(b)
    assert accessors.floats(index) is accessors.floats(index)
    assert accessors.raw(index) is accessors.raw(index)


def test_huge_counts_allocate_no_memory():
    b = Builder()
    index = b.add("accessors", count=4_000_000_000, componentType=5126, type="MAT4")
    with pytest.raises(GltfError, match="far more than the file size justifies"):
        read(b).raw(index)


def test_many_large_arrays_of_one_small_view_exceed_the_limit():
    b = Builder()
    view = b.view(bytes(1 << 20))
    indices = [
        b.add(
            "accessors",
            bufferView=view,
            count=(1 << 20) - k,
            componentType=5121,
            type="SCALAR",
        )
        for k in range(200)
    ]
    accessors = read(b)
    with pytest.raises(GltfError, match="far more than the file size justifies"):
        list(map(accessors.floats, indices))


def test_invalid_values_become_zero_with_one_warning():
    b = Builder()
    index = b.accessor([[0, np.nan, 2], [np.inf, 1, 1e30]])
    accessors = read(b)
    np.testing.assert_array_equal(accessors.finite_floats(index, "/x"), [[0, 0, 2], [0, 1, 0]])
    accessors.finite_floats(index, "/y")
    assert len(accessors.document.warnings) == 1
    assert "3 values are NaN, infinite or too large" in accessors.document.warnings[0]


def test_concatenate_rows_of_several_accessors():
    b = Builder()
    plain = b.accessor([[1, 2, 3, 4], [5, 6, 7, 8]])
    short = b.accessor([[127, 0, 0, 0]], "int8", normalized=True)
    view = b.view(np.arange(10, dtype=np.float32).tobytes(), byteStride=20)
    strided = b.add("accessors", bufferView=view, count=2, componentType=5126, type="VEC4")
    empty = b.add("accessors", count=1, componentType=5126, type="VEC4")
    joined = read(b).concatenate([plain, short, strided, empty, plain], [1, 1, 2, 1, 2], 4)
    np.testing.assert_array_equal(
        joined,
        [
            [1, 2, 3, 4],
            [1, 0, 0, 0],
            [0, 1, 2, 3],
            [5, 6, 7, 8],
            [0, 0, 0, 0],
            [1, 2, 3, 4],
            [5, 6, 7, 8],
        ],
    )
    joined[:] = 0  # not the file's own memory


@pytest.mark.parametrize(
    ("kind", "code", "size"), [("MAT2", 5121, 8), ("MAT3", 5121, 12), ("MAT3", 5123, 24)]
)
def test_small_matrices_have_padded_columns(kind, code, size):
    b = Builder()
    view = b.view(bytes(size))
    b.add("accessors", bufferView=view, count=1, componentType=code, type=kind)
    read(b)
    b.json["bufferViews"][view]["byteLength"] = size - 1
    with pytest.raises(GltfError, match="ends at byte"):
        read(b)
