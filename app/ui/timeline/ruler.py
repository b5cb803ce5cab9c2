"""The ruler in frames and seconds, with the range that playback repeats."""

import math
from functools import lru_cache
from typing import NamedTuple

from imgui_bundle import imgui

from ...session import linked_transport, transport
from ...session.play_range import PlayRange
from ...session.session import Session
from ...session.timeline.time_axis import (
    RulerLabel,
    TimeAxis,
    centred_labels,
    frame_at,
    ruler_ticks,
    second_labels,
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
from . import playhead

Point = imgui.ImVec2
FRAMES, SECONDS = playhead.SIZE, 0.75  # font heights: sizes of the labels
BUTTONS = imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_middle
_GAP = 0.9  # font heights between labels
_TICK, _SHORT = 0.36, 0.2  # font heights: ticks with and without a label
_REACH = 0.4  # font heights: of the ends of the range
_STILL = 4.0  # points that the mouse may move during a click


class _Layout(NamedTuple):
    """The ticks and labels of a ruler, in the window."""

    ticks: list[tuple[Point, Point]]
    labels: list[RulerLabel]


def height(*, low: bool) -> float:
    """Return the height of the ruler, points; a low window has no seconds."""
    rows = FRAMES if low else FRAMES + SECONDS
    return (rows + _TICK + 0.05) * widgets.em()


def draw(session: Session, axis: TimeAxis, top: float, present: Present, *, low: bool) -> bool:
    """Draw the ruler and the range; return whether it is dragged.

    A drag sets the range, or moves it or one of its ends; a drag of the playhead and a click seek.
    A double click on the range clears it, elsewhere it shows the whole ruler.
    """
    tall, inset = height(low=low), 0.5 * widgets.em()
    imgui.set_cursor_screen_pos((axis.left - inset, top))
    imgui.invisible_button("ruler", (axis.width + 2.0 * inset, tall), BUTTONS)
    widgets.mark(session, "ruler")
    _take_mouse(session, axis, present, top)
    lines, palette = imgui.get_window_draw_list(), theme.palette()
    box = (axis.left - inset, top), (axis.right + inset, top + tall)
    lines.add_rect_filled(*box, theme.packed(palette.face), 3.0)
    lines.push_clip_rect(*box, True)
    if present.span is not None:
        _draw_range(session, axis, present.span, top, top + tall)
    _draw_ticks(session, axis, top, present, low=low)
    lines.pop_clip_rect()
    return imgui.is_item_active()


def _draw_ticks(
    session: Session, axis: TimeAxis, top: float, present: Present, *, low: bool
) -> None:
    """Draw ticks, and the labels that the playhead does not cover."""
    em, lines, palette = widgets.em(), imgui.get_window_draw_list(), theme.palette()
    layout, font = _layout(axis, session.frame_rate, top, low, em), imgui.get_font()
    ink, text = theme.packed(palette.quiet), theme.packed(palette.text)
    for upper, lower in layout.ticks:
        lines.add_line(upper, lower, ink)
    head = playhead.head(axis, present) if axis.shows(present.time) else (0.0, 0.0)
    for label in uncovered(layout.labels, *head):
        size, color = (SECONDS, ink) if label.of_seconds else (FRAMES, text)
        lines.add_text(font, size * em, (label.left, label.top), color, label.text)


@lru_cache(maxsize=2)
def _layout(axis: TimeAxis, rate: float, top: float, low: bool, em: float) -> _Layout:
    """Return ticks and labels, kept while the ruler rests; a low window has no seconds."""
    widest = max(
        imgui.calc_text_size(f"{axis.end * rate:.0f}").x * FRAMES,
        0.0 if low else imgui.calc_text_size(f"{axis.end:.2f} s").x * SECONDS,
    )
    ticks = ruler_ticks(axis, rate, widest + _GAP * em)
    named = [tick for tick in ticks if tick.labelled]
    places = axis.places(tick.seconds for tick in named)
    ends = axis.left - 0.4 * em, axis.right + 0.4 * em
    labels = []
    for words, widths, y in _texts(tuple(tick.frame for tick in named), rate, low, em):
        placed = centred_labels(places, widths, *ends, 0.4 * em)
        labels += [
            RulerLabel(label.left, label.left + label.width, top + y, text, y > 0.0)
            for text, label in zip(words, placed, strict=True)
            if label.width
        ]
    bottom = top + height(low=low)
    lines = [
        (Point(x, bottom - (_TICK if tick.labelled else _SHORT) * em), Point(x, bottom))
        for x, tick in zip(axis.places(tick.seconds for tick in ticks), ticks, strict=True)
    ]
    return _Layout(lines, labels)


@lru_cache(maxsize=4)
def _texts(
    frames: tuple[int, ...], rate: float, low: bool, em: float
) -> list[tuple[list[str], list[float], float]]:
    """Return the labels of frames with their widths and upper end, points; then of seconds.

    They are kept: while the ruler moves, its ticks change only now and then.
    """
    rows = [([f"{frame}" for frame in frames], FRAMES, 0.0)]
    if not low:
        rows.append((second_labels(frame / rate for frame in frames), SECONDS, FRAMES * em))
    return [
        (words, [imgui.calc_text_size(each).x * size for each in words], y)
        for words, size, y in rows
    ]


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
    boxes = session.interface.widget_boxes
    if boxes is not None:
        boxes["range in"] = (left - 2.0, top, left + grip, bottom)
        boxes["range out"] = (right - grip, top, right + 2.0, bottom)


def _take_mouse(session: Session, axis: TimeAxis, present: Present, top: float) -> None:
    hovered, em, span = imgui.is_item_hovered(), widgets.em(), present.span
    if not (hovered or imgui.is_item_active() or imgui.is_item_deactivated()):
        return
    mouse, view = imgui.get_io().mouse_pos, session.interface.of(TimelineView)
    part = range_part(axis, span, mouse.x, _REACH * em)
    left, right = playhead.head(axis, present)
    on_head = left <= mouse.x <= right and mouse.y <= top + FRAMES * em
    if hovered and imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
        view.range_drag = None
        if part != "new":
            linked_transport.clear_play_range(session)
        else:
            view.zoom = WHOLE
        return
    if hovered and not imgui.is_item_active():
        if not on_head and part in ("begin", "end"):
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
        _tooltip(session, axis, span if part != "new" else None)
    if imgui.is_item_activated() and imgui.is_mouse_down(imgui.MouseButton_.left):
        view.scrubs = on_head
        pressed = None if on_head else RangeDrag(part, axis.seconds(mouse.x), mouse.x, span)
        view.range_drag = pressed
    _drag(session, axis, mouse.x)


def _drag(session: Session, axis: TimeAxis, x: float) -> None:
    """Continue or end a drag of the playhead or the range."""
    view = session.interface.of(TimelineView)
    drag, ended = view.range_drag, imgui.is_item_deactivated()
    if view.scrubs and imgui.is_item_active():
        linked_transport.seek(session, axis.seconds(x))
    if drag is not None and (imgui.is_item_active() or ended):
        if abs(x - drag.place) > _STILL or drag.part in ("begin", "end"):
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
            whole = transport.time_range(session)
            limits = whole[0], min(whole[1], max(axis.end, whole[0]))
            span = dragged_range(drag, axis.seconds(x), limits, session.frame_rate)
            linked_transport.set_play_range(session, *span)
        elif ended:
            linked_transport.seek(session, axis.seconds(x))
    if ended:
        view.scrubs, view.range_drag = False, None


def _tooltip(session: Session, axis: TimeAxis, span: PlayRange | None) -> None:
    """Show the time at the pointer, and how to change the range."""
    rate = session.frame_rate
    seconds = axis.seconds(imgui.get_io().mouse_pos.x)
    words = [f"{seconds:.2f} s, frame {frame_at(seconds, rate)}"]
    rests = imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip)
    if span is None and rests:
        words += ["Drag: range that playback repeats. Wheel: zoom"]
    elif span is not None and rests:
        end = "" if math.isinf(span.end) else f"{span.end:.2f} s, frame {span.end * rate:.4g}"
        words += [f"Range from {span.begin:.2f} s, frame {span.begin * rate:.4g}, to {end}"]
        words += ["Drag its ends or its middle; double click: clear"]
    widgets.tooltip("\n".join(words), session.interface.of(TimelineView).top)
