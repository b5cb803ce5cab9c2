import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rigview.animation import quat
from rigview.animation.pose import Pose
from rigview.blending.blend import PoseStack, lerp_pose
from rigview.blending.mask import Mask
from rigview.blending.pose_layout import PoseLayout
from tests.support.clips import about, f32, make_skeleton, random_pose, rest_pose, same_rotation

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
ROTATIONS = ("nlerp", "slerp")
PARENTS = [-1, 0, 1, 1]


def make_rig(rng, values=0, step=(), rotations=()):
    """Four joints in a Y, whose values belong to joint 2."""
    skeleton = make_skeleton(PARENTS, random_pose(rng, 4, values=values))
    stepped = np.isin(np.arange(values), step)
    return PoseLayout(skeleton, np.full(values, 2, np.int32), stepped, rotations)


def fill(stack, poses):
    for row, pose in zip(stack.rows, poses, strict=True):
        row.assign(pose)


def mean(rig, poses, weights, rotation="nlerp", ranks=None):
    stack = PoseStack(rig, len(poses), poses[0].batch, ranks)
    fill(stack, poses)
    out = Pose.like(rig.skeleton.rest, poses[0].batch)
    stack.mean(weights, out, rotation)
    return out


def turned(*rotations):
    """Return poses of one joint, one for each rotation."""
    return [Pose(np.zeros((1, 3)), f32(q), np.ones((1, 3)), np.zeros(0)) for q in rotations]


def one_joint():
    return PoseLayout.bare(make_skeleton([-1]))


def same(a, b, atol=2e-6):
    return same_rotation(a.rotation, b.rotation, atol) and all(
        np.allclose(getattr(a, name), getattr(b, name), rtol=0, atol=atol)
        for name in ("translation", "scale", "values")
    )


weights_of_four = hnp.arrays(np.float64, 4, elements=st.sampled_from([0, 0, 0.1, 0.25, 1, 3]))


def test_mean_of_two_poses_matches_manual_result():
    rig = one_joint()
    a, b = turned(about(X, 10), about(X, 50))
    a.translation[...], b.scale[...] = (1, 2, 3), (3, 1, 5)
    out = mean(rig, [a, b], [3, 1])
    np.testing.assert_allclose(out.translation, [[0.75, 1.5, 2.25]])
    np.testing.assert_allclose(out.scale, [[1.5, 1, 2]])
    blend = 0.75 * about(X, 10).astype(float) + 0.25 * about(X, 50).astype(float)
    np.testing.assert_allclose(out.rotation[0], blend / np.linalg.norm(blend), atol=1e-7)
    assert same_rotation(mean(rig, [a, b], [3, 1], "slerp").rotation[0], about(X, 20))


def test_mean_of_two_rotations_takes_shorter_arc():
    out = mean(one_joint(), turned(about(Y, 10), -about(Y, 30)), [1, 1])
    assert same_rotation(out.rotation[0], about(Y, 20))


@pytest.mark.parametrize("rotation", ROTATIONS)
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_quaternion_signs_follow_the_heaviest(rotation, order):
    """The other two are on either side of it, more than half a turn apart from each other.

    By the dot with the first of the list the two would come together on the far side.
    """
    poses = turned(about(Z, 0), about(Z, 100), -about(Z, -100))
    weights = np.array([0.4, 0.3, 0.3])
    order = list(order)
    out = mean(one_joint(), [poses[i] for i in order], weights[order], rotation)
    assert same_rotation(out.rotation[0], about(Z, 0))


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_first_of_equal_weights_determines_signs(order):
    poses = turned(about(Z, 0), about(Z, 130), about(Z, -130))
    out = mean(one_joint(), [poses[i] for i in order], np.ones(3), ranks=order)
    assert same_rotation(out.rotation[0], about(Z, 0))
    blended = mean(
        one_joint(), [Pose.like(poses[i], (2,)) for i in order], np.ones((2, 3)), ranks=order
    )
    assert same_rotation(blended.rotation[1, 0], about(Z, 0))
    second = mean(one_joint(), poses, np.ones(3), ranks=(1, 0, 2))
    assert not same_rotation(second.rotation[0], about(Z, 0), 0.1)


@given(weights_of_four, st.integers(0, 99), st.permutations(range(4)), st.sampled_from(ROTATIONS))
def test_mean_does_not_depend_on_order(weights, seed, order, rotation):
    rng = np.random.default_rng(seed)
    rig = make_rig(rng, values=2, step=[1])
    poses = [random_pose(rng, 4, values=2) for _ in range(4)]
    out = mean(rig, poses, weights, rotation)
    again = mean(rig, [poses[i] for i in order], weights[order], rotation, ranks=order)
    assert same(out, again)


