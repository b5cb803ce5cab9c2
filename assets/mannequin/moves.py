"""The core poses Stand, Crouch and Prone, the transitions between them, Jump and Fall.

A transition begins and ends exactly in core poses, with zero velocity, so that clips can be chained
without a cross-fade. The clips of core poses breathe softly, and begin in the core pose.
"""

import numpy as np

from .bones import F64, NAMES
from .idle import blinking, with_lids
from .poses import NEUTRAL, Pose, Score, Tracks, frames, perform, pose
from .puppet import Motion, is_finger

GRAVITY = 9.81  # m/s²
RATE = 60.0  # keys a second of what is quick, or plants a hand or a foot
TURN = 2.0 * np.pi
SMOOTH = {"rotation": "CUBICSPLINE", "translation": "CUBICSPLINE", "weights": "CUBICSPLINE"}
LIVING = SMOOTH | {"weights": "LINEAR"}

STAND = pose(
    NEUTRAL,
    hips=(0.0, 0.943, 0.004),
    spine=2.4,
    head=0.4,
    l_ball=(0.12, 0.03, 0.125),
    r_ball=(-0.12, 0.03, 0.085),
    l_sole=(0.0, 9.0, 0.0),
    r_sole=(0.0, -9.0, 0.0),
    l_knee=(0.156, 0.0, 0.988),
    r_knee=(-0.156, 0.0, 0.988),
    l_shoulder=(-1.5, -1.5, 0.0),
    r_shoulder=(-1.5, -1.5, 0.0),
    l_arm=(1.0, 9.0, -12.0),
    l_elbow=15.0,
    l_wrist=(6.0, 0.0, 12.0),
    r_arm=(-2.0, 12.0, -12.0),
    r_elbow=24.0,
    r_wrist=(-6.0, 0.0, 12.0),
    r_curl=(1.0, 1.0, 0.0),
)
CROUCH = pose(
    STAND,
    hips=(0.0, 0.56, -0.05),
    turn=(24.0, -8.0, 0.0),
    spine=(20.0, 4.0, 0.0),
    head=(4.0, 0.0, 0.0),
    l_ball=(0.13, 0.03, 0.26),
    l_sole=(0.0, 8.0, 0.0),
    l_knee=(0.25, 0.1, 1.0),
    r_ball=(-0.13, 0.03, -0.11),
    r_sole=(44.0, -10.0, 0.0),
    r_knee=(-0.35, -0.1, 1.0),
    l_arm=(42.0, 14.0, -18.0),
    l_elbow=52.0,
    l_wrist=(8.0, 0.0, 30.0),
    r_arm=(6.0, 26.0, -8.0),
    r_elbow=62.0,
    r_wrist=(-4.0, -18.0, 10.0),
    l_shoulder=(0.0, 6.0, 0.0),
    r_shoulder=(0.0, 2.0, 0.0),
    l_curl=(0.4, 0.25, 0.0),
)
PRONE = pose(
    STAND,
    hips=(0.0, 0.097, 0.012),
    turn=(84.0, 0.0, 0.0),
    spine=(-33.0, 0.0, 0.0),
    head=(2.0, 0.0, 0.0),
    l_ball=(0.17, 0.031, -0.965),
    r_ball=(-0.17, 0.031, -0.965),
    l_sole=(150.0, -12.0, 0.0),
    r_sole=(150.0, 12.0, 0.0),
    l_toes=160.0,
    r_toes=160.0,
    l_knee=(0.25, -1.0, 0.0),
    r_knee=(-0.25, -1.0, 0.0),
    l_shoulder=(0.0, 0.0, 0.0),
    r_shoulder=(0.0, 0.0, 0.0),
    l_hold=1.0,
    l_hand=(0.2, 0.034, 0.59),
    l_point=(-0.35, 0.0, 1.0),
    l_palm=(0.0, -1.0, 0.0),
    l_bend=(0.3, -1.0, -0.4),
    l_curl=(0.1, 0.1, 0.5),
    r_hold=1.0,
    r_hand=(-0.2, 0.066, 0.62),
    r_point=(-0.08, 0.0, 1.0),
    r_palm=(0.0, -1.0, 0.0),
    r_bend=(-0.3, -1.0, -0.4),
    prop=(50.0, 0.0, 0.0),
)


