"""Small edits of a model that are saved: only what was edited changes."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.gltf.document import open_document
from rigview.gltf.read_model import read_model
from rigview.gltf.save import model_bytes
from rigview.loading.load import load
from rigview.model.edits import FactorKey, ModelEdits, VertexKey, edited, reweighted, row_of
from rigview.model.material import Clearcoat
from rigview.resources import asset_path
from tests.support.gltf_documents import Builder
from tests.support.gltf_validator import validated
from tests.support.shared import MODELS, needs_shared

REAL = [asset_path("mannequin.glb"), MODELS / "Fox.glb", MODELS / "CesiumMan.glb"]
real = pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)


def moved_key(track, key, by):
    values = track.values.copy()
    values[key] += by
    if track.path == "rotation":
        values[key] /= np.linalg.norm(values[key])
    return replace(track, values=values)


def key_edit(model, path="translation", clip=0):
    clip = model.clips[clip]
    track = next(t for t in clip.tracks if t.path == path and len(t.times) > 2)
    return ModelEdits().with_track(model, clip, moved_key(track, 1, np.float32(0.25)))


def weight_edit(model, vertex=5, weight=0.25):
    for m, mesh in enumerate(model.meshes):
        for p, part in enumerate(mesh.primitives):
            if part.joints is not None:
                key = VertexKey(m, p, vertex)
                row = row_of(model, key)
                joint = row[0][1] if row[1][1] > 0 else row[0][0] + 1
                return ModelEdits().with_weights(model, {key: reweighted(row, joint, weight)}), key
    raise AssertionError


def factor_edit(model, name="roughness", value=0.125):
    return ModelEdits().with_factor(model, FactorKey(0, name), value)


def different(before, after):
    """Return how many bytes of the buffer differ, and the paths of the JSON that do."""
    one, other = (open_document(data) for data in (before, after))
    paths = []

    def compare(a, b, path):
        if isinstance(a, dict) and isinstance(b, dict):
            for key in sorted({*a, *b}):
                compare(a.get(key), b.get(key), f"{path}/{key}")
        elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            for k, pair in enumerate(zip(a, b, strict=True)):
                compare(*pair, f"{path}/{k}")
        elif a != b:
            paths.append(path)

    compare(one.json, other.json, "")
    blobs = [np.frombuffer(document.buffer(0), np.uint8) for document in (one, other)]
    if len(blobs[0]) != len(blobs[1]):
        return None, paths
    return int(np.count_nonzero(blobs[0] != blobs[1])), paths


def saved(model, edits=None):
    return model_bytes(model if edits is None else edited(model, edits))


@needs_shared
@real
def test_weights_of_a_vertex_are_written_in_place(path):
    model = load(path)
    edits, key = weight_edit(model)
    before, after = saved(model), saved(model, edits)
    changed, paths = different(before, after)
    again = read_model(open_document(after))
    assert row_of(again, key)[1] == pytest.approx(edits.weights[key][1], abs=1e-4)
    assert 0 < changed <= 4 * 4 + 4 * 2
    assert all("/min/" in path or "/max/" in path for path in paths)
    others = [
        np.array_equal(
            np.delete(part.weights, key.vertex, axis=0) if (m, p) == key[:2] else part.weights,
            np.delete(own.weights, key.vertex, axis=0) if (m, p) == key[:2] else own.weights,
        )
        for m, (mesh, other) in enumerate(zip(model.meshes, again.meshes, strict=True))
        for p, (own, part) in enumerate(zip(mesh.primitives, other.primitives, strict=True))
        if own.weights is not None
    ]
    assert all(others)


@needs_shared
@real
def test_a_factor_changes_only_its_field(path):
    model = load(path)
    before, after = saved(model), saved(model, factor_edit(model))
    assert different(before, after) == (0, ["/materials/0/pbrMetallicRoughness/roughnessFactor"])
    assert read_model(open_document(after)).materials[0].roughness == 0.125


@needs_shared
@real
def test_a_key_changes_only_its_bytes(path):
    model = load(path)
    edits = key_edit(model, "rotation" if path.name == "CesiumMan.glb" else "translation")
    before, after = saved(model), saved(model, edits)
    changed, paths = different(before, after)
    key, track = next(iter(edits.tracks.items()))
    again = read_model(open_document(after))
    found = next(t for t in again.clips[0].tracks if (t.path, t.target) == (key.path, key.target))
    assert np.allclose(found.values, track.values, atol=1e-6)
    if changed is not None:
        assert 0 < changed <= 16
        assert all("/min" in path or "/max" in path for path in paths)
    same = [t for t in again.clips[0].tracks if (t.path, t.target) != (key.path, key.target)]
    assert all(any(one.equals(other) for other in model.clips[0].tracks) for one in same)


@needs_shared
@real
def test_a_model_without_edits_is_saved_as_it_is(path):
    model = load(path)
    assert edited(model, ModelEdits()) is model
    assert saved(replace(model, materials=tuple(model.materials))) == saved(model)


def character(how="plain"):
    """Return a file with a vertex at a seam, a clip, and weights that are stored in some way."""
    b = Builder()
    rows = np.float32([[0.5, 0.5, 0, 0]] * 4)
    kind = {"bytes": "uint8", "shorts": "uint16"}.get(how, "float32")
    top = 1 if kind == "float32" else np.iinfo(kind).max
    stored = rows if top == 1 else np.rint(rows * top).astype(kind)
    stored[:, 1] = top - stored[:, 0]
    weights = b.accessor(stored, kind, **({} if top == 1 else {"normalized": True}))
    joints = b.accessor([[0, 1, 0, 0]] * 4, "uint8")
    if how == "sparse":
        at, values = (
            b.view(np.uint8([2]).tobytes()),
            b.view(np.float32([[0.25, 0.75, 0, 0]]).tobytes()),
        )
        indices = {"bufferView": at, "componentType": 5121}
        b.json["accessors"][weights]["sparse"] = {
            "count": 1,
            "indices": indices,
            "values": {"bufferView": values},
        }
    if how == "aliased":
        b.json["accessors"].append(dict(b.json["accessors"][weights]))
    attributes = {"JOINTS_0": joints, "WEIGHTS_0": weights}
    places = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0]]
    indices = b.accessor([0, 1, 2], "uint16")
    mesh = b.mesh(attributes, positions=places, indices=indices, material=0)
    if how == "shared":
        other = b.json["meshes"][mesh]["primitives"][0]["attributes"]
        moved = b.accessor(np.float32(places) + 2)
        b.add(
            "meshes", primitives=[{"attributes": other | {"POSITION": moved}, "indices": indices}]
        )
        b.add("nodes", mesh=1, skin=0)
    b.add("materials", name="Cloth", extras={"kept": 1})
    a, c = (b.add("nodes", name=name) for name in "AB")
    b.add("nodes", name="Body", mesh=mesh, skin=0)
    b.add("skins", joints=[a, c])
    b.animation((c, "translation", [0, 0.5, 1], places[:3]), name="Walk")
    b.add("scenes", nodes=list(range(len(b.json["nodes"]))))
    b.bound()
    return b.glb()


def opened(data):
    return read_model(open_document(data))


@pytest.mark.parametrize("how", ["plain", "bytes", "shorts", "sparse", "aliased", "shared"])
def test_weights_are_copied_where_they_cannot_be_overwritten(how):
    model = opened(character(how))
    key = VertexKey(0, 0, 2)
    row = reweighted(row_of(model, key), 1, 0.3)
    data = saved(model, ModelEdits().with_weights(model, {key: row}))
    again = opened(data)
    assert row_of(again, key)[1] == pytest.approx(row[1], abs=1e-5)
    for vertex in (0, 1, 3):
        assert row_of(again, VertexKey(0, 0, vertex)) == row_of(model, VertexKey(0, 0, vertex))
    if how == "shared":
        assert np.array_equal(
            again.meshes[1].primitives[0].weights, model.meshes[1].primitives[0].weights
        )
    changed, _ = different(saved(model), data)
    assert (changed is not None) == (how in ("plain", "shorts"))
    assert not again.warnings


def test_quantized_weights_are_overwritten_if_they_can_be_stored():
    model = opened(character("bytes"))
    key = VertexKey(0, 0, 2)
    row = (0, 1, 0, 0), tuple((np.float32([51, 204, 0, 0]) / np.float32(255)).tolist())
    changed, paths = different(
        saved(model), saved(model, ModelEdits().with_weights(model, {key: row}))
    )
    assert (changed, paths) == (2, [])


def test_shared_weights_are_overwritten_if_all_users_change_alike():
    model = opened(character("shared"))
    keys = [VertexKey(m, 0, 2) for m in range(2)]
    row = reweighted(row_of(model, keys[0]), 1, 0.3)
    edits = ModelEdits().with_weights(model, dict.fromkeys(keys, row))
    changed, _ = different(saved(model), saved(model, edits))
    assert changed is not None
    assert row_of(opened(saved(model, edits)), keys[1])[1] == pytest.approx(row[1])


def test_a_third_set_of_joints_is_replaced_by_those_of_the_model():
    model = opened(character())
    part = model.meshes[0].primitives[0]
    more = np.zeros_like(part.joints)
    wide = replace(
        part,
        joints=np.concatenate([part.joints, more + np.uint16(1)], axis=1),
        weights=np.concatenate([part.weights / 2, part.weights / 2], axis=1),
    )
    meshes = (replace(model.meshes[0], primitives=(wide,)), *model.meshes[1:])
    again = opened(saved(replace(model, meshes=meshes)))
    assert np.array_equal(again.meshes[0].primitives[0].weights, wide.weights)


@pytest.mark.parametrize(
    ("field", "value", "path"),
    [
        ("base_color", (0.5, 0.25, 1.0, 1.0), "pbrMetallicRoughness"),
        ("emissive", (1.0, 0.0, 0.0), "emissiveFactor"),
        ("emissive_strength", 3.0, "extensions"),
        ("ior", 1.25, "extensions"),
        ("unlit", True, "extensions"),
        ("double_sided", True, "doubleSided"),
        ("alpha_mode", "MASK", "alphaMode"),
        ("clearcoat", Clearcoat(factor=0.5), "extensions"),
    ],
)
def test_fields_of_materials_that_the_file_lacks_are_added_and_removed(field, value, path):
    model = opened(character())
    cloth = replace(model.materials[0], **{field: value})
    data = saved(replace(model, materials=(cloth,)))
    again = opened(data)
    assert again.materials == (cloth,)
    assert path in again.document.json["materials"][0]
    used = again.document.json.get("extensionsUsed", [])
    assert used == list(again.document.json["materials"][0].get("extensions", ()))
    back = opened(saved(replace(again, materials=model.materials)))
    assert back.materials == model.materials


def test_the_strength_of_an_absent_texture_is_not_written():
    model = opened(character())
    cloth = replace(model.materials[0], normal_scale=2.0)
    assert saved(replace(model, materials=(cloth,))) == saved(model)


def test_a_key_moved_in_time_has_new_bounds():
    model = opened(character())
    clip, track = model.clips[0], model.clips[0].tracks[0]
    later = replace(track, times=np.float32([0, 0.5, 1.5]))
    edits = ModelEdits().with_track(model, clip, later)
    now = edited(model, edits)
    assert now.clips[0].end == 1.5
    again = opened(saved(model, edits))
    assert again.clips[0].tracks[0].equals(later)
    assert not again.warnings


def test_a_deleted_key_is_gone():
    model = opened(character())
    clip, track = model.clips[0], model.clips[0].tracks[0]
    fewer = replace(track, times=track.times[[0, 2]], values=track.values[[0, 2]])
    again = opened(saved(model, ModelEdits().with_track(model, clip, fewer)))
    assert again.clips[0].tracks[0].equals(fewer)


def test_the_file_that_is_open_is_not_changed():
    data = character()
    model = opened(data)
    edits, _ = weight_edit(model, vertex=1)
    saved(model, edits)
    assert saved(model) == saved(opened(data))


@needs_shared
@real
def test_the_validator_finds_no_new_errors(path, tmp_path):
    model, files = load(path), []
    every = [ModelEdits(), key_edit(model, "rotation"), weight_edit(model)[0], factor_edit(model)]
    for k, edits in enumerate(every):
        files.append(tmp_path / f"{k}.glb")
        files[-1].write_bytes(saved(model, edits))
    before, *after = (
        [i for i in found if i.severity in ("error", "warning")] for found in validated(*files)
    )
    assert all(found == before for found in after)


@pytest.mark.parametrize("how", ["plain", "bytes", "sparse", "aliased", "shared"])
def test_the_validator_finds_no_errors_in_copied_weights(how, tmp_path):
    model, files = opened(character(how)), [tmp_path / "own.glb", tmp_path / "edited.glb"]
    for path, edits in zip(files, (ModelEdits(), weight_edit(model, vertex=2)[0]), strict=True):
        path.write_bytes(saved(model, edits))
    own, found = validated(*files)
    assert {i for i in found if i.severity in ("error", "warning")} <= set(own)
