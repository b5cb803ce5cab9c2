"""The tab Compare, and the edge of a wipe: two versions of a character, and what differs."""

from imgui_bundle import imgui

from ..differences.difference import Difference
from ..model.lookup import joint_prefix
from ..scenedoc.scene_doc import COMPARE_MODES
from ..session.commands.actions import action
from ..session.comparison import LABELS, Comparison, Pair
from ..session.difference_rows import DifferenceRow
from ..session.go_to_difference import go_to_difference
from ..session.opened_character import OpenedCharacter
from ..session.session import Session
from ..wording import capitalized
from . import icons, theme, widgets

IN_A_ROW = "All characters beside each other"
_LEAST_ROWS = 6
_GRIP = 1.3  # font heights: height of the grip; it is half as wide
_REACH = 0.5  # font heights: width of what can be dragged


def listed(session: Session) -> bool:
    """Return whether there is something to compare."""
    return session.comparison.pair is not None


def draw(session: Session) -> None:
    """Draw the choice of the versions, how they are shown, and their differences."""
    comparison = session.comparison
    if comparison.pair is None:
        widgets.quiet("Add a second character to compare")
        return
    _versions(session, comparison, comparison.pair)
    _modes(session, comparison)
    _options(session, comparison)
    imgui.spacing()
    _differences(session, comparison)


def _versions(session: Session, comparison: Comparison, pair: Pair) -> None:
    """Draw the names of both versions; of more than two characters they can be chosen."""
    opened = session.open_characters
    names = {k: f"{k + 1}  {each.name}" for k, each in enumerate(opened)}
    chosen: list[OpenedCharacter] = []
    for label, own in zip(("Old", "New"), pair, strict=True):
        widgets.label(label, theme.palette().quiet)
        imgui.same_line(3.2 * widgets.em())
        if len(opened) > 2:
            now = opened.index(own)
            chosen.append(opened[widgets.choice(session, f"compare {label}", names, now)])
            continue
        chosen.append(own)
        room = imgui.get_content_region_avail().x
        imgui.text(widgets.shortened(own.name, room))
        widgets.hint(str(own.path or own.name))
    if tuple(chosen) != pair:
        (first, second), (old, new) = chosen, pair
        if first is second:  # the other one takes its place
            first, second = (new, second) if first is old else (first, old)
        comparison.choose(first, second)


def _modes(session: Session, comparison: Comparison) -> None:
    """Draw a button for each mode, in several rows if they do not fit."""
    style = imgui.get_style()
    gap = style.item_inner_spacing.x
    room, left = imgui.get_content_region_avail().x, 0.0
    for mode, label in LABELS.items():
        wide = imgui.calc_text_size(label).x + 2.0 * style.frame_padding.x
        if 0.0 < left <= room - wide:
            imgui.same_line(0.0, gap)
        else:
            left = 0.0
        with widgets.Colored(*(widgets.accented() if comparison.mode == mode else ())):
            pressed = widgets.button(session, f"compare {label}", label, wide)
        widgets.hint(IN_A_ROW if mode is None else capitalized(COMPARE_MODES[mode].what))
        left += wide + gap
        if pressed:
            session.compare(mode)


def _options(session: Session, comparison: Comparison) -> None:
    """Draw the options of the mode, and what cannot be compared."""
    if comparison.mode == "wipe":
        name, label, tip = "edge at the pointer", "Edge at the pointer", "Otherwise drag the edge"
        follows = comparison.follows_pointer
        comparison.follows_pointer = widgets.checkbox(session, name, label, follows, tip)
    missing, warning = comparison.missing, theme.palette().warning
    if missing is not None:
        text = f"{missing[0].name} has no clip {missing[1]}: it shows its rest pose"
        widgets.note(text, warning)
    elif comparison.lengths_differ:
        widgets.label("Same", theme.palette().quiet)
        imgui.same_line()
        options = {"time": "time", "phase": "phase"}
        now = "phase" if comparison.by_phase else "time"
        hints = {
            "time": "The clips have different lengths: the shorter one waits at its end",
            "phase": "The clips have different lengths: both start and end together",
        }
        comparison.by_phase = (
            widgets.choice(session, "compare at the same", options, now, hints=hints) == "phase"
        )
    errors = comparison.painted_errors
    if comparison.mode == "error" and errors.by_joints and errors.errors is not None:
        text = "Some vertices do not correspond: they have the errors of their joints"
        widgets.note(text, warning)


