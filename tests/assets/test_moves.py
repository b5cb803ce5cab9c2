"""The bundled character's core poses, transitions, gestures and facial clips."""

import json

import numpy as np
import pytest

from rigview.animation import quat
from rigview.animation.pose import Pose
from rigview.animation.skin import skin_points
from rigview.animation.vectors import dot
from rigview.loading.load import load
from rigview.resources import asset_path
from tests.support.gltf_documents import split_glb
from tests.support.skinned_normals import skin_normals

GRAVITY = 9.81
CORE = ("Stand", "Crouch", "Prone")
MOVES = {
    "StandToCrouch": ("Stand", "Crouch"),
    "CrouchToStand": ("Crouch", "Stand"),
    "CrouchToProne": ("Crouch", "Prone"),
    "ProneToCrouch": ("Prone", "Crouch"),
    "StandToProne": ("Stand", "Prone"),
    "ProneToStand": ("Prone", "Stand"),
    **dict.fromkeys(
        ("Jump", "Wave", "Nod", "Fidget", "FaceSmile", "FaceFrown", "Blink"), ("Stand", "Stand")
    ),
}
LOOPS = (*CORE, "Fall", "Breathe", "Talk")
AIMS = {  # degrees up, to the left
    "AimCentre": (0.0, 0.0),
    "AimLeft": (0.0, 60.0),
    "AimRight": (0.0, -60.0),
    "AimUp": (40.0, 0.0),
    "AimDown": (-40.0, 0.0),
    "AimUpLeft": (40.0, 60.0),
    "AimUpRight": (40.0, -60.0),
    "AimDownLeft": (-40.0, 60.0),
    "AimDownRight": (-40.0, -60.0),
}
LOOKS = tuple(name.replace("Aim", "Look") for name in AIMS)
ALL = (*LOOPS, *MOVES, *AIMS, *LOOKS)
LEG = ("UpLeg", "UpLegTwist", "Leg", "Foot", "ToeBase", "ToeEnd")
LOWER = ("Root", "Hips", *("Left" + own for own in LEG), *("Right" + own for own in LEG))
MORPHS = ("smile", "frown", "blinkLeft", "blinkRight", "jawOpen")


@pytest.fixture(scope="module")
def model():
    return load(asset_path("mannequin.glb"))


@pytest.fixture(scope="module")
def clips(model):
    return {clip.name: clip for clip in model.clips}


@pytest.fixture(scope="module")
def body(model):
    return next(
        primitive
        for instance in model.instances
        for primitive in model.meshes[instance.mesh].primitives
        if primitive.joints is not None
    )


@pytest.fixture(scope="module")
def prop(model):
    """Return the points [N, 3] of the prop relative to its joint."""
    return next(
        primitive.positions
        for instance in model.instances
        for primitive in model.meshes[instance.mesh].primitives
        if primitive.joints is None
    )


def matrices(model, clip, times):
    """Return the model matrices [T, J, 4, 4]."""
    pose = Pose.like(model.skeleton.rest, np.shape(times))
    pose.assign(model.skeleton.rest)
    clip.sample(np.asarray(times, np.float64), pose)
    return model.skeleton.to_model(pose)


def joint(model, matrix, name):
    return matrix[..., model.skeleton.find(name), :, :]


def places(model, matrix, name):
    return joint(model, matrix, name)[..., :3, 3]


def frames(clip, rate=30.0):
    return np.linspace(0.0, clip.end, max(2, round(clip.end * rate) + 1))


# --- what begins and ends where -----------------------------------------------------------------


@pytest.mark.parametrize("name", MOVES)
def test_clips_begin_and_end_in_core_poses_with_zero_velocity(model, clips, name):
    clip = clips[name]
    start, end = (matrices(model, clips[core], [0.0])[0] for core in MOVES[name])
    found = matrices(model, clip, [0.0, clip.end])
    np.testing.assert_allclose(found[0], start, atol=1e-4)
    np.testing.assert_allclose(found[1], end, atol=1e-4)

    step = 1.0 / 120.0
    close = matrices(model, clip, [0.0, step, clip.end - step, clip.end])[..., :3, 3]
    every = matrices(model, clip, frames(clip, 60.0))[..., :3, 3]
    fastest = np.abs(np.diff(every, axis=0)).max() * 60.0
    assert np.abs(close[1] - close[0]).max() / step < max(0.15 * fastest, 0.02)
    assert np.abs(close[3] - close[2]).max() / step < max(0.15 * fastest, 0.02)


