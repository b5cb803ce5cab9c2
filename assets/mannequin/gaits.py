"""The mannequin's gaits: walking, running, strafing, leaning into a turn, limping; and idling.

In all of them the left foot contacts the ground at phase 0.25 of the clip and the right one at 0.75
(limping: at 0.81), so that gaits blended at equal phase are in sync. `Motion.speed` and
`Motion.turn` are the velocity and angular velocity of the character.
"""

from dataclasses import replace

import numpy as np

from .curves import cycle
from .idle import idle
from .puppet import Motion
from .steps import Step
from .stride import CONTACT, Gait, cycle_of, other_side, straight, turn_step
from .walk import Carriage

WALK_STEP = Step(
    period=1.0,
    duty=0.61,
    speed=(0.0, 1.4),
    under=(0.085, -0.005),
    yaw=6.0,
    heights=((0.26, 0.22), (0.6, 0.122), (0.85, 0.108)),
    along=((0.47, -0.005), (0.86, 0.26)),
    pitches=((0.2, -58.0), (0.55, -8.0), (0.85, 19.0)),
    strike=17.5,
    flat=0.12,
    push=56.0,
    tip=14.0,
    soft=0.5,
    drop=0.35,
)
WALK_LEGS = (
    (0.0, 10.0),
    (0.06, 22.0),
    (0.14, 26.0),
    (0.3, 2.0),
    (0.4, 2.0),
    (0.5, 20.0),
    (0.8, 40.0),
)
WALK = Gait("Walk", *straight(WALK_STEP), Carriage(), legs=WALK_LEGS)

# Into a turn: the ground comes round, the feet are outside of the body, the eyes are ahead of it.
LEAN_STEP = replace(WALK_STEP, turn=50.0, speed=(0.0, 1.3))
LEAN_LEFT = Gait(
    "LeanLeft",
    replace(LEAN_STEP, under=(0.03, -0.005), yaw=10.0),
    replace(LEAN_STEP, under=(-0.135, -0.005), yaw=-1.0),
    Carriage(
        aside=0.055,
        bank=7.0,
        facing=4.0,
        chest_facing=8.0,
        gaze=14.0,
        eyes=9.0,
        out=14.5,
        lean=4.5,
    ),
    legs=WALK_LEGS,
)

RUN_STEP = Step(
    period=0.7,
    duty=0.28,
    speed=(0.0, 4.0),
    under=(0.05, -0.02),
    yaw=4.0,
    strike=7.0,
    flat=0.05,
    drop=0.6,
    lift=0.13,
    push=44.0,
    tip=26.0,
    heights=((0.2, 0.4), (0.4, 0.49), (0.6, 0.37), (0.82, 0.185)),
    along=((0.2, -0.47), (0.4, -0.24), (0.6, 0.1), (0.82, 0.34)),
    pitches=((0.2, -95.0), (0.42, -82.0), (0.65, -20.0), (0.85, 8.0)),
)
RUN = Gait(
    "Run",
    *straight(RUN_STEP),
    Carriage(
        down=0.053,
        ahead=0.03,
        bob=0.034,
        bob_low=0.14,
        sway=0.008,
        surge=0.0,
        yaw=9.0,
        drop=4.0,
        pitch=15.0,
        chest_yaw=12.0,
        chest_roll=2.0,
        chest_pitch=2.0,
        lean=20.0,
        trail=0.095,
        gaze_down=2.5,
        nod=2.0,
        head_yaw=2.2,
        arm=-8.0,
        arm_swing=38.0,
        out=13.0,
        bend=88.0,
        bend_swing=12.0,
        inward=-9.0,
        across=4.0,
        late=0.055,
        wrist=13.0,
        drag=10.0,
        curl=0.66,
        curl_swing=0.09,
    ),
    keys=76,
)

