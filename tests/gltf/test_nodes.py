import numpy as np
import pytest

from rigview.errors import GltfError
from tests.support.gltf_documents import Builder, load, make_glb


def built(*nodes, **more):
    return load(make_glb({"asset": {"version": "2.0"}, "nodes": list(nodes)} | more))


def test_children_before_parents_are_sorted_by_depth():
    model = built(
        {"name": "hand"},
        {"name": "arm", "children": [0]},
        {"name": "lamp"},
        {"name": "body", "children": [4, 1]},
        {"name": "leg"},
    )
    skeleton = model.skeleton
    assert skeleton.names == ("lamp", "body", "leg", "arm", "hand")
    assert skeleton.nodes.tolist() == [2, 3, 4, 1, 0]
    assert skeleton.parents.tolist() == [-1, -1, 1, 1, 3]
    assert skeleton.joint_of_node.tolist() == [4, 3, 0, 1, 2]


def test_transforms_and_their_defaults():
    model = built({}, {"translation": [1, 2, 3], "rotation": [0, 0.6, 0, 0.8], "scale": [2, 2, 2]})
    rest = model.skeleton.rest
    np.testing.assert_allclose(rest.translation, [[0, 0, 0], [1, 2, 3]])
    np.testing.assert_allclose(rest.rotation, [[0, 0, 0, 1], [0, 0.6, 0, 0.8]])
    np.testing.assert_allclose(rest.scale, [[1, 1, 1], [2, 2, 2]])
    assert all(a.dtype == np.float32 for a in (rest.translation, rest.rotation, rest.scale))


def test_rest_rotations_are_normalized():
    model = built({"rotation": [0, 0, 0, 2]}, {"rotation": [0, 0, 0, 0]})
    np.testing.assert_array_equal(model.skeleton.rest.rotation, [[0, 0, 0, 1], [0, 0, 0, 1]])
    assert model.warnings == ["/nodes/1/rotation: zero length; the identity is used"]


def test_a_matrix_is_decomposed():
    turn = [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1]  # column major
    model = built({"matrix": turn})
    rest = model.skeleton.rest
    np.testing.assert_allclose(rest.translation[0], [5, 6, 7])
    np.testing.assert_allclose(rest.scale[0], [2, 2, 2])
    np.testing.assert_allclose(
        model.skeleton.to_model(rest)[0], np.array(turn).reshape(4, 4).T, atol=1e-6
    )
    assert model.warnings == []


def test_shear_is_reported():
    model = built({"matrix": [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]})
    assert "/nodes/0/matrix: shear of 26.6° is lost" in model.warnings[0]


