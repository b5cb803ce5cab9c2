"""Blending of the motion examples, by `rigview pose --motion`, compared with formulas applied to
the poses of the clips."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from tests.support.blend_formulas import (
    assert_close,
    degrees_apart,
    degrees_between,
    ease,
    lerp,
    mean,
    nlerp,
    phase,
    rotations,
    unit,
    world_rotations,
)
from tests.support.motion_examples import (
    MANNEQUIN,
    clip_arrays,
    clip_cycle,
    clip_pose,
    example,
    node_indices,
)

STEPPED = 2e-3  # error of the program's steps of 1/120 s against an integral


def test_weighted_mean_of_three_poses():
    weights = {0: (1, 0, 0), 0.5: (0.5, 0.5, 0), 1.5: (0, 0.5, 0.5), 2.5: (1 / 3, 1 / 3, 1 / 3)}
    found = example("weighted-mean", [*weights])["node_local"]
    for pose, (tau, parts) in zip(found, weights.items(), strict=True):
        poses = [clip_pose(name, tau) for name in ("Stand", "Crouch", "AimUp")]
        assert_close(pose, mean(poses, parts), 1e-5)


def test_smooth_fade_in_phase_and_a_fade_during_it():
    def rate(tau):  # passes per second: of the walk, then blended by the weight of the fade
        beta = ease(np.clip((tau - 0.4) / 0.6, 0, 1))
        return 1 / ((1 - beta) * 1.0 + beta * 0.7)

    taus = [0.3, 0.5, 0.6, 0.8, 1.0]
    found = example("cross-fade-smooth", [*taus, 1.2, 1.5])["node_local"]
    for pose, tau in zip(found, taus, strict=False):
        u = phase(rate, tau)
        beta = ease(np.clip((tau - 0.4) / 0.6, 0, 1))
        shown = lerp(clip_pose("Walk", u), clip_pose("Run", 0.7 * u), beta)
        outer = ease(np.clip((tau - 0.7) / 0.5, 0, 1))
        expected = lerp(shown, clip_pose("Stand", max(tau - 0.7, 0)), outer) if outer else shown
        assert_close(pose, expected, STEPPED)
    assert_close(found[-1], clip_pose("Stand", 0.8))


def test_frozen_fade_holds_the_old_pose():
    found = example("cross-fade-frozen", [0.4, 0.6, 0.8, 0.9, 1.2, 1.3])["node_local"]
    walk = clip_pose("Walk", 0.4)
    shown = lerp(walk, clip_pose("AimLeft", 0.4), 2 / 3)
    assert_close(found[0], walk)
    assert_close(found[1], lerp(walk, clip_pose("AimLeft", 0.2), 1 / 3), 1e-5)
    assert_close(found[2], shown, 1e-5)
    assert_close(found[3], lerp(shown, clip_pose("Crouch", 0.1), ease(0.25)), 1e-5)
    assert_close(found[4], clip_pose("Crouch", 0.4))
    assert_close(found[5], clip_pose("Crouch", 0.5))


def test_clips_with_matching_ends_follow_without_a_blend():
    joins = np.array([1.2, 3.5, 7.0])
    world = example("matching-clip-ends", np.sort(np.concatenate([joins - 5e-4, joins + 5e-4])))[
        "node_global"
    ]
    world = world.reshape(3, 2, -1, 4, 4)
    step = np.linalg.norm(world[:, 1, :, :3, 3] - world[:, 0, :, :3, 3], axis=-1)
    assert step.max() < 2e-4  # metres in 1 ms
    for before, after in world:
        assert degrees_apart(world_rotations(after), world_rotations(before)).max() < 0.1
    expected = {1: ("StandToCrouch", 1.0), 3: ("CrouchToProne", 1.8), 5: ("ProneToStand", 1.5)}
    expected[8] = ("Stand", 1.0)
    for pose, (name, time) in zip(
        example("matching-clip-ends", [*expected])["node_local"], expected.values(), strict=True
    ):
        assert_close(pose, clip_pose(name, time), 1e-5)


def gait(speed):
    """The weights of standing, walking and running at a speed, and the length of a cycle."""
    speed = np.clip(speed, 0, 4)
    walk = min(speed / 1.4, 1 - (speed - 1.4) / 2.6)
    weights = np.array([max(1 - speed / 1.4, 0), walk, max((speed - 1.4) / 2.6, 0)])
    return weights, weights @ [1.0, 1.0, 0.7]


def test_line_and_values_beyond_its_end():
    taus = [0, 0.7, 2.7, 4.5, 6]
    found = example("blend-space-line", taus)["node_local"]
    for pose, tau in zip(found, taus, strict=True):
        u = phase(lambda t: 1 / gait(t)[1], tau) if tau else 0.0
        poses = [clip_pose("Idle", u), clip_pose("Walk", u), clip_pose("Run", 0.7 * u)]
        assert_close(pose, mean(poses, gait(tau)[0]), STEPPED)


def test_ring_takes_the_shorter_way():
    expected = {
        0.5: ("AimRight", "AimDown", 42.5 / 90),
        1.0: ("AimRight", "AimDown", 85 / 90),
        1.5: ("AimDown", "AimLeft", 37.5 / 90),
        2.0: ("AimDown", "AimLeft", 80 / 90),
    }
    found = example("blend-space-ring", [*expected])["node_local"]
    for pose, (tau, (one, two, t)) in zip(found, expected.items(), strict=True):
        assert_close(pose, lerp(clip_pose(one, tau), clip_pose(two, tau), t), 1e-5)


def test_points_inside_on_and_outside_the_hull():
    expected = {
        0.25: ("AimCentre", "AimLeft"),
        0.5: ("AimLeft",),
        1.0: ("AimLeft", "AimUp"),  # (1, 1) is outside: the middle of the edge is nearest
        1.5: ("AimUp",),
        2.0: ("AimRight", "AimUp"),
        2.5: ("AimRight",),
        3.0: ("AimRight", "AimDown"),
    }
    found = example("blend-space-points", [*expected])["node_local"]
    for pose, (tau, names) in zip(found, expected.items(), strict=True):
        assert_close(
            pose, mean([clip_pose(name, tau) for name in names], np.ones(len(names))), 1e-5
        )


def test_corners_are_bilinear():
    names = ("AimDown", "AimLeft", "AimRight", "AimUp")
    places = {0.5: (0.5, 0), 0.8: (0.8, 0), 1.5: (1, 0.5), 2.25: (0.75, 0.75), 2.5: (0.5, 0.5)}
    found = example("blend-space-corners", [*places])["node_local"]
    for pose, (tau, (x, y)) in zip(found, places.items(), strict=True):
        weights = [(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y]
        assert_close(pose, mean([clip_pose(name, tau) for name in names], weights), 1e-5)


def nearest(pose, one, two, share):
    """The smallest difference, over all phases, of a pose to a blend of clips of 1 s and 0.9 s."""
    poses = lerp(clip_cycle(one, 1.0, 180), clip_cycle(two, 0.9, 180), share)
    return min(float(degrees_apart(rotations(pose), rotations(each)).max()) for each in poses)


def test_strafe_changes_its_half_with_hysteresis():
    def rate(tau):
        beta = min(50 * tau / 90, 1)
        return 1 / ((1 - beta) * 1.0 + beta * 0.9)

    arrays = example("strafe", [0.9, 1.9, 3.5, 5.9, 7.55])
    found = arrays["node_local"]
    u = phase(rate, 0.9)
    assert_close(
        found[0], lerp(clip_pose("Walk", u), clip_pose("StrafeLeft", 0.9 * u), 0.5), STEPPED
    )
    u = phase(rate, 1.9)  # at 95 degrees, still the front half
    assert_close(found[1], clip_pose("StrafeLeft", 0.9 * u), STEPPED)
    assert nearest(found[2], "WalkBack", "StrafeLeftBack", 5 / 90) < 1.5
    assert nearest(found[3], "WalkBack", "StrafeLeftBack", 1) < 1.5  # 84 degrees, on the way back
    assert nearest(found[4], "Walk", "StrafeLeft", 1.5 / 90) < 1.5
    assert nearest(found[4], "WalkBack", "StrafeLeftBack", 1) > 5
    taus = np.concatenate([np.arange(1.95, 2.3, 0.005), np.arange(5.95, 6.3, 0.005)])
    places = example("strafe", taus)["node_global"][:, :, :3, 3]
    step = np.linalg.norm(np.diff(places, axis=0), axis=-1)[np.diff(taus) < 0.006]
    assert step.max() < 0.005 * 7  # below 7 m/s: no jump at a change of halves


def test_pivot_turns_the_character_and_leans():
    arrays = example("pivot", [1.0, 1.5, 2.0, 2.25, 2.5, 3.5])
    root = arrays["node_global"][:, node_indices()["Root"]]
    yaw = np.degrees(np.arctan2(root[:, 0, 2], root[:, 2, 2]))
    np.testing.assert_allclose(yaw, [50, 75, 87.5, 84.375, 75, 25], atol=0.01)
    found = arrays["node_local"]
    pairs = {0: ("LeanLeft", 1.0), 2: ("Walk", 2.0), 5: ("LeanRight", 3.5)}
    for k, (name, tau) in pairs.items():
        expected = clip_pose(name, tau).copy()
        assert_close(
            np.delete(found[k], node_indices()["Root"], 0),
            np.delete(expected, node_indices()["Root"], 0),
            2e-5,
        )
    half = lerp(clip_pose("Walk", 2.25), clip_pose("LeanRight", 2.25), 0.5)
    assert_close(
        np.delete(found[3], node_indices()["Root"], 0),
        np.delete(half, node_indices()["Root"], 0),
        2e-5,
    )
    head, hips = (
        clip_arrays("LeanLeft", 0.0)["node_global"][0, node_indices()[j]] for j in ("Head", "Hips")
    )
    assert head[0, 3] - hips[0, 3] > 0.05  # leans to the inner side of the turn; its left is +X


def test_masks_in_local_and_model_space():
    taus = np.arange(9) / 10
    local, model = (
        example("masks", taus, "--set", f"{one}.weight=1") for one in ("local", "model")
    )
    weights = np.zeros((len(node_indices()), 1))
    mask = {"Spine": 0.3, "Spine1": 0.6, "Spine2": 1, "Neck": 1, "Head": 1, "RightHand": 1}
    for joint, weight in mask.items():
        weights[node_indices()[joint]] = weight
    some = [node_indices()[joint] for joint in (*mask, "Hips", "LeftFoot")]
    for k, tau in enumerate(taus):
        expected = lerp(clip_pose("TurnStep", tau), clip_pose("AimCentre", tau), weights)
        assert_close(local["node_local"][k, some], expected[some], 1e-5)
        under, aim = (
            world_rotations(clip_arrays(c, tau)["node_global"][0, some])
            for c in ("TurnStep", "AimCentre")
        )
        room = nlerp(under, aim, weights[some])
        assert degrees_apart(world_rotations(model["node_global"][k, some]), room).max() < 0.01
    hand = [
        arrays["node_global"][:, node_indices()["RightHand"], :3, 1] for arrays in (local, model)
    ]
    assert degrees_between(hand[0], hand[0][:1]).max() > 10  # swings with the hips
    assert degrees_between(hand[1], hand[1][:1]).max() < 0.01


@pytest.mark.parametrize("space", ["joint", "parent", "model"])
def test_additive_in_three_spaces(space):
    base = example("additive-spaces", [0, 0.25, 0.5, 1])
    found = example("additive-spaces", [0, 0.25, 0.5, 1], "--at", f"0:set:{space}.weight=1,1")
    np.testing.assert_array_equal(found["node_local"][0], base["node_local"][0])
    above = parents(base)
    for k, tau in ((1, 0.25), (2, 0.5), (3, 1.0)):
        target = base["node_local"][k]
        source, reference = (clip_arrays(name, tau) for name in ("AimLeft", "AimCentre"))
        one, two = source["node_local"][0], reference["node_local"][0]
        if space == "joint":
            added = rotations(target) * (rotations(two).inv() * rotations(one))
        elif space == "parent":
            added = (rotations(one) * rotations(two).inv()) * rotations(target)
        else:
            heads = [world_rotations(arrays["node_global"][0]) for arrays in (source, reference)]
            room = (heads[0] * heads[1].inv() * world_rotations(base["node_global"][k])).as_quat()
            over = np.where(above[:, None] < 0, [0, 0, 0, 1], room[above])
            added = Rotation.from_quat(over).inv() * Rotation.from_quat(room)
        mixed = nlerp(rotations(target), added, tau)
        assert degrees_apart(rotations(found["node_local"][k]), mixed).max() < 0.02


def parents(arrays):
    """The parent of each node [N], -1 for none."""
    from rigview.loading.load import load

    skeleton = load(MANNEQUIN).skeleton
    above = np.full(len(arrays["node_names"]), -1)
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            above[skeleton.nodes[joint]] = skeleton.nodes[parent]
    return above


def test_additive_aim_on_a_walk_and_joint_limits(capfd):
    arrays = example("additive-joint-limits", [0.25, 1.25, 2.25])
    # the arm points in the direction of the aim; the spine below the mask changes it a little
    hand = arrays["node_global"][:, node_indices()["RightHand"], :3, 1]
    left, centre = (
        clip_arrays(name, 0)["node_global"][0, node_indices()["RightHand"], :3, 1]
        for name in ("AimLeft", "AimCentre")
    )
    assert degrees_between(hand[0], centre) < 3
    assert degrees_between(hand[1], left) < degrees_between(left, centre) / 3
    assert unit(hand[2])[1] > unit(hand[1])[1] + 0.2  # and upwards
    legs = [node_indices()[joint] for joint in ("Hips", "LeftUpLeg", "RightLeg", "LeftFoot")]
    assert_close(arrays["node_local"][0][legs], clip_pose("Walk", 0.25)[legs])
    taus = np.arange(16) / 10
    still = rotations(clip_pose("Nod", 0)[node_indices()["Head"]])
    nodding = [
        example("additive-joint-limits", taus, "--set", f"{one}.weight=3")
        for one in ("nod", "held")
    ]
    free, held = (
        degrees_apart(rotations(arrays["node_local"][:, node_indices()["Head"]]), still)
        for arrays in nodding
    )
    assert free.max() > 20
    assert held.max() == pytest.approx(12, abs=0.01)
    np.testing.assert_allclose(held[free < 11.9], free[free < 11.9], atol=0.01)


def test_layers_blend_in_order():
    found = example("layers", [0.25, 2.0])
    assert_close(found["node_local"][0], clip_pose("Walk", 0.25), 1e-5)
    walk, wave = clip_arrays("Walk", 2.0), clip_arrays("Wave", 2.0)
    some = {"Spine2": 0.3, "Neck": 0, "LeftShoulder": 1, "LeftForeArm": 1, "LeftHand": 1}
    at = [node_indices()[joint] for joint in some]
    under, over = (world_rotations(each["node_global"][0, at]) for each in (walk, wave))
    expected = nlerp(under, over, np.array([*some.values()])[:, None])
    # the neck keeps its rotation in model space
    assert degrees_apart(world_rotations(found["node_global"][1, at]), expected).max() < 0.02
    arm = [node_indices()[joint] for joint in ("RightArm", "RightForeArm", "RightHand")]
    assert_close(found["node_local"][1, arm], clip_pose("AimCentre", 0)[arm], 1e-5)
    last = example("layers", [3.5])["node_local"][0]
    below = example("layers", [3.5], "--at", "3:set:calm.weight=0")["node_local"][0]
    stand, breath, first = (
        clip_pose("Stand", 3.5),
        clip_pose("Breathe", 3.5),
        clip_pose("Breathe", 0),
    )
    difference = rotations(first).inv() * rotations(breath)
    twice = rotations(stand) * Rotation.from_rotvec(2 * difference.as_rotvec())
    assert degrees_apart(rotations(last), nlerp(rotations(below), twice, 0.5)).max() < 0.05
