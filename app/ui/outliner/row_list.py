"""A list of rows of one height: draws those in sight, and scrolls to the selected one."""

from collections.abc import Callable

from imgui_bundle import imgui

from ...session.session import Session
from .. import widgets

LEAST_ROWS = 4  # of the list; in a lower panel the panel scrolls


def draw(
    session: Session, name: str, count: int, selected: int, row: Callable[[int], None]
) -> None:
    """Draw the rows in sight.

    Parameters
    ----------
    selected
        Index of the selected row, -1 if none is listed.
    row
        Draws the row of an index, as high as a frame.
    """
    outliner, tall = session.interface.outliner, imgui.get_frame_height()
    height = min(count * tall, max(widgets.room_below(session), LEAST_ROWS * tall))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (4.0, 0.0))
    if imgui.begin_child(name, imgui.ImVec2(0.0, height), imgui.ChildFlags_.nav_flattened):
        if outliner.scroll_to_selected:
            outliner.scroll_to_selected = False
            top, low = imgui.get_scroll_y(), selected * tall
            if selected >= 0 and not top <= low <= top + height - tall:
                imgui.set_scroll_y(max(low - 0.5 * (height - tall), 0.0))
        clipper = imgui.ListClipper()
        clipper.begin(count, tall)
        while clipper.step():
            for k in range(clipper.display_start, clipper.display_end):
                row(k)
        clipper.end()
    imgui.end_child()
    imgui.pop_style_var()