@given(weights_of_four, st.integers(0, 99), st.sampled_from([0.01, 7, 1e6]))
def test_weights_are_normalised(weights, seed, factor):
    rng = np.random.default_rng(seed)
    rig = make_rig(rng)
    poses = [random_pose(rng, 4) for _ in range(4)]
    assert same(mean(rig, poses, weights), mean(rig, poses, weights * factor))


@given(weights_of_four, st.integers(0, 99), st.sampled_from(ROTATIONS))
def test_batch_equals_single(weights, seed, rotation):
    rng = np.random.default_rng(seed)
    rig = make_rig(rng, values=6, step=[1], rotations=(2,))
    poses = [random_pose(rng, 4, (3,), values=6) for _ in range(4)]
    weights = np.stack([weights, rng.uniform(size=4), weights[::-1]])
    out = mean(rig, poses, weights, rotation)
    for i in range(3):
        alone = mean(rig, [Pose.over(pose.data[i], 4) for pose in poses], weights[i], rotation)
        assert same(Pose.over(out.data[i], 4), alone)
    shared = mean(rig, poses, weights[1], rotation)
    assert same(Pose.over(shared.data[1], 4), Pose.over(out.data[1], 4))


@given(st.integers(0, 99), st.lists(st.floats(0, 1), min_size=2, max_size=5))
def test_equal_poses_blend_to_themselves(seed, weights):
    rng = np.random.default_rng(seed)
    rig = make_rig(rng, values=1)
    pose = random_pose(rng, 4, values=1)
    if sum(weights) > 0:
        assert same(mean(rig, [pose] * len(weights), weights), pose)


@given(
    st.integers(0, 99),
    st.sampled_from([0.001, 0.1, 0.6, 1.5]),
    hnp.arrays(np.float64, 4, elements=st.sampled_from([1e-7, 1e-3, 0.01, 0.1, 1, 3])),
)
def test_mean_ignores_quaternion_signs(seed, spread, weights):
    """For rotations of any distance, and for small weights."""
    rng = np.random.default_rng(seed)
    rig = PoseLayout.bare(make_skeleton([-1, 0, 1, 1], random_pose(rng, 4)))
    base = random_pose(rng, 4)
    poses = [base.copy() for _ in range(4)]
    for pose in poses:
        off = rng.normal(scale=spread / 4, size=(4, 4))
        pose.rotation[...] = quat.normalize(pose.rotation + off).astype(np.float32)
    expected = mean(rig, poses, weights)
    for pose in poses:
        pose.rotation[...] *= rng.choice([-1, 1], (4, 1))
    assert same(mean(rig, poses, weights), expected)


@pytest.mark.parametrize("rotation", ROTATIONS)
def test_single_weight_copies_and_zero_weights_give_rest_pose(rng, rotation):
    rig = make_rig(rng, values=2)
    poses = [random_pose(rng, 4, (2,), values=2) for _ in range(3)]
    poses[1].data[0, 0] = -0.0
    assert mean(rig, poses, [0, 0.3, 0], rotation).equals(poses[1])
    assert mean(rig, poses, [0, 0, 0], rotation).equals(Pose.like(rig.skeleton.rest, (2,)))
    mixed = mean(rig, poses, [[0, 0.2, 0], [0, 0, 0]], rotation)
    np.testing.assert_array_equal(mixed.data[0], poses[1].data[0])
    assert np.signbit(mixed.data[0, 0])
    np.testing.assert_array_equal(mixed.data[1], rig.skeleton.rest.data)


def test_pose_with_zero_weight_is_not_read(rng):
    rig = make_rig(rng)
    poses = [random_pose(rng, 4) for _ in range(3)]
    poses[1].data[...] = np.nan
    assert np.isfinite(mean(rig, poses, [0.5, 0, 0.5]).data).all()


@pytest.mark.parametrize("weights", [[1, 2, 3], [[1, 2, 3]] * 2])
def test_zero_sum_of_rotations_returns_the_heaviest(weights):
    """Unit quaternions rarely sum to zero, but division by zero must not occur."""
    poses = turned(about(X, 20), about(X, 40), (0, 0, 0, 0))
    if np.ndim(weights) > 1:
        poses = [Pose.like(pose, (2,)) for pose in poses]
    weights = np.array(weights, float) * (1e-5, 1e-5, 1)
    np.testing.assert_array_equal(mean(one_joint(), poses, weights).rotation.max(), 0)


@given(st.integers(0, 999), st.floats(0.01, 0.99))
def test_spherical_mean_of_two_is_slerp(seed, u):
    a, b = quat.normalize(np.random.default_rng(seed).normal(size=(2, 4)).astype(np.float32))
    out = mean(one_joint(), turned(a, b), [1 - u, u], "slerp")
    assert same_rotation(out.rotation[0], quat.slerp(a, b, np.float32(u)), 1e-6)


