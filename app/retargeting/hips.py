"""Which joint carries a body: the hips (RULINGS M34)."""

from collections.abc import Iterable

import numpy as np

from ..animation.clip import Clip
from ..animation.skeleton import Skeleton
from ..animation.types import I32, Bool, Index


def guess_hips(skeleton: Skeleton, joints: I32, clips: Iterable[Clip]) -> int:
    """Return the joint that most likely carries the body.

    It is the deepest one that is an ancestor of at least two leaf chains, and of (or itself) every
    joint whose translation is animated. Where there is none of that kind, or no translation moves
    at all, it is the first joint from the top where the skeleton branches.

    Parameters
    ----------
    joints
        [n] the joints that count: those of the skin, or all where there is none.
    clips
        Of that skeleton.

    Returns
    -------
    int
        A joint of `joints`; -1 where there are none.
    """
    counted = np.zeros(skeleton.count, bool)
    counted[joints] = True
    if not counted.any():
        return -1
    parents = skeleton.parents
    has_child = np.zeros(skeleton.count, bool)
    has_child[parents[counted & (parents >= 0)]] = True
    leaves = _below(skeleton, counted & ~has_child)
    moving = _moving(skeleton, clips) & counted
    able = counted & (leaves >= 2)
    if moving.any():
        carries = np.flatnonzero(able & (_below(skeleton, moving) == moving.sum()))
        if len(carries):
            return int(carries[-1])  # they lie on one path, sorted by depth
    branching = np.flatnonzero(able & ~_passes_on(skeleton, counted))
    return int(branching[0]) if len(branching) else int(np.flatnonzero(counted)[0])


def _moving(skeleton: Skeleton, clips: Iterable[Clip]) -> Bool:
    """Return which joints [J] some clip moves along: keys of a translation that differ."""
    moving = np.zeros(skeleton.count, bool)
    for clip in clips:
        for track in clip.tracks:
            if track.path == "translation" and not moving[track.target]:
                tangents = track.tangents is not None and bool(track.tangents.any())
                moving[track.target] = tangents or bool((track.values != track.values[0]).any())
    return moving


def _below(skeleton: Skeleton, marked: Bool) -> Index:
    """Return how many marked joints there are at and below each joint [J]."""
    counts = marked.astype(np.intp)
    for level in reversed(skeleton.levels[1:]):
        np.add.at(counts, skeleton.parents[level], counts[level])
    return counts


def _passes_on(skeleton: Skeleton, counted: Bool) -> Bool:
    """Return which joints [J] have a single counted child: they only carry the next one."""
    children = np.zeros(skeleton.count, np.intp)
    np.add.at(children, skeleton.parents[counted & (skeleton.parents >= 0)], 1)
    return children == 1