def test_a_mirrored_matrix_keeps_its_handedness():
    model = built({"matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]})
    assert np.linalg.det(model.skeleton.to_model(model.skeleton.rest)[0]) < 0


@pytest.mark.parametrize(
    "row", [{"scale": [1e9, 1e9, 1e9]}, {"translation": [1e17, 0, 0], "scale": [10, 10, 10]}]
)
def test_transforms_beyond_float32_raise(row):
    nodes = [row | {"children": [n + 1]} for n in range(40)] + [{}]
    with pytest.raises(GltfError, match="too large") as caught:
        built(*nodes)
    assert caught.value.place.startswith("/nodes/")


def test_large_and_small_scales_load():
    built({"scale": [1000, 1000, 1000], "children": [1]}, {"scale": [1e-6, 1e-6, 0]})


def test_names():
    skeleton = built({"name": "a"}, {}, {"name": "a"}, {"name": "Joint 1"}).skeleton
    assert skeleton.names == ("a", "Joint 1", "a #2", "Joint 1 #2")


def test_joints_of_skins_keep_their_name():
    b = Builder()
    b.add("nodes", name="Head")
    b.add("nodes", name="Head")
    b.add("skins", joints=[1])
    assert b.load().skeleton.names == ("Head #2", "Head")


def test_the_default_scene():
    nodes = [{"children": [2]}, {}, {"children": [3]}, {}]
    assert built(*nodes).scene_joints.tolist() == [0, 1, 2, 3]
    scenes = [{"nodes": [1]}, {"nodes": [0], "name": "Main"}, {}]
    model = built(*nodes, scenes=scenes, scene=1)
    assert model.skeleton.nodes[model.scene_joints].tolist() == [0, 2, 3]
    assert model.facts.scenes == ("Scene 0", "Main", "Scene 2")
    model = built(*nodes, scenes=scenes)
    assert model.skeleton.nodes[model.scene_joints].tolist() == [1]
    assert built(*nodes, scenes=scenes, scene=2).scene_joints.tolist() == []
    model = built(*nodes, scenes=[{"nodes": [2]}])
    assert model.skeleton.nodes[model.scene_joints].tolist() == [2, 3]


def test_empty_file():
    model = load(make_glb({"asset": {"version": "2.0"}}))
    assert model.skeleton.count == 0
    assert model.scene_joints.tolist() == []
    assert model.skeleton.to_model(model.skeleton.rest).shape == (0, 4, 4)


def test_cameras():
    cameras = [
        {"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}, "name": "Close"},
        {
            "type": "orthographic",
            "orthographic": {"xmag": 2, "ymag": 1, "znear": 0, "zfar": 5},
        },
        {"type": "perspective"},
        {"type": "perspective", "perspective": {"yfov": 4, "znear": 0.1}},
        {"type": "perspective", "perspective": {"yfov": 1, "znear": 2, "zfar": 1}},
    ]
    nodes = [{"children": [1]}, *({"camera": c} for c in range(5))]
    model = built(*nodes, cameras=cameras)
    wide, near = model.cameras  # in joint order: roots before children
    assert (near.name, near.kind, near.yfov, near.zfar) == ("Close", "perspective", 1, np.inf)
    assert (wide.name, wide.kind, wide.xmag, wide.zfar) == ("Camera 1", "orthographic", 2, 5)
    assert model.skeleton.nodes[[near.joint, wide.joint]].tolist() == [1, 2]
    assert [w.split(":")[0] for w in model.warnings] == ["/cameras/2", "/cameras/3", "/cameras/4"]


def test_a_mesh_with_and_without_a_skin_on_many_nodes():
    b = Builder()
    b.mesh(
        {
            "JOINTS_0": b.accessor([[0, 0, 0, 0]] * 3, "uint8"),
            "WEIGHTS_0": b.accessor([[1, 0, 0, 0]] * 3),
        }
    )
    b.add("nodes", mesh=0, skin=0, children=[3])  # the joint is a child of the mesh node
    b.add("nodes", mesh=0, skin=0)
    b.add("nodes", mesh=0)
    b.add("nodes")
    b.add("skins", joints=[3])
    b.add("scenes", nodes=[0, 2])
    model = b.load()
    found = [(model.skeleton.nodes[i.joint], i.mesh, i.skin, i.in_scene) for i in model.instances]
    assert found == [(0, 0, 0, True), (1, 0, 0, False), (2, 0, -1, True)]
    assert model.warnings == []


def test_a_skin_on_a_mesh_without_joints_is_left_out():
    b = Builder()
    b.mesh()
    b.add("nodes", mesh=0, skin=0)
    b.add("skins", joints=[0])
    model = b.load()
    assert model.instances[0].skin == -1
    assert model.warnings == [
        "/nodes/0/skin: a primitive of its mesh has no JOINTS_0 and stays rigid"
    ]


def morphing(**node):
    b = Builder()
    target = {"POSITION": b.accessor([[0, 0, 1]] * 3)}
    b.mesh(targets=[target, target])
    b.add("nodes", children=[1])
    b.add("nodes", mesh=0, **node)
    b.add("nodes", mesh=0)
    return b


def test_each_node_has_its_own_morph_weights():
    b = morphing(weights=[0.5, 1])
    b.json["meshes"][0]["weights"] = [0.25, 0]
    model = b.load()
    assert [c.pointer for c in model.channels] == ["/nodes/2/weights", "/nodes/1/weights"]
    assert [(c.start, c.width, c.kind) for c in model.channels] == [
        (0, 2, "linear"),
        (2, 2, "linear"),
    ]
    np.testing.assert_array_equal(model.skeleton.rest.values, [0.25, 0, 0.5, 1])
    assert [model.channels[i.channel].joint == i.joint for i in model.instances] == [True, True]
    assert model.channels[0].slice == slice(0, 2)


def test_weights_default_to_zero():
    np.testing.assert_array_equal(morphing().load().skeleton.rest.values, np.zeros(4))


def test_too_few_or_too_many_weights():
    for weights, default in (([1], [1, 0]), ([1, 2, 3], [1, 2])):
        model = morphing(weights=weights).load()
        np.testing.assert_array_equal(model.channels[1].default, default)
        given = "1 weight" if len(weights) == 1 else f"{len(weights)} weights"
        assert f"/nodes/1/weights: {given} for 2 morph targets" in model.warnings[0]


def test_a_mesh_without_targets_has_no_channel():
    b = Builder()
    b.mesh()
    b.add("nodes", mesh=0)
    model = b.load()
    assert model.channels == ()
    assert model.instances[0].channel == -1
    assert model.skeleton.rest.values.shape == (0,)
