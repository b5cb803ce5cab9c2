"""The curve canvas: charts over a common time axis, with zoom, pan and scrubbing by mouse.

It uses ImGui's draw lists instead of ImPlot, which has other mouse controls, another look and no
markers for handles.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from imgui_bundle import imgui

from ..curves.curve_set import Chart, CurveSet, Line, tick_labels, ticks
from ..curves.key_edits import HeldKey
from ..curves.lane import Lane
from ..session.curve_keys import ChosenKey, CurveKeys, KeyDrag, move_key, snapped
from ..session.session import Session
from . import curve_legend, theme, widgets
from .shown_clip import clip_time, go_to, shown_clip

Point = imgui.ImVec2
_ZOOM = 1.25  # factor of a wheel notch
_SHORTEST = 0.01  # seconds: the shortest visible span
_PICK_DISTANCE = 0.55  # font heights: largest distance from the mouse to a key
_STILL = 0.3  # font heights: a drag of a key that is shorter only selects it
_DENSE = 3.0  # points between keys: denser keys are not drawn
_BUTTONS = (
    imgui.ButtonFlags_.mouse_button_left
    | imgui.ButtonFlags_.mouse_button_middle
    | imgui.ButtonFlags_.mouse_button_right
)
_SMALL = curve_legend.SMALL  # font heights: text of the axes
_POP, _REACH = 0.36, 0.5  # font heights: of the mark of a pop; from its line to the pointer
_TITLE, _LEAST, _FOOT = 1.25, 2.8, 1.5  # font heights: title of a lane, least height, time axis
_FOLDED = 1.2  # font heights: the line of a constant chart
_POP_CHARTS = {  # the charts that a pop is seen in, by the path of its track
    "translation": ("Translation", "Speed", "Acceleration"),
    "rotation": ("Rotation", "Angular speed"),
}


def draw(session: Session, curves: CurveSet) -> None:
    """Draw the curves in the rest of the panel and handle the mouse over them."""
    em = widgets.em()
    low, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail()
    parts, folded = _parts(session, curves)
    head = len(folded) * _FOLDED
    high = max(min(_LEAST, room.y / em - _TITLE - _FOOT - head), 1.0)
    least = sum(_TITLE + _share(part) * high for part, _ in parts) + _FOOT + head
    size = imgui.ImVec2(max(room.x, 4.0 * em), max(room.y, least * em))
    legend = _legend_width(parts, size.x)
    top, bottom = low.y + head * em, low.y + size.y
    lanes = _lanes(session, curves, parts, (low.x, top, low.x + size.x - legend, bottom))
    for k, chart in enumerate(folded):
        _draw_folded(session, chart, (lanes[0].left, low.y + k * _FOLDED * em), low.x + size.x)
    imgui.set_cursor_screen_pos((low.x, top))
    button = max(size.x - legend + 0.5 * em, em), bottom - top
    widgets.area(session, "curves", button, _BUTTONS)
    lines = imgui.get_window_draw_list()
    under = _under_mouse(lanes) if imgui.is_item_hovered() else None
    _draw_pops(session, lines, lanes)
    _take_mouse(session, curves, lanes, under)
    for lane in lanes:
        _draw_lane(lines, lane, under)
        _draw_chosen(session, lines, curves, lane)
    _draw_time(lines, lanes)
    imgui.push_clip_rect((low.x, lanes[0].top - em), (low.x + size.x, _axis_top(lanes)), True)
    for lane in lanes:
        curve_legend.draw(
            session, lane.chart, lane.whole, _drawing(lane, em).ends, _legend_box(lane, legend)
        )
    imgui.pop_clip_rect()
    _draw_present(session, lines, lanes)
    imgui.set_cursor_screen_pos(low)
    imgui.dummy(size)
    for lane in lanes:
        _mark_keys(session, lane)


def _parts(session: Session, curves: CurveSet) -> tuple[list[tuple[Chart, Chart]], list[Chart]]:
    """Return the charts to draw, each with the one that has all its curves, and the folded ones.

    Constant charts are folded if others move. Of a chart with an isolated curve only that is
    drawn, on its own scale.
    """
    chosen, label = session.interface.curves.isolated
    shown, found = _shown(session, curves), []
    folded = [chart for chart in shown if chart.still]
    folded = folded if len(folded) < len(shown) else []
    for chart in shown:
        if chart in folded:
            continue
        alone = _alone(chart, label) if chart.name == chosen else None
        found += [(lane, chart) for lane in (chart.lanes if alone is None else [alone])]
    return found, folded


def _draw_folded(session: Session, chart: Chart, place: tuple[float, float], right: float) -> None:
    """Draw a constant chart as a line: its heading and values; a click shows it."""
    em, lines, palette = widgets.em(), imgui.get_window_draw_list(), theme.palette()
    imgui.set_cursor_screen_pos(place)
    tip = "Constant: click to show it"
    size = max(right - place[0], em), _FOLDED * em
    if widgets.area(session, f"constant {chart.name}", size, tip=tip):
        session.interface.curves.chart = chart.name
    ink = palette.text if imgui.is_item_hovered() else palette.quiet
    values = ", ".join(
        f"{line.label} = {line.points[0, 1] + 0:.4g}".removeprefix(" = ") for line in chart.lines
    )
    words = f"{chart.heading}: {values}"
    words = widgets.shortened(words, (right - place[0]) / _SMALL)
    lines.add_text(imgui.get_font(), _SMALL * em, place, theme.packed(ink), words)


@lru_cache(maxsize=8)
def _alone(chart: Chart, label: str) -> Chart | None:
    """Return a chart with one of its several curves; None: it has no other ones, or not that."""
    lines = tuple(line for line in chart.lines if line.label == label)
    return replace(chart, lines=lines) if lines and len(chart.lines) > 1 else None


def _share(chart: Chart) -> float:
    """Return the height of a chart relative to others; constant values need less."""
    return 0.5 if chart.still else 1.0


def _legend_width(parts: list[tuple[Chart, Chart]], width: float) -> float:
    names = max(imgui.calc_text_size(n.label).x for _, whole in parts for n in whole.lines)
    return min(names * _SMALL + 2.6 * widgets.em(), 0.25 * width)


def _lanes(
    session: Session,
    curves: CurveSet,
    parts: list[tuple[Chart, Chart]],
    box: tuple[float, float, float, float],
) -> list[Lane]:
    """Return the lanes from top to bottom; if all values are constant, lower ones."""
    em = widgets.em()
    begin, end = session.interface.curves.span or (curves.begin, curves.end)
    drag = session.interface.of(CurveKeys).drag
    if drag is not None:
        begin, end = drag.lane.begin, drag.lane.end
    end = max(end, begin + _SHORTEST)
    left, right = box[0] + 3.6 * em, box[2]
    title, foot = _TITLE * em, _FOOT * em
    wants = [_share(chart) for chart, _ in parts]
    share = max((box[3] - box[1] - foot - title * len(parts)) / sum(wants), 1.0)
    found, top = [], box[1]
    for (chart, whole), want in zip(parts, wants, strict=True):
        area = (left, top + title, max(right, left + em), top + title + want * share)
        name = whole.name, chart.lines[0].label
        scale = chart.scale if drag is None else drag.scales.get(name, chart.scale)
        isolated = session.interface.curves.isolated == name
        found.append(Lane(*area, begin, end, *scale, chart, whole, isolated))
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
            if not len(line.keys):
                continue
            away = np.hypot(*(lane.place(line.keys) - (mouse.x, mouse.y)).T)
            k = int(away.argmin())
            if away[k] < best:
                best, found = float(away[k]), (line, k)
    return found


def _take_mouse(
    session: Session, curves: CurveSet, lanes: list[Lane], under: tuple[Line, int] | None
) -> None:
    """Zoom by wheel, pan by middle or right button, go to a key or time by left button.

    A drag of a key moves it.
    """
    view, mouse, lane = session.interface.curves, imgui.get_io().mouse_pos, lanes[0]
    keys = session.interface.of(CurveKeys)
    if imgui.is_item_hovered():
        _zoom(session, curves, lane)
        if under is not None and not imgui.is_item_active():
            _show_key_tooltip(under)
    if not imgui.is_item_active():
        keys.drag = None
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
        keys.chosen = None
        if under is not None:
            go_to(session, clip, float(under[0].keys[under[1], 0]), pause=True)
            _begin_drag(session, curves, lanes, under)
    if keys.drag is not None:
        _drag_key(session, keys.drag)
    if not view.pressed_on_key:
        go_to(session, clip, min(max(lane.seconds(mouse.x), curves.begin), curves.end))


def _begin_drag(
    session: Session, curves: CurveSet, lanes: list[Lane], under: tuple[Line, int]
) -> None:
    """Select the key under the mouse, which a drag moves."""
    (line, key), mouse = under, imgui.get_io().mouse_pos
    lane = next(lane for lane in lanes if line in lane.chart.lines)
    held, keys = HeldKey.of(lane.whole, line, key), session.interface.of(CurveKeys)
    own, clip = session.active, session.interface.curves.listed_clip
    if held is None or own is None or clip is None:
        return
    if not own.changes.can_move_keys(clip, held.track):
        session.notify("Keys of animation pointers cannot be edited")
        return
    keys.chosen = ChosenKey(curves.clip, curves.subject, lane.whole.name, line.label, key)
    scales = {(each.whole.name, each.chart.lines[0].label): (each.low, each.high) for each in lanes}
    keys.drag = KeyDrag(held, (mouse.x, mouse.y), lane, scales)


def _drag_key(session: Session, drag: KeyDrag) -> None:
    """Move a key by the mouse: in the direction of the drag, with Shift in both, Ctrl: to frames.

    The present time follows the key.
    """
    io, lane, held = imgui.get_io(), drag.lane, drag.held
    right, down = io.mouse_pos.x - drag.start[0], io.mouse_pos.y - drag.start[1]
    if io.key_shift:
        drag.axes = frozenset(("time", "value"))
    elif not drag.axes and max(abs(right), abs(down)) > _STILL * widgets.em():
        drag.axes = frozenset(("time",) if abs(right) > abs(down) else ("value",))
    if not drag.axes:
        return
    seconds, value = held.seconds, held.value
    if "time" in drag.axes:
        seconds += right * (lane.end - lane.begin) / (lane.right - lane.left)
        seconds = snapped(session, seconds) if io.key_ctrl else seconds
    if "value" in drag.axes:
        value -= down * (lane.high - lane.low) / (lane.bottom - lane.top)
    if "time" in drag.axes:
        moved = float(held.moved(seconds, value).times[held.key])
        go_to(session, shown_clip(session, session.interface.curves.listed_clip), moved, pause=True)
    move_key(session, held, seconds, value)


def _draw_chosen(session: Session, lines: imgui.ImDrawList, curves: CurveSet, lane: Lane) -> None:
    """Mark the selected key."""
    chosen = session.interface.of(CurveKeys).chosen
    if chosen is None or chosen[:3] != (curves.clip, curves.subject, lane.whole.name):
        return
    for line in lane.chart.lines:
        if line.label == chosen.label and chosen.key < len(line.keys):
            x, y = lane.point(*line.keys[chosen.key].tolist())
            lines.add_circle(
                (x, y), 0.42 * widgets.em(), theme.packed(theme.palette().accent), 0, 2.0
            )


def _zoom(session: Session, curves: CurveSet, lane: Lane) -> None:
    """Zoom at the mouse by wheel; a double click shows the whole clip.

    Shift and wheel, or the wheel over the value axis, scroll the charts.
    """
    io, view = imgui.get_io(), session.interface.curves
    if io.mouse_wheel and (io.key_shift or io.mouse_pos.x < lane.left):
        imgui.set_scroll_y(imgui.get_scroll_y() - 3.0 * widgets.em() * io.mouse_wheel)
    elif io.mouse_wheel:
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
    widgets.tooltip(f"{line.label}  {value:.5g} at {seconds:.4g} s, key {k}".strip())


@dataclass(frozen=True, slots=True)
class _Curve:
    """What is drawn of a curve; points of the window."""

    number: int  # its style
    handles: list[tuple[Point, Point]]  # from keys to their control points
    held: list[tuple[Point, Point]]  # before the first key and after the last one
    points: list[imgui.ImVec2Like]
    markers: list[curve_legend.Corners]  # of keys
    radius: float  # of the markers


@dataclass(frozen=True, slots=True)
class _Drawing:
    """What is drawn of a lane, apart from the pointer; points of the window."""

    values: list[tuple[tuple[Point, Point], Point, str]]  # of the grid: line, place of label, label
    times: list[tuple[Point, Point]]  # lines of the grid
    heading: Point
    summary: Point
    clip: tuple[Point, Point]
    curves: list[_Curve]
    ends: list[tuple[Line, float]]  # the curves of the legend, and the y of their right ends


@lru_cache(maxsize=64)
def _drawing(lane: Lane, em: float) -> _Drawing:
    """Return what is drawn of a lane, cached: it moves only with the panel or the visible time."""
    ticked = ticks(lane.low, lane.high, max(int((lane.bottom - lane.top) / (1.7 * em)), 2))
    values = []
    for value, text in zip(ticked, tick_labels(ticked), strict=True):
        _, y = lane.point(lane.begin, value)
        wide = imgui.calc_text_size(text).x * _SMALL
        label = Point(lane.left - wide - 0.4 * em, y - _SMALL * em / 2.0)
        values.append(((Point(lane.left, y), Point(lane.right, y)), label, text))
    top = lane.top - 1.1 * em
    wide = imgui.calc_text_size(lane.chart.heading).x * _SMALL
    space = 0.3 * em
    clip = (
        Point(lane.left - space, lane.top - space),
        Point(lane.right + space, lane.bottom + space),
    )
    return _Drawing(
        values,
        [(Point(x, lane.top), Point(x, lane.bottom)) for x in map(lane.x, _times(lane, em))],
        Point(lane.left, top),
        Point(lane.left + wide + 0.9 * em, top),
        clip,
        [_curve(lane, line, em) for line in lane.chart.lines],
        _ends(lane),
    )


def _curve(lane: Lane, line: Line, em: float) -> _Curve:
    number, near = curve_legend.style(lane.whole, line), lane.spacing(line)
    handles, markers = [], []
    radius = min(max(0.25 * near, 1.5), 0.24 * em)
    if near > 4.0 * _DENSE:
        seen = line.handles[lane.inside(line.handles[:, 0, 0], line.handles[:, 1, 0])]
        handles = [(Point(*key), Point(*control)) for key, control in lane.place(seen).tolist()]
    if near > _DENSE:
        keys = lane.place(line.keys[lane.inside(line.keys[:, 0], line.keys[:, 0])])
        markers = [curve_legend.corners(number, x, y, radius) for x, y in keys.tolist()]
    points = lane.place(lane.thinned(line.points)).tolist()
    held = []
    for x, (end, y), side in ((lane.left, points[0], 1), (lane.right, points[-1], -1)):
        if (end - x) * side > 0.5:
            held.append((Point(x, y), Point(end, y)))
    return _Curve(number, handles, held, [Point(*each) for each in points], markers, radius)


def _draw_lane(lines: imgui.ImDrawList, lane: Lane, under: tuple[Line, int] | None) -> None:
    em = widgets.em()
    small, drawing = _SMALL * em, _drawing(lane, em)
    font, palette = imgui.get_font(), theme.palette()
    quiet, grid = theme.packed(palette.quiet), theme.packed(palette.line)
    for ends, place, text in drawing.values:
        lines.add_line(*ends, grid)
        lines.add_text(font, small, place, quiet, text)
    for ends in drawing.times:
        lines.add_line(*ends, grid)
    lines.add_text(font, small, drawing.heading, theme.packed(palette.text), lane.chart.heading)
    lines.add_text(font, small, drawing.summary, quiet, lane.chart.summary)
    lines.push_clip_rect(*drawing.clip, True)
    for curve in drawing.curves:
        _draw_curve(lines, curve)
    if under is not None and under[0] in lane.chart.lines:
        place = Point(*lane.point(*under[0].keys[under[1]].tolist()))
        lines.add_circle(place, 0.42 * em, theme.packed(palette.knob), 0, 1.5)
    lines.pop_clip_rect()


def _draw_curve(lines: imgui.ImDrawList, curve: _Curve) -> None:
    color, quiet = curve_legend.color(curve.number), theme.palette().quiet
    faint, plain = theme.packed(quiet, 0.55), theme.packed(quiet)
    for key, control in curve.handles:
        lines.add_line(key, control, faint)
        lines.add_circle(control, 2.5, plain)
    held, ink = theme.packed(color, 0.35), theme.packed(color)
    for ends in curve.held:
        lines.add_line(*ends, held)
    lines.add_polyline(curve.points, ink, thickness=1.6, flags=0)
    curve_legend.draw_markers(lines, curve.number, curve.markers, curve.radius, ink)


def _ends(lane: Lane) -> list[tuple[Line, float]]:
    """Return the curves of the legend and the window y of each one's right end."""
    lines = lane.whole.lines if lane.isolated else lane.chart.lines
    rows = []
    for line in lines:
        value = float(np.interp(lane.end, line.points[:, 0], line.points[:, 1]))
        _, y = lane.point(lane.end, value)
        rows.append((line, min(max(y, lane.top), lane.bottom)))
    return rows


