"""The mannequin's gestures: Wave, Nod, Fidget, Breathe, the aim directions, and the face.

All of them begin and end in the core pose Stand, except the aims, which share its lower body and
differ only above the hips.
"""

import numpy as np

from .bones import F64
from .curves import ease
from .moves import LIVING, SMOOTH, STAND, TURN, blink, breathe, living, shift, still, swaying
from .poses import Pose, Score, Tracks, euler, frames, perform, pose
from .puppet import Motion

SACCADES = {"LeftEye": "STEP", "RightEye": "STEP"}


def _dart(times: F64, *looks: tuple[float, float, float]) -> F64:
    """Return gaze keys [K, 3]: time in seconds, degrees down and to the left."""
    eyes = np.zeros((len(times), 3))
    for since, down, left in looks:
        eyes[times >= since - 1e-9] = (down, left, 0.0)
    return eyes


# --- the whole body -----------------------------------------------------------------------------


def _trail(tracks: Tracks, times: F64, seconds: float = 0.03) -> None:
    """Let the free hand trail behind its forearm, by `seconds` of the elbow's speed."""
    speed = np.gradient(tracks["l_elbow"][:, 0], times)
    soft = np.convolve(np.pad(speed, 1, mode="edge"), (0.25, 0.5, 0.25), mode="valid")
    ends = np.clip(np.minimum(times, times[-1] - times) / 0.2, 0.0, 1.0)
    tracks["l_wrist"][:, 0] -= seconds * soft * ends


def wave() -> Motion:
    """Return a greeting with the empty left hand, and a smile.

    The weight goes onto the right foot first, chest and head lean away from the raised arm, the
    sword arm swings back, and the hand comes after the forearm.
    """
    score = Score(STAND)
    score.at(0.22, eyes=(-2.0, 6.0, 0.0)).at(0.25, head=(2.5, 0.0, -1.0))
    score.at(0.25, l_shoulder=(-5.0, 1.0, 0.0), l_arm=(10.0, 7.0, -16.0), l_elbow=27.0)
    score.at(0.25, hips=(0.012, 0.933, 0.008), turn=(1.5, -2.0, -1.6), spine=(6.0, -2.0, 2.5))
    score.at(0.3, r_arm=(4.0, 12.0, -12.0), r_elbow=30.0).at(0.5, eyes=(0.0, 0.0, 0.0))
    score.at(0.75, l_shoulder=(-1.0, -2.0, 0.0), l_arm=(14.0, 86.0, 62.0), l_elbow=106.0)
    score.at(0.75, hips=(-0.046, 0.937, 0.0), turn=(0.0, 4.0, 4.2), spine=(-1.0, 5.0, -10.0))
    score.at(0.72, r_arm=(-10.0, 15.0, -12.0), r_shoulder=(-4.0, -2.0, 0.0), r_elbow=20.0)
    score.at(0.3, l_curl=(0.45, 0.25, 0.0))
    score.at(0.85, head=(-3.0, 8.0, 9.0), smile=0.95, l_curl=(0.02, 0.02, 0.9))
    score.at(0.82, l_wrist=(-6.0, 10.0, 0.0))
    for beat, side in enumerate((1.0, -1.0, 1.0, -1.0, 1.0)):
        t = 0.97 + 0.22 * beat
        swing = 1.0 - 0.12 * beat
        score.at(t, l_elbow=86.0 - 25.0 * side * swing)
        score.at(t, l_arm=(14.0, 86.0 + 2.5 * side, 66.0 + 7.0 * side * swing))
        score.at(t + 0.1, l_wrist=(-4.0, -21.0 * side * swing, 4.0))  # it comes after the forearm
        score.at(t + 0.05, spine=(-1.0, 5.0 - 1.5 * side * swing, -10.0 + 1.2 * side * swing))
        score.at(t + 0.1, head=(-3.0, 8.0 + 1.5 * side, 9.0 - 2.2 * side * swing))
    score.still(1.9, "hips", "turn", "l_shoulder", "l_curl", "r_arm", "r_shoulder", "r_elbow")
    score.still(2.1, "smile")
    score.at(2.24, l_arm=(22.0, 34.0, 0.0), l_elbow=58.0, l_wrist=(16.0, 4.0, 10.0))
    score.at(2.28, hips=(0.014, 0.938, 0.006), turn=(0.6, -1.0, -1.2), spine=(4.0, -1.5, 2.0))
    score.at(2.3, l_curl=(0.32, 0.25, 0.1))
    score.at(2.36, r_arm=(1.0, 12.0, -12.0)).at(2.42, head=(1.5, -1.0, -1.5))
    score.at(2.58, l_arm=(-4.0, 11.5, -12.0), l_elbow=9.0, l_shoulder=(-2.5, -2.0, 0.0))
    score.at(2.64, hips=(-0.003, 0.9425, 0.004), turn=(0.0, 0.0, 0.3), spine=(2.0, 0.2, -0.3))
    score.close(3.0)
    times = frames(3.0, 15.0)
    tracks = score.tracks(times)
    _trail(tracks, times)
    return perform("Wave", tracks, times, interpolation=SMOOTH)


