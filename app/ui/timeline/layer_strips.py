"""The strips of layers, and of a clip that plays alone: moved, stretched, removed, added by mouse.

Strips of layers have ramps; that of a clip is its range.
"""

import math

from imgui_bundle import imgui

from ...model.lookup import clip_prefix
from ...motion.document import Fade
from ...session.player import PlayRange
from ...session.session import Session
from ...session.timeline.strips import (
    LayerLane,
    Mark,
    Strip,
    StripPart,
    dragged,
    lanes_of,
    removed,
    strip_part,
    title,
    with_time,
    with_weight_strip,
)
from ...session.timeline.time_axis import TimeAxis
from ...session.timeline.timeline_view import (
    RangeDrag,
    RangePart,
    StripDrag,
    TimelineView,
    dragged_range,
    range_part,
    snapped,
)
from .. import icons, theme, widgets
from ..motion_panel import open_clip
from . import lanes, schedule
from .lanes import REACH, SIZE, STILL, TALL, Lane, Row

_MOST, _MOST_LOW = 4, 2  # visible lanes; in a low window
_MENU, _MENU_WIDTH = "strip menu", 16.0  # font heights
_MARK = 0.28  # font heights: radius of a mark
_COLORS = (2, 1, 4, 5, 3, 6)  # indices of the colors of curves, lane by lane; red is for faults

Point = imgui.ImVec2 | tuple[int | float, int | float] | list[int | float]
_CLIP_COLOR = 2  # index of a color of curves: that of the first layer


def shown(session: Session) -> bool:
    """Return whether the strips are shown: by the button, else if something is scheduled.

    In a low window only the button shows them.
    """
    if not session.editor.shown:
        return False
    wanted = session.interface.of(TimelineView).strips
    return bool(session.document.at) and not lanes.is_low() if wanted is None else wanted


def _height(session: Session, low: bool) -> float:
    """Return the height of the visible lanes, points; 0 if they are hidden."""
    if not shown(session):
        return 0.0
    return min(len(_lanes(session)), _MOST_LOW if low else _MOST) * TALL * widgets.em()


def _draw(session: Session, row: Row) -> bool:
    """Draw the lanes, which scroll if they are many; return whether one is dragged."""
    imgui.set_cursor_screen_pos((row.left, row.top))
    held, size = False, imgui.ImVec2(row.right - row.left, row.tall)
    with widgets.Colored((imgui.Col_.child_bg, widgets.CLEAR_COLOR)):
        if imgui.begin_child("strips", size):
            row = row._replace(top=imgui.get_cursor_screen_pos().y, tall=TALL * widgets.em())
            for number, lane in enumerate(_lanes(session)):
                imgui.push_id(lane.layer)
                held |= _lane(session, row, lane, number)
                imgui.pop_id()
                row = row._replace(top=row.top + row.tall)
            imgui.set_cursor_screen_pos((row.left, row.top))
            imgui.dummy((1.0, 0.0))
            _menu(session)
        imgui.end_child()
    return held


def _lanes(session: Session) -> list[LayerLane]:
    """Return the lanes; during a drag in the same order."""
    view = session.interface.of(TimelineView)
    drag = view.strip_drag
    return lanes_of(session.document, None if drag is None else drag.document)


def _lane(session: Session, row: Row, lane: LayerLane, number: int) -> bool:
    """Draw a lane with the layer's name in the gutter; return whether it is dragged."""
    em, palette = widgets.em(), theme.palette()
    axis, left, top, tall = row.axis, row.left, row.top, row.tall
    imgui.set_cursor_screen_pos((left, top))
    room = axis.left - (lanes.INSET + 0.2) * em - left
    if imgui.invisible_button("layer", (max(room, 1.0), tall)):
        session.interface.mixer_panels.layer = lane.layer
    name = lane.layer or "values"
    widgets.hint(name)
    lines = imgui.get_window_draw_list()
    ink = theme.packed(palette.text if lane.active and lane.layer else palette.quiet)
    lanes.label(row, widgets.shortened(name, room / SIZE), ink)
    lanes.button(session, row, f"lane {lane.layer}")
    lanes.begin_strips(row)
    color = palette.series[_COLORS[number % len(_COLORS)]] if lane.active else palette.quiet
    for strip in lane.strips:
        _draw_strip(session, axis, strip, (top + 2.0, top + tall - 2.0), color)
    for mark in lane.marks:
        middle = axis.x(mark.time), top + tall / 2.0
        lines.add_ngon_filled(middle, _MARK * em, theme.packed(palette.knob), 4)
    if not lane.strips and lane.layer:
        place = axis.left, top + (TALL - SIZE) / 2.0 * em
        lines.add_text(imgui.get_font(), SIZE * em, place, theme.packed(palette.quiet), "weight 0")
    lines.pop_clip_rect()
    _take_mouse(session, axis, lane)
    return imgui.is_item_active()


