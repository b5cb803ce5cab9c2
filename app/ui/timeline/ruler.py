"""The ruler in frames and seconds, with the range that playback repeats and the playhead."""

import math

from imgui_bundle import imgui

from ...session import linked_transport, transport
from ...session.play_range import PlayRange, play_range
from ...session.session import Session
from ...session.timeline.label_places import LabelPlace, centred_labels
from ...session.timeline.timeline_ticks import TimeAxis, ruler_ticks, second_labels
from ...session.timeline.timeline_view import WHOLE, RangeDrag, dragged_range, range_part
from .. import theme, widgets

FRAMES, SECONDS = 0.82, 0.75  # font heights: sizes of the labels
BUTTONS = imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_middle
_GAP = 0.9  # font heights between labels
_TICK, _SHORT = 0.36, 0.2  # font heights: ticks with and without a label
_REACH = 0.4  # font heights: of the ends of the range
_STILL = 4.0  # points that the mouse may move during a click


def height(*, low: bool) -> float:
    """Return the height of the ruler, points; a low window has no seconds."""
    rows = FRAMES if low else FRAMES + SECONDS
    return (rows + _TICK + 0.05) * widgets.em()


def draw(session: Session, axis: TimeAxis, top: float, *, low: bool) -> bool:
    """Draw the ruler and the range; return whether it is dragged.

    A drag sets the range, or moves it or one of its ends; a drag of the playhead and a click seek.
    A double click on the range clears it, elsewhere it shows the whole ruler.
    """
    tall, inset = height(low=low), 0.5 * widgets.em()
    imgui.set_cursor_screen_pos((axis.left - inset, top))
    imgui.invisible_button("ruler", (axis.width + 2.0 * inset, tall), BUTTONS)
    widgets.mark(session, "ruler")
    active = session.active
    span = None if active is None else play_range(active)
    _take_mouse(session, axis, span, top)
    lines, palette = imgui.get_window_draw_list(), theme.palette()
    box = (axis.left - inset, top), (axis.right + inset, top + tall)
    lines.add_rect_filled(*box, theme.packed(palette.face), 3.0)
    lines.push_clip_rect(*box, True)
    if span is not None:
        _draw_range(session, axis, span, top, top + tall)
    _draw_ticks(session, axis, top, low=low)
    lines.pop_clip_rect()
    return imgui.is_item_active()


def playhead(session: Session, axis: TimeAxis, top: float, bottom: float, *, low: bool) -> None:
    """Draw the present time as a line with the frame at its head."""
    now = transport.time(session)
    if transport.playable_character(session) is None or not axis.shows(now):
        return
    em, lines, palette = widgets.em(), imgui.get_window_draw_list(), theme.palette()
    x = axis.x(now)
    lines.add_line((x, top + em), (x, bottom), theme.packed(palette.accent), 0.12 * em)
    left, right = _head(session, axis)
    box = (left, top), (right, top + (FRAMES + 0.1) * em)
    lines.add_rect_filled(*box, theme.packed(palette.accent), 0.2 * em)
    if not low:
        tip = (x - 0.25 * em, box[1][1]), (x + 0.25 * em, box[1][1]), (x, box[1][1] + 0.3 * em)
        lines.add_triangle_filled(*tip, theme.packed(palette.accent))
    place = left + 0.3 * em, top + 0.05 * em
    words = f"{transport.frame(session)}"
    lines.add_text(imgui.get_font(), FRAMES * em, place, theme.packed(palette.tick), words)


def _head(session: Session, axis: TimeAxis) -> tuple[float, float]:
    """Return the left and right end of the playhead's label, points."""
    wide = imgui.calc_text_size(f"{transport.frame(session)}").x * FRAMES + 0.6 * widgets.em()
    left = axis.x(transport.time(session)) - wide / 2.0
    return left, left + wide


def _draw_ticks(session: Session, axis: TimeAxis, top: float, *, low: bool) -> None:
    em, lines, palette = widgets.em(), imgui.get_window_draw_list(), theme.palette()
    rate, inset = session.frame_rate, 0.4 * em
    widest = max(
        imgui.calc_text_size(f"{axis.end * rate:.0f}").x * FRAMES,
        0.0 if low else imgui.calc_text_size(f"{axis.end:.2f} s").x * SECONDS,
    )
    ticks = ruler_ticks(axis, rate, widest + _GAP * em)
    bottom = top + height(low=low)
    ink = theme.packed(palette.quiet)
    for tick in ticks:
        x, high = axis.x(tick.seconds), (_TICK if tick.labelled else _SHORT) * em
        lines.add_line((x, bottom - high), (x, bottom), ink)
    named = [tick for tick in ticks if tick.labelled]
    rows = [([f"{tick.frame}" for tick in named], FRAMES, palette.text, top)]
    if not low:
        labels = second_labels(tick.seconds for tick in named)
        rows.append((labels, SECONDS, palette.quiet, top + FRAMES * em))
    places = [axis.x(tick.seconds) for tick in named]
    ends = axis.left - inset, axis.right + inset
    for words, size, color, y in rows:
        widths = [imgui.calc_text_size(each).x * size for each in words]
        placed: list[LabelPlace] = centred_labels(places, widths, *ends, 0.4 * em)
        for text, label in zip(words, placed, strict=True):
            if label.width:
                at = label.left, y
                lines.add_text(imgui.get_font(), size * em, at, theme.packed(color), text)


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


def _take_mouse(session: Session, axis: TimeAxis, span: PlayRange | None, top: float) -> None:
    mouse, view = imgui.get_io().mouse_pos, session.interface.timeline
    hovered, em = imgui.is_item_hovered(), widgets.em()
    part = range_part(axis, span, mouse.x, _REACH * em)
    left, right = _head(session, axis)
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
    view = session.interface.timeline
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
    words = [f"{seconds:.2f} s, frame {math.floor(seconds * rate + 1e-6)}"]
    rests = imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip)
    if span is None and rests:
        words += ["Drag: range that playback repeats. Wheel: zoom"]
    elif span is not None and rests:
        end = "" if math.isinf(span.end) else f"{span.end:.2f} s, frame {span.end * rate:.4g}"
        words += [f"Range from {span.begin:.2f} s, frame {span.begin * rate:.4g}, to {end}"]
        words += ["Drag its ends or its middle; double click: clear"]
    widgets.tooltip("\n".join(words))
