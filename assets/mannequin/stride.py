"""Gaits: the steps of both feet and the body above them, as clips.

Their phase u is 0 at the contact of the left foot, and 0.5 at that of the right one. A clip begins
at u = -`CONTACT`, so that its seam is in single support, away from contacts.
"""

from dataclasses import dataclass, fields, replace

import numpy as np

from .bones import F64, INDEX, OFFSETS
from .curves import Values, cycle, ease
from .puppet import Foot, Motion, Puppet
from .steps import Knots, Step
from .walk import Carriage, carry, mirrored, swing_arms

TIMING = ("bob_low", "late", "trail")  # what a carriage cannot change on the way
# When parts of the body turn in a turning step, in its phase: the head leads, the hips come last.
TURNS = {"chest_facing": (0.0, 0.62), "facing": (0.12, 0.97)}
GLANCE, DART = 10.0, 14.0  # degrees by which the head, and the eyes in it, lead the turn
CONTACT = 0.25  # phase of a clip at which the left foot meets the ground
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
    right_legs: Knots = ()  # the same of the right leg, if it differs
    right_at: float = 0.5  # phase at which the right foot meets the ground
    reach: float = 0.997  # of a leg's length, at most: its knee is then bent by 9 degrees


def perform(gait: Gait) -> tuple[Puppet, F64]:
    """Return the puppet over one period, and the keys' times."""
    times = np.linspace(0.0, gait.left.period, gait.keys + 1)
    u = np.round(times / times[-1] - CONTACT, 9)  # a contact is at 0, not a little before
    puppet = Puppet(len(times))
    carry(puppet, u, gait.carriage)
    feet = {
        "Left": gait.left.foot(u, "Left", gait.knee),
        "Right": gait.right.foot(u - gait.right_at, "Right", -gait.knee),
    }
    if gait.legs:
        settle(puppet, u, feet, gait)
    for side, foot in feet.items():
        puppet.step_on(side, foot)
    return puppet, times


def settle(puppet: Puppet, u: F64, feet: dict[str, Foot], gait: Gait) -> None:
    """Adjust the height of the hips so that the supporting leg has its intended length.

    The height is a smooth curve with two and four cycles per period (one to four, if the steps
    differ), fitted to the legs; and low enough that no leg becomes straight.
    """
    beats = (1.0, 2.0, 3.0, 4.0) if gait.right_legs else (2.0, 4.0)
    angles = 2.0 * np.pi * np.outer(u, beats)
    waves = np.concatenate((np.ones((len(u), 1)), np.cos(angles), np.sin(angles)), axis=1)
    rows, wishes, hips = [], [], puppet.hips[:, 1].copy()
    sides = (
        ("Left", 0.0, gait.right_at, gait.legs),
        ("Right", gait.right_at, 1.0 - gait.right_at, gait.right_legs or gait.legs),
    )
    for side, late, alone, knee in sides:
        phase = (u - late) % 1.0
        hip, ankle = puppet.place(f"{side}UpLeg")[0], feet[side].ankle
        level = np.hypot(*(hip - ankle)[:, [0, 2]].T)
        long = LEG[side] * np.cos(np.radians(cycle(phase, *knee)) / 2.0)
        offset = ankle[:, 1] - hip[:, 1]
        weight = np.where(phase < alone, ease(phase / 0.06 + 0.3), 0.0)[:-1]
        rows.append(waves[:-1] * weight[:, None])
        wishes.append((offset + np.sqrt(long**2 - level**2))[:-1] * weight)
    fit = np.linalg.lstsq(np.concatenate(rows), np.concatenate(wishes), rcond=None)[0]
    raised = waves @ fit
    puppet.hips[:, 1] = (
        hips + raised + min(0.0, float((ceiling(puppet, feet, gait.reach) - raised).min()))
    )


def ceiling(puppet: Puppet, feet: dict[str, Foot], reach: Values) -> F64:
    """Return by how much [K] the hips may rise before a leg is longer than `reach`."""
    limits = []
    for side, foot in feet.items():
        hip = puppet.place(f"{side}UpLeg")[0]
        level = np.hypot(*(hip - foot.ankle)[:, [0, 2]].T)
        height = np.sqrt(((reach * LEG[side]) ** 2 - level**2).clip(0.0))
        limits.append(foot.ankle[:, 1] - hip[:, 1] + height)
    return np.minimum(*limits)


def cycle_of(gait: Gait) -> Motion:
    """Return a gait as a clip."""
    puppet, times = perform(gait)
    return puppet.motion(gait.name, times, speed=gait.left.speed, turn=gait.left.turn)


