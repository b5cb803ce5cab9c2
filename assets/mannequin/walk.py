"""How the body is carried above its steps: hips, spine, head and arms over a period.

The phase u is 0 when the left foot meets the ground and 0.5 when the right one does.
"""

from dataclasses import dataclass, replace

import numpy as np

from .bones import F64, INDEX, REST
from .curves import Values, about, shared
from .puppet import Puppet

TURN = 2.0 * np.pi
HIPS = float(REST[INDEX["Hips"], 1])
FOLLOW = 0.04  # phase by which a finger follows the one beside it
ONE_SIDED = ("aside", "sway_ahead", "facing", "chest_facing", "bank", "gaze", "eyes")


@dataclass(frozen=True)
class Carriage:
    """How a body is carried. Metres and degrees; "amplitudes" swing to both sides.

    Attributes
    ----------
    down, ahead, aside: where the hips are on average, below, in front and to the left of rest.
    bob, bob_low: amplitude up and down, twice a period, and the phase at which they are lowest.
    sway, sway_ahead: amplitudes to the side of the standing leg, and forward over the left one.
    surge: amplitude forward, twice a period.
    facing, chest_facing: that hips and chest are turned to the left.
    yaw, drop, pitch: of the hips: amplitude of their turn (a hip goes with its leg) and of the
        swinging side's drop; how far they are tipped forward.
    chest_yaw, chest_roll, chest_pitch, lean: of the chest: amplitude of its turn against the
        hips', of its bend over the standing leg, forward after each contact; how far it leans.
    trail: phase by which the chest comes after the hips; the head comes half as much later still.
    bank: that the body leans to its left; the head a third of it.
    gaze, gaze_down, eyes: of the head, to the left and down; further to the left of the eyes,
        which keep their aim while the head swings.
    nod, head_yaw, head_roll: amplitudes of the head: against the bob, with the chest's turn, and
        over the standing leg.
    arm, arm_swing, out: where the upper arms hang on average (forward), amplitude, and aside.
    bend, bend_swing: of the elbows.
    inward, across: that upper arms turn in; that they swing in front of the body.
    late: phase by which the arms lag behind the legs.
    wrist, drag: amplitudes of the hands, which lag behind the arms: to the palm, and back.
    curl, curl_swing: of the fingers of the free hand, and its amplitude as they lag behind it.
    """

    down: Values = 0.045
    ahead: Values = 0.0
    aside: Values = 0.0
    bob: Values = 0.021
    bob_low: float = 0.05
    sway: Values = 0.02
    sway_ahead: Values = 0.0
    surge: Values = 0.006
    facing: Values = 0.0
    chest_facing: Values = 0.0
    yaw: Values = 6.0
    drop: Values = 4.0
    pitch: Values = 3.0
    chest_yaw: Values = 6.0
    chest_roll: Values = 2.0
    chest_pitch: Values = 1.5
    lean: Values = 3.0
    trail: float = 0.07
    bank: Values = 0.0
    gaze: Values = 0.0
    gaze_down: Values = 1.0
    eyes: Values = 0.0
    nod: Values = 1.7
    head_yaw: Values = 1.8
    head_roll: Values = 1.6
    arm: Values = -4.0
    arm_swing: Values = 20.0
    out: Values = 12.5
    bend: Values = 24.0
    bend_swing: Values = 10.0
    inward: Values = -1.0
    across: Values = 2.0
    late: float = 0.035
    wrist: Values = 6.0
    drag: Values = 6.0
    curl: Values = 0.27
    curl_swing: Values = 0.07


def wave(u: F64, late: Values = 0.0, sharp: float = 0.0) -> F64:
    """Return -1 at u = `late`, 1 half a period later; `sharp` > 0 stays longer at the ends."""
    angle = TURN * (u - late)
    return -np.cos(angle) + sharp * np.cos(3.0 * angle)


def bend_spine(puppet: Puppet, chest: F64) -> None:
    """Rotate the chest to [K, 3, 3] in model space, distributed over the three spine joints."""
    hips = puppet.place("Hips")[1]
    parts = shared(np.swapaxes(hips, -1, -2) @ chest, 0.3, 0.35, 0.35)
    for name, part in zip(("Spine", "Spine1", "Spine2"), parts, strict=True):
        puppet.turn(name, part)


