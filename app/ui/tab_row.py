"""Tabs in one row: their names, or icons with tooltips where the names do not fit."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from imgui_bundle import imgui

from ..session.session import Session
from . import icons, widgets

NO_TITLES: Mapping[str, str] = MappingProxyType({})
_TIGHT = 0.36  # font heights: room beside the text of a tab in a narrow column
_GAP = 0.12  # font heights, between tabs in a narrow column


class Row(NamedTuple):
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


def row(labels: Sequence[str], shown: str, titles: Mapping[str, str], room: float) -> Row:
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
        Row(tuple(names), style.frame_padding.x, style.item_inner_spacing.x),
        Row(tuple(names), *tight),
        Row(tuple(mixed), *tight),
        Row(tuple(signs), *tight),
    )
    for each in rows:
        if each.width() <= room:
            return each
    spare = room - Row(rows[-1].texts, 0.0, 0.0).width()
    return Row(rows[-1].texts, max(spare / (2.0 * len(names)), 0.0), 0.0)


@lru_cache(maxsize=32)
def _kept_row(
    labels: tuple[str, ...],
    shown: str,
    titles: tuple[tuple[str, str], ...],
    room: float,
    _font_size: float,
) -> tuple[Row, list[float]]:
    """Return a row and the widths of its tabs, kept: they change with the panel only."""
    found = row(labels, shown, dict(titles), room)
    return found, found.widths()


def draw(session: Session, labels: Sequence[str], shown: str, titles: Mapping[str, str]) -> str:
    """Draw tabs; return the label of the pressed one, or an empty string."""
    room, pressed = imgui.get_content_region_avail().x, ""
    named = tuple(titles.items())
    tabs, widths = _kept_row(tuple(labels), shown, named, room, widgets.em())
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
