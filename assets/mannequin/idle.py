"""Standing: the start pose of other clips, and the idle clip."""

import numpy as np

from .bones import F64, INDEX, REST
from .curves import Values, about, cycle
from .puppet import SIDES, Motion, Puppet, planted

SECONDS = 8.0  # of Idle: two breaths
BLINKS = (1.05, 3.9, 4.35, 6.7)  # seconds at which lids begin to fall
LID = ((0.0, 0.0), (0.07, 1.0), (0.11, 1.0), (0.26, 0.0))  # seconds, how far they are shut
GLANCES = ((0.0, 0.0, 0.0), (1.2, 5.0, 1.0), (2.8, -2.0, 0.5), (4.0, -7.0, 2.0), (6.8, 0.0, 0.0))
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
            0.03 * sway + zero,
            -0.012 - 0.003 * sway**2 + 0.0012 * air + zero,
            0.004 + 0.002 * air + zero,
        ),
        axis=1,
    )
    puppet.turn("Hips", about("z", 2.2 * sway, count), about("y", 2.0 * sway, count))
    puppet.turn("Spine", about("z", -2.0 * sway, count), about("x", 0.72 - 0.3 * air, count))
    puppet.turn("Spine1", about("z", -1.5 * sway, count), about("x", 0.84 - 0.9 * air, count))
    puppet.turn("Spine2", about("z", -0.4 * sway, count), about("x", 0.84 - 0.9 * air, count))
    puppet.turn("Neck", about("x", -0.9 + 1.0 * air, count), about("z", 1.0 * sway, count))
    puppet.turn("Head", about("x", -1.1 + 1.0 * air, count), about("z", 0.8 * sway, count))
    for side, sign in SIDES:
        puppet.turn(
            f"{side}Shoulder",
            about("y", sign * 1.5 + zero, count),
            about("z", sign * (-1.5 + 1.3 * air), count),
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
    """Return eight seconds of standing with breath, weight shifts and a drifting gaze.

    The keys are few and smooth; those of the lids are between them.
    """
    beats = np.arange(0.0, SECONDS + 0.01, 0.4)
    lids = [start + after for start in BLINKS for after, _ in LID]
    glances = [since for since, _, _ in GLANCES]
    times: F64 = np.unique(np.round(np.concatenate((beats, lids, glances)), 6))
    u: F64 = times / SECONDS
    puppet = Puppet(len(times))
    air = np.sin(4.0 * np.pi * u) - 0.18 * np.sin(8.0 * np.pi * u)  # in sooner than out
    shift = cycle(u, (0.0, 0.0), (0.14, 0.62), (0.4, 0.7), (0.56, -0.25), (0.8, -0.42))
    stand(puppet, shift=shift, breath=air)
    yaw = cycle(u, (0.0, 0.0), (0.2, 5.0), (0.38, 4.0), (0.56, -6.0), (0.8, -4.0))
    nod = cycle(u, (0.0, 0.0), (0.25, 1.0), (0.6, 2.2), (0.85, -0.4))
    puppet.add("Neck", about("y", 0.4 * yaw, len(u)))
    puppet.add("Head", about("y", 0.6 * yaw, len(u)), about("x", nod, len(u)))
    for side, sign in SIDES:  # the hands are never quite still
        late = cycle(u, (0.05, 0.0), (0.2, 1.0), (0.45, 0.3), (0.66, -1.0), (0.9, -0.4))
        puppet.add(f"{side}Arm", about("x", 0.9 * sign * late, len(u)))
        puppet.add(f"{side}ForeArm", about("x", -1.2 * late, len(u)))
    puppet.curl("Left", 0.25 + 0.03 * np.sin(2.0 * np.pi * (u - 0.1)), 0.25)
    eyes = np.array([[look for look in GLANCES if look[0] <= time + 1e-9][-1] for time in times])
    puppet.look(eyes[:, 1], eyes[:, 2])
    lid = _blinking(times)
    face = {"blinkLeft": lid, "blinkRight": lid}
    return puppet.motion("Idle", times, face=face, interpolation=HOW)


def _blinking(times: F64) -> F64:
    """Return the closure [K] of the lids."""
    shut = np.zeros(len(times))
    after, much = np.array(LID).T
    for start in BLINKS:
        shut = np.maximum(shut, np.interp(times - start, after, much, left=0.0, right=0.0))
    return shut