def _legend_box(lane: Lane, width: float) -> tuple[float, float, float, float]:
    em = widgets.em()
    return lane.right + 0.6 * em, lane.top, lane.right + width - 0.2 * em, lane.bottom


def _times(lane: Lane, em: float) -> list[float]:
    return ticks(lane.begin, lane.end, max(int((lane.right - lane.left) / (5.0 * em)), 2))


@lru_cache(maxsize=8)
def _time_labels(lane: Lane, em: float) -> list[tuple[float, str]]:
    """Return the labels of the time axis with the window x of their left ends, cached."""
    times = _times(lane, em)
    texts = [f"{text} s" for text in tick_labels(times)]
    half = _SMALL / 2.0
    return [
        (lane.x(seconds) - imgui.calc_text_size(text).x * half, text)
        for seconds, text in zip(times, texts, strict=True)
    ]


def _draw_time(lines: imgui.ImDrawList, lanes: list[Lane]) -> None:
    """Draw the time axis."""
    em = widgets.em()
    small, font = _SMALL * em, imgui.get_font()
    lane = lanes[-1]
    top, window = _axis_top(lanes), imgui.get_window_pos().y + imgui.get_window_height()
    if top < lane.bottom:
        corner = imgui.get_window_pos().x, top
        end = corner[0] + imgui.get_window_width(), window
        lines.add_rect_filled(corner, end, theme.packed(theme.opaque(theme.palette().panel)))
    quiet = theme.packed(theme.palette().quiet)
    for x, text in _time_labels(lane, em):
        lines.add_text(font, small, imgui.ImVec2(x, top + 0.5 * em), quiet, text)


