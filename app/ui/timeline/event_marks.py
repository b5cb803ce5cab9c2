"""Events on the timeline: marks with labels in rows, which flash when they fire."""

from functools import lru_cache

from imgui_bundle import imgui

from ...session.session import Session
from ...session.timeline.time_axis import LabelPlace, TimeAxis, staggered_labels
from ...session.timeline.timeline_marks import has_events, timeline_events
from .. import theme, widgets

FLASH = 0.3  # seconds of the flash of a fired event
SIZE = 0.8  # font heights of the labels
LISTED = 6  # events in a tooltip
_ROW = 0.92  # font heights
_HIGH = 56.0  # font heights: in a higher window there are two rows of labels
_GAP, _LEAST = 0.5, 1.6  # font heights: between labels; of the shortest label
_REACH = 5.0  # points from a mark to the pointer


def height(session: Session, *, low: bool) -> float:
    """Return the height of the labels, points; 0 without events and in a low window."""
    if low or not has_events(session.document):
        return 0.0
    return _rows() * _ROW * widgets.em()


def _rows() -> int:
    return 2 if imgui.get_main_viewport().size.y >= _HIGH * widgets.em() else 1


def draw(session: Session, axis: TimeAxis, top: float, *, low: bool) -> None:
    """Draw the marks at the lower edge of the track, `top`, with their labels below."""
    events = timeline_events(session, axis.begin, axis.end)
    em, lines, palette = widgets.em(), imgui.get_window_draw_list(), theme.palette()
    places = axis.places(event.time for event in events)
    for x in places:
        mark = (x - 0.2 * em, top - 0.34 * em), (x + 0.2 * em, top - 0.34 * em), (x, top)
        lines.add_triangle_filled(*mark, theme.packed(palette.warning, 0.9))
    if height(session, low=low) > 0:
        widths = tuple(imgui.calc_text_size(event.name).x * SIZE for event in events)
        starts = tuple(x + 0.12 * em for x in places)
        placed = _labels(starts, widths, axis.right + 0.4 * em, _rows(), em)
        for k, (event, label, x) in enumerate(zip(events, placed, places, strict=True)):
            if not label.width:
                continue
            y = top + label.row * _ROW * em
            lines.add_line((x, top), (x, y + 0.8 * em), theme.packed(palette.warning, 0.4))
            text = widgets.shortened(event.name, label.width / SIZE + 0.5)
            ink, place = theme.packed(palette.text, 0.85), (label.left + 0.08 * em, y)
            lines.add_text(imgui.get_font(), SIZE * em, place, ink, text)
            right = label.left + label.width
            widgets.mark_box(session, f"event label {k}", (label.left, y), (right, y + em))


@lru_cache(maxsize=4)
def _labels(
    starts: tuple[float, ...], widths: tuple[float, ...], right: float, rows: int, em: float
) -> list[LabelPlace]:
    """Return the places of labels, kept while the timeline rests; `em` is the font height."""
    gap, least = _GAP * em, _LEAST * em
    return staggered_labels(starts, widths, right, rows=rows, gap=gap, least=least)


def near(session: Session, axis: TimeAxis, x: float) -> list[str]:
    """Return a line for each event within a few points of `x`."""
    found = timeline_events(session, axis.begin, axis.end)
    close = [event for event in found if abs(axis.x(event.time) - x) < _REACH]
    return [f"{event.name} of {event.clip} at {event.time:.2f} s" for event in close[:LISTED]]


def flash(session: Session, axis: TimeAxis, y: float, *, low: bool) -> None:
    """Draw a ring around events that fired just now; without labels also their names."""
    if not session.editor.shown or not session.editor.fired:
        return
    em, lines, warning = widgets.em(), imgui.get_foreground_draw_list(), theme.palette().warning
    labelled = height(session, low=low) > 0
    for fired, when in reversed(session.editor.fired):
        age = (session.tau - when) / FLASH
        if age >= 1.0:  # as are all earlier ones
            return
        seconds = session.transport.on_ruler(fired.tau)
        if age < 0.0 or not axis.shows(seconds):
            continue
        x, ink = axis.x(seconds), theme.packed(warning, 1.0 - age)
        lines.add_circle((x, y - 0.2 * em), (0.3 + 0.5 * age) * em, ink, 0, 2.0)
        if labelled:
            continue
        width = imgui.calc_text_size(fired.name).x
        at = min(max(x - width / 2.0, axis.left), axis.right - width), y - 2.9 * em
        box = (at[0] - 4.0, at[1] - 1.0), (at[0] + width + 4.0, at[1] + em + 2.0)
        lines.add_rect_filled(*box, theme.packed(theme.palette().bar, 0.9 * (1.0 - age)), 4.0)
        lines.add_text(at, ink, fired.name)
