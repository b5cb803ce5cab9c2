"""The mannequin's gaits: walking, running, strafing, leaning into a turn, limping; and idling.

In every one the left foot meets the ground at phase 0 and the right one at phase 0.5, so that
gaits played at one phase keep step. `Motion.speed` and `Motion.turn` say how the ground moves.
"""

from dataclasses import dataclass, replace

import numpy as np
from mannequin_bones import F64, INDEX, OFFSETS
from mannequin_curves import cycle, ease
from mannequin_puppet import Foot, Motion, Puppet
from mannequin_steps import Knots, Step
from mannequin_walk import Carriage, carry, mirrored

STRAIGHTEST = 0.997  # of a leg's length: its knee is then bent by 9 degrees
LEG = {
    side: float(sum(np.linalg.norm(OFFSETS[INDEX[side + bone]]) for bone in ("Leg", "Foot")))
    for side in ("Left", "Right")
}


@dataclass(frozen=True)
class Gait:
    """A cycle of steps and the body above them."""

    name: str
    left: Step
    right: Step
    carriage: Carriage
    keys: int = 60
    knee: float = 4.0  # degrees that the knees point further out than the toes
    legs: Knots = ()  # (u, degrees) that the knee bends while its leg carries
    even: bool = True  # both sides step alike


def perform(gait: Gait) -> tuple[Puppet, F64]:
    """Return the puppet over one period, and the keys' times."""
    times = np.linspace(0.0, gait.left.period, gait.keys + 1)
    u = times / times[-1]
    puppet = Puppet(len(times))
    carry(puppet, u, gait.carriage)
    feet = {
        "Left": gait.left.foot(u, "Left", gait.knee),
        "Right": gait.right.foot(u - 0.5, "Right", -gait.knee),
    }
    if gait.legs:
        settle(puppet, u, feet, gait)
    for side, foot in feet.items():
        puppet.step_on(side, foot)
    return puppet, times


def settle(puppet: Puppet, u: F64, feet: dict[str, Foot], gait: Gait) -> None:
    """Raise or lower the hips so that the leg that carries is as long as it should be.

    The height is a smooth curve, two beats and four a period (all from one to four, if the steps
    are unlike each other), as near to what the legs wish for as can be; and low enough that no leg
    ever gets straight.
    """
    beats = (2.0, 4.0) if gait.even else (1.0, 2.0, 3.0, 4.0)
    angles = 2.0 * np.pi * np.outer(u, beats)
    waves = np.concatenate((np.ones((len(u), 1)), np.cos(angles), np.sin(angles)), axis=1)
    rows, wishes, hips = [], [], puppet.hips[:, 1].copy()
    limits = np.full(len(u), np.inf)
    for side, late in (("Left", 0.0), ("Right", 0.5)):
        phase = (u - late) % 1.0
        hip, ankle = puppet.place(f"{side}UpLeg")[0], feet[side].ankle
        level = np.hypot(*(hip - ankle)[:, [0, 2]].T)
        long = LEG[side] * np.cos(np.radians(cycle(phase, *gait.legs)) / 2.0)
        offset = ankle[:, 1] - hip[:, 1]
        weight = np.where(phase < 0.5, ease(phase / 0.06 + 0.3), 0.0)[:-1]
        rows.append(waves[:-1] * weight[:, None])
        wishes.append((offset + np.sqrt(long**2 - level**2))[:-1] * weight)
        limits = np.minimum(limits, offset + np.sqrt((STRAIGHTEST * LEG[side]) ** 2 - level**2))
    fit = np.linalg.lstsq(np.concatenate(rows), np.concatenate(wishes), rcond=None)[0]
    raised = waves @ fit
    puppet.hips[:, 1] = hips + raised + min(0.0, float((limits - raised).min()))


def cycle_of(gait: Gait) -> Motion:
    """Return a gait as a clip."""
    puppet, times = perform(gait)
    return puppet.motion(gait.name, times, speed=gait.left.speed, turn=gait.left.turn)


def other_side(gait: Gait, name: str) -> Gait:
    """Return a gait with left and right exchanged; it too begins with the left foot's contact."""
    return replace(
        gait,
        name=name,
        left=gait.right.mirrored(),
        right=gait.left.mirrored(),
        carriage=mirrored(gait.carriage),
    )


def straight(step: Step) -> tuple[Step, Step]:
    """Return the left foot's step, and the right one's that mirrors it."""
    return step, step.mirrored()


