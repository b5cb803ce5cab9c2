import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.animation import quat
from rigview.animation.clip import Clip
from rigview.animation.model_space import to_local_rotations, to_model_rotations
from rigview.blending.blend import lerp_pose
from rigview.blending.mask import Mask
from rigview.blending.pose_layout import PoseLayout
from tests.support.clips import (
    about,
    f32,
    make_skeleton,
    make_track,
    random_pose,
    rest_pose,
    same_rotation,
)

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
HIPS, SPINE, LEG, CHEST, FOOT, ARM = range(6)
PARENTS = [-1, HIPS, HIPS, SPINE, LEG, CHEST]


def make_rig(owner=()):
    rest = rest_pose(len(PARENTS), values=len(owner))
    skeleton = make_skeleton(PARENTS, rest)
    return PoseLayout(skeleton, np.array(owner, np.int32), np.zeros(len(owner), bool))


def test_mask_weight_is_inherited_by_descendants():
    mask = Mask.inherited(make_rig([ARM, LEG, -1, SPINE]), {SPINE: 0.3, CHEST: 0.6})
    np.testing.assert_array_equal(mask.joints, f32(0, 0.3, 0, 0.6, 0, 0.6))
    np.testing.assert_array_equal(mask.values, f32(0.6, 0, 0, 0.3))
    assert mask.space == "local"


def test_zero_weight_ends_inherited_weight():
    mask = Mask.inherited(make_rig(), {ARM: 0, HIPS: 1}, "model")
    np.testing.assert_array_equal(mask.joints, f32(1, 1, 1, 1, 1, 0))
    assert mask.space == "model"


def test_mask_with_several_chains():
    mask = Mask.inherited(make_rig(), {LEG: 0.5, CHEST: 1})
    np.testing.assert_array_equal(mask.joints, f32(0, 0, 0.5, 1, 0.5, 1))


def test_touched_joints_are_those_with_tracks():
    rig = make_rig([HIPS, HIPS, ARM, -1])
    turn = make_track("rotation", "LINEAR", [0], [about(X, 5)], target=CHEST)
    face = make_track("values", "LINEAR", [0], [(0.1, 0.2)], start=1)
    loose = make_track("values", "STEP", [0], [(0.1,)], start=3)
    mask = Mask.with_tracks(rig, [Clip.of("a", [turn, face])])
    np.testing.assert_array_equal(mask.joints, f32(0, 0, 0, 1, 0, 0))
    np.testing.assert_array_equal(mask.values, f32(0, 1, 1, 0))
    both = Mask.with_tracks(rig, [Clip.of("a", [turn]), Clip.of("b", [loose])], "model")
    np.testing.assert_array_equal(both.joints, mask.joints)
    np.testing.assert_array_equal(both.values, f32(0, 0, 0, 1))
    assert both.space == "model"


def test_spread_has_the_layout_of_a_pose(rng):
    rig = make_rig([HIPS, ARM])
    mask = Mask(f32(0, 0.1, 0.2, 0.3, 0.4, 0.5), f32(0.6, 0.7))
    pose = rig.skeleton.rest.copy()
    pose.data[...] = mask.spread
    for part in (pose.translation, pose.rotation, pose.scale):
        np.testing.assert_array_equal(part, np.broadcast_to(mask.joints[:, None], part.shape))
    np.testing.assert_array_equal(pose.values, mask.values)


def test_model_space_mask_keeps_upper_body_upright(rng):
    """The walk rotates the hips; in model space the waving chest stays upright."""
    walk, wave = rest_pose(6), rest_pose(6)
    walk.rotation[HIPS] = about(Z, 30)
    wave.rotation[ARM] = about(X, 80)
    named = {SPINE: 1.0}
    for space, chest in (("model", about(Z, 0)), ("local", about(Z, 30))):
        pose, rig = walk.copy(), make_rig()
        lerp_pose(pose, wave, 1, Mask.inherited(rig, named, space), rig)
        model = to_model_rotations(rig.skeleton, pose.rotation)
        assert same_rotation(model[CHEST], chest)
        assert same_rotation(model[ARM], quat.multiply(chest, about(X, 80)))
        assert same_rotation(model[[HIPS, LEG]], about(Z, 30))


@given(st.integers(0, 99), st.floats(0, 1), st.sampled_from(["nlerp", "slerp"]))
def test_model_space_mask_blends_model_rotations(seed, weight, rotation):
    rng = np.random.default_rng(seed)
    rig = make_rig([HIPS])
    a, b = (random_pose(rng, 6, (2,), values=1) for _ in range(2))
    mask = Mask(f32(0, 0.3, 0, 0.6, 1, 1), f32(1), "model")
    show = [to_model_rotations(rig.skeleton, pose.rotation) for pose in (a, b)]
    blend = quat.slerp if rotation == "slerp" else quat.nlerp
    expected = blend(*show, np.float32(weight) * mask.joints)
    local = a.copy()
    lerp_pose(local, b, weight, Mask(mask.joints, mask.values), rig, rotation)
    lerp_pose(a, b, weight, mask, rig, rotation)
    assert same_rotation(to_model_rotations(rig.skeleton, a.rotation), expected, 2e-6)
    for name in ("translation", "scale", "values"):
        np.testing.assert_array_equal(getattr(a, name), getattr(local, name))


def test_model_space_mask_copies_where_parent_has_same_pose(rng):
    rig = make_rig()
    a, b = (random_pose(rng, 6) for _ in range(2))
    before = a.copy()
    lerp_pose(a, b, 1, Mask(f32(0, 1, 0, 1, 0, 1), f32(), "model"), rig)
    np.testing.assert_array_equal(a.rotation[[HIPS, LEG, FOOT]], before.rotation[[HIPS, LEG, FOOT]])
    np.testing.assert_array_equal(a.rotation[[CHEST, ARM]], b.rotation[[CHEST, ARM]])
    assert not same_rotation(a.rotation[SPINE], b.rotation[SPINE], 0.01)
    lerp_pose(a, b, 1, Mask(np.ones(6, np.float32), f32(), "model"), rig)
    assert a.equals(b)


@pytest.mark.parametrize("batch", [(), (3,)])
def test_model_rotations_round_trip(rng, batch):
    skeleton = make_skeleton(PARENTS)
    pose = random_pose(rng, 6, batch)
    pose.scale[...] = 1
    model = to_model_rotations(skeleton, pose.rotation)
    np.testing.assert_allclose(
        quat.to_matrix(model), skeleton.to_model(pose)[..., :3, :3], atol=2e-6
    )
    assert same_rotation(to_local_rotations(skeleton, model), pose.rotation, 2e-6)
