"""Lines and triangles over curves at the moments at which the joint pops."""

from collections.abc import Callable, Sequence

from imgui_bundle import imgui

from ..session.session import Session
from . import theme, widgets

_REACH = 0.5  # font heights from a line to the pointer
_SIZE = 0.36  # font heights


def draw(
    session: Session,
    lanes: Sequence[tuple[float, float]],
    x_of: Callable[[float], float],
    ends: tuple[float, float],
) -> None:
    """Draw the pops of the shown joint, with a tooltip of the one below the pointer.

    Parameters
    ----------
    lanes
        Upper and lower ends of the charts.
    x_of
        Returns the place of a time.
    ends
        Visible seconds.
    """
    em, lines = widgets.em(), imgui.get_window_draw_list()
    mouse, boxes = imgui.get_io().mouse_pos, session.interface.widget_boxes
    ink = theme.packed(theme.palette().warning)
    faint = theme.packed(theme.palette().warning, 0.55)
    inside = imgui.is_item_hovered() and lanes[0][0] - em <= mouse.y <= lanes[-1][1]
    for number, pop in enumerate(session.interface.curves.pops):
        if not ends[0] <= pop.seconds <= ends[1]:
            continue
        x = x_of(pop.seconds)
        for top, bottom in lanes:
            lines.add_line((x, top), (x, bottom), faint, 1.2)
            left, right = (x - _SIZE * em, top), (x + _SIZE * em, top)
            lines.add_triangle_filled(left, right, (x, top + 1.6 * _SIZE * em), ink)
        if boxes is not None:
            boxes[f"pop {number}"] = (x - 2.0, lanes[0][0], x + 2.0, lanes[0][1])
        if inside and abs(mouse.x - x) < _REACH * em:
            widgets.tooltip(f"{pop.words}, at {pop.seconds:.3f} s")
