"""Every row of blending as tests/rows shows it, through `rigview pose --motion`, against numbers
worked out by hand from the clips themselves."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from tests.support.motion_examples import MANNEQUIN, clip, cycle, order, row, whole
from tests.support.motion_numbers import (
    angle,
    apart,
    close,
    ease,
    heading,
    lerp,
    mean,
    nlerp,
    phase,
    turns,
    unit,
)

STEPPED = 2e-3  # where the program's steps of 1/120 s stand against an integral


def test_d1_a_mean_of_three():
    weights = {0: (1, 0, 0), 0.5: (0.5, 0.5, 0), 1.5: (0, 0.5, 0.5), 2.5: (1 / 3, 1 / 3, 1 / 3)}
    found = row("D1", [*weights])["node_local"]
    for pose, (tau, parts) in zip(found, weights.items(), strict=True):
        poses = [clip(name, tau) for name in ("Stand", "Crouch", "AimUp")]
        close(pose, mean(poses, parts), 1e-5)


def test_d2_smooth_in_phase_and_a_fade_in_the_fade():
    def rate(tau):  # of the walk, then of both by the fade's weight
        beta = ease(np.clip((tau - 0.4) / 0.6, 0, 1))
        return 1 / ((1 - beta) * 1.0 + beta * 0.7)

    taus = [0.3, 0.5, 0.6, 0.8, 1.0]
    found = row("D2", [*taus, 1.2, 1.5])["node_local"]
    for pose, tau in zip(found, taus, strict=False):
        u = phase(rate, tau)
        beta = ease(np.clip((tau - 0.4) / 0.6, 0, 1))
        shown = lerp(clip("Walk", u), clip("Run", 0.7 * u), beta)
        outer = ease(np.clip((tau - 0.7) / 0.5, 0, 1))
        expected = lerp(shown, clip("Stand", max(tau - 0.7, 0)), outer) if outer else shown
        close(pose, expected, STEPPED)
    close(found[-1], clip("Stand", 0.8))


def test_d2_frozen_stands_still():
    found = row("D2-frozen", [0.4, 0.6, 0.8, 0.9, 1.2, 1.3])["node_local"]
    walk = clip("Walk", 0.4)
    shown = lerp(walk, clip("AimLeft", 0.4), 2 / 3)
    close(found[0], walk)
    close(found[1], lerp(walk, clip("AimLeft", 0.2), 1 / 3), 1e-5)
    close(found[2], shown, 1e-5)
    close(found[3], lerp(shown, clip("Crouch", 0.1), ease(0.25)), 1e-5)
    close(found[4], clip("Crouch", 0.4))
    close(found[5], clip("Crouch", 0.5))


def test_d3_core_poses_follow_without_a_blend():
    joins = np.array([1.2, 3.5, 6.3])
    world = row("D3", np.sort(np.concatenate([joins - 5e-4, joins + 5e-4])))["node_global"]
    world = world.reshape(3, 2, -1, 4, 4)
    step = np.linalg.norm(world[:, 1, :, :3, 3] - world[:, 0, :, :3, 3], axis=-1)
    assert step.max() < 2e-4  # metres in 1 ms
    for before, after in world:
        assert apart(heading(after), heading(before)).max() < 0.1
    expected = {1: ("StandToCrouch", 1.0), 3: ("CrouchToProne", 1.8), 5: ("ProneToStand", 1.5)}
    expected[7] = ("Stand", 0.7)
    for pose, (name, time) in zip(
        row("D3", [*expected])["node_local"], expected.values(), strict=True
    ):
        close(pose, clip(name, time), 1e-5)


def gait(speed):
    """The weights of standing, walking and running at a speed, and how long a cycle is."""
    speed = np.clip(speed, 0, 4)
    walk = min(speed / 1.4, 1 - (speed - 1.4) / 2.6)
    weights = np.array([max(1 - speed / 1.4, 0), walk, max((speed - 1.4) / 2.6, 0)])
    return weights, weights @ [1.0, 1.0, 0.7]


def test_d4_a_line_and_past_its_end():
    taus = [0, 0.7, 2.7, 4.5, 6]
    found = row("D4", taus)["node_local"]
    for pose, tau in zip(found, taus, strict=True):
        u = phase(lambda t: 1 / gait(t)[1], tau) if tau else 0.0
        poses = [clip("Idle", u), clip("Walk", u), clip("Run", 0.7 * u)]
        close(pose, mean(poses, gait(tau)[0]), STEPPED)


def test_d4_a_ring_goes_the_short_way():
    expected = {
        0.5: ("AimRight", "AimDown", 42.5 / 90),
        1.0: ("AimRight", "AimDown", 85 / 90),
        1.5: ("AimDown", "AimLeft", 37.5 / 90),
        2.0: ("AimDown", "AimLeft", 80 / 90),
    }
    found = row("D4-ring", [*expected])["node_local"]
    for pose, (tau, (one, two, t)) in zip(found, expected.items(), strict=True):
        close(pose, lerp(clip(one, tau), clip(two, tau), t), 1e-5)


def test_d5_points_inside_at_and_outside():
    expected = {
        0.25: ("AimCentre", "AimLeft"),
        0.5: ("AimLeft",),
        1.0: ("AimLeft", "AimUp"),  # (1, 1) lies outside: the middle of that side is nearest
        1.5: ("AimUp",),
        2.0: ("AimRight", "AimUp"),
        2.5: ("AimRight",),
        3.0: ("AimRight", "AimDown"),
    }
    found = row("D5-points", [*expected])["node_local"]
    for pose, names in zip(found, expected.values(), strict=True):
        close(pose, mean([clip(name, 0) for name in names], np.ones(len(names))), 1e-5)


def test_d5_corners():
    names = ("AimDown", "AimLeft", "AimRight", "AimUp")
    places = {0.5: (0.5, 0), 0.8: (0.8, 0), 1.5: (1, 0.5), 2.25: (0.75, 0.75), 2.5: (0.5, 0.5)}
    found = row("D5-corners", [*places])["node_local"]
    for pose, (x, y) in zip(found, places.values(), strict=True):
        weights = [(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y]
        close(pose, mean([clip(name, 0) for name in names], weights), 1e-5)


def nearest(pose, one, two, share):
    """How near a blend of two clips of 1 s and 0.9 s comes to a pose, whatever their phase."""
    poses = lerp(cycle(one, 1.0, 180), cycle(two, 0.9, 180), share)
    return min(float(apart(turns(pose), turns(each)).max()) for each in poses)


def test_d6_strafing_changes_its_half_late():
    def rate(tau):
        beta = min(50 * tau / 90, 1)
        return 1 / ((1 - beta) * 1.0 + beta * 0.9)

    arrays = row("D6-strafe", [0.9, 1.9, 3.5, 5.9, 7.55])
    found = arrays["node_local"]
    u = phase(rate, 0.9)
    close(found[0], lerp(clip("Walk", u), clip("StrafeLeft", 0.9 * u), 0.5), STEPPED)
    u = phase(rate, 1.9)  # at 95 degrees, still the front half
    close(found[1], clip("StrafeLeft", 0.9 * u), STEPPED)
    assert nearest(found[2], "WalkBack", "StrafeLeftBack", 5 / 90) < 1.5
    assert nearest(found[3], "WalkBack", "StrafeLeftBack", 1) < 1.5  # 84 degrees, on the way back
    assert nearest(found[4], "Walk", "StrafeLeft", 1.5 / 90) < 1.5
    assert nearest(found[4], "WalkBack", "StrafeLeftBack", 1) > 5
    taus = np.concatenate([np.arange(1.95, 2.3, 0.005), np.arange(5.95, 6.3, 0.005)])
    places = row("D6-strafe", taus)["node_global"][:, :, :3, 3]
    step = np.linalg.norm(np.diff(places, axis=0), axis=-1)[np.diff(taus) < 0.006]
    assert step.max() < 0.005 * 7  # metres a second: no jump where halves change


def test_d6_pivoting_turns_the_world_and_leans():
    arrays = row("D6-pivot", [1.0, 1.5, 2.0, 2.25, 2.5, 3.5])
    root = arrays["node_global"][:, order()["Root"]]
    yaw = np.degrees(np.arctan2(root[:, 0, 2], root[:, 2, 2]))
    np.testing.assert_allclose(yaw, [50, 75, 87.5, 84.375, 75, 25], atol=0.01)
    found = arrays["node_local"]
    pairs = {0: ("LeanLeft", 1.0), 2: ("Walk", 2.0), 5: ("LeanRight", 3.5)}
    for k, (name, tau) in pairs.items():
        expected = clip(name, tau).copy()
        close(
            np.delete(found[k], order()["Root"], 0), np.delete(expected, order()["Root"], 0), 2e-5
        )
    half = lerp(clip("Walk", 2.25), clip("LeanRight", 2.25), 0.5)
    close(np.delete(found[3], order()["Root"], 0), np.delete(half, order()["Root"], 0), 2e-5)
    head, hips = (whole("LeanLeft", 0.0)["node_global"][0, order()[j]] for j in ("Head", "Hips"))
    assert head[0, 3] - hips[0, 3] > 0.05  # it leans into the turn: its left is +X


def test_d7_masks_local_and_in_model_space():
    taus = np.arange(9) / 10
    local, model = (row("D7", taus, "--set", f"{one}.weight=1") for one in ("local", "model"))
    weights = np.zeros((len(order()), 1))
    mask = {"Spine": 0.3, "Spine1": 0.6, "Spine2": 1, "Neck": 1, "Head": 1, "RightHand": 1}
    for joint, weight in mask.items():
        weights[order()[joint]] = weight
    some = [order()[joint] for joint in (*mask, "Hips", "LeftFoot")]
    for k, tau in enumerate(taus):
        expected = lerp(clip("TurnStep", tau), clip("AimCentre", tau), weights)
        close(local["node_local"][k, some], expected[some], 1e-5)
        under, aim = (
            heading(whole(c, tau)["node_global"][0, some]) for c in ("TurnStep", "AimCentre")
        )
        room = nlerp(under, aim, weights[some])
        assert apart(heading(model["node_global"][k, some]), room).max() < 0.01
    hand = [arrays["node_global"][:, order()["RightHand"], :3, 1] for arrays in (local, model)]
    assert angle(hand[0], hand[0][:1]).max() > 10  # it swings with the hips
    assert angle(hand[1], hand[1][:1]).max() < 0.01


@pytest.mark.parametrize("space", ["joint", "parent", "model"])
def test_d8_a_difference_in_three_spaces(space):
    base = row("D8", [0, 0.25, 0.5, 1])
    found = row("D8", [0, 0.25, 0.5, 1], "--at", f"0:set:{space}.weight=1,1")
    np.testing.assert_array_equal(found["node_local"][0], base["node_local"][0])
    above = parents(base)
    for k, tau in ((1, 0.25), (2, 0.5), (3, 1.0)):
        target = base["node_local"][k]
        source, reference = (whole(name, tau) for name in ("AimLeft", "AimCentre"))
        one, two = source["node_local"][0], reference["node_local"][0]
        if space == "joint":
            added = turns(target) * (turns(two).inv() * turns(one))
        elif space == "parent":
            added = (turns(one) * turns(two).inv()) * turns(target)
        else:
            heads = [heading(arrays["node_global"][0]) for arrays in (source, reference)]
            room = (heads[0] * heads[1].inv() * heading(base["node_global"][k])).as_quat()
            over = np.where(above[:, None] < 0, [0, 0, 0, 1], room[above])
            added = Rotation.from_quat(over).inv() * Rotation.from_quat(room)
        mixed = nlerp(turns(target), added, tau)
        assert apart(turns(found["node_local"][k]), mixed).max() < 0.02


def parents(arrays):
    """The node above each one [N], -1 for none."""
    from rigview.gltf.load import load

    skeleton = load(MANNEQUIN).skeleton
    above = np.full(len(arrays["node_names"]), -1)
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            above[skeleton.nodes[joint]] = skeleton.nodes[parent]
    return above


def test_d9_an_aim_on_a_walk_and_a_cone(capfd):
    arrays = row("D9", [0.25, 1.25, 2.25])
    # the arm points as the aim does, within what the bent spine under the mask's edge takes away
    hand = arrays["node_global"][:, order()["RightHand"], :3, 1]
    left, centre = (
        whole(name, 0)["node_global"][0, order()["RightHand"], :3, 1]
        for name in ("AimLeft", "AimCentre")
    )
    assert angle(hand[0], centre) < 3
    assert angle(hand[1], left) < angle(left, centre) / 3
    assert unit(hand[2])[1] > unit(hand[1])[1] + 0.2  # and upwards
    legs = [order()[joint] for joint in ("Hips", "LeftUpLeg", "RightLeg", "LeftFoot")]
    close(arrays["node_local"][0][legs], clip("Walk", 0.25)[legs])
    taus = np.arange(16) / 10
    still = turns(clip("Nod", 0)[order()["Head"]])
    nodding = [row("D9", taus, "--set", f"{one}.weight=3") for one in ("nod", "held")]
    free, held = (
        apart(turns(arrays["node_local"][:, order()["Head"]]), still) for arrays in nodding
    )
    assert free.max() > 20
    assert held.max() == pytest.approx(12, abs=0.01)
    np.testing.assert_allclose(held[free < 11.9], free[free < 11.9], atol=0.01)


def test_d10_layers_one_after_another():
    found = row("D10", [0.25, 2.0])
    close(found["node_local"][0], clip("Walk", 0.25), 1e-5)
    walk, wave = whole("Walk", 2.0), whole("Wave", 2.0)
    some = {"Spine2": 0.3, "Neck": 0, "LeftShoulder": 1, "LeftForeArm": 1, "LeftHand": 1}
    at = [order()[joint] for joint in some]
    under, over = (heading(each["node_global"][0, at]) for each in (walk, wave))
    expected = nlerp(under, over, np.array([*some.values()])[:, None])
    # the neck keeps how it stands in the room
    assert apart(heading(found["node_global"][1, at]), expected).max() < 0.02
    arm = [order()[joint] for joint in ("RightArm", "RightForeArm", "RightHand")]
    close(found["node_local"][1, arm], clip("AimCentre", 0)[arm], 1e-5)
    last = row("D10", [3.5])["node_local"][0]
    below = row("D10", [3.5], "--at", "3:set:calm.weight=0")["node_local"][0]
    stand, breath, first = clip("Stand", 3.5), clip("Breathe", 3.5), clip("Breathe", 0)
    difference = turns(first).inv() * turns(breath)
    twice = turns(stand) * Rotation.from_rotvec(2 * difference.as_rotvec())
    assert apart(turns(last), nlerp(turns(below), twice, 0.5)).max() < 0.05
