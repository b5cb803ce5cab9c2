import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rigview.animation.vectors import dot
from rigview.blending.aim import AimChain
from tests.support.clips import about, f32, make_skeleton, random_pose, rest_pose, same_rotation

# root - spine - (between) - neck - head, an arm beside the neck
PARENTS = [-1, 0, 1, 2, 2, 3]
SPINE, BETWEEN, NECK, ARM, HEAD = 1, 2, 3, 4, 5
Z, Y = (0, 0, 1), (0, 1, 0)
coordinates = st.floats(-20, 20)
targets = st.tuples(coordinates, coordinates, coordinates)


def column():
    """Return joints one metre above each other that face +Z."""
    rest = rest_pose(6)
    rest.translation[1:] = (0, 1, 0)
    return make_skeleton(PARENTS, rest)


SKELETON = column()


def head_of(pose, axis=Z, joint=HEAD):
    """Return the direction of an axis of the head and its position, from the matrices."""
    model = SKELETON.to_model(pose)[..., joint, :, :].astype(float)
    v = model[..., :3, :3] @ np.asarray(axis, float)
    return v / np.linalg.norm(v, axis=-1, keepdims=True), model[..., :3, 3]


def degrees(a, b):
    return np.degrees(2 * np.arcsin(np.clip(np.linalg.norm(a - b, axis=-1) / 2, 0, 1)))


def sight(pose, target):
    v = np.asarray(target, float) - head_of(pose)[1]
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


@st.composite
def poses(draw, batch=(), scaled=True):
    pose = random_pose(np.random.default_rng(draw(st.integers(0, 10**6))), 6, batch)
    if scaled and draw(st.booleans()):
        signs = np.random.default_rng(draw(st.integers(0, 99))).choice([-1, 1], pose.scale.shape)
        pose.scale *= signs
    elif draw(st.booleans()):
        pose.scale[...] = 1
    return pose


@given(poses((3,)), targets, st.floats(0, 1), st.floats(0, 1))
def test_full_weight_reaches_target_exactly(pose, target, spine, neck):
    """In one pass, for any rotation and any non-uniform or mirrored scale."""
    assume((np.linalg.norm(target - head_of(pose)[1], axis=-1) > 0.5).all())
    aim = AimChain(SKELETON, [SPINE, NECK, HEAD], [spine, neck, 1], (0.6, 0, 0.8))
    before = pose.copy()
    direction = aim.solve(pose, target)
    seen, _ = head_of(pose, (0.6, 0, 0.8))
    assert (degrees(seen, sight(pose, target)) < 2e-3).all()
    assert (degrees(seen, direction) < 2e-3).all()
    np.testing.assert_allclose(np.linalg.norm(pose.rotation, axis=-1), 1, atol=1e-6)
    untouched = [0, BETWEEN, ARM]
    np.testing.assert_array_equal(pose.rotation[..., untouched, :], before.rotation[:, untouched])
    np.testing.assert_array_equal(pose.translation, before.translation)
    np.testing.assert_array_equal(pose.scale, before.scale)


def test_joints_take_their_share_of_remaining_angle():
    """For a distant target: 90 = 0.2 * 90 + 0.5 * 72 + 36."""
    pose = SKELETON.rest.copy()
    aim = AimChain(SKELETON, [HEAD, SPINE, NECK], [1, 0.2, 0.5])  # in any order
    assert aim.joints == [SPINE, NECK, HEAD]
    aim.solve(pose, (1e7, 3, 0))
    for joint, turned in ((SPINE, 18), (NECK, 36), (HEAD, 36)):
        np.testing.assert_allclose(pose.rotation[joint], about(Y, turned), atol=1e-5)


def test_direction_to_target_is_updated_for_each_joint():
    """For a near target above, the spine leans back and moves the head."""
    pose = SKELETON.rest.copy()
    target = (0, 7, 3)
    AimChain(SKELETON, [SPINE, HEAD], [0.5, 1]).solve(pose, target)
    seen, origin = head_of(pose)
    assert origin[2] < -0.1  # leant back
    assert degrees(seen, sight(pose, target)) < 1e-3
    assert degrees(seen, sight(SKELETON.rest, target)) > 5


def test_zero_weight_keeps_the_pose():
    pose = SKELETON.rest.copy()
    AimChain(SKELETON, [SPINE, NECK, HEAD], [0, 0, 1]).solve(pose, (1, 3, 1))
    np.testing.assert_array_equal(pose.rotation[:HEAD], SKELETON.rest.rotation[:HEAD])


