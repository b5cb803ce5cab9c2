"""Loops that creep: every pass leaves the whole body a little further on, or turned."""

from collections.abc import Iterator

import numpy as np

from ..clip_ends import Ends, ends
from ..finding_text import number, quoted
from ..looping_clips import loops, said
from ..rule import Hit, Limit, Limits, Rule
from ..subject import TALL, Subject

MEANT = 15.0  # degrees: a clip that turns further in a pass means to turn
NEAR = 15.0  # degrees off an axis of the floor: a way so near to it means to go along it
CLIMBS = 0.05  # of the height: a clip that ends so much higher means to


def _drifts(subject: Subject, limits: Limits) -> Iterator[Hit]:
    for c in loops(subject):
        found, clip = subject.once(ends, c), subject.clip(c)
        name = subject.model.skeleton.names[subject.hips] if subject.hips >= 0 else ""
        for amount, unit, limit, words in _amounts(subject, c, found, limits):
            yield Hit(
                f"{quoted(clip.name)} drifts: a pass leaves the whole body {number(amount)}{unit} "
                f"{words}",
                amount,
                unit.strip(),
                limit,
                clip=clip.name,
                joint=name,
                time=clip.end,
            )


def _amounts(
    subject: Subject, c: int, found: Ends, limits: Limits
) -> Iterator[tuple[float, str, str, str]]:
    """Yield what drifts: an amount, its unit, the limit that it passes, and where to."""
    x, y, z = (float(part) * 1000 for part in found.way)
    settings = said(subject, c)
    axes = "" if settings is None or settings.root is None else settings.root.axes
    kept = axes if settings is not None and settings.root and settings.root.mode != "keep" else ""
    aside = _aside(x, z, found.travels)
    if aside > limits["mm"] and not {"x", "z"} <= set(kept):
        if not found.travels:
            yield aside, " mm", "mm", "further along the floor"
        elif aside > limits["percent"] / 100 * found.ground * 1000:
            yield aside, " mm", "mm", f"aside of its way, {number(found.ground * 1000)} mm long"
    if limits["mm"] < abs(y) < CLIMBS * subject.scale * TALL * 1000 and "y" not in kept:
        yield abs(y), " mm", "mm", "higher" if y > 0 else "lower"
    turn = float(np.degrees(found.turn))
    turns = settings is not None and settings.root is not None and settings.root.turn
    if limits["degrees"] < abs(turn) < MEANT and not turns:
        yield abs(turn), "°", "degrees", f"turned to its {'left' if turn > 0 else 'right'}"


def _aside(x: float, z: float, travels: bool) -> float:
    """Return how far a way leads off: all of it, or off the axis that it goes along."""
    if not travels:
        return float(np.hypot(x, z))
    off = min(abs(x), abs(z))
    return off if np.degrees(np.arctan2(off, max(abs(x), abs(z)))) < NEAR else 0.0


RULES: tuple[Rule, ...] = (
    Rule(
        "root-drift",
        "warning",
        "a loop on the spot leaves the body somewhere else each time, or one that travels leaves "
        "it beside its way",
        "close the root's curves, or keep the root in place with a motion file",
        _drifts,
        (
            Limit("mm", 5.0, "mm", "the whole body is moved in a pass", scaled=True),
            Limit("percent", 2.0, "%", "of its way that a clip that travels gets aside of it"),
            Limit("degrees", 1.0, "°", "it is turned in a pass"),
        ),
    ),
)