def nod() -> Motion:
    """Return a nod: up a little, deep down, and down again, with chest, hips and arms.

    The eyes keep their aim; chest and shoulders follow the head, and the arms swing after them.
    """
    score = Score(STAND)
    score.at(0.2, head=(-9.0, 0.0, 0.0)).at(0.24, spine=(0.0, 0.0, 0.0))
    score.at(0.24, hips=(0.0, 0.9445, 0.0), turn=(-1.2, 0.0, 0.0))
    score.at(0.5, head=(27.0, 0.0, 1.5), smile=0.3).at(0.56, spine=(9.5, 0.0, 0.0))
    score.at(0.54, hips=(0.004, 0.932, -0.014), turn=(5.0, 0.0, 0.0))
    score.at(0.58, l_shoulder=(-3.0, 4.0, 0.0), r_shoulder=(-3.0, 3.0, 0.0))
    score.at(0.62, l_arm=(9.0, 12.0, -12.0), l_elbow=20.0, r_arm=(3.0, 12.0, -12.0), r_elbow=28.0)
    score.at(0.8, head=(-3.0, 0.0, 1.0)).at(0.86, spine=(1.0, 0.0, 0.0))
    score.at(0.84, hips=(0.002, 0.944, 0.004), turn=(-0.6, 0.0, 0.0))
    score.at(0.9, l_arm=(-2.0, 11.5, -12.0), l_elbow=13.0, r_arm=(-4.0, 12.0, -12.0), r_elbow=22.0)
    score.at(1.06, head=(14.0, 0.0, 1.0)).at(1.12, spine=(6.0, 0.0, 0.0))
    score.at(1.1, hips=(0.002, 0.938, -0.006), turn=(2.4, 0.0, 0.0))
    score.at(1.16, l_arm=(4.0, 11.0, -12.0), l_elbow=17.0, r_arm=(0.0, 12.0, -12.0), r_elbow=25.0)
    score.at(1.2, l_shoulder=(-2.0, 0.5, 0.0), r_shoulder=(-2.0, 0.0, 0.0)).still(1.3, "smile")
    score.at(1.36, head=(-0.8, 0.0, 0.0), spine=(1.9, 0.0, 0.0))
    score.close(1.6)
    times = frames(1.6, 20.0)
    tracks = score.tracks(times)
    tracks["eyes"][:, 0] = -0.55 * (tracks["head"][:, 0] - STAND["head"][0])  # they stay on you
    for lid in ("blinkLeft", "blinkRight"):
        tracks[lid][:, 0] = np.interp(times, (0.34, 0.42, 0.5, 0.66), (0.0, 1.0, 0.8, 0.0))
    _trail(tracks, times, 0.1)
    return perform("Nod", tracks, times, interpolation=SMOOTH | {"weights": "LINEAR"})


