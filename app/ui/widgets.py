"""Widgets that several panels share."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from imgui_bundle import imgui

from ..session.commands.action import Action
from ..session.commands.actions import action
from ..session.search import matches
from ..session.session import Session
from . import icons, refresh, shortcuts, theme

MARGIN = 0.75  # font heights: between a panel and the edge of the view
SHORT = 8  # entries of a drop-down that needs no scrolling
TALL_LIST = int(imgui.ComboFlags_.height_large)
SEARCH = f"{icons.SEARCH}  Search"  # in an empty search field
CLEAR_COLOR: theme.Color = (0.0, 0.0, 0.0, 0.0)
INDENT = 1.5  # font heights: from an arrow to the text beside it
POPOVER = 16.0  # font heights: width of a list of settings
WRAP = 32.0  # font heights: widest tooltip or message
ON_TOP = int(  # of the panels; flags as plain numbers are combined in a tenth of the time
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
)
FIXED = ON_TOP | int(imgui.WindowFlags_.no_bring_to_front_on_focus)
AUTO_SIZED = FIXED | int(imgui.WindowFlags_.always_auto_resize)
CLEAR = FIXED | int(
    imgui.WindowFlags_.no_background | imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_nav
)
_SIDE = re.compile(  # of a joint or clip: LeftArm, arm_L, l_arm, lArm, Bip01 R Hand
    r"[Ll]eft|[Rr]ight|LEFT|RIGHT"
    r"|(?<![A-Za-z])[LRlr](?=[A-Z_.\- ]|$)|(?<=[a-z0-9])[LR](?=[_.\- ]|$)"
)
BODY = int(imgui.ChildFlags_.auto_resize_y | imgui.ChildFlags_.nav_flattened)
_HINT = int(imgui.HoveredFlags_.for_tooltip) | int(imgui.HoveredFlags_.allow_when_disabled)


Point = tuple[float, float]
Value = TypeVar("Value")  # of a choice


def em() -> float:
    """Return the height of the font, points: the unit of every layout."""
    return imgui.get_font_size()


def mark(session: Session, name: str, tip: str = "") -> None:
    """Record the box of the last widget for the trace, and set its tooltip.

    Of two widgets with the same name the visible one counts.
    """
    boxes = session.interface.widget_boxes
    if boxes is not None and (name not in boxes or imgui.is_item_visible()):
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        boxes[name] = (low.x, low.y, high.x, high.y)
    if tip:
        hint(tip)


def mark_box(session: Session, name: str, low: Point, high: Point) -> None:
    """Record the box, from corner to corner, of what is drawn without a widget for the trace."""
    if session.interface.widget_boxes is not None:
        session.interface.widget_boxes[name] = (*low, *high)


class Colored:
    """Pushes style colors for the duration of the context."""

    __slots__ = ("_pairs",)

    def __init__(self, *pairs: tuple[int, theme.Color]) -> None:
        self._pairs = pairs

    def __enter__(self) -> None:
        for kind, color in self._pairs:
            imgui.push_style_color(kind, color)

    def __exit__(self, *_error: object) -> None:
        imgui.pop_style_color(len(self._pairs))


class Disabled:
    """Disables the widgets in its context if `when`."""

    __slots__ = ("_when",)

    def __init__(self, when: bool) -> None:
        self._when = when

    def __enter__(self) -> None:
        imgui.begin_disabled(self._when)

    def __exit__(self, *_error: object) -> None:
        imgui.end_disabled()


def measure_new(session: Session) -> None:
    """Ask for two more passes if the present window is new: it and its parent are measured.

    A part of a panel that was not drawn in the last pass is not new.
    """
    if imgui.is_window_appearing() and session.interface.of(refresh.Refresh).full:
        session.interface.unmeasured = 2


class ClearWindow:
    """A window that shows only its contents; place and size in points.

    The context draws them if it is given true, as `refresh.begin` returns.
    """

    __slots__ = ("_name", "_place", "_rate", "_session", "_size")

    def __init__(
        self,
        session: Session,
        name: str,
        place: Point,
        size: Point,
        rate: float = refresh.CONTROLS,
    ) -> None:
        self._session, self._name, self._rate = session, name, rate
        self._place, self._size = place, size

    def __enter__(self) -> bool:
        imgui.set_next_window_pos(self._place)
        imgui.set_next_window_size(self._size)
        imgui.push_style_var(imgui.StyleVar_.window_padding, (0.0, 0.0))
        imgui.push_style_var(imgui.StyleVar_.window_border_size, 0.0)
        imgui.push_style_var(imgui.StyleVar_.window_min_size, (1.0, 1.0))
        drawn = refresh.begin(self._session, self._name, CLEAR, self._rate)
        imgui.pop_style_var(3)
        return drawn

    def __exit__(self, *_error: object) -> None:
        imgui.end()


def quiet(text: str) -> None:
    """Draw text in the secondary text color."""
    imgui.text_disabled(text)


def label(text: str, color: theme.Color | None = None) -> None:
    """Draw text at the height of that in the framed widgets beside it."""
    imgui.align_text_to_frame_padding()
    if color is None:
        imgui.text(text)
    else:
        imgui.text_colored(color, text)


def note(text: str, color: theme.Color | None = None) -> None:
    """Draw text in lines over the width of the panel, by default in the secondary text color."""
    with Colored((imgui.Col_.text, color or theme.palette().quiet)):
        imgui.text_wrapped(text)


def text_before(right: float, y: float, text: str, color: theme.Color) -> float:
    """Draw text in the window that ends at a place, points; return its width."""
    wide = imgui.calc_text_size(text).x
    place = imgui.ImVec2(right - wide, y)
    imgui.get_window_draw_list().add_text(place, theme.packed(color), text)
    return wide


def hint(text: str) -> None:
    """Set the tooltip of the last widget; disabled widgets show it, too."""
    if text and imgui.is_item_hovered(_HINT):
        tooltip(text)


def hinted() -> bool:
    """Return whether the tooltip of the last widget is shown; long ones are made only then."""
    return imgui.is_item_hovered(_HINT)


def key_hint(session: Session, what: Action, label: str = "", more: str = "") -> None:
    """Set the tooltip of the last widget to an action's label with its key, as `named`."""
    if hinted():
        tooltip(named(session, what, label) + more)


