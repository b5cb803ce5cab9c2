"""The folded list below the findings: muted rules and accepted findings, each taken back there."""

from imgui_bundle import imgui

from ...session.findings import muted_findings
from ...session.findings.go_to_finding import go_to_finding
from ...session.findings.muted_findings import MutedView
from ...session.opened_character import OpenedCharacter
from ...session.session import Session
from ...tasks.check_report import Accepted, CheckReport
from ...wording import capitalized
from .. import theme, widgets

MOST_ROWS = 6  # that the list of findings leaves room for


def room(session: Session, report: CheckReport | None) -> float:
    """Return the height to leave below the list of findings, points."""
    count = 0 if report is None else len(report.muted) + report.accepted
    shown = min(count, MOST_ROWS) if session.interface.of(MutedView).shown else 0
    return (1 + shown) * imgui.get_frame_height() if count else 0.0


def draw(session: Session, active: OpenedCharacter) -> None:
    """Draw the heading, and below it unless it is folded a row for each rule and finding."""
    view, report = session.interface.of(MutedView), active.check.report
    if report is None or not (report.muted or report.accepted_findings):
        return
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (theme.metrics().gap, 0.0))
    _heading(session, len(report.muted) + report.accepted)
    if view.shown:
        path = active.path
        own = "" if path is None else str(muted_findings.settings_path(path))
        for rule, file in report.muted.items():
            _rule(session, active, rule, file, own)
        _findings(session, active, report.accepted_findings, own)
    imgui.pop_style_var()


def _heading(session: Session, count: int) -> None:
    view = session.interface.of(MutedView)
    name, label = "accepted and muted", "Accepted and muted"
    if widgets.fold(session, name, label, count, opened=view.shown):
        view.shown = not view.shown


def _rule(session: Session, active: OpenedCharacter, rule: str, file: str, own: str) -> None:
    """Draw a muted rule, with the button that turns it on again if the file is the `own` one."""
    removed = file == own
    tip = f"Checks for it again: removes it from {file}" if removed else f"{file} mutes it"
    _row(session, rule, "Unmute", f"muted {rule}")
    if _button(session, "Unmute", f"unmute {rule}", tip, enabled=removed):
        muted_findings.unmute(session, active, rule)


def _findings(
    session: Session, active: OpenedCharacter, accepted: tuple[Accepted, ...], own: str
) -> None:
    """Draw the rows in sight, and below the opened finding its reason."""
    view, tall = session.interface.of(MutedView), imgui.get_frame_height()
    at = next((k for k, each in enumerate(accepted) if each is view.opened), -1)
    above = at + 1 if at >= 0 else len(accepted)
    for k in widgets.in_sight(above, tall):
        _finding(session, active, accepted[k], own)
    if at >= 0:
        _details(session, active, accepted[at])
        for k in widgets.in_sight(len(accepted) - above, tall):
            _finding(session, active, accepted[above + k], own)


def _finding(session: Session, active: OpenedCharacter, accepted: Accepted, own: str) -> None:
    """Draw an accepted finding; a click goes to it and shows its reason."""
    view, finding = session.interface.of(MutedView), accepted.finding
    imgui.push_id(str(id(accepted)))
    words = capitalized(finding.message)
    name = f"{finding.rule} {finding.joint or finding.item or finding.clip}"
    selected = view.opened is accepted
    if _row(session, words, "Report again", f"accepted {name}", selected=selected):
        view.opened, view.reason = None if selected else accepted, accepted.entry.reason
        if not selected:
            go_to_finding(session, active, finding)
    source = accepted.entry.source
    removed = source == own
    tip = f"Removes the entry from {source}" if removed else f"{source} accepts it"
    if _button(session, "Report again", f"report {name}", tip, enabled=removed):
        muted_findings.report_again(session, active, accepted)
    imgui.pop_id()


def _details(session: Session, active: OpenedCharacter, accepted: Accepted) -> None:
    """Draw the whole message, and the field of the reason; Enter or leaving it writes it."""
    view, em = session.interface.of(MutedView), widgets.em()
    imgui.indent(widgets.INDENT * em)
    imgui.text_wrapped(capitalized(accepted.finding.message))
    tip = f"Why it is accepted, in {accepted.entry.source}"
    view.reason = widgets.text_field(session, "reason", view.reason, placeholder="reason", tip=tip)
    ended = imgui.is_item_deactivated_after_edit()
    imgui.dummy(imgui.ImVec2(0.0, 0.4 * em))
    imgui.unindent(widgets.INDENT * em)
    if ended and muted_findings.set_reason(session, active, accepted, view.reason):
        report = active.check.report
        same = () if report is None else report.accepted_findings
        view.opened = next((each for each in same if each.finding is accepted.finding), None)


def _row(session: Session, words: str, label: str, name: str, *, selected: bool = False) -> bool:
    """Draw words before a button with a label; return whether they were pressed."""
    em, low = widgets.em(), imgui.get_cursor_screen_pos()
    width = imgui.get_content_region_avail().x - _width(label) - 0.4 * em
    size = width, imgui.get_frame_height()
    pressed = widgets.row(session, name, size, selected=selected, tip=words)
    left, y = low.x + widgets.INDENT * em, low.y + imgui.get_style().frame_padding.y
    text = widgets.shortened(words, low.x + width - left)
    imgui.get_window_draw_list().add_text((left, y), theme.packed(theme.palette().quiet), text)
    return pressed


def _button(session: Session, label: str, name: str, tip: str, *, enabled: bool) -> bool:
    """Draw a button at the right end of a row; return whether it was pressed."""
    imgui.same_line()
    imgui.set_cursor_pos_x(
        imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - _width(label)
    )
    with widgets.Disabled(not enabled):
        return widgets.button(session, name, label, tip=tip)


def _width(label: str) -> float:
    return imgui.calc_text_size(label).x + 2.0 * imgui.get_style().frame_padding.x