def fidget() -> Motion:
    """Return a weight shift, glances to both sides, and a scratch of the head."""
    score = Score(STAND)
    score.at(0.2, hips=(-0.008, 0.941, 0.004), turn=(0.0, 0.0, 0.4), head=(1.5, 3.0, 0.0))
    score.at(0.8, hips=(0.042, 0.934, 0.0), turn=(0.0, -3.0, 2.6), spine=(3.0, 8.0, -5.0))
    score.at(0.85, head=(2.0, 38.0, -2.0), r_sole=(9.0, -12.0, 0.0), r_knee=(-0.05, 0.0, 1.0))
    score.at(0.9, l_arm=(-2.0, 14.0, -12.0), r_arm=(2.0, 13.0, -12.0), frown=0.25)
    score.still(1.35, "head", "spine").at(2.0, head=(-2.0, -36.0, 1.0), spine=(2.0, -9.0, -4.0))
    score.still(0.75, "l_curl").at(1.1, l_curl=(0.97, 0.97, 0.0)).still(1.3, "l_curl")
    score.at(1.62, l_curl=(0.06, 0.1, 0.7)).at(1.95, l_curl=(0.25, 0.25, 0.0))
    score.still(1.6, "r_curl").at(1.85, r_curl=(0.66, 0.85, 0.0)).at(2.15, r_curl=(1.0, 1.0, 0.0))
    score.still(1.9, "l_arm", "l_shoulder", "l_elbow", "l_wrist", "l_hold")
    score.still(2.4, "head", "spine", "frown")
    _scratch(score, 2.4)
    score.still(3.5, "hips", "turn", "r_sole", "r_knee")
    score.at(4.45, hips=(-0.006, 0.9425, 0.004)).at(4.5, head=(-1.0, -1.0, 0.0))
    score.at(4.0, r_sole=STAND["r_sole"], r_knee=STAND["r_knee"])
    score.close(5.0)
    times = frames(5.0)
    tracks = score.tracks(times)
    tracks["eyes"] = _dart(
        times,
        (0.33, 1.0, 14.0),
        (0.77, 2.0, 6.0),
        (1.2, -2.0, 12.0),
        (1.43, 0.0, -16.0),
        (1.9, -1.0, -8.0),
        (2.27, 2.0, -2.0),
        (2.8, -8.0, 6.0),
        (3.7, 0.0, 0.0),
    )
    blink(tracks, times, 0.36, 1.46, 3.66)
    return perform("Fidget", tracks, times, interpolation=SACCADES)


def _scratch(score: Score, t: float) -> None:
    """Add a scratch: the left hand is at the head at t + 0.5, rubs three times, and lowers."""
    score.still(t - 0.9, "l_hand", "l_point", "l_palm", "l_bend")
    score.at(t - 0.55, l_hand=(0.24, 1.53, 0.09), l_bend=(0.75, -0.4, 0.5))
    score.at(t - 0.55, l_point=(-0.6, 0.72, -0.35), l_palm=(-0.7, -0.66, -0.1))
    score.at(t + 0.1, l_arm=(30.0, 60.0, 20.0), l_elbow=100.0, l_wrist=(10.0, 0.0, 10.0))
    score.at(t + 0.5, l_hold=1.0, l_curl=(0.34, 0.3, 0.2), l_shoulder=(-1.0, 0.0, 0.0))
    score.at(t + 0.5, head=(7.0, 4.0, 9.0), spine=(6.0, 3.0, -2.0), smile=0.0)
    for rub in range(3):
        at = t + 0.55 + 0.2 * rub
        score.at(at, l_hand=(0.237, 1.528, 0.093), l_curl=(0.34, 0.3, 0.0))
        score.at(at + 0.1, l_hand=(0.235, 1.55, 0.075), l_curl=(0.2, 0.3, 0.0))
    score.at(t + 1.15, l_hold=1.0, head=(6.0, 5.0, 8.0), smile=0.3)
    score.still(t + 1.15, "l_shoulder", "spine", "l_point", "l_palm", "l_bend")
    score.at(t + 1.55, l_hold=0.0, l_arm=(34.0, 34.0, 0.0), l_elbow=80.0)
    score.at(t + 2.2, l_arm=(-2.0, 11.0, -12.0), l_elbow=11.0, l_shoulder=(-2.0, -1.5, 0.0))


def breathing() -> Motion:
    """Return one deep breath above the hips: an additive clip relative to Stand."""
    times, tracks = still(STAND, 4.0, 4.0)
    u = times / times[-1]
    breathe(tracks, 0.5 - 0.5 * np.cos(TURN * u), 1.7)
    return perform("Breathe", tracks, times, loop=True, interpolation=SMOOTH)


# --- aiming -------------------------------------------------------------------------------------

PIVOT = np.array((-0.1, 1.36, 0.02))  # metres: what the right hand turns about
WRIST = np.array((-0.1, -0.08, 0.4))  # metres from there
AIMS = {  # degrees: down, to the left
    "AimCentre": (0.0, 0.0),
    "AimLeft": (0.0, 60.0),
    "AimRight": (0.0, -60.0),
    "AimUp": (-40.0, 0.0),
    "AimDown": (40.0, 0.0),
}
CORNERS = {  # of the directions between those
    "AimUpLeft": (-40.0, 60.0),
    "AimUpRight": (-40.0, -60.0),
    "AimDownLeft": (40.0, 60.0),
    "AimDownRight": (40.0, -60.0),
}
LOOKS = {  # degrees: down, to the left
    name.replace("Aim", "Look"): (0.875 * down, 1.25 * left)
    for name, (down, left) in (AIMS | CORNERS).items()
}


