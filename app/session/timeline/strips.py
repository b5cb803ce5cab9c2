"""The strips of layers on the timeline: what each layer plays from when to when, with its ramps.

A layer whose weight is scheduled has a strip for each time in which it has weight; another one has
a strip for each source, which fade into each other, or none if its weight is 0.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from ...memo import Memo
from ...motion import edit, layer_content
from ...motion.cross_references import WEIGHT, initial
from ...motion.document import At, Fade, LayerSettings, MotionDoc, Seek, Set, Speed
from .time_axis import TimeAxis

StripKind = Literal["source", "weight"]
StripPart = Literal["start", "ramp in", "ramp out", "end", "all"]
NO_MOMENT = -1
RAMP = 0.2  # seconds of the ramps of a new strip
SHORTEST = 0.05  # seconds of a new strip
DIGITS = 4  # of written times


class Corner(NamedTuple):
    """A point of the outline of a strip."""

    time: float  # seconds
    weight: float


@dataclass(frozen=True, slots=True)
class Strip:
    """A strip.

    Attributes
    ----------
    begin, end
        Seconds; infinity: it does not end.
    ramp_in, ramp_out
        Seconds of the ramps inside it.
    start, stop
        Indices in the schedule of what begins and ends it, `NO_MOMENT` for none.
    moments
        Indices in the schedule of all that belongs to it.
    outline
        Its weight over time.
    """

    kind: StripKind
    label: str
    begin: float
    end: float
    ramp_in: float = 0.0
    ramp_out: float = 0.0
    start: int = NO_MOMENT
    stop: int = NO_MOMENT
    moments: tuple[int, ...] = ()
    outline: tuple[Corner, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A scheduled change at one time."""

    time: float  # seconds
    moment: int  # index in the schedule
    words: str


@dataclass(frozen=True, slots=True)
class LayerLane:
    """The strips and marks of a layer; of layer "" the marks of parameters and cameras."""

    layer: str
    active: bool
    strips: tuple[Strip, ...]
    marks: tuple[Mark, ...] = ()


@Memo
def lanes_of(document: MotionDoc, before: MotionDoc | None = None) -> list[LayerLane]:
    """Return a lane for each layer, those with strips or marks first, and one for what has none.

    They are in the order of another document, `before`, if given.
    """
    if before is not None:
        places = {lane.layer: k for k, lane in enumerate(_lanes(before))}
        return sorted(_lanes(document), key=lambda lane: places.get(lane.layer, len(places)))
    return _lanes(document)


def _lanes(document: MotionDoc) -> list[LayerLane]:
    solo = any(layer.solo and not layer.mute for layer in document.layers)
    found = []
    for layer in document.layers:
        active = not layer.mute and (layer.solo or not solo)
        own = [(k, at) for k, at in enumerate(document.at) if edit.layer_of(at) == layer.name]
        own.sort(key=lambda each: each[1].time)
        weighted = any(isinstance(at.do, Set) for _, at in own)
        if weighted:
            strips = _weight_strips(document, layer, own)
        else:
            has_weight = isinstance(layer.weight, str) or layer.weight > 0
            strips = _sources(layer, own) if has_weight else []
        used = {k for strip in strips for k in strip.moments}
        marks = tuple(Mark(at.time, k, title(at)) for k, at in own if k not in used)
        found.append(LayerLane(layer.name, active, tuple(strips), marks))
    found.sort(key=lambda lane: not (lane.strips or lane.marks))
    names = {layer.name for layer in document.layers}
    others = [
        Mark(at.time, k, title(at))
        for k, at in enumerate(document.at)
        if edit.layer_of(at) not in names
    ]
    used_lanes = [lane for lane in found if lane.strips or lane.marks]
    others_lane = [LayerLane("", True, (), tuple(others))] if others else []
    return [*used_lanes, *others_lane, *found[len(used_lanes) :]]


