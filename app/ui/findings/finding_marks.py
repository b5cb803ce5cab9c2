"""Marks of findings in lists and on the timeline: an icon of their severity, with a tooltip."""

from imgui_bundle import imgui

from ...session.file_check import Findings, tooltip_text
from ...session.session import Session
from .. import icons, theme, widgets

SIZE = 0.8  # font heights


def width(found: Findings) -> float:
    """Return the width that the mark of findings takes in a row, points; 0 without findings."""
    return 1.1 * widgets.em() if found else 0.0


def row_mark(session: Session, name: str, found: Findings, right: float, middle: float) -> bool:
    """Draw the mark of findings in the row that was drawn last; return whether it is pointed at.

    Parameters
    ----------
    name
        What the row is about, for the trace.
    right, middle
        Right end and middle height of the mark, points.
    """
    if not found:
        return False
    em = widgets.em()
    left, half = right - width(found), 0.5 * em
    box = (left, middle - half), (right, middle + half)
    draw(found, (left + 0.5 * width(found), middle))
    widgets.mark_box(session, f"findings of {name}", *box)
    over = imgui.is_item_hovered() and imgui.is_mouse_hovering_rect(*box)
    if over:
        widgets.hint(tooltip_text(found))
    return over


def draw(found: Findings, middle: tuple[float, float], size: float = SIZE) -> None:
    """Draw the icon of the most severe of findings about a point, `size` font heights tall."""
    icon, color = sign(found[0].severity)
    wide, em = imgui.calc_text_size(icon).x * size, widgets.em() * size
    place = middle[0] - wide / 2.0, middle[1] - em / 2.0
    lines = imgui.get_window_draw_list()
    lines.add_text(imgui.get_font(), em, place, theme.packed(color), icon)


def sign(group: str) -> tuple[str, theme.Color]:
    """Return the icon and the color of a severity, or of known findings."""
    palette = theme.palette()
    return {
        "error": (icons.ERROR, palette.error),
        "warning": (icons.WARNING, palette.warning),
        "info": (icons.INFO, palette.accent),
    }.get(group, (icons.ACCEPTED, palette.quiet))
