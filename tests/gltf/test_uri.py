import base64

import pytest

from rigview.errors import GltfError
from rigview.gltf.uri import read_uri
from rigview.loading.load import load
from tests.support.gltf_documents import Builder


def error_at(message, hint=""):
    return GltfError(message, hint=hint)


def read(uri, folder=None, root=None, limit=None):
    return read_uri(uri, folder, root, error_at, limit)


@pytest.mark.parametrize(
    "uri",
    [
        "data:application/octet-stream;base64,AAECAw==",
        "data:application/gltf-buffer;base64,AAECAw==",
        "data:;base64,AAECAw",
        "DATA:text/plain;charset=utf-8;BASE64,AAECAw==",
        "data:model/x;base64,AAEC%41w%3D%3D",
        "data:application/octet-stream,%00%01%02%03",
    ],
)
def test_data_of_any_media_type(uri):
    assert read(uri) == bytes(range(4))


@pytest.mark.parametrize("uri", ["data:nothing", "data:;base64,A", "data:;base64,\u00e4\u00e4"])
def test_invalid_data_uris(uri):
    with pytest.raises(GltfError):
        read(uri)


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("mesh.bin", "mesh.bin"),
        ("./mesh.bin", "mesh.bin"),
        ("my%20mesh.bin", "my mesh.bin"),
        ("m%C3%BCll.bin", "müll.bin"),
        ("müll.bin", "müll.bin"),
        ("100%.bin", "100%.bin"),
        ("sub/mesh.bin", "sub/mesh.bin"),
        ("sub\\mesh.bin", "sub/mesh.bin"),
        ("sub/../mesh.bin", "mesh.bin"),
    ],
)
def test_files_beside_the_model(tmp_path, uri, name):
    (tmp_path / "sub").mkdir()
    (tmp_path / name).write_bytes(b"1234")
    assert read(uri, tmp_path) == b"1234"
    assert read(uri, tmp_path, limit=2) == b"12"


@pytest.mark.parametrize(
    "uri",
    [
        "../secret.bin",
        "%2e%2e/secret.bin",
        "..\\secret.bin",
        "a/../../secret.bin",
        "/etc/passwd",
        "link.bin",
        "http://localhost/x.bin",
        "https://example.com/x.bin",
        "file:///etc/passwd",
        "ftp:x",
        "//host/share/x.bin",
        "C:\\x.bin",
        "missing.bin",
        "sub",
        "",
        ".",
        "a\0b",
        "a%00b",
        "\ud800",
        "x" * 5000,
        "loop",
    ],
)
def test_files_outside_the_folder_are_not_opened(tmp_path, uri):
    folder = tmp_path / "model"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret.bin").write_bytes(b"1234")
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    (folder / "loop").symlink_to(folder / "loop")
    with pytest.raises(GltfError) as caught:
        read(uri, folder)
    assert len(str(caught.value)) < 1000


def test_hint_names_the_root_option(tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "skin.bin").write_bytes(b"1234")
    with pytest.raises(GltfError) as caught:
        read("../skin.bin", folder)
    assert "--root" in caught.value.hint
    assert read("../skin.bin", folder, root=tmp_path) == b"1234"
    with pytest.raises(GltfError):
        read("../../x.bin", folder, root=tmp_path)


def test_error_of_a_model_without_a_folder():
    b = Builder()
    b.add("nodes", mesh=b.mesh())
    with pytest.raises(GltfError) as caught:
        load(b.gltf("body.bin"))
    assert caught.value.place == "/buffers/0/uri"
    assert "--root" in caught.value.hint


def test_model_from_bytes_loads_files_from_its_root(tmp_path):
    b = Builder()
    b.add("nodes", mesh=b.mesh())
    (tmp_path / "body.bin").write_bytes(b.blob)
    assert load(b.gltf("body.bin"), root=tmp_path).meshes[0].primitives[0].positions.shape == (3, 3)


def test_a_long_data_uri_is_not_repeated_in_the_error():
    b = Builder()
    b.add("nodes", mesh=b.mesh())
    with pytest.raises(GltfError) as caught:
        load(b.gltf("x:" + base64.b64encode(bytes(5000)).decode()))
    assert len(str(caught.value)) < 400