def title(at: At) -> str:
    """Return what a scheduled change does."""
    do = at.do
    if isinstance(do, Fade):
        return f"{do.layer} → {layer_content.label(do.to)}"
    if isinstance(do, Set):
        value = do.value
        number = (
            f"{value:g}" if isinstance(value, float | int) else ", ".join(map("{:g}".format, value))
        )
        return f"{do.name} = {number}"
    if isinstance(do, Seek):
        return f"{do.layer} at {do.time:g} s"
    if isinstance(do, Speed):
        return f"{do.layer} × {do.value:g}"
    return f"Camera {do.camera}" if do.camera else "Orbit camera"


def strip_part(strip: Strip, axis: TimeAxis, x: float, reach: float) -> StripPart | None:
    """Return what a press at `x` drags: an end of the strip or of a ramp, all of it; None: nothing.

    Parameters
    ----------
    reach
        Points around an end that belong to it.
    """
    if not axis.x(strip.begin) - reach <= x <= axis.x(min(strip.end, axis.end + 1.0)) + reach:
        return None
    ends: dict[StripPart, float] = {}
    if strip.start != NO_MOMENT:
        ends = {"ramp in": strip.begin + strip.ramp_in, "start": strip.begin}
    if strip.stop != NO_MOMENT and strip.kind == "weight":
        ends |= {"ramp out": strip.end - strip.ramp_out, "end": strip.end}
    near = {part: abs(axis.x(time) - x) for part, time in ends.items()}
    nearest = min(near, key=lambda part: near[part], default=None)
    if nearest is not None and near[nearest] <= reach:
        return nearest
    return "all" if axis.x(strip.begin) <= x <= axis.x(min(strip.end, axis.end + 1.0)) else None


def dragged(
    document: MotionDoc, strip: Strip, part: StripPart, start: float, now: float
) -> MotionDoc:
    """Return the document after a drag of a strip from one time to another.

    Parameters
    ----------
    document, strip
        As they were at the press.
    part
        What is dragged: all of it, an end of the strip, or the inner end of a ramp.
    start, now
        Seconds.
    """
    if part == "all":
        return _moved(document, strip, now - start)
    if part == "start":
        return with_time(document, strip.start, min(now, strip.end - strip.ramp_out))
    if part == "ramp in":
        return with_seconds(document, strip.start, now - strip.begin)
    if part == "end":
        return with_time(document, strip.stop, max(now - strip.ramp_out, strip.begin))
    begin = min(max(now, strip.begin), strip.end)
    later = with_time(document, strip.stop, begin)
    return with_seconds(later, strip.stop, strip.end - begin)


def with_time(document: MotionDoc, moment: int, time: float) -> MotionDoc:
    """Return the document with a scheduled change at another time, seconds."""
    at = document.at[moment]
    return edit.changed_at(document, moment, replace(at, time=round(max(time, 0.0), DIGITS)))


def with_seconds(document: MotionDoc, moment: int, seconds: float) -> MotionDoc:
    """Return the document with another duration of a scheduled fade or value."""
    at = document.at[moment]
    if not isinstance(at.do, Fade | Set):
        return document
    do = replace(at.do, seconds=round(max(seconds, 0.0), DIGITS))
    return edit.changed_at(document, moment, replace(at, do=do))


def removed(document: MotionDoc, moments: tuple[int, ...]) -> MotionDoc:
    """Return the document without some scheduled changes."""
    for moment in sorted(moments, reverse=True):
        document = edit.without_at(document, moment)
    return document


def with_weight_strip(document: MotionDoc, layer: str, begin: float, end: float) -> MotionDoc:
    """Return the document with full weight of a layer between two times, seconds, with ramps."""
    first, last = sorted((max(begin, 0.0), max(end, 0.0)))
    length = last - first
    if length < SHORTEST:
        return document
    ramp = round(min(RAMP, length / 2.0), DIGITS)
    name = f"{layer}{WEIGHT}"
    document = edit.with_at(document, At(round(first, DIGITS), Set(name, 1.0, ramp)))
    return edit.with_at(document, At(round(last - ramp, DIGITS), Set(name, 0.0, ramp)))


