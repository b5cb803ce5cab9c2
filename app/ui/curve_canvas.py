"""The curve canvas: charts over a common time axis, with zoom, pan and scrubbing by mouse.

It uses ImGui's draw lists instead of ImPlot, which has other mouse controls, another look and no
markers for handles.
"""

import math
from dataclasses import dataclass

import numpy as np
from imgui_bundle import imgui

from ..animation.types import F64, Index
from ..curves.curve_set import Chart, CurveSet, Line, style_of, ticks
from ..session.session import Session
from . import theme, widgets
from .shown_clip import clip_time, go_to, shown_clip

_ZOOM = 1.25  # factor of a wheel notch
_SHORTEST = 0.01  # seconds: the shortest visible span
_PICK_DISTANCE = 0.55  # font heights: largest distance from the mouse to a key
_DENSE = 3.0  # points between keys: denser keys are not drawn
_BUTTONS = (
    imgui.ButtonFlags_.mouse_button_left
    | imgui.ButtonFlags_.mouse_button_middle
    | imgui.ButtonFlags_.mouse_button_right
)
_SMALL = 0.82  # font heights: text of the axes


@dataclass(frozen=True, slots=True)
class Lane:
    """The rectangle of a chart and the range of its axes."""

    chart: Chart
    left: float
    top: float
    right: float
    bottom: float
    begin: float
    end: float
    low: float
    high: float

    def place(self, points: F64) -> F64:
        """Return window positions [..., 2] of points (seconds, value) [..., 2]."""
        x = (points[..., 0] - self.begin) / (self.end - self.begin)
        y = (points[..., 1] - self.low) / (self.high - self.low)
        return np.stack(
            [
                self.left + x * (self.right - self.left),
                self.bottom - y * (self.bottom - self.top),
            ],
            axis=-1,
        )

    def x(self, seconds: float) -> float:
        """Return the window x of a time."""
        u = (seconds - self.begin) / (self.end - self.begin)
        return self.left + u * (self.right - self.left)

    def seconds(self, x: float) -> float:
        """Return the time at a window x."""
        u = (x - self.left) / (self.right - self.left)
        return self.begin + u * (self.end - self.begin)


def draw(session: Session, curves: CurveSet) -> None:
    """Draw the curves in the rest of the panel and handle the mouse over them."""
    em = widgets.em()
    low, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail()
    size = imgui.ImVec2(max(room.x, 4.0 * em), max(room.y, 3.0 * em))
    imgui.invisible_button("canvas", size, _BUTTONS)
    widgets.mark(session, "curves")
    lanes = _lanes(session, curves, (low.x, low.y, low.x + size.x, low.y + size.y))
    lines = imgui.get_window_draw_list()
    under = _under_mouse(lanes) if imgui.is_item_hovered() else None
    _take_mouse(session, curves, lanes[0], under)
    for lane in lanes:
        _draw_lane(lines, lane, under)
    _draw_time(session, lines, lanes)
    for lane in lanes:
        _mark_keys(session, lane)


def _lanes(
    session: Session, curves: CurveSet, box: tuple[float, float, float, float]
) -> list[Lane]:
    """Return the lanes from top to bottom; charts with constant values are half as high."""
    em = widgets.em()
    charts = [lane for chart in _shown(session, curves) for lane in chart.lanes()]
    begin, end = session.interface.curves.span or (curves.begin, curves.end)
    end = max(end, begin + _SHORTEST)
    names = max(imgui.calc_text_size(n.label).x for c in charts for n in c.lines) * _SMALL
    left, right = box[0] + 3.6 * em, box[2] - min(names + 1.8 * em, 0.25 * (box[2] - box[0]))
    title, foot = 1.25 * em, 1.5 * em
    wants = [0.5 if chart.still else 1.0 for chart in charts]
    share = (box[3] - box[1] - foot - title * len(charts)) / sum(wants)
    share = max(share, 1.0)
    found, top = [], box[1]
    for chart, want in zip(charts, wants, strict=True):
        area = (left, top + title, max(right, left + em), top + title + want * share)
        found.append(Lane(chart, *area, begin, end, *chart.scale))
        top = area[3]
    return found


