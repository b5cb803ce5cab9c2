import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.animation import quat
from rigview.animation.model_space import to_model_rotations
from rigview.animation.pose import Pose
from rigview.animation.transform import compose
from rigview.blending.additive import add, difference
from rigview.blending.blend import lerp_pose
from rigview.blending.mask import Mask
from rigview.blending.pose_layout import PoseLayout
from tests.support.clips import about, f32, make_skeleton, random_pose, rest_pose, same_rotation

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
SPACES = ("joint", "parent", "model")
PARENTS = [-1, 0, 1, 1]
seeds = st.integers(0, 999)


def make_rig(values=0, step=(), rotations=()):
    skeleton = make_skeleton(PARENTS, rest_pose(4, values))
    stepped = np.isin(np.arange(values), step)
    return PoseLayout(skeleton, np.full(values, 2, np.int32), stepped, rotations)


def difference_of(source, reference, space, rig):
    out = Pose.like(source)
    difference(source, reference, space, rig, out)
    return out


def put(target, source, reference, space, rig, weight=1, mask=None, rotation="nlerp"):
    pose = target.copy()
    add(pose, difference_of(source, reference, space, rig), weight, mask, space, rig, rotation)
    return pose


def assert_same(a, b, atol=2e-6):
    assert same_rotation(a.rotation, b.rotation, atol)
    for name in ("translation", "scale", "values"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=2e-6, atol=atol)


@given(seeds, st.sampled_from(SPACES))
def test_difference_added_to_reference_is_the_source(seed, space):
    rng = np.random.default_rng(seed)
    rig = make_rig(7, step=[0, 1], rotations=(3,))
    source, reference = (random_pose(rng, 4, (2,), values=7) for _ in range(2))
    for pose in (source, reference):
        pose.values[..., 3:] = quat.normalize(pose.values[..., 3:])
    source.values[..., 1] = reference.values[..., 1]
    out = put(reference, source, reference, space, rig)
    assert same_rotation(out.values[..., 3:], source.values[..., 3:], 2e-6)
    out.values[..., 3:] = source.values[..., 3:]
    assert_same(out, source)
    np.testing.assert_array_equal(out.values[..., :2], source.values[..., :2])


@given(seeds, st.sampled_from(SPACES))
def test_zero_difference_or_zero_weight_keeps_the_pose(seed, space):
    rng = np.random.default_rng(seed)
    rig = make_rig(3, step=[1])
    target, source, reference = (random_pose(rng, 4, values=3) for _ in range(3))
    assert_same(put(target, reference, reference, space, rig), target)
    assert put(target, source, reference, space, rig, weight=0).equals(target)
    assert put(target, source, reference, space, rig, weight=-1).equals(target)
    mask = Mask(f32(0, 1, 0, 0.5), f32(0, 0, 1))
    out = put(target, source, reference, space, rig, mask=mask)
    np.testing.assert_array_equal(out.rotation[[0, 2]], target.rotation[[0, 2]])
    np.testing.assert_array_equal(out.translation[[0, 2]], target.translation[[0, 2]])
    np.testing.assert_array_equal(out.values[:2], target.values[:2])
    assert not same_rotation(out.rotation[3], target.rotation[3], 1e-3)


@given(seeds)
def test_joint_space_difference_is_a_matrix_product(seed):
    """T R⁻¹ S, where scale is uniform."""
    rng = np.random.default_rng(seed)
    poses = [random_pose(rng, 4) for _ in range(3)]
    for pose in poses:
        pose.scale[...] = pose.scale[:, :1]
    target, source, reference = poses
    t, s, r = (compose(p.translation, p.rotation, p.scale).astype(float) for p in poses)
    out = put(target, source, reference, "joint", make_rig())
    matrix = compose(out.translation, out.rotation, out.scale)
    np.testing.assert_allclose(matrix, t @ np.linalg.inv(r) @ s, rtol=1e-5, atol=2e-5)


def one(q=(0, 0, 0, 1), t=(0, 0, 0), s=(1, 1, 1)):
    """Return a pose of four equal joints."""
    pose = rest_pose(4)
    pose.rotation[...], pose.translation[...], pose.scale[...] = q, t, s
    return pose


def test_joint_space_translation_is_along_joint_axes():
    """The reference faces +X and the source is 1 m further along +X: forwards for the joint."""
    reference = one(about(Y, 90), (0, 0, 0), (2, 2, 2))
    source = one(about(Y, 100), (1, 0, 0), (4, 2, 2))
    target = one(about(Y, -90), (0, 5, 0), (3, 3, 3))
    out = put(target, source, reference, "joint", make_rig())
    np.testing.assert_allclose(out.translation[1], (-1.5, 5, 0), atol=1e-6)  # 1 m × 3 / 2
    np.testing.assert_allclose(out.scale[1], (6, 3, 3), atol=1e-6)
    assert same_rotation(out.rotation, about(Y, -80))


def test_parent_space_translation_is_along_parent_axes():
    reference = one(about(Y, 90), (0, 0, 0), (2, 2, 2))
    source = one(quat.multiply(about(X, 20), about(Y, 90)), (1, 0, 0), (4, 2, 2))
    target = one(about(Y, -90), (0, 5, 0), (3, 3, 3))
    out = put(target, source, reference, "parent", make_rig())
    np.testing.assert_allclose(out.translation[1], (1, 5, 0), atol=1e-6)
    np.testing.assert_allclose(out.scale[1], (6, 3, 3), atol=1e-6)
    assert same_rotation(out.rotation, quat.multiply(about(X, 20), about(Y, -90)))


