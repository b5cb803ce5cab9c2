"""The legend of a chart: the names of its curves beside their ends, or a list if they are many.

A click isolates a curve, another click shows all again.
"""

from collections.abc import Sequence

from imgui_bundle import imgui

from ..curves.curve_set import Chart, Line, style_of
from ..session.session import Session
from . import theme, widgets

Corners = tuple[imgui.ImVec2, imgui.ImVec2, imgui.ImVec2]
SMALL = 0.82  # font heights: text
_STEP = 1.0  # font heights: between two names


def draw(
    session: Session,
    chart: Chart,
    whole: Chart,
    rows: Sequence[tuple[Line, float]],
    box: tuple[float, float, float, float],
) -> None:
    """Draw the legend.

    Parameters
    ----------
    chart, whole
        The drawn curves, and all curves of the chart.
    rows
        The curves, and the window y of the right end of each one.
    box
        Its rectangle: left, top, right, bottom, points.
    """
    rows = [row for row in rows if row[0].label]
    if not rows:
        return
    em = widgets.em()
    left, top, right, bottom = box
    drawn = {line.label for line in chart.lines}
    if len(rows) * _STEP * em > bottom - top + 0.5 * em:
        imgui.set_cursor_screen_pos((left, top))
        if imgui.begin_child(
            f"legend {chart.name} {rows[0][0].label}", (right - left, bottom - top)
        ):
            low = imgui.get_cursor_screen_pos()
            for k, (line, _) in enumerate(rows):
                y = low.y + (k + 0.5) * _STEP * em
                width = imgui.get_content_region_avail().x
                _row(session, whole, line, (low.x, y), width, drawn=line.label in drawn)
        imgui.end_child()
        return
    order = sorted(rows, key=lambda row: (round(row[1]), style(whole, row[0])))
    places: list[float] = []
    for _, y in order:
        places.append(max(y, places[-1] + _STEP * em) if places else y)
    over = max(places[-1] - bottom, 0.0)
    for (line, _), y in zip(order, places, strict=True):
        _row(session, whole, line, (left, y - over), right - left, drawn=line.label in drawn)


def style(whole: Chart, line: Line) -> int:
    """Return the style index of a curve of a chart."""
    labels = [each.label for each in whole.lines]
    return style_of(line.label, labels.index(line.label))


def color(number: int) -> theme.Color:
    """Return the color of a style index."""
    series = theme.palette().series
    return series[number % len(series)]


def _row(
    session: Session,
    whole: Chart,
    line: Line,
    place: tuple[float, float],
    width: float,
    *,
    drawn: bool,
) -> None:
    """Draw a curve's marker and name at a middle height; a click isolates the curve."""
    em, view = widgets.em(), session.interface.curves
    x, y = place
    name = f"{whole.name} {line.label}"
    imgui.set_cursor_screen_pos((x, y - _STEP * em / 2.0))
    if widgets.area(session, f"legend {name}", (max(width, em), _STEP * em)):
        alone = view.isolated == (whole.name, line.label)
        view.isolated = ("", "") if alone else (whole.name, line.label)
    lines = imgui.get_window_draw_list()
    if imgui.is_item_hovered():
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        lines.add_rect_filled(low, high, imgui.get_color_u32(imgui.Col_.header_hovered), 3.0)
    number = style(whole, line)
    ink = theme.packed(color(number) if drawn else theme.palette().quiet, 1.0 if drawn else 0.6)
    draw_markers(lines, number, [corners(number, x + 0.4 * em, y, 0.22 * em)], 0.22 * em, ink)
    shown = widgets.shortened(line.label, (width - 0.9 * em) / SMALL)
    lines.add_text(imgui.get_font(), SMALL * em, (x + 0.9 * em, y - SMALL * em / 2.0), ink, shown)
    if len(whole.lines) > 1:
        alone = view.isolated == (whole.name, line.label)
        widgets.hint(f"{line.label}: click to show {'all curves' if alone else 'only this curve'}")


def corners(number: int, x: float, y: float, radius: float) -> Corners:
    """Return the points of the marker of a style index about (x, y); a circle has one."""
    kind, middle = number % 4, imgui.ImVec2(x, y)
    if kind == 1:
        r = 0.9 * radius
        return imgui.ImVec2(x - r, y - r), imgui.ImVec2(x + r, y + r), middle
    if kind == 2:
        r = 1.2 * radius
        low = y + 0.8 * r
        return imgui.ImVec2(x, y - r), imgui.ImVec2(x + r, low), imgui.ImVec2(x - r, low)
    return middle, middle, middle


def draw_markers(
    lines: imgui.ImDrawList, number: int, places: Sequence[Corners], radius: float, color: int
) -> None:
    """Draw a curve's markers with their `corners`: circles, squares, triangles or diamonds."""
    kind = number % 4
    if kind == 0:
        for middle, _, _ in places:
            lines.add_circle_filled(middle, radius, color)
    elif kind == 1:
        for low, high, _ in places:
            lines.add_rect_filled(low, high, color)
    elif kind == 2:
        for a, b, c in places:
            lines.add_triangle_filled(a, b, c, color)
    else:
        for middle, _, _ in places:
            lines.add_ngon_filled(middle, 1.3 * radius, color, 4)
