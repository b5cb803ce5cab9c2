"""Posing of the mannequin: joint rotations, IK of legs and arms, twist joints, conversion to clips.

All axes are model-aligned (+X to the character's left, +Y up, +Z forward): a joint's rotation is
its rotation away from the A-pose, in its parent's axes. All operations work on K times at once; a
single number is used for all of them. Angles are in degrees.

Legs are solved from the positions of the feet, so that a foot on the ground does not slide.
`Puppet.motion` distributes twist to the twist joints (`distribute_twist`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from rigview.animation import quat
from rigview.animation.vectors import dot

from .bones import ARM, AXES, F64, FINGERS, INDEX, NAMES, OFFSETS, PARENTS, REST
from .curves import Values, about, ease, hermite, twist_of, unit
from .hands import wrap
from .sword import TILT

__all__ = ["Foot", "Motion", "Puppet", "about", "arm_axes", "ease", "hermite", "planted", "unit"]

AHEAD = np.array((0.0, 0.0, 1.0))
SIDES = (("Left", 1.0), ("Right", -1.0))
STRAIGHT = 0.9985  # of a leg's length: the furthest that a foot may be from its hip
HEEL_RADIUS, HEEL_BEHIND = 0.018, 0.051  # metres: the heel rolls on a ball behind the ankle
TIP_RADIUS, TIP_AHEAD = 0.0135, 0.067  # metres: and the toes' tip on one ahead of their joint
SOLE_BULGE = 0.0015  # metres: about how far the sole bulges under the ball when the toes bend
# The collar joint takes a third of an arm's elevation from these degrees on, which it nears softly.
COLLAR_SHARE, COLLAR_FROM, COLLAR_SOFT = 1.0 / 3.0, 30.0, 10.0
FIST = (80.0, 100.0, 65.0)  # degrees that the joints of a finger bend
# The same of the thumb. Its first joint turns about the hand's length, ahead, and out of the palm:
# the thumb comes to the hand first, up to RELAXED, and then goes round what the fingers hold.
THUMB_FIST = ((68.0, 19.5, 77.5), 50.0, 42.5)
THUMB_RELAXED, RELAXED = (8.0, -9.0, -9.0), 0.25
# A finger that is neither flat nor closed bends further by this share of a fist; apart from the
# others it is turned by these degrees.
SLACK = {"Index": -0.045, "Middle": 0.0, "Ring": 0.04, "Pinky": 0.075}
SPREAD = {"Index": 8.0, "Middle": 1.0, "Ring": -6.0, "Pinky": -14.0}


@dataclass(frozen=True)
class Motion:
    """A clip in place: K keys of every joint's rotation, and of where the hips are.

    Attributes
    ----------
    times: [K] seconds.
    rotations: [K, J, 4] local, model-aligned axes, signs such that neighbours are near.
    hips: [K, 3] metres, model space.
    interpolation: by joint name, or by path ("rotation", "translation", "weights"): "LINEAR"
        where nothing is said, "CUBICSPLINE" or "STEP".
    face: [K] weight of each morph target that the clip moves.
    loop: the last key is the first one again.
    speed: (x, z) metres a second over the ground that the clip is made for.
    turn: degrees a second about +Y that it is made for.
    """

    name: str
    times: F64
    rotations: F64
    hips: F64
    interpolation: dict[str, str] = field(default_factory=dict)
    face: dict[str, F64] = field(default_factory=dict)
    loop: bool = True
    speed: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0


@dataclass(frozen=True)
class Foot:
    """The transform of a foot at K times, in model space."""

    ankle: F64  # [K, 3]
    rotation: F64  # [K, 3, 3]
    toes: F64  # [K, 3, 3]
    ahead: F64  # [K, 3] where the knee points


def _between(rest: F64, now: F64, rest_side: F64, side: F64) -> F64:
    """Return the rotations [K, 3, 3] from one direction and its side to another."""
    before = np.stack((unit(rest), rest_side, np.cross(unit(rest), rest_side)), axis=-1)
    after = np.stack((unit(now), side, np.cross(unit(now), side)), axis=-1)
    return after @ before.T


def arm_axes(side: str) -> tuple[F64, F64, F64]:
    """Return an arm's directions at rest: along it, the hinge of its elbow, and out of the palm."""
    sign = 1.0 if side == "Left" else -1.0
    along = ARM * (sign, 1.0, 1.0)
    return along, np.cross(along, AHEAD), np.array((sign * ARM[1], -ARM[0], 0.0))


