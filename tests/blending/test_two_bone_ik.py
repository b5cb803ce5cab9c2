import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rigview.blending.two_bone_ik import TwoBone
from tests.support.clips import about, make_skeleton, random_pose, rest_pose, same_rotation

# root - chest - upper - (twist) - middle - end - finger, and a leg beside
PARENTS = [-1, 0, 1, 1, 2, 4, 5, 6]
CHEST, UPPER, LEG, TWIST, MIDDLE, END, FINGER = range(1, 8)
LIMB = (UPPER, MIDDLE, END)
numbers = st.integers(0, 10**6)
fractions = st.floats(0, 1)
X, Y, Z = np.eye(3)


def straight():
    """Return a straight limb along +X with two bones of one metre, at a height of 1 m."""
    rest = rest_pose(8)
    rest.translation[CHEST] = (0, 1, 0)
    rest.translation[TWIST] = rest.translation[MIDDLE] = (0.5, 0, 0)
    rest.translation[END] = (1, 0, 0)
    rest.translation[FINGER] = (0.2, 0, 0)
    return make_skeleton(PARENTS, rest)


SKELETON = straight()


def joint_positions(pose, joints=LIMB):
    """Return joint positions in model space, float64."""
    model = SKELETON.to_model(pose).astype(float)
    return [model[..., joint, :3, 3] for joint in joints]


def turned(pose, joint):
    """Return a joint's axes in model space, of unit length."""
    linear = SKELETON.to_model(pose)[..., joint, :3, :3].astype(float)
    return linear / np.linalg.norm(linear, axis=-2, keepdims=True)


def length(v):
    return np.linalg.norm(v, axis=-1)


def limb_pose(seed, batch=(), above="even"):
    """Return a random pose, with uniform scale in the limb and `above` scale in its ancestors."""
    rng = np.random.default_rng(seed)
    pose = random_pose(rng, 8, batch)
    even = rng.uniform(0.7, 1.4, (*batch, 8, 1)).astype(np.float32)
    if above == "mirrored":
        even *= rng.choice([-1, 1], even.shape)
    pose.scale[:] = even
    if above == "uneven":
        pose.scale[..., :UPPER, :] = rng.uniform(0.5, 2, (*batch, UPPER, 3))
    return pose


@given(numbers, st.sampled_from(["even", "mirrored", "uneven"]), fractions)
def test_reachable_target_is_reached(seed, above, share):
    rng = np.random.default_rng(seed)
    pose = limb_pose(seed, (3,), above)
    pole = rng.normal(size=3)
    upper, middle, end = joint_positions(pose)
    one, two = length(middle - upper), length(end - middle)
    if above == "uneven":  # a reachable position: that of another pose
        other = pose.copy()
        other.rotation[:, [UPPER, MIDDLE]] = random_pose(rng, 2, (3,)).rotation
        target = joint_positions(other)[2]
    else:
        reach = np.abs(one - two) + share * (one + two - np.abs(one - two))
        away = rng.normal(size=(3, 3))
        target = upper + away * (reach / length(away))[:, None]
    before, kept = pose.copy(), turned(pose, END)
    TwoBone(SKELETON, LIMB, pole).solve(pose, target)
    new_upper, new_middle, new_end = joint_positions(pose)
    limb = one + two
    assert (length(new_end - target) < 1e-5 * limb).all()
    np.testing.assert_array_equal(new_upper, upper)
    if above != "uneven":
        np.testing.assert_allclose(length(new_middle - new_upper), one, rtol=1e-5)
        np.testing.assert_allclose(length(new_end - new_middle), two, rtol=1e-5)
    # on the pole's side, in the plane of the line to the target and the pole
    line = (target - upper) / length(target - upper)[:, None]
    knee, side = new_middle - upper, pole - (line @ pole)[:, None] * line
    off = knee - np.sum(knee * line, axis=-1)[:, None] * line
    assume((length(side) > 0.05).all())
    assert (np.sum(off * side, axis=-1) >= -1e-4).all()
    assert (length(np.cross(off, side)) <= 1e-4 * length(side) * limb).all()
    np.testing.assert_allclose(turned(pose, END), kept, atol=1e-4 if above != "uneven" else 3)
    untouched = [0, CHEST, LEG, TWIST, FINGER]
    np.testing.assert_array_equal(pose.rotation[:, untouched], before.rotation[:, untouched])
    np.testing.assert_array_equal(pose.translation, before.translation)
    np.testing.assert_array_equal(pose.scale, before.scale)
    np.testing.assert_allclose(length(pose.rotation), 1, atol=1e-6)


