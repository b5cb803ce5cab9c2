"""The list of differences: a click goes to the worst moment."""

from imgui_bundle import imgui

from ...differences.difference import Difference
from ...model.lookup import joint_prefix
from ...session.commands.actions import action
from ...session.difference_rows import DifferenceRow
from ...session.go_to_difference import go_to_difference
from ...session.session import Session
from .. import icons, theme, widgets

_LEAST_ROWS = 6


def draw(session: Session) -> None:
    """Draw the differences, greatest first."""
    comparison = session.comparison
    comparison.wanted = True
    known = comparison.known
    _heading(session, known)
    if known is None:
        return
    rows = comparison.rows
    if not rows:
        return
    tall = imgui.get_text_line_height_with_spacing()
    high = min(len(rows) * tall, max(widgets.room_below(session) - tall, _LEAST_ROWS * tall))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (4.0, 0.0))
    if imgui.begin_child("differences", (0.0, high), imgui.ChildFlags_.nav_flattened):
        for k in widgets.in_sight(len(rows), tall):
            _row(session, k, rows[k], tall)
    imgui.end_child()
    imgui.pop_style_var()


def _heading(session: Session, known: Difference | None) -> None:
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


def _row(session: Session, k: int, row: DifferenceRow, tall: float) -> None:
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
    lines.add_text((left, y), theme.packed(ink), name)
    amount = widgets.shortened(row.amount, taken + 1.0)
    widgets.text_before(low.x + width - 0.3 * em, y, amount, palette.quiet)
    if pressed:
        go_to_difference(session, row)