@pytest.mark.parametrize("name", [name for name in MOVES if "Prone" in name])
def test_lying_down_joins_core_poses_without_a_jolt(model, clips, name):
    step = 1.0 / 240.0
    clip = clips[name]
    for times in ([0.0, step, 2.0 * step], [clip.end, clip.end - step, clip.end - 2.0 * step]):
        at = matrices(model, clip, times)[..., :3, 3].astype(np.float64)
        speed = np.linalg.norm(4.0 * at[1] - 3.0 * at[0] - at[2], axis=-1) / (2.0 * step)
        assert speed.max() < 0.3  # m/s; core poses stand nearly still


def test_collar_takes_a_third_of_the_elevation_of_an_arm(model, clips):
    def elevation(matrix, name, end):
        chest = joint(model, matrix, "Spine2")[:3, 1]
        way = places(model, matrix, f"Left{end}") - places(model, matrix, f"Left{name}")
        return np.degrees(np.arccos(-way @ chest / np.linalg.norm(way)))

    stand = matrices(model, clips["Stand"], [0.0])[0]
    for name, time in (("Wave", 0.9), ("Fall", 0.2)):
        found = matrices(model, clips[name], [time])[0]
        arm = elevation(found, "Arm", "ForeArm")
        collar = elevation(found, "Shoulder", "Arm") - elevation(stand, "Shoulder", "Arm")
        assert arm > 85.0
        assert collar == pytest.approx((arm - 30.0) / 3.0, abs=6.0)


def test_stand_equals_the_start_of_idle(model, clips):
    stand, idle = (matrices(model, clips[name], [0.0])[0] for name in ("Stand", "Idle"))
    np.testing.assert_allclose(stand[:, :3, 3], idle[:, :3, 3], atol=0.01)


@pytest.mark.parametrize("name", LOOPS)
def test_loop_is_seamless(model, clips, name):
    clip, step = clips[name], 1.0 / 240.0
    times = np.array([0.0, step, 2.0 * step, clip.end - 2.0 * step, clip.end - step, clip.end])
    found = matrices(model, clip, times)
    places, turns = found[..., :3, 3], quat.from_matrix(found[..., :3, :3])
    assert np.abs(places[-1] - places[0]).max() < 1e-4
    turned = 2.0 * np.arccos(np.abs(dot(turns[-1], turns[0])).clip(0.0, 1.0))
    assert np.degrees(turned).max() < 0.1
    after = (-3.0 * places[0] + 4.0 * places[1] - places[2]) / (2.0 * step)
    before = (3.0 * places[-1] - 4.0 * places[-2] + places[-3]) / (2.0 * step)
    every = matrices(model, clip, frames(clip, 60.0))[..., :3, 3]
    fastest = np.linalg.norm(np.diff(every, axis=0), axis=-1).max() * 60.0
    assert np.linalg.norm(after - before, axis=-1).max() < 0.05 * fastest + 1e-3


def test_declared_loops():
    text, _ = split_glb(asset_path("mannequin.glb").read_bytes())
    for animation in json.loads(text)["animations"]:
        if (name := animation["name"]) in ALL:
            facts = animation["extras"]["rigview"]
            assert facts == {"loop": name not in MOVES, "speed": [0.0, 0.0], "turn": 0.0}


# --- the floor ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_nothing_passes_through_the_floor(model, clips, body, prop, name):
    clip = clips[name]
    found = matrices(model, clip, np.linspace(0.0, clip.end, 25))
    palette = model.skins[0].palette
    for matrix in found:
        low = skin_points(body.positions, body.joints, body.weights, palette(matrix))[:, 1].min()
        assert low > -0.003
        assert low < 0.02 or name in ("Jump", "Fall")
    held = joint(model, found, "Prop")
    assert (prop @ held[:, 1, :3].T + held[:, 1, 3]).min() > -0.003


@pytest.mark.parametrize("name", [name for name in ALL if name != "Fall"])
def test_planted_feet_do_not_slide(model, clips, name):
    clip = clips[name]
    found = matrices(model, clip, frames(clip, 120.0))
    for side in ("Left", "Right"):
        ball = places(model, found, f"{side}ToeBase")
        down = np.maximum(ball[1:, 1], ball[:-1, 1]) < 0.0305  # the sole is flat, or on its ball
        ends = np.flatnonzero(np.diff(np.concatenate(([0], down.astype(int), [0]))))
        for first, last in ends.reshape(-1, 2):
            assert np.ptp(ball[first : last + 1, [0, 2]], axis=0).max() < 0.005


