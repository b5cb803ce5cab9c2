"""The findings at times of the clip that plays alone, grouped where the timeline has no room."""

from collections.abc import Iterable

from ...check.finding import SEVERITIES, Finding
from ..session import Session
from .timeline_ticks import TimeAxis
from .timeline_view import FindingGroup


def finding_groups(session: Session, axis: TimeAxis, apart: float) -> list[FindingGroup]:
    """Return the visible findings of the clip that plays alone, kept until something changes.

    Findings less than `apart` points after the first one of a group belong to it.
    """
    active = session.active
    clip = -1 if active is None else active.character.mixer.clip
    if active is None or clip < 0:
        return []
    view, found = session.interface.timeline, active.check.places(active.model).times.get(clip, ())
    kept, rest = view.findings_of, (axis, apart)
    if not kept or kept[0] is not found or kept[1:] != rest:
        view.findings, view.findings_of = grouped(found, axis, apart), (found, *rest)
    return view.findings


def grouped(found: Iterable[Finding], axis: TimeAxis, apart: float) -> list[FindingGroup]:
    """Return visible findings, ascending in time, in groups; see `finding_groups`."""
    groups: list[FindingGroup] = []
    for each in found:
        if each.time is None or not axis.shows(each.time):
            continue
        x = axis.x(each.time)
        if groups and x - groups[-1].x < apart:
            groups[-1] = FindingGroup(groups[-1].x, (*groups[-1].found, each))
        else:
            groups.append(FindingGroup(x, (each,)))
    return [
        FindingGroup(x, tuple(sorted(own, key=lambda each: SEVERITIES.index(each.severity))))
        for x, own in groups
    ]