@settings(max_examples=30)
@given(poses((2,), scaled=False), targets)
def test_aim_at_target_is_stable(pose, target):
    assume((np.linalg.norm(target - head_of(pose)[1], axis=-1) > 0.5).all())
    aim = AimChain(SKELETON, [SPINE, NECK, HEAD], [0.2, 0.5, 1])
    for _ in range(40):  # the spine rotates until no angle remains
        aim.solve(pose, target)
    once = pose.copy()
    aim.solve(pose, target)
    same = np.abs(np.sum(once.rotation * pose.rotation, axis=-1))
    np.testing.assert_allclose(same, 1, atol=1e-6)


# ---- targets behind the character and undefined directions


def test_target_behind_is_reached_by_turning_left():
    pose = SKELETON.rest.copy()
    AimChain(SKELETON, [NECK, HEAD], [0.5, 1]).solve(pose, (0, 4, -5))
    np.testing.assert_allclose(pose.rotation[NECK], about(Y, 90), atol=1e-6)
    assert degrees(head_of(pose)[0], np.array((0, 0, -1))) < 1e-3


def test_target_behind_when_facing_straight_up():
    pose = SKELETON.rest.copy()
    pose.rotation[0] = about((1, 0, 0), -90)
    AimChain(SKELETON, [HEAD], [1]).solve(pose, head_of(pose)[1] - (0, 9, 0))
    assert degrees(head_of(pose)[0], np.array((0, -1, 0))) < 1e-3


def test_target_at_head_position_keeps_the_pose():
    pose = SKELETON.rest.copy()
    for limit, speed in ((None, None), (1, None), (None, 2), (1, 2)):
        aim = AimChain(SKELETON, [SPINE, HEAD], [0.5, 1], limit=limit, speed=speed)
        aim.solve(pose, (0, 4, 0), seconds=1.0)
        assert pose.equals(SKELETON.rest)


def test_undefined_target_of_one_instance_does_not_affect_others():
    pose = type(SKELETON.rest).like(SKELETON.rest, (3,))
    goals = np.array([(0, 4, 0), (3, 4, 0), (0, 4, -2.0)])  # in the head, aside, right behind
    AimChain(SKELETON, [NECK, HEAD], [0.5, 1]).solve(pose, goals)
    expected = np.array([(0, 0, 1), (1, 0, 0), (0, 0, -1)])
    np.testing.assert_allclose(head_of(pose)[0], expected, atol=1e-6)
    goals[1] = (30, 4, 0)
    pose = type(SKELETON.rest).like(SKELETON.rest, (3,))
    AimChain(SKELETON, [HEAD], [1], limit=1.0).solve(pose, goals)
    np.testing.assert_allclose(degrees(head_of(pose)[0], expected[0]), np.degrees([0, 1, 1]))


@pytest.mark.parametrize("size", [1e-8, 1e-3, 1e6])
def test_aim_does_not_depend_on_size(size):
    pose = SKELETON.rest.copy()
    pose.scale[0] = size
    target = np.array((3.0, 6, -1)) * size
    AimChain(SKELETON, [SPINE, HEAD], [0.5, 1], up=Y).solve(pose, target)
    model = SKELETON.to_model(pose)[HEAD].astype(float) / size
    line = target / size - model[:3, 3]
    np.testing.assert_allclose(model[:3, 2], line / np.linalg.norm(line), atol=2e-6)


def test_aim_with_joint_of_zero_scale():
    pose = SKELETON.rest.copy()
    pose.scale[SPINE] = 0
    AimChain(SKELETON, [SPINE, NECK, HEAD], [0.2, 0.5, 1], up=Y).solve(pose, (3, 4, -5))
    assert np.isfinite(pose.rotation).all()


# ---- the cone


@given(poses((4,)), targets, st.floats(0, 3.2))
def test_cone_limits_to_nearest_direction(pose, target, limit):
    assume((np.linalg.norm(target - head_of(pose)[1], axis=-1) > 0.5).all())
    unaimed, _ = head_of(pose)
    AimChain(SKELETON, [SPINE, NECK, HEAD], [0.2, 0.5, 1], limit=limit).solve(pose, target)
    seen, _ = head_of(pose)
    wished = sight(pose, target)
    off = degrees(unaimed, wished)
    assert (degrees(unaimed, seen) <= np.degrees(limit) + 3e-3).all()
    missed = np.maximum(off - np.degrees(limit), 0)  # the nearest: along the great circle
    np.testing.assert_allclose(degrees(seen, wished), missed, atol=5e-3)


