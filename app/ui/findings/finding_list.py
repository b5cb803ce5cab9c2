"""The list of findings: groups by severity, their rules and findings, and the opened one."""

from imgui_bundle import imgui

from ...checks.finding import Finding
from ...model.lookup import clip_prefix, joint_prefix
from ...session.findings.findings_view import LABELS, FindingRow, FindingsView
from ...session.findings.go_to_finding import open_finding
from ...session.findings.muted_findings import accept, mute, why_not
from ...session.opened_character import OpenedCharacter
from ...session.session import Session
from ...wording import capitalized
from .. import icons, theme, widgets
from . import finding_marks, muted_list

LEAST_ROWS = 6  # of the list; in a lower panel the panel scrolls
MANY = 8  # findings; from this count on there is a search field
Prefixes = tuple[str, str]  # of the names of joints, and of clips
INDENT = 1.6  # font heights: of a finding and its details


def draw(session: Session, active: OpenedCharacter) -> None:
    """Draw the search field and the rows in sight, with the details of the opened finding.

    In the search field Enter opens the first match, ↓ and ↑ the next ones.
    """
    view, check = session.interface.of(FindingsView), active.check
    takes_first, step = False, 0
    if check.count >= MANY or view.filter:
        view.filter, takes_first = widgets.search_field(session, "search findings", view.filter)
        step = widgets.arrow_step()
    rows = view.rows(check.report)
    if not rows:
        widgets.quiet("No matching findings")
        return
    found = [k for k, row in enumerate(rows) if row.finding is not None]
    at = next((k for k in found if rows[k].finding is view.opened), -1)
    if found and (takes_first or step):
        near = found.index(at) + step if at >= 0 and step else 0
        at = found[min(max(near, 0), len(found) - 1)]
        finding = rows[at].finding
        if finding is not None:
            open_finding(session, active, finding)
    _rows(session, active, rows, at)


def _rows(session: Session, active: OpenedCharacter, rows: list[FindingRow], at: int) -> None:
    view, tall = session.interface.of(FindingsView), imgui.get_frame_height()
    model = active.model
    prefixes = joint_prefix(model), clip_prefix(model)
    wanted = len(rows) * tall + (view.details_height if at >= 0 else 0.0)
    below = widgets.room_below(session) - muted_list.room(session, active.check.report)
    height = min(wanted, max(below, LEAST_ROWS * tall))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (4.0, 0.0))
    if imgui.begin_child("findings", imgui.ImVec2(0.0, height), imgui.ChildFlags_.nav_flattened):
        _clipped(session, active, rows[: at + 1] if at >= 0 else rows, prefixes)
        if at >= 0:
            top = imgui.get_cursor_pos_y()
            _details(session, active, rows[at])
            view.details_height = imgui.get_cursor_pos_y() - top
            if view.scroll_to_opened:
                _scroll_to(at * tall, (at + 1) * tall + view.details_height, height)
                view.scroll_to_opened = False
            _clipped(session, active, rows[at + 1 :], prefixes)
    imgui.end_child()
    imgui.pop_style_var()


def _scroll_to(top: float, bottom: float, height: float) -> None:
    """Scroll a part of the list into sight, its upper end first; points of the contents."""
    now = imgui.get_scroll_y()
    if top < now or bottom > now + height:
        imgui.set_scroll_y(min(top, max(bottom - height, 0.0)))


def _clipped(
    session: Session, active: OpenedCharacter, rows: list[FindingRow], prefixes: Prefixes
) -> None:
    """Draw those of some rows that are in sight."""
    for k in widgets.in_sight(len(rows), imgui.get_frame_height()):
        row = rows[k]
        if row.finding is not None:
            _finding(session, active, row, row.finding, prefixes)
        elif row.rule:
            _rule(session, active, row)
        else:
            _group(session, row)


def _group(session: Session, row: FindingRow) -> None:
    """Draw the row of a severity; a click folds it."""
    view, em = session.interface.of(FindingsView), widgets.em()
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    if widgets.row(session, f"findings {row.group}", (width, imgui.get_frame_height())):
        view.folded ^= {row.group}
    y = low.y + imgui.get_style().frame_padding.y
    lines, palette = imgui.get_window_draw_list(), theme.palette()
    arrow = icons.CLOSED if row.group in view.folded and not view.filter.strip() else icons.OPENED
    lines.add_text((low.x, y), theme.packed(palette.quiet), arrow)
    icon, color = finding_marks.sign(row.group)
    lines.add_text((low.x + em, y), theme.packed(color), icon)
    lines.add_text((low.x + 2.3 * em, y), theme.packed(palette.text), LABELS[row.group])
    _at_right(str(row.count), low, width, palette.quiet)


