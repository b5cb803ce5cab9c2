"""How far the surface moves when joints are rotated or displaced, or matrices are off."""

import numpy as np
import pytest

from rigview.animation import quat
from rigview.checks.check_context import CheckContext
from rigview.checks.visible_size import (
    axis_of,
    joint_reach,
    size_of_displacement,
    size_of_rest,
    size_of_rotation,
    size_of_skinning,
    unless_seen,
)
from tests.support.models import make_model, make_primitive, rod_model


def test_the_reach_of_a_joint_is_its_farthest_vertex():
    model = rod_model()
    context = CheckContext(model)
    matrices = model.skeleton.to_model(model.skeleton.rest)
    points = np.concatenate([block.points for block in context.blocks])
    root = int(model.skins[0].joints[0])
    far = np.linalg.norm(points - matrices[root, :3, 3], axis=1).max()
    assert joint_reach(context, root) == pytest.approx(far, rel=1e-5)
    assert size_of_rotation(context, root, 180) == pytest.approx(2 * far, rel=1e-5)
    assert size_of_rotation(context, root, -60) == pytest.approx(far, rel=1e-5)
    assert size_of_displacement(context, root, -0.25) == 0.25


def test_a_model_without_surface_has_no_visible_size():
    context = CheckContext(make_model([make_primitive(np.zeros((0, 3)))]))
    assert size_of_rotation(context, 0, 90) == 0
    assert size_of_displacement(context, 0, 1) == 0


def test_a_twist_moves_the_surface_less_than_a_swing():
    model = rod_model()
    context, root = CheckContext(model), int(model.skins[0].joints[0])
    points = np.concatenate([block.points for block in context.blocks])
    thick = np.hypot(points[:, 0], points[:, 2]).max()
    long = np.linalg.norm(points, axis=1).max()
    assert joint_reach(context, root, np.array([0, 3.0, 0])) == pytest.approx(thick, rel=1e-3)
    assert joint_reach(context, root, np.array([0.5, 0, 0])) == pytest.approx(long, rel=0.05)
    assert joint_reach(context, root, np.zeros(3)) == pytest.approx(long, rel=1e-5)


@pytest.mark.parametrize("degrees", [5, 90, 179])
@pytest.mark.parametrize("sign", [1, -1])
def test_axis_of_a_difference(degrees, sign):
    way = np.array([0.6, 0, 0.8])
    half = np.radians(degrees) / 2
    turn = np.array([*(way * np.sin(half)), np.cos(half)])
    before = quat.normalize(np.array([0.1, 0.7, -0.3, 0.6]))
    key = quat.multiply(before, turn)
    found = axis_of(sign * key, key - before)
    assert np.cross(found, way) == pytest.approx(np.zeros(3), abs=1e-9)
    assert np.linalg.norm(found) > 0


def test_matrices_that_are_off_move_their_vertices_by_their_weight():
    model = rod_model()
    context = CheckContext(model)
    part = model.meshes[0].primitives[0]
    off = np.zeros((len(model.skins[0].joints), 4, 4))
    off[1, 0, 3] = 0.2
    most = (part.weights * (part.joints == 1)).max()
    assert size_of_skinning(context, 0, off, off[:, 0, 3] > 0) == pytest.approx(0.2 * most)
    assert size_of_skinning(context, 0, off, off[:, 0, 3] > 1) == 0


def test_a_change_of_the_rest_pose_moves_the_surface():
    context = CheckContext(rod_model())
    joint = int(context.model.skins[0].joints[0])

    def up(rest):
        rest.translation[joint] += [0, 0.3, 0]

    assert size_of_rest(context, up) == pytest.approx(0.3, rel=1e-5)
    assert size_of_rest(context, lambda _: None) == 0


def test_what_is_too_small_to_be_seen_is_info():
    context = CheckContext(rod_model())
    assert unless_seen(context, 0.0019 * context.height) == "info"
    assert unless_seen(context, 0.0021 * context.height) == ""
