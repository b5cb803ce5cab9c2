"""Instances of a mesh at one node: as they are written out, and malformed ones."""

import numpy as np
import pytest

from rigview.animation.model_space import to_model_transforms
from rigview.errors import GltfError
from rigview.gltf import limits
from rigview.gltf.save import model_bytes
from rigview.loading.load import load
from rigview.model.skinned_vertices import vertex_blocks
from rigview.model.statistics import describe
from tests.support.gltf_documents import Builder
from tests.support.instanced_files import NAME, instanced, transforms


def points(model):
    """All drawn vertices in the rest pose, model space."""
    matrices, _ = to_model_transforms(model.skeleton, model.skeleton.rest)
    blocks = vertex_blocks(model)
    return np.concatenate(
        [x.skinned(x.palette(matrices), x.morphed(model.skeleton.rest.values)) for x in blocks]
    )


@pytest.mark.parametrize(("kind", "far"), [("float32", 2e-6), ("int16", 2e-4), ("int8", 2e-2)])
def test_vertices_are_those_of_a_node_for_each_instance(kind, far):
    model, other = instanced(rotation_type=kind).load(), instanced(as_nodes=True).load()
    assert not model.warnings
    (forest,) = model.instances
    assert (forest.count, len(other.instances)) == (12, 12)
    ours, theirs = points(model), points(other)
    assert ours.shape == theirs.shape
    apart = np.abs(ours[::37, None] - theirs).max(axis=2).min(axis=1)
    assert apart.max() < far


def test_normals_tangents_and_triangles_of_mirrored_instances():
    """Triangles keep the side of their normals, and tangents their handedness."""
    model = instanced().load()
    for part in model.drawn_mesh(model.instances[0]).primitives:
        a, b, c = (part.positions[part.indices[k::3]] for k in range(3))
        face = np.cross(b - a, c - a)
        normal = part.normals[part.indices].reshape(-1, 3, 3).mean(axis=1)
        there = np.linalg.norm(face, axis=1) > 1e-7
        assert (np.einsum("ta,ta->t", face, normal)[there] > 0).all()
    b = Builder()
    mesh = b.mesh(
        {"NORMAL": b.accessor([[0, 0, 1]] * 3), "TANGENT": b.accessor([[1, 0, 0, 1]] * 3)},
        indices=b.accessor([0, 1, 2], "uint8"),
    )
    given = {"SCALE": b.accessor([[1, 1, 1], [-2, 2, 2], [0, 0, 0]])}
    b.add("nodes", mesh=mesh, extensions={NAME: {"attributes": given}})
    (part,) = b.load().instances[0].written.primitives
    np.testing.assert_array_equal(part.tangents[::3], [[1, 0, 0, 1], [-2, 0, 0, -1], [0, 0, 0, 1]])
    np.testing.assert_array_equal(part.normals[::3], [[0, 0, 1], [0, 0, 1], [0, 0, 0]])
    np.testing.assert_array_equal(part.indices.reshape(-1, 3), [[0, 1, 2], [5, 4, 3], [6, 7, 8]])


def test_morph_targets_move_with_the_instances():
    b = Builder()
    target = {"POSITION": b.accessor([[0, 0, 1], [0, 0, 0], [0, 0, 0]])}
    mesh = b.mesh(targets=[target])
    half = np.sqrt(0.5)
    given = {"ROTATION": b.accessor([[0, 0, 0, 1], [half, 0, 0, half]])}  # the second about x
    b.add("nodes", mesh=mesh, weights=[0.5], extensions={NAME: {"attributes": given}})
    model = b.load()
    (part,) = model.instances[0].written.primitives
    np.testing.assert_allclose(part.morph.positions[0, ::3], [[0, 0, 1], [0, -1, 0]], atol=1e-6)
    np.testing.assert_allclose(points(model).min(axis=0), [0, -0.5, 0], atol=1e-6)


def test_sparse_and_missing_attributes():
    b = Builder()
    mesh = b.mesh()
    values = {"bufferView": b.view(np.float32([[5, 0, 0]]).tobytes())}
    indices = {"bufferView": b.view(bytes([2])), "componentType": 5121}
    at = b.empty_accessor(
        3, "float32", "VEC3", sparse={"count": 1, "indices": indices, "values": values}
    )
    b.add("nodes", mesh=mesh, extensions={NAME: {"attributes": {"TRANSLATION": at}}})
    np.testing.assert_array_equal(
        b.load().instances[0].written.primitives[0].positions[::3],
        [[0, 0, 0], [0, 0, 0], [5, 0, 0]],
    )


def test_a_mesh_with_and_without_instances():
    """The mesh stays that of the file; only its drawn vertices are repeated."""
    b = instanced()
    b.json["nodes"][0]["mesh"] = 0
    model = b.load()
    single, forest = model.instances
    vertices = sum(len(part.positions) for part in model.meshes[0].primitives)
    assert model.drawn_mesh(single) is model.meshes[0]
    assert sum(len(part.positions) for part in forest.written.primitives) == 12 * vertices
    (facts,) = describe(model)["meshes"]
    assert (facts["instances"], facts["vertices"], facts["nodes"]) == (13, vertices, [0, 1])


@pytest.mark.parametrize("given", [{}, {"_ID": 0}])
def test_without_transforms_the_mesh_is_drawn_once(given):
    b = Builder()
    b.add("nodes", mesh=b.mesh(), extensions={NAME: {"attributes": given}})
    (instance,) = b.load().instances
    assert (instance.count, instance.written) == (1, None)