# --- the core poses, breathing ------------------------------------------------------------------


def still(start: Pose, seconds: float, rate: float = 30.0) -> tuple[F64, Tracks]:
    """Return times and tracks of a constant pose."""
    times = frames(seconds, rate)
    return times, Score(start).tracks(times)


def breathe(tracks: Tracks, breath: F64, chest: float = 1.0) -> None:
    """Add a breath to poses by `breath` [K]: 0 is exhaled, 1 is inhaled."""
    tracks["spine"][:, 0] -= 2.6 * chest * breath
    tracks["head"][:, 0] -= 0.5 * chest * breath
    for side in ("l", "r"):
        tracks[f"{side}_shoulder"][:, 0] += 2.4 * chest * breath
        tracks[f"{side}_shoulder"][:, 1] -= 1.2 * chest * breath
        tracks[f"{side}_arm"][:, 1] += 1.6 * chest * breath


def blink(tracks: Tracks, times: F64, *starts: float) -> None:
    """Shut both lids of poses at some times, for a quarter of a second each."""
    for lid in ("blinkLeft", "blinkRight"):
        tracks[lid] = np.outer(blinking(times, starts), (1.0, 0.0, 0.0))


def living(start: Pose, blinks: tuple[float, ...]) -> tuple[F64, F64, Tracks]:
    """Return times, phases, and tracks of a pose for a loop of four seconds, in which it blinks."""
    times = with_lids(frames(4.0, 3.0), blinks)
    tracks = Score(start).tracks(times)
    blink(tracks, times, *blinks)
    return times, times / times[-1], tracks


def swaying(u: F64, late: float = 0.0) -> F64:
    """Return on which side the weight is [K], -1 … 1, over a loop that rests at its seam."""
    u = u - late
    sway: F64 = 1.54 * np.sin(TURN * u) * np.sin(np.pi * u) ** 2
    return sway - sway[0]


def shift(tracks: Tracks, u: F64, far: float, lean: float, look: float) -> None:
    """Move the weight of standing poses `far` metres to the left foot and to the right one.

    The hips tilt by 0.6 of `lean` degrees, the trunk leans against them, the head turns `look`
    degrees that way later, and the arms come last.
    """
    sway, chest, head, arms = (swaying(u, late) for late in (0.0, 0.025, 0.05, 0.075))
    tracks["hips"][:, 0] += far * sway
    tracks["hips"][:, 1] -= 0.2 * far * sway**2
    tracks["turn"] += np.outer(sway, (0.0, 0.4 * lean, 0.6 * lean))
    tracks["spine"] += np.outer(chest, (0.0, 0.4 * lean, -lean))
    tracks["head"] += np.outer(head, (0.0, look, -0.4 * lean))
    for side, sign in (("l", 1.0), ("r", -1.0)):
        tracks[f"{side}_arm"] += np.outer(arms - sway, (0.3, -sign * 1.2, 0.0)) * lean


def core(name: str, start: Pose, lift: float, chest: float, blinks: tuple[float, ...]) -> Motion:
    """Return a core pose as a loop of one breath and one shift of the weight to either side.

    The hips rise by `lift` metres with the breath. Lying down, the weight goes from elbow to elbow.
    """
    times, u, tracks = living(start, blinks)
    breath = 0.5 - 0.5 * np.cos(TURN * u - 0.5 * np.sin(TURN * u))  # in sooner than out
    tracks["hips"][:, 1] += lift * breath
    breathe(tracks, breath, chest)
    if start is PRONE:
        tracks["spine"] += np.outer(swaying(u), (0.0, 1.6, 2.4))
        tracks["head"] += np.outer(swaying(u, 0.04), (-1.0, 8.0, 2.0))
    else:
        shift(tracks, u, 0.014, 2.4, 4.8)
    return perform(name, tracks, times, loop=True, interpolation=LIVING)


# --- from one core pose to another --------------------------------------------------------------


