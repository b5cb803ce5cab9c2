import numpy as np
import pytest

from rigview.blending.additive_references import ARMS, HIPS, SAME, core_poses, unfit_reference
from rigview.blending.cone_limits import LimitViolation
from tests.support.clips import about, make_skeleton, rest_pose

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
HIP, SPINE, SHOULDER, ELBOW = range(4)


def test_reference_beyond_limits_is_reported():
    skeleton = make_skeleton([-1, 0, 1, 2])
    neutral, reference = rest_pose(4), rest_pose(4)
    neutral.rotation[SHOULDER] = about(Z, 70)  # arms hang; at rest they are stretched out
    reference.rotation[...] = neutral.rotation
    limbs = ([HIP, SPINE], [SHOULDER, ELBOW])
    assert unfit_reference(reference, neutral, skeleton, *limbs) == []
    reference.rotation[HIP] = about(Y, 9)
    reference.rotation[ELBOW] = about(X, 19)
    assert unfit_reference(reference, neutral, skeleton, *limbs) == []
    reference.rotation[SPINE] = about(Y, 2)  # 11 in model space, with the hips below it
    violations = unfit_reference(reference, neutral, skeleton, *limbs)
    assert [past.joint for past in violations] == [SPINE]
    assert violations[0].limit == float(HIPS)
    reference.rotation[SPINE] = about(Y, -9)
    reference.rotation[SHOULDER] = about(Z, 40)
    reference.rotation[ELBOW] = -about(X, 25)
    violations = unfit_reference(reference, neutral, skeleton, *limbs)
    assert [past.joint for past in violations] == [SHOULDER, ELBOW]
    assert np.degrees([past.angle for past in violations]) == pytest.approx([30, 25], abs=1e-3)
    assert violations[0] == LimitViolation(SHOULDER, violations[0].angle, float(ARMS))


def test_core_poses_are_grouped_by_core_joints():
    stand, shifted, crouch = rest_pose(3), rest_pose(3), rest_pose(3)
    shifted.rotation[1], crouch.rotation[1] = -about(X, 15), about(X, 60)
    crouch.rotation[2] = shifted.rotation[2] = about(Y, 90)  # ignored
    assert core_poses([stand, crouch, shifted, crouch], [0, 1]) == [[0, 2], [1, 3]]
    assert core_poses([stand, crouch], [0]) == [[0, 1]]
    assert core_poses([stand, crouch], []) == [[0, 1]]
    assert core_poses([], [0]) == []
    edge = rest_pose(3)
    edge.rotation[0] = about(Z, np.degrees(SAME) + 0.1)
    assert core_poses([stand, edge], [0]) == [[0], [1]]
