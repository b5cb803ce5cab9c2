"""Rows of a joint tree: which joints are listed, folded and found."""

from dataclasses import dataclass

import numpy as np

from ...animation.types import Bool
from ...model.model import Model
from .. import widgets


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the joint tree."""

    joint: int
    depth: int
    has_children: bool


def rows(model: Model, folded: set[int], shown: Bool, filter_text: str = "") -> list[Row]:
    """Return the rows of the joint tree from top to bottom, without folded children.

    With a filter, those that it finds, without their tree.

    Parameters
    ----------
    shown
        [J] the joints to list; a joint stands below the nearest listed one above it.
    """
    parents = model.skeleton.parents.tolist()
    children: dict[int, list[int]] = {}
    for joint in np.flatnonzero(shown).tolist():
        children.setdefault(_listed_parent(parents, shown, joint), []).append(joint)
    found = widgets.matches(filter_text)
    if filter_text.strip():
        names = model.skeleton.names
        return [Row(k, 0, False) for k in np.flatnonzero(shown).tolist() if found(names[k])]
    listed: list[Row] = []
    waiting = [(joint, 0) for joint in reversed(children.get(-1, []))]
    while waiting:
        joint, depth = waiting.pop()
        below = children.get(joint, [])
        listed.append(Row(joint, depth, bool(below)))
        if joint not in folded:
            waiting += [(child, depth + 1) for child in reversed(below)]
    return listed


def unfold_above(model: Model, folded: set[int], joint: int) -> None:
    """Unfold all joints above a joint, so that its row is listed."""
    parent = int(model.skeleton.parents[joint])
    while parent >= 0:
        folded.discard(parent)
        parent = int(model.skeleton.parents[parent])


def _listed_parent(parents: list[int], shown: Bool, joint: int) -> int:
    parent = parents[joint]
    while parent >= 0 and not shown[parent]:
        parent = parents[parent]
    return parent
