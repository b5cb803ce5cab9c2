"""Rules about feet: sliding on the ground, speed of the ground, hovering above the floor."""

from collections.abc import Iterator

import numpy as np

from ...animation.clip import Clip
from ...animation.types import F64
from ...wording import counted, measure, number, quoted
from ..check_context import CheckContext
from ..clip_ends import compare_ends
from ..clip_rules import per_clip
from ..finding import Finding, Limit, Limits, rule
from ..foot_contacts import Contact, Contacts, contacts
from ..looping_clips import loop_decision


@rule(
    "foot-slide",
    "size",
    "a foot slides on the ground during contact; the ground moves at a constant velocity, or "
    "is static if the clip travels",
    "lock the foot with inverse kinematics during contact, or move the character at the speed "
    "of its feet",
    Limit("mm", 30.0, "mm", "distance in one contact", scaled=True),
)
@per_clip
def _slides(context: CheckContext, limits: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    found = context.cached(contacts, c)
    for foot, of_foot in found.feet if found is not None and found.fits else ():
        bad = [contact for contact in of_foot if contact.slide * 1000 > limits["mm"]]
        if not bad or found is None:
            continue
        worst = max(bad, key=lambda contact: contact.slide)
        yield Finding(
            f"{quoted(foot.name)} slides {measure(worst.slide * 1000, 'mm')} on the ground in "
            f"{quoted(clip.name)}, {_span(worst)}{_others(bad, of_foot)}; {_ground(found)}",
            worst.slide * 1000,
            joint=foot.name,
            time=worst.begin,
            size=worst.slide,
            touches=len(bad),
        )


def _span(contact: Contact) -> str:
    over = " over the seam" if contact.end <= contact.begin else ""
    return f"from {contact.begin:.2f} s to {contact.end:.2f} s{over}"


def _others(bad: list[Contact], of_foot: tuple[Contact, ...]) -> str:
    if len(of_foot) == 1:
        return ""
    return f" ({len(bad)} of {counted(len(of_foot), 'contact')} slide)"


def _ground(found: Contacts) -> str:
    if not found.speed:
        return "the ground is static"
    return f"measured against a ground speed of {number(found.speed)} m/s"


@rule(
    "ground-speed",
    "size",
    "the speed at which a clip on the spot must be moved so that its feet do not slide; or "
    "how much it differs from the declared speed (extras.rigview.speed)",
    "move the character at this speed while the clip plays",
    Limit("mm_per_s", 100.0, "mm/s", "difference to the declared speed", scaled=True),
    Limit("percent", 5.0, "%", "difference to the declared speed; the greater limit counts"),
)
@per_clip
def _speeds(context: CheckContext, limits: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    found = context.cached(contacts, c)
    ends = context.cached(compare_ends, c)
    if found is None or not loop_decision(context, c).expected or ends.travels:
        return
    if not found.fits:
        slow, fast = (number(bound) for bound in found.speed_range)
        yield Finding(
            f"the feet of {quoted(clip.name)} fit no constant ground speed: near the floor "
            f"they move at {slow} to {fast} m/s",
            found.speed_range[1] - found.speed_range[0],
            "m/s",
            fix="lock the feet with inverse kinematics during contact",
        )
    if found.followed < len(found.feet):
        return
    declared = _declared_speed(context, c)
    if declared is None:
        if found.speed:
            x, z = np.round(-found.ground_velocity / found.speed, 2) + 0.0  # not -0
            turn = -np.degrees(found.ground_turn)
            turning = f", turning {number(turn)}°/s," if found.ground_turn else ""
            yield Finding(
                f"the feet of {quoted(clip.name)} fit a ground speed of "
                f"{number(found.speed)} m/s: moved at that speed along ({x:.2f}, 0, {z:.2f})"
                f"{turning} they slide least",
                found.speed,
                "m/s",
            )
        return
    off = float(np.hypot(*(declared + found.ground_velocity)))
    speed = np.hypot(*declared)
    if off * 1000 > max(limits["mm_per_s"], limits["percent"] / 100 * speed * 1000):
        yield Finding(
            f"{quoted(clip.name)} has a declared speed of {number(float(speed))} m/s, but its "
            f"feet move at {number(found.speed)} m/s: they slide by "
            f"{measure(off * 1000, 'mm/s')}",
            off * 1000,
            "mm/s",
            limits["mm_per_s"],
            size=off * _longest(found, clip),
            fix="declare the speed of the feet, or animate the feet at the declared speed",
        )


def _longest(found: Contacts, clip: Clip) -> float:
    """Return the duration of the longest contact of a clip, seconds."""
    contacts_of_feet = [contact for _, of_foot in found.feet for contact in of_foot]
    return max(((each.end - each.begin) % clip.duration for each in contacts_of_feet), default=0.0)


def _declared_speed(context: CheckContext, c: int) -> F64 | None:
    """Return ``extras.rigview.speed`` [2] of a clip: velocity along x and z, metres per second."""
    speed = context.extras(c).get("speed")
    if not isinstance(speed, list) or len(speed) != 2:
        return None
    if not all(isinstance(component, int | float) and abs(component) < 1e6 for component in speed):
        return None
    return np.array(speed, np.float64)


@rule(
    "feet-hover",
    "size",
    "the feet of a gait never reach the floor",
    "lower the curve of the hips, or place the floor at the feet",
    Limit("mm", 15.0, "mm", "height above the floor", scaled=True),
)
@per_clip
def _hovers(context: CheckContext, limits: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    found = context.cached(contacts, c)
    if found is None or not loop_decision(context, c).expected or not found.speed:
        return
    if found.lowest * 1000 > limits["mm"]:
        yield Finding(
            f"the feet of {quoted(clip.name)} stay {measure(found.lowest * 1000, 'mm')} "
            "above the floor",
            found.lowest * 1000,
            size=found.lowest,
        )
