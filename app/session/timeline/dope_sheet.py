"""The dope sheet: a row of keys for each joint of the selected branch that has some."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ...animation.clip import Clip
from ...animation.types import F64
from ...model.joint_branches import branch_of
from ...model.joint_key_times import branch_key_times
from ...model.model import Model
from ...scenedoc.kept import Kept
from .key_places import KeyPlaces
from .timeline_ticks import TimeAxis

ROOT = -1  # in place of a joint: all joints


class DopeRow(NamedTuple):
    """The keys of a joint."""

    joint: int
    depth: int  # below the first joint of the branch
    times: F64  # [K] seconds of the clip, ascending


def dope_rows(model: Model, clip: Clip, joint: int) -> list[DopeRow]:
    """Return the rows of a joint and the joints below it; of all joints for `ROOT`."""
    skeleton = model.skeleton
    joints = range(skeleton.count) if joint < 0 else branch_of(model, joint)
    first = 0 if joint < 0 else int(skeleton.depths[joint])
    times = branch_key_times(model, clip, joints)
    return [
        DopeRow(own, int(skeleton.depths[own]) - first, times[own])
        for own in _in_order(model, times)
    ]


def _no_marks(*_: object) -> dict[int, list[tuple[float, float]]]:
    return {}


@dataclass(slots=True)
class DopeSheet:
    """Whether the dope sheet is shown, and its rows and marks.

    Attributes
    ----------
    rows
        The last `dope_rows`.
    """

    shown: bool = False
    rows: Kept[[Model, Clip, int], list[DopeRow]] = field(default_factory=lambda: Kept(dope_rows))
    _marks: Kept[
        [list[DopeRow], TimeAxis, KeyPlaces, float], dict[int, list[tuple[float, float]]]
    ] = field(default_factory=lambda: Kept(_no_marks))

    def marks(
        self, rows: list[DopeRow], number: int, axis: TimeAxis, places: KeyPlaces, apart: float
    ) -> list[tuple[float, float]]:
        """Return the `key_marks` of one of the rows, where its keys are on the ruler."""
        marks = self._marks(rows, axis, places, apart)
        if number not in marks:
            marks[number] = places.marks(rows[number].times, axis, apart)
        return marks[number]


def _in_order(model: Model, joints: dict[int, F64]) -> list[int]:
    """Return joints as a tree lists them: each before those below it, children together."""
    parents, count = model.skeleton.parents.tolist(), model.skeleton.count
    sizes = [1] * count  # of branches; parents come before children
    for joint in reversed(range(count)):
        if parents[joint] >= 0:
            sizes[parents[joint]] += sizes[joint]
    ranks, free = [0] * count, {-1: 0}  # free: the rank of the next child
    for joint, parent in enumerate(parents):
        ranks[joint] = free[parent]
        free[parent] += sizes[joint]
        free[joint] = ranks[joint] + 1
    return sorted(joints, key=ranks.__getitem__)


def nearest_key(times: F64, seconds: float, reach: float) -> float | None:
    """Return the key time nearest to a time, None if none is within `reach` seconds."""
    if not times.size:
        return None
    nearest = float(times[np.abs(times - seconds).argmin()])
    return nearest if abs(nearest - seconds) <= reach else None