def aim_pose(down: float, left: float) -> Pose:
    """Return the pose that aims the prop and the gaze in a direction."""
    turned = euler(np.array(((down, left, 0.0),)))[0]
    tilt = np.radians(32.0)  # the hand is bent down at the wrist, so that the prop points ahead
    wrist, fingers, palm = (
        turned @ np.array(v)
        for v in (WRIST, (-0.06, -np.sin(tilt), np.cos(tilt)), (1.0, -0.15, 0.0))
    )
    return pose(
        STAND,
        spine=(4.0 + 0.3 * down, 0.62 * left - 6.0, 0.0),
        head=(0.9 * down, 0.92 * left, 0.0),
        eyes=(0.1 * down, 0.08 * left, 0.0),
        prop=(69.0, 0.0, 0.0),
        r_shoulder=(-3.0 - 0.08 * down, 8.0 + 0.08 * left, 0.0),
        r_hold=1.0,
        r_hand=_triple(PIVOT + wrist),
        r_point=_triple(fingers),
        r_palm=_triple(palm),
        r_bend=_triple(turned @ np.array((-1.0, 0.1, -0.1))),
        l_arm=(-14.0, 20.0, -20.0),
        l_elbow=70.0,
        l_wrist=(0.0, 0.0, -20.0),
        l_curl=(0.97, 0.97, 0.0),
    )


def _triple(vector: F64) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in vector)
    return x, y, z


def look_pose(down: float, left: float) -> Pose:
    """Return the pose that looks in a direction: eyes furthest, then head, chest, shoulders."""
    return pose(
        STAND,
        spine=(2.4 + 0.12 * down, 0.2 * left, 0.02 * left),
        head=(0.4 + 0.72 * down, 0.82 * left, 0.04 * left),
        eyes=(0.28 * down, 0.18 * left, 0.0),
    )


def kept_alive(held: Pose) -> tuple[F64, Tracks]:
    """Return times and tracks of a held pose with breath, blinks and small shifts of the weight."""
    times, u, tracks = living(held, (0.8, 2.9))
    breathe(tracks, 0.5 - 0.5 * np.cos(TURN * u), 0.7)
    shift(tracks, u, 0.011, 1.6, 0.0)
    return times, tracks


def hold(name: str, held: Pose) -> Motion:
    """Return a pose held with breath and small shifts, which are alike in all of them."""
    times, tracks = kept_alive(held)
    u = times / times[-1]
    breath = 0.5 - 0.5 * np.cos(TURN * u)
    tracks["r_hand"] += np.outer(swaying(u, 0.06), (0.012, 0.0, 0.0))
    tracks["r_hand"] += np.outer(breath, (0.0, 0.012, 0.0))
    return perform(name, tracks, times, loop=True, interpolation=LIVING)


def aims() -> list[Motion]:
    """Return a held pose for each direction."""
    return [hold(name, aim_pose(*way)) for name, way in AIMS.items()]


def differences() -> list[Motion]:
    """Return aiming between the directions, and looking in all nine of them."""
    motions = [hold(name, aim_pose(*way)) for name, way in CORNERS.items()]
    for name, way in LOOKS.items():
        times, tracks = kept_alive(look_pose(*way))
        motions.append(perform(name, tracks, times, loop=True, interpolation=LIVING))
    return motions


# --- the face -----------------------------------------------------------------------------------


def expression(name: str, morph: str, tilt: tuple[float, float, float]) -> Motion:
    """Return a facial expression that is reached, held and released, with a tilt of the head."""
    score = Score(STAND)
    score.at(0.4, **{morph: 0.94}).at(0.5, head=tilt).still(1.3, morph, "head")
    score.close(2.0)
    times = frames(2.0, 10.0)
    return perform(name, score.tracks(times), times, interpolation=SMOOTH)


def blinking() -> Motion:
    """Return a blink of both eyes."""
    times = frames(0.4, 100.0)
    tracks = Score(STAND).tracks(times)
    blink(tracks, times, 0.06)
    return perform("Blink", tracks, times)


