import json
import os
import struct

import numpy as np
import pygltflib
import pytest

from rigview.errors import GltfError, UnsupportedError, UsageError
from rigview.gltf import document
from rigview.gltf.document import MAX_WARNINGS, Document, open_document
from rigview.loading.load import load
from tests.support.gltf_documents import Builder, make_glb


@pytest.fixture
def built():
    b = Builder()
    b.add("nodes", name="Body", mesh=b.mesh())
    return b


def fails(source, *words, error=GltfError, **options):
    with pytest.raises(error) as caught:
        load(source, **options)
    for word in words:
        assert word in str(caught.value)
    assert caught.value.exit_code == 3
    assert len(str(caught.value).splitlines()) == 1
    return caught.value


@pytest.mark.parametrize("suffix", [".glb", ".vrm", ".GLB", ""])
def test_binary_file_loads_with_any_extension(built, tmp_path, suffix):
    path = tmp_path / f"body{suffix}"
    path.write_bytes(built.glb())
    model = load(path)
    assert model.path == path
    assert model.name == "body"
    assert model.facts.file_bytes == path.stat().st_size
    assert model.meshes[0].primitives[0].positions.shape == (3, 3)
    assert load(str(path)).name == "body"


def test_a_text_file_loads(built, tmp_path):
    path = tmp_path / "body.gltf"
    path.write_bytes(built.gltf())
    assert load(path).skeleton.names == ("Body",)
    assert load(built.gltf()).skeleton.names == ("Body",)


def test_byte_order_mark_is_skipped(built):
    assert load(b"\xef\xbb\xbf" + built.gltf()).warnings == []


def test_invalid_utf8_loads_with_a_warning(built):
    model = load(built.gltf().replace(b"Body", b"B\xf6dy"))
    assert model.skeleton.names == ("B\ufffddy",)
    assert "UTF-8" in model.warnings[0]


def test_files_that_cannot_be_read(tmp_path):
    fails(tmp_path / "none.glb", "none.glb", "no such file")
    fails(tmp_path, "not a file")
    fails(tmp_path / "a\0b", "cannot be read")
    fails(str(tmp_path / ("x" * 5000)), "cannot be read")
    fifo = tmp_path / "pipe.glb"
    os.mkfifo(fifo)
    fails(fifo, "not a file")


def test_a_file_without_permission(tmp_path, monkeypatch):
    path = tmp_path / "closed.glb"
    path.write_bytes(b"")

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", refuse)
    fails(path, "cannot be read: Permission denied")


@pytest.mark.parametrize(
    "data", [b"", b"x", b"{", b"[]", b"3", b'"a"', b"\x89PNG", b"{}x", b"null", b"\xff\xfe{\0}\0"]
)
def test_invalid_files(data):
    fails(data)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "the file is empty"),
        (b" \r\n", "the file is empty"),
        (b"Notes about the model\n", "not a glTF file; it looks like text"),
        ("Größe".encode(), "it looks like text"),
        (b"\x07\x00\x9c\x01", "it looks like binary data"),
        (b"\x89PNG\r\n\x1a\n\0", "it looks like a PNG picture"),
        (b"PK\3\4\0\0", "it looks like a ZIP archive; unpack it"),
        (b"BLENDER-v402", "it looks like a Blender file; rename it to .blend"),
        (b"Kaydara FBX Binary  \0", "it looks like an FBX file; rename it to .fbx"),
        (b"; FBX 7.3.0 project file", "it looks like an FBX file; rename it to .fbx"),
        (b"#usda 1.0", "it looks like a USD file; rename it to .usda"),
        (b"PXR-USDC", "it looks like a USD file; rename it to .usdc"),
        (b"HIERARCHY\nROOT", "it looks like a BVH motion capture; rename it to .bvh"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a pointer of Git LFS; fetch the file"),
        (b"<!DOCTYPE html>", "a page of HTML"),
        (b"\xff\xfe{\0}\0", "text in UTF-16"),
        (bytes(100), "it begins with zeros"),
    ],
)
def test_files_that_are_no_gltf_say_what_they_look_like(tmp_path, data, says):
    path = tmp_path / "body.glb"
    path.write_bytes(data)
    fails(path, "body.glb", says)
    fails(path.rename(tmp_path / "body.gltf"), "body.gltf", says)