def _sink(score: Score) -> Score:
    """Add a step back with the right foot and forward with the left, lowering, in 0.68 s."""
    score.at(0.16, hips=(0.022, 0.925, 0.006), r_ball=(-0.12, 0.03, 0.085), head=(3.0, 0.0, 0.0))
    score.at(0.16, turn=(4.0, -1.0, -1.5)).at(0.18, r_sole=(20.0, -9.0, 0.0), r_toes=0.0)
    score.at(0.3, r_ball=(-0.126, 0.075, -0.02), r_sole=(40.0, -10.0, 0.0), r_toes=18.0)
    score.at(0.42, r_ball=(-0.13, 0.03, -0.11), r_sole=(36.0, -10.0, 0.0), r_toes=0.0)
    score.at(0.42, hips=(-0.02, 0.80, -0.055), turn=(15.0, -6.0, 1.0), l_sole=(0.0, 9.0, 0.0))
    score.still(0.42, "l_ball").at(0.42, head=(10.0, 0.0, 0.0), spine=(14.0, 2.0, 0.0))
    score.at(0.5, l_arm=(36.0, 26.0, -14.0), r_arm=(-2.0, 32.0, 4.0), l_elbow=40.0, r_elbow=46.0)
    score.at(0.55, l_ball=(0.126, 0.075, 0.20), l_sole=(-6.0, 8.0, 0.0), l_toes=-6.0)
    return score.at(0.68, l_ball=(0.13, 0.03, 0.26), l_sole=(0.0, 8.0, 0.0), l_toes=0.0)


def stand_to_crouch() -> Motion:
    """Lower between the feet with a small overshoot."""
    score = _sink(Score(STAND))
    score.at(0.86, hips=(0.004, 0.545, -0.045), turn=(26.5, -8.5, 0.0), spine=(22.0, 4.5, 0.0))
    score.at(0.98, l_arm=(50.0, 18.0, -18.0), r_arm=(8.0, 27.0, -8.0), head=(6.5, 0.0, 0.0))
    score.at(1.0, l_elbow=56.0, r_elbow=66.0).still(1.0, "l_ball", "r_ball")
    return _play("StandToCrouch", score.close(1.2, CROUCH))


def crouch_to_stand() -> Motion:
    """Push up from both feet, then draw in the left foot and the right one."""
    score = Score(CROUCH)
    score.at(0.14, hips=(0.0, 0.535, -0.035), turn=(29.0, -8.0, 0.0), spine=(23.0, 4.0, 0.0))
    score.at(0.2, l_arm=(56.0, 24.0, -14.0), r_arm=(14.0, 32.0, 4.0), l_elbow=58.0, r_elbow=60.0)
    score.at(0.34, head=(8.0, 0.0, 0.0), r_sole=(40.0, -10.0, 0.0), r_toes=0.0)
    score.still(0.34, "l_ball", "l_sole").at(
        0.34, hips=(-0.03, 0.72, -0.05), turn=(20.0, -6.0, 0.0)
    )
    score.at(0.46, l_ball=(0.124, 0.07, 0.19), l_sole=(10.0, 9.0, 0.0))
    score.at(0.58, l_ball=(0.12, 0.03, 0.125), l_sole=(0.0, 9.0, 0.0))
    score.at(0.58, hips=(0.012, 0.865, -0.008), r_sole=(46.0, -10.0, 0.0)).still(0.58, "r_ball")
    score.at(0.7, r_ball=(-0.125, 0.075, 0.0), r_sole=(34.0, -9.0, 0.0), r_toes=4.0)
    score.at(0.84, r_ball=(-0.12, 0.03, 0.085), r_sole=(0.0, -9.0, 0.0), r_toes=0.0)
    score.at(0.84, hips=(0.016, 0.94, 0.006), turn=(1.5, 0.0, 0.0), spine=(1.0, 0.0, 0.0))
    score.at(0.62, l_arm=(14.0, 16.0, -12.0), r_arm=(-8.0, 18.0, -12.0), l_elbow=24.0, r_elbow=34.0)
    score.at(0.95, l_arm=(-1.0, 10.0, -12.0), r_arm=(-4.0, 13.0, -12.0), head=(-1.5, 0.0, 0.0))
    score.at(0.98, hips=(0.003, 0.946, 0.006)).still(1.0, "l_ball", "r_ball", "l_sole", "r_sole")
    return _play("CrouchToStand", score.close(1.2, STAND))


