"""What the timeline shows at times: events, foot contacts and findings of clips."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from ...check.finding import SEVERITIES, Finding
from ...model.model import Model
from ...motion.document import ClipEvent, MotionDoc
from ...scene.contact_spans import ContactSpan, ContactSpans
from ...wording import measure
from ..clip_results import clip_number
from ..clip_settings import settings_of
from ..finding_places import Findings
from .key_places import KeyPlaces, PlayingKeys
from .timeline_ticks import TimeAxis


class TimelineEvent(NamedTuple):
    """An event on the timeline."""

    time: float  # seconds of the ruler
    name: str
    clip: str


class ContactPhase(NamedTuple):
    """A foot contact on the timeline."""

    span: ContactSpan
    parts: tuple[tuple[float, float], ...]  # seconds; two if it spans the seam of a loop
    words: str


class FindingGroup(NamedTuple):
    """Findings at about the same time on the timeline."""

    x: float  # of the first one, points
    found: Findings  # most severe first


def has_events(document: MotionDoc) -> bool:
    """Return whether a motion document has events."""
    return any(settings.events for settings in document.clips.values())


def clip_events(
    model: Model, document: MotionDoc, clip: int, begin: float, end: float
) -> list[TimelineEvent]:
    """Return the events of a clip that plays alone, from `begin` to `end` seconds."""
    name = model.clips[clip].name
    return [
        TimelineEvent(time_of(mark, begin, end), mark.name, name)
        for mark in settings_of(model, document, clip).events
    ]


def time_of(mark: ClipEvent, begin: float, end: float) -> float:
    """Return the clip time of an event of a clip that plays from `begin` to `end`, seconds."""
    if mark.phase is not None:
        return begin + mark.phase * (end - begin)
    return begin + (mark.time or 0.0)


def phases_of(
    contacts: ContactSpans, foot: int, name: str, begin: float, end: float
) -> list[ContactPhase]:
    """Return the contacts of a foot in a clip that plays from `begin` to `end`, seconds."""
    return [_phase(span, name, begin, end) for span in contacts.spans[foot]]


def _phase(span: ContactSpan, name: str, begin: float, end: float) -> ContactPhase:
    whole = span.end > span.begin
    parts = ((span.begin, span.end),) if whole else ((span.begin, end), (begin, span.end))
    over = "" if whole else " over the seam"
    slide = measure(span.slide * 1000, "mm")
    words = f"{name} on the ground from {span.begin:.2f} s to {span.end:.2f} s{over}"
    return ContactPhase(span, parts, f"{words}, slides {slide}")


def groups_of(
    times: Mapping[int, Findings],
    model: Model,
    playing: tuple[PlayingKeys, ...],
    axis: TimeAxis,
    apart: float,
) -> list[FindingGroup]:
    """Return the findings at times of the clips that play, in groups; see `finding_groups`.

    Parameters
    ----------
    times
        The findings by the index of their clip.
    """
    placed = [
        (time, finding)
        for clip, places in playing
        for finding in times.get(clip_number(model, clip), ())
        for time in _times(finding, places, axis)
    ]
    placed.sort(key=lambda each: each[0])
    return grouped(placed, axis, apart)


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