@given(numbers, st.floats(0, 0.01))
def test_non_uniform_scale_within_the_limb(seed, much):
    """Exporters write slightly non-uniform scales: Woman.gltf has 1e-4."""
    rng = np.random.default_rng(seed)
    pose = limb_pose(seed)
    pose.scale *= rng.uniform(1 - much, 1 + much, pose.scale.shape)
    upper, middle, end = joint_positions(pose)
    limb = length(middle - upper) + length(end - middle)
    other = pose.copy()
    other.rotation[[UPPER, MIDDLE]] = random_pose(rng, 2).rotation
    TwoBone(SKELETON, LIMB, Y).solve(pose, joint_positions(other)[2])
    reached = joint_positions(pose)[2]
    assert length(reached - joint_positions(other)[2]) < max(1e-5, 0.05 * much) * limb


@pytest.mark.parametrize("pole", [Y, -Y, Z, -Z, Y + Z])
def test_straight_limb_bends_towards_pole(pole):
    """Sides 1, 1 and sqrt(2) make a right angle at the elbow."""
    pose = SKELETON.rest.copy()
    TwoBone(SKELETON, LIMB, pole).solve(pose, (np.sqrt(2), 1, 0))
    _, middle, end = joint_positions(pose)
    np.testing.assert_allclose(end, (np.sqrt(2), 1, 0), atol=1e-6)
    up = pole / length(pole)
    np.testing.assert_allclose(middle, (np.sqrt(0.5), 1, 0) + np.sqrt(0.5) * up, atol=1e-6)
    np.testing.assert_allclose(turned(pose, END), np.eye(3), atol=1e-6)


def test_bent_limb_keeps_its_hinge_axis():
    """The elbow rotates about its bend axis, without twist."""
    pose = SKELETON.rest.copy()
    pose.rotation[MIDDLE] = about(-Z, 60)
    TwoBone(SKELETON, LIMB, Y).solve(pose, (1, 1, 0))
    assert same_rotation(pose.rotation[MIDDLE], about(-Z, 120), 1e-6)
    assert same_rotation(pose.rotation[UPPER], about(Z, 60), 1e-6)


def test_pole_rolls_limb_and_keeps_elbow_hinge():
    pose = SKELETON.rest.copy()
    pose.rotation[MIDDLE] = about(-Z, 60)  # the elbow is up
    TwoBone(SKELETON, LIMB, Z).solve(pose, (1, 1, 0))
    _, middle, _ = joint_positions(pose)
    np.testing.assert_allclose(middle, (0.5, 1, np.sqrt(0.75)), atol=1e-6)
    turn = 2 * np.arccos(np.abs(pose.rotation[MIDDLE, 3]))
    axis = pose.rotation[MIDDLE, :3] / np.sin(turn / 2)
    np.testing.assert_allclose(axis, -Z, atol=0.02)  # a straighter limb would follow the pole


@pytest.mark.parametrize("degrees", [-0.05, 0.0, 0.05])
def test_nearly_straight_limb_does_not_twist(degrees):
    """A tiny bend the other way is no hinge: the upper joint would rotate by 180°."""
    pose = SKELETON.rest.copy()
    pose.rotation[MIDDLE] = about(Z, degrees)
    TwoBone(SKELETON, LIMB, Y).solve(pose, (1, 1, 0))
    assert same_rotation(pose.rotation[UPPER], about(Z, 60), 1e-3)


@given(numbers, st.floats(1, 100))
def test_limb_stretches_towards_unreachable_target(seed, factor):
    pose = limb_pose(seed)
    upper, middle, end = joint_positions(pose)
    one, two = length(middle - upper), length(end - middle)
    away = np.random.default_rng(seed).normal(size=3)
    away *= factor * (one + two) / length(away)
    TwoBone(SKELETON, LIMB, Y).solve(pose, upper + away)
    reached = joint_positions(pose)[2] - upper
    np.testing.assert_allclose(reached, away / factor, atol=2e-5 * (one + two))


@given(numbers, fractions)
def test_limb_folds_for_too_near_target(seed, share):
    pose = limb_pose(seed)
    upper, middle, end = joint_positions(pose)
    one, two = length(middle - upper), length(end - middle)
    least = abs(one - two)
    assume(least > 0.01)
    away = np.random.default_rng(seed).normal(size=3)
    away /= length(away)
    TwoBone(SKELETON, LIMB, Y).solve(pose, upper + away * max(share, 0.01) * least)
    np.testing.assert_allclose(
        joint_positions(pose)[2] - upper, away * least, atol=1e-4 * (one + two)
    )