def _shown(session: Session, curves: CurveSet) -> tuple[Chart, ...]:
    """Return the selected chart; all charts if there is no such chart."""
    wanted = session.interface.curves.chart
    return tuple(chart for chart in curves.charts if chart.name == wanted) or curves.charts


def _under_mouse(lanes: list[Lane]) -> tuple[Line, int] | None:
    """Return the key nearest to the mouse, if one is close."""
    mouse = imgui.get_io().mouse_pos
    best, found = _PICK_DISTANCE * widgets.em(), None
    for lane in lanes:
        if not lane.top - best <= mouse.y <= lane.bottom + best:
            continue
        for line in lane.chart.lines:
            away = np.hypot(*(lane.place(line.keys) - (mouse.x, mouse.y)).T)
            k = int(away.argmin())
            if away[k] < best:
                best, found = float(away[k]), (line, k)
    return found


def _take_mouse(
    session: Session, curves: CurveSet, lane: Lane, under: tuple[Line, int] | None
) -> None:
    """Zoom by wheel, pan by middle or right button, go to a key or time by left button."""
    view, mouse = session.interface.curves, imgui.get_io().mouse_pos
    if imgui.is_item_hovered():
        _zoom(session, curves, lane)
        if under is not None and not imgui.is_item_active():
            _show_key_tooltip(under)
    if not imgui.is_item_active():
        return
    if not imgui.is_mouse_down(imgui.MouseButton_.left):
        before = lane.seconds(lane.left + imgui.get_io().mouse_delta.x)
        if view.span is not None:
            step = lane.begin - before
            view.span = _clamped_span(curves, lane.begin + step, lane.end + step)
        return
    clip = shown_clip(session, view.listed_clip)
    if imgui.is_item_activated():
        view.pressed_on_key = under is not None
        if under is not None:
            go_to(session, clip, float(under[0].keys[under[1], 0]), pause=True)
    if not view.pressed_on_key:
        go_to(session, clip, min(max(lane.seconds(mouse.x), curves.begin), curves.end))


def _zoom(session: Session, curves: CurveSet, lane: Lane) -> None:
    """Zoom at the mouse by wheel; a double click shows the whole clip."""
    io, view = imgui.get_io(), session.interface.curves
    if io.mouse_wheel:
        focus = lane.seconds(min(max(io.mouse_pos.x, lane.left), lane.right))
        factor = _ZOOM**-io.mouse_wheel
        begin = focus + (lane.begin - focus) * factor
        view.span = _clamped_span(curves, begin, begin + (lane.end - lane.begin) * factor)
    if imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
        view.span = None


def _clamped_span(curves: CurveSet, begin: float, end: float) -> tuple[float, float] | None:
    """Return a span moved into the clip; None if it covers the whole clip."""
    length = max(end - begin, _SHORTEST)
    if length >= curves.end - curves.begin:
        return None
    begin = min(max(begin, curves.begin), curves.end - length)
    return begin, begin + length


def _show_key_tooltip(under: tuple[Line, int]) -> None:
    """Show a tooltip of the key under the mouse."""
    line, k = under
    seconds, value = line.keys[k].tolist()
    imgui.set_tooltip(f"{line.label}  {value:.5g} at {seconds:.4g} s, key {k}")


