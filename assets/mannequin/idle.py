"""Standing: the start pose of other clips, and the idle clip."""

import numpy as np

from .bones import F64, INDEX, REST
from .curves import Values, about, cycle, ease
from .puppet import SIDES, Motion, Puppet, planted

SECONDS = 8.0  # of Idle: two breaths
BEAT = 0.2  # seconds between keys
BLINKS = (0.98, 2.3, 4.58, 6.58)  # seconds at which lids begin to fall
LID = ((0.0, 0.0), (0.07, 1.0), (0.11, 1.0), (0.26, 0.0))  # seconds, how far they are shut
# Seconds, and degrees to the left and down, at which the eyes dart to something new.
GLANCES = ((1.0, 21.0, 1.0), (2.9, 3.0, 2.0), (4.6, -24.0, 4.0), (6.6, 0.0, 0.0))
DARTS = (0.0, 0.22, 0.44, 0.7)  # seconds after a glance at which the eyes jump, as the head comes
HEAD_LATE, HEAD_TAKES, CHEST_LATE = 0.12, 0.75, 0.3  # seconds that the head needs to follow
REGRIP = 5.4  # seconds at which the right hand takes hold of the prop again
FURTHEST = 15.0  # degrees that the eyes turn in the head
HOW = {"rotation": "CUBICSPLINE", "translation": "CUBICSPLINE", "LeftEye": "STEP"} | {
    "RightEye": "STEP"
}


def stand(puppet: Puppet, *, shift: Values = 0.0, breath: Values = 0.0) -> None:
    """Return the relaxed standing pose: the start of Idle and of other clips.

    `shift` -1 … 1 puts the weight on the right … left foot, `breath` -1 … 1 is exhaled … inhaled.
    """
    sway, air, count = np.asarray(shift), np.asarray(breath), puppet.count
    rest = REST[INDEX["Hips"]]
    zero = np.zeros(count)
    puppet.hips = rest + np.stack(
        (
            0.042 * sway + zero,
            -0.012 - 0.01 * sway**2 + 0.0016 * air + zero,
            0.004 + 0.003 * air + zero,
        ),
        axis=1,
    )
    puppet.turn("Hips", about("z", 4.2 * sway, count), about("y", 3.0 * sway, count))
    puppet.turn("Spine", about("z", -3.0 * sway, count), about("x", 0.72 - 0.5 * air, count))
    puppet.turn("Spine1", about("z", -2.4 * sway, count), about("x", 0.84 - 1.2 * air, count))
    puppet.turn("Spine2", about("z", -1.0 * sway, count), about("x", 0.84 - 1.3 * air, count))
    puppet.turn("Neck", about("x", -0.9 + 1.5 * air, count), about("z", 1.4 * sway, count))
    puppet.turn("Head", about("x", -1.1 + 1.4 * air, count), about("z", 1.6 * sway, count))
    for side, sign in SIDES:
        puppet.turn(
            f"{side}Shoulder",
            about("y", sign * 1.5 + zero, count),
            about("z", sign * (-1.5 + 1.7 * air), count),
        )
        aside = 5.0 * sway**2 - 1.0 * air  # clear of the hip, and upright as the shoulder rises
        held = 3.0 if side == "Right" else 0.0  # the prop is heavy
        puppet.hang(
            side,
            swing=1.0 + 0.5 * air - held,
            out=9.0 + aside + held,
            bend=15.0 + 0.8 * air + 3.0 * held,
            wrist=6.0 - 4.0 * held,
        )
        ahead = 0.02 if side == "Left" else -0.02
        toe = REST[INDEX[f"{side}ToeBase"]]
        foot = planted(side, (toe[0] + sign * 0.012, toe[2] + ahead), yaw=sign * 9.0, count=count)
        puppet.step_on(side, foot)


