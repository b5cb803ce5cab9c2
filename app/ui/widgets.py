"""Widgets that several panels share."""

import math
from collections.abc import Mapping, Sequence

from imgui_bundle import imgui

from ..session.commands.action import Action
from ..session.commands.actions import action
from ..session.search import matches
from ..session.session import Session
from . import shortcuts, theme

MARGIN = 0.75  # font heights: between a panel and the edge of the view
SHORT = 8  # entries of a drop-down that needs no scrolling
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
BODY = int(imgui.ChildFlags_.auto_resize_y | imgui.ChildFlags_.nav_flattened)
_HINT = int(imgui.HoveredFlags_.for_tooltip) | int(imgui.HoveredFlags_.allow_when_disabled)


def em() -> float:
    """Return the height of the font, points: the unit of every layout."""
    return imgui.get_font_size()


def mark(session: Session, name: str) -> None:
    """Record the box of the last widget for the trace.

    Of two widgets with the same name the visible one counts.
    """
    boxes = session.interface.widget_boxes
    if boxes is not None and (name not in boxes or imgui.is_item_visible()):
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        boxes[name] = (low.x, low.y, high.x, high.y)


def mark_box(
    session: Session, name: str, low: tuple[float, float], high: tuple[float, float]
) -> None:
    """Record the box, from corner to corner, of what is drawn without a widget for the trace."""
    if session.interface.widget_boxes is not None:
        session.interface.widget_boxes[name] = (*low, *high)


class _StyleColors:
    """Pushes style colors while its context is entered."""

    __slots__ = ("_pairs",)

    def __init__(self, pairs: tuple[tuple[int, theme.Color], ...]) -> None:
        self._pairs = pairs

    def __enter__(self) -> None:
        for kind, color in self._pairs:
            imgui.push_style_color(kind, color)

    def __exit__(self, *_error: object) -> None:
        imgui.pop_style_color(len(self._pairs))


def colored(*pairs: tuple[int, theme.Color]) -> _StyleColors:
    """Push style colors for the duration of the context."""
    return _StyleColors(pairs)


class _Disabled:
    """Disables the widgets in its context if `when`."""

    __slots__ = ("_when",)

    def __init__(self, when: bool) -> None:
        self._when = when

    def __enter__(self) -> None:
        imgui.begin_disabled(self._when)

    def __exit__(self, *_error: object) -> None:
        imgui.end_disabled()


def disabled(when: bool) -> _Disabled:
    """Disable the widgets in the context if `when`."""
    return _Disabled(when)


def quiet(text: str) -> None:
    """Draw text in the secondary text color."""
    imgui.text_disabled(text)


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


def room_below(session: Session) -> float:
    """Return the height between the cursor and the lower limit of the panel, points."""
    padding = imgui.get_style().window_padding.y
    return session.interface.panel_bottom - padding - imgui.get_cursor_screen_pos().y


def named(session: Session, what: Action, label: str = "") -> str:
    """Return an action's label, or another one, with its first key in parentheses."""
    key = shortcuts.first_key(session, what)
    return (label or what.label) + (f" ({key})" if key else "")


def icon_button(
    session: Session, icon: str, name: str, width: float = 0.0, *, accent: bool = False
) -> bool:
    """Draw an icon button that runs an action; return whether it was pressed."""
    label, size = f"{icon}##{name}", imgui.ImVec2(width, imgui.get_frame_height())
    now = theme.palette()
    if accent:
        with colored(
            (imgui.Col_.button, now.accent),
            (imgui.Col_.button_hovered, now.hovered_accent),
            (imgui.Col_.text, now.tick),
        ):
            pressed = imgui.button(label, size)
    else:
        pressed = imgui.button(label, size)
    mark(session, name)
    what = action(name)
    key_hint(session, what)
    if pressed:
        what.run(session)
    return pressed


def switch(session: Session, name: str, label: str = "", tooltip: str = "") -> None:
    """Draw a check box of a toggle action, with its key at the right."""
    what = action(name)
    assert what.checked is not None
    changed, _ = imgui.checkbox(f"{label or what.label}##{name}", what.checked(session))
    mark(session, name)
    hint(tooltip)
    if changed:
        what.run(session)
    key = shortcuts.first_key(session, what)
    if not key:
        return
    room = imgui.get_content_region_avail().x
    imgui.same_line(imgui.get_cursor_pos_x() + room - imgui.calc_text_size(key).x)
    quiet(key)


