"""The panel "Findings": the state of the check, a search, and the list of findings."""

from imgui_bundle import imgui

from ...session.commands.actions import action
from ...session.file_check import FileCheck
from ...session.findings.check_command import check_command
from ...session.findings.findings_view import FindingsView
from ...session.opened_character import OpenedCharacter
from ...session.session import Session
from .. import icons, theme, widgets
from . import finding_list, muted_list


def count(session: Session) -> int:
    """Return the number of causes, without those about the file."""
    active = session.active
    view = session.interface.of(FindingsView)
    return 0 if active is None else view.count(active.check.report)


def draw(session: Session) -> None:
    """Draw the findings of the active character; a click on one shows where it is."""
    active = session.active
    if active is None or active.path is None:
        widgets.quiet("No file is open")
        return
    check = active.check
    _state(session, active)
    if check.status == "running":
        widgets.progress(session, "check progress", check.progress, -1.0, 0.3 * widgets.em())
    if check.status == "failed":
        widgets.note(f"{icons.WARNING}  {check.error}", theme.palette().warning)
        widgets.mark(session, "check error")
    report = check.report
    if report is not None and not session.interface.of(FindingsView).count(report):
        found = "Nothing that is seen" if check.count else "Nothing found"
        widgets.text(session, "nothing found", f"{icons.CHECKED}  {found}")
    if report is not None and (report.findings or report.known):
        finding_list.draw(session, active)
    muted_list.draw(session, active)


def _state(session: Session, active: OpenedCharacter) -> None:
    """Draw how the check stands, and the buttons to repeat and to copy it."""
    check, side = active.check, imgui.get_frame_height()
    gap = imgui.get_style().item_inner_spacing.x
    room = imgui.get_content_region_avail().x - 2.0 * (side + gap)
    left = imgui.get_cursor_pos_x()
    widgets.label(widgets.shortened(_words(session, check), room), theme.palette().quiet)
    widgets.mark(session, "check state")
    if imgui.is_item_hovered():
        widgets.hint(_details(session, active))
    imgui.same_line()
    imgui.set_cursor_pos_x(left + room + gap)
    words = "Check the file now" if check.report is None else "Check the file again"
    with widgets.Disabled(check.status == "running"):
        if widgets.toggle(session, "check again", icons.AGAIN, False, words, side):
            check.asked = True
    imgui.same_line(0.0, gap)
    copies = action("copy check")
    if widgets.toggle(session, "copy check", icons.COPY, False, "", side):
        copies.run(session)
    if imgui.is_item_hovered():
        widgets.hint(f"{copies.label}:\n{check_command(session, active)}")


def _words(session: Session, check: FileCheck) -> str:
    """Return the state of the check in a few words."""
    if check.status == "running":
        return "Checking"
    if check.status == "failed":
        return "Cannot be checked"
    if check.report is None:
        return "To be checked" if session.settings.check_files else "Checks are off"
    if check.stale:
        return "Changed since the check"
    return f"Checked in {check.seconds:.1f} s"


def _details(session: Session, active: OpenedCharacter) -> str:
    """Return the tooltip of the state of the check: which file it examines, and what it omits."""
    check, lines = active.check, ["`rigview check` examines the file as it is on disk"]
    if not session.settings.check_files:
        lines.append("File > Check files in the background is off")
    if check.report is not None and check.report.tally:
        lines.append(check.report.tally)
    if active.editor.dirty:
        lines.append("Unsaved changes of the motion file are not checked")
    return "\n".join(lines)
