"""Rules about the transforms of nodes at rest, and the scale of joints (glTF 2.0, 3.5.3, 3.11)."""

from collections.abc import Iterator
from typing import Literal

import numpy as np

from ...animation.types import F32, F64, Bool, Index
from ...wording import counted, listed, number, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, rule
from ..joint_bindings import shears
from ..visible_size import size_of_amount, size_of_rest, size_of_rotation, unless_seen
from .names import joint_name

_ZERO = 1e-6  # a smaller scale counts as 0
_APPLY = "apply the scale (Blender: Object > Apply > Scale, Maya: Freeze Transformations)"
_PATHS = ("translation", "rotation", "scale")


def skin_ancestors(context: CheckContext) -> Index:
    """Return the joints of all skins and their ancestors, sorted; call it by `context.cached`."""
    skeleton = context.model.skeleton
    carries = np.zeros(skeleton.count, bool)
    for skin in context.model.skins:
        carries[skin.joints] = True
    return np.flatnonzero(skeleton.above(carries))


def _scales(context: CheckContext) -> tuple[Index, F64]:
    """Return the joints [n] of the skins and their ancestors, and their rest scales [n, 3]."""
    joints = np.zeros(0, np.intp) if context.is_capture else context.cached(skin_ancestors)
    return joints, context.model.skeleton.rest.scale[joints].astype(np.float64)


def _finding(
    context: CheckContext,
    joints: Index,
    what: str,
    amount: float,
    unit: str,
    size: float,
    severity: Literal["info", ""] = "",
) -> Finding:
    """Return the finding for some joints, the worst of them first."""
    names = [context.model.skeleton.names[joint] for joint in joints.tolist()]
    return Finding(
        f"{counted(len(names), 'joint')} {'has' if len(names) == 1 else 'have'} {what}: "
        f"{listed(names)}",
        amount=amount,
        unit=unit,
        place=f"/nodes/{context.model.skeleton.nodes[joints[0]]}",
        joint=names[0],
        severity=severity,
        size=size,
        touches=len(names),
    )


@rule(
    "rest-scale-negative",
    "size",
    "a joint or an ancestor has a negative rest scale",
    f"{_APPLY}: a mirrored joint inverts normals and rotations; mirror the pose, not the scale",
)
def _negative(context: CheckContext, _: Limits) -> Iterator[Finding]:
    joints, scales = _scales(context)
    lowest = scales.min(axis=1, initial=np.inf)
    found = np.flatnonzero(lowest < 0)
    if len(found):
        found = found[np.argsort(lowest[found], kind="stable")]
        what = f"a negative rest scale, down to {number(float(lowest[found[0]]))}"
        size = size_of_rest(context, lambda rest: np.abs(rest.scale, out=rest.scale))
        yield _finding(context, joints[found], what, float(lowest[found[0]]), "", size)


@rule(
    "rest-scale-zero",
    "warning",
    "a joint has a rest scale of 0",
    "give it a rest scale of 1 and hide it with a clip; a scale of 0 cannot be inverted",
)
def _zero(context: CheckContext, _: Limits) -> Iterator[Finding]:
    joints, scales = _scales(context)
    found = np.flatnonzero(_is_zero(scales).any(axis=1))
    if len(found):
        size = size_of_rest(context, lambda rest: np.putmask(rest.scale, _is_zero(rest.scale), 1))
        seen = unless_seen(context, size)
        what = "a rest scale of 0"
        yield _finding(context, joints[found], what, len(found), "joints", size, severity=seen)


def _is_zero(scales: F32 | F64) -> Bool:
    return np.asarray(np.abs(scales) < _ZERO)