def toggle(session: Session, name: str, icon: str, on: bool, words: str, width: float) -> bool:
    """Draw a small toggle button, with another color and a border if on; return whether pressed."""
    tight = imgui.ImVec2(0.0, imgui.get_style().frame_padding.y)
    imgui.push_style_var(imgui.StyleVar_.frame_padding, tight)
    label, size = f"{icon}##{name}", imgui.ImVec2(width, imgui.get_frame_height())
    if on:
        imgui.push_style_var(imgui.StyleVar_.frame_border_size, 1.0)
        with colored(
            (imgui.Col_.button, (*theme.palette().accent[:3], 0.55)),
            (imgui.Col_.border, theme.palette().text),
        ):
            pressed = imgui.button(label, size)
        imgui.pop_style_var()
    else:
        pressed = imgui.button(label, size)
    imgui.pop_style_var()
    mark(session, name)
    hint(words)
    return pressed


def segments(session: Session, name: str, options: Mapping[str, str], chosen: str) -> str:
    """Draw values side by side, of which one is chosen; return the chosen one.

    `options` maps values to labels.
    """
    gap, now = 2.0, chosen
    wide = (imgui.get_content_region_avail().x - gap * (len(options) - 1)) / len(options)
    for k, (value, label) in enumerate(options.items()):
        if k:
            imgui.same_line(0.0, gap)
        if value == chosen:
            imgui.push_style_color(imgui.Col_.button, (*theme.palette().accent[:3], 0.55))
        if imgui.button(f"{label}##{name}", imgui.ImVec2(wide, 0.0)):
            now = value
        if value == chosen:
            imgui.pop_style_color()
        mark(session, f"{name} {value}")
    return now


def section(label: str, *, opened: bool = True) -> bool:
    """Draw a collapsible heading; return whether it is open."""
    flags = imgui.TreeNodeFlags_.default_open if opened else imgui.TreeNodeFlags_.none
    with colored(
        (imgui.Col_.header, (0.0, 0.0, 0.0, 0.0)),
        (imgui.Col_.header_active, (*theme.palette().ink[:3], 0.12)),
    ):
        return imgui.collapsing_header(label, flags)


def choice(
    session: Session,
    name: str,
    options: dict[str, str],
    chosen: str,
    label: str = "",
    width: float = -1.0,
    hints: Mapping[str, str] | None = None,
    *,
    arrow: bool = True,
) -> str:
    """Draw a drop-down list and return the chosen value.

    `options` maps values to labels, `hints` maps values to tooltips; width -1 is the full width.
    A narrow list has no `arrow`.
    """
    result = chosen
    imgui.set_next_item_width(width)
    flags = imgui.ComboFlags_.height_large if len(options) > SHORT else imgui.ComboFlags_.none
    if not arrow:
        flags |= imgui.ComboFlags_.no_arrow_button
    opened = imgui.begin_combo(f"##{name}", f"{label}{options.get(chosen, chosen)}", flags)
    mark(session, name)
    if hints is not None and not opened:
        hint(hints.get(chosen, ""))
    if opened:
        for value, words in options.items():
            if imgui.selectable(f"{words}##{value}", value == chosen)[0]:
                result = value
            if hints is not None:
                hint(hints.get(value, ""))
            mark(session, f"{name} {value}")
        imgui.end_combo()
    return result


def slider(
    session: Session,
    name: str,
    words: tuple[str, str],
    value: float,
    limits: tuple[float, float],
    *,
    color: theme.Color | None = None,
) -> tuple[bool, float]:
    """Draw a slider filled from 0 to its value; return whether it changed, and the value.

    Parameters
    ----------
    words
        Label at the left and value at the right.
    limits
        Range of the slider; other finite values can be typed after Ctrl+click.
    """
    clear = (0.0, 0.0, 0.0, 0.0)
    with colored((imgui.Col_.slider_grab, clear), (imgui.Col_.slider_grab_active, clear)):
        changed, given = imgui.slider_float(f"##{name}", value, *limits, "")
    if changed := changed and is_finite(given):
        value = given
    mark(session, name)
    if imgui.is_item_active() and imgui.get_io().want_text_input:
        return changed, value
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
    return changed, value


def is_finite(*numbers: float) -> bool:
    """Return whether typed numbers are finite: "nan" and "inf" can be typed, too."""
    return all(map(math.isfinite, numbers))


def search_field(session: Session, name: str, text: str, words: str) -> str:
    """Draw a search field; return its text."""
    imgui.set_next_item_width(-1)
    _, text = imgui.input_text_with_hint(f"##{name}", words, text)
    mark(session, name)
    return text


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
    """Return the text, with an ellipsis in the middle if it is wider than `width` points."""
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
    head = (length + 1) // 2
    return f"{text[:head]}…{text[len(text) - (length - head) :]}"
