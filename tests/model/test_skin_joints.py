"""The joints that move vertices: of one vertex, and counts and greatest weights of all."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.model.mesh_parts import carried_mesh
from rigview.model.skin_joints import greatest_weights, moved_vertices, vertex_influences
from tests.support.models import rod_model, square_model


def with_influences(joints, weights):
    """The rod, of which every vertex has one row of skin entries and weights."""
    model = rod_model()
    part = model.meshes[0].primitives[0]
    count = len(part.positions)
    part = replace(
        part,
        joints=np.tile(np.array(joints, np.uint16), (count, 1)),
        weights=np.tile(np.array(weights, np.float32), (count, 1)),
    )
    return replace(model, meshes=(replace(model.meshes[0], primitives=(part,)),))


def test_the_heaviest_joint_is_first():
    model = with_influences([0, 2, 1, 0], [0.25, 0.5, 0.25, 0])
    joints = model.skins[0].joints
    part = model.meshes[0].primitives[0]
    found = vertex_influences(model, model.instances[0], part, 0)
    assert found == [(joints[2], 0.5), (joints[0], 0.25), (joints[1], 0.25)]
    greatest = greatest_weights(model)
    assert [greatest[joint] for joint in joints] == [0.25, 0.25, 0.5]


def test_a_joint_that_is_listed_twice_has_the_sum():
    model = with_influences([1, 1, 0, 0], [0.5, 0.25, 0.25, 0])
    joints, part = model.skins[0].joints, model.meshes[0].primitives[0]
    found = vertex_influences(model, model.instances[0], part, 0)
    assert found == [(joints[1], 0.75), (joints[0], 0.25)]
    assert greatest_weights(model)[joints[1]] == 0.75
    assert moved_vertices(model)[joints[1]] == len(part.positions)


def test_a_rigid_mesh_follows_its_node():
    model = square_model()
    instance = carried_mesh(model, model.instances[0].joint)
    part = model.meshes[0].primitives[0]
    assert vertex_influences(model, instance, part, 3) == [(instance.joint, 1.0)]
    assert greatest_weights(model)[instance.joint] == 1.0
    assert moved_vertices(model)[instance.joint] == len(part.positions)


def test_all_vertices_of_the_rod():
    """Counts and greatest weights of all joints against those of every single vertex."""
    model = rod_model()
    part, instance = model.meshes[0].primitives[0], model.instances[0]
    counts, greatest = np.zeros(model.skeleton.count, int), np.zeros(model.skeleton.count)
    for vertex in range(len(part.positions)):
        for joint, weight in vertex_influences(model, instance, part, vertex):
            counts[joint] += 1
            greatest[joint] = max(greatest[joint], weight)
    np.testing.assert_array_equal(moved_vertices(model), counts)
    assert greatest_weights(model) == pytest.approx(greatest)
