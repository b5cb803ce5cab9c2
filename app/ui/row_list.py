"""A list of rows of one height: draws those in sight, and scrolls to the selected one."""

from collections.abc import Callable
from typing import Literal

from imgui_bundle import imgui

from ..session.session import Session
from . import icons, theme, widgets

LEAST_ROWS = 4  # of the list; in a lower panel the panel scrolls
EYE = 1.7  # font heights: width of an eye
Mark = Literal["joint", "unused", "node", "mesh"]


def draw(
    session: Session,
    name: str,
    count: int,
    selected: int,
    row: Callable[[int], None],
    gap: float = 0.0,
) -> None:
    """Draw the rows in sight.

    Parameters
    ----------
    selected
        Index of the selected row, -1 if none is listed.
    row
        Draws the row of an index, as high as a frame.
    gap
        Between rows, points.
    """
    outliner = session.interface.outliner
    goal = selected if outliner.scroll_to_selected else -1
    if rows_in_sight(session, name, count, goal, row, gap):
        outliner.scroll_to_selected = False


def rows_in_sight(
    session: Session, name: str, count: int, goal: int, row: Callable[[int], None], gap: float
) -> bool:
    """Draw the rows in sight, after scrolling to that of index `goal` (-1: none) if it is not.

    Returns whether the list is in sight itself; for the other parameters see `draw`.
    """
    tall = imgui.get_frame_height() + gap
    height = min(count * tall, max(widgets.room_below(session), LEAST_ROWS * tall))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (theme.metrics().gap, gap))
    shown = imgui.begin_child(name, imgui.ImVec2(0.0, height), imgui.ChildFlags_.nav_flattened)
    if shown:
        top, low = imgui.get_scroll_y(), goal * tall
        if goal >= 0 and not top <= low <= top + height - tall:
            imgui.set_scroll_y(max(low - 0.5 * (height - tall), 0.0))
        for k in widgets.in_sight(count, tall):
            row(k)
    imgui.end_child()
    imgui.pop_style_var()
    return shown


def keep_focus(session: Session) -> None:
    """Keep the keyboard focus of the list that was drawn last, and frame the list if it has it.

    A click on a row gives it the focus, until Esc, a click elsewhere, or the pointer leaves it.
    """
    outliner = session.interface.outliner
    over = imgui.is_item_hovered(imgui.HoveredFlags_.rect_only)
    lost = session.interface.popup or imgui.is_key_pressed(imgui.Key.escape)
    outliner.focused = not lost and (outliner.focused or (outliner.had_focus and over))
    if outliner.focused:
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        color = theme.packed(theme.palette().accent, 0.8)
        imgui.get_window_draw_list().add_rect(low, high, color, 2.0)


def eye(session: Session, name: str, tip: str, *, hidden: bool, always: bool = False) -> bool:
    """Draw the eye at the left of a row; return whether it was pressed.

    Unless `always`, it shows while the pointer is on the row, and if the row is hidden.
    """
    em, tall = widgets.em(), imgui.get_frame_height()
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    pressed = widgets.area(session, name, (EYE * em, tall), tip=tip)
    over = imgui.is_item_hovered()
    on_row = imgui.is_mouse_hovering_rect(low, (low.x + width, low.y + tall))
    if hidden or on_row or always:
        palette = theme.palette()
        ink = palette.text if over else palette.quiet
        place = low.x + 0.3 * em, low.y + imgui.get_style().frame_padding.y
        icon = icons.HIDDEN if hidden else icons.VISIBLE
        imgui.get_window_draw_list().add_text(place, theme.packed(ink), icon)
    imgui.same_line(0.0, 0.0)
    return pressed


def mark(kind: Mark, place: tuple[float, float]) -> None:
    """Draw the mark of a joint about a point, points.

    A disc is a joint that moves vertices, a ring one that moves none, a square a node with a mesh,
    a small diamond another node.
    """
    x, y = place
    size, palette = 0.22 * widgets.em(), theme.palette()
    lines, accent = imgui.get_window_draw_list(), theme.packed(palette.accent)
    if kind == "joint":
        lines.add_circle_filled((x, y), size, accent)
    elif kind == "unused":
        lines.add_circle((x, y), size, theme.packed(palette.warning), 0, 1.5)
    elif kind == "mesh":
        lines.add_rect_filled((x - size, y - size), (x + size, y + size), accent, 1.0)
    else:
        corners = (x, y - size), (x + size, y), (x, y + size), (x - size, y)
        lines.add_quad(*corners, theme.packed(palette.quiet), 1.0)
