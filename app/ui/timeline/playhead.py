"""What moves over the timeline: the playhead, and flashes of events that fire."""

from imgui_bundle import imgui

from ...session import transport
from ...session.play_range import play_range
from ...session.session import Session
from ...session.timeline.time_axis import TimeAxis, frame_at
from ...session.timeline.timeline_view import Present, TimelineView
from .. import theme, widgets
from . import event_marks

SIZE = 0.82  # font heights: of the frame at its head


def present(session: Session) -> Present:
    """Return the present time and range."""
    now, active = transport.time(session), session.active
    span = None if active is None else play_range(active)
    return Present(now, frame_at(now, session.frame_rate), span)


def head(axis: TimeAxis, now: Present) -> tuple[float, float]:
    """Return the left and right end of the playhead's label, points."""
    wide = imgui.calc_text_size(f"{now.frame}").x * SIZE + 0.6 * widgets.em()
    left = axis.x(now.time) - wide / 2.0
    return left, left + wide


def draw(session: Session, place: tuple[float, float], size: tuple[float, float]) -> None:
    """Draw over the timeline at a place, in every frame: it may show what it drew last."""
    under = session.interface.of(TimelineView).under
    if under is None or transport.playable_character(session) is None:
        return
    widgets.begin_over("Playhead", place, size)
    now = present(session)
    if under.axis.shows(now.time):
        _line(under.axis, now, under.top, under.bottom, low=under.low)
    imgui.end()
    event_marks.flash(session, under.axis, under.events, low=under.low)


def _line(axis: TimeAxis, now: Present, top: float, bottom: float, *, low: bool) -> None:
    """Draw the present time as a line with the frame at its head."""
    em, lines, palette = widgets.em(), imgui.get_window_draw_list(), theme.palette()
    x, accent = axis.x(now.time), theme.packed(palette.accent)
    lines.add_line((x, top + em), (x, bottom), accent, 0.12 * em)
    left, right = head(axis, now)
    box = (left, top), (right, top + (SIZE + 0.1) * em)
    lines.add_rect_filled(*box, accent, 0.2 * em)
    if not low:
        tip = (x - 0.25 * em, box[1][1]), (x + 0.25 * em, box[1][1]), (x, box[1][1] + 0.3 * em)
        lines.add_triangle_filled(*tip, accent)
    place, ink = (left + 0.3 * em, top + 0.05 * em), theme.packed(palette.tick)
    lines.add_text(imgui.get_font(), SIZE * em, place, ink, f"{now.frame}")