def tooltip(text: str, above: float | None = None) -> None:
    """Show a tooltip at the mouse, or `above` a window y, points."""
    if above is not None:
        x = imgui.get_io().mouse_pos.x
        share = min(max(x / max(imgui.get_main_viewport().size.x, 1.0), 0.0), 1.0)
        imgui.set_next_window_pos((x, above), imgui.Cond_.always, (share, 1.0))
    if imgui.begin_tooltip():
        wrapped(text)
        imgui.end_tooltip()


def wrapped(text: str, room: float = math.inf) -> None:
    """Draw text in lines of at most `WRAP`, `room` points, or as wide as the display."""
    room = min(room, imgui.get_main_viewport().size.x - 4.0 * em())
    imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + min(WRAP * em(), room))
    imgui.text(text)
    imgui.pop_text_wrap_pos()


def beside() -> None:
    """Go on beside the last widget, to which the next one belongs."""
    imgui.same_line(0.0, theme.metrics().gap)


def room_below(session: Session) -> float:
    """Return the height between the cursor and the lower limit of the panel, points."""
    padding = imgui.get_style().window_padding.y
    return session.interface.panel_bottom - padding - imgui.get_cursor_screen_pos().y


def named(session: Session, what: Action, label: str = "") -> str:
    """Return an action's label, or another one, with its first key in parentheses."""
    key = shortcuts.first_key(session, what)
    return (label or what.label) + (f" ({key})" if key else "")


def text(
    session: Session, name: str, words: str, color: theme.Color | None = None, tip: str = ""
) -> None:
    """Draw text that has a name."""
    if color is None:
        imgui.text(words)
    else:
        imgui.text_colored(color, words)
    mark(session, name, tip)


def button(session: Session, name: str, label: str, width: float = 0.0, tip: str = "") -> bool:
    """Draw a button; return whether it was pressed.

    Its width is in points, 0: that of the label, -1: the rest of the line.
    """
    pressed = imgui.button(f"{label}###{name}", imgui.ImVec2(width, 0.0))
    mark(session, name, tip)
    return pressed