def _draw_lane(lines: imgui.ImDrawList, lane: Lane, under: tuple[Line, int] | None) -> None:
    em = widgets.em()
    small = _SMALL * em
    font = imgui.get_font()
    quiet, grid = theme.packed(theme.palette().quiet), theme.packed(theme.palette().line)
    for value in ticks(lane.low, lane.high, max(int((lane.bottom - lane.top) / (1.7 * em)), 2)):
        y = float(lane.place(np.array([lane.begin, value]))[1])
        lines.add_line(imgui.ImVec2(lane.left, y), imgui.ImVec2(lane.right, y), grid)
        text = f"{value + 0:.4g}"
        wide = imgui.calc_text_size(text).x * _SMALL
        at = imgui.ImVec2(lane.left - wide - 0.4 * em, y - small / 2.0)
        lines.add_text(font, small, at, quiet, text)
    for seconds in _times(lane):
        x = lane.x(seconds)
        lines.add_line(imgui.ImVec2(x, lane.top), imgui.ImVec2(x, lane.bottom), grid)
    at = imgui.ImVec2(lane.left, lane.top - 1.1 * em)
    lines.add_text(font, small, at, theme.packed(theme.palette().text), lane.chart.heading)
    wide = imgui.calc_text_size(lane.chart.heading).x * _SMALL
    at = imgui.ImVec2(lane.left + wide + 0.9 * em, at.y)
    lines.add_text(font, small, at, quiet, lane.chart.summary)
    lines.push_clip_rect(
        imgui.ImVec2(lane.left - 0.3 * em, lane.top - 0.3 * em),
        imgui.ImVec2(lane.right + 0.3 * em, lane.bottom + 0.3 * em),
        True,
    )
    for place, line in enumerate(lane.chart.lines):
        _draw_line(lines, lane, line, style_of(line.label, place))
    if under is not None and under[0] in lane.chart.lines:
        x, y = lane.place(under[0].keys[under[1]]).tolist()
        lines.add_circle(imgui.ImVec2(x, y), 0.42 * em, theme.packed(theme.palette().knob), 0, 1.5)
    lines.pop_clip_rect()
    _name_lines(lines, lane)


def _color(number: int) -> theme.Color:
    series = theme.palette().series
    return series[number % len(series)]


def _draw_line(lines: imgui.ImDrawList, lane: Lane, line: Line, number: int) -> None:
    color = _color(number)
    near = _spacing(lane, line)
    if near > 4.0 * _DENSE:
        faint = theme.packed(theme.palette().quiet, 0.55)
        seen = line.handles[_inside(lane, line.handles[:, 0, 0], line.handles[:, 1, 0])]
        for (x0, y0), (x1, y1) in lane.place(seen).tolist():
            lines.add_line(imgui.ImVec2(x0, y0), imgui.ImVec2(x1, y1), faint)
            lines.add_circle(imgui.ImVec2(x1, y1), 2.5, theme.packed(theme.palette().quiet))
    points = lane.place(_thinned(lane, line.points))
    first, last = points[0].tolist(), points[-1].tolist()
    held = theme.packed(color, 0.35)
    for x, (end, y) in ((lane.left, first), (lane.right, last)):
        if (end - x) * (1 if x == lane.left else -1) > 0.5:
            lines.add_line(imgui.ImVec2(x, y), imgui.ImVec2(end, y), held)
    lines.add_polyline(points.tolist(), theme.packed(color), thickness=1.6, flags=0)
    if near > _DENSE:
        radius = min(max(0.25 * near, 1.5), 0.24 * widgets.em())
        keys = lane.place(line.keys[_inside(lane, line.keys[:, 0], line.keys[:, 0])])
        for x, y in keys.tolist():
            _mark(lines, number, x, y, radius, theme.packed(color))


def _spacing(lane: Lane, line: Line) -> float:
    """Return the median distance between keys, points of the window."""
    gaps = np.diff(line.keys[:, 0])
    if not gaps.size:
        return 99.0
    return float(np.median(gaps)) / (lane.end - lane.begin) * (lane.right - lane.left)


def _inside(lane: Lane, first: F64, last: F64) -> Index:
    """Return the indices of time spans [n] that overlap the lane."""
    return np.flatnonzero(
        (np.maximum(first, last) >= lane.begin) & (np.minimum(first, last) <= lane.end)
    )


def _thinned(lane: Lane, points: F64) -> F64:
    """Return the points that are distinct on the screen, and one beyond either side of the lane."""
    first = max(int(np.searchsorted(points[:, 0], lane.begin)) - 1, 0)
    last = int(np.searchsorted(points[:, 0], lane.end, side="right")) + 1
    seen = points[first:last]
    if not len(seen):
        return points[-1:]
    return seen[:: max(math.floor(len(seen) / max(lane.right - lane.left, 1.0)), 1)]


