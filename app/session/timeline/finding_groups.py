"""The findings at times of the clips that play, grouped where the timeline has no room."""

from collections.abc import Iterable, Sequence

import numpy as np

from ...animation.clip import Clip
from ...check.finding import SEVERITIES, Finding
from ..session import Session
from .key_places import KeyPlaces, playing_clips
from .timeline_ticks import TimeAxis
from .timeline_view import FindingGroup, TimelineView


def finding_groups(session: Session, axis: TimeAxis, apart: float) -> list[FindingGroup]:
    """Return the visible findings of the clips that play, kept until something changes.

    Of clips in layers they are at all times at which their layer passes them; clips of a sync
    group have no even time. Findings less than `apart` points after the first one of a group
    belong to it.
    """
    active, view = session.active, session.interface.of(TimelineView)
    times = {} if active is None else active.check.places(active.model).times
    if active is None or not any(times.values()):
        return []
    clips, shown = active.model.clips, playing_clips(session)
    found = [each for each in shown if times.get(_number(clips, each.clip))]
    kept, key = view.findings_of, (times, axis, apart, *found)
    if not kept or kept[0] is not times or kept[1:] != key[1:]:
        placed = [
            (time, finding)
            for clip, places in found
            for finding in times[_number(clips, clip)]
            for time in _times(finding, places, axis)
        ]
        placed.sort(key=lambda each: each[0])
        view.findings, view.findings_of = grouped(placed, axis, apart), key
    return view.findings


def _number(clips: Sequence[Clip], clip: Clip) -> int:
    """Return the index of a clip, -1 if it is of another file."""
    return next((k for k, each in enumerate(clips) if each is clip), -1)


def _times(finding: Finding, places: KeyPlaces, axis: TimeAxis) -> list[float]:
    """Return the times of the ruler at which the clip of a finding passes it."""
    if finding.time is None:
        return []
    return places.on_ruler(np.array([finding.time]), axis.begin, axis.end).tolist()


def grouped(
    found: Iterable[tuple[float, Finding]], axis: TimeAxis, apart: float
) -> list[FindingGroup]:
    """Return visible findings with times of the ruler, ascending, in groups; `finding_groups`."""
    groups: list[FindingGroup] = []
    for time, each in found:
        if not axis.shows(time):
            continue
        x = axis.x(time)
        if groups and x - groups[-1].x < apart:
            groups[-1] = FindingGroup(groups[-1].x, (*groups[-1].found, each))
        else:
            groups.append(FindingGroup(x, (each,)))
    return [
        FindingGroup(x, tuple(sorted(own, key=lambda each: SEVERITIES.index(each.severity))))
        for x, own in groups
    ]
