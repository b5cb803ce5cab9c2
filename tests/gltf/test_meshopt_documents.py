"""Compressed views of files that are written again, and checks of such files."""

import json

import numpy as np
import pytest

from rigview.checks.check_context import CheckContext
from rigview.checks.examine import examine
from rigview.checks.rule_settings import Settings
from rigview.gltf.bake import bake
from rigview.gltf.document import open_document
from rigview.gltf.meshopt import compression, decompress
from rigview.gltf.read_model import read_model
from rigview.loading.load import load
from tests.support.gltf_documents import TRIANGLE, Builder

NAME = "EXT_meshopt_compression"
TIMES = np.arange(30, dtype=np.float32) / 30
MOVED = np.stack((TIMES, 2 * TIMES, 0 * TIMES), axis=1)


def pack(array):
    """Return the simplest attribute stream: one byte for each delta (version 0)."""
    data = np.ascontiguousarray(array).view(np.uint8).reshape(len(array), -1)
    stride = data.shape[1]
    deltas = np.diff(data, axis=0, prepend=data[:1]).view(np.int8).astype(np.int16)
    codes = np.where(deltas < 0, -2 * deltas - 1, 2 * deltas).astype(np.uint8)
    block, out = min(8192 // stride & ~15, 256), bytearray(b"\xa0")
    for begin in range(0, len(codes), block):
        part = codes[begin : begin + block]
        groups = -(-len(part) // 16)
        for column in part.T:
            out += b"\xff" * -(-groups // 4)
            out += column.tobytes() + bytes(-len(column) % 16)
    return bytes(out) + bytes(max(0, 32 - stride)) + data[0].tobytes()


def view(b, array, name=NAME):
    """Append an array as a compressed view; return its index."""
    place = b.view(data := pack(array))
    start = b.json["bufferViews"].pop(place)["byteOffset"]
    size = array.nbytes // len(array)
    row = {"buffer": 0, "byteOffset": start, "byteLength": len(data), "byteStride": size}
    row |= {"mode": "ATTRIBUTES", "count": len(array)}
    offset = b.json.setdefault("room", 0)
    b.json["room"] += array.nbytes
    return b.add(
        "bufferViews",
        buffer=1,
        byteOffset=offset,
        byteLength=array.nbytes,
        extensions={name: row},
    )


def moving(*, mesh=True, keys=True, required=True):
    """Return an animated triangle; positions and keys are compressed on request."""
    b = Builder()
    points = np.array(TRIANGLE, np.float32)
    at = view(b, points) if mesh else b.view(points.tobytes())
    position = b.add("accessors", bufferView=at, componentType=5126, count=3, type="VEC3")
    b.add("meshes", primitives=[{"attributes": {"POSITION": position}}])
    b.add("nodes", mesh=0, name="Root")
    both = [view(b, a) if keys else b.view(a.tobytes()) for a in (TIMES, MOVED)]
    kinds = ("SCALAR", "VEC3")
    ends = [
        b.add("accessors", bufferView=v, componentType=5126, count=30, type=kind)
        for v, kind in zip(both, kinds, strict=True)
    ]
    target = {"node": 0, "path": "translation"}
    sampler = {"input": ends[0], "output": ends[1]}
    b.add("animations", channels=[{"sampler": 0, "target": target}], samplers=[sampler])
    room = b.json.pop("room", 0)
    b.json |= {"extensionsUsed": [NAME], "extensionsRequired": [NAME] if required else []}
    b.add("buffers", byteLength=len(b.blob))
    b.add("buffers", byteLength=room, extensions={NAME: {"fallback": True}})
    return b.glb()


def baked(data):
    document = open_document(data)
    model = load(bake(document, read_model(document), metres=1e-5).data)
    return model, model.document


def streams(document):
    """Return the streams of all compressed views."""
    found = []
    for row in document.rows("bufferViews"):
        if compression(row):
            each = compression(row)[1]
            start = each["byteOffset"]
            found.append(bytes(document.buffer(0)[start : start + each["byteLength"]]))
    return found


def test_test_encoder_round_trip():
    for shape in ((1, 4), (16, 12), (300, 64), (1000, 8)):
        array = np.random.default_rng(1).integers(0, 256, shape, np.uint8)
        b = Builder()
        view(b, array)
        b.json |= {"buffers": [{"byteLength": len(b.blob)}, {"byteLength": array.nbytes}]}
        document = open_document(json.dumps(b.json).encode())
        document.chunk = memoryview(bytes(b.blob))
        assert bytes(decompress(document, 0)) == array.tobytes()


def test_compressed_file_equals_uncompressed_file():
    plain, both = load(moving(mesh=False, keys=False)), load(moving())
    for model in (plain, both):
        (primitive,) = model.meshes[0].primitives
        assert primitive.positions.tolist() == TRIANGLE
        assert np.array_equal(model.clips[0].tracks[0].values, MOVED)
    assert both.warnings == []


def test_baking_preserves_compressed_meshes_and_decompresses_keys():
    data = moving()
    model, document = baked(data)
    assert len(model.clips[0].tracks[0].times) == 2
    assert model.meshes[0].primitives[0].positions.tolist() == TRIANGLE
    assert streams(document) == [pack(np.array(TRIANGLE, np.float32))]
    assert document.json["extensionsRequired"] == [NAME]
    (fallback,) = document.rows("buffers")[1:]
    assert fallback == {"byteLength": 36, "extensions": {NAME: {"fallback": True}}}
    new = 2 * (4 + 12)  # two keys; the streams of the old ones are removed
    assert len(document.buffer(0)) < len(streams(document)[0]) + new + 16
    assert model.warnings == []


def test_baking_drops_the_extension_if_only_keys_were_compressed():
    model, document = baked(moving(mesh=False))
    assert len(document.rows("buffers")) == 1
    assert not {"extensionsUsed", "extensionsRequired"} & document.json.keys()
    assert model.meshes[0].primitives[0].positions.tolist() == TRIANGLE


def test_baking_warns_that_the_fallback_is_removed():
    document = open_document(moving(required=False))
    model = read_model(document)
    after = load(bake(document, model, metres=1e-5).data)
    assert after.facts.extensions_required == (NAME,)
    assert any("fallback is removed" in warning for warning in model.warnings)


def test_file_with_unknown_extensions_is_baked():
    """Unknown extensions may refer to any accessor, so nothing is removed."""
    data = open_document(moving())
    data.json["extensionsUsed"].append("ACME_odd")
    model = read_model(data)
    after = load(bake(data, model, metres=1e-5).data)
    assert len(streams(after.document)) == 3
    assert len(after.clips[0].tracks[0].times) == 2


@pytest.mark.parametrize(("mesh", "keys"), [(True, True), (True, False), (False, True)])
def test_checks_find_nothing_unused(mesh, keys):
    settings = Settings(limits={"unused-bytes": {"bytes": 0}})
    found = examine(CheckContext(load(moving(mesh=mesh, keys=keys))), settings)
    assert not [each for each in found if each.rule.startswith(("unused", "extension"))]
