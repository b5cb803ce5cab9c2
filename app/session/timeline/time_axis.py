"""The time axis of the timeline: its ticks, labels that never overlap, and marks of keys."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ...animation.types import F64

LEAST_MINOR = 7.0  # points between ticks without a label
MOST_MINOR = 10  # parts of the distance between labels
_TOLERANCE = 1e-6  # frames


class TimeAxis(NamedTuple):
    """The visible part of a timeline in the window."""

    begin: float  # seconds
    end: float
    left: float  # points
    width: float

    @property
    def right(self) -> float:
        """The right end, points."""
        return self.left + self.width

    @property
    def length(self) -> float:
        """The visible seconds, above 0."""
        return max(self.end - self.begin, 1e-9)

    def x(self, seconds: float) -> float:
        """Return the place of a time, points."""
        return self.left + (seconds - self.begin) / self.length * self.width

    def places(self, times: Iterable[float]) -> list[float]:
        """Return the places of many times, points: `x` of each in a third of the time."""
        begin, _, left, width = self
        length = self.length
        return [left + (seconds - begin) / length * width for seconds in times]

    def seconds(self, x: float) -> float:
        """Return the time at a place, within the visible part."""
        u = (x - self.left) / max(self.width, 1.0)
        return self.begin + min(max(u, 0.0), 1.0) * self.length

    def shows(self, seconds: float) -> bool:
        """Return whether a time is in the visible part."""
        return self.begin - 1e-9 <= seconds <= self.end + 1e-9


class Tick(NamedTuple):
    """A tick of the ruler."""

    frame: int
    seconds: float
    labelled: bool


class RulerLabel(NamedTuple):
    """A label of the ruler in the window."""

    left: float  # points
    right: float
    text: str


class LabelPlace(NamedTuple):
    """The place of a label."""

    row: int
    left: float  # points
    width: float  # points that it may take; 0: there is no room for it


def frame_at(seconds: float, frame_rate: float) -> int:
    """Return the number of the last frame at or before a time."""
    return math.floor(seconds * frame_rate + _TOLERANCE)


def ruler_ticks(axis: TimeAxis, frame_rate: float, label_width: float) -> list[Tick]:
    """Return the ticks at whole frames; those with a label are at least `label_width` apart.

    Labelled frames are multiples of 1, 2, 5, 10 … frames; where the frame rate is a whole number,
    of round parts of a second, and of 1, 2, 5, 10, 15, 30 … seconds.
    """
    points = axis.width / (axis.length * frame_rate)  # a frame
    major = _step(label_width / points, frame_rate)
    minor = _part(major, points)
    first = math.ceil(axis.begin * frame_rate / minor - _TOLERANCE)
    last = math.floor(axis.end * frame_rate / minor + _TOLERANCE)
    frames = range(first * minor, last * minor + 1, minor)
    return [Tick(frame, frame / frame_rate, frame % major == 0) for frame in frames]


def uncovered(labels: Iterable[RulerLabel], left: float, right: float) -> list[RulerLabel]:
    """Return the labels that do not lie between two places, points."""
    return [label for label in labels if label.right <= left or label.left >= right]


def centred_labels(
    places: Sequence[float], widths: Sequence[float], left: float, right: float, gap: float
) -> list[LabelPlace]:
    """Return the places of labels centred at `places`, ascending; one that would overlap is 0 wide.

    Labels at the ends are moved inside.
    """
    found, end = [], left - gap
    for place, width in zip(places, widths, strict=True):
        x = min(max(place - width / 2.0, left), right - width)
        fits = x >= max(end + gap, left)
        found.append(LabelPlace(0, x, width if fits else 0.0))
        end = x + width if fits else end
    return found


def staggered_labels(
    places: Sequence[float],
    widths: Sequence[float],
    right: float,
    *,
    rows: int,
    gap: float,
    least: float,
) -> list[LabelPlace]:
    """Return the places of labels that begin at `places`, ascending, in the first row with room.

    A label that would end beyond `right` moves to the left if its row is free there, else it is
    shortened. If no row is free, the label before it that begins first is shortened to `least`
    points or more; else there is no room.
    """
    found: list[LabelPlace] = []
    last: list[int] = []  # of each row, the index of its last label
    for place, width in zip(places, widths, strict=True):
        row = next((k for k, number in enumerate(last) if _end(found[number]) + gap <= place), -1)
        if row < 0 and len(last) < rows:
            row = len(last)
        if row < 0:
            row = _shortened_row(found, last, place - gap, least)
        if row < 0:
            found.append(LabelPlace(0, place, 0.0))
            continue
        begin = _end(found[last[row]]) + gap if row < len(last) else -float("inf")
        x = max(min(place, right - width), begin)
        found.append(LabelPlace(row, x, max(min(width, right - x), 0.0)))
        last[row : row + 1] = [len(found) - 1]
    return found


def key_marks(times: F64, axis: TimeAxis, apart: float) -> list[tuple[float, float]]:
    """Return the marks of visible keys, first and last place in points.

    Keys less than `apart` points from each other are one mark.
    """
    seen = times[(times >= axis.begin - 1e-9) & (times <= axis.end + 1e-9)]
    if not seen.size:
        return []
    places = axis.left + (seen - axis.begin) / axis.length * axis.width
    gaps = np.flatnonzero(np.diff(places) >= apart)
    first = places[np.concatenate([[0], gaps + 1])]
    last = places[np.concatenate([gaps, [-1]])]
    return list(zip(first.tolist(), last.tolist(), strict=True))


def _step(least: float, frame_rate: float) -> int:
    """Return the number of frames between labels, at least `least`."""
    second = round(frame_rate)
    if abs(frame_rate - second) < 1e-6:
        parts = [second // part for part in (20, 10, 5, 4, 2) if second % part == 0]
        steps = [1, *(part for part in parts if part > 1)]
        steps[1:1] = [2] if len(steps) < 2 or steps[1] > 4 else []
        steps += [second * k for k in (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600)]
    else:
        steps = [power * k for power in (1, 10, 100) for k in (1, 2, 5)]
    while steps[-1] < least:
        steps.append(steps[-1] * 2)
    return next(step for step in steps if step >= least)


def _part(major: int, points: float) -> int:
    """Return the number of frames between ticks: a divisor of the step between labels."""
    least = max(LEAST_MINOR / points, major / MOST_MINOR)
    return next(
        part for part in range(1, major + 1) if major % part == 0 and part >= min(least, major)
    )


def _end(label: LabelPlace) -> float:
    return label.left + label.width


def _shortened_row(found: list[LabelPlace], last: Sequence[int], end: float, least: float) -> int:
    """Shorten the last label of a row to end at `end`; return its row, -1 if all are too short."""
    row = min(range(len(last)), key=lambda k: found[last[k]].left, default=-1)
    if row < 0 or end - found[last[row]].left < least:
        return -1
    before = found[last[row]]
    found[last[row]] = before._replace(width=end - before.left)
    return row
