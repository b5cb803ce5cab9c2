"""Poses of the mannequin as named parameters, key poses in time, and solving of joints.

A pose is a table of named triples. The trunk is given by angles (degrees; pitch forward, yaw to
the left, roll to the right), the feet by the positions of their balls, the arms by angles, by hand
positions, or a blend of both. Names of a limb begin with `l_` or `r_`.
"""

import numpy as np

from rigview.animation import quat

from .bones import F64, INDEX, OFFSETS, REST
from .puppet import AHEAD, Motion, Puppet, about, arm_axes, ease, hermite, unit

Triple = tuple[float, float, float]
Pose = dict[str, Triple]
Tracks = dict[str, F64]  # [K, 3] each

FACE = ("smile", "frown", "blinkLeft", "blinkRight", "jawOpen")
SIDES = (("l", "Left", 1.0), ("r", "Right", -1.0))
SPINE = (("Spine", 0.3), ("Spine1", 0.35), ("Spine2", 0.35))  # shares of the trunk's bend
NECK = 0.45  # of what turns the head from the chest
REACH = 0.9985  # of a limb's length, at most
FOLLOW = 0.04  # seconds by which a finger follows the one beside it
KNEE, ELBOW = 0.055, 0.04  # metres above the floor that they keep


def _neutral() -> Pose:
    pose: Pose = {
        "hips": (0.0, 0.955, 0.0),  # m
        "turn": (0.0, 0.0, 0.0),  # of the hips
        "spine": (0.0, 0.0, 0.0),  # of the chest against the hips
        "head": (0.0, 0.0, 0.0),  # in model space
        "eyes": (0.0, 0.0, 0.0),  # against the head
        "prop": (0.0, 0.0, 0.0),  # tilted towards the fingers
    }
    for side, name, sign in SIDES:
        ball = REST[INDEX[f"{name}ToeBase"]]
        pose |= {
            f"{side}_ball": (float(ball[0]), float(ball[1]), float(ball[2])),  # m
            f"{side}_sole": (
                0.0,
                sign * 6.0,
                0.0,
            ),  # heel up, toes to the left, left edge up
            f"{side}_toes": (0.0, 0.0, 0.0),  # tip down, against the floor
            f"{side}_knee": (sign * 0.12, 0.0, 1.0),  # where it points
            f"{side}_shoulder": (0.0, 0.0, 0.0),  # raised, brought forward
            f"{side}_arm": (0.0, 10.0, 0.0),  # raised forward, sideways, turned outward
            f"{side}_elbow": (12.0, 0.0, 0.0),  # bent
            f"{side}_wrist": (
                4.0,
                0.0,
                0.0,
            ),  # to the palm, to the thumb, palm back
            f"{side}_hold": (0.0, 0.0, 0.0),  # 1: the hand is where the next four say
            f"{side}_hand": (sign * 0.3, 0.9, 0.3),  # m, the wrist
            f"{side}_point": (0.0, 0.0, 1.0),  # where the fingers point
            f"{side}_palm": (0.0, -1.0, 0.0),  # where the palm looks
            f"{side}_bend": (sign * 0.5, -0.3, -1.0),  # where the elbow points
            f"{side}_curl": (0.25, 0.25, 0.0),  # of fingers and thumb: 1 is closed; their spread
        }
    return pose | dict.fromkeys(FACE, (0.0, 0.0, 0.0))


NEUTRAL = _neutral()


def pose(base: Pose, **changes: Triple | float) -> Pose:
    """Return a changed copy of a pose; a single number sets the first of three."""
    unknown = changes.keys() - base.keys()
    if unknown:
        raise KeyError(f"no such parts of a pose: {sorted(unknown)}")
    return base | {name: _triple(value) for name, value in changes.items()}


def _triple(value: Triple | float) -> Triple:
    return value if isinstance(value, tuple) else (float(value), 0.0, 0.0)


