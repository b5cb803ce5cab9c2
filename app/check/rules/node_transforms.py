"""Rules about the transforms of nodes (glTF 2.0, sections 3.5.3 and 3.11)."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...wording import counted, listed, number, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, Rule

Json = dict[str, Any]
_PATHS = ("translation", "rotation", "scale")


def _name(context: CheckContext, node: int) -> str:
    skeleton = context.model.skeleton
    return skeleton.names[int(skeleton.joint_of_node[node])]


def _rotations(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    rows = context.document.rows("nodes") if context.document else []
    given = [n for n, row in enumerate(rows) if row.get("rotation") is not None]
    if not given:
        return
    values = np.array([rows[n]["rotation"] for n in given], np.float64)
    lengths = np.sqrt((values**2).sum(axis=1))
    off = np.abs(lengths - 1)
    bad = np.flatnonzero(off > limits["off"])
    if len(bad):
        k = int(bad[int(np.argmax(off[bad]))])
        joint, others = _name(context, given[k]), len(bad) - 1
        verb = "is" if others == 1 else "are"
        more = f"; {counted(others, 'other node')} {verb} not normalised too" if others else ""
        yield Finding(
            f"the rest rotation of {quoted(joint)} has length {number(float(lengths[k]))} instead "
            f"of 1{more}",
            amount=float(off[k]),
            limit=limits["off"],
            place=f"/nodes/{given[k]}/rotation",
            joint=joint,
        )


def _matrices(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield nodes with an invalid matrix, or with a matrix and other transforms."""
    document = context.document
    rows = document.rows("nodes") if document else []
    given = [n for n, row in enumerate(rows) if row.get("matrix") is not None]
    if not given or document is None:
        return
    matrices = np.array([rows[n]["matrix"] for n in given], np.float64).reshape(-1, 4, 4)
    flat = np.linalg.det(matrices[:, :3, :3]) == 0
    wrong = np.flatnonzero(flat | (matrices[:, :, 3] != [0, 0, 0, 1]).any(axis=1))
    yield from _listed(
        context,
        [given[k] for k in wrong.tolist()],
        "{} {} a matrix that is singular, or whose last row is not 0 0 0 1: {}",
    )
    both = [n for n in given if any(rows[n].get(path) is not None for path in _PATHS)]
    words = "{} {} both a matrix and a translation, rotation or scale: {}"
    yield from _listed(context, both, words)
    yield from _animated(context, set(given))


def _listed(context: CheckContext, nodes: list[int], message: str) -> Iterator[Finding]:
    if nodes:
        called = [_name(context, n) for n in nodes]
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
    assert context.document is not None
    animations = context.document.rows("animations")
    for a in sorted(set(context.clips) & set(range(len(animations)))):
        moved = {
            channel["target"].get("node"): f"/animations/{a}/channels/{c}/target"
            for c, channel in reversed(list(enumerate(animations[a]["channels"])))
            if channel["target"]["path"] in _PATHS and channel["target"].get("node") in given
        }
        if moved:
            clip = context.clip(a).name
            called = [_name(context, n) for n in sorted(moved)]
            yield Finding(
                f"{quoted(clip)} animates {counted(len(moved), 'node')} whose rest pose is a "
                f"matrix: {listed(called)}",
                amount=len(moved),
                unit="nodes",
                place=moved[min(moved)],
                clip=clip,
                joint=called[0],
            )


_APPLY = "export the node as translation, rotation and scale"
RULES: tuple[Rule, ...] = (
    Rule(
        "rest-rotation-length",
        "error",
        "the rotation of a node is a quaternion that is not of unit length",
        "normalise the rotation: the exporter rounds it, or it was edited by hand",
        _rotations,
        (Limit("off", 0.00769, "", "deviation of the length from 1"),),
    ),
    Rule(
        "node-matrix",
        "error",
        "the matrix of a node is invalid, or the node also has a translation, rotation or scale, "
        "or a clip animates one",
        f"{_APPLY}: engines use either, and refuse to animate a matrix",
        _matrices,
    ),
)
