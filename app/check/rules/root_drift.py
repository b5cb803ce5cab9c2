"""Rule about root drift: each pass of a loop displaces or rotates the whole body a little."""

from collections.abc import Iterator

import numpy as np

from ...wording import measure, quoted
from ..check_context import REFERENCE_HEIGHT, CheckContext
from ..clip_ends import EndComparison, compare_ends
from ..finding import Finding, Limit, Limits, Rule
from ..looping_clips import looping_clips, motion_file_settings

MEANT = 15.0  # degrees: a greater turn per pass is intended
NEAR = 15.0  # degrees: a displacement closer to an axis of the floor is intended along that axis
CLIMBS = 0.05  # of the height: a greater change of height per pass is intended


def _drifts(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    for c in looping_clips(context):
        found, clip = context.cached(compare_ends, c), context.clip(c)
        name = context.model.skeleton.names[context.hips] if context.hips >= 0 else ""
        for amount, unit, limit, words in _amounts(context, c, found, limits):
            yield Finding(
                f"{quoted(clip.name)} drifts: after each pass the whole body is "
                f"{measure(amount, unit.strip())} {words}",
                amount,
                unit.strip(),
                limits[limit],
                clip=clip.name,
                joint=name,
                time=clip.end,
            )


def _amounts(
    context: CheckContext, c: int, found: EndComparison, limits: Limits
) -> Iterator[tuple[float, str, str, str]]:
    """Yield the drifts: an amount, its unit, the exceeded limit, and the direction."""
    x, y, z = (float(part) * 1000 for part in found.displacement)
    settings = motion_file_settings(context, c)
    axes = "" if settings is None or settings.root is None else settings.root.axes
    kept = axes if settings is not None and settings.root and settings.root.mode != "keep" else ""
    aside = _aside(x, z, found.travels)
    if aside > limits["mm"] and not {"x", "z"} <= set(kept):
        if not found.travels:
            yield aside, " mm", "mm", "displaced along the floor"
        elif aside > limits["percent"] / 100 * found.ground_distance * 1000:
            yield (
                aside,
                " mm",
                "mm",
                f"beside its path, {measure(found.ground_distance * 1000, 'mm')} long",
            )
    if limits["mm"] < abs(y) < CLIMBS * context.scale * REFERENCE_HEIGHT * 1000 and "y" not in kept:
        yield abs(y), " mm", "mm", "higher" if y > 0 else "lower"
    turn = float(np.degrees(found.turn))
    turns = settings is not None and settings.root is not None and settings.root.turn
    if limits["degrees"] < abs(turn) < MEANT and not turns:
        yield abs(turn), "°", "degrees", f"rotated to its {'left' if turn > 0 else 'right'}"


def _aside(x: float, z: float, travels: bool) -> float:
    """Return the drift along the floor: the whole displacement, or that across its axis."""
    if not travels:
        return float(np.hypot(x, z))
    off = min(abs(x), abs(z))
    return off if np.degrees(np.arctan2(off, max(abs(x), abs(z)))) < NEAR else 0.0


RULES: tuple[Rule, ...] = (
    Rule(
        "root-drift",
        "warning",
        "each pass of a loop on the spot displaces the whole body, or one that travels moves it "
        "beside its path",
        "close the curves of the root, or keep the root in place with a motion file",
        _drifts,
        (
            Limit("mm", 5.0, "mm", "displacement of the whole body per pass", scaled=True),
            Limit("percent", 2.0, "%", "deviation of a travelling clip, of the length of its path"),
            Limit("degrees", 1.0, "°", "rotation per pass"),
        ),
    ),
)
