"""KHR_draco_mesh_compression, with and without DracoPy."""

import base64
import random
import subprocess
import sys

import numpy as np
import pytest

from rigview.errors import AppError, GltfError, UnsupportedError
from rigview.gltf import draco, optional_packages
from rigview.gltf.accessor import Accessors
from rigview.gltf.bake import bake
from rigview.gltf.document import open_document
from rigview.gltf.draco import read_header
from rigview.gltf.read_model import read_model
from rigview.loading.load import load
from tests.support.gltf_documents import CODES, KINDS, Builder

DracoPy = pytest.importorskip("DracoPy", reason="the extra “draco” is not installed")
NAME = "KHR_draco_mesh_compression"
SIDE = 6
POINTS = np.array([[x, y, x * y / 9] for y in range(SIDE) for x in range(SIDE)], np.float64)
CORNERS = np.array(
    [
        corner
        for y in range(SIDE - 1)
        for x in range(SIDE - 1)
        for a in [y * SIDE + x]
        for corner in ([a, a + 1, a + SIDE], [a + 1, a + SIDE + 1, a + SIDE])
    ],
    np.uint32,
)
JOINTS = np.array([[k % 3, 1, 0, 0] for k in range(SIDE**2)], np.uint16)
WEIGHTS = np.array([[0.75, 0.25, 0, 0]] * SIDE**2, np.float32)


def stream(**options):
    return DracoPy.encode(
        POINTS,
        CORNERS,
        quantization_bits=14,
        generic_attributes={3: JOINTS, 4: WEIGHTS},
        **options,
    )


def grid(data=None, *, fallback=False, required=True, animated=False):
    """Return a skinned, compressed grid."""
    b = Builder()
    data = stream() if data is None else data
    numbers = {each["attribute_type"]: each for each in DracoPy.decode(stream()).attributes}
    attributes = {"POSITION": numbers[0]["unique_id"], "JOINTS_0": 3, "WEIGHTS_0": 4}
    kinds = {"POSITION": (5126, "VEC3"), "JOINTS_0": (5121, "VEC4"), "WEIGHTS_0": (5126, "VEC4")}
    used = {
        name: b.add("accessors", componentType=code, count=len(POINTS), type=kind)
        for name, (code, kind) in kinds.items()
    }
    indices = b.add("accessors", componentType=5123, count=CORNERS.size, type="SCALAR")
    if fallback:
        used = {"POSITION": b.accessor(POINTS)}
        indices = b.accessor(CORNERS.reshape(-1), "uint16")
    packed = {"bufferView": b.view(data), "attributes": attributes}
    primitive = {"attributes": used, "indices": indices, "extensions": {NAME: packed}}
    b.add("meshes", primitives=[primitive])
    b.add("nodes", mesh=0, skin=0)
    joints = [b.add("nodes", name=f"Joint{k}") for k in range(3)]
    b.add("skins", joints=joints)
    b.json |= {"extensionsUsed": [NAME], "extensionsRequired": [NAME] if required else []}
    if animated:
        times = np.arange(20) / 20
        moved = np.stack((times, times, 0 * times), axis=1)
        b.animation((1, "translation", times, moved))
    return b


@pytest.fixture
def without_package(monkeypatch):
    """Simulate that DracoPy is not installed."""
    monkeypatch.setattr(optional_packages, "_found", lambda _: False)


@pytest.mark.parametrize("options", [{}, {"preserve_order": True}, {"compression_level": 10}])
def test_decoded_mesh(options):
    model = grid(stream(**options)).load()
    (primitive,) = model.meshes[0].primitives
    assert model.warnings == []
    order = np.lexsort(np.round(primitive.positions[:, :2]).T)
    assert np.allclose(primitive.positions[order], POINTS, atol=1e-3)
    assert np.allclose(primitive.weights[:, :2], [0.75, 0.25])
    assert primitive.joints[order].tolist() == JOINTS.tolist()
    area = primitive.positions[primitive.indices.reshape(-1, 3)][..., :2]
    sides = area[:, 1:] - area[:, :1]
    assert np.allclose(np.abs(np.linalg.det(sides)), 1, atol=1e-2)
    assert len(primitive.indices) == CORNERS.size


