"""The bundled character's gaits: contacts, foot sliding, floor, seams, symmetry, phases, speed."""

import json

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.animation.skin import skin_points
from rigview.loading.load import load
from rigview.resources import asset_path
from tests.support.gltf_documents import split_glb
from tests.tools.motion_measures import delay

MANNEQUIN = asset_path("mannequin.glb")
TURN_STEPS = ("TurnStep", "TurnStepRight", "TurnStepForward", "TurnStepRightForward")
EVEN = ("Walk", "Run", "WalkBack")  # both sides alike
PAIRS = (
    ("StrafeLeft", "StrafeRight"),
    ("StrafeLeftBack", "StrafeRightBack"),
    ("LeanLeft", "LeanRight"),
)
GAITS = (*EVEN, *(name for pair in PAIRS for name in pair), "Limp")
CONTACT = {"Left": 0.25, "Right": 0.75}  # phases at which the feet meet the ground
LIMP_CONTACT = CONTACT | {"Right": 0.81}
STANCE = {"Walk": 0.61, "Run": 0.28, "WalkBack": 0.63, "LeanLeft": 0.61, "LeanRight": 0.61}
SPEED = {
    "Walk": (0.0, 1.4),
    "Run": (0.0, 4.0),
    "WalkBack": (0.0, -0.95),
    "StrafeLeft": (1.0, 0.0),
    "StrafeRight": (-1.0, 0.0),
    "StrafeLeftBack": (1.0, 0.0),
    "StrafeRightBack": (-1.0, 0.0),
    "LeanLeft": (0.0, 1.3),
    "LeanRight": (0.0, 1.3),
    "Limp": (0.0, 0.72),
}
GROUNDED = 0.001  # metres: what is lower than this stands
HELD = ("Hand", "ForeArmTwist")  # joints that differ since the right hand holds something


@pytest.fixture(scope="module")
def model():
    return load(MANNEQUIN)


@pytest.fixture(scope="module")
def facts():
    """Return the extras of the clips, by name."""
    text, _ = split_glb(MANNEQUIN.read_bytes())
    clips = json.loads(text)["animations"]
    return {clip["name"]: clip["extras"]["rigview"] for clip in clips}


@pytest.fixture(scope="module")
def sole(model):
    """Vertices of the feet: positions, joints, weights."""
    body = model.meshes[model.instances[0].mesh].primitives[0]
    low = body.positions[:, 1] < 0.12
    return body.positions[low], body.joints[low], body.weights[low]


def clip_named(model, name):
    return next(clip for clip in model.clips if clip.name == name)


def poses(model, clip, times):
    pose = Pose.like(model.skeleton.rest, np.shape(times))
    pose.assign(model.skeleton.rest)
    clip.sample(np.asarray(times, np.float64), pose)
    return pose


def model_space(model, name, count=241):
    """Return the times [T] and all joints' matrices [T, J, 4, 4] of a clip."""
    clip = clip_named(model, name)
    times = np.linspace(0.0, clip.end, count)
    return times, model.skeleton.to_model(poses(model, clip, times))


def places(model, matrices, joint):
    return matrices[:, model.skeleton.find(joint), :3, 3]


def on_the_ground(points, times, speed, turn):
    """Return points [T, V, 3] in the axes of the ground that a character goes over."""
    angle = np.radians(turn) * times
    half = np.sinc(angle / (2.0 * np.pi)) * times
    x, z = speed
    sine, cosine = np.sin(angle / 2.0), np.cos(angle / 2.0)
    gone = half * np.stack((x * cosine + z * sine, 0.0 * angle, z * cosine - x * sine))
    sine, cosine = np.sin(angle)[:, None], np.cos(angle)[:, None]
    turned = (
        points[..., 0] * cosine + points[..., 2] * sine,
        points[..., 1],
        points[..., 2] * cosine - points[..., 0] * sine,
    )
    return np.stack(turned, axis=-1) + gone.T[:, None]