@rule(
    "rest-scale-uneven",
    "warning",
    "a joint or an ancestor has a non-uniform rest scale",
    f"{_APPLY}: below a non-uniform scale, rotated joints are sheared",
    Limit("percent", 1, "%", "how much longer one axis is than another"),
)
def _uneven(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    joints, scales = _scales(context)
    sizes = np.abs(scales)
    least, most = sizes.min(axis=1, initial=np.inf), sizes.max(axis=1, initial=0)
    percent = np.where(least < _ZERO, 0, 100 * (most / np.maximum(least, _ZERO) - 1))
    found = np.flatnonzero(percent > limits["percent"])
    if len(found):
        found = found[np.argsort(-percent[found], kind="stable")]
        worst = " × ".join(number(float(size)) for size in scales[found[0]])
        what = f"a non-uniform rest scale, {worst} at worst"
        size = max(size_of_amount(context, int(joints[k]), percent[k], "%") for k in found.tolist())
        yield _finding(
            context,
            joints[found],
            what,
            float(percent[found[0]]),
            "",
            size,
            unless_seen(context, size),
        )


def _given(context: CheckContext, key: str) -> tuple[list[int], F64]:
    """Return the nodes [n] that have a rotation or a matrix, and its numbers [n, 4 or 16]."""
    nodes = context.document.rows("nodes")
    given = [n for n, row in enumerate(nodes) if row.get(key) is not None]
    return given, np.array([nodes[n][key] for n in given], np.float64)


@rule(
    "node-shear",
    "size",
    "the matrix of a node has a shear",
    f"{_APPLY} of its ancestors, and export as translation, rotation and scale",
    Limit("degrees", 0.1, "°", "deviation of two axes from a right angle"),
    covers=("is lost: translation, rotation and scale have none",),
)
def _sheared(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    """Yield nodes whose matrix is not a product of translation, rotation and scale."""
    given, matrices = _given(context, "matrix")
    if not given:
        return
    shear = shears(matrices.reshape(-1, 4, 4).swapaxes(1, 2))  # stored by column
    for k in np.flatnonzero(shear > limits["degrees"]).tolist():
        name = joint_name(context, given[k])
        yield Finding(
            f"the matrix of node {quoted(name)} has a shear of {number(float(shear[k]))}°, which "
            "is lost in transforms of translation, rotation and scale",
            amount=float(shear[k]),
            place=f"/nodes/{given[k]}/matrix",
            joint=name,
            size=size_of_rotation(
                context, int(context.model.skeleton.joint_of_node[given[k]]), float(shear[k])
            ),
        )


@rule(
    "rest-rotation-length",
    "info",
    "the rotation of a node is a quaternion that is not of unit length",
    "normalise the rotation: the exporter rounds it, or it was edited by hand",
    Limit("off", 0.00769, "", "deviation of the length from 1"),
    group="File",
)
def _rotations(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    given, values = _given(context, "rotation")
    if not given:
        return
    lengths = np.sqrt((values**2).sum(axis=1))
    off = np.abs(lengths - 1)
    bad = np.flatnonzero(off > limits["off"])
    if len(bad):
        k = int(bad[int(np.argmax(off[bad]))])
        joint, others = joint_name(context, given[k]), len(bad) - 1
        verb = "is" if others == 1 else "are"
        more = f"; {counted(others, 'other node')} {verb} not normalised too" if others else ""
        yield Finding(
            f"the rest rotation of {quoted(joint)} has length {number(float(lengths[k]))} instead "
            f"of 1{more}",
            amount=float(off[k]),
            place=f"/nodes/{given[k]}/rotation",
            joint=joint,
        )


@rule(
    "node-matrix",
    "error",
    "the matrix of a node is invalid, or the node also has a translation, rotation or scale, "
    "or a clip animates one",
    "export the node as translation, rotation and scale: engines use either, and refuse to "
    "animate a matrix",
    group="File",
)
def _matrices(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield nodes with an invalid matrix, or with a matrix and other transforms."""
    given, values = _given(context, "matrix")
    if not given:
        return
    matrices = values.reshape(-1, 4, 4)
    flat = np.linalg.det(matrices[:, :3, :3]) == 0
    wrong = np.flatnonzero(flat | (matrices[:, :, 3] != [0, 0, 0, 1]).any(axis=1))
    yield from _listed(
        context,
        [given[k] for k in wrong.tolist()],
        "{} {} a matrix that is singular, or whose last row is not 0 0 0 1: {}",
    )
    nodes = context.document.rows("nodes")
    both = [n for n in given if any(nodes[n].get(path) is not None for path in _PATHS)]
    words = "{} {} both a matrix and a translation, rotation or scale: {}"
    yield from _listed(context, both, words)
    yield from _animated(context, set(given))


def _listed(context: CheckContext, nodes: list[int], message: str) -> Iterator[Finding]:
    if nodes:
        called = [joint_name(context, n) for n in nodes]
        verb = "has" if len(nodes) == 1 else "have"
        yield Finding(
            message.format(counted(len(nodes), "node"), verb, listed(called)),
            amount=len(nodes),
            unit="nodes",
            place=f"/nodes/{nodes[0]}",
            joint=called[0],
        )


def _animated(context: CheckContext, given: set[int]) -> Iterator[Finding]:
    """Yield clips that animate nodes with a matrix."""
    animations = context.document.rows("animations")
    for a in sorted(set(context.clips) & set(range(len(animations)))):
        moved = {
            channel["target"].get("node"): f"/animations/{a}/channels/{c}/target"
            for c, channel in reversed(list(enumerate(animations[a]["channels"])))
            if channel["target"]["path"] in _PATHS and channel["target"].get("node") in given
        }
        if moved:
            clip = context.clip(a).name
            called = [joint_name(context, n) for n in sorted(moved)]
            yield Finding(
                f"{quoted(clip)} animates {counted(len(moved), 'node')} whose rest pose is a "
                f"matrix: {listed(called)}",
                amount=len(moved),
                unit="nodes",
                place=moved[min(moved)],
                clip=clip,
                joint=called[0],
            )