class Score:
    """Key poses in time; parts are interpolated smoothly and without overshoot."""

    def __init__(self, start: Pose) -> None:
        self.start = start
        self.keys: dict[str, list[tuple[float, Triple]]] = {
            name: [(0.0, value)] for name, value in start.items()
        }
        self.slopes: dict[tuple[str, float], Triple] = {}

    def at(self, time: float, **changes: Triple | float) -> "Score":
        """Set some parts at a time; times of a part must increase."""
        for name, value in changes.items():
            if time <= self.keys[name][-1][0]:
                raise ValueError(f"{name} is already given at {self.keys[name][-1][0]}")
            self.keys[name].append((time, _triple(value)))
        return self

    def still(self, time: float, *names: str) -> "Score":
        """Hold parts at their last values until a time."""
        return self.at(time, **{name: self.keys[name][-1][1] for name in names})

    def speed(self, time: float, **slopes: Triple) -> "Score":
        """Set the rate of change of parts at one of their keys, per second."""
        self.slopes |= {(name, time): slope for name, slope in slopes.items()}
        return self

    def close(self, time: float, end: Pose | None = None) -> "Score":
        """End in a pose, by default the first one."""
        last = self.start if end is None else end
        return self.at(time, **last)

    def tracks(self, times: F64) -> Tracks:
        """Return all parts at K times."""
        return {name: self._track(name, keys, times) for name, keys in self.keys.items()}

    def _track(self, name: str, keys: list[tuple[float, Triple]], times: F64) -> F64:
        if len(keys) == 1:
            return np.tile(np.array(keys[0][1]), (len(times), 1))
        when, values = np.array([time for time, _ in keys]), np.array([v for _, v in keys])
        slopes = _slopes(when, values)
        for row, time in enumerate(when):
            slopes[row] = self.slopes.get((name, float(time)), slopes[row])
        k = (np.searchsorted(when, times, side="right") - 1).clip(0, len(when) - 2)
        step = np.diff(when)[k][:, None]
        u = ((times - when[k])[:, None] / step).clip(0.0, 1.0)
        return hermite(values[k], slopes[k] * step, values[k + 1], slopes[k + 1] * step, u)


def _slopes(when: F64, values: F64) -> F64:
    """Return slopes [N, C] of the monotone cubic (Fritsch, Butland 1984), zero at both ends."""
    steps = np.diff(when)[:, None]
    rises = np.diff(values, axis=0) / steps
    slopes = np.zeros_like(values)
    before, after = steps[:-1], steps[1:]
    heavy, light = 2.0 * after + before, after + 2.0 * before
    same = rises[:-1] * rises[1:] > 0.0
    one, two = np.where(same, rises[:-1], 1.0), np.where(same, rises[1:], 1.0)
    slopes[1:-1] = np.where(same, (heavy + light) / (heavy / one + light / two), 0.0)
    return slopes


# --- from the numbers to the joints -------------------------------------------------------------


def euler(angles: F64) -> F64:
    """Return rotations [K, 3, 3]: roll is applied first, then pitch, then yaw."""
    pitch, yaw, roll = angles.T
    count = len(angles)
    return about("y", yaw, count) @ about("x", pitch, count) @ about("z", roll, count)


def part(rotation: F64, share: float) -> F64:
    """Return fractions of rotations [K, 3, 3], about the same axes."""
    q = quat.from_matrix(rotation)
    none = np.broadcast_to(np.array((0.0, 0.0, 0.0, 1.0)), q.shape)
    return quat.to_matrix(quat.slerp(none, q, np.full(len(q), share)))


def between(rest: F64, rest_side: F64, now: F64, side: F64) -> F64:
    """Return rotations [K, 3, 3] from a direction, and one across it, to others [K, 3]."""

    def frame(along: F64, across: F64) -> F64:
        x = unit(along)
        y = unit(across - (across * x).sum(-1, keepdims=True) * x)
        return np.stack((x, y, np.cross(x, y)), axis=-1)

    return frame(now, side) @ frame(rest, rest_side).T


