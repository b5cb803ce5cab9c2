"""The layout of the panels: columns beside the scene, their tabs, edges that the mouse drags."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from imgui_bundle import imgui
from imgui_bundle.imgui import FLT_MAX

from ..session.session import Session
from ..session.settings import PANEL_SIZES
from . import tab_row, theme, widgets

SCENE = 12.0  # font heights: least width of the scene between two columns
LOW = 18.0  # font heights: in a lower view, open curves take the place of the side panels
WIDE = 46.0  # font heights: a narrower window has one column, with a list of its panels
_LEFT, _RIGHT, _MIXER, _ONLY = 18.0, 17.0, 18.0, 15.0  # font heights: default widths of the columns
EDGE = 0.5  # font heights: width of an edge
_UPRIGHT = ("left", "right", "curves list")  # panels with a width; the others have a height

Body = Callable[[Session], None]
Panel = tuple[str, Body]  # label and contents


@dataclass(frozen=True, slots=True)
class Columns:
    """The widths of the columns, points; in a narrow window there is only the left one."""

    left: float
    right: float  # 0: no right column

    @property
    def one(self) -> bool:
        """Whether there is only one column."""
        return self.right == 0.0


def columns(session: Session, *, mixing: bool) -> Columns:
    """Return the columns in the present window."""
    em, room = widgets.em(), imgui.get_main_viewport().size.x
    one = room < WIDE * em
    left = size(session, "left", _ONLY if one and not mixing else _LEFT) * em
    right = size(session, "right", _MIXER if mixing else _RIGHT) * em
    margin = 2.0 * widgets.MARGIN * em
    if one:
        return Columns(min(left, room - margin), 0.0)
    most = room - SCENE * em - 2.0 * margin
    if left + right > most:
        least = max(PANEL_SIZES["left"][0], PANEL_SIZES["right"][0]) * em
        left = min(max(most * left / (left + right), least), most - least)
        right = min(right, most - left)
    return Columns(left, right)


def size(session: Session, name: str, default: float) -> float:
    """Return a size of `PANEL_SIZES`, font heights: dragged by hand, or the default."""
    return session.settings.panels.get(name, default)


def edge(
    session: Session, name: str, place: tuple[float, float], length: float, fixed: float
) -> None:
    """Draw an edge that changes a size of `PANEL_SIZES` when dragged; a double click resets it.

    Parameters
    ----------
    place
        Upper left end of the edge, points.
    fixed
        The panel's opposite edge, points: x of an upright edge (the names in `_UPRIGHT`), else y.
    """
    em, upright = widgets.em(), name in _UPRIGHT
    across = (EDGE * em, max(length, 1.0))
    imgui.set_cursor_screen_pos(place)
    widgets.area(session, f"{name} edge", across if upright else across[::-1])
    active, hovered = imgui.is_item_active(), imgui.is_item_hovered()
    if not (active or hovered):
        return
    cursor = imgui.MouseCursor_.resize_ew if upright else imgui.MouseCursor_.resize_ns
    imgui.set_mouse_cursor(cursor)
    _highlight(upright=upright)
    mouse, moved = imgui.get_io().mouse_pos, imgui.get_io().mouse_delta
    if hovered and imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
        session.settings.panels.pop(name, None)
    elif active and (moved.x if upright else moved.y):
        least, most = PANEL_SIZES[name]
        wanted = abs((mouse.x if upright else mouse.y) - fixed) / em - EDGE / 2.0
        session.settings.panels[name] = round(min(max(wanted, least), most), 2)


def floating_edge(
    session: Session, name: str, place: tuple[float, float], length: float, fixed: float
) -> None:
    """Draw an edge beside a panel, in a window of its own; parameters as of `edge`."""
    em = widgets.em()
    size = (EDGE * em, max(length, 1.0))
    with widgets.ClearWindow(f"{name} edge", place, size if name in _UPRIGHT else size[::-1]):
        edge(session, name, place, length, fixed)


def _highlight(*, upright: bool) -> None:
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    x, y = (low.x + high.x) / 2.0, (low.y + high.y) / 2.0
    ends = ((x, low.y), (x, high.y)) if upright else ((low.x, y), (high.x, y))
    imgui.get_window_draw_list().add_line(*ends, theme.packed(theme.palette().accent), 2.0)


def tabs(
    session: Session,
    name: str,
    panels: Sequence[Panel],
    titles: Mapping[str, str] = tab_row.NO_TITLES,
) -> str:
    """Draw panels as tabs; return the label of the one that is shown.

    `titles` are shown in place of labels, by label. `interface.tabs` keeps the chosen one by the
    name of the tabs. While it is not among the panels, the first one is shown.
    """
    interface, labels = session.interface, [label for label, _ in panels]
    if interface.mixer_panels.tab in labels:
        interface.tabs[name], interface.mixer_panels.tab = interface.mixer_panels.tab, ""
    shown = interface.tabs.get(name, "")
    if shown not in labels:
        shown = labels[0]
    pressed = tab_row.draw(session, labels, shown, titles)
    if pressed:
        interface.tabs[name] = shown = pressed
    _body(session, shown, dict(panels)[shown])
    return shown


def _body(session: Session, label: str, draw: Body) -> None:
    """Draw a panel below its tabs; it scrolls while they stay."""
    room = max(widgets.room_below(session), 1.0)
    imgui.set_next_window_size_constraints((0.0, 0.0), (FLT_MAX, room))
    imgui.begin_child(label, imgui.ImVec2(0.0, 0.0), widgets.BODY)
    draw(session)
    imgui.end_child()