def test_no_instances_draw_nothing():
    b = Builder()
    at = b.empty_accessor(0, "float32", "VEC3")
    b.add("nodes", mesh=b.mesh(), extensions={NAME: {"attributes": {"TRANSLATION": at}}})
    (instance,) = b.load().instances
    assert (instance.count, instance.written.primitives) == (0, ())


def test_a_skinned_mesh_is_drawn_once():
    """It does not follow its node (glTF 2.0, section 3.7.3.3), to which instances are relative."""
    b = Builder()
    influences = {
        "JOINTS_0": b.accessor([[0, 0, 0, 0]] * 3, "uint8"),
        "WEIGHTS_0": b.accessor([[1, 0, 0, 0]] * 3),
    }
    at = b.accessor([[0, 0, 0], [3, 0, 0]])
    row = {"mesh": b.mesh(influences), "skin": 0}
    b.add("nodes", **row, extensions={NAME: {"attributes": {"TRANSLATION": at}}})
    b.add("skins", joints=[b.add("nodes")])
    model = b.load()
    assert (model.instances[0].count, model.instances[0].skin) == (1, 0)
    assert model.warnings == [
        f"/nodes/0/extensions/{NAME}: a skinned mesh does not follow its node; it is drawn once"
    ]


def one_node(b, **given):
    b.add("nodes", mesh=b.mesh(), extensions={NAME: {"attributes": given}})
    return b


@pytest.mark.parametrize(
    ("name", "values", "kind", "message"),
    [
        ("TRANSLATION", [[0, 0]], "float32", "is VEC2 of float32, not VEC3 of float32"),
        ("TRANSLATION", [[0, 0, 0]], "int16", "is VEC3 of int16, not VEC3 of float32"),
        ("ROTATION", [[0, 0, 0, 1]], "uint16", "of uint16, not VEC4 of int8, int16, float32"),
        ("SCALE", [[1, 1, 1]] * 3, "float32", "has 3 elements for 2 instances"),
    ],
)  # fmt: skip
def test_malformed_attributes(name, values, kind, message):
    b = Builder()
    given = {"TRANSLATION": b.accessor([[0, 0, 0]] * 2)} | {name: b.accessor(values, kind)}
    with pytest.raises(GltfError, match=message) as caught:
        one_node(b, **given).load()
    assert caught.value.place == f"/nodes/0/extensions/{NAME}/attributes/{name}"


@pytest.mark.parametrize("given", ["x", {"TRANSLATION": 7}, {"_ID": None}, {"SCALE": "x"}])
def test_invalid_references(given):
    b = Builder()
    b.add("nodes", mesh=b.mesh(), extensions={NAME: {"attributes": given}})
    with pytest.raises(GltfError, match="must be indices into accessors by name"):
        b.load()


def test_many_instances_fail_in_one_line():
    b = Builder()
    made = one_node(b, TRANSLATION=b.empty_accessor(10**9, "float32", "VEC3"))
    with pytest.raises(GltfError) as caught:
        made.load()
    assert str(caught.value) == (
        "<bytes>: /meshes: 3000000000 vertices to draw; at most 8000000 are supported"
    )
    made.json["meshes"][0]["primitives"][0]["attributes"] = {}
    with pytest.raises(GltfError, match="far more than the file size justifies"):
        made.load()


def test_instances_count_as_drawn(monkeypatch):
    monkeypatch.setattr(limits, "VERTICES", 30)
    b = Builder()
    assert one_node(b, SCALE=b.accessor([[1, 1, 1]] * 10)).load().instances[0].count == 10
    b = Builder()
    with pytest.raises(GltfError, match="33 vertices to draw"):
        one_node(b, SCALE=b.accessor([[1, 1, 1]] * 11)).load()


def test_values_out_of_range():
    b = Builder()
    made = one_node(
        b,
        TRANSLATION=b.accessor([[np.nan, 0, 0], [np.inf, 0, 0]]),
        ROTATION=b.accessor([[0, 0, 0, 0], [0, 0, 0, 2]]),
    )
    model = made.load()
    assert len(model.warnings) == 2
    np.testing.assert_array_equal(model.instances[0].placements, [np.eye(4)] * 2)
    b = Builder()
    row = one_node(b, SCALE=b.accessor([[1e18, 1, 1]]))
    row.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = b.accessor(
        [[9, 0, 0], [0, 1, 0], [0, 0, 1]]
    )
    with pytest.raises(GltfError, match="an instance is too large"):
        row.load()


def test_saving_keeps_the_instances():
    model = load(instanced(custom=True).glb())
    again = load(model_bytes(model.with_clips([*model.clips, model.clips[0].renamed("Again")])))
    np.testing.assert_array_equal(again.instances[0].placements, model.instances[0].placements)
    attributes = again.document.json["nodes"][1]["extensions"][NAME]["attributes"]
    assert sorted(attributes) == ["ROTATION", "SCALE", "TRANSLATION", "_ID"]
    assert [clip.name for clip in again.clips][1] == "Again"


def test_a_thousand_instances_are_one_mesh():
    model = instanced(transforms(1000)).load()
    assert [instance.count for instance in model.instances] == [1000]
    assert len(model.drawn_mesh(model.instances[0]).primitives) == 2
