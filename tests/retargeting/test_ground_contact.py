from dataclasses import replace

import numpy as np
import pytest

from rigview.animation import quat
from rigview.retargeting.ground_contact import Sole, outermost
from rigview.retargeting.reference_pose import RetargetSkeleton, reference_pose_of
from tests.support.humanoids import humanoid

AROUND_X = np.array([np.sin(np.pi / 4), 0, 0, np.cos(np.pi / 4)])  # toes down by 90°


@pytest.fixture
def figure():
    skeleton = humanoid().skeleton
    joints = np.arange(skeleton.count, dtype=np.int32)
    return RetargetSkeleton(skeleton, joints, 0, reference_pose_of(skeleton, skeleton.rest))


def lowest_on_tiptoe(figure):
    """Height of the sole above its ankle's, foot turned straight down about the ankle."""
    ankle, toe = figure.skeleton.find("LeftFoot"), figure.skeleton.find("LeftToe")
    places, rotation = figure.reference_pose.position.copy(), figure.reference_pose.rotation.copy()
    reach = places[toe] - places[ankle]
    places[toe] = places[ankle] + quat.rotate(AROUND_X, reach)
    rotation[[ankle, toe]] = quat.multiply(AROUND_X, rotation[[ankle, toe]])
    sole = Sole.of(figure, ankle)
    return sole.lowest(places, rotation) - places[ankle, 1]


def test_stands_on_the_floor(figure):
    for skin in ({}, {figure.skeleton.find("LeftToe"): np.array([[0, -0.03, 0.1], [0, 0.02, 0]])}):
        sole = Sole.of(replace(figure, skin=skin), figure.skeleton.find("LeftFoot"))
        reference = figure.reference_pose
        assert sole.lowest(reference.position, reference.rotation) == pytest.approx(0, abs=1e-12)


def test_joints_where_there_is_no_skin(figure):
    """The toe's joint is 0.12 m ahead of the ankle, and that much below it on tiptoe."""
    assert lowest_on_tiptoe(figure) == pytest.approx(-0.12)


def test_skin_reaches_beyond_the_joints(figure):
    """It goes 0.1 m further than the toe's joint; what is sunk at rest stays so."""
    skin = {figure.skeleton.find("LeftToe"): np.array([[0, 0, 0.1], [0, -0.03, 0]])}
    assert lowest_on_tiptoe(replace(figure, skin=skin)) == pytest.approx(-0.12 - 0.1 + 0.03)


def test_outermost_points_of_a_box(rng):
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-2, 2) for z in (-3, 3)], float)
    inside = rng.uniform(-0.9, 0.9, (100, 3)) * [1, 2, 3]
    found = outermost(np.concatenate([inside, corners]))
    assert len(found) <= 26
    assert {tuple(p) for p in corners.tolist()} <= {tuple(p) for p in found.tolist()}
