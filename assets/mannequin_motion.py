"""The mannequin's clips: how it stands, walks and waves, as rotations of its joints.

Every curve is periodic, or begins and ends at rest, so a clip's last key is its first one again.
The legs are solved from where the feet are, so that a foot on the ground stays where it is put.
"""

import math
from dataclasses import dataclass

import numpy as np
from mannequin_bones import ARM, F64, INDEX, NAMES, OFFSETS, PARENTS, REST

from app.animation import quat

TURN = 2.0 * math.pi


@dataclass(frozen=True)
class Motion:
    """A clip: K keys of every joint's rotation, and of where the hips are."""

    name: str
    times: F64  # [K] seconds
    rotations: F64  # [K, J, 4] local
    hips: F64  # [K, 3] metres


class Puppet:
    """A pose at each of K moments, set joint by joint, parents before children."""

    def __init__(self, count: int) -> None:
        self.hips = np.tile(REST[0], (count, 1))
        self.local = np.tile(np.eye(3), (count, len(NAMES), 1, 1))  # [K, J, 3, 3]

    def turn(self, joint: str, *turns: F64) -> None:
        """Set a joint's rotation away from rest; of several, the last is done first."""
        whole = turns[0]
        for more in turns[1:]:
            whole = whole @ more
        self.local[:, INDEX[joint]] = whole

    def place(self, joint: str) -> tuple[F64, F64]:
        """Return a joint's position [K, 3] and rotation [K, 3, 3] in model space."""
        j = INDEX[joint]
        if PARENTS[j] < 0:
            return self.hips, self.local[:, j]
        position, rotation = self.place(NAMES[PARENTS[j]])
        return position + rotation @ OFFSETS[j], rotation @ self.local[:, j]

    def turn_to(self, joint: str, rotation: F64) -> None:
        """Set a joint's rotation in model space [K, 3, 3]."""
        _, above = self.place(NAMES[PARENTS[INDEX[joint]]])
        self.local[:, INDEX[joint]] = np.swapaxes(above, -1, -2) @ rotation

    def step_on(self, side: str, foot: "Foot") -> None:
        """Bend a leg so that its ankle is where the foot has it; the knee points forward."""
        hip, _ = self.place(f"{side}UpLeg")
        thigh, shank = OFFSETS[INDEX[f"{side}Leg"]], OFFSETS[INDEX[f"{side}Foot"]]
        a, b = np.linalg.norm(thigh), np.linalg.norm(shank)
        reach = foot.ankle - hip
        far = np.linalg.norm(reach, axis=1)
        if (far > 0.999 * (a + b)).any():
            raise ValueError(f"{side} leg is {far.max() / (a + b):.4f} of its length away")
        down = reach / far[:, None]
        ahead = _unit(foot.ahead - (foot.ahead * down).sum(1)[:, None] * down)
        along = (far**2 + a**2 - b**2) / (2.0 * far)
        out = np.sqrt(a**2 - along**2)
        knee = down * along[:, None] + ahead * out[:, None]
        side_on = np.cross(down, ahead)
        rest_side = _unit(np.cross(thigh + shank, thigh))
        rest_side *= np.sign(rest_side @ side_on[0])
        self.turn_to(f"{side}UpLeg", _between(thigh, knee, rest_side, side_on))
        self.turn_to(f"{side}Leg", _between(shank, reach - knee, rest_side, side_on))
        self.turn_to(f"{side}Foot", foot.rotation)
        self.turn_to(f"{side}ToeBase", foot.toes)

    def motion(self, name: str, times: F64) -> Motion:
        """Return the poses as keys; a key's sign is that of the one before, for the shorter arc."""
        rotations = quat.from_matrix(self.local)
        for k in range(1, len(rotations)):
            turned = quat.dot(rotations[k], rotations[k - 1]) < 0.0
            rotations[k][turned] *= -1.0
        return Motion(name, times, rotations, self.hips)


@dataclass(frozen=True)
class Foot:
    """Where a foot is at each of K moments, in model space."""

    ankle: F64  # [K, 3]
    rotation: F64  # [K, 3, 3]
    toes: F64  # [K, 3, 3]
    ahead: F64  # [K, 3] where the knee points


def _unit(vector: F64) -> F64:
    return vector / np.linalg.norm(vector, axis=-1, keepdims=True)


def _between(rest: F64, now: F64, rest_side: F64, side: F64) -> F64:
    """Return the rotations [K, 3, 3] that bring one direction and its side to another."""
    before = np.stack((_unit(rest), rest_side, np.cross(_unit(rest), rest_side)), axis=-1)
    after = np.stack((_unit(now), side, np.cross(_unit(now), side)), axis=-1)
    return after @ before.T


def about(axis: str | F64, degrees: F64 | float, count: int) -> F64:
    """Return rotations [count, 3, 3] about an axis; about x, forwards is down and up is back."""
    unit = np.eye(3)["xyz".index(axis)] if isinstance(axis, str) else _unit(axis)
    half = np.broadcast_to(np.radians(degrees) / 2.0, (count,))
    return quat.to_matrix(
        np.concatenate((np.sin(half)[:, None] * unit, np.cos(half)[:, None]), axis=1)
    )