def solve(
    puppet: Puppet, joints: tuple[str, str, str], hinge: F64, end: F64, bend: F64
) -> tuple[F64, F64]:
    """Return the model-space rotations of a two-bone limb with its end at `end` [K, 3].

    `hinge` is the axis of a positive bend at rest, `bend` [K, 3] the pole direction.
    """
    top, _ = puppet.place(joints[0])
    first, second = OFFSETS[INDEX[joints[1]]], OFFSETS[INDEX[joints[2]]]
    a, b = np.linalg.norm(first), np.linalg.norm(second)
    reach = end - top
    far = np.linalg.norm(reach, axis=1, keepdims=True)
    least = KNEE if joints[2].endswith("Foot") else ELBOW
    if far.max() > REACH * (a + b) and joints[2].endswith("Foot"):
        k = int(far.argmax())
        raise ValueError(f"{joints[2]} is {far.max() / (a + b):.4f} of its length away at key {k}")
    direction = reach / far
    far = far.clip(abs(a - b) + 0.01, REACH * (a + b))
    ahead = unit(bend - (bend * direction).sum(1, keepdims=True) * direction)
    along = (far**2 + a**2 - b**2) / (2.0 * far)
    out = np.sqrt((a**2 - along**2).clip(1e-9))
    ahead = _above(ahead, direction, (least - (top + direction * along)[:, 1:2]) / out)
    middle = direction * along + ahead * out
    side = np.cross(ahead, direction)
    return (
        between(first, hinge, middle, side),
        between(second, hinge, direction * far - middle, side),
    )


def _above(ahead: F64, direction: F64, least: F64) -> F64:
    """Return pole directions [K, 3], swung sideways until the middle joint is above `least`."""
    up = np.array((0.0, 1.0, 0.0)) - direction[:, 1:2] * direction
    height = np.linalg.norm(up, axis=1, keepdims=True).clip(1e-3)
    up, across = up / height, np.cross(direction, up / height)
    now = (ahead * up).sum(1, keepdims=True)
    short = (least / height).clip(-2.0, 0.98) - now
    risen = (now + 0.5 * (short + np.hypot(short, 0.02) - 0.02)).clip(-1.0, 1.0)
    aside = np.sqrt(1.0 - risen**2) * np.where((ahead * across).sum(1, keepdims=True) < 0.0, -1, 1)
    return np.where(short > -0.5, risen * up + aside * across, ahead)


def _leg(puppet: Puppet, tracks: Tracks, side: str, name: str) -> None:
    """Solve a leg for the position of its foot."""
    count = puppet.count
    sole = euler(tracks[f"{side}_sole"])
    ankle = tracks[f"{side}_ball"] - sole @ OFFSETS[INDEX[f"{name}ToeBase"]]
    joints = (f"{name}UpLeg", f"{name}Leg", f"{name}Foot")
    across = np.array((1.0, 0.0, 0.0))
    thigh, shank = solve(puppet, joints, across, ankle, tracks[f"{side}_knee"])
    puppet.turn_to(joints[0], thigh)
    puppet.turn_to(joints[1], shank)
    puppet.turn_to(joints[2], sole)
    pitch, yaw = tracks[f"{side}_toes"][:, 0], tracks[f"{side}_sole"][:, 1]
    puppet.turn_to(f"{name}ToeBase", about("y", yaw, count) @ about("x", pitch, count))


def _arm(puppet: Puppet, tracks: Tracks, side: str, name: str, sign: float) -> None:
    """Set an arm by angles, blended with IK to its hand position by `hold` weights."""
    count = puppet.count
    along, hinge, _ = arm_axes(name)
    joints = (f"{name}Arm", f"{name}ForeArm", f"{name}Hand")
    up, ahead, _ = tracks[f"{side}_shoulder"].T
    puppet.turn(f"{name}Shoulder", about("y", -sign * ahead, count), about("z", sign * up, count))
    swing, out, twist = tracks[f"{side}_arm"].T
    puppet.turn(
        joints[0],
        about("x", -swing, count),
        about("z", sign * (out - 40.0), count),  # the A-pose is 40° off the vertical
        about(along, -sign * twist, count),
    )
    puppet.turn(joints[1], about(hinge, tracks[f"{side}_elbow"][:, 0], count))
    flex, thumbward, palm_back = tracks[f"{side}_wrist"].T
    puppet.turn(
        joints[2],
        about(along, sign * palm_back, count),
        about(hinge, thumbward, count),
        about("z", -sign * flex, count),
    )
    hold = tracks[f"{side}_hold"][:, 0]
    if hold.any():
        free = puppet.local.copy()
        _hold(puppet, tracks, side, name, free)
        collar = puppet.local[:, INDEX[f"{name}Shoulder"]].copy()
        puppet.raise_collar(name)
        back = np.swapaxes(puppet.local[:, INDEX[f"{name}Shoulder"]], -1, -2) @ collar
        free[:, INDEX[joints[0]]] = back @ free[:, INDEX[joints[0]]]
        _hold(puppet, tracks, side, name, free)
    else:
        puppet.raise_collar(name)