def test_undefined_solutions_stay_finite():
    for target in ((0, 1, 0), (0, 1, 1e-30), (2, 1, 0), (0, 3, 0), (0, 5, 0)):
        for pole in (Y, X, Z):
            for bend in (0, 90, 180):
                pose = SKELETON.rest.copy()
                pose.rotation[MIDDLE] = about(Z, bend)
                TwoBone(SKELETON, LIMB, pole).solve(pose, target)
                upper, middle, end = joint_positions(pose)
                np.testing.assert_allclose(length(middle - upper), 1, atol=1e-6)
                np.testing.assert_allclose(length(end - middle), 1, atol=1e-6)
                short = np.clip(length(np.array(target) - upper), 0, 2)
                np.testing.assert_allclose(length(end - upper), short, atol=1e-6)


def test_bones_of_zero_length_and_zero_scale():
    for joint, scale in ((MIDDLE, 1), (END, 1), (UPPER, 0), (0, 0)):
        pose = SKELETON.rest.copy()
        pose.translation[joint if joint else UPPER] = 0
        pose.translation[TWIST] *= joint != MIDDLE
        pose.scale[joint] = scale
        TwoBone(SKELETON, LIMB, Y).solve(pose, (1, 2, 1))
        np.testing.assert_allclose(length(pose.rotation), 1, atol=1e-6)


def test_solution_is_continuous_through_full_extension():
    """The target passes through the limit of reach; joints move continuously."""
    ik = TwoBone(SKELETON, LIMB, (0, -0.2, -1))
    start = SKELETON.rest.copy()
    start.rotation[MIDDLE] = about(Y, -20)
    last = None
    for t in np.linspace(0, 1, 2001):
        pose = start.copy()
        ik.solve(pose, (2.6 * t - 0.2, 1 + 0.4 * np.sin(9 * t), 0.6))
        joints = np.array(joint_positions(pose, (MIDDLE, END, FINGER)))
        if last is not None:
            assert length(joints - last).max() < 0.05
        last = joints


# ---- the end joint's rotation


def test_end_joint_follows_limb_rotation():
    pose = SKELETON.rest.copy()
    TwoBone(SKELETON, LIMB, Y, keep=False).solve(pose, (1, 1, 0))
    np.testing.assert_array_equal(pose.rotation[END], (0, 0, 0, 1))
    finger, end = joint_positions(pose, (FINGER, END))
    assert (finger - end)[1] < -0.1


@given(numbers, st.sampled_from(["even", "mirrored"]))
def test_target_rotation_sets_end_joint_rotation(seed, above):
    rng = np.random.default_rng(seed)
    pose = limb_pose(seed, (2,), above)
    rotation = about((0.6, 0, 0.8), rng.uniform(-180, 180))
    goal = np.eye(4)
    goal[:3, :3] = 3 * turned_by(rotation)
    goal[:3, 3] = joint_positions(pose)[0][0] + rng.normal(size=3)
    TwoBone(SKELETON, LIMB, Y, keep=False).solve(pose, goal)
    got = turned(pose, END)
    got[np.linalg.det(got) < 0, :, 2] *= -1
    np.testing.assert_allclose(got, np.broadcast_to(goal[:3, :3] / 3, got.shape), atol=2e-6)


def turned_by(q):
    x, y, z, w = (float(c) for c in q)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def test_solve_into_other_pose_and_batch():
    pose = limb_pose(4, (2, 3))
    before = pose.copy()
    out = random_pose(np.random.default_rng(9), 8, (2, 3))
    targets = np.random.default_rng(1).normal(size=(2, 3, 3))
    ik = TwoBone(SKELETON, LIMB, Y)
    ik.solve(pose, targets, out)
    assert pose.equals(before)
    ik.solve(pose, targets)
    assert pose.equals(out)
    alone = limb_pose(0)
    for name in ("translation", "rotation", "scale"):
        getattr(alone, name)[...] = getattr(before, name)[1, 2]
    ik.solve(alone, targets[1, 2])
    np.testing.assert_allclose(out.rotation[1, 2], alone.rotation, atol=1e-6)
    assert out.rotation.dtype == np.float32


@pytest.mark.parametrize(
    ("joints", "pole", "words"),
    [
        ((UPPER, LEG, END), Y, "not on one chain: Joint 3 not an ancestor of Joint 6"),
        ((END, MIDDLE, UPPER), Y, "in order from the root: Joint 2, Joint 5, Joint 6"),
        ((UPPER, END), Y, "3 joints, not 2"),
        (LIMB, (0, 0, 0), "pole must be"),
        (LIMB, (0, 1), "pole must be"),
    ],
)
def test_invalid_arguments_are_rejected(joints, pole, words):
    with pytest.raises(ValueError, match=words):
        TwoBone(SKELETON, joints, pole)