def icon_button(
    session: Session, icon: str, name: str, width: float = 0.0, *, accent: bool = False
) -> bool:
    """Draw an icon button that runs an action; return whether it was pressed."""
    with Colored(*(accented() if accent else ())):
        pressed = button(session, name, icon, width)
    what = action(name)
    key_hint(session, what)
    if pressed:
        what.run(session)
    return pressed


def accented() -> tuple[tuple[int, theme.Color], ...]:
    """Return the colors of a button that stands out."""
    now = theme.palette()
    return (
        (imgui.Col_.button, now.accent),
        (imgui.Col_.button_hovered, now.hovered_accent),
        (imgui.Col_.text, now.tick),
    )


def checkbox(session: Session, name: str, label: str, value: bool, tip: str = "") -> bool:
    """Draw a check box; return its new value."""
    _, value = imgui.checkbox(f"{label}###{name}", value)
    mark(session, name, tip)
    return value


def switch(session: Session, name: str, label: str = "", tip: str = "") -> None:
    """Draw a check box of a toggle action, with its key at the right."""
    what = action(name)
    assert what.checked is not None
    checked = what.checked(session)
    if checkbox(session, name, label or what.label, checked, tip) != checked:
        what.run(session)
    key = shortcuts.first_key(session, what)
    if key:
        at_right(key)
        quiet(key)


def at_right(text: str) -> None:
    """Go on in the line of the last widget, where text ends at the right end of the panel."""
    imgui.same_line()
    room = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + room)


def toggle(
    session: Session, name: str, icon: str, on: bool, words: str, width: float = 0.0
) -> bool:
    """Draw a small toggle button, with another color and a border if on; return whether pressed.

    Its width is in points, 0: that of buttons with an icon.
    """
    width = width or theme.metrics().icon
    tight = imgui.ImVec2(0.0, imgui.get_style().frame_padding.y)
    imgui.push_style_var(imgui.StyleVar_.frame_padding, tight)
    if on:
        imgui.push_style_var(imgui.StyleVar_.frame_border_size, 1.0)
        with Colored(_chosen_button(), (imgui.Col_.border, theme.palette().text)):
            pressed = button(session, name, icon, width)
        imgui.pop_style_var()
    else:
        pressed = button(session, name, icon, width)
    imgui.pop_style_var()
    hint(words)
    return pressed


def begin_popover(session: Session, name: str, icon: str, tip: str) -> bool:
    """Draw a button that opens a list of settings, which ends by `imgui.end_popup`.

    Returns whether it is open.
    """
    if toggle(session, name, icon, imgui.is_popup_open(name), tip):
        imgui.open_popup(name)
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    area, wide = imgui.get_main_viewport().size, POPOVER * em()
    above = low.y > area.y / 2.0
    place = min(low.x, area.x - wide), low.y if above else high.y
    room = wide, low.y if above else area.y - high.y
    imgui.set_next_window_pos(place, imgui.Cond_.always, (0.0, float(above)))
    imgui.set_next_window_size_constraints((wide, 0.0), room)
    return imgui.begin_popup(name)


def _chosen_button() -> tuple[int, theme.Color]:
    return imgui.Col_.button, theme.mixed(theme.palette().field, theme.palette().accent, 0.55)


def segments(session: Session, name: str, options: Mapping[Value, str], chosen: Value) -> Value:
    """Draw values side by side, of which one is chosen; return the chosen one.

    `options` maps values to labels.
    """
    gap, now = theme.metrics().row_gap, chosen
    wide = (imgui.get_content_region_avail().x - gap * (len(options) - 1)) / len(options)
    for k, (value, label) in enumerate(options.items()):
        if k:
            imgui.same_line(0.0, gap)
        with Colored(*((_chosen_button(),) if value == chosen else ())):
            if button(session, f"{name} {value}", label, wide):
                now = value
    return now


def section(session: Session, label: str, name: str = "", *, opened: bool = True) -> bool:
    """Draw a collapsible heading; return whether it is open.

    `name` is that in the trace, "" for none.
    """
    flags = imgui.TreeNodeFlags_.default_open if opened else imgui.TreeNodeFlags_.none
    with (
        Colored(
            (imgui.Col_.header, CLEAR_COLOR),
            (imgui.Col_.header_active, (*theme.palette().ink[:3], 0.12)),
        ),
        theme.Bold(),
    ):
        is_open = imgui.collapsing_header(label, flags)
    if name:
        mark(session, name)
    return is_open