def _shared_twists() -> list[tuple[str, F64, list[tuple[str, float]]]]:
    shares: list[tuple[str, F64, list[tuple[str, float]]]] = []
    for side, _ in SIDES:
        along = arm_axes(side)[0]
        arm = [(f"{side}ArmTwist1", -1.0), (f"{side}ArmTwist2", -0.5)]
        hand = [(f"{side}ForeArmTwist1", 1.0 / 3.0), (f"{side}ForeArmTwist2", 2.0 / 3.0)]
        thigh = REST[INDEX[f"{side}Leg"]] - REST[INDEX[f"{side}UpLeg"]]
        leg = [(f"{side}UpLegTwist", -1.0)]
        shares += [
            (f"{side}Arm", along, arm),
            (f"{side}Hand", along, hand),
            (f"{side}UpLeg", thigh, leg),
        ]
    return shares


def distribute_twist(local: F64) -> None:
    """Set the twist joints of poses [K, J, 3, 3], in place, from the joints whose twist they share.

    ArmTwist1 takes back all of the upper arm's turn about its own length and ArmTwist2 half of it,
    UpLegTwist the thigh's; ForeArmTwist1 and ForeArmTwist2 take a third and two thirds of the
    hand's.
    """
    for joint, axis, shares in _shared_twists():
        twist = twist_of(local[:, INDEX[joint]], axis)
        for name, share in shares:
            local[:, INDEX[name]] = about(axis, share * twist, len(local))


# --- the puppet ----------------------------------------------------------------------------------


