import numpy as np

from tests.support.gltf_documents import Builder


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