ON_HANDS: Pose = {
    "l_point": (-0.2, -0.01, 1.0),
    "l_bend": (0.8, -0.1, -0.7),
    "r_bend": (-0.8, -0.1, -0.7),
}


def _lie_down(score: Score, t: float, end: float) -> Score:
    """Continue from crouching at time t, with the hands moving down, to prone at another time."""
    hands = {name: PRONE[name] for name in ("l_hand", "l_palm", "r_hand", "r_point", "r_palm")}
    for name, value in (ON_HANDS | hands).items():
        score.at(t, **{name: value})
    score.still(
        t, "prop", "l_hold", "r_hold", "l_ball", "r_ball", "l_sole", "r_sole", "r_toes", "l_toes"
    )
    score.at(t + 0.28, hips=(0.0, 0.475, 0.035), turn=(66.0, -3.0, 0.0), spine=(18.0, 2.0, 0.0))
    score.at(t + 0.25, l_arm=(98.0, 12.0, -10.0), r_arm=(102.0, 16.0, -10.0))
    score.at(t + 0.25, l_elbow=38.0, r_elbow=42.0, head=(24.0, 0.0, 0.0))
    score.at(t + 0.45, l_hold=1.0, r_hold=1.0, l_curl=(0.05, 0.1, 0.9), l_wrist=(-20.0, 0.0, 60.0))
    score.at(t + 0.5, hips=(0.0, 0.45, 0.05), turn=(76.0, 0.0, 0.0), spine=(14.0, 0.0, 0.0))
    score.at(t + 0.4, prop=PRONE["prop"])
    score.still(t + 0.55, "r_ball").at(t + 0.55, r_sole=(62.0, -6.0, 0.0), r_toes=0.0)
    score.at(t + 0.76, r_ball=(-0.16, 0.14, -0.52), r_sole=(95.0, 4.0, 0.0), r_toes=60.0)
    score.at(t + 1.0, r_ball=(-0.17, 0.098, -0.965), r_sole=(118.0, 12.0, 0.0), r_toes=90.0)
    score.at(t + 0.76, r_knee=(-0.3, -1.0, 0.6)).at(t + 1.0, r_knee=PRONE["r_knee"])
    score.still(t + 0.94, "l_ball").at(t + 0.94, l_sole=(40.0, 6.0, 0.0), l_toes=0.0)
    score.at(t + 0.95, hips=(-0.02, 0.42, -0.085), turn=(88.0, 0.0, -3.0), head=(22.0, 0.0, 0.0))
    score.at(t + 0.95, l_knee=(0.3, 0.0, 1.0), spine=(2.0, 0.0, 0.0))
    score.at(t + 1.12, l_ball=(0.24, 0.075, -0.15), l_sole=(62.0, 10.0, 0.0), l_toes=24.0)
    score.at(t + 1.12, l_knee=(0.9, -0.2, 0.8), hips=(-0.02, 0.41, -0.09))
    score.at(t + 1.34, l_ball=(0.21, 0.11, -0.6), l_sole=(100.0, -4.0, 0.0), l_toes=70.0)
    score.at(t + 1.34, l_knee=(0.4, -1.0, 0.4))
    score.at(t + 1.58, l_ball=(0.17, 0.1, -0.965), l_sole=(118.0, -12.0, 0.0), l_toes=90.0)
    score.at(t + 1.58, l_knee=PRONE["l_knee"], hips=(0.0, 0.25, -0.06), turn=(81.0, 0.0, 0.0))
    score.at(t + 1.58, spine=(-20.0, 0.0, 0.0), head=(14.0, 0.0, 0.0))
    score.at(t + 1.58, l_bend=(0.8, -0.5, -0.9), r_bend=(-0.8, -0.5, -0.9))
    score.still(t + 1.58, "l_point")
    return score.close(end, PRONE)


def crouch_to_prone() -> Motion:
    """Put both hands down, extend one leg after the other, and lower onto the forearms."""
    return _play("CrouchToProne", _lie_down(Score(CROUCH), 0.15, 2.3))


