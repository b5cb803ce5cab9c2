"""Feet that slip on the ground, that do not go as fast as is said, or that hover over the floor."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..clip_ends import ends
from ..finding_text import counted, number, quoted
from ..foot_contacts import Contact, Contacts, contacts
from ..looping_clips import looping
from ..rule import Hit, Limit, Limits, Rule
from ..subject import Subject


def _slides(subject: Subject, limits: Limits) -> Iterator[Hit]:
    for c in subject.clips:
        found, clip = subject.once(contacts, c), subject.clip(c)
        for foot, stands in () if found is None else found.feet:
            bad = [each for each in stands if each.slid * 1000 > limits["mm"]]
            if not bad or found is None:
                continue
            worst = max(bad, key=lambda each: each.slid)
            yield Hit(
                f"{quoted(foot.name)} slides {number(worst.slid * 1000)} mm on the ground in "
                f"{quoted(clip.name)}, {_span(worst)}{_others(bad, stands)}; {_ground(found)}",
                worst.slid * 1000,
                "mm",
                "mm",
                clip=clip.name,
                joint=foot.name,
                time=worst.begin,
            )


def _span(contact: Contact) -> str:
    over = " over the seam" if contact.end <= contact.begin else ""
    return f"from {contact.begin:.2f} s to {contact.end:.2f} s{over}"


def _others(bad: list[Contact], stands: tuple[Contact, ...]) -> str:
    if len(stands) == 1:
        return ""
    return f" ({len(bad)} of {counted(len(stands), 'contact')} slide)"


def _ground(found: Contacts) -> str:
    if not found.speed:
        return "the ground stands still"
    return f"best played over a ground that goes {number(found.speed)} m/s"


def _speeds(subject: Subject, limits: Limits) -> Iterator[Hit]:
    for c in subject.clips:
        found, clip = subject.once(contacts, c), subject.clip(c)
        if found is None or not looping(subject, c).wanted or subject.once(ends, c).travels:
            continue
        standing = sum(bool(stands) for _, stands in found.feet)
        if found.speed and standing < len(found.feet) / 2:
            slow, fast = (number(each) for each in found.pace)
            yield Hit(
                f"no ground suits the feet of {quoted(clip.name)}: close to the floor they go at "
                f"{slow} to {fast} m/s, and hardly any stands on one that goes at one speed",
                found.pace[1] - found.pace[0],
                "m/s",
                clip=clip.name,
                mend="lock the feet with inverse kinematics while they stand",
            )
        if standing < len(found.feet):
            continue
        told = _told(subject, c)
        if told is None:
            if found.speed:
                x, z = np.round(-found.ground / found.speed, 2) + 0.0  # not -0
                turn = -np.degrees(found.turn)
                turning = f", turning {number(turn)}°/s," if found.turn else ""
                yield Hit(
                    f"the feet of {quoted(clip.name)} stand on a ground that passes at "
                    f"{number(found.speed)} m/s: moved so fast toward ({x:.2f}, 0, {z:.2f})"
                    f"{turning} they slide least",
                    found.speed,
                    "m/s",
                    clip=clip.name,
                )
            continue
        off = float(np.hypot(*(told + found.ground)))
        if off * 1000 > max(limits["mm_per_s"], limits["percent"] / 100 * np.hypot(*told) * 1000):
            yield Hit(
                f"{quoted(clip.name)} is said to go {number(float(np.hypot(*told)))} m/s, its "
                f"feet go {number(found.speed)} m/s: they slide by {number(off * 1000)} mm/s",
                off * 1000,
                "mm/s",
                "mm_per_s",
                clip=clip.name,
                severity="warning",
                mend="say the speed that the feet have, or bring the feet to the speed",
            )


def _told(subject: Subject, c: int) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None":
    """Return the speed [2] along x and z that the file says of a clip on the spot, metres/s."""
    rows = subject.document.rows("animations") if subject.document is not None else []
    extras: Any = rows[c].get("extras") if c < len(rows) else None
    own = extras.get("rigview") if isinstance(extras, Mapping) else None
    speed = own.get("speed") if isinstance(own, Mapping) else None
    if not isinstance(speed, list) or len(speed) != 2:
        return None
    if not all(isinstance(each, int | float) and abs(each) < 1e6 for each in speed):
        return None
    return np.array(speed, np.float64)


def _hovers(subject: Subject, limits: Limits) -> Iterator[Hit]:
    for c in subject.clips:
        found, clip = subject.once(contacts, c), subject.clip(c)
        if found is None or not looping(subject, c).wanted or not found.speed:
            continue
        if found.lowest * 1000 > limits["mm"]:
            yield Hit(
                f"the feet of {quoted(clip.name)} come no nearer to the floor than "
                f"{number(found.lowest * 1000)} mm",
                found.lowest * 1000,
                "mm",
                "mm",
                clip=clip.name,
            )


RULES: tuple[Rule, ...] = (
    Rule(
        "foot-slide",
        "warning",
        "a foot that stands on the ground slides on it; a ground that goes by at one speed is "
        "reckoned with, or, where the clip travels, one that stands",
        "lock the foot with inverse kinematics while it stands, or move the character as fast as "
        "its feet go",
        _slides,
        (Limit("mm", 30.0, "mm", "that a foot gets away in one contact", scaled=True),),
    ),
    Rule(
        "ground-speed",
        "info",
        "the speed at which a clip on the spot has to be moved so that its feet do not slide; a "
        "warning where the file says another one (extras.rigview.speed)",
        "move the character at this speed while the clip plays",
        _speeds,
        (
            Limit("mm_per_s", 100.0, "mm/s", "off the speed that is said", scaled=True),
            Limit("percent", 5.0, "%", "off the speed that is said, where that is more"),
        ),
    ),
    Rule(
        "feet-hover",
        "info",
        "the feet of a gait never get down to the floor",
        "lower the hips' curve, or put the floor where the feet are",
        _hovers,
        (Limit("mm", 15.0, "mm", "above the floor", scaled=True),),
    ),
)