def test_target_behind_with_cone_limit():
    for side in (1, -1):
        pose = SKELETON.rest.copy()
        AimChain(SKELETON, [HEAD], [1], limit=np.radians(70)).solve(pose, (side, 4, -9))
        np.testing.assert_allclose(pose.rotation[HEAD], about(Y, 70 * side), atol=1e-6)
    pose = SKELETON.rest.copy()
    AimChain(SKELETON, [HEAD], [1], limit=np.radians(70)).solve(pose, (0, 4, -9))
    np.testing.assert_allclose(pose.rotation[HEAD], about(Y, 70), atol=1e-6)


# ---- roll


@given(poses((3,)), targets, st.floats(0, 1))
def test_up_axis_is_as_vertical_as_possible(pose, target, share):
    wished = sight(pose, target)
    assume((np.linalg.norm(target - head_of(pose)[1], axis=-1) > 0.5).all())
    aim = AimChain(SKELETON, [SPINE, HEAD], [share, 1], Z, up=(1, 0, 0.3))
    aim.solve(pose, target)
    wished = sight(pose, target)
    assume((np.linalg.norm(np.cross(wished, Y), axis=-1) > 0.05).all())
    seen, _ = head_of(pose)
    assert (degrees(seen, wished) < 2e-3).all()
    top, _ = head_of(pose, (1, 0, 0.3))
    side = np.cross(seen, Y)
    np.testing.assert_allclose(np.sum(side * top, axis=-1), 0, atol=1e-4)  # in the vertical plane
    assert (np.sum(np.cross(side, seen) * top, axis=-1) > 0).all()  # above, not below


def test_roll_is_kept_without_up_axis():
    for up, tilt in ((None, 30.0), (Y, 0.0)):
        pose = SKELETON.rest.copy()
        pose.rotation[HEAD] = about(Z, 30)
        AimChain(SKELETON, [HEAD], [1], up=up).solve(pose, (5, 4, 0))
        top, _ = head_of(pose, Y)
        np.testing.assert_allclose(np.degrees(np.arccos(top[1])), tilt, atol=1e-3)


def test_no_roll_when_aiming_straight_up():
    pose = SKELETON.rest.copy()
    AimChain(SKELETON, [HEAD], [1], up=Y).solve(pose, (0, 9, 0))
    np.testing.assert_allclose(pose.rotation[HEAD], about((1, 0, 0), -90), atol=1e-6)


# ---- speed


def test_speed_limits_rotation_per_second():
    """90 degrees to go at 60 a second; the un-aimed direction first."""
    aim = AimChain(SKELETON, [NECK, HEAD], [0.5, 1], speed=np.radians(60))
    direction, turned = None, []
    for seconds in (0, 0.5, 0.5, 0.25, 0.25, 0.25):
        pose = SKELETON.rest.copy()
        direction = aim.solve(pose, (7, 4, 0), direction, seconds)
        turned.append(degrees(head_of(pose)[0], np.array(Z)))
    np.testing.assert_allclose(turned, [0, 30, 60, 75, 90, 90], atol=1e-3)
    assert degrees(head_of(pose)[0], np.array((1, 0, 0))) < 1e-3


@settings(max_examples=12)
@given(st.floats(0.1, 3.1), st.floats(0.5, 9), st.integers(0, 10**6))
def test_speed_and_cone_limits_hold_until_target_is_reached(limit, speed, seed):
    rng = np.random.default_rng(seed)
    aim = AimChain(SKELETON, [NECK, HEAD], [0.5, 1], limit=limit, speed=speed)
    free = AimChain(SKELETON, [NECK, HEAD], [0.5, 1], limit=limit)
    direction = aim.solve(SKELETON.rest.copy(), (0, 4, 1))
    for target in rng.normal(size=(3, 3)) * 9 + (0, 4, 0):
        for _ in range(int(7 * 20 / speed)):
            pose = SKELETON.rest.copy()
            before, direction = direction, aim.solve(pose, target, direction, 1 / 20)
            assert degrees(before, direction) <= np.degrees(speed) / 20 + 1e-4
            assert degrees(direction, np.array(Z)) <= np.degrees(limit) + 1e-4
        best = SKELETON.rest.copy()
        assert degrees(direction, free.solve(best, target)) < 1e-4
        assert same_rotation(pose.rotation, best.rotation, 1e-5)