def turn_head(puppet: Puppet, head: F64) -> None:
    """Rotate the head to [K, 3, 3] in model space, distributed over neck and head."""
    chest = puppet.place("Spine2")[1]
    neck, rest = shared(np.swapaxes(chest, -1, -2) @ head, 0.45, 0.55)
    puppet.turn("Neck", neck)
    puppet.turn("Head", rest)


def facing(yaw: Values, pitch: Values, roll: Values, count: int) -> F64:
    """Return a rotation to the left, forward, and (roll) to the character's left side down."""
    return about("y", yaw, count) @ about("x", pitch, count) @ about("z", -np.asarray(roll), count)


def mirrored(c: Carriage) -> Carriage:
    """Return the carriage with left and right exchanged."""
    return replace(c, **{name: -getattr(c, name) for name in ONE_SIDED})


def carry(puppet: Puppet, u: F64, c: Carriage) -> None:
    """Set hips, spine, head and arms at phases u [K]."""
    count = puppet.count
    beat = np.cos(2.0 * TURN * (u - c.bob_low))  # 1: lowest
    over = np.sin(TURN * (u - 0.045))  # 1: over the left foot
    puppet.hips = np.stack(
        (
            c.aside + c.sway * over,
            HIPS - c.down - c.bob * beat,
            c.ahead + c.sway_ahead * over + c.surge * np.sin(2.0 * TURN * (u - c.bob_low)),
        ),
        axis=1,
    )
    ahead = wave(u, -0.01)  # 1: the right leg is in front
    list_ = np.sin(TURN * (u + 0.06))  # 1: the right hip hangs
    puppet.turn(
        "Hips",
        facing(
            c.facing + c.yaw * ahead, c.pitch - 0.8 * beat, 0.4 * c.bank - c.drop * list_, count
        ),
    )
    chest = facing(
        c.chest_facing - c.chest_yaw * wave(u, c.trail - 0.01),
        c.lean + c.chest_pitch * np.cos(2.0 * TURN * (u - c.bob_low - c.trail)),
        1.15 * c.bank + c.chest_roll * np.sin(TURN * (u + 0.05 - c.trail)),
        count,
    )
    bend_spine(puppet, chest)
    late = 1.5 * c.trail
    yaw = c.head_yaw * wave(u, late - 0.01)
    nod = c.nod * np.cos(2.0 * TURN * (u - c.bob_low - late))
    tilt = 0.35 * c.bank + c.head_roll * np.sin(TURN * (u + 0.05 - late))
    turn_head(puppet, facing(c.gaze - yaw, c.gaze_down - nod, tilt, count))
    puppet.look(c.eyes + yaw, nod)
    swing_arms(puppet, u, c)


def swing_arms(puppet: Puppet, u: F64, c: Carriage) -> None:
    """Swing both arms, with the chest where it is."""
    swing_arm(puppet, "Left", u, c)
    swing_arm(puppet, "Right", u - 0.5, c)  # 0: this side's foot meets the ground


def swing_arm(puppet: Puppet, side: str, u: F64, c: Carriage) -> None:
    """Swing an arm opposite to its leg, whose foot contacts the ground at u = 0."""
    sign = 1.0 if side == "Left" else -1.0
    forward = wave(u, c.late, -0.04)
    girdle = wave(u, c.late - 0.03)
    puppet.turn(
        f"{side}Shoulder",
        about("y", -sign * 0.16 * c.arm_swing * girdle, puppet.count),
        about("z", sign * (-1.0 + 0.9 * np.cos(2.0 * TURN * (u - 0.1))), puppet.count),
    )
    elbow = wave(u, c.late + 0.055, 0.05)
    held = side == "Right"  # the sword is kept clear of the body, its point ahead
    drag = c.drag * np.sin(TURN * (u - c.late - (0.09 if held else 0.06)))  # heavy, later
    puppet.hang(
        side,
        swing=c.arm + c.arm_swing * forward - c.lean,
        out=c.out - c.across * forward,
        bend=c.bend + c.bend_swing * elbow,
        inward=c.inward + c.across * (1.0 + forward),
        pronate=(-9.0 if held else 14.0) - 4.0 * forward,
        wrist=(0.0 if held else 5.0) + c.wrist * np.sin(TURN * (u - c.late - 0.06)),
        thumb=(-20.0 - 3.0 * forward if held else 0.0) - drag,
    )
    if not held:
        late = c.late + 0.08 + FOLLOW * np.arange(3.0, -1.0, -1.0)[:, None]
        puppet.curl(side, np.asarray(c.curl) + np.asarray(c.curl_swing) * wave(u, late))