def _mark(
    lines: imgui.ImDrawList, number: int, x: float, y: float, radius: float, color: int
) -> None:
    """Draw a line's marker: circle, square, triangle or diamond."""
    kind = number % 4
    if kind == 0:
        lines.add_circle_filled(imgui.ImVec2(x, y), radius, color)
    elif kind == 1:
        r = 0.9 * radius
        lines.add_rect_filled(imgui.ImVec2(x - r, y - r), imgui.ImVec2(x + r, y + r), color)
    elif kind == 2:
        r = 1.2 * radius
        low = y + 0.8 * r
        lines.add_triangle_filled(
            imgui.ImVec2(x, y - r), imgui.ImVec2(x + r, low), imgui.ImVec2(x - r, low), color
        )
    else:
        lines.add_ngon_filled(imgui.ImVec2(x, y), 1.3 * radius, color, 4)


def _name_lines(lines: imgui.ImDrawList, lane: Lane) -> None:
    """Draw each line's marker and name beside its right end."""
    em = widgets.em()
    ends = []
    for place, line in enumerate(lane.chart.lines):
        value = float(np.interp(lane.end, line.points[:, 0], line.points[:, 1]))
        ends.append((float(lane.place(np.array([lane.end, value]))[1]), place, line.label))
    ends.sort(key=lambda end: (round(end[0]), end[1]))  # equal heights: X, Y, Z
    step = 0.95 * em
    places: list[float] = []
    for y, _, _ in ends:
        places.append(max(y, places[-1] + step) if places else max(y, lane.top))
    over = max(places[-1] - lane.bottom, 0.0)
    for y, (_, place, label) in zip(places, ends, strict=True):
        number = style_of(label, place)
        color = theme.packed(_color(number))
        _mark(lines, number, lane.right + 0.8 * em, y - over, 0.22 * em, color)
        at = imgui.ImVec2(lane.right + 1.3 * em, y - over - _SMALL * em / 2.0)
        lines.add_text(imgui.get_font(), _SMALL * em, at, color, label)


def _times(lane: Lane) -> list[float]:
    return ticks(lane.begin, lane.end, max(int((lane.right - lane.left) / (5.0 * widgets.em())), 2))


def _draw_time(session: Session, lines: imgui.ImDrawList, lanes: list[Lane]) -> None:
    """Draw the time axis and the current time."""
    em = widgets.em()
    small, font = _SMALL * em, imgui.get_font()
    lane, y = lanes[-1], lanes[-1].bottom + 0.5 * em
    for seconds in _times(lane):
        text = f"{seconds + 0:.6g} s"
        x = lane.x(seconds) - imgui.calc_text_size(text).x * _SMALL / 2.0
        lines.add_text(font, small, imgui.ImVec2(x, y), theme.packed(theme.palette().quiet), text)
    now = clip_time(session, shown_clip(session, session.interface.curves.listed_clip))
    if not lane.begin <= now <= lane.end:
        return
    x, top = lane.x(now), lanes[0].top
    color = theme.packed(theme.palette().knob)
    lines.add_line(imgui.ImVec2(x, top), imgui.ImVec2(x, lane.bottom), color, 1.5)
    wide, foot = 0.35 * em, lane.bottom + 0.45 * em
    lines.add_triangle_filled(
        imgui.ImVec2(x, lane.bottom),
        imgui.ImVec2(x + wide, foot),
        imgui.ImVec2(x - wide, foot),
        color,
    )


def _mark_keys(session: Session, lane: Lane) -> None:
    """Record the boxes of the keys for the trace."""
    boxes = session.interface.widget_boxes
    if boxes is None:
        return
    for line in lane.chart.lines:
        for k, (x, y) in enumerate(lane.place(line.keys).tolist()):
            boxes[f"key {lane.chart.name} {line.label} {k}"] = (x - 2, y - 2, x + 2, y + 2)