@given(poses(), targets, st.floats(0.1, 3), st.integers(1, 12))
def test_speed_limit_does_not_depend_on_step_size(pose, target, limit, count):
    aim = AimChain(SKELETON, [SPINE, NECK, HEAD], [0.3, 0.5, 1], limit=min(limit, 1.5), speed=1.1)
    coarse, fine, direction = pose.copy(), pose.copy(), None
    at_once = aim.solve(coarse, target, None, 0.6)
    for _ in range(count):
        fine = pose.copy()
        direction = aim.solve(fine, target, direction, 0.6 / count)
    assert degrees(at_once, direction) < 1e-5
    assert same_rotation(coarse.rotation, fine.rotation, 1e-5)


def test_aim_with_speed_starts_unaimed():
    pose = random_pose(np.random.default_rng(2), 6)
    before = pose.copy()
    AimChain(SKELETON, [NECK, HEAD], [0.5, 1], speed=3).solve(pose, (5, 4, -3))
    assert same_rotation(pose.rotation, before.rotation, 2e-7)


def test_aim_with_cone_turns_by_the_front():
    """The shorter arc behind the back is outside a cone of 170 degrees."""
    aim = AimChain(SKELETON, [HEAD], [1], limit=np.radians(160), speed=1.0)
    direction = aim.solve(SKELETON.rest.copy(), (1, 4, -2), None, 9.0)
    front = False
    for _ in range(70):
        direction = aim.solve(SKELETON.rest.copy(), (-1, 4, -2), direction, 0.1)
        front |= bool(direction[2] > 0.9)
    assert front
    np.testing.assert_allclose(direction, np.array((-1, 0, -2)) / np.sqrt(5), atol=1e-6)


def test_cone_limit_overrides_speed_limit():
    """The body turns in one step: the head must stay in the cone."""
    aim = AimChain(SKELETON, [HEAD], [1], limit=0.5, speed=0.1)
    direction = aim.solve(SKELETON.rest.copy(), (0, 4, 9))
    pose = SKELETON.rest.copy()
    pose.rotation[0] = about(Y, 120)
    unaimed, _ = head_of(pose)
    aim.solve(pose, (0, 4, 9), direction, 0.01)
    np.testing.assert_allclose(degrees(head_of(pose)[0], unaimed), np.degrees(0.5), atol=1e-3)


# ---- batches and invalid arguments


def test_batch_equals_single():
    rng = np.random.default_rng(5)
    pose = random_pose(rng, 6, (2, 5))
    goals = rng.normal(size=(2, 5, 3)) * 9
    aim = AimChain(SKELETON, [SPINE, NECK, HEAD], [0.2, 0.5, 1], up=Y, limit=1.2, speed=3)
    alone = random_pose(np.random.default_rng(0), 6)
    alone.rotation[...], alone.translation[...] = pose.rotation[1, 2], pose.translation[1, 2]
    alone.scale[...] = pose.scale[1, 2]
    together = aim.solve(pose, goals, None, 0.2)
    single = aim.solve(alone, goals[1, 2], None, 0.2)
    np.testing.assert_allclose(together[1, 2], single, atol=1e-12)
    np.testing.assert_allclose(pose.rotation[1, 2], alone.rotation, atol=1e-7)
    assert dot(alone.rotation, alone.rotation).min() > 0.999999


@pytest.mark.parametrize(
    ("joints", "weights", "options", "words"),
    [
        (
            [SPINE, ARM, HEAD],
            [0.2, 0.3, 1],
            {},
            "not on one chain: Joint 4 not an ancestor of Joint 5",
        ),
        ([], [], {}, "one or more distinct joints"),
        ([HEAD, HEAD], [1, 1], {}, "one or more distinct joints"),
        ([NECK, HEAD], [1, 0.5], {}, "end of the chain, Joint 5, must have weight 1"),
        ([NECK, HEAD], [1], {}, r"weights must be \[2\]"),
        ([NECK, HEAD], [1.5, 1], {}, "0 to 1, not"),
        ([HEAD], [1], {"forward": (0, 0, 0)}, "forward must be"),
        ([HEAD], [1], {"up": (0, 1)}, "up must be"),
        ([HEAD], [1], {"up": (0, 0, -2)}, "must not be parallel"),
        ([HEAD], [1], {"limit": -0.1}, "limit must be"),
        ([HEAD], [1], {"speed": np.nan}, "speed must be"),
    ],
)
def test_invalid_arguments_are_rejected(joints, weights, options, words):
    with pytest.raises(ValueError, match=words):
        AimChain(SKELETON, joints, weights, **options)


def test_float64_target_keeps_float32_pose():
    """Poses stay float32 whatever the target's type."""
    pose = SKELETON.rest.copy()
    AimChain(SKELETON, [HEAD], [1]).solve(pose, f32(1, 2, 3))
    assert pose.rotation.dtype == np.float32