class Puppet:
    """Poses at K times, set joint by joint, parents before children.

    It starts in the A-pose, with relaxed fingers and the right hand closed around the prop.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.hips: F64 = np.tile(REST[INDEX["Hips"]], (count, 1))  # [K, 3] model space
        self.local: F64 = np.tile(np.eye(3), (count, len(NAMES), 1, 1))  # [K, J, 3, 3]
        self.curl("Left")
        self.grip("Right")

    def turn(self, joint: str, *turns: F64) -> None:
        """Set a joint's rotation away from rest; the last of several is applied first."""
        whole = turns[0]
        for more in turns[1:]:
            whole = whole @ more
        self.local[:, INDEX[joint]] = whole

    def add(self, joint: str, *turns: F64) -> None:
        """Rotate a joint further, in its parent's axes."""
        self.turn(joint, *turns, self.local[:, INDEX[joint]])

    def place(self, joint: str) -> tuple[F64, F64]:
        """Return a joint's position [K, 3] and rotation [K, 3, 3] in model space."""
        if joint == "Hips":
            return self.hips, self.local[:, INDEX["Hips"]]
        j = INDEX[joint]
        if PARENTS[j] < 0:
            return np.tile(REST[j], (self.count, 1)), self.local[:, j]
        position, rotation = self.place(NAMES[PARENTS[j]])
        return position + rotation @ OFFSETS[j], rotation @ self.local[:, j]

    def turn_to(self, joint: str, rotation: F64) -> None:
        """Set a joint's rotation in model space [K, 3, 3]."""
        _, above = self.place(NAMES[PARENTS[INDEX[joint]]])
        self.local[:, INDEX[joint]] = np.swapaxes(above, -1, -2) @ rotation

    def step_on(self, side: str, foot: Foot) -> None:
        """Bend a leg so that its ankle is where the foot has it; the knee points ahead.

        Raises
        ------
        ValueError: the foot is further away than the leg is long.
        """
        thigh, shank = OFFSETS[INDEX[f"{side}Leg"]], OFFSETS[INDEX[f"{side}Foot"]]
        rest_side = unit(np.cross(thigh + shank, thigh))
        rest_side *= -np.sign(rest_side[0])
        self._bend((f"{side}UpLeg", f"{side}Leg"), foot.ankle, foot.ahead, rest_side, shank)
        self.turn_to(f"{side}Foot", foot.rotation)
        self.turn_to(f"{side}ToeBase", foot.toes)

    def reach(self, side: str, wrist: F64, elbow: F64, hand: F64 | None = None) -> None:
        """Bend an arm so that its wrist is at a place [K, 3]; the elbow points towards `elbow`.

        `elbow` is a direction [K, 3] or [3]; `hand` the hand's rotation [K, 3, 3] in model space,
        otherwise the hand is left as it is to the forearm.

        Raises
        ------
        ValueError: the wrist is further away than the arm is long.
        """
        along, hinge, _ = arm_axes(side)
        self._bend((f"{side}Arm", f"{side}ForeArm"), wrist, elbow, -hinge, along)
        if hand is not None:
            self.turn_to(f"{side}Hand", hand)

    def _bend(
        self, joints: tuple[str, str], end: F64, pole: F64, rest_side: F64, last: F64
    ) -> None:
        """Turn two bones so that the second one's end is at a place, its joint towards a pole."""
        upper, lower = joints
        tip = NAMES.index(lower.replace("ForeArm", "Hand").replace("Leg", "Foot"))
        start, _ = self.place(upper)
        a, b = np.linalg.norm(OFFSETS[INDEX[lower]]), np.linalg.norm(OFFSETS[tip])
        reach = end - start
        far = np.linalg.norm(reach, axis=1)
        if (far > STRAIGHT * (a + b)).any():
            k = int(far.argmax())
            raise ValueError(f"{upper} at {k} of {len(far)}: {far[k] / (a + b):.4f} of its length")
        down = reach / far[:, None]
        ahead = unit(pole - (pole * down).sum(-1, keepdims=True) * down)
        along = (far**2 + a**2 - b**2) / (2.0 * far)
        out = np.sqrt(a**2 - along**2)
        middle = down * along[:, None] + ahead * out[:, None]
        side_on = np.cross(down, ahead)
        self.turn_to(upper, _between(OFFSETS[INDEX[lower]], middle, rest_side, side_on))
        self.turn_to(lower, _between(last, reach - middle, rest_side, side_on))

    def hang(
        self,
        side: str,
        *,
        swing: Values = 0.0,
        out: Values = 8.0,
        bend: Values = 12.0,
        inward: Values = 12.0,
        pronate: Values = 12.0,
        wrist: Values = 0.0,
        thumb: Values = 0.0,
    ) -> None:
        """Set an arm that hangs beside the chest.

        Degrees of forward swing, abduction, elbow bend, inward twist (elbow outward), back twist
        of the palm, and wrist bend towards the palm and towards the thumb.
        """
        count, sign = self.count, 1.0 if side == "Left" else -1.0
        along, hinge, _ = arm_axes(side)
        lowered = about("z", sign * (np.asarray(out) - 40.0), count)  # the A-pose is 40° off
        turned = about(along, sign * np.asarray(inward), count)
        self.turn(f"{side}Arm", about("x", -np.asarray(swing), count), lowered, turned)
        self.turn(f"{side}ForeArm", about(hinge, bend, count))
        flexed = about("z", -sign * np.asarray(wrist), count)
        aside = about(hinge, thumb, count)
        self.turn(f"{side}Hand", about(along, sign * np.asarray(pronate), count), aside, flexed)
        self.raise_collar(side)

    def raise_collar(self, side: str) -> None:
        """Let the collar joint take its share of the elevation of the arm, which stays as it is."""
        sign = 1.0 if side == "Left" else -1.0
        collar, arm = INDEX[f"{side}Shoulder"], INDEX[f"{side}Arm"]
        whole = self.local[:, collar] @ self.local[:, arm]
        down = -(whole @ arm_axes(side)[0])[:, 1]
        over = np.degrees(np.arccos(down.clip(-1.0, 1.0))) - COLLAR_FROM
        raised = COLLAR_SHARE * 0.5 * (over + np.hypot(over, COLLAR_SOFT))
        self.local[:, collar] = about("z", sign * raised, self.count) @ self.local[:, collar]
        self.local[:, arm] = np.swapaxes(self.local[:, collar], -1, -2) @ whole

    def curl(
        self, side: str, amount: Values = 0.25, thumb: Values = 0.25, spread: Values = 0.0
    ) -> None:
        """Close the fingers and the thumb, from 0 (flat) to 1 (fist), and spread them, 0 to 1.

        `amount` is one for all fingers, or [4, K]: one for each, the first finger first.
        """
        each = np.broadcast_to(amount, (len(FINGERS), self.count))
        for (finger, (joints, _, _)), share in zip(FINGERS.items(), each, strict=True):
            bent = share + SLACK[finger] * 4.0 * (share * (1.0 - share)).clip(0.0)
            bends = [most * bent for most in FIST[: len(joints)]]
            self._bend_finger(side, finger, bends, SPREAD[finger] * np.asarray(spread))
        self._bend_thumb(side, thumb)

    def grip(
        self, side: str, amount: Values = 1.0, thumb: Values = 1.0, tilt: Values = 0.0
    ) -> None:
        """Close a hand around its prop, from 0 (flat) to 1 (closed); `amount` as of `curl`.

        `tilt`: degrees that the prop is turned towards the fingers.
        """
        each = np.broadcast_to(amount, (len(FINGERS), self.count))
        across = np.broadcast_to(np.asarray(tilt) - np.degrees(TILT), (self.count,))
        for finger, share in zip(FINGERS, each, strict=True):
            bends = [share * bend for bend in wrap(finger, across)]
            self._bend_finger(side, finger, bends, 0.0)
        along = ease(np.asarray(tilt) / 45.0)  # then the thumb lies along the prop
        self._bend_thumb(side, np.asarray(thumb) * (1.0 - (1.0 - RELAXED) * along))

    def _bend_finger(self, side: str, finger: str, bends: list[F64], apart: Values) -> None:
        """Bend the joints of a finger towards the palm, and turn the first one aside, degrees."""
        sign = 1.0 if side == "Left" else -1.0
        along, _, palm = arm_axes(side)
        for i, bend in enumerate(bends):
            turn = about(np.cross(along, palm), bend, self.count)
            aside = about(palm, sign * np.asarray(apart if i == 0 else 0.0), self.count)
            self.turn(f"{side}Hand{finger}{i + 1}", aside, turn)

    def _bend_thumb(self, side: str, amount: Values) -> None:
        """Bring the thumb against the fingers, from 0 (stretched) to 1 (fist)."""
        along, _, palm = arm_axes(side)
        axes = np.stack((along, AHEAD, palm)) * (1.0 if side == "Left" else -1.0)
        share, (first, *rest) = np.asarray(amount), THUMB_FIST
        beyond = (share - RELAXED).clip(0.0) / (1.0 - RELAXED)
        turns = []
        for most, much in (
            (THUMB_RELAXED, np.minimum(share / RELAXED, 1.0) - beyond),
            (first, beyond),
        ):
            turns.append(about(most @ axes, float(np.linalg.norm(most)) * much, self.count))
        self.turn(f"{side}HandThumb1", *turns)
        for i, bend in enumerate(rest):
            joint = f"{side}HandThumb{i + 2}"
            self.turn(joint, about(AXES[INDEX[joint]][:, 0], bend * share, self.count))

    def look(self, yaw: Values, pitch: Values) -> None:
        """Rotate both eyes: degrees to the character's left, and down."""
        for side, _ in SIDES:
            self.turn(f"{side}Eye", about("y", yaw, self.count), about("x", pitch, self.count))

    def mirrored(self) -> "Puppet":
        """Return the puppet with left and right exchanged; fingers are not exchanged."""
        other = Puppet(self.count)
        flip = np.diag((-1.0, 1.0, 1.0))
        other.hips = self.hips * (-1.0, 1.0, 1.0)
        for j, name in enumerate(NAMES):
            if is_finger(name) or name == "Prop":
                other.local[:, j] = self.local[:, j]
            else:
                other.local[:, INDEX[exchanged(name)]] = flip @ self.local[:, j] @ flip
        return other

    def motion(
        self,
        name: str,
        times: F64,
        *,
        loop: bool = True,
        speed: tuple[float, float] = (0.0, 0.0),
        turn: float = 0.0,
        face: Mapping[str, Values] | None = None,
        interpolation: Mapping[str, str] | None = None,
    ) -> Motion:
        """Return the poses as keys; consecutive quaternions have equal signs."""
        local = self.local.copy()
        distribute_twist(local)
        rotations = quat.from_matrix(local)
        rotations[0][rotations[0][:, 3] < 0.0] *= -1.0
        for k in range(1, len(rotations)):
            turned = dot(rotations[k], rotations[k - 1]) < 0.0
            rotations[k][turned] *= -1.0
        weights = {
            morph: np.broadcast_to(np.asarray(value, np.float64), times.shape).copy()
            for morph, value in (face or {}).items()
        }
        how = dict(interpolation or {})
        return Motion(name, times, rotations, self.hips.copy(), how, weights, loop, speed, turn)