def ease(u: F64) -> F64:
    """Return the smooth step from 0 to 1 that starts and ends without speed or acceleration."""
    v = np.clip(u, 0.0, 1.0)
    return v**3 * (10.0 - 15.0 * v + 6.0 * v * v)


def _arms(
    puppet: Puppet, side: str, swing: F64 | float, out: F64 | float, bend: F64 | float
) -> None:
    """Hang an arm: degrees forward, away from the body, and at the elbow."""
    count, sign = len(puppet.hips), 1.0 if side == "Left" else -1.0
    hinge = np.cross(ARM * (sign, 1.0, 1.0), (0.0, 0.0, 1.0))
    lowered = about("z", sign * (np.asarray(out) - 40.0), count)  # the A-pose is 40° off vertical
    puppet.turn(f"{side}Arm", about("x", -np.asarray(swing), count), lowered)
    puppet.turn(f"{side}ForeArm", about(hinge, bend, count))
    puppet.turn(f"{side}Hand", about("z", sign * -4.0, count))
    puppet.turn(f"{side}HandMiddle1", about("z", sign * -14.0, count))


# --- standing -----------------------------------------------------------------------------------


def _stand(puppet: Puppet, breath: F64, sway: F64) -> None:
    """Stand at ease: `breath` -1 … 1 is out … in, `sway` -1 … 1 is right … left."""
    count = len(puppet.hips)
    puppet.hips = puppet.hips + np.stack(
        (0.012 * sway, -0.011 - 0.0025 * sway**2 + 0.0012 * breath, -0.004 + 0.002 * breath), axis=1
    )
    puppet.turn("Hips", about("z", -1.2 * sway, count), about("y", 1.0 * sway, count))
    puppet.turn("Spine", about("z", 0.9 * sway, count), about("x", 1.2 - 0.3 * breath, count))
    puppet.turn("Spine1", about("z", 0.6 * sway, count), about("x", -0.8 - 0.9 * breath, count))
    puppet.turn("Spine2", about("x", 0.6 - 0.8 * breath, count))
    puppet.turn("Neck", about("x", 2.0 + 0.9 * breath, count))
    puppet.turn("Head", about("y", 3.0 * sway, count), about("x", -2.5 + 0.8 * breath, count))
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        puppet.turn(f"{side}Shoulder", about("z", sign * (1.0 + 1.2 * breath), count))
        _arms(puppet, side, 1.0 + 0.6 * breath, 12.0 + 1.2 * breath, 14.0 + 1.0 * breath)
        still = np.tile(REST[INDEX[f"{side}Foot"]], (count, 1))
        outward = about("y", sign * 7.0, count)
        puppet.step_on(side, Foot(still, outward, outward, outward @ np.array((0.0, 0.0, 1.0))))


def idle() -> Motion:
    """Return four seconds of standing: one breath, one sway."""
    times = np.linspace(0.0, 4.0, 121)
    u = times / times[-1]
    puppet = Puppet(len(times))
    _stand(puppet, -np.cos(TURN * u) - 0.15 * np.sin(2.0 * TURN * u), np.sin(TURN * u))
    return puppet.motion("Idle", times)


def wave() -> Motion:
    """Return a greeting with the right hand, from standing to standing."""
    times = np.linspace(0.0, 2.8, 85)
    count, u = len(times), times / times[-1]
    raised = ease(u / 0.24) * ease((1.0 - u) / 0.27)
    puppet = Puppet(count)
    _stand(puppet, -1.0 + 0.9 * raised, 0.35 * raised)
    shake = raised * np.sin(TURN * 3.0 * (u - 0.2))
    puppet.turn("RightShoulder", about("z", -1.0 + 1.2 - 13.0 * raised, count))
    arm, bend = 40.0 - 12.0 + 1.2, 14.0 - 1.0
    puppet.turn("RightArm", about("x", -0.4, count), about("z", arm - 82.0 * raised, count))
    along = ARM * (-1.0, 1.0, 1.0)
    hinge = np.cross(along, (0.0, 0.0, 1.0))
    puppet.turn(
        "RightForeArm",
        about("z", raised * -78.0 - 20.0 * shake, count),
        about(along, 45.0 * raised, count),
        about(hinge, bend * (1.0 - raised), count),
    )
    puppet.turn(
        "RightHand", about("z", 4.0 - 8.0 * shake, count), about(along, 40.0 * raised, count)
    )
    puppet.turn("RightHandMiddle1", about("z", 14.0 * (1.0 - raised), count))
    puppet.turn("Head", about("y", -9.0 * raised, count), about("z", 4.0 * raised, count))
    return puppet.motion("Wave", times)


# --- walking ------------------------------------------------------------------------------------

PERIOD = 1.05  # seconds for two steps
SPEED = 1.05  # metres a second over the ground
STANCE = 0.6  # of a period that a foot is on the ground, from the heel's strike on
FLAT, LIFT = 0.09, 0.3  # phases at which the sole is down, and the heel comes up
MIDDLE = 0.255  # phase at which the ankle passes under the hip; the clip begins there
STRIKE, PUSH = 17.0, 42.0  # degrees that the toes are up at the strike, and the heel at the end