def other_side(gait: Gait, name: str) -> Gait:
    """Return a gait with left and right exchanged; it also begins with the left foot's contact."""
    return replace(
        gait,
        name=name,
        left=gait.right.mirrored(),
        right=gait.left.mirrored(),
        carriage=mirrored(gait.carriage),
    )


def straight(step: Step) -> tuple[Step, Step]:
    """Return the left foot's step, and the mirrored step of the right one."""
    return step, step.mirrored()


@dataclass(frozen=True)
class TurnStep:
    """A transition from one gait to another, at phases `u` [K]."""

    puppet: Puppet
    times: F64  # [K]
    u: F64  # [K]
    carriage: Carriage

    def other_side(self) -> Puppet:
        """Return the puppet with left and right exchanged; its right hand holds the prop."""
        other = self.puppet.mirrored()
        swing_arms(other, self.u - 0.5, mirrored(self.carriage))
        return other


def turn_step(one: Gait, two: Gait) -> TurnStep:
    """Return the transition from one gait to another while the hips turn.

    It begins at the contact of the right foot in the first gait, and ends at that in the other one,
    so that crossed legs are uncrossed in between.
    """
    middle = np.roll(np.arange(one.keys), -round((0.5 + CONTACT) * one.keys))
    middle = np.append(middle, middle[0])
    body, times = perform(one)
    other, _ = perform(two)
    u = np.round(0.5 + times / times[-1], 9)
    v = times / times[-1]
    turned, parts = ease((v - 0.05) / 0.9), {}
    for field in fields(Carriage):
        if field.name not in TIMING:
            start, end = TURNS.get(field.name, (0.05, 0.95))
            before, after = (getattr(gait.carriage, field.name) for gait in (one, two))
            parts[field.name] = before + (after - before) * ease((v - start) / (end - start))
    way = np.sign(two.carriage.facing - one.carriage.facing)
    parts["gaze"] = parts["gaze"] + way * GLANCE * (ease(v / 0.36) - ease((v - 0.45) / 0.5))
    parts["eyes"] = parts["eyes"] + way * DART * (ease(v / 0.12) - ease((v - 0.12) / 0.4))
    puppet = Puppet(len(times))
    carriage = replace(one.carriage, **parts)
    carry(puppet, u, carriage)
    height = body.hips[middle, 1] * (1.0 - turned) + other.hips[middle, 1] * turned
    puppet.hips[:, 1] = height
    # the left foot uncrosses where it would have passed, the right one where it comes down
    left = replace(one.left, across=_wider(one.left.across, -0.02, 2.2))
    right = replace(one.right, across=_wider(two.right.across, 0.03, 2.3))
    left, right = _between(left, two.left), _between(right, two.right)
    feet = {
        "Left": left.foot(u, "Left", one.knee, two.left),
        "Right": right.foot(u - 0.5, "Right", -one.knee, two.right),
    }
    give = np.sin(np.pi * (u - 0.5)) ** 2  # the knees give while the hips turn
    inside = slice(8, -8)
    reach = one.reach + (two.reach - one.reach) * turned
    short = (-ceiling(puppet, feet, reach)[inside] / give[inside]).max()
    puppet.hips[:, 1] -= max(0.012, float(short)) * give
    for side, foot in feet.items():
        puppet.step_on(side, foot)
    return TurnStep(puppet, times, u, carriage)


def _wider(across: Knots, later: float, times: float) -> Knots:
    """Return the way of a foot aside with its first knot later, and further aside."""
    (v, far), *rest = across
    return ((v + later, times * far), *rest)


def _blended(one: Knots, two: Knots) -> F64:
    """Return knots [N, 2] that go over from the first to the second."""
    before, after = np.array(one), np.array(two)
    later = 0.5 * (before[:, :1] + after[:, :1])
    return before * (1.0 - later) + after * later


def _between(one: Step, two: Step) -> Step:
    """Return a step with the lift-off of one step and the contact of another."""
    heights = _blended(one.heights, two.heights)
    heights[:, 1] += 0.012 * np.sin(np.pi * heights[:, 0]) ** 2
    pitches = _blended(one.pitches[:1] + one.pitches[-1:], two.pitches[:1] + two.pitches[-1:])
    return replace(
        one,
        heights=tuple((float(v), float(y)) for v, y in heights),
        pitches=tuple((float(v), float(up)) for v, up in pitches),
        beyond=two.beyond,
    )
