"""How far the surface moves when a joint is rotated or displaced."""

import numpy as np
import pytest

from rigview.checks.check_context import CheckContext
from rigview.checks.visible_size import joint_reach, size_of_displacement, size_of_rotation
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