def _stance(u: F64, side: str) -> tuple[F64, F64]:
    """Return the ankle [K, 3] and the pitch [K] (degrees, toes up) of a foot on the ground."""
    ankle, toes = REST[INDEX[f"{side}Foot"]], REST[INDEX[f"{side}ToeBase"]]
    heel = np.array((ankle[0], 0.036, -0.038))
    up = STRIKE * ease(1.0 - u / FLAT)
    push = PUSH * ((u - LIFT).clip(0.0) / (STANCE - LIFT)) ** 2
    carried = np.zeros((len(u), 3))
    carried[:, 2] = -SPEED * PERIOD * (u - MIDDLE)
    about_heel = heel + about("x", -up, len(u)) @ (ankle - heel)
    about_toes = toes + about("x", push, len(u)) @ (ankle - toes)
    place = np.where((u < FLAT)[:, None], about_heel, about_toes)
    return place - (0.0, 0.0, ankle[2]) + carried, up - push


def _foot(u: F64, side: str) -> Foot:
    """Return a foot over the whole period; u [K] is the phase since its heel struck."""
    u = u % 1.0
    count, step = len(u), 1e-4
    ankle, pitch = _stance(u.clip(0.0, STANCE), side)
    edges, angles = _stance(np.array((STANCE - step, STANCE, 0.0, step)), side)
    away = 1.0 - STANCE
    speed = (edges[1] - edges[0]) / step * away, (edges[3] - edges[2]) / step * away
    v = ((u - STANCE) / away).clip(0.0)
    air = u > STANCE
    swing = _hermite(edges[1], speed[0], edges[2], speed[1], v[:, None])
    swing[:, 1] += 0.05 * np.sin(math.pi * v**0.85) ** 2
    turning = (angles[1] - angles[0]) / step * away, (angles[3] - angles[2]) / step * away
    swing_pitch = _hermite(angles[1], turning[0] * 0.6, angles[2], turning[1], v)
    ankle = np.where(air[:, None], swing, ankle)
    pitch = np.where(air, swing_pitch, pitch)
    toes = np.where(air, pitch * ease((v - 0.1) / 0.55), np.maximum(pitch, 0.0))
    sign = 1.0 if side == "Left" else -1.0
    outward = about("y", sign * 4.0, count)
    return Foot(
        ankle,
        outward @ about("x", -pitch, count),
        outward @ about("x", -toes, count),
        outward @ np.array((0.0, 0.0, 1.0)),
    )


def _hermite(a: F64, da: F64, b: F64, db: F64, v: F64) -> F64:
    """Return the cubic from a to b that leaves with da and arrives with db (per whole v)."""
    w = 1.0 - v
    return w * w * ((1.0 + 2.0 * v) * a + v * da) + v * v * ((1.0 + 2.0 * w) * b - w * db)


def walk() -> Motion:
    """Return two steps on the spot, from the left foot under the body round to it again."""
    times = np.linspace(0.0, PERIOD, 64)
    u = MIDDLE + times / PERIOD  # since the left heel struck
    count = len(times)
    puppet = Puppet(count)
    beat = TURN * (u - MIDDLE)  # 0: the left foot carries, the right one swings through
    stride = TURN * u  # 0: left leg ahead
    puppet.hips = puppet.hips + np.stack(
        (0.016 * np.cos(beat), -0.041 + 0.013 * np.cos(2.0 * beat), 0.005 * np.sin(2.0 * beat)),
        axis=1,
    )
    turn, tilt = -5.0 * np.cos(stride), 2.5 * np.cos(beat)
    puppet.turn("Hips", about("y", turn, count), about("z", tilt, count), about("x", 2.0, count))
    puppet.turn("Spine", about("y", -0.5 * turn, count), about("z", -0.8 * tilt, count))
    puppet.turn("Spine1", about("y", -0.7 * turn, count), about("z", -0.7 * tilt, count))
    puppet.turn(
        "Spine2", about("y", -0.7 * turn, count), about("x", 1.0 + np.cos(2.0 * beat), count)
    )
    puppet.turn("Neck", about("y", 0.4 * turn, count), about("x", 1.0, count))
    level = about("x", -1.0 - 0.7 * np.cos(2.0 * beat), count)
    puppet.turn("Head", about("y", 0.5 * turn, count), about("z", 0.4 * tilt, count), level)
    for side, sign, phase in (("Left", 1.0, u), ("Right", -1.0, u - 0.5)):
        forward = -np.cos(TURN * phase)  # an arm is ahead when its leg is behind
        puppet.turn(f"{side}Shoulder", about("y", -sign * 2.5 * forward, count))
        bend = 22.0 + 11.0 * -np.cos(TURN * phase - 0.5)
        _arms(puppet, side, 3.0 + 23.0 * forward, 9.0, bend)
        puppet.step_on(side, _foot(phase, side))
    return puppet.motion("Walk", times)


def clips() -> list[Motion]:
    """Return the mannequin's clips; the first is what a viewer shows."""
    return [idle(), walk(), wave()]