def soles(model, sole, matrices):
    """Return the feet's vertices [T, V, 3]."""
    positions, joints, weights = sole
    palette = model.skins[0].palette(matrices)
    return np.stack([skin_points(positions, joints, weights, one) for one in palette])


def runs(flags):
    """Return where runs of true begin and end."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.astype(int), [0]))))
    return list(zip(edges[::2], edges[1::2], strict=True))


def test_declared_speeds_and_turns(facts):
    for name, speed in SPEED.items():
        assert facts[name]["speed"] == pytest.approx(speed)
        assert facts[name]["loop"]
    assert facts["LeanLeft"]["turn"] == -facts["LeanRight"]["turn"] == pytest.approx(50.0)
    for name in TURN_STEPS:
        assert not facts[name]["loop"]


@pytest.mark.parametrize("name", ["Idle", *GAITS])
def test_loop_is_seamless(model, name):
    clip = clip_named(model, name)
    keys = max((track.times for track in clip.tracks), key=len).astype(np.float64)
    times = np.concatenate((keys[:3], keys[-3:]))
    matrices = model.skeleton.to_model(poses(model, clip, times))
    at, turn = matrices[..., :3, 3], matrices[..., :3, :3]
    assert np.abs(at[-1] - at[0]).max() < 1e-4
    cosine = (np.einsum("jab,jab->j", turn[0], turn[-1]) - 1.0) / 2.0
    assert np.degrees(np.arccos(cosine.clip(-1.0, 1.0))).max() < 0.1

    # Speed at the seam, from the keys after it and from those before it, to second order.
    after, before = slope_at(keys[:3], at[:3]), -slope_at(-keys[:-4:-1], at[:-4:-1])
    fine, everywhere = model_space(model, name)
    speeds = np.linalg.norm(np.diff(everywhere[..., :3, 3], axis=0), axis=-1) / fine[1]
    assert np.linalg.norm(after - before, axis=-1).max() < 0.05 * speeds.max()


def slope_at(times, values):
    """Return the derivative at the first of three times, of the parabola through values there."""
    one, two = times[1] - times[0], times[2] - times[0]
    rise, far = (values[1] - values[0]) / one, (values[2] - values[0]) / two
    return (rise * two - far * one) / (two - one)


@pytest.mark.parametrize("name", ["Idle", *GAITS, *TURN_STEPS])
def test_feet_stay_above_the_floor(model, sole, name):
    _, matrices = model_space(model, name, 121)
    low = soles(model, sole, matrices)[..., 1].min(axis=1)
    assert low.min() > -0.002
    if name != "Run":
        assert low.max() < 0.001, "one foot is always on the ground"


@pytest.mark.parametrize("name", ["Idle", *GAITS, *TURN_STEPS])
def test_feet_in_contact_do_not_slide(model, sole, facts, name):
    times, matrices = model_space(model, name)
    speed, turn = facts[name]["speed"], facts[name]["turn"]
    points = on_the_ground(soles(model, sole, matrices), times, speed, turn)
    worst = 0.0
    for v in np.flatnonzero((points[..., 1] < GROUNDED).any(axis=0)):
        for start, end in runs(points[:, v, 1] < GROUNDED):
            worst = max(worst, np.hypot(*np.ptp(points[start:end, v][:, [0, 2]], axis=0)))
    assert worst < 0.005


@pytest.mark.parametrize("name", GAITS)
def test_contact_phases_are_equal(model, sole, name):
    times, matrices = model_space(model, name)
    points = soles(model, sole, matrices[:-1])
    phase = times[:-1] / times[-1]
    for side, contact in (LIMP_CONTACT if name == "Limp" else CONTACT).items():
        own = sole[0][:, 0] > 0.0 if side == "Left" else sole[0][:, 0] < 0.0
        down = points[:, own, 1].min(axis=1) < 2.0 * GROUNDED
        meets = phase[down & ~np.roll(down, 1)]
        assert len(meets) == 1, "a foot comes down once"
        assert meets[0] == pytest.approx(contact, abs=0.012)
        if name in STANCE:
            assert down.mean() == pytest.approx(STANCE[name], abs=0.025)


def test_only_run_has_a_flight_phase(model, sole):
    _, matrices = model_space(model, "Run")
    flies = soles(model, sole, matrices)[..., 1].min(axis=1) > 0.005
    assert flies.mean() == pytest.approx(0.4, abs=0.06)
    assert len(runs(flies)) == 2


@pytest.mark.parametrize("name", GAITS + TURN_STEPS)
def test_knees_never_lock_and_never_pop(model, name):
    times, matrices = model_space(model, name)
    for side in ("Left", "Right"):
        hip, knee, ankle = (
            places(model, matrices, side + joint) for joint in ("UpLeg", "Leg", "Foot")
        )
        thigh, shank = knee - hip, ankle - knee
        cosine = np.sum(thigh * shank, axis=1)
        cosine /= np.linalg.norm(thigh, axis=1) * np.linalg.norm(shank, axis=1)
        bend = np.degrees(np.arccos(cosine))
        assert bend.min() > 4.0
        fastest = 1100.0 if name == "Run" else 650.0  # degrees a second, as people's do
        assert np.abs(np.diff(bend)).max() / times[1] < fastest


@pytest.mark.parametrize("name", GAITS + TURN_STEPS)
def test_legs_do_not_intersect(model, name):
    _, matrices = model_space(model, name, 121)
    for joint, least in (("Leg", 0.09), ("Foot", 0.08)):
        left, right = (places(model, matrices, side + joint) for side in ("Left", "Right"))
        assert np.linalg.norm(left - right, axis=1).min() > least


def test_motion_is_smooth(model):
    for name in GAITS:
        times, matrices = model_space(model, name, 181)
        for joint, most in (("Hips", 30.0), ("Head", 40.0), ("LeftHand", 160.0)):
            path = places(model, matrices, joint)[::3]
            acceleration = np.diff(path, 2, axis=0) / times[3] ** 2
            assert np.linalg.norm(acceleration, axis=1).max() < most, (name, joint)


@pytest.mark.parametrize("name", EVEN)
def test_gaits_are_symmetric(model, name):
    _, matrices = model_space(model, name)
    mirrored_halves(model, matrices, matrices)


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_right_and_left_clips_are_mirrored(model, left, right):
    mirrored_halves(model, model_space(model, left)[1], model_space(model, right)[1])


def mirrored_halves(model, one, two):
    """Assert that a clip is the mirror image of another one, half a period later."""
    later = np.roll(two[:-1], 120, axis=0)
    for joint in model.skeleton.names:
        if joint.startswith("Right") or any(word in joint for word in (*HELD, "Prop", "Sword")):
            continue
        other = joint.replace("Left", "Right")
        if other not in model.skeleton.names:
            continue
        mirror = places(model, later, other) * (-1.0, 1.0, 1.0)
        np.testing.assert_allclose(places(model, one[:-1], joint), mirror, atol=0.002)


def test_hips_of_walk_follow_the_supporting_leg(model):
    times, matrices = model_space(model, "Walk")
    phase = times / times[-1]
    hips = places(model, matrices, "Hips")
    alone = (phase > 0.45) & (phase < 0.65)  # the left foot carries alone
    assert hips[alone, 0].min() > 0.008
    rise = hips[:, 1]
    assert 0.02 < np.ptp(rise) < 0.05
    assert phase[rise[:120].argmin()] == pytest.approx(0.31, abs=0.04), "lowest on two feet"
    for side in ("Left", "Right"):
        hand = places(model, matrices, f"{side}Hand")[:, 2]
        foot = places(model, matrices, f"{side}Foot")[:, 2]
        assert np.corrcoef(hand, foot)[0, 1] < -0.8, "an arm swings against its leg"


@pytest.mark.parametrize("name", ["Walk", "Run", "WalkBack"])
def test_head_stays_level_and_chest_turns_against_hips(model, name):
    _, matrices = model_space(model, name)

    def yaw(joint):
        side = matrices[:, model.skeleton.find(joint), :3, 0]
        return np.degrees(np.arctan2(-side[:, 2], side[:, 0]))

    head = matrices[:, model.skeleton.find("Head"), :3, 1]
    assert np.degrees(np.arccos(head[:, 1].clip(-1.0, 1.0))).max() < 6.0
    assert np.ptp(yaw("Head")) < 5.0
    shoulders = places(model, matrices, "LeftArm") - places(model, matrices, "RightArm")
    chest = np.degrees(np.arctan2(-shoulders[:, 2], shoulders[:, 0]))
    assert np.corrcoef(chest, yaw("Hips"))[0, 1] < -0.8


def yaws(model, matrices, *joints):
    """Return where joints look [T] each, to the left, degrees."""
    ahead = (matrices[:, model.skeleton.find(joint), :3, 2].astype(np.float64) for joint in joints)
    return [np.degrees(np.arctan2(way[:, 0], way[:, 2])) for way in ahead]


@pytest.mark.parametrize("name", GAITS)
def test_trunk_answers_the_hips_later(model, name):
    """The chest comes two frames after the hips, the head three; a frame is 1/30 s."""
    count = round(clip_named(model, name).end * 240.0) + 1
    _, matrices = model_space(model, name, count)
    rest = model.skeleton.to_model(model.skeleton.rest)
    inverse = np.swapaxes(rest[:, :3, :3], 1, 2)
    matrices = matrices.copy()
    matrices[..., :3, :3] = matrices[..., :3, :3] @ inverse
    hips, chest, head = yaws(model, matrices, "Hips", "Spine2", "Head")
    assert np.ptp(chest) > 5.0
    assert 3.0 < np.ptp(head) < 5.0
    assert delay(hips, chest, loop=True) == pytest.approx(2.0, abs=0.5)
    assert delay(hips, head, loop=True) == pytest.approx(3.0, abs=0.5)


@pytest.mark.parametrize("name", ["StrafeLeft", "StrafeRight", "StrafeLeftBack", "StrafeRightBack"])
def test_hips_of_strafes_shift_over_the_standing_leg(model, name):
    times, matrices = model_space(model, name)
    aside = places(model, matrices, "Hips")[:, 0]
    assert 0.02 < np.ptp(aside) < 0.04
    hips = places(model, matrices, "Hips")[:, 2]
    assert 0.02 < np.ptp(hips) < 0.04
    phase = times / times[-1]
    over = {side: hips[np.abs(phase - at).argmin()] for side, at in (("Left", 0.5), ("Right", 0.0))}
    foot = {
        side: places(model, matrices, f"{side}Foot")[np.abs(phase - at).argmin(), 2]
        for side, at in (("Left", 0.5), ("Right", 0.0))
    }
    assert np.sign(over["Left"] - over["Right"]) == np.sign(foot["Left"] - foot["Right"])


@pytest.mark.parametrize("name", TURN_STEPS)
def test_eyes_and_head_lead_a_turning_step(model, name):
    times, matrices = model_space(model, name)
    eyes, head, chest, hips = yaws(model, matrices, "LeftEye", "Head", "Spine2", "Hips")
    way = np.sign(hips[-1] - hips[0])
    there = [
        times[int(np.argmax(way * (turn - turn[0]) > share * np.max(way * (turn - turn[0]))))]
        for turn, share in ((eyes, 0.7), (head, 0.7), (chest, 0.5), (hips, 0.5))
    ]
    assert there == sorted(there)
    assert np.diff(there).min() > 0.01
    assert there[3] - there[0] > 0.2


TURNS = [
    ("TurnStep", "StrafeLeft", "StrafeLeftBack", 0.75),
    ("TurnStepForward", "StrafeLeftBack", "StrafeLeft", 0.75),
    ("TurnStepRight", "StrafeRight", "StrafeRightBack", 0.25),
    ("TurnStepRightForward", "StrafeRightBack", "StrafeRight", 0.25),
]


@pytest.mark.parametrize(("name", "before", "after", "phase"), TURNS)
def test_turn_steps_connect_strafe_directions(model, name, before, after, phase):
    _, turn = model_space(model, name)
    for key, gait in ((0, before), (-1, after)):
        clip = clip_named(model, gait)
        there = model.skeleton.to_model(poses(model, clip, [phase * clip.end]))[0]
        for joint in ("Hips", "Head", "LeftFoot", "RightFoot", "LeftHand", "LeftToeEnd"):
            j = model.skeleton.find(joint)
            np.testing.assert_allclose(turn[key, j, :3, 3], there[j, :3, 3], atol=0.001)


@pytest.mark.parametrize(("name", "before", "after", "phase"), TURNS)
def test_turn_steps_join_strafing_without_a_jolt(model, name, before, after, phase):
    """No joint's velocity changes by 0.3 m/s where one clip hands over to another."""
    turn = clip_named(model, name)
    for gait, at, side in ((before, 0.0, 1.0), (after, turn.end, -1.0)):
        clip = clip_named(model, gait)
        inside = velocities(model, turn, at, side)
        outside = velocities(model, clip, phase * clip.end, -side)
        assert np.linalg.norm(inside - outside, axis=1).max() < 0.3


