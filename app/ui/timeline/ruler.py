"""The ruler in frames, with the range that playback repeats, and the playhead."""

import math
from functools import lru_cache
from typing import NamedTuple

from imgui_bundle import imgui

from ...session.player import PlayRange
from ...session.session import Session
from ...session.timeline.time_axis import (
    RulerLabel,
    TimeAxis,
    centred_labels,
    ruler_ticks,
    uncovered,
)
from ...session.timeline.timeline_view import (
    WHOLE,
    Present,
    RangeDrag,
    TimelineView,
    dragged_range,
    range_part,
)
from .. import theme, widgets
from . import lanes
from .lanes import Lane, Row

Point = imgui.ImVec2
FRAMES = 0.82  # font heights: size of the labels
_GAP = 0.9  # font heights between labels
_TICK, _SHORT = 0.36, 0.2  # font heights: ticks with and without a label
_REACH = 0.4  # font heights: of the ends of the range
_STILL = 4.0  # points that the mouse may move during a click


class _Layout(NamedTuple):
    """The ticks and labels of a ruler, in the window."""

    ticks: list[tuple[Point, Point]]
    labels: list[RulerLabel]


def _height(_session: Session, _low: bool) -> float:
    """Return the height of the ruler, points."""
    return (FRAMES + _TICK + 0.05) * widgets.em()


def _draw(session: Session, row: Row) -> bool:
    lines, box, span = imgui.get_window_draw_list(), row.box, row.present.span
    lines.add_rect_filled(*box, theme.packed(theme.palette().face), 3.0)
    lines.push_clip_rect(*box, True)
    if span is not None:
        _draw_range(session, row.axis, span, row.top, row.top + row.tall)
    _draw_ticks(session, row)
    lines.pop_clip_rect()
    return False


def _draw_ticks(session: Session, row: Row) -> None:
    """Draw ticks, and the labels that the playhead does not cover."""
    em, lines, palette = widgets.em(), imgui.get_window_draw_list(), theme.palette()
    axis, present, font = row.axis, row.present, imgui.get_font()
    layout = _layout(axis, session.frame_rate, row.top + row.tall, em)
    ink, text = theme.packed(palette.quiet), theme.packed(palette.text)
    for upper, lower in layout.ticks:
        lines.add_line(upper, lower, ink)
    head = _head(axis, present) if axis.shows(present.time) else (0.0, 0.0)
    for label in uncovered(layout.labels, *head):
        lines.add_text(font, FRAMES * em, (label.left, row.top), text, label.text)


@lru_cache(maxsize=2)
def _layout(axis: TimeAxis, rate: float, bottom: float, em: float) -> _Layout:
    """Return ticks and labels, kept while the ruler rests."""
    widest = imgui.calc_text_size(f"{axis.end * rate:.0f}").x * FRAMES
    ticks = ruler_ticks(axis, rate, widest + _GAP * em)
    named = [tick for tick in ticks if tick.labelled]
    words, widths = _texts(tuple(tick.frame for tick in named), em)
    ends = axis.left - 0.4 * em, axis.right + 0.4 * em
    placed = centred_labels(axis.places(tick.seconds for tick in named), widths, *ends, 0.4 * em)
    labels = [
        RulerLabel(label.left, label.left + label.width, text)
        for text, label in zip(words, placed, strict=True)
        if label.width
    ]
    lines = [
        (Point(x, bottom - (_TICK if tick.labelled else _SHORT) * em), Point(x, bottom))
        for x, tick in zip(axis.places(tick.seconds for tick in ticks), ticks, strict=True)
    ]
    return _Layout(lines, labels)


@lru_cache(maxsize=4)
def _texts(frames: tuple[int, ...], _em: float) -> tuple[list[str], list[float]]:
    """Return the labels of frames with their widths, points.

    They are kept: while the ruler moves, its ticks change only now and then.
    """
    words = [f"{frame}" for frame in frames]
    return words, [imgui.calc_text_size(each).x * FRAMES for each in words]


def _draw_range(
    session: Session, axis: TimeAxis, span: PlayRange, top: float, bottom: float
) -> None:
    em, lines, accent = widgets.em(), imgui.get_window_draw_list(), theme.palette().accent
    left, right = axis.x(span.begin), axis.x(min(span.end, axis.end + axis.length))
    lines.add_rect_filled((left, top), (right, bottom), theme.packed(accent, 0.28))
    grip, low = 0.3 * em, bottom - 0.8 * em
    for x, side in ((left, 1.0), (right, -1.0)):
        lines.add_line((x, top), (x, bottom), theme.packed(accent), 0.1 * em)
        tip = (x, low), (x + side * grip, low + 0.4 * em), (x, bottom)
        lines.add_triangle_filled(*tip, theme.packed(accent))
    widgets.mark_box(session, "range in", (left - 2.0, top), (left + grip, bottom))
    widgets.mark_box(session, "range out", (right - grip, top), (right + 2.0, bottom))