def only_primitive(b):
    """Return the only primitive of a document."""
    model = b.load()
    assert model.warnings == []
    return model.meshes[0].primitives[0]


@pytest.mark.parametrize("change", [lambda p: p.update(mode=5), lambda p: p.pop("indices")])
def test_strips_and_non_indexed_primitives_decode_to_triangles(change):
    b, plain = grid(), only_primitive(grid())
    b.json["accessors"][3]["count"] = 3 * SIDE  # count of a strip
    change(b.json["meshes"][0]["primitives"][0])
    found = only_primitive(b)
    assert found.topology == "triangles"
    assert np.array_equal(found.indices, plain.indices)
    assert np.array_equal(found.positions, plain.positions)


def test_unused_vertices_are_preserved():
    """Primitives of a mesh may each contain all of its vertices."""
    few = CORNERS[:2]
    data = DracoPy.encode(POINTS, few, quantization_bits=14, preserve_order=True)
    b = grid(data)
    primitive, accessors = b.json["meshes"][0]["primitives"][0], b.json["accessors"]
    primitive["attributes"] = {"POSITION": 0}
    primitive["extensions"][NAME]["attributes"] = {"POSITION": 0}
    accessors[3]["count"] = few.size
    b.json["nodes"][0].pop("skin")
    found = only_primitive(b)
    assert np.allclose(found.positions, POINTS, atol=1e-3)
    assert np.array_equal(found.indices, few.reshape(-1))


@pytest.mark.parametrize(
    ("accessor", "count", "words"),
    [(3, 147, "150 indices, not 147"), (3, 151, "not 151"), (0, 35, "36 vertices, not 35")],
)
def test_counts_of_the_stream_override_those_of_accessors(accessor, count, words):
    """Exporters may write the counts before compression."""
    b, plain = grid(), only_primitive(grid())
    b.json["accessors"][accessor]["count"] = count
    model = b.load()
    (found,) = model.meshes[0].primitives
    assert np.array_equal(found.positions, plain.positions)
    assert np.array_equal(found.indices, plain.indices)
    (warning,) = model.warnings
    assert warning.startswith(f"/meshes/0/primitives/0/extensions/{NAME}: the stream holds ")
    assert words in warning


def test_indices_may_exceed_their_component_type():
    b, plain = grid(), only_primitive(grid())
    b.json["accessors"][3]["componentType"] = 5121
    assert np.array_equal(only_primitive(b).indices, plain.indices)


def test_primitives_may_share_a_stream():
    b = grid()
    first = b.json["meshes"][0]["primitives"][0]
    row = first["extensions"][NAME]
    bare = {"POSITION": row["attributes"]["POSITION"]}
    second = {**first, "extensions": {NAME: row | {"attributes": bare}}}
    second["attributes"] = {"POSITION": first["attributes"]["POSITION"]}
    b.json["meshes"][0]["primitives"].append(second)
    one, two = b.load().meshes[0].primitives
    assert two.joints is None
    assert two.positions is one.positions
    assert np.array_equal(one.indices, two.indices)


def test_accessor_in_several_streams_has_an_array_for_each():
    moved = DracoPy.encode(
        POINTS + np.array([0, 0, 5]), CORNERS, quantization_bits=14, generic_attributes={3: JOINTS}
    )
    b = grid(fallback=True)
    first = b.json["meshes"][0]["primitives"][0]
    position = next(x for x in DracoPy.decode(moved).attributes if not x["attribute_type"])
    position = position["unique_id"]
    other = {"bufferView": b.view(moved), "attributes": {"POSITION": position}}
    bare = {key: first[key] for key in ("attributes", "indices")}
    b.json["meshes"][0]["primitives"] += [bare | {"extensions": {NAME: other}}, bare]
    one, two, three = b.load().meshes[0].primitives
    assert np.allclose(two.positions.min(axis=0), [0, 0, 5], atol=1e-3)
    assert np.allclose(one.positions.max(axis=0), POINTS.max(axis=0), atol=1e-3)
    assert np.array_equal(three.positions, POINTS.astype(np.float32))  # uncompressed
    assert np.array_equal(three.indices, CORNERS.reshape(-1))


