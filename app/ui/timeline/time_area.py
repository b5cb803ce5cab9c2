"""The timeline itself: ruler, keys, events and strips over one time axis, with zoom and pan."""

import math

from imgui_bundle import imgui

from ...session import transport
from ...session.session import Session
from ...session.timeline.time_axis import TimeAxis
from ...session.timeline.timeline_view import TimelineView, UnderPlayhead
from .. import theme, widgets
from . import clip_strip, dope_rows, key_row, playhead, ruler, seam, strip_lanes

_GUTTER, _END, _INSET = 4.2, 1.7, 0.5  # font heights: left of the axis, right of it, inside both
_WIDE_GUTTER = 6.5  # font heights: with the names of layers or joints
_ZOOM = 1.25  # factor of a wheel notch
_PAN = 0.1  # of the visible part: a wheel notch with Shift


def height(session: Session) -> float:
    """Return the height of the timeline, points."""
    low = strip_lanes.is_low()
    rows = ruler.height(low=low) + key_row.height(session, low=low)
    rows += dope_rows.height(session, low=low) + clip_strip.height(session)
    return float(math.ceil(rows + strip_lanes.height(session, low=low)))


def draw(session: Session) -> None:
    """Draw the timeline and handle the mouse over it."""
    corner, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    view = session.interface.of(TimelineView)
    whole = view.held_ruler or transport.ruler(session)
    present = playhead.present(session)
    view.top = imgui.get_window_pos().y
    _follow(session, whole, present.time)
    axis = _axis(session, whole, corner.x, width)
    low = strip_lanes.is_low()
    below = corner.y + ruler.height(low=low)
    held = ruler.draw(session, axis, corner.y, present, low=low)
    _take_wheel(session, axis)
    held |= key_row.draw(session, axis, below, present, low=low)
    _take_wheel(session, axis)
    lanes = corner.x, below + key_row.height(session, low=low)
    held |= clip_strip.draw(session, axis, lanes)
    _take_wheel(session, axis)
    lanes = corner.x, lanes[1] + clip_strip.height(session)
    held |= strip_lanes.draw(session, axis, lanes, low=low)
    lanes = corner.x, lanes[1] + strip_lanes.height(session, low=low)
    dope_rows.draw(session, axis, lanes, low=low)
    view.held_ruler = whole if held else None
    seam.draw(session, axis, below, corner.x + width)
    if held:
        present = playhead.present(session)
    _time(corner, present.time)
    bottom = corner.y + height(session)
    events = below + key_row.TALL * widgets.em()
    view.under = UnderPlayhead(axis, corner.y, bottom, events, low)
    imgui.set_cursor_screen_pos(corner)
    imgui.dummy((width, bottom - corner.y))


def _axis(session: Session, whole: tuple[float, float], left: float, width: float) -> TimeAxis:
    """Return the time axis between the gutter at the left and the mark of the seam."""
    em = widgets.em()
    widest = imgui.calc_text_size(f"{whole[1]:.2f} s").x
    gutter = _WIDE_GUTTER if strip_lanes.shown(session) or dope_rows.shown(session) else _GUTTER
    begin = left + max(gutter * em, widest + 0.8 * em) + _INSET * em
    end = left + width - (_END + _INSET) * em
    return TimeAxis(*session.interface.of(TimelineView).visible(whole), begin, max(end - begin, em))


def _time(corner: imgui.ImVec2, now: float) -> None:
    """Draw the present time in the gutter."""
    place = corner.x, corner.y + 0.2 * widgets.em()
    imgui.get_window_draw_list().add_text(place, theme.packed(theme.palette().text), f"{now:.2f} s")


def _follow(session: Session, whole: tuple[float, float], now: float) -> None:
    """Show the whole ruler when something else plays; keep the present time visible."""
    view, character = session.interface.of(TimelineView), session.character
    plays = "" if character is None else character.mixer.name
    if view.zoomed != plays:
        view.zoomed, view.zoom = plays, (0.0, 1.0)
    if not imgui.is_any_item_active():
        length = max(whole[1] - whole[0], 1e-9)
        view.follow((now - whole[0]) / length)


def _take_wheel(session: Session, axis: TimeAxis) -> None:
    """Zoom the timeline at the pointer by wheel; pan it by Shift and wheel or the middle button."""
    io, view = imgui.get_io(), session.interface.of(TimelineView)
    if imgui.is_item_active() and imgui.is_mouse_down(imgui.MouseButton_.middle):
        view.pan(-io.mouse_delta.x / axis.width)
    if not imgui.is_item_hovered() or not io.mouse_wheel:
        return
    if io.key_shift:
        view.pan(-_PAN * io.mouse_wheel)
    else:
        focus = min(max((io.mouse_pos.x - axis.left) / axis.width, 0.0), 1.0)
        view.zoom_by(math.pow(_ZOOM, -io.mouse_wheel), focus)
