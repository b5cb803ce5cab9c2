"""Edits of the schedule by dragging strips: move, stretch, remove, add."""

from dataclasses import replace

from ...motion import edit
from ...motion.cross_references import WEIGHT
from ...motion.document import At, Fade, MotionDoc, Set
from .strips import NO_MOMENT, Strip, StripPart

RAMP = 0.2  # seconds of the ramps of a new strip
SHORTEST = 0.05  # seconds of a new strip
DIGITS = 4  # of written times


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
        return with_time(document, strip.start, min(now, _before_end(strip)))
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


def _before_end(strip: Strip) -> float:
    """Return the latest time at which a strip may begin, seconds."""
    return strip.end - strip.ramp_out
