"""Rules about bones: a length that changes in the course of a clip, or that is not that at rest."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...animation.clip import Clip
from ...animation.track import Track
from ...animation.types import F64
from ...animation.vectors import length
from ...retargeting.reference_pose import descendants
from ...wording import counted, measure, quoted
from ..check_context import CheckContext
from ..clip_rules import per_clip
from ..finding import Finding, Limit, Limits, rule
from ..key_groups import unit_lengths
from ..visible_size import size_of_displacement

MOST = 0.75  # of the joints: one that carries more moves the body
MANY = 4  # bones of a clip: with so many, a common factor is that of another size
SHARE = 0.7  # of them: so many have the common factor
ALIKE = 0.02  # of the length: bones with a common factor differ from it by less


def _bones(context: CheckContext) -> frozenset[int]:
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
    carried = context.model.skeleton.count_below(inside)
    inside &= carried < MOST * max(len(context.skin_joints), 1)
    children = np.bincount(parents[parents >= 0], minlength=len(parents))
    alone = children[np.maximum(parents, 0)] == 1
    return frozenset(np.flatnonzero(inside & ((children > 0) | alone)).tolist())


@rule(
    "bone-length",
    "info",
    "the length of a bone changes in the course of a clip",
    "nothing to fix if the character stretches; else export rotations only, or bake the clip "
    "without stretching inverse kinematics",
    Limit("percent", 5.0, "%", "change of a bone's length"),
    Limit("mm", 5.0, "mm", "smaller changes are ignored", scaled=True),
)
@per_clip
def _stretches(context: CheckContext, limits: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    names, rest = context.model.skeleton.names, context.cached(_rest_lengths)
    found: list[tuple[float, float, Track, F64]] = []  # percent, mm
    for track, long, change in context.cached(_lengths, c):
        percent = 100 * change / max(float(np.median(long)), 1e-9)
        if change > limits["mm"] and percent > limits["percent"]:
            found.append((percent, change, track, long))
    if not found:
        return
    percent, change, track, long = max(found, key=lambda bone: bone[1])
    others, be = len(found) - 1, "is" if len(found) == 2 else "are"
    joint, parent = names[track.target], names[context.model.skeleton.parents[track.target]]
    yield Finding(
        f"the bone from {quoted(parent)} to {quoted(joint)} is {measure(float(long.min()), 'mm')} "
        f"to {measure(float(long.max()), 'mm')} long in {quoted(clip.name)}"
        + (f"; {counted(others, 'other bone')} {be} not constant" if others else ""),
        percent,
        "%",
        limits["percent"],
        joint=joint,
        time=float(track.times[int(np.argmax(np.abs(long - rest[track.target])))]),
        size=size_of_displacement(context, track.target, change / 1000),
        touches=len(found),
    )


def _lengths(context: CheckContext, c: int) -> list[tuple[Track, F64, float]]:
    """Return the tracks of bones in a clip, their lengths [K] and how much these change, mm."""
    bones, sizes = context.cached(_bones), context.cached(unit_lengths)
    found = []
    for track in context.clip(c).tracks:
        if track.path == "translation" and track.target in bones:
            long: F64 = length(track.values.astype(np.float64)) * sizes[track.target] * 1000
            found.append((track, long, float(np.ptp(long))))
    return found


def _rest_lengths(context: CheckContext) -> F64:
    """Return the lengths [J] of the translations of all joints at rest, millimetres."""
    ways = context.model.skeleton.rest.translation.astype(np.float64)
    return length(ways) * context.cached(unit_lengths) * 1000


class _Bone(NamedTuple):
    """A bone of constant length in a clip."""

    joint: int  # at its lower end
    long: float  # millimetres
    rest: float  # millimetres, times the factor of the clip


@rule(
    "bone-differs",
    "size",
    "a bone has another length in a clip than at rest, constant in the course of the clip; "
    "info, if all bones of the clip are longer or shorter by the same factor",
    "export rotations only, or retarget the clip to this skeleton",
    Limit("mm", 5.0, "mm", "difference of a bone's length from that at rest", scaled=True),
)
def _differences(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    """Yield clips with bones of another length than at rest, in which they have a constant one."""
    names, parents = context.model.skeleton.names, context.model.skeleton.parents
    constant = {c: _constant_bones(context, c, limits["mm"]) for c in context.clips}
    for c, bones in constant.items():
        factor, clip = _common_factor(bones), context.clip(c).name
        if factor != 1.0:
            yield _other_size(clip, bones, factor)
        scaled = [bone._replace(rest=factor * bone.rest) for bone in bones]
        bad = [bone for bone in scaled if abs(bone.long - bone.rest) > limits["mm"]]
        seen = [bone for bone in bad if size_of_displacement(context, bone.joint, 1.0)]
        if not seen:
            continue
        worst = max(seen, key=lambda bone: abs(bone.long - bone.rest))
        off, joint = abs(worst.long - worst.rest), names[worst.joint]
        others = len(seen) - 1
        elsewhere = [
            abs(bone.long - worst.long) <= limits["mm"]
            for d, found in constant.items()
            for bone in found
            if d != c and bone.joint == worst.joint
        ]
        alike, unlike = elsewhere.count(True), elsewhere.count(False)
        yield Finding(
            f"the bone from {quoted(names[parents[worst.joint]])} to {quoted(joint)} is "
            f"{measure(worst.long, 'mm')} long in {quoted(clip)}"
            + (f" and {counted(alike, 'other clip')}" if alike else "")
            + f", but {measure(worst.rest, 'mm')} at rest"
            + (f" and in {counted(unlike, 'other clip')}" if unlike and not alike else "")
            + (f"; {counted(others, 'other bone')} of the clip too" if others else ""),
            off,
            clip=clip,
            joint=joint,
            size=off / 1000,
            touches=len(seen),
        )


def _constant_bones(context: CheckContext, c: int, mm: float) -> list[_Bone]:
    """Return the bones with a constant length in a clip."""
    rest = context.cached(_rest_lengths)
    return [
        _Bone(track.target, float(long.mean()), float(rest[track.target]))
        for track, long, change in context.cached(_lengths, c)
        if change <= mm
    ]


def _common_factor(bones: list[_Bone]) -> float:
    """Return the factor from rest that nearly all bones of a clip share; 1 if they share none."""
    ratios = np.array([bone.long / bone.rest for bone in bones if bone.rest > 0])
    if len(ratios) < MANY:
        return 1.0
    factor = float(np.median(ratios))
    alike = np.abs(ratios / factor - 1) < ALIKE if factor > 0 else np.zeros(1, bool)
    scaled = abs(factor - 1) > ALIKE and np.mean(alike) > SHARE
    return factor if scaled else 1.0


def _other_size(clip: str, bones: list[_Bone], factor: float) -> Finding:
    return Finding(
        f"the bones of {quoted(clip)} are {factor:.3g} times as long as at rest: it was made for "
        "a character of another size",
        100 * abs(factor - 1),
        "%",
        clip=clip,
        severity="info",
        fix="nothing to fix if the size is intended; else export rotations only",
        touches=len(bones),
    )