WALK_STEP = Step(
    period=1.0,
    stance=0.61,
    speed=(0.0, 1.4),
    under=(0.085, -0.02),
    yaw=6.0,
    heights=((0.24, 0.235), (0.66, 0.118)),
    along=((0.47, -0.015), (0.86, 0.25)),
    pitches=((0.2, -58.0), (0.55, -8.0), (0.85, 19.0)),
    soft=0.35,
)
WALK_LEGS = ((0.0, 8.0), (0.13, 20.0), (0.3, 10.0), (0.42, 10.0), (0.5, 16.0), (0.8, 40.0))
WALK = Gait("Walk", *straight(WALK_STEP), Carriage(), legs=WALK_LEGS)

# Into a turn: the ground comes round, the feet are outside of the body, the eyes are ahead of it.
LEAN_STEP = replace(WALK_STEP, turn=50.0, speed=(0.0, 1.3))
LEAN_LEFT = Gait(
    "LeanLeft",
    replace(LEAN_STEP, under=(0.03, -0.02), yaw=10.0),
    replace(LEAN_STEP, under=(-0.135, -0.02), yaw=-1.0),
    Carriage(aside=0.055, bank=7.0, facing=4.0, gaze=14.0, out=11.0, lean=4.5),
    legs=WALK_LEGS,
)

RUN_STEP = Step(
    period=0.7,
    stance=0.28,
    speed=(0.0, 4.0),
    under=(0.05, -0.02),
    yaw=4.0,
    strike=7.0,
    flat=0.05,
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
        pitch=9.0,
        chest_yaw=13.0,
        chest_roll=1.0,
        lean=10.0,
        gaze_down=2.0,
        arm=-8.0,
        arm_swing=38.0,
        out=13.0,
        bend=88.0,
        bend_swing=12.0,
        inward=10.0,
        across=9.0,
        late=0.02,
    ),
)

# Sideways: the hips are turned half way to where it goes, the trailing foot crosses in front …
STRAFE_STEP = Step(
    period=0.9,
    stance=0.62,
    speed=(1.0, 0.0),
    under=(0.05, -0.06),
    yaw=48.0,
    strike=10.0,
    push=36.0,
    tip=12.0,
    heights=((0.3, 0.19), (0.68, 0.125)),
    pitches=((0.25, -36.0), (0.6, -4.0), (0.85, 11.0)),
    soft=0.3,
)
STRAFE_LEGS = ((0.0, 14.0), (0.13, 26.0), (0.3, 18.0), (0.42, 16.0), (0.5, 20.0), (0.8, 40.0))
STRAFE_BODY = Carriage(
    facing=30.0,
    sway=0.0,
    surge=0.0,
    yaw=6.0,
    drop=3.0,
    pitch=4.0,
    chest_yaw=5.0,
    chest_roll=1.5,
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
    replace(STRAFE_STEP, under=(-0.1, 0.1), yaw=38.0),
    STRAFE_BODY,
    legs=STRAFE_LEGS,
    knee=0.0,
)
# … or they are turned half way from it, and it crosses behind; the toes come down first.
BACK_STEP = replace(
    STRAFE_STEP,
    under=(0.05, 0.07),
    yaw=-20.0,
    strike=-14.0,
    flat=0.14,
    lift=0.4,
    push=14.0,
    tip=0.0,
    heights=((0.35, 0.16), (0.7, 0.135)),
    pitches=((0.3, -16.0), (0.75, -18.0)),
)
STRAFE_LEFT_BACK = Gait(
    "StrafeLeftBack",
    BACK_STEP,
    replace(BACK_STEP, under=(-0.1, -0.08), yaw=-38.0),
    replace(STRAFE_BODY, facing=-28.0, yaw=-6.0, chest_yaw=-4.0, arm_swing=-8.0, bend_swing=-4.0),
    legs=STRAFE_LEGS,
    knee=0.0,
)

WALK_BACK_STEP = Step(
    period=1.0,
    stance=0.63,
    speed=(0.0, -0.95),
    under=(0.095, 0.11),
    yaw=7.0,
    strike=-22.0,
    flat=0.17,
    lift=0.42,
    push=-12.0,
    tip=0.0,
    heights=((0.35, 0.15), (0.7, 0.15)),
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
        lean=6.0,
        gaze_down=3.0,
        arm=-2.0,
        arm_swing=-11.0,
        out=13.0,
        bend=32.0,
        bend_swing=-6.0,
    ),
    legs=((0.0, 26.0), (0.15, 22.0), (0.3, 16.0), (0.45, 12.0), (0.55, 12.0), (0.8, 30.0)),
)

GAITS = (
    WALK,
    RUN,
    STRAFE_LEFT,
    other_side(STRAFE_LEFT, "StrafeRight"),
    STRAFE_LEFT_BACK,
    other_side(STRAFE_LEFT_BACK, "StrafeRightBack"),
    WALK_BACK,
    LEAN_LEFT,
    other_side(LEAN_LEFT, "LeanRight"),
)


def clips() -> list[Motion]:
    """Return the clips."""
    return [cycle_of(gait) for gait in GAITS]