# Sideways: the hips are turned half way to where it goes, the trailing foot crosses in front …
STRAFE_STEP = Step(
    period=0.9,
    duty=0.62,
    speed=(1.0, 0.0),
    under=(0.05, -0.115),
    across=((0.42, 0.06),),
    yaw=48.0,
    strike=18.0,
    push=36.0,
    tip=12.0,
    heights=((0.3, 0.19), (0.68, 0.127), (0.86, 0.115)),
    pitches=((0.25, -36.0), (0.6, -4.0), (0.85, 11.0)),
    soft=1.0,  # so that turning steps join without a jolt
    drop=0.0,
    beyond=0.034,
)
STRAFE_LEGS = ((0.0, 35.0), (0.13, 36.0), (0.3, 21.5), (0.42, 17.5), (0.5, 22.5), (0.8, 47.0))
STRAFE_BODY = Carriage(
    facing=30.0,
    chest_facing=9.0,
    sway=0.0105,
    sway_ahead=-0.018,
    surge=0.0,
    yaw=6.0,
    drop=3.0,
    pitch=4.0,
    chest_yaw=5.0,
    trail=0.075,
    lean=4.0,
    bank=1.5,
    gaze=5.0,
    arm=0.0,
    arm_swing=10.0,
    out=15.0,
    bend=34.0,
    bend_swing=6.0,
)
STRAFE_LEFT = Gait(
    "StrafeLeft",
    STRAFE_STEP,
    replace(STRAFE_STEP, under=(-0.1, 0.17), yaw=38.0, across=((0.42, -0.04),)),
    STRAFE_BODY,
    legs=STRAFE_LEGS,
    knee=3.0,
    keys=88,
    reach=0.978,
)
# … or they are turned half way from it, and it crosses behind; the toes come down first.
BACK_LEGS = ((0.0, 26.0), (0.13, 28.0), (0.3, 14.0), (0.42, 12.0), (0.5, 18.0), (0.8, 46.0))
BACK_STEP = replace(
    STRAFE_STEP,
    under=(0.03, 0.085),
    across=((0.42, -0.05),),
    yaw=-20.0,
    strike=-14.0,
    flat=0.14,
    lift=0.4,
    drop=0.05,
    push=10.0,
    tip=0.0,
    heights=((0.35, 0.16), (0.68, 0.155), (0.86, 0.14)),
    pitches=((0.3, -16.0), (0.75, -16.0)),
)
STRAFE_LEFT_BACK = Gait(
    "StrafeLeftBack",
    BACK_STEP,
    replace(
        BACK_STEP,
        under=(-0.15, -0.1),
        yaw=-38.0,
        strike=-20.0,
        flat=0.12,
        beyond=0.02,
        across=((0.42, 0.09),),
    ),
    replace(
        STRAFE_BODY,
        facing=-28.0,
        chest_facing=-9.0,
        sway_ahead=0.018,
        yaw=-6.0,
        chest_yaw=-4.0,
        head_yaw=-1.8,
        arm_swing=-8.0,
        bend_swing=-4.0,
        drag=-4.0,
    ),
    legs=BACK_LEGS,
    knee=3.0,
    keys=88,
    reach=0.993,
)

WALK_BACK_STEP = Step(
    period=1.0,
    duty=0.63,
    speed=(0.0, -0.95),
    under=(0.095, 0.11),
    yaw=7.0,
    strike=-17.0,
    flat=0.17,
    lift=0.42,
    push=-12.0,
    tip=0.0,
    heights=((0.35, 0.15), (0.74, 0.158)),
    pitches=((0.3, -2.0), (0.72, -24.0)),
    soft=0.4,
)
WALK_BACK = Gait(
    "WalkBack",
    *straight(WALK_BACK_STEP),
    Carriage(
        ahead=0.01,
        surge=-0.005,
        yaw=-4.0,
        drop=3.0,
        pitch=5.0,
        chest_yaw=-4.0,
        head_yaw=-1.8,
        lean=6.0,
        gaze_down=3.0,
        arm=-2.0,
        arm_swing=-11.0,
        out=13.0,
        bend=32.0,
        bend_swing=-6.0,
        drag=-4.0,
    ),
    legs=((0.0, 26.0), (0.15, 22.0), (0.3, 16.0), (0.45, 12.0), (0.55, 12.0), (0.8, 30.0)),
)

