"""KHR_draco_mesh_compression, with DracoPy and without it."""

import random
import subprocess
import sys

import numpy as np
import pytest

from app.bake import bake
from app.errors import AppError, GltfError, UnsupportedError
from app.gltf import draco, extras
from app.gltf.document import open_document
from app.gltf.draco_header import read_header
from app.gltf.load import load, load_document, read_model
from tests.gltf.builder import Builder

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
    """A skinned sheet, packed."""
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
def without(monkeypatch):
    """The extra is not installed."""
    monkeypatch.setattr(extras, "_found", lambda _: False)


@pytest.mark.parametrize("options", [{}, {"preserve_order": True}, {"compression_level": 10}])
def test_a_packed_mesh_is_what_was_packed(options):
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


def test_info_tells_what_it_saves():
    (found,) = grid().load().facts.packed
    assert found.extension == NAME
    assert found.nbytes == len(stream())
    assert found.unpacked == len(POINTS) * (12 + 4 + 16) + CORNERS.size * 2


def test_without_the_extra_one_line_says_how_to_install_it(without):
    with pytest.raises(UnsupportedError) as caught:
        grid().load()
    assert caught.value.place == "/extensionsRequired/0"
    assert f"requires the extension {NAME}" in str(caught.value)
    assert "pip install 'rigview[draco]'" in caught.value.hint
    with pytest.raises(UnsupportedError) as caught:  # it says it can be done without, wrongly
        grid(required=False).load()
    assert caught.value.place == f"/meshes/0/primitives/0/extensions/{NAME}"
    assert "pip install 'rigview[draco]'" in caught.value.hint


def test_without_the_extra_what_is_not_packed_is_shown(without):
    model = grid(fallback=True, required=False).load()
    (primitive,) = model.meshes[0].primitives
    assert np.array_equal(primitive.positions, POINTS.astype(np.float32))
    (warning,) = [each for each in model.warnings if NAME in each]
    assert "not installed" in warning
    assert "rigview[draco]" in warning


def test_loading_what_is_not_packed_does_not_import_it():
    code = "import sys; from app.gltf.load import load; load('assets/mannequin.glb'); "
    code += "assert not {'DracoPy', 'opengl_basisu'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda p, _: p.update(mode=5), "only lists of triangles"),
        (lambda p, _: p.pop("indices"), "only lists of triangles with indices"),
        (lambda _, rows: rows[3].update(count=149), "three indices each"),
        (lambda _, rows: rows[3].update(count=147), "50 triangles for 49"),
        (lambda _, rows: rows[0].update(count=35), "accessor 0 needs 35 × 3 values: it has 36"),
        (lambda p, _: p["extensions"][NAME]["attributes"].update(WEIGHTS_0=77), "not there"),
    ],
)
def test_contradictions_are_errors(change, words):
    b = grid()
    change(b.json["meshes"][0]["primitives"][0], b.json["accessors"])
    with pytest.raises(GltfError, match=words) as caught:
        b.load()
    assert caught.value.place.startswith("/meshes/0/primitives/0")


def test_a_promise_is_read_without_unpacking():
    for options in ({}, {"preserve_order": True}):
        promise = read_header(memoryview(stream(**options)))
        assert promise.faces == len(CORNERS)
    assert promise.vertices == len(POINTS)
    named = DracoPy.encode(POINTS, CORNERS, generic_attributes={"weights": WEIGHTS})
    assert read_header(memoryview(named)).faces == len(CORNERS)
    with pytest.raises(ValueError, match="not a mesh"):
        read_header(memoryview(DracoPy.encode(POINTS)))
    for cut in range(13):
        with pytest.raises(ValueError, match=r"begin|early"):
            read_header(memoryview(stream()[:cut]))


def test_broken_streams_are_errors_and_nothing_worse():
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


def test_baking_leaves_the_packed_mesh_as_it_is():
    document = open_document(grid(animated=True).glb())
    model = read_model(document)
    baked = bake(document, model, metres=1e-4)
    after, written = load_document(baked.data)
    place = written.json["meshes"][0]["primitives"][0]["extensions"][NAME]["bufferView"]
    view = written.json["bufferViews"][place]
    start = view.get("byteOffset", 0)
    assert bytes(written.buffer(0)[start : start + view["byteLength"]]) == stream()
    assert len(after.clips[0].tracks[0].times) == 2
    assert len(baked.data) < len(grid(animated=True).glb())
    assert draco.NAME in written.json["extensionsRequired"]


def test_the_bytes_of_a_file_load(tmp_path):
    path = tmp_path / "grid.glb"
    path.write_bytes(grid().glb())
    assert load(path).warnings == []