def fold(
    session: Session, name: str, label: str, count: int, *, opened: bool, tip: str = ""
) -> bool:
    """Draw the heading of a group of rows with their count; return whether it was pressed."""
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    pressed = row(session, name, (width, imgui.get_frame_height()), tip=tip)
    y, lines = low.y + imgui.get_style().frame_padding.y, imgui.get_window_draw_list()
    palette = theme.palette()
    lines.add_text(
        (low.x, y), theme.packed(palette.quiet), icons.OPENED if opened else icons.CLOSED
    )
    with theme.Bold():
        lines.add_text((low.x + INDENT * em(), y), theme.packed(palette.text), label)
    text_before(low.x + width - 0.4 * em(), y, str(count), palette.quiet)
    return pressed


def heading(words: str) -> None:
    """Draw a heading over widgets of one kind."""
    with theme.Bold():
        imgui.separator_text(words)


def selectable(
    session: Session, name: str, label: str, *, chosen: bool = False, tip: str = ""
) -> bool:
    """Draw an entry of a list; return whether it was pressed."""
    pressed, _ = imgui.selectable(f"{label}##{name}", chosen)
    mark(session, name, tip)
    return pressed


def row(
    session: Session,
    name: str,
    size: Point,
    *,
    selected: bool = False,
    label: str = "",
    tip: str = "",
) -> bool:
    """Draw the field of a row, highlighted if it is selected; return whether it was pressed."""
    shown = ((imgui.Col_.header_hovered, (*theme.palette().accent[:3], 0.40)),) if selected else ()
    with Colored(*shown):
        pressed, _ = imgui.selectable(f"{label}###{name}", selected, 0, imgui.ImVec2(*size))
    mark(session, name, tip)
    return pressed


def area(session: Session, name: str, size: Point, flags: int = 0, tip: str = "") -> bool:
    """Take the mouse in a rectangle at the cursor; return whether it was pressed."""
    pressed = imgui.invisible_button(name, imgui.ImVec2(*size), flags)
    mark(session, name, tip)
    return pressed


def menu_item(
    session: Session,
    name: str,
    label: str,
    *,
    checked: bool = False,
    key: str = "",
    usable: bool = True,
    tip: str = "",
) -> bool:
    """Draw an entry of a menu; return whether it was pressed."""
    pressed, _ = imgui.menu_item(f"{label}###{name}", key, checked, usable)
    mark(session, name, tip)
    return pressed


def progress(session: Session, name: str, share: float, width: float, height: float) -> None:
    """Draw a bar with the share that is done; its size is in points."""
    with Colored((imgui.Col_.plot_histogram, theme.palette().accent)):
        imgui.progress_bar(share, (width, height), "")
    mark(session, name)


def in_sight(count: int, height: float = -1.0, also: int = -1) -> Iterator[int]:
    """Yield the indices of those of many rows of a height, points, that are in sight.

    Index `also` is yielded wherever it is, -1: none.
    """
    clipper = imgui.ListClipper()
    clipper.begin(count, height)
    if also >= 0:
        clipper.include_item_by_index(also)
    while clipper.step():
        yield from range(clipper.display_start, clipper.display_end)
    clipper.end()


def begin_combo(
    session: Session, name: str, shown: str, width: float = -1.0, flags: int = 0
) -> bool:
    """Begin a drop-down list; return whether it is open."""
    imgui.set_next_item_width(width)
    opened = imgui.begin_combo(f"##{name}", shown, flags)
    mark(session, name)
    return opened