# Getting up: "back" is how many seconds before the end of lying down it is, the rest is added.
EFFORT = dict.fromkeys(
    ("back", "hips", "turn", "spine", "head", "l_shoulder", "r_shoulder"), (0.0, 0.0, 0.0)
)


def _push_up() -> Score:
    """Begin to get up: gather, push, hang, draw in both legs, and pause on hands and feet."""
    score = Score(EFFORT)
    for time, back in ((0.25, 0.05), (0.72, 0.56), (0.97, 0.63), (1.36, 1.12), (1.78, 1.6)):
        score.at(time, back=back)
    score.at(2.06, back=1.66)
    for shoulder in ("l_shoulder", "r_shoulder"):
        score.at(0.24, **{shoulder: 6.0}).at(0.6, **{shoulder: 8.0}).at(0.95, **{shoulder: 3.0})
        score.at(1.4, **{shoulder: 0.0})
    score.at(0.24, head=(9.0, 0.0, 2.0)).at(0.6, head=(2.0, 0.0, 3.0), spine=(-4.0, 0.0, 0.0))
    score.at(0.62, hips=(0.0, -0.03, 0.0)).at(0.97, head=(15.0, 0.0, 0.0), spine=(5.0, 0.0, 0.0))
    score.at(0.97, hips=(-0.012, -0.01, -0.01)).at(1.3, hips=(-0.014, 0.0, 0.0))
    score.at(1.3, turn=(0.0, 0.0, -3.0)).at(1.62, turn=(0.0, 0.0, 3.0), hips=(0.016, 0.0, 0.0))
    score.at(1.7, head=(2.0, 0.0, 0.0), spine=(0.0, 0.0, 0.0))
    return score.at(2.08, hips=(0.0, -0.022, -0.02), head=(-12.0, 0.0, 0.0), spine=(5.0, 0.0, 0.0))


def prone_to_crouch() -> Motion:
    """Push up, draw in one leg after the other, pause, and lift the hands."""
    effort = _push_up().at(2.42, back=2.04, spine=(-5.0, 0.0, 0.0), head=(-6.0, 0.0, 0.0))
    effort.at(2.46, hips=(0.0, 0.014, 0.0)).close(2.75).keys["back"][-1] = (2.75, (2.3, 0.0, 0.0))
    return _get_up("ProneToCrouch", _lie_down(Score(CROUCH), 0.15, 2.3), effort)


def stand_to_prone() -> Motion:
    """Drop to the hands in one movement, and lie down."""
    return _play("StandToProne", _lie_down(_sink(Score(STAND)), 0.72, 2.92))


def prone_to_stand() -> Motion:
    """Push up, draw in one leg after the other, pause, and rise with the trunk ahead."""
    effort = _push_up().at(2.42, back=2.06, spine=(9.0, 0.0, 0.0), head=(-9.0, 0.0, 0.0))
    effort.at(2.75, back=2.36, hips=(0.0, 0.0, 0.016)).at(3.05, back=2.68)
    effort.at(3.0, spine=(4.0, 0.0, 0.0), head=(-5.0, 0.0, 0.0))
    effort.at(3.25, spine=(-3.0, 0.0, 0.0), head=(1.5, 0.0, 0.0))
    effort.close(3.5).keys["back"][-1] = (3.5, (2.92, 0.0, 0.0))
    return _get_up("ProneToStand", _lie_down(_sink(Score(STAND)), 0.72, 2.92), effort)


def _get_up(name: str, down: Score, effort: Score) -> Motion:
    """Return lying down reversed, in the time and with the additions of an effort."""
    times = frames(effort.keys["back"][-1][0], RATE)
    felt = effort.tracks(times)
    tracks = down.tracks(down.keys["hips"][-1][0] - felt.pop("back")[:, 0])
    for part, more in felt.items():
        tracks[part] += more
    return perform(name, tracks, times)


def _play(name: str, score: Score) -> Motion:
    """Return a score as a clip that plays once."""
    times = frames(score.keys["hips"][-1][0], RATE)
    return perform(name, score.tracks(times), times)


# --- off the ground -----------------------------------------------------------------------------

TAKE_OFF, AIRBORNE = 0.66, 0.5  # seconds: when the feet leave the ground, and for how long
LEAVING = GRAVITY * AIRBORNE / 2.0  # m/s upwards
HIGH = 0.995  # metres: the hips at take-off and at landing