def _draw_strip(
    session: Session,
    axis: TimeAxis,
    strip: Strip,
    ends: tuple[float, float],
    color: theme.Color,
) -> None:
    """Draw a strip as high as its weight, with its label."""
    em, lines = widgets.em(), imgui.get_window_draw_list()
    top, bottom = ends
    last = axis.end + axis.length
    left, right = axis.x(strip.begin), axis.x(min(strip.end, last))
    if right < axis.left - em or left > axis.right + em:
        return
    points = [
        (axis.x(min(each.time, last)), bottom - min(max(each.weight, 0.0), 1.0) * (bottom - top))
        for each in strip.outline
    ]
    corners = list[Point](dict.fromkeys([(left, bottom), *points, (right, bottom)]))
    lines.add_concave_poly_filled(corners, theme.packed(color, 0.4))
    lines.add_polyline(list[Point](points), theme.packed(color), thickness=1.5, flags=0)
    begin = max(axis.x(strip.begin + strip.ramp_in), axis.left) + 0.4 * em
    room = min(right, axis.right) - begin - 0.3 * em
    if room > 1.2 * em:
        text = widgets.shortened(strip.label, room / SIZE)
        if imgui.calc_text_size(text).x * SIZE <= room:
            place, ink = (begin, top + 0.15 * em), theme.packed(theme.palette().text)
            lines.add_text(imgui.get_font(), SIZE * em, place, ink, text)
    widgets.mark_box(session, f"strip {strip.label}", (left, top), (right, bottom))


def _take_mouse(session: Session, axis: TimeAxis, lane: LayerLane) -> None:
    """Drag what is under the pointer; the right button opens a menu, Delete removes it."""
    view, x = session.interface.of(TimelineView), imgui.get_io().mouse_pos.x
    drag, writing = view.strip_drag, imgui.get_io().want_text_input
    if imgui.is_item_hovered() and not imgui.is_item_active():
        strip, mark, part = _under(lane, axis, x)
        moments = (mark.moment,) if mark else strip.moments if strip else ()
        lanes.tooltip(session, _hover(session, axis, strip, mark, part))
        if moments and imgui.is_mouse_released(imgui.MouseButton_.right):
            view.strip_menu, view.opens_menu = moments, True
        elif moments and imgui.is_key_pressed(imgui.Key.delete, False) and not writing:
            _remove(session, moments)
    if imgui.is_item_activated():
        strip, mark, part = _under(lane, axis, x)
        start = axis.seconds(x)
        document = session.document
        drag = StripDrag(lane.layer, strip, mark, part or "all", start, x, document)
        view.strip_drag = drag
    if drag is not None and imgui.is_item_active() and abs(x - drag.place) > STILL:
        _drag(session, axis, drag, lane)
    if imgui.is_item_deactivated():
        view.strip_drag = None


def _under(
    lane: LayerLane, axis: TimeAxis, x: float
) -> tuple[Strip | None, Mark | None, StripPart | None]:
    """Return the strip or mark under the pointer, and the part of the strip."""
    reach = REACH * widgets.em()
    for mark in lane.marks:
        if abs(axis.x(mark.time) - x) <= reach:
            return None, mark, None
    found = [(strip, strip_part(strip, axis, x, reach)) for strip in lane.strips]
    found = [(strip, part) for strip, part in found if part is not None]
    ends = [each for each in found if each[1] != "all"]
    strip, part = next(iter(ends or found[::-1]), (None, None))
    return strip, None, part