def _differences(session: Session, comparison: Comparison) -> None:
    """Draw the differences, greatest first."""
    comparison.wanted = True
    _differences_heading(session, comparison.known)
    rows = comparison.rows
    if not rows:
        return
    tall = imgui.get_text_line_height_with_spacing()
    high = min(len(rows) * tall, max(widgets.room_below(session) - tall, _LEAST_ROWS * tall))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (theme.metrics().gap, 0.0))
    if imgui.begin_child("differences", (0.0, high), imgui.ChildFlags_.nav_flattened):
        for k in widgets.in_sight(len(rows), tall):
            _difference(session, k, rows[k], tall)
    imgui.end_child()
    imgui.pop_style_var()


def _differences_heading(session: Session, known: Difference | None) -> None:
    """Draw what was found, and the button that copies the command."""
    side, gap = imgui.get_frame_height(), imgui.get_style().item_inner_spacing.x
    left, room = imgui.get_cursor_pos_x(), imgui.get_content_region_avail().x - side - gap
    if known is None:
        words = session.comparison.state
    else:
        words = "Differences" if session.comparison.rows else "No differences"
    widgets.label(widgets.shortened(words, room), theme.palette().quiet)
    widgets.mark(session, "comparison state")
    if known is not None:
        widgets.hint(f"Above {known.metres * 1000:g} mm and {known.degrees:g}°")
    imgui.same_line(left + room + gap)
    copies = action("copy diff")
    if widgets.toggle(session, "copy diff", icons.COPY, False, copies.label, side):
        copies.run(session)


def _difference(session: Session, k: int, row: DifferenceRow, tall: float) -> None:
    """Draw a difference: what it is, and how much at the right."""
    em, palette = widgets.em(), theme.palette()
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    goes = row.selected is not None or row.clips is not None or row.rest
    name, pressed = f"difference {row.text}", False
    if goes:
        imgui.push_id(k)
        pressed = widgets.row(session, name, (width, tall), tip=row.words)
        imgui.pop_id()
    else:
        imgui.dummy((width, tall))
        widgets.mark(session, name, row.words)
    heading, pair = row.indent == 0, session.comparison.pair
    left = low.x + 0.2 * em + 0.8 * em * max(row.indent - 1, 0) + (0.0 if heading else 0.5 * em)
    y = low.y + (tall - em) / 2.0
    lines = imgui.get_window_draw_list()
    taken = min(imgui.calc_text_size(row.amount).x, 0.6 * width)
    text = row.text.removeprefix(joint_prefix(pair[row.version].model)) if pair else ""
    name = widgets.shortened(text, low.x + width - taken - 1.0 * em - left)
    ink = palette.quiet if heading and not row.rest else palette.text
    with theme.Bold(heading):
        lines.add_text((left, y), theme.packed(ink), name)
    amount = widgets.shortened(row.amount, taken + 1.0)
    widgets.text_before(low.x + width - 0.3 * em, y, amount, palette.quiet)
    if pressed:
        go_to_difference(session, row)


def follow_pointer(session: Session) -> None:
    """Move the edge to the pointer, unless a panel uses the mouse or a button is down."""
    comparison, io = session.comparison, imgui.get_io()
    if not comparison.at_pointer or io.want_capture_mouse or imgui.is_any_mouse_down():
        return
    left, top, right, bottom = session.interface.viewport.box
    x, y = io.mouse_pos.x, io.mouse_pos.y
    if left <= x < right and top <= y < bottom:
        comparison.move_edge((x - left) / (right - left))


def drag_edge(session: Session) -> None:
    """Let the mouse drag the edge while it does not follow the pointer."""
    comparison = session.comparison
    versions = comparison.versions
    if versions is None or versions.mode != "wipe" or comparison.follows_pointer:
        return
    left, top, right, bottom = session.interface.viewport.box
    wide = _REACH * widgets.em()
    x = left + versions.edge * (right - left)
    size = wide, max(bottom - top, 1.0)
    with widgets.ClearWindow(session, "Wipe edge", (x - wide / 2.0, top), size) as drawn:
        if not drawn:
            return
        widgets.area(session, "wipe edge", size)
        if imgui.is_item_active() or imgui.is_item_hovered():
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
        if imgui.is_item_active():
            comparison.move_edge((imgui.get_io().mouse_pos.x - left) / (right - left))


def draw_edge(session: Session) -> None:
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
