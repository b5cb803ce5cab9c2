"""The hips: detection of the joint that moves the body."""

from collections.abc import Iterable

import numpy as np

from ..animation.clip import Clip
from ..animation.skeleton import Skeleton
from ..animation.types import I32, Bool


def guess_hips(skeleton: Skeleton, joints: I32, clips: Iterable[Clip]) -> int:
    """Return the joint that is most likely the hips.

    It is the deepest joint that is an ancestor of at least two leaf chains, and equal to or an
    ancestor of every joint with animated translation. If there is none, or no translation is
    animated, it is the topmost joint where the skeleton branches.

    Parameters
    ----------
    joints
        [n] the joints to consider: those of the skins, or all without a skin.
    clips
        Of that skeleton.

    Returns
    -------
    int
        A joint of `joints`; -1 if it is empty.
    """
    counted = np.zeros(skeleton.count, bool)
    counted[joints] = True
    if not counted.any():
        return -1
    parents = skeleton.parents
    has_child = np.zeros(skeleton.count, bool)
    has_child[parents[counted & (parents >= 0)]] = True
    leaves = skeleton.count_below(counted & ~has_child)
    moving = _moving(skeleton, clips) & counted
    able = counted & (leaves >= 2)
    if moving.any():
        carries = np.flatnonzero(able & (skeleton.count_below(moving) == moving.sum()))
        if len(carries):
            return int(carries[-1])  # on one path, sorted by depth
    branching = np.flatnonzero(able & ~_passes_on(skeleton, counted))
    return int(branching[0]) if len(branching) else int(np.flatnonzero(counted)[0])


def _moving(skeleton: Skeleton, clips: Iterable[Clip]) -> Bool:
    """Return which joints [J] have animated translation: keys that differ."""
    moving = np.zeros(skeleton.count, bool)
    for clip in clips:
        for track in clip.tracks:
            if track.path == "translation" and not moving[track.target]:
                tangents = track.tangents is not None and bool(track.tangents.any())
                moving[track.target] = tangents or bool((track.values != track.values[0]).any())
    return moving


def _passes_on(skeleton: Skeleton, counted: Bool) -> Bool:
    """Return which joints [J] have exactly one counted child."""
    children = np.zeros(skeleton.count, np.intp)
    np.add.at(children, skeleton.parents[counted & (skeleton.parents >= 0)], 1)
    return children == 1