def _drag(session: Session, axis: TimeAxis, drag: StripDrag, lane: LayerLane) -> None:
    """Edit the document of the press: all frames of a drag are one edit."""
    now = _at(session, axis, imgui.get_io().mouse_pos.x)
    merge = f"strip {drag.layer} {drag.place}"
    if drag.mark is not None:
        moved = with_time(drag.document, drag.mark.moment, now)
        session.editor.edit(moved, f"Time of {drag.mark.words}", merge)
    elif drag.strip is not None:
        start = drag.start
        if drag.part == "all":  # so that its begin is on a whole frame
            step = snapped(drag.strip.begin + now - start, session.frame_rate) - drag.strip.begin
            now = start + step
        moved = dragged(drag.document, drag.strip, drag.part, start, now)
        verb = "Move" if drag.part == "all" else "Stretch"
        session.editor.edit(moved, f"{verb} {drag.strip.label}", merge)
    elif drag.layer and all(strip.kind == "weight" for strip in lane.strips):
        begin = snapped(drag.start, session.frame_rate)
        added = with_weight_strip(drag.document, drag.layer, begin, now)
        session.editor.edit(added, f"Add {drag.layer} at {min(begin, now):.2f} s", merge)


def _at(session: Session, axis: TimeAxis, x: float) -> float:
    """Return the time at a place, at a whole frame unless Ctrl is held."""
    seconds = axis.seconds(x)
    return seconds if imgui.get_io().key_ctrl else snapped(seconds, session.frame_rate)


def _hover(
    session: Session,
    axis: TimeAxis,
    strip: Strip | None,
    mark: Mark | None,
    part: StripPart | None,
) -> list[str]:
    """Show the cursor of what is under the pointer; return what the tooltip says."""
    if part not in (None, "all"):
        imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
    if not imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        return []
    if mark is not None:
        return [f"{mark.words} at {mark.time:.2f} s", "Drag: move; right click: menu"]
    if strip is None:
        at = lanes.moment(session, axis.seconds(imgui.get_io().mouse_pos.x))
        return [at, "Drag: add a strip of weight 1"]
    end = "" if math.isinf(strip.end) else f" to {strip.end:.2f} s"
    words = [f"{strip.label} from {strip.begin:.2f} s{end}"]
    ramps = (("in", strip.ramp_in), ("out", strip.ramp_out))
    words += [f"Blend {side}: {seconds:.2f} s" for side, seconds in ramps if seconds]
    if strip.moments:
        words += ["Drag: move; its ends: stretch; right click: menu; Delete: remove"]
    return words


def _menu(session: Session) -> None:
    """Draw the menu of a strip if it is open: its fade, a jump to it, and its removal."""
    view, document = session.interface.of(TimelineView), session.document
    if view.opens_menu:
        imgui.open_popup(_MENU)
        view.opens_menu = False
    if not imgui.begin_popup(_MENU):
        return
    moments = tuple(k for k in view.strip_menu if k < len(document.at))
    if not moments:
        imgui.close_current_popup()
        imgui.end_popup()
        return
    first = moments[0]
    at = document.at[first]
    imgui.dummy((_MENU_WIDTH * widgets.em(), 0.0))
    widgets.quiet(f"{title(at)} at {at.time:.2f} s")
    if isinstance(at.do, Fade):
        schedule.fade_details(session, first, at, at.do)
    if widgets.menu_item(session, "go to strip", f"{icons.NEXT}  Go to its start"):
        session.transport.seek(at.time)
    if widgets.menu_item(session, "remove strip", f"{icons.REMOVE}  Remove"):
        _remove(session, moments)
    imgui.end_popup()


def _remove(session: Session, moments: tuple[int, ...]) -> None:
    """Remove scheduled changes as one edit."""
    document = session.document
    words = title(document.at[moments[0]])
    session.editor.edit(removed(document, moments), f"Remove {words}")


LANE = Lane("", _height, _draw, named=True)


