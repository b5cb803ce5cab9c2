import pytest

from rigview.loading.load import load
from tests.support.gltf_documents import make_glb


def model(extensions):
    nodes = [{"name": "a", "children": [2]}, {"name": "b"}, {"name": "c"}]
    document = {"asset": {"version": "2.0"}, "nodes": nodes, "extensions": extensions}
    return load(make_glb(document))


def named(loaded):
    return {bone: loaded.skeleton.names[joint] for bone, joint in loaded.humanoid.items()}


def test_vrm_1():
    bones = {"hips": {"node": 0}, "leftUpperArm": {"node": 2}}
    loaded = model({"VRMC_vrm": {"humanoid": {"humanBones": bones}}})
    assert named(loaded) == {"hips": "a", "leftUpperArm": "c"}


def test_vrm_0():
    bones = [{"bone": "hips", "node": 1}, {"bone": "head", "node": 2}]
    loaded = model({"VRM": {"humanoid": {"humanBones": bones}}})
    assert named(loaded) == {"hips": "b", "head": "c"}
    assert not any("humanoid" in warning for warning in loaded.warnings)


@pytest.mark.parametrize(
    "extensions",
    [
        {},
        {"VRM": None},
        {"VRM": {"humanoid": 3}},
        {"VRMC_vrm": {"humanoid": {"humanBones": [1]}}},
        {"VRM": {"humanoid": {"humanBones": {"hips": {"node": 0}}}}},
        {"VRMC_vrm": {"humanoid": {"humanBones": {"hips": {"node": 7}}}}},
        {"VRMC_vrm": {"humanoid": {"humanBones": {"hips": {"node": True}}}}},
        {"VRM": {"humanoid": {"humanBones": [{"bone": "hips", "node": -1}, 5]}}},
    ],
)
def test_invalid_nodes_are_left_out(extensions):
    assert dict(model(extensions).humanoid) == {}
