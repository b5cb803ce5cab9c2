"""Rules about inverse bind matrices: whether they are valid, and whether they fit the skeleton.

A bind pose need not be the rest pose, but the bones have the same length in both. Where most
joints rest as they were bound, a matrix of another kind is a fault: it displaces its surface.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from ...animation.types import F64, Bool, Index
from ...animation.vectors import length
from ...wording import counted, listed, measure, number, quoted
from ..check_context import CheckContext
from ..finding import Find, Finding, Limit, Limits, rule
from ..joint_bindings import (
    ROW,
    Binding,
    are_few,
    axis_lengths,
    bindings,
    displaced,
    is_identity,
    shears,
    unit_axes,
    usual_motion,
)
from ..visible_size import size_of_displacement, size_of_skinning

_EXPORT = "apply the armature's transforms (Blender: Object > Apply > All Transforms), bind again"


def _per_skin(find: Callable[[CheckContext, Limits, Binding], Iterable[Finding]]) -> Find:
    """Make a rule look at the joints of each skin, which its findings name."""

    def find_all(context: CheckContext, limits: Limits) -> Iterator[Finding]:
        for binding in context.cached(bindings):
            for finding in find(context, limits, binding):
                place = finding.place or binding.place
                yield replace(finding, place=place, item=binding.name)

    return find_all


def _names(binding: Binding, rows: Bool) -> list[str]:
    return [binding.names[s] for s in np.flatnonzero(rows).tolist()]


@rule(
    "bind-singular",
    "error",
    "an inverse bind matrix is singular",
    f"{_EXPORT} and export: a joint had a scale of 0 when the skin was bound",
)
@_per_skin
def _singular(context: CheckContext, _: Limits, binding: Binding) -> Iterator[Finding]:
    usual = np.median(binding.placed[binding.regular], axis=0) if any(binding.regular) else 0.0
    off = binding.placed - usual
    size = size_of_skinning(context, binding.index, off, ~binding.regular)
    yield from _all_of(binding, ~binding.regular, "cannot be inverted", size)


def _all_of(
    binding: Binding, rows: Bool, what: str, size: float, fix: str = ""
) -> Iterator[Finding]:
    """Yield a finding about some matrices of a skin, if there are any."""
    names = _names(binding, rows)
    if names:
        yield Finding(
            f"{counted(len(names), 'inverse bind matrix', 'inverse bind matrices')} of skin "
            f"{quoted(binding.name)} {what}: {listed(names)}",
            amount=len(names),
            unit="joints",
            joint=names[0],
            fix=fix,
            size=size,
            touches=len(names),
        )


@rule(
    "bind-last-row",
    "size",
    "the last row of an inverse bind matrix is not 0 0 0 1",
    "export again: the matrices were written in row order, or rounded (glTF 2.0, section 3.7.3.1)",
)
@_per_skin
def _last_row(context: CheckContext, _: Limits, binding: Binding) -> Iterator[Finding]:
    rows = context.model.skins[binding.index].inverse_bind[:, 3].astype(np.float64)
    off = np.abs(rows - [0, 0, 0, 1]).max(axis=1)
    names = _names(binding, off > ROW)
    if names:
        worst = int(off.argmax())
        lost = np.zeros_like(binding.rest)  # of engines that use the row
        lost[:, :3] = binding.rest[:, :3, 3:] * (rows - [0, 0, 0, 1])[:, None]
        row = " ".join(number(float(value)) for value in rows[worst])
        yield Finding(
            f"the last row of {counted(len(names), 'inverse bind matrix', 'matrices')} of skin "
            f"{quoted(binding.name)} is not 0 0 0 1: {row} for "
            f"{quoted(binding.names[worst])}",
            amount=float(off[worst]),
            joint=binding.names[worst],
            size=size_of_skinning(context, binding.index, lost, off > ROW),
            touches=len(names),
        )


@rule(
    "bind-shear",
    "size",
    "an inverse bind matrix has a shear",
    f"{_EXPORT}: a joint was bound below a non-uniform scale",
    Limit("degrees", 0.5, "°", "deviation of two axes from a right angle"),
)
@_per_skin
def _sheared(context: CheckContext, limits: Limits, binding: Binding) -> Iterator[Finding]:
    shear = np.where(binding.regular, shears(binding.inverse), 0)
    yield from _worst_joint(context, binding, shear, limits["degrees"], "°", "has a shear of")


@rule(
    "bind-scale",
    "size",
    "an inverse bind matrix mirrors, or has a non-uniform scale",
    f"{_EXPORT}: the joint was scaled when the skin was bound",
    Limit("percent", 1, "%", "how much longer one axis is than another"),
)
@_per_skin
def _scaled(context: CheckContext, limits: Limits, binding: Binding) -> Iterator[Finding]:
    axes = axis_lengths(binding.inverse)
    uneven = 100 * (axes.max(axis=1) / np.maximum(axes.min(axis=1), 1e-30) - 1)
    uneven[~binding.regular] = 0
    mirrored = binding.regular & (np.linalg.det(binding.inverse[:, :3, :3]) < 0)
    fix = "apply the negative scale before binding (Blender: Object > Apply > Scale)"
    size = _distortion(context, binding, mirrored)
    yield from _all_of(binding, mirrored, "mirror", size, fix)
    what = "has a non-uniform scale of"
    yield from _worst_joint(context, binding, uneven, limits["percent"], "%", what)


def _worst_joint(
    context: CheckContext, binding: Binding, amounts: F64, most: float, unit: str, what: str
) -> Iterator[Finding]:
    """Yield the worst joint of a skin, if it exceeds a limit."""
    s = int(amounts.argmax())
    if amounts[s] > most:
        name = binding.names[s]
        others = int(np.count_nonzero(amounts > most)) - 1
        more = f"; {counted(others, 'other')} of the skin too" if others else ""
        yield Finding(
            f"the inverse bind matrix of joint {quoted(name)} {what} "
            f"{measure(float(amounts[s]), unit)}{more}",
            amount=float(amounts[s]),
            joint=name,
            size=_distortion(context, binding, amounts > most),
            touches=others + 1,
        )


def _distortion(context: CheckContext, binding: Binding, rows: Bool) -> float:
    """Return how far some matrices displace the surface at rest by shear and scale, metres.

    Those that undo a shear or scale of the rest pose displace nothing.
    """
    off = np.zeros_like(binding.placed)
    left, sizes, right = np.linalg.svd(np.nan_to_num(binding.placed[:, :3, :3]))
    flips = np.where(np.linalg.det(left @ right) < 0, -1.0, 1.0)
    left[..., 2] *= flips[:, None]
    even = left @ right * sizes.mean(axis=1)[:, None, None]
    off[:, :3, :3] = binding.placed[:, :3, :3] - even
    off[:, :3, 3] = -np.einsum("sab,sb->sa", off[:, :3, :3], binding.bind[:, :3, 3])
    return size_of_skinning(context, binding.index, off, rows & binding.regular)


@rule(
    "bind-missing",
    "size",
    "a skin has no inverse bind matrices although its joints are not at the origin",
    "export again with inverse bind matrices",
    Limit("mm", 1, "mm", "distance of joints from the origin", scaled=True),
)
@_per_skin
def _missing(context: CheckContext, limits: Limits, binding: Binding) -> Iterator[Finding]:
    rows = context.document.rows("skins")
    if rows and rows[binding.index].get("inverseBindMatrices") is None:
        away = length(binding.rest[:, :3, 3]) * 1000
        s = int(away.argmax())
        if away[s] > limits["mm"]:
            name = binding.names[s]
            yield Finding(
                f"skin {quoted(binding.name)} has no inverse bind matrices, although its "
                f"joints do not rest at the origin: {quoted(name)} is "
                f"{measure(float(away[s]), 'mm')} away and displaces its vertices by as much",
                amount=float(away[s]),
                place=f"/skins/{binding.index}",
                joint=name,
                size=float(away[s]) / 1000,
                touches=len(binding.joints),
            )


@rule(
    "bind-length",
    "warning",
    "the length of a bone at rest differs from that in the bind pose",
    "bind the mesh again in the rest pose, or move the joint back to its bind position",
    Limit("percent", 5, "%", "change of a bone's length"),
    Limit("mm", 2, "mm", "smaller changes are ignored", scaled=True),
)
@_per_skin
def _bone_lengths(context: CheckContext, limits: Limits, binding: Binding) -> Iterator[Finding]:
    """Yield skins with bones whose length at rest differs from that in the bind pose."""
    up = binding.above
    known = (up >= 0) & binding.regular & binding.regular[up]
    bound = _apart(binding.bind, up) * binding.size
    rest = _apart(binding.rest, up)
    off = np.abs(rest - bound)
    longest = np.maximum(np.maximum(bound, rest), 1e-30)
    percent = np.where(known & (off * 1000 > limits["mm"]), 100 * off / longest, 0)
    s = int(percent.argmax())
    if percent[s] <= limits["percent"]:
        return
    name, parent = binding.names[s], binding.names[up[s]]
    bad = int(np.count_nonzero(percent > limits["percent"]))
    off_at = float(off[s]) if np.isfinite(off[s]) else 0.0
    yield Finding(
        f"{counted(bad, 'bone')} of skin {quoted(binding.name)} changed length since binding: "
        f"{quoted(parent)} to {quoted(name)} is "
        f"{measure(float(rest[s]) * 1000, 'mm')} at rest, "
        f"{measure(float(bound[s]) * 1000, 'mm')} in the bind pose",
        amount=float(percent[s]),
        unit="%",
        limit=limits["percent"],
        joint=name,
        size=size_of_displacement(context, int(binding.joints[s]), off_at),
        touches=bad,
    )


def _apart(matrices: F64, up: Index) -> F64:
    """Return the distances [S] of the origins to those of the parent entries."""
    return length(matrices[:, :3, 3] - matrices[up, :3, 3])


@rule(
    "bind-outlier",
    "size",
    "one or few of the joints of a skin, a fifth at most, do not rest as they were bound, "
    "although all others do, or those above and below them",
    "bind the mesh again in the rest pose, or move the joint back to where it was bound "
    "(Blender: Pose > Apply > Apply Pose as Rest Pose)",
    Limit("mm", 3.6, "mm", "distance of its surface from where it was bound", scaled=True),
    Limit("beside", 18, "mm", "the same where no joint rests as bound", scaled=True),
)
@_per_skin
def _outliers(context: CheckContext, limits: Limits, binding: Binding) -> Iterator[Finding]:
    """Yield skins of which few joints do not rest as they were bound, as the others do.

    Where the others do not either: the joints unlike those above and below them.
    """
    wrong = context.cached(displaced)[binding.index]
    limit = limits["beside" if wrong.beside else "mm"]
    bad = [each for each in wrong.joints if each.size * 1000 > limit]
    for same in [[each] for each in bad] if wrong.beside else [bad] if bad else ():
        worst, count = max(same, key=lambda each: each.size), len(same)
        name = binding.names[worst.entry]
        mm = worst.size * 1000
        if wrong.beside:
            message = (
                f"the inverse bind matrix of joint {quoted(name)} displaces its "
                f"{counted(worst.touches, 'vertex', 'vertices')} by up to "
                f"{measure(mm, 'mm')} from where the joints above and below it have them"
            )
        else:
            more = f" and {counted(count - 1, 'other')}" if count > 1 else ""
            matrices, be, move = ("matrix", "is", "it displaces its surface by")
            if count > 1:
                matrices, be, move = ("matrices", "are", "they displace the surface by up to")
            message = (
                f"the inverse bind {matrices} of {quoted(name)}{more} {be} unlike those of the "
                f"other {counted(len(binding.joints) - count, 'joint')} of skin "
                f"{quoted(binding.name)}, which rest as they were bound: {move} "
                f"{measure(mm, 'mm')} at rest"
            )
        yield Finding(
            message,
            amount=mm,
            unit="mm",
            limit=limit,
            joint=name,
            size=worst.size,
            touches=sum(each.touches for each in same),
        )


@rule(
    "bind-differs",
    "info",
    "the rest pose of more than a fifth of the joints of a skin differs from the bind pose",
    "nothing to fix if intended; an engine that uses the rest pose as bind pose deforms the "
    "mesh: in Blender Pose > Apply > Apply Pose as Rest Pose",
    Limit("mm", 1, "mm", "distance of a joint from its bind position", scaled=True),
    Limit("degrees", 1, "°", "angle to its bind rotation"),
)
@_per_skin
def _differs(_context: CheckContext, limits: Limits, binding: Binding) -> Iterator[Finding]:
    """Yield skins whose rest pose differs from the bind pose, relative to the first joint.

    A few joints of many are reported as bind-outlier.
    """
    if len(binding.joints) < 2 or not binding.regular.all() or not binding.size:
        return
    if is_identity(binding.inverse):
        return  # identity matrices are reported as bind-missing
    moved = binding.rest @ binding.inverse
    first = moved[int(np.flatnonzero(binding.above < 0)[0])]
    if not np.linalg.det(first):
        return
    usual = usual_motion(binding)
    unlike = np.abs(moved - usual).max(axis=(1, 2)) > ROW * np.abs(usual).max()
    if are_few(unlike):
        first = usual
    back = np.linalg.solve(first, moved)
    points = binding.bind[:, :3, 3]
    gone = np.einsum("sab,sb->sa", back[:, :3, :3], points) + back[:, :3, 3] - points
    mm = length(gone) * binding.size * 1000
    degrees = _angles(back)
    if mm.max() <= limits["mm"] and degrees.max() <= limits["degrees"]:
        return
    far, turned = int(mm.argmax()), int(degrees.argmax())
    differs = (mm > limits["mm"]) | (degrees > limits["degrees"])
    if are_few(differs):
        return
    bad = int(np.count_nonzero(differs))
    moved_far = bool(mm[far] > limits["mm"])
    worst = binding.names[far if moved_far else turned]
    parts = [
        f"{quoted(binding.names[joint])} {what} {measure(float(off[joint]), unit)}"
        for joint, off, unit, key, what in (
            (far, mm, "mm", "mm", "is displaced by"),
            (turned, degrees, "°", "degrees", "is rotated by"),
        )
        if off[joint] > limits[key]
    ]
    yield Finding(
        f"{bad} of {counted(len(mm), 'joint')} of skin {quoted(binding.name)} "
        f"{'differs' if bad == 1 else 'differ'} between rest and bind pose: {', '.join(parts)}",
        amount=float(mm[far] if moved_far else degrees[turned]),
        unit="mm" if moved_far else "°",
        limit=limits["mm" if moved_far else "degrees"],
        joint=worst,
        touches=bad,
    )


def _angles(matrices: F64) -> F64:
    """Return the rotation angles [S] of matrices, degrees; scale is ignored."""
    turns = unit_axes(matrices)
    odd = turns - turns.swapaxes(1, 2)
    sine = np.sqrt(odd[:, 0, 1] ** 2 + odd[:, 0, 2] ** 2 + odd[:, 1, 2] ** 2) / 2
    cosine = (np.trace(turns, axis1=1, axis2=2) - 1) / 2
    return np.degrees(np.arctan2(sine, cosine))