def test_truncated_and_corrupt_glb_files(built):
    data = built.glb()
    for cut in (*range(4, 40), len(data) // 2, len(data) - 1):
        fails(data[:cut])
    fails(data[:-1], "truncated")
    huge = data[:12] + struct.pack("<I", 2**32 - 1) + data[16:]
    fails(huge, "ends beyond the end")
    fails(make_glb(built.document, built.blob, version=1), "version 1", error=UnsupportedError)


def test_no_json_chunk():
    data = b"glTF" + struct.pack("<IIII", 2, 24, 4, 0x12345678) + b"\0" * 4
    fails(data, "the first chunk of the GLB is not its JSON")


def test_binary_chunk_before_the_json(built):
    data = built.glb()
    (length,) = struct.unpack_from("<I", data, 12)
    text, rest = data[12 : 20 + length], data[20 + length :]
    fails(data[:12] + rest + text, "the first chunk of the GLB is not its JSON")


def test_bytes_after_the_end_are_a_warning(built):
    model = load(built.glb() + b"more")
    assert model.warnings == ["/: 4 bytes after the end of the GLB are ignored"]


def test_unknown_chunks_are_skipped(built):
    data = built.glb() + struct.pack("<II", 4, 0x12345678) + b"\1\2\3\4"
    data = data[:8] + struct.pack("<I", len(data)) + data[12:]
    assert load(data).warnings == []


def test_deep_nesting_raises():
    fails(b'{"asset": {"version": "2.0"}, "extras": ' + b"[" * 100_000, "too deeply")


def test_numbers_that_are_invalid_in_json(built):
    for number in ("NaN", "Infinity", "-Infinity", "1e999", "9" * 5000):
        text = built.gltf().replace(b'"name": "Body"', f'"scale": [1, 1, {number}]'.encode())
        fails(text)


def test_buffer_shorter_than_its_byte_length_raises(built):
    built.json["buffers"] = [{"byteLength": 1000}]
    fails(built.glb(), "/buffers/0", "of 1000 bytes")


def test_buffer_without_data_raises(built):
    text = json.dumps({"buffers": [{"byteLength": len(built.blob)}]} | built.json).encode()
    fails(text, "/buffers/0", "neither a uri nor a binary chunk")


def test_buffer_longer_than_its_byte_length_loads(built):
    built.blob += b"\0" * 100
    built.json["buffers"] = [{"byteLength": 36}]
    assert built.load().meshes[0].primitives[0].positions[1, 0] == 1


def test_an_unused_buffer_is_not_read(built):
    built.json["buffers"] = [
        {"byteLength": len(built.blob)},
        {"byteLength": 8, "uri": "missing.bin"},
    ]
    assert built.load().warnings == []


def test_two_binary_chunks_in_different_buffers(built):
    built.json["buffers"] = [
        {"byteLength": 4, "uri": "data:,abcd"},
        {"byteLength": len(built.blob)},
    ]
    fails(built.glb(), "/bufferViews/0")  # only buffer 0 is the binary chunk


def test_warnings_are_unique_and_limited():
    document = Document({}, "a.gltf")
    for k in range(MAX_WARNINGS * 3):
        document.warn("/x", f"{k // 2}")
    assert len(document.warnings) == MAX_WARNINGS + 1
    assert document.warnings[:2] == ["/x: 0", "/x: 1"]
    assert "more" in document.warnings[-1]


def test_load_from_pygltflib(built, tmp_path):
    path = tmp_path / "body.glb"
    path.write_bytes(built.glb())
    model = load(pygltflib.GLTF2().load(str(path)))
    assert model.skeleton.names == ("Body",)
    np.testing.assert_array_equal(model.meshes[0].primitives[0].positions[1], [1, 0, 0])


def test_load_from_pygltflib_with_external_files(built, tmp_path):
    (tmp_path / "body.bin").write_bytes(built.blob)
    (tmp_path / "body.gltf").write_bytes(built.gltf("body.bin"))
    model = load(pygltflib.GLTF2().load(str(tmp_path / "body.gltf")))
    assert model.meshes[0].primitives[0].positions.shape == (3, 3)


def test_convert_to_pygltflib(built, tmp_path):
    document = open_document(built.glb())
    gltf = document.to_pygltflib()
    assert gltf.nodes[0].name == "Body"
    gltf.save_binary(str(tmp_path / "again.glb"))
    assert load(tmp_path / "again.glb").skeleton.names == ("Body",)
    assert load(gltf).skeleton.names == ("Body",)


def test_wrong_argument_is_an_error():
    with pytest.raises(UsageError, match="pygltflib"):
        load(3)


def test_paths_of_external_files(tmp_path):
    text = {
        "asset": {"version": "2.0"},
        "buffers": [{"uri": "a%20b.bin", "byteLength": 0}, {"byteLength": 0}],
        "images": [{"uri": "skin.png"}, {"uri": "data:image/png;base64,"}, {"uri": "../out.png"}],
    }
    path = tmp_path / "x.gltf"
    path.write_text(json.dumps(text))
    named = open_document(path).files()
    assert named == [tmp_path / "a b.bin", tmp_path / "skin.png"]


def test_json_with_too_many_values(monkeypatch):
    monkeypatch.setattr(document, "MAX_VALUES", 1000)
    text = b'{"asset": {"version": "2.0"}, "extras": [%s]}'
    load(text % b",".join([b"1"] * 990))
    for part in (b"1", b"{}", b"[]"):
        fails(text % b",".join([part] * 1010), "values in the JSON; at most 1000 are supported")


def test_json_that_is_too_large(monkeypatch, built):
    for data in (built.glb(), built.gltf()):
        monkeypatch.setattr(document, "MAX_JSON", len(built.gltf()) + 10)
        load(data)
        monkeypatch.setattr(document, "MAX_JSON", 100)
        fails(data, "at most 100 are supported")