def choice(
    session: Session,
    name: str,
    options: Mapping[Value, str],
    chosen: Value,
    label: str = "",
    width: float = -1.0,
    hints: Mapping[Value, str] | None = None,
    *,
    arrow: bool = True,
    tip: str = "",
) -> Value:
    """Draw a drop-down list and return the chosen value.

    `options` maps values to labels, `hints` maps values to tooltips; width -1 is the full width.
    A narrow list has no `arrow`.
    """
    result = chosen
    flags = TALL_LIST if len(options) > SHORT else 0
    if not arrow:
        flags |= int(imgui.ComboFlags_.no_arrow_button)
    shown = f"{label}{options.get(chosen, chosen)}"
    if begin_combo(session, name, shown, width, flags):
        for value, words in options.items():
            about = "" if hints is None else hints.get(value, "")
            if selectable(session, f"{name} {value}", words, chosen=value == chosen, tip=about):
                result = value
        imgui.end_combo()
    elif hints is not None:
        hint(hints.get(chosen, ""))
    hint(tip)
    return result


@dataclass(slots=True)
class OpenSearch:
    """What is searched for in the open drop-down list."""

    text: str = ""


@dataclass(slots=True)
class SearchedList:
    """An open drop-down list with a search field; to be ended by `imgui.end_combo`."""

    session: Session
    text: str  # what is searched for
    found: Callable[[str], bool]  # whether it is in a text
    takes_first: bool  # Enter chooses the first match

    def entry(self, name: str, text: str, shown: str = "", *, chosen: bool = False) -> bool:
        """Draw an entry that matches, with a tooltip if what is `shown` of it is not all.

        Returns whether it is taken: by a click, or as the first match.
        """
        if not self.found(text):
            return False
        tip = text if shown and shown != text else ""
        pressed = selectable(self.session, name, shown or text, chosen=chosen, tip=tip)
        if self.takes_first:
            self.takes_first, pressed = False, True
            imgui.close_current_popup()
        return pressed


def begin_searched_list(
    session: Session,
    name: str,
    shown: str,
    width: float = -1.0,
    flags: int = TALL_LIST,
    placeholder: str = SEARCH,
    search: str = "",
) -> SearchedList | None:
    """Begin a drop-down list with a search field; None: it is closed.

    Parameters
    ----------
    search
        Name of the search field, by default that of the list with "search".
    """
    if not begin_combo(session, name, shown, width, flags):
        return None
    opened = session.interface.of(OpenSearch)
    if imgui.is_window_appearing():
        opened.text = ""
        imgui.set_keyboard_focus_here()
    field = search or f"{name} search"
    opened.text, takes_first, _ = search_field(session, field, opened.text, placeholder)
    return SearchedList(session, opened.text, matches(opened.text), takes_first)


def slider(
    session: Session,
    name: str,
    words: tuple[str, str],
    value: float,
    limits: tuple[float, float],
    width: float = -1.0,
    *,
    color: theme.Color | None = None,
    tip: str = "",
) -> float:
    """Draw a slider filled from 0 to its value; return the new value.

    Parameters
    ----------
    words
        Label at the left and value at the right.
    limits
        Range of the slider; other finite values can be typed after Ctrl+click.
    """
    imgui.set_next_item_width(width)
    with Colored(
        (imgui.Col_.slider_grab, CLEAR_COLOR), (imgui.Col_.slider_grab_active, CLEAR_COLOR)
    ):
        changed, given = imgui.slider_float(f"##{name}", value, *limits, "")
    if changed and is_finite(given):
        value = given
    mark(session, name, tip)
    if imgui.is_item_active() and imgui.get_io().want_text_input:
        return value
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    lines = imgui.get_window_draw_list()
    begin, end, top, bottom = low.x, high.x, low.y, high.y
    first, last = limits
    scale = (end - begin) / (last - first)
    place = begin + scale * (min(max(value, first), last) - first)
    zero = begin + scale * (min(max(0.0, first), last) - first)
    style, fill = imgui.get_style(), color or theme.palette().accent
    left, right = (zero, place) if zero < place else (place, zero)
    if right - left > 1.0:
        lines.push_clip_rect((left, top), (right, bottom), True)
        lines.add_rect_filled(low, high, theme.packed(fill, 0.5), style.frame_rounding)
        lines.pop_clip_rect()
    lines.add_line((place, top + 3.0), (place, bottom - 3.0), theme.packed(fill), 2.0)
    inset, y = style.frame_padding.x, (top + bottom - em()) / 2.0
    ink = imgui.get_color_u32(imgui.Col_.text)
    wide = imgui.calc_text_size(words[1]).x
    if words[0]:
        room = end - begin - 3.0 * inset - wide
        lines.add_text((begin + inset, y), ink, shortened(words[0], room))
    lines.add_text((end - inset - wide, y), ink, words[1])
    return value