# A square of two triangles with an attribute of each type, encoded by draco3dgltf 1.5.7.
SQUARE = {
    "sequential": (
        "RFJBQ08CAgEAAAACBAEAAQICAQMBBwAJAwAABAECAAECAgQAAgQDAwADAwQCAAQEBgEABQQJAQAGAAEBAQEB"
        "AAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAgD8AAIA/AAAAAAABAQAJCwEQDwEwAwA4"
        "gv3+/P2kvwGA////fwAAAAABAQAJDwEQARAHASADABiQAAEC/wgMCvGIiHvvDQAAAAD/AAAAAAEBABETARAn"
        "ATADADiC/f/+/wAA///5/wYAqUULAA2A+X8AgP///38AAAABAQAMAwEQAwEgGwEQAwCQkMpkDQUAAAAAAP//"
        "AAAAAQEAEwMBID8BIAMAIISKi5gtIgAAAAAAlDV3AACAPihrbs4AAGBAX3CJMA=="
    ),
    "edgebreaker": (
        "RFJBQ08CAgEBAAAABAIGAgAAAR//ARH/ARH/ARH/ARH/ARH/ARH/AREH/wAAAAAAAQAAAgAAAwAABAAABQAA"
        "AQAJAwAAAAEEAQIAAQEBAgIEAAIBAQQDAwADAQEDBAIABAEBBAYBAAUBAQQJAQAGAAAAAAAAAIA/AAAAAAAA"
        "gD8AAAAAAAAAAAAAgD8AAIA/AAAAAAAAAAAAAAAAAAAAAAEBAQAJBwEQARAPASADAESR4vcrEOwDgP///38A"
        "AAABAQEACQsBEAMBIAcBEAMAhJBQUvv/c84JECDwDwAAAAD/AAAAAQEBABEPARABECcBIAMAUJGXq5xkAGAA"
        "0P9P/1//z/8HAID///9/AAABAQEADAcBIAMBEBcBEAMAGJCGH0MDMAAAAAD//wAAAQEBABMHARADARAzASAD"
        "ANyP4CKGi4gCAAAAAACUNXcAAGBAKGtuzl9wiTAAAIA+"
    ),
}
ATTRIBUTES = (
    ("int8", [[-127, 127], [-1, 0], [1, 2], [-128, 5]]),
    ("uint8", [[0, 255, 1, 128], [4, 5, 6, 7], [8, 9, 10, 11], [250, 251, 252, 253]]),
    ("int16", [[-32767, 32767, 0], [1, 2, 3], [-4, -5, -6], [7, 8, -32768]]),
    ("uint16", [[0, 65535], [1, 2], [3, 4], [65000, 5]]),
    ("uint32", [[0], [2000000000], [70000], [3]]),
    ("float32", [[0.25], [-1e9], [3.5], [1e-9]]),
)


@pytest.mark.parametrize("method", SQUARE)
def test_attributes_of_any_type(method):
    b, names = Builder(), ["POSITION", *(f"_{kind.upper()}" for kind, _ in ATTRIBUTES)]
    b.add("accessors", componentType=5126, count=4, type="VEC3")
    for kind, values in ATTRIBUTES:
        width = len(values[0])
        b.add(
            "accessors",
            componentType=CODES[kind],
            count=4,
            type=KINDS[width] if width > 1 else "SCALAR",
        )
    numbers = {name: k for k, name in enumerate(names)}  # accessor index and attribute id
    indices = b.add("accessors", componentType=5121, count=6, type="SCALAR")
    row = {"bufferView": b.view(base64.b64decode(SQUARE[method])), "attributes": numbers}
    b.add(
        "meshes",
        primitives=[{"attributes": numbers, "indices": indices, "extensions": {NAME: row}}],
    )
    accessors = Accessors(open_document(b.glb()))
    corners = accessors.raw(0) @ [1, 2, 0]  # index of each vertex, 0 to 3
    order = corners.astype(int)
    for k, (kind, values) in enumerate(ATTRIBUTES):
        found = accessors.raw(k + 1)
        assert found.dtype == kind
        assert np.array_equal(found, np.array(values, kind)[order])


