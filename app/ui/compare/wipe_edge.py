"""The edge of a wipe: it is where the pointer was last, or is dragged."""

from imgui_bundle import imgui

from ...session.session import Session
from .. import theme, widgets

_GRIP = 1.3  # font heights: height of the grip; it is half as wide
_REACH = 0.5  # font heights: width of what can be dragged


def follow(session: Session) -> None:
    """Move the edge to the pointer, unless a panel uses the mouse or a button is down."""
    comparison, io = session.comparison, imgui.get_io()
    if not comparison.at_pointer or io.want_capture_mouse or imgui.is_any_mouse_down():
        return
    left, top, right, bottom = session.interface.viewport.box
    x, y = io.mouse_pos.x, io.mouse_pos.y
    if left <= x < right and top <= y < bottom:
        comparison.move_edge((x - left) / (right - left))


def drag(session: Session) -> None:
    """Let the mouse drag the edge while it does not follow the pointer."""
    comparison = session.comparison
    versions = comparison.versions
    if versions is None or versions.mode != "wipe" or comparison.follows_pointer:
        return
    left, top, right, bottom = session.interface.viewport.box
    wide = _REACH * widgets.em()
    x = left + versions.edge * (right - left)
    size = wide, max(bottom - top, 1.0)
    with widgets.ClearWindow("Wipe edge", (x - wide / 2.0, top), size):
        widgets.area(session, "wipe edge", size)
        if imgui.is_item_active() or imgui.is_item_hovered():
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
        if imgui.is_item_active():
            comparison.move_edge((imgui.get_io().mouse_pos.x - left) / (right - left))


def draw(session: Session) -> None:
    """Draw the line between both versions, with a grip if it can be dragged."""
    comparison = session.comparison
    versions = comparison.versions
    if versions is None or versions.mode not in ("wipe", "side-by-side"):
        return
    left, top, right, bottom = session.interface.viewport.box
    wipe = versions.mode == "wipe"
    x = round(left + (versions.edge if wipe else versions.middle) * (right - left)) + 0.0
    lines, palette, em = imgui.get_background_draw_list(), theme.palette(), widgets.em()
    lines.add_line((x, top), (x, bottom), theme.packed(palette.bar, 0.8), 3.0)
    lines.add_line((x, top), (x, bottom), theme.packed(palette.text, 0.9), 1.0)
    if not wipe or comparison.follows_pointer:
        return
    y, tall, wide = (top + bottom) / 2.0, _GRIP * em, 0.5 * _GRIP * em
    low, high = (x - wide / 2.0, y - tall / 2.0), (x + wide / 2.0, y + tall / 2.0)
    lines.add_rect_filled(low, high, theme.packed(palette.bar), 0.25 * em)
    lines.add_rect(low, high, theme.packed(palette.text), 0.25 * em)
    for step in (-1.0, 1.0):
        at = x + step * 0.11 * em
        lines.add_line((at, y - 0.3 * em), (at, y + 0.3 * em), theme.packed(palette.text, 0.9), 1.0)