SYLLABLES = (  # seconds, how far the jaw opens, how wide the mouth is drawn
    (0.15, 0.55, 0.1),
    (0.34, 0.3, 0.3),
    (0.55, 0.8, 0.0),
    (0.84, 0.4, 0.2),
    (1.02, 0.25, 0.35),
    (1.3, 0.7, 0.05),
    (1.52, 0.35, 0.25),
    (1.95, 0.9, 0.0),
    (2.2, 0.3, 0.2),
)


def talk() -> Motion:
    """Return speech: nine syllables with accents of head, chest and the free hand, and a blink."""
    times, tracks = still(STAND, 2.8)
    jaw, wide = np.zeros(len(times)), np.zeros(len(times))
    for when, far, drawn in SYLLABLES:
        bump = np.cos(np.pi / 2.0 * ((times - when) / 0.13).clip(-1.0, 1.0)) ** 2
        jaw, wide = np.maximum(jaw, far * bump), wide + drawn * bump
    u = TURN * times / times[-1]
    tracks["jawOpen"][:, 0], tracks["smile"][:, 0] = jaw, wide
    held = ease(times / 0.7) * ease((times[-1] - times) / 0.8)
    tracks["head"] += (
        np.stack(
            (
                2.2 * np.sin(2.0 * u) + 4.0 * _accents(times, 0.0),
                5.0 * np.sin(u),
                3.0 * np.sin(u + 0.7),
            ),
            axis=1,
        )
        * held[:, None]
    )
    _gesture(tracks, times, u, held)
    tracks["eyes"] = _dart(
        times, (0.5, 1.0, -5.0), (1.1, 0.0, 0.0), (1.6, -2.0, 6.0), (2.1, 0.0, 0.0)
    )
    blink(tracks, times, 1.06)
    return perform("Talk", tracks, times, loop=True, interpolation=SACCADES)


ACCENTS = ((0.55, 0.9), (1.3, 0.7), (1.95, 1.0))  # seconds and strength of stressed syllables


def _accents(times: F64, late: float) -> F64:
    """Return the strength [K] of stress, `late` seconds after it is heard."""
    total = np.zeros(len(times))
    for when, much in ACCENTS:
        total += much * np.cos(np.pi / 2.0 * ((times - when - late) / 0.3).clip(-1.0, 1.0)) ** 2
    return total


def _gesture(tracks: Tracks, times: F64, u: F64, held: F64) -> None:
    """Add the body of speech: weight, chest and shoulders, and the left hand that beats time."""
    beat, after = _accents(times, 0.04), _accents(times, 0.12)
    tracks["hips"][:, 0] += 0.016 * np.sin(u) * held
    tracks["hips"][:, 1] -= 0.006 * held * beat
    tracks["turn"][:, 2] -= 1.6 * np.sin(u) * held
    tracks["turn"][:, 1] += 2.0 * np.sin(u + 0.4) * held
    tracks["spine"] += (
        np.stack((2.4 * beat, 3.5 * np.sin(u - 0.3), 1.8 * np.sin(u)), 1) * held[:, None]
    )
    tracks["l_shoulder"][:, 1] += 3.0 * held * beat
    tracks["l_arm"] += (
        np.stack((12.0 + 5.0 * beat, 6.0 + 4.0 * beat, 26.0 + 0.0 * u), 1) * held[:, None]
    )
    tracks["l_elbow"][:, 0] += (50.0 - 20.0 * beat + 8.0 * after) * held
    tracks["l_wrist"] += (
        np.stack((-16.0 * after + 6.0 * beat, 4.0 * beat, -34.0 + 0.0 * u), 1) * held[:, None]
    )
    tracks["l_curl"] += np.outer(held * after, (-0.2, -0.1, 0.5)) + np.outer(held, (0.08, 0.0, 0.0))
    tracks["r_elbow"][:, 0] += (6.0 + 5.0 * after) * held
    tracks["r_arm"][:, 0] += 3.0 * after * held


def clips() -> list[Motion]:
    """Return the gestures, the aims and the clips of the face."""
    return [
        wave(),
        nod(),
        fidget(),
        breathing(),
        *aims(),
        expression("FaceSmile", "smile", (-3.0, 0.0, 4.0)),
        expression("FaceFrown", "frown", (7.0, 0.0, -2.0)),
        blinking(),
        talk(),
        *differences(),
    ]