def clip_shown(session: Session) -> bool:
    """Return whether the strip is shown: by the button, while a clip plays alone."""
    character = session.character
    alone = character is not None and character.mixer.clip >= 0
    return alone and session.interface.of(TimelineView).strips is True


def _clip_height(session: Session, _low: bool) -> float:
    """Return the height of the lane, points; 0 if it is hidden."""
    return TALL * widgets.em() if clip_shown(session) else 0.0


def _draw_clip(session: Session, row: Row) -> bool:
    active = session.active
    if active is None:
        return False
    em, palette, lines = widgets.em(), theme.palette(), imgui.get_window_draw_list()
    axis, top, tall = row.axis, row.top, row.tall
    lanes.label(row, "Clip", theme.packed(palette.quiet))
    lanes.begin_strips(row)
    whole = PlayRange(*session.transport.span)
    span, color = active.transport.play_range or whole, palette.series[_CLIP_COLOR]
    ends = axis.x(whole.begin), axis.x(whole.end)
    lines.add_rect((ends[0], top + 2.0), (ends[1], top + tall - 2.0), theme.packed(color, 0.5))
    ends = axis.x(span.begin), axis.x(span.end)
    strip = (ends[0], top + 2.0), (ends[1], top + tall - 2.0)
    lines.add_rect_filled(*strip, theme.packed(color, 0.4))
    lines.add_rect(*strip, theme.packed(color), 0.0, 1.5)
    name = active.character.mixer.name.removeprefix(clip_prefix(active.model))
    begin = max(ends[0], axis.left) + 0.4 * em
    text = widgets.shortened(name, (min(ends[1], axis.right) - begin) / SIZE)
    lines.add_text(
        imgui.get_font(), SIZE * em, (begin, top + 0.2 * em), theme.packed(palette.text), text
    )
    lines.pop_clip_rect()
    widgets.mark_box(session, "clip strip", (ends[0], top), (ends[1], top + tall))
    return False


def _hover_clip(session: Session, row: Row) -> list[str]:
    """Drag the strip or an end; a double click plays all, the right button opens the settings.

    Returns what the tooltip says.
    """
    active, axis, words = session.active, row.axis, list[str]()
    if active is None:
        return words
    whole = PlayRange(*session.transport.span)
    span = active.transport.play_range or whole
    view, x = session.interface.of(TimelineView), imgui.get_io().mouse_pos.x
    part = range_part(axis, span, x, REACH * widgets.em())
    if imgui.is_item_hovered():
        if part in ("begin", "end"):
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
        words = _clip_words(session, span, whole, part)
        if imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
            session.transport.clear_play_range()
            view.clip_drag = None
            return words
        if imgui.is_mouse_released(imgui.MouseButton_.right) and session.character is not None:
            session.interface.mixer_panels.tab = "Clips"  # which draws the settings
            open_clip(session, session.character.mixer.clip)
    left_down = imgui.is_mouse_down(imgui.MouseButton_.left)
    if imgui.is_item_activated() and left_down and part != "new":
        view.clip_drag = RangeDrag(part, axis.seconds(x), x, span)
    drag = view.clip_drag
    if drag is not None and imgui.is_item_active() and abs(x - drag.place) > STILL:
        moved = dragged_range(drag, axis.seconds(x), whole, session.frame_rate)
        session.transport.set_play_range(*moved)
    if imgui.is_item_deactivated():
        view.clip_drag = None
    return words


def _clip_words(session: Session, span: PlayRange, whole: PlayRange, part: RangePart) -> list[str]:
    """Return what plays of the clip, and how to change it."""
    if part == "new" or not imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        return []
    character = session.character
    name = "" if character is None else character.mixer.name
    words = [f"{name} from {span.begin:.2f} s to {span.end:.2f} s"]
    if span != whole:
        words += [f"Part of {whole.begin:.2f} s to {whole.end:.2f} s; double click: all of it"]
    words += ["Drag an end: range that playback repeats; right click: settings of the clip"]
    return words


CLIP_LANE = Lane("clip lane", _clip_height, _draw_clip, _hover_clip)
