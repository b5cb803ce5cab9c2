"""What the timeline shows of what plays: events, foot contacts, findings, and the loop seam."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...checks.check_context import CheckContext
from ...checks.clip_ends import compare_ends, worst
from ...checks.finding import SEVERITIES, Finding, rules_of
from ...checks.looping_clips import loop_decision
from ...checks.rule_settings import Settings
from ...checks.rules import loop_seams
from ...memo import Memo
from ...model.model import Model
from ...motion.document import MotionDoc
from ...motion.read import MotionFile
from ...scene.contact_spans import ContactSpan, ContactSpans
from ...wording import measure, number, quoted
from ..clip_results import ClipResults, clip_number
from ..clip_settings import settings_of
from ..file_check import Findings
from ..session import Session
from .time_axis import TimeAxis
from .timeline_keys import PlayingKeys, playing_clips

MOST = 200  # events on a timeline


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


@dataclass(frozen=True, slots=True)
class LoopSeam:
    """The seam of a clip.

    Attributes
    ----------
    loops
        Whether the clip should loop.
    distance
        The distance of the ends, and why the clip should loop or not.
    faults
        What the rules found.
    """

    loops: bool
    distance: str
    faults: tuple[str, ...] = ()


class LoopSeams(ClipResults[LoopSeam | None]):
    """The seams of the clips that were shown; None: the clip moves no joints."""

    def __init__(self) -> None:
        super().__init__(loop_seam)


def timeline_events(session: Session, begin: float, end: float) -> list[TimelineEvent]:
    """Return the events between two times of the ruler, seconds, in order of time.

    They are those of the clip that plays alone, or those that layers fire.
    """
    character = session.transport.playable
    if character is None:
        return []
    if session.editor.shown:
        listed = [
            TimelineEvent(fired.tau, fired.name, fired.clip) for fired in session.editor.upcoming
        ]
    elif character.mixer.clip >= 0:
        document, (first, last) = session.document, session.transport.span
        listed = clip_events(character.model, document, character.mixer.clip, first, last)
    else:
        listed = []
    seen = [each for each in listed if begin - 1e-9 <= each.time <= end + 1e-9]
    return sorted(seen)[:MOST]


def contact_phases(session: Session) -> list[ContactPhase]:
    """Return the contacts of the selected foot in the clip that plays alone."""
    character, chosen = session.character, session.selected
    if character is None or chosen is None or chosen.primitive >= 0 or character.mixer.clip < 0:
        return []
    found, skeleton = character.foot_contacts, character.model.skeleton
    if found is None or found.clip is not character.model.clips[character.mixer.clip]:
        return []
    foot = found.foot_of(chosen.joint, skeleton.parents)
    if foot < 0:
        return []
    begin, end = session.transport.span
    return phases_of(found, foot, skeleton.names[foot], begin, end)


def finding_groups(session: Session, axis: TimeAxis, apart: float) -> list[FindingGroup]:
    """Return the visible findings of the clips that play.

    Of clips in layers they are at the first time of the ruler at which their layer passes them:
    they do not repeat along a common loop; clips of a sync group have no even time. Findings less
    than `apart` points after the first one of a group belong to it.
    """
    active = session.active
    times = {} if active is None else active.check.places(active.model).times
    if active is None or not any(times.values()):
        return []
    model, shown = active.model, playing_clips(session.transport)
    found = tuple(each for each in shown if times.get(clip_number(model, each.clip)))
    begin = session.transport.ruler.begin
    return groups_of(times, model, found, axis, apart, begin)


@Memo
def has_events(document: MotionDoc) -> bool:
    """Return whether a motion document has events."""
    return any(settings.events for settings in document.clips.values())


@Memo
def clip_events(
    model: Model, document: MotionDoc, clip: int, begin: float, end: float
) -> list[TimelineEvent]:
    """Return the events of a clip that plays alone, from `begin` to `end` seconds."""
    name, found = model.clips[clip].name, []
    for mark in settings_of(model, document, clip).events:
        after = mark.time or 0.0 if mark.phase is None else mark.phase * (end - begin)
        found.append(TimelineEvent(begin + after, mark.name, name))
    return found


@Memo
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


@Memo
def groups_of(
    times: Mapping[int, Findings],
    model: Model,
    playing: tuple[PlayingKeys, ...],
    axis: TimeAxis,
    apart: float,
    begin: float,
) -> list[FindingGroup]:
    """Return the findings at times of the clips that play, in groups; see `finding_groups`.

    Parameters
    ----------
    times
        The findings by the index of their clip.
    begin
        Where the ruler begins, seconds; the axis may begin later.
    """
    placed = [
        (time, finding)
        for clip, places in playing
        for finding in times.get(clip_number(model, clip), ())
        for time in places.on_ruler(np.array([finding.time]), begin, axis.end)[:1].tolist()
    ]
    placed.sort(key=lambda each: each[0])
    return grouped(placed, axis, apart)


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


@np.errstate(all="ignore")  # invalid numbers of a file propagate
def loop_seam(model: Model, document: MotionDoc, clip: int) -> LoopSeam | None:
    """Return the seam of a clip; None if it has no length or moves no joints."""
    context = CheckContext(model, clips=(clip,), motion=MotionFile(document))
    if not context.clip(clip).duration > 0:
        return None
    ends = context.cached(compare_ends, clip)
    if not len(ends.joints):
        return None
    far, rotated = worst(ends.position_gaps), worst(ends.rotation_gaps)
    names = [model.skeleton.names[ends.joints[k]] for k in (far, rotated)]
    decision = loop_decision(context, clip)
    distance = (
        f"The last pose is {measure(float(ends.position_gaps[far]) * 1000, 'mm')} from the first "
        f"at {quoted(names[0])}, rotated by "
        f"{number(float(np.degrees(ends.rotation_gaps[rotated])))}° at {quoted(names[1])}. "
        f"The clip should {'' if decision.expected else 'not '}loop: {decision.why}."
    )
    faults = [
        finding.message
        for rule in rules_of(loop_seams)
        for finding in rule.find(context, Settings().limits_of(rule, context.scale))
    ]
    return LoopSeam(decision.expected, distance, tuple(faults))