def jump() -> Motion:
    """Crouch and swing the arms back, leap, land softly and straighten up."""
    t, land = TAKE_OFF, TAKE_OFF + AIRBORNE
    score = Score(STAND)
    score.at(0.36, hips=(0.0, 0.67, -0.09), turn=(38.0, 0.0, 0.0), spine=(16.0, 0.0, 0.0))
    score.at(0.34, head=(10.0, 0.0, 0.0)).at(0.4, l_elbow=14.0, r_elbow=20.0)
    score.at(0.36, l_arm=(-34.0, 16.0, -8.0), r_arm=(-28.0, 34.0, 34.0))
    score.still(0.44, "l_sole", "r_sole").at(t, l_toes=0.0, r_toes=0.0, head=(-12.0, 0.0, 0.0))
    score.at(t, hips=(0.0, HIGH, 0.03), turn=(2.0, 0.0, 0.0), spine=(-8.0, 0.0, 0.0))
    score.at(t, l_sole=(54.0, 9.0, 0.0), r_sole=(54.0, -9.0, 0.0)).still(t, "l_ball", "r_ball")
    score.at(t + 0.06, l_arm=(112.0, 18.0, -8.0), r_arm=(92.0, 26.0, -8.0))
    score.at(t + 0.08, l_elbow=26.0, r_elbow=44.0)
    score.at(0.38, l_curl=(0.9, 0.9, 0.0)).at(t + 0.14, l_curl=(0.04, 0.05, 0.9))
    _fly(score, t, land)
    _land(score, land)
    score.speed(t, hips=(0.0, LEAVING, 0.0)).speed(land, hips=(0.0, -LEAVING, 0.0))
    score.close(land + 0.95)
    times = frames(land + 0.95, RATE)
    tracks = score.tracks(times)
    aloft = (times - t).clip(0.0, AIRBORNE)
    for side in ("l", "r"):  # the feet were given as if the body did not rise
        tracks[f"{side}_ball"][:, 1] += LEAVING * aloft - GRAVITY / 2.0 * aloft**2
    return perform("Jump", tracks, times)


def _fly(score: Score, t: float, land: float) -> None:
    """Let the legs trail, bend a little and reach for the ground."""
    top = (t + land) / 2.0
    score.at(t + 0.1, l_ball=(0.12, 0.03, 0.05), r_ball=(-0.12, 0.03, 0.02))
    score.at(t + 0.1, l_sole=(62.0, 6.0, 0.0), r_sole=(62.0, -6.0, 0.0), l_toes=36.0, r_toes=36.0)
    score.at(top, l_ball=(0.125, 0.2, 0.02), r_ball=(-0.125, 0.19, -0.03))
    score.at(top, l_sole=(52.0, 8.0, 0.0), r_sole=(56.0, -8.0, 0.0), l_toes=40.0, r_toes=44.0)
    score.at(top, turn=(12.0, 0.0, 0.0), spine=(6.0, 0.0, 0.0), head=(4.0, 0.0, 0.0))
    score.at(top + 0.02, l_arm=(104.0, 40.0, -6.0), r_arm=(84.0, 44.0, -6.0))
    score.at(land, l_ball=STAND["l_ball"], r_ball=STAND["r_ball"], l_toes=0.0, r_toes=0.0)
    score.at(land, l_sole=(44.0, 9.0, 0.0), r_sole=(46.0, -9.0, 0.0), head=(14.0, 0.0, 0.0))
    score.at(land, hips=(0.0, HIGH, 0.05), turn=(10.0, 0.0, 0.0), spine=(4.0, 0.0, 0.0))


