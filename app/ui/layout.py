"""The layout of the panels: columns beside the scene, edges that the mouse drags, and tabs.

Tabs show their names, or where there are many icons, with the name of the chosen one below.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

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

NO_BADGES: Mapping[str, int] = MappingProxyType({})
Body = Callable[[Session], None]
Panel = tuple[str, Body]  # label and contents
_WIDEST = 1.25  # of the width of an icon's button: a tab with an icon
_BADGE, _MOST_COUNTED = 0.65, 99  # of the text's size: the count of a tab; greater ones end in +


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
        session.interface.unmeasured = 2


def floating_edge(
    session: Session, name: str, place: tuple[float, float], length: float, fixed: float
) -> None:
    """Draw an edge beside a panel, in a window of its own; parameters as of `edge`."""
    em = widgets.em()
    size = (EDGE * em, max(length, 1.0))
    size = size if name in _UPRIGHT else size[::-1]
    with widgets.ClearWindow(session, f"{name} edge", place, size) as drawn:
        if drawn:
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
    badges: Mapping[str, int] = NO_BADGES,
    *,
    as_icons: bool = False,
) -> str:
    """Draw panels as tabs; return the label of the one that is shown.

    `interface.tabs` keeps the chosen one by the name of the tabs. While it is not among the panels,
    the first one is shown.

    Parameters
    ----------
    badges
        Counts over tabs, by label; 0: none.
    as_icons
        Whether the tabs are icons with the name of the chosen one below.
    """
    interface, labels = session.interface, [label for label, _ in panels]
    if interface.mixer_panels.tab in labels:
        interface.tabs[name], interface.mixer_panels.tab = interface.mixer_panels.tab, ""
    shown = interface.tabs.get(name, "")
    if shown not in labels:
        shown = labels[0]
    pressed = _draw_tabs(session, labels, shown, badges, as_icons=as_icons)
    if pressed:
        interface.tabs[name] = shown = pressed
    if as_icons:
        with theme.Bold():
            imgui.text(named(shown, badges))
    _body(session, shown, dict(panels)[shown])
    return shown


def named(label: str, badges: Mapping[str, int]) -> str:
    """Return the label of a panel with its count, if it has one."""
    return f"{label}  {badges[label]}" if badges.get(label) else label


def _body(session: Session, label: str, draw: Body) -> None:
    """Draw a panel below its tabs; it scrolls while they stay."""
    room = max(widgets.room_below(session), 1.0)
    imgui.set_next_window_size_constraints((0.0, 0.0), (FLT_MAX, room))
    imgui.begin_child(label, imgui.ImVec2(0.0, 0.0), widgets.BODY)
    widgets.measure_new(session)
    draw(session)
    imgui.end_child()


@lru_cache(maxsize=32)
def tab_widths(
    labels: tuple[str, ...], room: float, icon: float, padding: float, _font_size: float
) -> tuple[list[float], float]:
    """Return the width of each tab and the gap between two, points, kept.

    Parameters
    ----------
    room
        Width of all tabs; names get less padding where it is short.
    icon
        Greatest width of a tab with an icon; 0: tabs have names.
    padding
        Greatest one beside a name.
    """
    count = len(labels)
    if icon:
        return [min(icon, room / count)] * count, 0.0
    texts = [imgui.calc_text_size(label).x for label in labels]
    spare = max(room - sum(texts), 0.0) / (3 * count - 1)  # three parts: both paddings and a gap
    padding = min(padding, spare)
    return [text + 2.0 * padding for text in texts], padding


def _draw_tabs(
    session: Session,
    labels: Sequence[str],
    shown: str,
    badges: Mapping[str, int],
    *,
    as_icons: bool,
) -> str:
    """Draw tabs; return the label of the pressed one, or an empty string."""
    room, pressed = imgui.get_content_region_avail().x, ""
    icon = _WIDEST * theme.metrics().icon if as_icons else 0.0
    padding = imgui.get_style().frame_padding.x
    widths, gap = tab_widths(tuple(labels), room, icon, padding, widgets.em())
    tall = imgui.get_frame_height()
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (gap, 1.0))
    for k, (label, wide) in enumerate(zip(labels, widths, strict=True)):
        if k:
            imgui.same_line(0.0, gap)
        flags = imgui.ButtonFlags_.enable_nav
        if widgets.area(session, f"tab {label}", (wide, tall), flags):
            pressed = label
        _tab(icons.PANELS.get(label, label[:2]) if as_icons else label, chosen=label == shown)
        if badges.get(label):
            _badge(session, label, badges[label])
        if as_icons and label != shown:
            widgets.hint(named(label, badges))
    low = imgui.get_cursor_screen_pos()
    line = imgui.get_color_u32(imgui.Col_.tab_selected)
    imgui.get_window_draw_list().add_line((low.x, low.y), (low.x + room, low.y), line)
    imgui.pop_style_var()
    imgui.spacing()
    return pressed


def _tab(text: str, *, chosen: bool) -> None:
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
    wide = imgui.calc_text_size(text).x
    place = (low.x + high.x - wide) / 2.0, low.y + style.frame_padding.y
    lines.add_text(place, imgui.get_color_u32(imgui.Col_.text), text)


def _badge(session: Session, label: str, count: int) -> None:
    """Draw a count at the upper right of the last tab."""
    text = str(count) if count <= _MOST_COUNTED else f"{_MOST_COUNTED}+"
    size, palette = _BADGE * widgets.em(), theme.palette()
    wide = imgui.calc_text_size(text).x * _BADGE
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    left, inset = high.x - wide - 0.4 * size, 0.2 * size
    box = (left - inset, low.y), (high.x - inset, low.y + size)
    widgets.mark_box(session, f"badge {label}", *box)
    lines = imgui.get_window_draw_list()
    lines.add_rect_filled(*box, theme.packed(palette.accent), size / 2.0)
    lines.add_text(imgui.get_font(), size, (left, low.y), theme.packed(palette.tick), text)