# The right leg hurts: it is put down stiffly and left soon, the trunk falls over it.
LIMP_STEP = Step(
    period=1.2,
    duty=0.71,
    speed=(0.0, 0.72),
    under=(0.08, 0.01),
    yaw=7.0,
    strike=12.0,
    lift=0.42,
    push=34.0,
    tip=8.0,
    heights=((0.3, 0.17), (0.68, 0.115)),
    pitches=((0.25, -34.0), (0.6, -4.0), (0.85, 13.0)),
    soft=0.35,
)
LIMP_KEYS = 72


def limping() -> Carriage:
    """Return the carriage of the body with an injured right leg."""
    u = np.linspace(0.0, 1.0, LIMP_KEYS + 1) - CONTACT
    return Carriage(
        sway=0.026,
        aside=cycle(u, (0.0, -0.004), (0.35, 0.012), (0.62, -0.006), (0.8, -0.014)),
        surge=0.008,
        yaw=4.0,
        drop=cycle(u, (0.28, -2.5), (0.62, 3.0), (0.8, 6.0)),
        pitch=5.0,
        chest_yaw=3.0,
        chest_roll=0.0,
        trail=0.06,
        lean=cycle(u, (0.1, 7.0), (0.35, 4.5), (0.6, 9.0), (0.74, 13.0), (0.92, 10.0)),
        bank=cycle(u, (0.05, -3.0), (0.3, 2.0), (0.52, 0.0), (0.74, -10.0), (0.92, -6.5)),
        gaze=-2.0,
        gaze_down=cycle(u, (0.1, 8.0), (0.35, 6.0), (0.72, 13.0), (0.92, 10.0)),
        nod=0.6,
        arm=cycle(u, (0.2, 2.0), (0.75, -4.0)),
        arm_swing=9.0,
        out=cycle(u, (0.1, 12.0), (0.35, 10.0), (0.74, 20.0)),
        bend=cycle(u, (0.3, 26.0), (0.76, 38.0)),
        bend_swing=5.0,
        late=0.05,
    )


LIMP = Gait(
    "Limp",
    LIMP_STEP,
    replace(
        LIMP_STEP,
        duty=0.52,
        under=(-0.1, 0.07),
        yaw=-12.0,
        strike=4.0,
        flat=0.06,
        lift=0.36,
        push=20.0,
        tip=0.0,
        heights=((0.35, 0.15), (0.72, 0.125)),
        pitches=((0.35, -18.0), (0.75, 0.0)),
        across=((0.5, -0.05),),
    ),
    limping(),
    keys=LIMP_KEYS,
    legs=((0.0, 10.0), (0.12, 20.0), (0.3, 12.0), (0.45, 12.0), (0.56, 24.0), (0.8, 40.0)),
    right_legs=((0.0, 9.0), (0.12, 11.0), (0.3, 11.0), (0.44, 12.0), (0.7, 30.0)),
    right_at=0.56,
)

STRAFE_RIGHT = other_side(STRAFE_LEFT, "StrafeRight")
STRAFE_RIGHT_BACK = other_side(STRAFE_LEFT_BACK, "StrafeRightBack")
GAITS = (
    WALK,
    RUN,
    STRAFE_LEFT,
    STRAFE_RIGHT,
    STRAFE_LEFT_BACK,
    STRAFE_RIGHT_BACK,
    WALK_BACK,
    LEAN_LEFT,
    other_side(LEAN_LEFT, "LeanRight"),
    LIMP,
)


def turn_steps() -> list[Motion]:
    """Return the transition steps between the two strafe directions, for either side.

    They begin and end at the contact of the crossing foot: at phase 0.75 of strafing to the left,
    at 0.25 of strafing to the right.
    """
    clips = []
    for suffix, one, two in (
        ("", STRAFE_LEFT, STRAFE_LEFT_BACK),
        ("Forward", STRAFE_LEFT_BACK, STRAFE_LEFT),
    ):
        turn = turn_step(one, two)
        x, z = one.left.speed
        clips += [
            turn.puppet.motion(f"TurnStep{suffix}", turn.times, loop=False, speed=(x, z)),
            turn.other_side().motion(
                f"TurnStepRight{suffix}", turn.times, loop=False, speed=(-x, z)
            ),
        ]
    return clips


def clips() -> list[Motion]:
    """Return the clips: Idle, Walk and Run first."""
    return [idle(), *(cycle_of(gait) for gait in GAITS), *turn_steps()]
