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


class RowMarks(dict[int, list[tuple[float, float]]]):
    """The `key_marks` of rows by their number, found when they are first asked for."""

    def __init__(
        self, rows: list[DopeRow], axis: TimeAxis, places: KeyPlaces, apart: float
    ) -> None:
        self._rows, self._places, self._axis, self._apart = rows, places, axis, apart

    def __missing__(self, number: int) -> list[tuple[float, float]]:
        times = self._rows[number].times
        found = self[number] = self._places.marks(times, self._axis, self._apart)
        return found


@dataclass(slots=True)
class DopeSheet:
    """The rows of the dope sheet and their marks.

    Attributes
    ----------
    rows
        The rows; `dope_rows`.
    marks
        The marks of some rows, where their keys are on the ruler; `RowMarks`.
    """

    rows: Kept[[Model, Clip, int], list[DopeRow]] = field(default_factory=lambda: Kept(dope_rows))
    marks: Kept[[list[DopeRow], TimeAxis, KeyPlaces, float], RowMarks] = field(
        default_factory=lambda: Kept(RowMarks)
    )


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