def is_finger(name: str) -> bool:
    """Return whether a joint is that of a finger or a thumb."""
    return any(finger in name for finger in (*FINGERS, "Thumb"))


def exchanged(name: str) -> str:
    """Return the name of the mirrored joint; its own name for joints in the middle."""
    for side, other in (("Left", "Right"), ("Right", "Left")):
        if name.startswith(side):
            return other + name.removeprefix(side)
    return name


def planted(
    side: str,
    ball: F64 | tuple[float, float] | None = None,
    *,
    yaw: Values | None = None,
    roll: Values = 0.0,
    tip: Values = 0.0,
    count: int = 1,
) -> Foot:
    """Return a foot that stands on the ground, and rolls there without sliding.

    Parameters
    ----------
    ball: [K, 2] or (x, z), model space, of the ToeBase joint while the sole is flat; by default
        where it is at rest.
    yaw: degrees that the foot is turned to the character's left; by default 8 outwards.
    roll: degrees; positive: the toes are up and the foot rolls on its heel; negative: the heel is
        up and the toes stay flat.
    tip: degrees that the whole foot is tipped further forward, about the tip of its toes.
    count: K.
    """
    sign = 1.0 if side == "Left" else -1.0
    ankle, toe = (REST[INDEX[f"{side}{own}"]] for own in ("Foot", "ToeBase"))
    centre = toe[[0, 2]] if ball is None else np.asarray(ball)
    heading = about("y", sign * 8.0 if yaw is None else yaw, count)
    up, push = np.clip(roll, 0.0, None), np.clip(-np.asarray(roll), 0.0, None)
    heel = np.array((ankle[0], HEEL_RADIUS, ankle[2] - HEEL_BEHIND))
    end = np.array((toe[0], TIP_RADIUS, toe[2] + TIP_AHEAD))
    rolled = np.radians(np.broadcast_to(up, (count,)))[:, None] * -HEEL_RADIUS * AHEAD
    over = np.radians(np.broadcast_to(tip, (count,)))[:, None] * TIP_RADIUS * AHEAD
    back = about("x", -up, count)
    tipped = about("x", tip, count)
    rocked = back @ (ankle - heel) + heel + rolled
    bent = np.radians(np.broadcast_to(push, (count,)))[:, None]
    bulge = SOLE_BULGE * np.sin(bent) * np.cos(bent) ** 2 * (0.0, 1.0, 0.0)
    raised = about("x", push, count) @ (ankle - toe) + toe + bulge
    raised = (tipped @ (raised - end)[..., None])[..., 0] + end + over
    place = np.where((np.broadcast_to(up, (count,)) > 0.0)[:, None], rocked, raised)
    place = (heading @ (place - toe * (1.0, 0.0, 1.0))[..., None])[..., 0]
    place = place + np.insert(np.broadcast_to(centre, (count, 2)), 1, 0.0, axis=1)
    return Foot(
        place,
        heading @ back @ about("x", push, count) @ tipped,
        heading @ back @ tipped,
        heading @ AHEAD,
    )


def clearance(side: str, foot: Foot) -> F64:
    """Return the height [K] of the lowest of heel, ball and toes of a foot above the floor."""
    ankle, toe = (REST[INDEX[f"{side}{own}"]] for own in ("Foot", "ToeBase"))
    heel = np.array((0.0, HEEL_RADIUS - ankle[1], -HEEL_BEHIND))
    end = np.array((0.0, TIP_RADIUS - toe[1], TIP_AHEAD))
    ball = foot.ankle + foot.rotation @ (toe - ankle)
    heights = (
        (foot.ankle + foot.rotation @ heel)[:, 1] - HEEL_RADIUS,
        ball[:, 1] - toe[1],
        (ball + foot.toes @ end)[:, 1] - TIP_RADIUS,
    )
    return np.min(heights, axis=0)