def _hold(puppet: Puppet, tracks: Tracks, side: str, name: str, free: F64) -> None:
    """Blend an arm from local rotations `free` [K, J, 3, 3] to where its hand is held."""
    along, hinge, palm = arm_axes(name)
    joints = (f"{name}Arm", f"{name}ForeArm", f"{name}Hand")
    hold = tracks[f"{side}_hold"][:, 0]
    hand = between(along, palm, tracks[f"{side}_point"], tracks[f"{side}_palm"])
    upper, fore = solve(puppet, joints, hinge, tracks[f"{side}_hand"], tracks[f"{side}_bend"])
    for joint, turned in zip(joints, (upper, fore, hand), strict=True):
        puppet.turn_to(joint, turned)
    for joint in joints:
        held = quat.from_matrix(puppet.local[:, INDEX[joint]])
        mixed = quat.slerp(quat.from_matrix(free[:, INDEX[joint]]), held, hold)
        puppet.local[:, INDEX[joint]] = quat.to_matrix(mixed)


def _one_after_another(curl: F64, times: F64) -> F64:
    """Return the curl of each finger [4, K]: the little finger leads, the others follow it.

    At the ends of a clip they are together.
    """
    near = np.minimum(times - times[0], times[-1] - times)
    lag = FOLLOW * ease(near / (5.0 * FOLLOW))
    return np.stack([np.interp(times - late * lag, times, curl) for late in (3.0, 2.0, 1.0, 0.0)])


def assemble(tracks: Tracks, times: F64) -> Puppet:
    """Return the puppet in K poses."""
    puppet = Puppet(len(tracks["hips"]))
    puppet.hips = tracks["hips"].copy()
    puppet.turn("Hips", euler(tracks["turn"]))
    bend = euler(tracks["spine"])
    for joint, share in SPINE:
        puppet.turn(joint, part(bend, share))
    _, chest = puppet.place("Spine2")
    tilt = np.swapaxes(chest, -1, -2) @ euler(tracks["head"])
    puppet.turn("Neck", part(tilt, NECK))
    puppet.turn("Head", part(tilt, 1.0 - NECK))
    for side, name, sign in SIDES:
        puppet.turn(f"{name}Eye", euler(tracks["eyes"]))
        _leg(puppet, tracks, side, name)
        _arm(puppet, tracks, side, name, sign)
    each = _one_after_another(tracks["l_curl"][:, 0], times)
    puppet.curl("Left", each, *tracks["l_curl"][:, 1:].T)
    each = _one_after_another(tracks["r_curl"][:, 0], times)
    puppet.grip("Right", each, tracks["r_curl"][:, 1], tracks["prop"][:, 0])
    along, _, _ = arm_axes("Right")
    tilted = about(np.cross(AHEAD, along), tracks["prop"][:, 0], puppet.count)
    puppet.turn("Prop", tilted)
    return puppet


def perform(
    name: str,
    tracks: Tracks,
    times: F64,
    *,
    loop: bool = False,
    interpolation: dict[str, str] | None = None,
) -> Motion:
    """Return a score as a clip; facial morphs that stay 0 have no track."""
    face = {morph: tracks[morph][:, 0] for morph in FACE if tracks[morph].any()}
    return assemble(tracks, times).motion(
        name, times, loop=loop, face=face, interpolation=interpolation
    )


def frames(seconds: float, rate: float = 30.0) -> F64:
    """Return the key times of a clip."""
    return np.linspace(0.0, seconds, round(seconds * rate) + 1)
