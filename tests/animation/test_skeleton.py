import numpy as np
import pytest

from rigview.animation.skeleton import BATCH_LAST, Skeleton
from rigview.animation.transform import compose
from rigview.errors import UsageError
from tests.support.clips import about, make_skeleton, random_pose, rest_pose

TWO_ROOTS = (-1, -1, 0, 0, 1, 2, 4, 5)


def matrix_by_definition(skeleton, pose, joint):
    """Return a joint's model matrix in float64: the product of local matrices along its chain."""
    matrix = np.eye(4)
    while joint >= 0:
        local = compose(pose.translation[joint], pose.rotation[joint], pose.scale[joint])
        matrix = local.astype(float) @ matrix
        joint = int(skeleton.parents[joint])
    return matrix


@pytest.mark.parametrize("batch", [(), (1,), (3,), (2, 3), (BATCH_LAST,), (3, BATCH_LAST)])
def test_model_matrices_are_products_along_the_chain(rng, batch):
    skeleton = make_skeleton(TWO_ROOTS)
    pose = random_pose(rng, skeleton.count, batch)
    model = skeleton.to_model(pose)
    assert model.shape == (*batch, skeleton.count, 4, 4)
    assert model.dtype == np.float32
    for row in np.ndindex(batch):
        one = random_pose(rng, skeleton.count)
        one.translation[:], one.rotation[:] = pose.translation[row], pose.rotation[row]
        one.scale[:] = pose.scale[row]
        for joint in range(skeleton.count):
            expected = matrix_by_definition(skeleton, one, joint)
            np.testing.assert_allclose(model[row][joint], expected, rtol=1e-5, atol=2e-5)


@pytest.mark.parametrize("batch", [(), (BATCH_LAST,)])
def test_to_model_overwrites_out(rng, batch):
    skeleton = make_skeleton(TWO_ROOTS)
    pose = random_pose(rng, skeleton.count, batch)
    out = np.full((*batch, skeleton.count, 4, 4), np.nan, np.float32)
    assert skeleton.to_model(pose, out=out) is out
    np.testing.assert_array_equal(out, skeleton.to_model(pose))


def test_model_positions_of_bent_arm():
    rest = rest_pose(3)
    rest.translation[1:] = (0, 1, 0)
    skeleton = make_skeleton((-1, 0, 1), rest)
    pose = rest.copy()
    pose.rotation[0] = about((0, 0, 1), 90)
    pose.rotation[1] = about((0, 0, 1), -90)
    positions = skeleton.to_model(pose)[:, :3, 3]
    np.testing.assert_allclose(positions, [(0, 0, 0), (-1, 0, 0), (-1, 1, 0)], atol=1e-6)


def test_levels_are_slices_of_equal_depth():
    skeleton = make_skeleton(TWO_ROOTS)
    assert skeleton.levels == (slice(0, 2), slice(2, 5), slice(5, 7), slice(7, 8))
    assert skeleton.depths.tolist() == [0, 0, 1, 1, 1, 2, 2, 3]


def test_lookup_of_joints_and_nodes():
    rest = rest_pose(3)
    skeleton = Skeleton(
        ("Hips", "Spine", "Spine"),
        np.array([-1, 0, 0], np.int32),
        np.array([4, 0, 2], np.int32),
        rest,
    )
    assert [skeleton.find(name) for name in ("Hips", "Spine")] == [0, 1]
    with pytest.raises(UsageError, match=r"no joint 'Spin'; did you mean 'Spine'\?"):
        skeleton.find("Spin")
    assert skeleton.joint_of_node.tolist() == [1, -1, 2, -1, 0]


@pytest.mark.parametrize("marked", [(), (0,), (1, 4), (5, 6), (7,)])
def test_marks_spread_down_and_up(marked):
    skeleton = make_skeleton(TWO_ROOTS)
    mask = np.isin(np.arange(skeleton.count), marked)

    def chain(joint):
        return {joint} | (chain(TWO_ROOTS[joint]) if TWO_ROOTS[joint] >= 0 else set())

    below = [j for j in range(skeleton.count) if chain(j) & set(marked)]
    above = sorted(set().union(*(chain(j) for j in marked)))
    assert np.flatnonzero(skeleton.below(mask)).tolist() == below
    assert np.flatnonzero(skeleton.above(mask)).tolist() == above
    np.testing.assert_array_equal(mask, np.isin(np.arange(skeleton.count), marked))


def test_skeleton_without_joints():
    skeleton = make_skeleton(())
    assert skeleton.levels == ()
    assert skeleton.joint_of_node.shape == (0,)
    assert skeleton.to_model(skeleton.rest).shape == (0, 4, 4)


@pytest.mark.parametrize("parents", [(1, -1), (0,), (-1, 0, 1, 0), (-1, 2, 0)])
def test_unsorted_parents_are_rejected(parents):
    with pytest.raises(ValueError, match="sorted by depth"):
        make_skeleton(parents)


def test_arrays_of_different_length_are_rejected():
    with pytest.raises(ValueError, match="2 rows"):
        make_skeleton((-1, 0), rest_pose(3))


def test_numbers_beyond_float32_do_not_raise(rng):
    skeleton = make_skeleton((-1, 0))
    for batch in ((), (BATCH_LAST,)):
        pose = random_pose(rng, 2, batch)
        pose.scale[...] = 1e30
        assert not np.isfinite(skeleton.to_model(pose)).all()