def _sources(layer: LayerSettings, own: Sequence[tuple[int, At]]) -> list[Strip]:
    """Return a strip for each source that a layer plays."""
    fades = [(k, at.time, at.do) for k, at in own if isinstance(at.do, Fade)]
    plays = [(NO_MOMENT, 0.0, 0.0, layer.play)]
    plays += [(k, time, fade.seconds, fade.to) for k, time, fade in fades]
    found = []
    for number, (k, begin, ramp, play) in enumerate(plays):
        last = number + 1 == len(plays)
        stop, fade_out, ramp_out = (NO_MOMENT, math.inf, 0.0) if last else plays[number + 1][:3]
        outline = (
            Corner(begin, 1.0 if k == NO_MOMENT else 0.0),
            Corner(begin + ramp, 1.0),
            Corner(max(fade_out, begin + ramp), 1.0),
            Corner(fade_out + ramp_out, 0.0),
        )
        strip = Strip(
            kind="source",
            label=layer_content.label(play),
            begin=begin,
            end=fade_out + ramp_out,
            ramp_in=ramp,
            ramp_out=ramp_out,
            start=k,
            stop=stop,
            moments=() if k == NO_MOMENT else (k,),
            outline=outline,
        )
        found.append(strip)
    return found


def _weight_strips(
    document: MotionDoc, layer: LayerSettings, own: Sequence[tuple[int, At]]
) -> list[Strip]:
    """Return a strip for each time in which a layer has weight."""
    name = f"{layer.name}{WEIGHT}"
    sets = [(k, at.time, at.do) for k, at in own if isinstance(at.do, Set) and at.do.name == name]
    weight = initial(document, layer.weight)
    outline = _envelope(weight, [(time, do) for _, time, do in sets])
    return [
        replace(
            strip,
            label=layer_content.labels_at(document, layer, strip.begin)[-1],
            outline=tuple(each for each in outline if strip.begin <= each.time <= strip.end),
        )
        for strip in _spans(weight, sets)
    ]


def _spans(weight: float, sets: Sequence[tuple[int, float, Set]]) -> list[Strip]:
    """Return the times in which a scheduled weight is above 0, without label and outline."""
    endless = Strip("weight", "", 0.0, math.inf)
    found = [endless] if weight > 0 else []
    for k, time, do in sets:
        rises, ramp = _goal(do) > 0, do.seconds or 0.0
        if found and time < found[-1].end:
            end, out, stop = (math.inf, 0.0, NO_MOMENT) if rises else (time + ramp, ramp, k)
            moments = (*found[-1].moments, k)
            found[-1] = replace(found[-1], end=end, ramp_out=out, stop=stop, moments=moments)
        elif rises:
            found.append(replace(endless, begin=time, ramp_in=ramp, start=k, moments=(k,)))
    return found


def _goal(do: Set) -> float:
    """Return the weight that a scheduled value sets."""
    return float(do.value) if isinstance(do.value, float | int) else 0.0


def _envelope(weight: float, sets: Sequence[tuple[float, Set]]) -> list[Corner]:
    """Return the corners of a scheduled weight, which ramps linearly, up to infinity."""
    corners, ramp = [Corner(0.0, weight)], (0.0, weight, 0.0, weight)

    def at(time: float) -> float:
        begin, low, end, high = ramp
        share = 1.0 if end <= begin or time >= end else (time - begin) / (end - begin)
        return low + (high - low) * share

    for time, do in sets:
        before = at(time)
        while corners[-1].time > time:  # a ramp that is cut off
            corners.pop()
        ramp = time, before, time + (do.seconds or 0.0), _goal(do)
        corners += [Corner(time, before), Corner(ramp[2], ramp[3])]
    return [*corners, Corner(math.inf, ramp[3])]


def _moved(document: MotionDoc, strip: Strip, step: float) -> MotionDoc:
    """Return the document with all of a strip moved; what begins the next source moves with it."""
    moments = set(strip.moments)
    if strip.start != NO_MOMENT and strip.stop != NO_MOMENT:
        moments.add(strip.stop)
    if not moments:
        return document
    step = max(step, -min(document.at[k].time for k in moments))
    for k in moments:
        document = with_time(document, k, document.at[k].time + step)
    return document