def test_model_space_aim_stays_level_when_spine_bends():
    rig, reference = make_rig(), one()
    source = reference.copy()
    source.rotation[2] = about(Y, 40)  # look left
    target = one()
    target.rotation[0] = about(X, 30)  # bent forward
    shown = [to_model_rotations(rig.skeleton, target.rotation)[2]]
    for space in SPACES:
        out = put(target, source, reference, space, rig)
        shown.append(to_model_rotations(rig.skeleton, out.rotation)[2])
        assert same_rotation(out.rotation[[0, 1, 3]], target.rotation[[0, 1, 3]])
    before, joint, _, model = shown
    assert same_rotation(joint, quat.multiply(before, about(Y, 40)))
    assert same_rotation(model, quat.multiply(about(Y, 40), before))  # about the character's up


@given(seeds)
def test_model_space_rotates_every_joint_by_its_own_difference(seed):
    rng = np.random.default_rng(seed)
    rig = make_rig()
    target, source, reference = (random_pose(rng, 4) for _ in range(3))
    t, s, r = (to_model_rotations(rig.skeleton, p.rotation) for p in (target, source, reference))
    out = put(target, source, reference, "model", rig)
    expected = quat.multiply(quat.multiply(s, quat.conjugate(r)), t)
    assert same_rotation(to_model_rotations(rig.skeleton, out.rotation), expected, 3e-6)


@given(seeds, st.floats(0, 1), st.sampled_from(SPACES), st.sampled_from(["nlerp", "slerp"]))
def test_partial_weight_interpolates_to_full_difference(seed, weight, space, rotation):
    rng = np.random.default_rng(seed)
    rig = make_rig(2)
    target, source, reference = (random_pose(rng, 4, values=2) for _ in range(3))
    mask = Mask(f32(1, 0.5, 0.25, 0), f32(0.5, 0.25))
    expected = target.copy()
    lerp_pose(expected, put(target, source, reference, space, rig), weight, mask, rig, rotation)
    out = put(target, source, reference, space, rig, weight, mask, rotation)
    assert_same(out, expected, 4e-6)


@pytest.mark.parametrize("space", SPACES)
def test_weight_above_one_extrapolates(space):
    source = one(about(Y, 30), (1, 2, 0), (1.5, 1, 1))
    turn = [about(Y, 60)] * 4 if space != "model" else None
    out = put(one(), source, one(), space, make_rig(), weight=2)
    np.testing.assert_allclose(out.translation[2], (2, 4, 0), atol=1e-6)
    np.testing.assert_allclose(out.scale[2], (2, 1, 1), atol=1e-6)
    if turn:
        assert same_rotation(out.rotation, turn)
    half = put(one(), source, one(), space, make_rig(), 2, Mask(np.full(4, 0.5, "f4"), f32()))
    assert_same(half, put(one(), source, one(), space, make_rig()))


def test_weight_above_one_of_one_instance_does_not_affect_others(rng):
    target, source, reference = (random_pose(rng, 4, (2,)) for _ in range(3))
    both = put(target, source, reference, "joint", make_rig(), weight=[0.4, 1.5])
    alone = [Pose.over(pose.data[0], 4) for pose in (target, source, reference)]
    assert_same(Pose.over(both.data[0], 4), put(*alone, "joint", make_rig(), weight=0.4))


def test_zero_reference_scale_is_ignored():
    reference, source = one(), one(s=(3, 3, 3))
    reference.scale[2, 1] = 5e-7
    reference.scale[3, 0] = -2e-6
    out = put(one(s=(2, 2, 2)), source, reference, "joint", make_rig())
    np.testing.assert_allclose(out.scale[2], (6, 2, 6))
    assert out.scale[3, 0] == pytest.approx(-3e6)
    assert np.isfinite(out.data).all()


def test_values_are_added_and_step_values_replaced():
    rig = make_rig(3, step=[1, 2])
    target, source, reference = (rest_pose(4, 3) for _ in range(3))
    target.values[...], source.values[...] = (5, 1, 1), (3, 1, 0)
    reference.values[...] = (1, 0, 0)
    np.testing.assert_allclose(put(target, source, reference, "joint", rig).values, (7, 1, 1))
    source.values[2], reference.values[2] = 0, 1
    out = put(target, source, reference, "joint", rig, weight=0.6)
    np.testing.assert_allclose(out.values, (6.2, 1, 0), rtol=1e-6)
    out = put(target, source, reference, "joint", rig, weight=0.5)
    np.testing.assert_allclose(out.values, (6, 1, 1), rtol=1e-6)


@pytest.mark.parametrize("space", SPACES)
def test_rotation_values_are_added_as_rotations(space):
    rig = make_rig(4, rotations=(0,))
    target, source, reference = (rest_pose(4, 4) for _ in range(3))
    target.values[...], source.values[...] = about(X, 30), about(Y, 80)
    reference.values[...] = about(Y, 20)
    turn = about(Y, 60)
    order = (about(X, 30), turn) if space == "joint" else (turn, about(X, 30))
    out = put(target, source, reference, space, rig)
    assert same_rotation(out.values, quat.multiply(*order))