def idle() -> Motion:
    """Return eight seconds of standing with breath, weight shifts and glances.

    The weight goes from foot to foot, hips and shoulders lean against each other, and the head
    stays level. The eyes dart to something, the head follows, and then the chest. The keys are few
    and smooth; those of lids and eyes are between them.
    """
    beats = np.arange(0.0, SECONDS + 0.01, BEAT)
    darts = [since + after for since, _, _ in GLANCES for after in DARTS]
    times = with_lids(np.concatenate((beats, darts)), BLINKS)
    times = times[times <= SECONDS]
    u: F64 = times / SECONDS
    count = len(times)
    puppet = Puppet(count)
    air = np.sin(4.0 * np.pi * u) - 0.18 * np.sin(8.0 * np.pi * u)  # in sooner than out
    shift = _weight(u)
    stand(puppet, shift=shift, breath=air)
    aim = _gaze(times, 0.0, 1e-6)
    head, chest = (_gaze(times, late, HEAD_TAKES) for late in (HEAD_LATE, CHEST_LATE))
    puppet.add("Spine1", about("y", 0.1 * chest[:, 0], count))
    puppet.add("Spine2", about("y", 0.15 * chest[:, 0], count))
    turned = head[:, 0] - 0.25 * chest[:, 0] - 3.0 * shift
    puppet.add("Neck", about("y", 0.4 * turned, count))
    puppet.add("Head", about("y", 0.6 * turned, count), about("x", head[:, 1], count))
    swing = 40.0 * (_weight(u - 0.012) - _weight(u + 0.012))  # hands lag behind the body
    swing, late = swing - swing[0], _weight(u - 0.05) - _weight(np.array(-0.05))
    for side, sign in SIDES:
        puppet.add(f"{side}Arm", about("z", 0.2 * swing, count))
        puppet.add(f"{side}ForeArm", about("x", -1.6 * sign * late, count))
    fingers = 0.006 * np.arange(3.0, -1.0, -1.0)[:, None]  # each follows the one beside it
    puppet.curl("Left", 0.25 + 0.06 * (_weight(u - 0.06 - fingers) - _weight(-0.06 - fingers)))
    opened = (times - REGRIP - SECONDS * fingers) / 0.4
    puppet.grip("Right", 1.0 - 0.35 * np.cos(np.pi / 2.0 * opened.clip(-1.0, 1.0)) ** 2)
    eyes = (aim - head).clip(-FURTHEST, FURTHEST)
    puppet.look(*_held(times, eyes).T)
    lid = blinking(times, BLINKS)
    face = {"blinkLeft": lid, "blinkRight": lid}
    return puppet.motion("Idle", times, face=face, interpolation=HOW)


def _weight(u: F64) -> F64:
    """Return on which foot the weight is [K]: -1 the right one … 1 the left one."""
    return cycle(u, (0.0, 0.0), (0.16, 0.85), (0.4, 1.0), (0.58, -0.6), (0.84, -0.8))


def _gaze(times: F64, late: float, takes: float) -> F64:
    """Return degrees [K, 2] to the left and down of a part that follows the glances."""
    before, total = np.zeros(2), np.zeros((len(times), 2))
    for since, left, down in GLANCES:
        after = np.array((left, down))
        total += ease((times - since - late + 1e-6) / takes)[:, None] * (after - before)
        before = after
    return total


def _held(times: F64, eyes: F64) -> F64:
    """Return the angles [K, 2] of the eyes, which jump at the darts and rest between them."""
    jumps = np.array(sorted(since + after for since, _, _ in GLANCES for after in DARTS))
    row = np.searchsorted(jumps, times + 1e-6, side="right") - 1
    at = np.searchsorted(times, jumps - 1e-6)
    held = np.concatenate((np.zeros((1, 2)), eyes[at]))
    held[1 + np.arange(3, len(jumps), 4)] = 0.0  # they rest where the head looks
    return held[row + 1]


def with_lids(times: F64, starts: tuple[float, ...]) -> F64:
    """Return times [K] in order, with those of blinks."""
    lids = np.add.outer(starts, [after for after, _ in LID]).ravel()
    found: F64 = np.unique(np.round(np.concatenate((times, lids)), 6))
    return found


def blinking(times: F64, starts: tuple[float, ...]) -> F64:
    """Return the closure [K] of lids that begin to fall at some times, in seconds."""
    shut = np.zeros(len(times))
    after, much = np.array(LID).T
    for start in starts:
        shut = np.maximum(shut, np.interp(times - start, after, much, left=0.0, right=0.0))
    return shut