def test_facts_have_the_savings():
    (found,) = grid().load().facts.packed
    assert found.extension == NAME
    assert found.nbytes == len(stream())
    assert found.unpacked == len(POINTS) * (12 + 4 + 16) + CORNERS.size * 2


def test_without_the_package_the_error_says_how_to_install_it(without_package):
    with pytest.raises(UnsupportedError) as caught:
        grid().load()
    assert caught.value.place == "/extensionsRequired/0"
    assert f"the required extension {NAME}" in str(caught.value)
    assert "pip install 'rigview[draco]'" in caught.value.hint
    with pytest.raises(UnsupportedError) as caught:  # not required, but has no fallback
        grid(required=False).load()
    assert caught.value.place == f"/meshes/0/primitives/0/extensions/{NAME}"
    assert "pip install 'rigview[draco]'" in caught.value.hint


def test_without_the_package_the_fallback_is_shown(without_package):
    model = grid(fallback=True, required=False).load()
    (primitive,) = model.meshes[0].primitives
    assert np.array_equal(primitive.positions, POINTS.astype(np.float32))
    (warning,) = [each for each in model.warnings if NAME in each]
    assert "not installed" in warning
    assert "rigview[draco]" in warning


def test_loading_an_uncompressed_file_does_not_import_the_package():
    code = "import sys; from rigview.loading.load import load; load('assets/mannequin.glb'); "
    code += "assert not {'DracoPy', 'opengl_basisu'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda p, _: p.update(mode=0), "only triangles and triangle strips"),
        (lambda p, _: p.update(mode=6), "only triangles and triangle strips"),
        (lambda p, _: p["extensions"][NAME]["attributes"].update(WEIGHTS_0=77), "it is missing"),
    ],
)
def test_inconsistent_extension_raises(change, words):
    b = grid()
    change(b.json["meshes"][0]["primitives"][0], b.json["accessors"])
    with pytest.raises(GltfError, match=words) as caught:
        b.load()
    assert caught.value.place.startswith("/meshes/0/primitives/0")


def test_mesh_size_is_read_from_the_header():
    for options in ({}, {"preserve_order": True}):
        size = read_header(memoryview(stream(**options)))
        assert size.faces == len(CORNERS)
    assert size.vertices == len(POINTS)
    named = DracoPy.encode(POINTS, CORNERS, generic_attributes={"weights": WEIGHTS})
    assert read_header(memoryview(named)).faces == len(CORNERS)
    with pytest.raises(ValueError, match="not a mesh"):
        read_header(memoryview(DracoPy.encode(POINTS)))
    for cut in range(13):
        with pytest.raises(ValueError, match=r"header|truncated"):
            read_header(memoryview(stream()[:cut]))


def test_corrupt_streams_raise_only_app_errors():
    data, chance = stream(), random.Random(3)
    for _ in range(150):
        broken = bytearray(data)
        for _ in range(chance.choice((1, 3, 9))):
            broken[chance.randrange(len(data))] = chance.randrange(256)
        try:
            model = grid(bytes(broken)).load()
        except AppError:
            continue
        assert len(model.meshes[0].primitives[0].positions) == len(POINTS)


def test_baking_preserves_the_compressed_mesh():
    document = open_document(grid(animated=True).glb())
    model = read_model(document)
    baked = bake(document, model, metres=1e-4)
    after = load(baked.data)
    written = after.document
    place = written.json["meshes"][0]["primitives"][0]["extensions"][NAME]["bufferView"]
    view = written.json["bufferViews"][place]
    start = view.get("byteOffset", 0)
    assert bytes(written.buffer(0)[start : start + view["byteLength"]]) == stream()
    assert len(after.clips[0].tracks[0].times) == 2
    assert len(baked.data) < len(grid(animated=True).glb())
    assert draco.NAME in written.json["extensionsRequired"]


def test_load_from_path(tmp_path):
    path = tmp_path / "grid.glb"
    path.write_bytes(grid().glb())
    assert load(path).warnings == []