def velocities(model, clip, time, side, step=1.0 / 240.0):
    """Return the joints' velocities [J, 3] just after a time (side 1), or before it (-1)."""
    times = time + side * step * np.arange(3)
    at = model.skeleton.to_model(poses(model, clip, times))[..., :3, 3].astype(np.float64)
    return side * (4.0 * at[1] - 3.0 * at[0] - at[2]) / (2.0 * step)


def test_eyes_of_idle_lead_the_head(model):
    clip = clip_named(model, "Idle")
    times = np.arange(0.0, clip.end, 1.0 / 60.0)
    turned = model.skeleton.to_model(poses(model, clip, times))
    head, eye = (turned[:, model.skeleton.find(name), :3, 2] for name in ("Head", "LeftEye"))
    yaw, gaze = (np.degrees(np.arctan2(way[:, 0], way[:, 2])) for way in (head, eye))
    assert np.ptp(yaw) > 30.0
    jumps = np.flatnonzero((np.abs(np.diff(gaze)) > 8.0) & (np.abs(np.diff(yaw)) < 0.3))
    assert len(jumps) == 4, "four glances, before which the head is still"
    for jump in jumps:
        far = yaw[min(jump + 60, len(yaw) - 1)] - yaw[jump]
        assert np.sign(far) == np.sign(gaze[jump + 1] - gaze[jump]), "the head follows the eyes"
        assert abs(far) > 8.0


def test_idle_has_breath_weight_shifts_and_blinks(model):
    clip = clip_named(model, "Idle")
    _, matrices = model_space(model, "Idle")
    assert np.ptp(places(model, matrices, "Hips")[:, 0]) > 0.02
    assert np.ptp(places(model, matrices, "LeftArm")[:, 1]) > 0.003
    kinds = {track.interpolation for track in clip.tracks}
    assert kinds >= {"STEP", "LINEAR", "CUBICSPLINE"}
    (face,) = (track for track in clip.tracks if track.path == "values")
    lids = face.values[:, [2, 3]]
    np.testing.assert_allclose(lids.max(axis=0), 1.0, atol=0.01)
    np.testing.assert_allclose(lids.min(axis=0), 0.0, atol=0.01)