@pytest.mark.parametrize("name", ["Idle", *ALL])
def test_prop_and_free_hand_do_not_intersect_the_body(model, clips, body, prop, name):
    """The nearest point of the body faces them."""
    own = np.array(model.skeleton.names)[model.skins[0].joints][
        body.joints[np.arange(len(body.joints)), body.weights.argmax(axis=1)]
    ]
    arms = np.array([any(part in joint for part in ("Arm", "Hand", "Should")) for joint in own])
    right = arms & np.char.startswith(own, "Right")
    clip = clips[name]
    for matrix in matrices(model, clip, np.linspace(0.0, clip.end, 13)):
        palette = model.skins[0].palette(matrix)
        skin = skin_points(body.positions, body.joints, body.weights, palette)
        out = skin_normals(body.normals, body.joints, body.weights, palette)
        held = joint(model, matrix, "Prop")
        blade = prop[::7] @ held[:3, :3].T + held[:3, 3]
        hand = np.stack([places(model, matrix, f"Left{own}") for own in ("Hand", "HandMiddle3")])
        for points, others in ((blade, ~right), (hand, ~arms)):
            columns = zip(points.T, skin[others].T, strict=True)  # faster than rows of three
            nearest = sum((a[:, None] - b) ** 2 for a, b in columns).argmin(axis=1)
            from_it = points - skin[others][nearest]
            height = (from_it * out[others][nearest]).sum(axis=1)
            assert height[np.linalg.norm(from_it, axis=1) < 0.1].min(initial=1.0) > 0.0


def test_hands_support_lying_down(model, clips):
    clip = clips["CrouchToProne"]
    found = matrices(model, clip, np.linspace(0.6, clip.end, 40))
    for side in ("Left", "Right"):
        wrist = places(model, found, f"{side}Hand")
        assert np.ptp(wrist, axis=0).max() < 0.004, "a hand stays where it was put"
        assert wrist[:, 1].max() < 0.1
        knee = places(model, found, f"{side}Leg")[:, 1]
        assert 0.045 < knee.min() < 0.09, "a knee rests on the floor"


# --- what moves how -----------------------------------------------------------------------------


def test_jump_follows_a_ballistic_arc(model, clips):
    clip = clips["Jump"]
    times = frames(clip, 60.0)
    found = matrices(model, clip, times)
    high = places(model, found, "Hips")[:, 1]
    toes = np.minimum(
        places(model, found, "LeftToeBase")[:, 1], places(model, found, "RightToeBase")[:, 1]
    )
    aloft = np.flatnonzero(toes > 0.032)
    assert (np.diff(aloft) == 1).all(), "one flight"
    flight = times[aloft[-1]] - times[aloft[0]]
    assert flight == pytest.approx(0.5, abs=0.05)
    inner = aloft[2:-2]
    curve = np.polyfit(times[inner], high[inner], 2)
    np.testing.assert_allclose(np.polyval(curve, times[inner]), high[inner], atol=1e-3)
    assert -2.0 * curve[0] == pytest.approx(GRAVITY, abs=0.15)
    before, after = high[: aloft[0]].min(), high[aloft[-1] :].min()
    assert before < 0.75, "it gathers itself first"
    assert after < 0.8, "it gives way as it lands"


def test_transitions_down_lower_the_hips(model, clips):
    high = {name: places(model, matrices(model, clips[name], [0.0])[0], "Hips")[1] for name in CORE}
    assert high["Stand"] > 0.9 > 0.65 > high["Crouch"] > 0.45 > 0.2 > high["Prone"]


@pytest.mark.parametrize("name", AIMS)
def test_aim_directions(model, clips, name):
    up, left = AIMS[name]
    found, centre = (matrices(model, clips[clip], [0.0])[0] for clip in (name, "AimCentre"))
    turn = joint(model, found, "Prop")[:3, :3] @ joint(model, centre, "Prop")[:3, :3].T
    head = joint(model, found, "Head")[:3, :3]
    for ahead in (turn @ (0.0, 0.0, 1.0), head @ (0.0, 0.0, 1.0)):
        assert np.degrees(np.arcsin(ahead[1])) == pytest.approx(up, abs=8.0)
        assert np.degrees(np.arctan2(ahead[0], ahead[2])) == pytest.approx(left, abs=8.0)
    wrist, shoulder = (places(model, found, f"Right{own}") for own in ("Hand", "Arm"))
    assert np.linalg.norm(wrist - shoulder) > 0.33, "the arm is held out"


@pytest.mark.parametrize("name", ["Stand", "Crouch", *AIMS, *LOOKS])
def test_still_clips_shift_the_weight_and_blink(model, clips, name):
    found = matrices(model, clips[name], frames(clips[name]))
    assert np.ptp(places(model, found, "Hips")[:, 0]) > 0.02
    lids = weights(model, clips[name], frames(clips[name], 120.0))
    assert lids["blinkLeft"].max() > 0.99
    assert lids["blinkRight"].max() > 0.99