def _hover(session: Session, row: Row) -> list[str]:
    """Take the mouse; return what the tooltip says.

    A drag sets the range, or moves it or one of its ends; a drag of the playhead and a click seek.
    A double click on the range clears it, elsewhere it shows the whole ruler.
    """
    axis, span, words = row.axis, row.present.span, list[str]()
    hovered, em = imgui.is_item_hovered(), widgets.em()
    if not (hovered or imgui.is_item_active() or imgui.is_item_deactivated()):
        return words
    mouse, view = imgui.get_io().mouse_pos, session.interface.of(TimelineView)
    part = range_part(axis, span, mouse.x, _REACH * em)
    left, right = _head(axis, row.present)
    on_head = left <= mouse.x <= right and mouse.y <= row.top + FRAMES * em
    if hovered and imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
        view.range_drag = None
        if part != "new":
            session.transport.clear_play_range()
        else:
            view.zoom = WHOLE
        return words
    if hovered and not imgui.is_item_active():
        if not on_head and part in ("begin", "end"):
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
        words = _words(session, axis, span if part != "new" else None)
    if imgui.is_item_activated() and imgui.is_mouse_down(imgui.MouseButton_.left):
        view.scrubs = on_head
        pressed = None if on_head else RangeDrag(part, axis.seconds(mouse.x), mouse.x, span)
        view.range_drag = pressed
    _drag(session, axis, mouse.x)
    return words


def _drag(session: Session, axis: TimeAxis, x: float) -> None:
    """Continue or end a drag of the playhead or the range."""
    view = session.interface.of(TimelineView)
    drag, ended = view.range_drag, imgui.is_item_deactivated()
    if view.scrubs and imgui.is_item_active():
        session.transport.seek(axis.seconds(x))
    if drag is not None and (imgui.is_item_active() or ended):
        if abs(x - drag.place) > _STILL or drag.part in ("begin", "end"):
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
            whole = session.transport.span
            limits = whole[0], min(whole[1], max(axis.end, whole[0]))
            span = dragged_range(drag, axis.seconds(x), limits, session.frame_rate)
            session.transport.set_play_range(*span)
        elif ended:
            session.transport.seek(axis.seconds(x))
    if ended:
        view.scrubs, view.range_drag = False, None


def _words(session: Session, axis: TimeAxis, span: PlayRange | None) -> list[str]:
    """Return the time at the pointer, and how to change the range."""
    rate = session.frame_rate
    words = [lanes.moment(session, axis.seconds(imgui.get_io().mouse_pos.x))]
    rests = imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip)
    if span is None and rests:
        words += ["Drag: range that playback repeats. Wheel: zoom"]
    elif span is not None and rests:
        end = "" if math.isinf(span.end) else f"{span.end:.2f} s, frame {span.end * rate:.4g}"
        words += [f"Range from {span.begin:.2f} s, frame {span.begin * rate:.4g}, to {end}"]
        words += ["Drag its ends or its middle; double click: clear"]
    return words


def _head(axis: TimeAxis, now: Present) -> tuple[float, float]:
    """Return the left and right end of the playhead's label, points."""
    wide = imgui.calc_text_size(f"{now.frame}").x * FRAMES + 0.6 * widgets.em()
    left = axis.x(now.time) - wide / 2.0
    return left, left + wide


def draw_playhead(timeline: Row) -> None:
    """Draw the present time as a line with the frame at its head."""
    now = timeline.present
    em, lines, palette = widgets.em(), imgui.get_window_draw_list(), theme.palette()
    top, x, accent = timeline.top, timeline.axis.x(now.time), theme.packed(palette.accent)
    lines.add_line((x, top + em), (x, timeline.top + timeline.tall), accent, 0.12 * em)
    left, right = _head(timeline.axis, now)
    box = (left, top), (right, top + (FRAMES + 0.1) * em)
    lines.add_rect_filled(*box, accent, 0.2 * em)
    if not timeline.low:
        tip = (x - 0.25 * em, box[1][1]), (x + 0.25 * em, box[1][1]), (x, box[1][1] + 0.3 * em)
        lines.add_triangle_filled(*tip, accent)
    place, ink = (left + 0.3 * em, top + 0.05 * em), theme.packed(palette.tick)
    lines.add_text(imgui.get_font(), FRAMES * em, place, ink, f"{now.frame}")


LANE = Lane("ruler", _height, _draw, _hover)
