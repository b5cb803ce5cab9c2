import pytest

from rigview.errors import GltfError
from rigview.gltf import limits
from tests.support import large_counts
from tests.support.gltf_documents import Builder


@pytest.mark.parametrize(
    ("make", "most", "place", "what"),
    [
        (large_counts.nodes, limits.NODES - 1, "/nodes", "nodes"),
        (large_counts.joints, limits.JOINTS, "/skins/0/joints", "joints"),
        (large_counts.clips, limits.CLIPS, "/animations", "animations"),
        (large_counts.instances, limits.PRIMITIVES, "/meshes", "primitives to draw"),
        (large_counts.primitives, limits.PRIMITIVES, "/meshes", "primitives to draw"),
    ],
)
def test_one_more_than_supported(make, most, place, what):
    with pytest.raises(GltfError) as caught:
        make(most + 1).load()
    limit = most + (what == "nodes")
    assert str(caught.value) == (
        f"<bytes>: {place}: {limit + 1} {what}; at most {limit} are supported"
    )


def test_primitives_count_for_each_node():
    made = large_counts.primitives(limits.PRIMITIVES // 2)
    made.json["nodes"] *= 2
    made.json["scenes"][0]["nodes"] = [0, 1]
    assert len(made.load().instances) == 2
    made.json["nodes"].append({"mesh": 0})
    with pytest.raises(GltfError, match="7500 primitives"):
        made.load()


@pytest.mark.parametrize(
    ("make", "limit", "what"),
    [
        (large_counts.vertices, "VERTICES", "vertices to draw"),
        (large_counts.placed_vertices, "VERTICES", "vertices to draw"),
        (large_counts.skinned_vertices, "VERTICES", "vertices to draw"),
        (large_counts.indices, "INDICES", "indices to draw"),
        (large_counts.displacements, "DISPLACEMENTS", "displacements of morph targets"),
    ],
)
def test_shared_accessors_count_for_each_primitive_and_node(make, limit, what, monkeypatch):
    monkeypatch.setattr(limits, limit, 3000)
    assert make(3000).load().instances
    with pytest.raises(GltfError) as caught:
        make(3600).load()
    assert str(caught.value) == f"<bytes>: /meshes: 3600 {what}; at most 3000 are supported"


def test_meshes_without_a_node_count_once(monkeypatch):
    monkeypatch.setattr(limits, "VERTICES", 3000)
    made = large_counts.vertices(3600)
    made.json["nodes"] = [{}]
    with pytest.raises(GltfError, match="3600 vertices"):
        made.load()


@pytest.mark.parametrize(
    "document",
    [
        {"nodes": 3, "meshes": [1, {"primitives": "x"}], "skins": {}, "animations": None},
        {"nodes": [1, {"mesh": True}, {"mesh": -1}, {"mesh": 9}], "skins": [None, {"joints": 1}]},
    ],
)
def test_invalid_json_is_left_to_validation(document):
    made = Builder()
    made.json |= document
    with pytest.raises(GltfError, match="must be an"):
        made.load()
