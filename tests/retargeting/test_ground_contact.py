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
    """Return the height of the sole relative to the ankle, with the foot rotated straight down."""
    ankle, toe = figure.skeleton.find("LeftFoot"), figure.skeleton.find("LeftToe")
    positions, rotation = (
        figure.reference_pose.position.copy(),
        figure.reference_pose.rotation.copy(),
    )
    reach = positions[toe] - positions[ankle]
    positions[toe] = positions[ankle] + quat.rotate(AROUND_X, reach)
    rotation[[ankle, toe]] = quat.multiply(AROUND_X, rotation[[ankle, toe]])
    sole = Sole.of(figure, ankle)
    return sole.lowest(positions, rotation) - positions[ankle, 1]


def test_sole_is_on_the_floor_at_rest(figure):
    for skin in ({}, {figure.skeleton.find("LeftToe"): np.array([[0, -0.03, 0.1], [0, 0.02, 0]])}):
        sole = Sole.of(replace(figure, skin=skin), figure.skeleton.find("LeftFoot"))
        reference = figure.reference_pose
        assert sole.lowest(reference.position, reference.rotation) == pytest.approx(0, abs=1e-12)


def test_sole_without_skin_uses_joints(figure):
    """The toe joint is 0.12 m in front of the ankle, and 0.12 m below it on tiptoe."""
    assert lowest_on_tiptoe(figure) == pytest.approx(-0.12)


def test_sole_with_skin_includes_outermost_points(figure):
    """The skin extends 0.1 m beyond the toe joint; points below the floor at rest stay there."""
    skin = {figure.skeleton.find("LeftToe"): np.array([[0, 0, 0.1], [0, -0.03, 0]])}
    assert lowest_on_tiptoe(replace(figure, skin=skin)) == pytest.approx(-0.12 - 0.1 + 0.03)


def test_outermost_points_include_box_corners(rng):
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-2, 2) for z in (-3, 3)], float)
    inside = rng.uniform(-0.9, 0.9, (100, 3)) * [1, 2, 3]
    points = outermost(np.concatenate([inside, corners]))
    assert len(points) <= 26
    assert {tuple(p) for p in corners.tolist()} <= {tuple(p) for p in points.tolist()}
