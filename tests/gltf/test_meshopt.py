"""EXT_meshopt_compression and KHR_meshopt_compression: decoding of reference streams."""

import random
from contextlib import suppress

import numpy as np
import pytest

from rigview.errors import AppError, GltfError
from rigview.gltf.document import Document
from rigview.gltf.meshopt import NAMES, check_compression, decompress
from tests.support.gltf_documents import Builder
from tests.support.meshopt_streams import STREAMS, stream

SIGNED = {4: np.int8, 8: np.dtype("<i2")}
UNSIGNED = {4: np.uint8, 8: np.dtype("<u2")}


def compressed(data, mode, name, count, stride, **more):
    """Return a document with one compressed view."""
    row = {"buffer": 0, "byteLength": len(data), "byteStride": stride, "count": count}
    row |= {"mode": mode, "filter": name} | more
    views = [{"buffer": 0, "byteLength": count * stride, "extensions": {NAMES[0]: row}}]
    json = {"buffers": [{"byteLength": len(data)}], "bufferViews": views}
    return Document(json, "x", chunk=memoryview(data))


@pytest.mark.parametrize("name", STREAMS)
def test_decoded_bytes(name):
    mode, step, count, stride, data, expected = stream(name)
    document = compressed(data, mode, step, count, stride)
    check_compression(document)
    found = bytes(decompress(document, 0))
    if step in ("NONE", "EXPONENTIAL"):
        assert found == expected
        return
    kind = (UNSIGNED if step == "COLOR" else SIGNED)[stride]  # the last digit may differ
    off = np.frombuffer(found, kind).astype(int) - np.frombuffer(expected, kind)
    assert abs(off).max() <= 1


@pytest.mark.parametrize("name", STREAMS)
def test_stream_of_wrong_length_raises(name):
    mode, step, count, stride, data, _ = stream(name)
    for cut in {0, 1, 2, 5, len(data) // 2, len(data) - 5, len(data) - 1}:
        with pytest.raises(GltfError, match="invalid compressed data"):
            decompress(compressed(data[:cut], mode, step, count, stride), 0)
    with pytest.raises(GltfError, match="invalid compressed data"):
        decompress(compressed(data[:1] + b"\0" + data[1:], mode, step, count, stride), 0)


@pytest.mark.parametrize("name", STREAMS)
def test_corrupt_streams_raise_only_gltf_errors(name):
    mode, step, count, stride, data, expected = stream(name)
    chance = random.Random(1)
    for _ in range(60):
        broken = bytearray(data)
        for _ in range(chance.choice((1, 2, 8))):
            broken[chance.randrange(len(data))] = chance.choice((0, 255, chance.randrange(256)))
        with suppress(GltfError):
            found = decompress(compressed(bytes(broken), mode, step, count, stride), 0)
            assert len(found) == len(expected)


@pytest.mark.parametrize(
    ("mode", "name", "count", "stride", "words"),
    [
        ("ATTRIBUTES", "NONE", 3, 6, "byteStride 6 for filter NONE"),
        ("ATTRIBUTES", "NONE", 3, 260, "byteStride 260 for filter NONE"),
        ("ATTRIBUTES", "QUATERNION", 3, 4, "byteStride 4 for filter QUATERNION"),
        ("ATTRIBUTES", "OCTAHEDRAL", 3, 12, "byteStride 12 for filter OCTAHEDRAL"),
        ("TRIANGLES", "NONE", 4, 2, "divisible by 3"),
        ("INDICES", "NONE", 4, 8, "not 8 and NONE"),
        ("INDICES", "EXPONENTIAL", 4, 4, "filter"),
    ],
)
def test_invalid_properties_raise(mode, name, count, stride, words):
    with pytest.raises(GltfError, match=words):
        check_compression(compressed(b"\xa0" * 99, mode, name, count, stride))


def test_stream_outside_its_buffer_and_wrong_view_size_raise():
    with pytest.raises(GltfError, match="the stream ends at byte 41, its buffer at 40"):
        check_compression(compressed(bytes(40), "ATTRIBUTES", "NONE", 4, 4, byteOffset=1))
    document = compressed(bytes(40), "ATTRIBUTES", "NONE", 4, 4)
    document.json["bufferViews"][0]["byteLength"] = 20
    with pytest.raises(GltfError, match="4 elements of 4 bytes, but the view has 20 bytes"):
        check_compression(document)


@pytest.mark.parametrize("mode", ["ATTRIBUTES", "TRIANGLES", "INDICES"])
def test_huge_counts_are_rejected_before_allocation(mode):
    first = {"ATTRIBUTES": b"\xa1", "TRIANGLES": b"\xe1", "INDICES": b"\xd1"}[mode]
    with pytest.raises(GltfError, match="too few"):
        decompress(compressed(first + bytes(80), mode, "NONE", 3 * 2**40, 4), 0)


def test_extreme_compression_ratio_is_rejected():
    """Zeros compress a thousand to one: a small file must not allocate gigabytes."""
    count = 2**30
    data = b"\xa1" + b"\xaa" * (count // 256) + bytes(24)
    b = Builder()
    row = {"buffer": 0, "byteLength": len(data), "byteStride": 4, "count": count}
    row["mode"] = "ATTRIBUTES"
    b.blob += data
    b.add("buffers", byteLength=len(data))
    b.add("buffers", byteLength=4 * count)
    b.add("bufferViews", buffer=1, byteLength=4 * count, extensions={NAMES[0]: row})
    b.add("accessors", bufferView=0, componentType=5126, count=8_000_000, type="VEC3")
    b.add("meshes", primitives=[{"attributes": {"POSITION": 0}}])
    with pytest.raises(AppError, match="far more than the file size justifies"):
        b.load()


@pytest.mark.parametrize("name", NAMES)
def test_mesh_of_compressed_views(name):
    """Positions and indices are compressed; their fallback buffer has no data."""
    b = Builder()
    used = {}
    for key in ("floats, level 3, version 1", "triangles"):
        mode, _, count, stride, data, expected = stream(key)
        place = b.view(data)
        start = b.json["bufferViews"][place]["byteOffset"]
        row = {"buffer": 0, "byteOffset": start, "byteLength": len(data), "byteStride": stride}
        row |= {"count": count, "mode": mode}
        view = b.add("bufferViews", buffer=1, byteLength=len(expected), extensions={name: row})
        used[key] = view, count, expected
    view, count, expected = used["floats, level 3, version 1"]
    uv = b.add("accessors", bufferView=view, componentType=5126, count=count, type="VEC2")
    view, corners, listed = used["triangles"]
    indices = b.add("accessors", bufferView=view, componentType=5125, count=30, type="SCALAR")
    points = np.arange(3 * count, dtype=np.float32).reshape(-1, 3)
    b.mesh({"TEXCOORD_0": uv}, positions=points, indices=indices)
    b.json |= {"extensionsUsed": [name], "extensionsRequired": [name]}
    b.add("buffers", byteLength=len(b.blob))
    b.add("buffers", byteLength=4096, extensions={name: {"fallback": True}})
    model = b.load()
    (primitive,) = model.meshes[0].primitives
    assert primitive.texcoords[0].tobytes() == expected
    assert primitive.indices.tolist() == np.frombuffer(listed, np.uint32)[:30].tolist()
    assert model.warnings == []
    (found,) = model.facts.packed
    assert (found.extension, found.unpacked) == (name, len(expected) + len(listed))
    assert corners == 108
