"""The view of the timeline: its visible part, and what is dragged on it."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from ...motion.document import MotionDoc
from ..player import PlayRange
from .strips import Mark, Strip, StripPart
from .time_axis import TimeAxis

SMALLEST = 1e-3  # of the ruler: least visible part
WHOLE = (0.0, 1.0)
RangePart = Literal["new", "begin", "end", "all"]


class RangeDrag(NamedTuple):
    """A drag on the ruler that changes the range."""

    part: RangePart
    start: float  # seconds at the press
    place: float  # of the press, points
    before: PlayRange | None


class Present(NamedTuple):
    """The present time and range in a frame of the window."""

    time: float  # seconds of the ruler
    frame: int
    span: PlayRange | None


class StripDrag(NamedTuple):
    """A drag of a strip or a mark in a lane; without them it adds a strip."""

    layer: str
    strip: Strip | None
    mark: Mark | None
    part: StripPart
    start: float  # seconds at the press
    place: float  # of the press, points
    document: MotionDoc  # at the press


@dataclass(slots=True)
class TimelineView:
    """State of the timeline.

    Attributes
    ----------
    zoom
        Visible part of the ruler, from 0 to 1.
    zoomed
        What plays while it is zoomed.
    top
        The upper end of its panel, points: tooltips end there.
    events
        Lower ends of the marks of events, points.
    place
        The present time of the last frame as a part of the ruler, 0 to 1.
    range_drag
        The drag on the ruler that changes the range, None: there is none.
    scrubs
        Whether a drag on the ruler moves the present time.
    clip_drag
        The drag of the strip of a clip, which changes the range.
    strips
        Whether strips are shown; None: those of layers if something is scheduled.
    strip_drag
        The drag of a strip, None: there is none.
    strip_menu
        Indices in the schedule of what the open menu is about.
    opens_menu
        Whether that menu opens in this frame.
    times
        The number in the list of loop modes.
    held_ruler
        The visible seconds of the ruler while it is dragged, None: it is not.
    on_finding
        Whether a drag began at a finding: it does not seek.
    """

    zoom: tuple[float, float] = WHOLE
    zoomed: str = ""
    top: float = 0.0
    height: float = 0.0
    events: float = 0.0
    place: float = 0.0
    range_drag: RangeDrag | None = None
    scrubs: bool = False
    clip_drag: RangeDrag | None = None
    strips: bool | None = None
    strip_drag: StripDrag | None = None
    strip_menu: tuple[int, ...] = ()
    opens_menu: bool = False
    times: int = 2
    held_ruler: tuple[float, float] | None = None
    on_finding: bool = False

    def visible(self, ruler: tuple[float, float]) -> tuple[float, float]:
        """Return the visible seconds of a ruler."""
        begin, length = ruler[0], ruler[1] - ruler[0]
        return begin + self.zoom[0] * length, begin + self.zoom[1] * length

    def zoom_by(self, factor: float, focus: float) -> None:
        """Show `factor` times as much, with the same place at `focus`, both from 0 to 1."""
        low, high = self.zoom
        width = min(max((high - low) * factor, SMALLEST), 1.0)
        self._show(low + focus * (high - low - width), width)

    def pan(self, share: float) -> None:
        """Move the visible part by a share of it."""
        low, high = self.zoom
        self._show(low + share * (high - low), high - low)

    def follow(self, place: float) -> None:
        """Turn to the page of the present time when it leaves the visible part.

        Parameters
        ----------
        place
            The present time as a part of the ruler, 0 to 1.
        """
        low, high = self.zoom
        was_visible = low - 1e-9 <= self.place <= high + 1e-9
        if was_visible and not low - 1e-9 <= place <= high + 1e-9:
            self._show(place, high - low)
        self.place = place

    def _show(self, low: float, width: float) -> None:
        low = min(max(low, 0.0), 1.0 - width)
        self.zoom = (low, low + width) if width < 1.0 else WHOLE


def snapped(seconds: float, frame_rate: float) -> float:
    """Return the nearest whole frame, seconds."""
    return round(seconds * frame_rate) / frame_rate


def range_part(axis: TimeAxis, span: PlayRange | None, x: float, reach: float) -> RangePart:
    """Return what a press on the ruler drags: an end within `reach` points, the range, or a new."""
    if span is None:
        return "new"
    ends: dict[RangePart, float] = {
        "begin": abs(axis.x(span.begin) - x),
        "end": abs(axis.x(min(span.end, axis.end + axis.length)) - x),
    }
    nearest = min(ends, key=lambda part: ends[part])
    if ends[nearest] <= reach:
        return nearest
    return "all" if axis.x(span.begin) < x < axis.x(min(span.end, axis.end)) else "new"


def dragged_range(
    drag: RangeDrag, now: float, ruler: tuple[float, float], frame_rate: float
) -> PlayRange:
    """Return the range while it is dragged, at whole frames and within the ruler.

    Parameters
    ----------
    now
        Time at the pointer, seconds.
    """
    before = drag.before
    if drag.part == "new" or before is None:
        ends = (snapped(drag.start, frame_rate), snapped(now, frame_rate))
    elif drag.part == "all":
        end = min(before.end, ruler[1])
        step = snapped(now - drag.start, frame_rate)
        step = min(max(step, ruler[0] - before.begin), ruler[1] - end)
        ends = before.begin + step, end + step
    else:
        held = before.end if drag.part == "begin" else before.begin
        ends = held, snapped(now, frame_rate)
    first, last = sorted(min(max(end, ruler[0]), ruler[1]) for end in ends)
    return PlayRange(first, last)
