"""The lanes of the timeline over one time axis, with zoom and pan."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from imgui_bundle import imgui

from ...session.session import Session
from ...session.timeline.time_axis import TimeAxis, frame_at
from ...session.timeline.timeline_view import Present, TimelineView
from .. import theme, widgets

TALL, SIZE = 1.3, 0.8  # font heights: of a lane of strips, of small texts
REACH, STILL = 0.35, 3.0  # font heights around an end; points that a click may move
INSET = 0.5  # font heights: of the axis in a lane, at both ends
_BOTH = imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_middle
_GUTTER, _END = 4.2, 1.7  # font heights: left of the axis, right of it
_WIDE_GUTTER = 6.5  # font heights: with the names of layers or joints
_LOW = 34.0  # font heights of a low window
_ZOOM = 1.25  # factor of a wheel notch
_PAN = 0.1  # of the visible part: a wheel notch with Shift


class Row(NamedTuple):
    """The place of a lane, or of a row of one, in a frame; points of the window."""

    axis: TimeAxis
    left: float  # where the gutter begins
    right: float  # of the timeline
    top: float
    tall: float
    present: Present
    low: bool  # whether the window has no room for all rows

    @property
    def box(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Upper left and lower right corner of the widget over the axis."""
        inset, bottom = INSET * widgets.em(), self.top + self.tall
        return (self.axis.left - inset, self.top), (self.axis.right + inset, bottom)


class Lane(NamedTuple):
    """A lane of the timeline.

    Attributes
    ----------
    name
        Of its widget; "": its rows have one each.
    height
        Return its height, points, given whether the window is low; 0: it is hidden.
    draw
        Draw it, after its widget; return whether one of its rows is dragged.
    hover
        Handle the mouse over its widget, and return the lines of the tooltip.
    named
        Whether the gutter has the names of its rows.
    """

    name: str
    height: Callable[[Session, bool], float]
    draw: Callable[[Session, Row], bool]
    hover: Callable[[Session, Row], list[str]] | None = None
    named: bool = False


def is_low() -> bool:
    """Return whether the window is too low for all rows of the timeline."""
    return imgui.get_main_viewport().size.y < _LOW * widgets.em()


def height(session: Session, lanes: Sequence[Lane]) -> float:
    """Return the height of the timeline, points."""
    low = is_low()
    return float(math.ceil(sum(lane.height(session, low) for lane in lanes)))


def present(session: Session) -> Present:
    """Return the present time and range."""
    now, active = session.transport.time, session.active
    span = None if active is None else active.transport.play_range
    return Present(now, frame_at(now, session.frame_rate), span)


def draw(session: Session, lanes: Sequence[Lane]) -> Row:
    """Draw the timeline and handle the mouse over it; return all of it as one row."""
    corner, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    view, low = session.interface.of(TimelineView), is_low()
    whole, now = view.held_ruler or session.transport.ruler, present(session)
    view.top = imgui.get_window_pos().y
    _follow(session, whole, now.time)
    shown = [(lane, tall) for lane in lanes if (tall := lane.height(session, low))]
    named = any(lane.named for lane, _ in shown)
    axis = _axis(session, whole, corner.x, width, named=named)
    top, held = corner.y, False
    for lane, tall in shown:
        row = Row(axis, corner.x, corner.x + width, top, tall, now, low)
        if lane.hover is not None:
            button(session, row, lane.name, _BOTH)
            held |= imgui.is_item_active()
            tooltip(session, lane.hover(session, row))
            _take_wheel(session, axis)
        held |= lane.draw(session, row)
        top += tall
    view.held_ruler = whole if held else None
    if held:
        now = present(session)
    place, ink = (corner.x, corner.y + 0.2 * widgets.em()), theme.packed(theme.palette().text)
    imgui.get_window_draw_list().add_text(place, ink, f"{now.time:.2f} s")
    bottom = corner.y + math.ceil(top - corner.y)
    imgui.set_cursor_screen_pos(corner)
    imgui.dummy((width, bottom - corner.y))
    return Row(axis, corner.x, corner.x + width, corner.y, bottom - corner.y, now, low)


def button(
    session: Session, row: Row, name: str, flags: int = imgui.ButtonFlags_.mouse_button_left
) -> bool:
    """Make the widget of a row, which takes the mouse; return whether it was clicked."""
    low, high = row.box
    imgui.set_cursor_screen_pos(low)
    return widgets.area(session, name, (high[0] - low[0], row.tall), flags)


def tooltip(session: Session, words: Sequence[str]) -> None:
    """Show lines, if any, as a tooltip above the timeline."""
    if words:
        widgets.tooltip("\n".join(words), session.interface.of(TimelineView).top)


def label(row: Row, text: str, ink: int) -> None:
    """Draw a small text in the gutter of a row."""
    em = widgets.em()
    place = row.left, row.top + (row.tall - SIZE * em) / 2.0
    imgui.get_window_draw_list().add_text(imgui.get_font(), SIZE * em, place, ink, text)


def begin_strips(row: Row) -> None:
    """Draw the background of strips, and clip them to it; end it with `pop_clip_rect`."""
    (left, top), (right, bottom) = row.box
    box, lines = ((left, top + 1.0), (right, bottom - 1.0)), imgui.get_window_draw_list()
    lines.push_clip_rect(*box, True)
    lines.add_rect_filled(*box, theme.packed(theme.palette().face), 3.0)


def moment(session: Session, seconds: float) -> str:
    """Return the words for a time."""
    return f"{seconds:.2f} s, frame {frame_at(seconds, session.frame_rate)}"


def draw_keys(marks: Sequence[tuple[float, float]], middle: float, radius: float) -> None:
    """Draw `key_marks`: a diamond for a key, a bar for several; radius in points."""
    lines, ink = imgui.get_window_draw_list(), theme.packed(theme.palette().accent)
    for first, last in marks:
        if last > first:
            box = (first, middle - 0.7 * radius), (last, middle + 0.7 * radius)
            lines.add_rect_filled(*box, ink, 0.7 * radius)
        else:
            lines.add_ngon_filled((first, middle), radius, ink, 4)


def _axis(
    session: Session, whole: tuple[float, float], left: float, width: float, *, named: bool
) -> TimeAxis:
    """Return the time axis between the gutter at the left and the mark of the seam."""
    em = widgets.em()
    widest = imgui.calc_text_size(f"{whole[1]:.2f} s").x
    gutter = _WIDE_GUTTER if named else _GUTTER
    begin = left + max(gutter * em, widest + 0.8 * em) + INSET * em
    end = left + width - (_END + INSET) * em
    return TimeAxis(*session.interface.of(TimelineView).visible(whole), begin, max(end - begin, em))


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
