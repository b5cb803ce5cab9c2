"""The layout of the panels: columns beside the scene, edges that the mouse drags, and tabs.

Tabs show their names, or icons with tooltips where the names do not fit.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from imgui_bundle import imgui
from imgui_bundle.imgui import FLT_MAX

from ..session.session import Session
from ..session.settings import PANEL_SIZES
from . import icons, theme, widgets

SCENE = 12.0  # font heights: least width of the scene between two columns
LOW = 18.0  # font heights: in a lower view, open curves take the place of the side panels
WIDE = 46.0  # font heights: a narrower window has one column, with a list of its panels
_LEFT, _RIGHT, _MIXER, _ONLY = 18.0, 17.0, 18.0, 15.0  # font heights: default widths of the columns
EDGE = 0.5  # font heights: width of an edge
_UPRIGHT = ("left", "right", "curves list")  # panels with a width; the others have a height

NO_TITLES: Mapping[str, str] = MappingProxyType({})
Body = Callable[[Session], None]
Panel = tuple[str, Body]  # label and contents
_TIGHT = 0.36  # font heights: room beside the text of a tab in a narrow column
_GAP = 0.12  # font heights, between tabs in a narrow column


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
    titles: Mapping[str, str] = NO_TITLES,
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
    pressed = _draw_tabs(session, labels, shown, titles)
    if pressed:
        interface.tabs[name] = shown = pressed
    _body(session, shown, dict(panels)[shown])
    return shown


def _body(session: Session, label: str, draw: Body) -> None:
    """Draw a panel below its tabs; it scrolls while they stay."""
    room = max(widgets.room_below(session), 1.0)
    imgui.set_next_window_size_constraints((0.0, 0.0), (FLT_MAX, room))
    imgui.begin_child(label, imgui.ImVec2(0.0, 0.0), widgets.BODY)
    widgets.measure_new(session)
    draw(session)
    imgui.end_child()


class TabRow(NamedTuple):
    """The texts of a row of tabs, and their spacing in points."""

    texts: tuple[str, ...]
    padding: float  # at both sides of a text
    gap: float

    def widths(self) -> list[float]:
        """Return the width of each tab, points."""
        return [imgui.calc_text_size(text).x + 2.0 * self.padding for text in self.texts]

    def width(self) -> float:
        """Return the width of all tabs, points."""
        return sum(self.widths()) + self.gap * (len(self.texts) - 1)


def tab_row(labels: Sequence[str], shown: str, titles: Mapping[str, str], room: float) -> TabRow:
    """Return the widest row that fits into `room` points.

    The names are replaced by icons if they do not fit; the tab that is `shown` keeps its name as
    long as possible. `titles` are written in place of labels, by label.
    """
    style, em = imgui.get_style(), widgets.em()
    names = [titles.get(label, label) for label in labels]
    signs = [
        icons.PANELS.get(label, label[:2]) + name.removeprefix(label)
        for label, name in zip(labels, names, strict=True)
    ]
    mixed = [
        f"{icons.PANELS.get(label, '')} {name}".lstrip() if label == shown else sign
        for label, name, sign in zip(labels, names, signs, strict=True)
    ]
    tight = _TIGHT * em, _GAP * em
    rows = (
        TabRow(tuple(names), style.frame_padding.x, style.item_inner_spacing.x),
        TabRow(tuple(names), *tight),
        TabRow(tuple(mixed), *tight),
        TabRow(tuple(signs), *tight),
    )
    for each in rows:
        if each.width() <= room:
            return each
    spare = room - TabRow(rows[-1].texts, 0.0, 0.0).width()
    return TabRow(rows[-1].texts, max(spare / (2.0 * len(names)), 0.0), 0.0)


@lru_cache(maxsize=32)
def _kept_tab_row(
    labels: tuple[str, ...],
    shown: str,
    titles: tuple[tuple[str, str], ...],
    room: float,
    _font_size: float,
) -> tuple[TabRow, list[float]]:
    """Return a row and the widths of its tabs, kept: they change with the panel only."""
    found = tab_row(labels, shown, dict(titles), room)
    return found, found.widths()


def _draw_tabs(
    session: Session, labels: Sequence[str], shown: str, titles: Mapping[str, str]
) -> str:
    """Draw tabs; return the label of the pressed one, or an empty string."""
    room, pressed = imgui.get_content_region_avail().x, ""
    named = tuple(titles.items())
    tabs, widths = _kept_tab_row(tuple(labels), shown, named, room, widgets.em())
    tall = imgui.get_frame_height()
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (tabs.gap, 1.0))
    for k, (label, text, wide) in enumerate(zip(labels, tabs.texts, widths, strict=True)):
        if k:
            imgui.same_line(0.0, tabs.gap)
        flags = imgui.ButtonFlags_.enable_nav
        if widgets.area(session, f"tab {label}", (wide, tall), flags):
            pressed = label
        _tab(text, tabs.padding, chosen=label == shown)
        if label not in text:
            widgets.hint(titles.get(label, label))
    low = imgui.get_cursor_screen_pos()
    line = imgui.get_color_u32(imgui.Col_.tab_selected)
    imgui.get_window_draw_list().add_line((low.x, low.y), (low.x + room, low.y), line)
    imgui.pop_style_var()
    imgui.spacing()
    return pressed


def _tab(text: str, padding: float, *, chosen: bool) -> None:
    """Draw a tab over the last widget."""
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    style, lines = imgui.get_style(), imgui.get_window_draw_list()
    top = imgui.ImDrawFlags_.round_top
    if chosen or imgui.is_item_hovered():
        color = imgui.Col_.tab_selected if chosen else imgui.Col_.tab_hovered
        lines.add_rect_filled(low, high, imgui.get_color_u32(color), style.tab_rounding, top)
    if chosen:
        accent = imgui.get_color_u32(imgui.Col_.tab_selected_overline)
        thick = style.tab_bar_overline_size
        lines.add_rect_filled(low, (high.x, low.y + thick), accent, style.tab_rounding, top)
    ink = imgui.get_color_u32(imgui.Col_.text)
    lines.push_clip_rect(low, high, True)
    lines.add_text((low.x + padding, low.y + style.frame_padding.y), ink, text)
    lines.pop_clip_rect()