def is_finite(*numbers: float) -> bool:
    """Return whether typed numbers are finite: "nan" and "inf" can be typed, too."""
    return all(map(math.isfinite, numbers))


def text_field(
    session: Session,
    name: str,
    text: str,
    width: float = -1.0,
    placeholder: str = "",
    tip: str = "",
    flags: int = 0,
    callback: Callable[[imgui.InputTextCallbackData], int] | None = None,
) -> str:
    """Draw a text field; return its text. The placeholder is shown while it is empty."""
    imgui.set_next_item_width(width)
    _, text = imgui.input_text_with_hint(f"##{name}", placeholder, text, flags, callback)
    mark(session, name, tip)
    return text


def search_field(
    session: Session, name: str, text: str, placeholder: str = SEARCH, *, steps: bool = False
) -> tuple[str, bool, int]:
    """Draw a search field, which Esc clears, as does a button at its end.

    Returns
    -------
    tuple
        The text, whether Enter takes the first match, and with `steps` 1 or -1 for an arrow key.
    """
    room = imgui.get_frame_height() if text else 1.0
    flags = imgui.InputTextFlags_.escape_clears_all
    text = text_field(session, name, text, -room, placeholder, flags=flags)
    taken, step = entered() and bool(text.strip()), arrow_step() if steps else 0
    if room > 1.0:
        imgui.same_line(0.0, 0.0)
        if toggle(session, f"clear {name}", icons.REMOVE, False, "Clear: Esc", room):
            text = ""
    return text, taken, step


def entered() -> bool:
    """Return whether Enter ended the input of the last text field."""
    keys = imgui.Key.enter, imgui.Key.keypad_enter
    return imgui.is_item_deactivated() and any(imgui.is_key_pressed(key, False) for key in keys)


def arrow_step() -> int:
    """Return 1 or -1 if the arrow down or up was pressed in the last text field, else 0.

    The arrows do not leave the field.
    """
    if not imgui.is_item_active():
        return 0
    for key in (imgui.Key.down_arrow, imgui.Key.up_arrow):
        imgui.set_item_key_owner(key)
    return imgui.is_key_pressed(imgui.Key.down_arrow) - imgui.is_key_pressed(imgui.Key.up_arrow)


def matching(text: str, names: Sequence[str]) -> Sequence[int]:
    """Return the indices of the names that contain all words of `text`, ignoring case."""
    if not text or text.isspace():
        return range(len(names))
    found = matches(text)
    return [k for k, name in enumerate(names) if found(name)]


def shortened(text: str, width: float) -> str:
    """Return the text, with an ellipsis in the middle if it is wider than `width` points.

    The side of a joint is not cut away: "mixamorig:LeftUpLeg" becomes "…LeftUp…".
    """
    if len(text) < 8 or imgui.calc_text_size(text).x <= width:
        return text
    low, high = 3, len(text)
    while high - low > 1:  # the longest that fits, by bisection
        middle = (low + high) // 2
        if imgui.calc_text_size(_cut(text, middle)).x <= width:
            low = middle
        else:
            high = middle
    return _cut(text, low)


def _cut(text: str, length: int) -> str:
    """Return the first and last letters of a text, `length` in all, and those of a side."""
    head = (length + 1) // 2
    tail = len(text) - (length - head)
    side = _side(text)
    if side is None or side[1] <= head or side[0] >= tail:
        return f"{text[:head]}…{text[tail:]}"
    begin, end = side
    if end <= length:  # the head is that much longer
        return f"{text[:end]}…{text[len(text) - (length - end) :]}"
    if len(text) - begin <= length:
        return f"{text[: length - (len(text) - begin)]}…{text[begin:]}"
    return f"…{text[begin : begin + max(length - 1, end - begin)]}…"


@lru_cache(maxsize=1024)
def _side(text: str) -> tuple[int, int] | None:
    """Return where a text names a side: its first and its last letter, None if it does not."""
    found = _SIDE.search(text)
    return None if found is None else found.span()
