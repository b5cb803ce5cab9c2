"""Places of labels on the timeline: in rows, without overlaps, shortened where room is short."""

from collections.abc import Sequence
from typing import NamedTuple


class LabelPlace(NamedTuple):
    """The place of a label."""

    row: int
    left: float  # points
    width: float  # points that it may take; 0: there is no room for it


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