def test_spherical_mean_of_three_balances_its_arcs(rng):
    a, *others = (about(axis, 70) for axis in (X, Y, Z))
    weights = [0.5, 0.2, 0.3]
    poses = turned(a, *others)
    middle = mean(one_joint(), poses, weights, "slerp").rotation[0].astype(float)
    total = np.zeros(4)
    for weight, q in zip(weights, (a, *others), strict=True):
        angle = np.arccos(middle @ q)
        total += weight * (q - middle * np.cos(angle)) * angle / np.sin(angle)
    np.testing.assert_allclose(total, 0, atol=1e-6)
    nlerp = mean(one_joint(), poses, weights).rotation[0]
    assert not same_rotation(nlerp, middle, 1e-4)


def test_step_values_come_from_the_heaviest(rng):
    rig = make_rig(rng, values=3, step=[0, 2])
    poses = [random_pose(rng, 4, values=3) for _ in range(3)]
    out = mean(rig, poses, [0.3, 0.4, 0.3])
    np.testing.assert_array_equal(out.values[[0, 2]], poses[1].values[[0, 2]])
    assert out.values[1] not in [pose.values[1] for pose in poses]


@pytest.mark.parametrize("rotation", ROTATIONS)
def test_rotation_values_blend_as_rotations(rng, rotation):
    rig = make_rig(rng, values=5, rotations=(1,))
    poses = [random_pose(rng, 4, values=5) for _ in range(2)]
    poses[0].values[1:], poses[1].values[1:] = about(X, 20), -about(X, 60)
    assert same_rotation(mean(rig, poses, [1, 1], rotation).values[1:], about(X, 40))
    lerp_pose(poses[0], poses[1], 0.5, None, rig, rotation)
    assert same_rotation(poses[0].values[1:], about(X, 40))


def test_number_of_weights_must_match_poses():
    stack = PoseStack(one_joint(), 2)
    with pytest.raises(ValueError, match=r"\[\.\.\., 2\], not \(3,\)"):
        stack.mean([1, 2, 3], Pose.like(rest_pose(1)))


@given(st.integers(0, 99), st.floats(0, 1), st.sampled_from(ROTATIONS))
def test_lerp_pose_is_the_mean_of_two(seed, weight, rotation):
    rng = np.random.default_rng(seed)
    rig = make_rig(rng, values=3, step=[2])
    a, b = (random_pose(rng, 4, values=3) for _ in range(2))
    expected = mean(rig, [a, b], [1 - weight, weight], rotation)
    lerp_pose(a, b, weight, None, rig, rotation)
    assert same(a, expected)


def test_lerp_pose_with_weight_0_or_1_copies(rng):
    rig = make_rig(rng, values=2)
    a, b = (random_pose(rng, 4, (3,), values=2) for _ in range(2))
    mask = Mask(f32(0, 1, 0.5, 1), f32(0, 1))
    before = a.copy()
    for weight in (0, np.zeros(3)):
        lerp_pose(a, b, weight, None, rig)
        lerp_pose(a, b, weight, mask, rig)
        assert a.equals(before)
    lerp_pose(a, b, 1, mask, rig)
    for name in ("translation", "rotation", "scale"):
        out = getattr(a, name)
        np.testing.assert_array_equal(out[:, 0], getattr(before, name)[:, 0])
        np.testing.assert_array_equal(out[:, [1, 3]], getattr(b, name)[:, [1, 3]])
        assert not np.array_equal(out[:, 2], getattr(before, name)[:, 2])
    np.testing.assert_array_equal(a.values[:, 0], before.values[:, 0])
    np.testing.assert_array_equal(a.values[:, 1], b.values[:, 1])
    lerp_pose(a, b, [0, 1, 0.5], None, rig)
    np.testing.assert_array_equal(a.data[1], b.data[1])
    assert not np.array_equal(a.data[2], b.data[2])
    lerp_pose(a, b, 1, None, rig)
    assert a.equals(b)


@given(st.integers(0, 99), st.floats(0, 1))
def test_mask_weights_joints_and_their_values(seed, weight):
    rng = np.random.default_rng(seed)
    rig = make_rig(rng, values=3, step=[1])
    a, b = (random_pose(rng, 4, values=3) for _ in range(2))
    mask = Mask(f32(0, 0.25, 0.75, 1), f32(0.75, 0.75, 0))
    expected = a.copy()
    for joint, share in enumerate(mask.joints * weight):
        blended = mean(rig, [a, b], [1 - share, share])
        for name in ("translation", "rotation", "scale"):
            getattr(expected, name)[joint] = getattr(blended, name)[joint]
    share = 0.75 * weight
    expected.values[:2] = mean(rig, [a, b], [1 - share, share]).values[:2]
    lerp_pose(a, b, weight, mask, rig)
    assert same(a, expected)
