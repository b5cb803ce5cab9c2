"""A joint set by its model-space matrix, against matrices by definition in float64."""

import numpy as np
import pytest

from rigview import load, set_joint_matrix
from rigview.animation import quat
from tests.support.clips import about, make_skeleton, random_pose, rest_pose, rotation_matrix
from tests.support.shared import MODELS, needs_shared

JOINTS = 12


def local_matrix(pose, row, joint):
    """Return T R S of one joint of one character, float64."""
    matrix = np.eye(4)
    scale = pose.scale[(*row, joint)].astype(float)
    matrix[:3, :3] = rotation_matrix(quat.normalize(pose.rotation[(*row, joint)])) * scale
    matrix[:3, 3] = pose.translation[(*row, joint)]
    return matrix


def by_definition(skeleton, pose, row=()):
    """Return the model-space matrices [J, 4, 4] of one character, float64."""
    found = []
    for joint, parent in enumerate(skeleton.parents.tolist()):
        local = local_matrix(pose, row, joint)
        found.append(local if parent < 0 else found[parent] @ local)
    return np.array(found)


def random_hierarchy(rng):
    """Return a skeleton of random depth, and poses of it with uniform scales."""
    depths, parents = [0], [-1]
    while len(parents) < JOINTS:
        depths.append(min(depths[-1] + int(rng.integers(2)), max(depths) + 1))
        above = [k for k, depth in enumerate(depths[:-1]) if depth == depths[-1] - 1]
        parents.append(int(rng.choice(above)) if above else -1)
    return make_skeleton(tuple(parents))


def uniform_pose(rng, count, batch=()):
    pose = random_pose(rng, count, batch)
    pose.scale[...] = pose.scale[..., :1]
    return pose


def wanted_matrix(rng, batch=()):
    """Return matrices [..., 4, 4] of random transforms, with non-uniform scales."""
    pose = random_pose(rng, 1, batch)
    rows = [local_matrix(pose, row, 0) for row in np.ndindex(batch)]
    return np.array(rows).reshape(*batch, 4, 4)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("batch", [(), (3,), (2, 2)])
def test_matrix_is_met_and_other_joints_stay(seed, batch):
    rng = np.random.default_rng(seed)
    skeleton = random_hierarchy(rng)
    pose = uniform_pose(rng, skeleton.count, batch)
    before, joint = pose.copy(), int(rng.integers(skeleton.count))
    matrix = wanted_matrix(rng, batch)
    set_joint_matrix(skeleton, pose, joint, matrix)
    for row in np.ndindex(batch):
        found = by_definition(skeleton, pose, row)[joint]
        np.testing.assert_allclose(found, matrix[row], rtol=1e-5, atol=1e-5)
    for old, new in ((before.translation, pose.translation), (before.rotation, pose.rotation)):
        np.testing.assert_array_equal(np.delete(old, joint, -2), np.delete(new, joint, -2))
    np.testing.assert_array_equal(
        np.delete(before.scale, joint, -2), np.delete(pose.scale, joint, -2)
    )


def test_one_matrix_serves_all_characters(rng):
    skeleton = make_skeleton((-1, 0, 1, 2))
    pose = uniform_pose(rng, 4, (5,))
    matrix = wanted_matrix(rng)
    set_joint_matrix(skeleton, pose, 2, matrix)
    for k in range(5):
        found = by_definition(skeleton, pose, (k,))[2]
        np.testing.assert_allclose(found, matrix, rtol=1e-5, atol=1e-5)


def test_descendants_move_with_the_joint(rng):
    skeleton = make_skeleton((-1, 0, 0, 1, 3))
    pose = uniform_pose(rng, 5)
    before = by_definition(skeleton, pose)
    matrix = wanted_matrix(rng)
    set_joint_matrix(skeleton, pose, 1, matrix)
    after = by_definition(skeleton, pose)
    moved = matrix @ np.linalg.inv(before[1])
    for joint in (3, 4):
        np.testing.assert_allclose(after[joint], moved @ before[joint], rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(after[2], before[2])


def test_current_matrix_below_a_non_uniform_scale_changes_nothing(rng):
    skeleton = make_skeleton((-1, 0, 1))
    pose = random_pose(rng, 3)
    before = by_definition(skeleton, pose)
    set_joint_matrix(skeleton, pose, 2, before[2])
    np.testing.assert_allclose(by_definition(skeleton, pose), before, rtol=1e-5, atol=1e-5)


def test_mirrored_ancestor(rng):
    skeleton = make_skeleton((-1, 0))
    pose = uniform_pose(rng, 2)
    pose.scale[0] = (-1, 1, 1)
    matrix = wanted_matrix(rng)
    set_joint_matrix(skeleton, pose, 1, matrix)
    np.testing.assert_allclose(by_definition(skeleton, pose)[1], matrix, rtol=1e-5, atol=1e-5)


def rotated(degrees):
    matrix = np.eye(4)
    matrix[:3, :3] = rotation_matrix(about((0, 0, 1), degrees))
    return matrix


def test_rotation_below_a_non_uniform_scale_is_refused():
    rest = rest_pose(2)
    rest.scale[0] = (1, 3, 1)
    skeleton = make_skeleton((-1, 0), rest)
    pose = rest.copy()
    with pytest.raises(ValueError, match=r"Joint 1 would be sheared by 0\.8"):
        set_joint_matrix(skeleton, pose, 1, rotated(45))
    assert pose.equals(rest)
    set_joint_matrix(skeleton, pose, 1, rotated(90))  # axes onto axes: no shear
    np.testing.assert_allclose(by_definition(skeleton, pose)[1], rotated(90), atol=1e-6)


def test_scale_of_zero_above_is_refused():
    rest = rest_pose(3)
    rest.scale[0] = (1, 0, 1)
    skeleton = make_skeleton((-1, 0, 1), rest)
    with pytest.raises(ValueError, match="Joint 0, an ancestor of Joint 2, has a scale of 0"):
        set_joint_matrix(skeleton, rest.copy(), 2, np.eye(4))


@pytest.mark.parametrize(
    ("joint", "matrix", "words"),
    [
        (2, np.eye(4), "joint must be within 0 and 1, not 2"),
        (-1, np.eye(4), "joint must be within 0 and 1, not -1"),
        ("Hand", np.eye(4), "joint must be an index, not 'Hand'"),
        (0, np.eye(3), r"matrix must be \[4, 4\] or \[3, 4, 4\], not \[3, 3\]"),
        (0, np.zeros((2, 4, 4)), r"not \[2, 4, 4\]"),
        (0, np.full((4, 4), np.nan), "finite, with the last row"),
        (0, np.ones((4, 4)), "finite, with the last row"),
    ],
)
def test_invalid_arguments(joint, matrix, words, rng):
    skeleton = make_skeleton((-1, 0))
    with pytest.raises(ValueError, match=words):
        set_joint_matrix(skeleton, random_pose(rng, 2, (3,)), joint, matrix)


@needs_shared
@pytest.mark.parametrize("name", ["CesiumMan.glb", "robot.glb"])
def test_every_joint_of_a_model(name, rng):
    model = load(MODELS / name)
    skeleton, pose = model.skeleton, model.skeleton.rest.copy()
    model.clips[0].sample(model.clips[0].end / 3, pose)
    for joint in range(0, skeleton.count, 7):
        placed = pose.copy()
        matrix = wanted_matrix(rng)
        set_joint_matrix(skeleton, placed, joint, matrix)
        found = by_definition(skeleton, placed)[joint]
        np.testing.assert_allclose(found, matrix, rtol=1e-4, atol=1e-4)