def _rule(session: Session, active: OpenedCharacter, row: FindingRow) -> None:
    """Draw the row of a rule; its tooltip says what the rule looks for."""
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    imgui.dummy(imgui.ImVec2(width, imgui.get_frame_height()))
    widgets.mark(session, f"rule {row.rule}")
    report = active.check.report
    if report is not None:
        widgets.hint(f"{row.rule}: {report.rules.get(row.rule, '')}")
    y = low.y + imgui.get_style().frame_padding.y
    palette = theme.palette()
    place = (low.x + widgets.em(), y)
    imgui.get_window_draw_list().add_text(place, theme.packed(palette.quiet), row.rule)
    if row.count > 1:
        _at_right(str(row.count), low, width, palette.quiet)


def _finding(
    session: Session,
    active: OpenedCharacter,
    row: FindingRow,
    finding: Finding,
    prefixes: Prefixes,
) -> None:
    """Draw the row of a finding: joint or mesh, clip, and its amount."""
    opened = session.interface.of(FindingsView).opened is finding
    em, palette = widgets.em(), theme.palette()
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    size, tip = (width, imgui.get_frame_height()), "" if opened else capitalized(finding.message)
    imgui.push_id(str(id(finding)))  # the rule may find more in the subject
    name = f"finding {finding.rule} {row.subject}"
    pressed = widgets.row(session, name, size, selected=opened, tip=tip)
    imgui.pop_id()
    if pressed:  # a second click goes there again
        open_finding(session, active, finding)
    lines, y = imgui.get_window_draw_list(), low.y + imgui.get_style().frame_padding.y
    left, right = low.x + INDENT * em, low.x + width
    if row.amount:
        right -= _at_right(row.amount, low, width, palette.text) + em
    subject, where = _names(row, prefixes)
    subject = widgets.shortened(subject, right - left)
    lines.add_text((left, y), theme.packed(palette.text), subject)
    left += imgui.calc_text_size(subject).x + 0.6 * em
    if where and right - left > 3.0 * em:
        where = widgets.shortened(where, right - left)
        lines.add_text((left, y), theme.packed(palette.quiet), where)


def _names(row: FindingRow, prefixes: Prefixes) -> tuple[str, str]:
    """Return what a finding is about and its clip, without the prefix that all names have."""
    subject = row.subject.removeprefix(prefixes[0]).removeprefix(prefixes[1])
    return subject or row.subject, row.where.removeprefix(prefixes[1])


def _at_right(text: str, low: imgui.ImVec2, width: float, color: theme.Color) -> float:
    """Draw text at the right end of a row; return its width, points."""
    right, y = low.x + width - 0.4 * widgets.em(), low.y + imgui.get_style().frame_padding.y
    return widgets.text_before(right, y, text, color)


def _details(session: Session, active: OpenedCharacter, row: FindingRow) -> None:
    """Draw the details of a finding: what is wrong, its limit, the fix, and its buttons."""
    finding, em = row.finding, widgets.em()
    if finding is None:
        return
    imgui.indent(INDENT * em)
    imgui.spacing()
    imgui.text_wrapped(capitalized(finding.message))
    where = _where(finding)
    if where:
        widgets.quiet(where)
    imgui.dummy(imgui.ImVec2(0.0, 0.2 * em))
    imgui.text_wrapped(f"→ {finding.fix}")
    widgets.mark(session, "finding fix")
    imgui.dummy(imgui.ImVec2(0.0, 0.2 * em))
    if row.group != "known":
        _buttons(session, active, finding)
    imgui.dummy(imgui.ImVec2(0.0, 0.4 * em))
    imgui.unindent(INDENT * em)


def _buttons(session: Session, active: OpenedCharacter, finding: Finding) -> None:
    """Draw the buttons that accept a finding, in its clip or in all, and that mute its rule."""
    reason, report = why_not(session, active), active.check.report
    found = () if report is None or not finding.clip else report.findings
    clips = len({each.clip for each in found if each.cause == finding.cause})
    file = "It is written to rigview.toml, beside the character or in the nearest folder above"
    with widgets.Disabled(bool(reason)):
        if widgets.button(session, "accept finding", "Accept", tip=reason or file):
            accept(session, active, finding)
        if clips > 1:
            words, tip = f"in all {clips} clips", f"Accept it in all clips. {file}"
            _beside(words)
            if widgets.button(session, "accept in all clips", words, tip=reason or tip):
                accept(session, active, finding, all_clips=True)
        tip = f"Look for {finding.rule} no more, in no character of the folder. {file}"
        _beside("Mute rule")
        if widgets.button(session, "mute rule", "Mute rule", tip=reason or tip):
            mute(session, active, finding.rule)


def _beside(label: str) -> None:
    """Place the next button, with this label, beside the last one if there is room."""
    style = imgui.get_style()
    wide = imgui.calc_text_size(label).x + 2.0 * style.frame_padding.x
    right = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
    if imgui.get_item_rect_max().x + style.item_spacing.x + wide <= right:
        imgui.same_line()


def _where(finding: Finding) -> str:
    """Return the limit and the time of a finding."""
    limit = "" if finding.limit is None else f"limit {finding.limit_text}"
    time = "" if finding.time is None else f"at {finding.time:.3f} s"
    return ", ".join(filter(None, (limit, time)))