def _land(score: Score, land: float) -> None:
    """Absorb the landing on the balls of the feet, lower the heels, and straighten up."""
    score.at(land + 0.1, l_sole=(0.0, 9.0, 0.0), r_sole=(0.0, -9.0, 0.0))
    score.at(land + 0.22, hips=(0.0, 0.7, -0.05), turn=(34.0, 0.0, 0.0), spine=(18.0, 0.0, 0.0))
    score.at(land + 0.26, head=(20.0, 0.0, 0.0), l_elbow=34.0, r_elbow=44.0)
    score.at(land + 0.26, l_arm=(22.0, 40.0, -10.0), r_arm=(10.0, 42.0, -10.0))
    score.at(land, l_curl=(0.06, 0.1, 0.9)).at(land + 0.34, l_curl=(0.5, 0.25, 0.0))
    score.still(land + 0.4, "l_ball", "r_ball", "l_sole", "r_sole")
    score.at(land + 0.58, hips=(0.0, 0.93, 0.0), turn=(1.0, 0.0, 0.0), spine=(1.0, 0.0, 0.0))
    score.at(land + 0.62, l_arm=(-8.0, 12.0, -12.0), r_arm=(-10.0, 15.0, -12.0))
    score.at(land + 0.62, head=(-2.0, 0.0, 0.0), l_elbow=10.0, r_elbow=20.0)
    score.at(land + 0.76, hips=(0.0, 0.9445, 0.006))


def fall() -> Motion:
    """Fall in place: the arms wave, the legs tread, the mouth is open."""
    times, tracks = still(STAND, 1.6, 12.5)
    u = TURN * times / times[-1]
    zero = 0.0 * u

    def set_to(name: str, *values: F64 | float) -> None:
        tracks[name] = np.stack([zero + value for value in values], axis=1)

    set_to("hips", 0.02 * np.sin(u), 1.08 + 0.02 * np.sin(2.0 * u), -0.05)
    set_to("turn", 14.0 + 3.0 * np.sin(2.0 * u + 0.6), 5.0 * np.sin(u), 4.0 * np.cos(u))
    set_to("spine", -16.0 + 4.0 * np.sin(2.0 * u), -9.0 * np.sin(u - 0.4), -5.0 * np.cos(u - 0.4))
    set_to("head", 14.0 - 4.0 * np.sin(2.0 * u - 0.5), 5.0 * np.sin(u - 0.8), 0.0)
    set_to("eyes", 12.0, 0.0, 0.0)
    for side, sign, phase in (("l", 1.0, u), ("r", -1.0, u + np.pi)):
        swing = np.sin(phase)
        set_to(f"{side}_shoulder", 4.0 * np.cos(phase), 3.0 * swing, 0.0)
        set_to(f"{side}_arm", 22.0 * swing, 88.0 + 20.0 * np.cos(phase), 30.0 + 10.0 * swing)
        set_to(f"{side}_elbow", 38.0 + 14.0 * np.cos(phase - 0.8), 0.0, 0.0)
        set_to(f"{side}_wrist", -6.0 + 14.0 * np.sin(phase - 1.3), 0.0, 20.0)
        tread = np.sin(phase + 0.5)
        high = 0.34 + 0.06 * np.cos(phase + 0.5)
        set_to(f"{side}_ball", sign * 0.16, high, -0.08 + 0.22 * tread)
        set_to(f"{side}_sole", 38.0 - 16.0 * np.sin(phase), sign * 12.0, 0.0)
        set_to(f"{side}_toes", 46.0 - 14.0 * np.sin(phase - 0.5), 0.0, 0.0)
        set_to(f"{side}_knee", sign * 0.35, 0.0, 1.0)
    set_to("l_curl", 0.16 - 0.12 * np.cos(u), 0.05, 0.8)
    set_to("jawOpen", 0.72 + 0.12 * np.sin(2.0 * u), 0.0, 0.0)
    set_to("frown", 0.45, 0.0, 0.0)
    how = SMOOTH | dict.fromkeys(filter(is_finger, NAMES), "CUBICSPLINE")
    return perform("Fall", tracks, times, loop=True, interpolation=how)


def clips() -> list[Motion]:
    """Return the core poses, the transitions between them, Jump and Fall."""
    return [
        core("Stand", STAND, 0.001, 0.9, (1.1, 3.0)),
        core("Crouch", CROUCH, 0.002, 0.65, (0.9, 2.7)),
        core("Prone", PRONE, 0.0, 0.7, (1.4, 3.3)),
        stand_to_crouch(),
        crouch_to_stand(),
        crouch_to_prone(),
        prone_to_crouch(),
        stand_to_prone(),
        prone_to_stand(),
        jump(),
        fall(),
    ]
