"""Rule about bones whose length changes in the course of a clip."""

from collections.abc import Iterator

import numpy as np

from ...animation.track import Track
from ...animation.types import F64
from ...animation.vectors import length
from ...retargeting.reference_pose import descendants
from ...wording import counted, measure, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, Rule
from ..key_groups import unit_lengths

MOST = 0.75  # of the joints: one that carries more moves the body


def _bones(context: CheckContext, _: int) -> frozenset[int]:
    """Return the joints at the lower ends of bones.

    They are below the hips and have a joint below them, or are the only one below their parent:
    other leaf joints, as of a face, move on purpose. So do joints that carry most of the others.
    """
    parents = context.model.skeleton.parents
    inside = np.zeros(len(parents), bool)
    inside[context.skin_joints] = True
    if context.hips >= 0:
        below = descendants(context.model.skeleton, context.hips).copy()
        below[context.hips] = False
        inside &= below
    else:
        inside &= np.append(inside, False)[parents]  # without hips, all but the root
    carried = inside.astype(int)
    for level in reversed(context.model.skeleton.levels[1:]):
        np.add.at(carried, parents[level], carried[level])
    inside &= carried < MOST * max(len(context.skin_joints), 1)
    children = np.bincount(parents[parents >= 0], minlength=len(parents))
    alone = children[np.maximum(parents, 0)] == 1
    return frozenset(np.flatnonzero(inside & ((children > 0) | alone)).tolist())


def _stretches(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    names, bones = context.model.skeleton.names, context.cached(_bones)
    sizes = context.cached(unit_lengths)
    for c in context.clips:
        found: list[tuple[float, float, Track, F64]] = []  # percent, mm
        for track in context.clip(c).tracks:
            if track.path != "translation" or track.target not in bones or len(track.times) < 2:
                continue
            long: F64 = length(track.values.astype(np.float64)) * sizes[track.target] * 1000
            change = float(np.ptp(long))
            percent = 100 * change / max(float(np.median(long)), 1e-9)
            if change > limits["mm"] and percent > limits["percent"]:
                found.append((percent, change, track, long))
        if not found:
            continue
        percent, _, track, long = max(found, key=lambda bone: bone[1])
        others, be = len(found) - 1, "is" if len(found) == 2 else "are"
        joint, clip = names[track.target], context.clip(c).name
        parent = names[context.model.skeleton.parents[track.target]]
        yield Finding(
            f"the bone from {quoted(parent)} to {quoted(joint)} is "
            f"{measure(float(long.min()), 'mm')} to {measure(float(long.max()), 'mm')} long in "
            f"{quoted(clip)}"
            + (f"; {counted(others, 'other bone')} {be} not constant" if others else ""),
            percent,
            "%",
            limits["percent"],
            clip=clip,
            joint=joint,
            time=float(track.times[int(np.argmax(np.abs(long - _at_rest(context, track))))]),
        )


def _at_rest(context: CheckContext, track: Track) -> float:
    """Return the length of a bone at rest, millimetres."""
    way = context.model.skeleton.rest.translation[track.target].astype(np.float64)
    return float(np.linalg.norm(way) * context.cached(unit_lengths)[track.target] * 1000)


RULES: tuple[Rule, ...] = (
    Rule(
        "bone-length",
        "info",
        "the length of a bone changes in the course of a clip",
        "nothing to fix if the character stretches; else export rotations only, or bake the clip "
        "without stretching inverse kinematics",
        _stretches,
        (
            Limit("percent", 5.0, "%", "change of a bone's length"),
            Limit("mm", 5.0, "mm", "smaller changes are ignored", scaled=True),
        ),
    ),
)