@pytest.mark.parametrize("name", AIMS)
def test_aims_differ_only_above_the_hips(model, clips, name):
    found, centre = (matrices(model, clips[clip], [0.0])[0] for clip in (name, "AimCentre"))
    for own in LOWER:
        np.testing.assert_allclose(joint(model, found, own), joint(model, centre, own), atol=1e-5)


def test_breathe_moves_only_the_upper_body(model, clips):
    stand = matrices(model, clips["Stand"], [0.0])[0]
    found = matrices(model, clips["Breathe"], frames(clips["Breathe"], 5.0))
    np.testing.assert_allclose(found[0], stand, atol=1e-4)
    for own in LOWER:
        spread = np.ptp(joint(model, found, own), axis=0).max()
        assert spread < 1e-5
    assert 0.002 < np.ptp(places(model, found, "LeftArm")[:, 1]) < 0.03


def test_wave_uses_the_empty_hand(model, clips):
    clip = clips["Wave"]
    found = matrices(model, clip, frames(clip))
    wrist, head = places(model, found, "LeftHand"), places(model, found, "Head")
    up = wrist[:, 1] > head[:, 1] - 0.02
    assert up.mean() > 0.25
    aside = np.diff(wrist[up, 0])
    assert (np.diff(np.sign(aside)) != 0).sum() >= 4, "to and fro"
    assert np.abs(wrist[up, 0] - head[up, 0]).min() > 0.15, "clear of the face"


@pytest.mark.parametrize("name", ALL)
def test_elbows_and_knees_bend_the_right_way(model, clips, name):
    clip = clips[name]
    found = matrices(model, clip, frames(clip))
    for side in ("Left", "Right"):
        for upper, lower in (("Arm", "ForeArm"), ("UpLeg", "Leg")):
            above, below = (joint(model, found, side + own)[:, :3, :3] for own in (upper, lower))
            turn = np.swapaxes(above, -1, -2) @ below
            rest = model.skeleton.to_model(model.skeleton.rest)
            one, two = (joint(model, rest, side + own)[:3, :3] for own in (upper, lower))
            bent = quat.from_matrix(turn @ (one.T @ two).T)
            bent *= np.sign(bent[:, 3:])
            degrees = np.degrees(2.0 * np.arcsin(bent[:, 0]))  # about the hinge
            assert degrees.min() > -5.0
            assert degrees.max() < 155.0


# --- the face, and how it is kept -----------------------------------------------------------------


def weights(model, clip, times):
    """By morph target, [T]."""
    pose = Pose.like(model.skeleton.rest, np.shape(times))
    pose.assign(model.skeleton.rest)
    clip.sample(np.asarray(times, np.float64), pose)
    return dict(zip(MORPHS, pose.values.T, strict=True))


@pytest.mark.parametrize("name", ALL)
def test_morph_weights_are_within_bounds(model, clips, name):
    for curve in weights(model, clips[name], frames(clips[name], 120.0)).values():
        assert curve.min() >= -1e-3
        assert curve.max() <= 1.0 + 1e-3


@pytest.mark.parametrize(
    ("name", "moved"),
    [
        ("FaceSmile", {"smile"}),
        ("FaceFrown", {"frown"}),
        ("Blink", {"blinkLeft", "blinkRight"}),
        ("Talk", {"jawOpen", "smile", "blinkLeft", "blinkRight"}),
        ("Wave", {"smile"}),
        ("Fall", {"jawOpen", "frown"}),
        ("Fidget", {"blinkLeft", "blinkRight", "frown", "smile"}),
        ("Nod", {"blinkLeft", "blinkRight", "smile"}),
    ],
)
def test_face_moves_with_the_body(model, clips, name, moved):
    found = weights(model, clips[name], frames(clips[name], 120.0))
    assert {morph for morph, curve in found.items() if curve.max() > 0.15} == moved
    if name != "Fall":
        assert all(abs(curve[[0, -1]]).max() < 1e-3 for curve in found.values())


def test_each_interpolation_is_used(clips):
    used = {(track.interpolation, name) for name in ALL for track in clips[name].tracks}
    assert {kind for kind, _ in used} == {"STEP", "LINEAR", "CUBICSPLINE"}
    assert {"Fidget", "Talk"} <= {name for kind, name in used if kind == "STEP"}
    assert {"Wave", "Nod", "Stand"} <= {name for kind, name in used if kind == "CUBICSPLINE"}


def test_eyes_dart(model, clips):
    clip = clips["Fidget"]
    eye = model.skeleton.find("LeftEye")
    (track,) = (track for track in clip.tracks if track.target == eye and track.path == "rotation")
    assert 8 <= len(track.times) <= 14, "a key a saccade"