def _draw_present(session: Session, lines: imgui.ImDrawList, lanes: list[Lane]) -> None:
    """Draw the current time over the charts: a line down to the time axis, and a triangle there."""
    now, lane = clip_time(session, session.interface.curves.listed_clip), lanes[-1]
    if not lane.begin <= now <= lane.end:
        return
    em, x, high, top = widgets.em(), lane.x(now), lanes[0].top, _axis_top(lanes)
    color = theme.packed(theme.palette().knob)
    lines.add_line((x, high), (x, top), color, 1.5)
    wide, foot = 0.35 * em, top + 0.45 * em
    lines.add_triangle_filled((x, top), (x + wide, foot), (x - wide, foot), color)


def _draw_pops(session: Session, lines: imgui.ImDrawList, lanes: list[Lane]) -> None:
    """Draw lines and triangles where tracks pop, in their charts, with a tooltip at the pointer."""
    em, mouse = widgets.em(), imgui.get_io().mouse_pos
    ink = theme.packed(theme.palette().warning)
    faint = theme.packed(theme.palette().warning, 0.55)
    hovered = imgui.is_item_hovered()
    for number, pop in enumerate(session.interface.curves.pops):
        own = [lane for lane in lanes if lane.chart.name in _POP_CHARTS[pop.path]]
        if not own or not own[0].begin <= pop.seconds <= own[0].end:
            continue
        x = own[0].x(pop.seconds)
        for lane in own:
            lines.add_line((x, lane.top), (x, lane.bottom), faint, 1.2)
            left, right = (x - _POP * em, lane.top), (x + _POP * em, lane.top)
            lines.add_triangle_filled(left, right, (x, lane.top + 1.6 * _POP * em), ink)
        box = (x - 2.0, own[0].top), (x + 2.0, own[0].bottom)
        widgets.mark_box(session, f"pop {number}", *box)
        inside = any(lane.top - em <= mouse.y <= lane.bottom for lane in own)
        if hovered and inside and abs(mouse.x - x) < _REACH * em:
            widgets.tooltip(f"{pop.words}, at {pop.seconds:.3f} s")


def _axis_top(lanes: list[Lane]) -> float:
    """Return the window y of the time axis, which stays in view while charts scroll."""
    window = imgui.get_window_pos().y + imgui.get_window_height()
    return min(lanes[-1].bottom, window - _FOOT * widgets.em())


def _mark_keys(session: Session, lane: Lane) -> None:
    """Record the boxes of the keys for the trace."""
    if session.interface.widget_boxes is None:
        return
    for line in lane.chart.lines:
        for k, (x, y) in enumerate(lane.place(line.keys).tolist()):
            name = f"key {lane.chart.name} {line.label} {k}"
            widgets.mark_box(session, name, (x - 2, y - 2), (x + 2, y + 2))
