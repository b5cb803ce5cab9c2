"""The findings of `check` about the selection; a click goes to one and opens it in its panel."""

from imgui_bundle import imgui

from ...check.finding import Finding
from ...session.finding_places import Findings, tooltip_text
from ...session.findings.findings_view import FindingsView
from ...session.findings.go_to_finding import open_next
from ...session.open_character import OpenCharacter
from ...session.session import Session
from .. import theme, widgets
from ..findings import finding_marks

MOST = 4  # rows: the transform must stay in sight


def draw(session: Session, active: OpenCharacter, found: Findings) -> None:
    """Draw the findings of a joint or of a part of a mesh, if there are some."""
    if not found:
        return
    for k, finding in enumerate(found[:MOST]):
        if _row(session, finding, k):
            open_next(session, active, [finding])
    if len(found) > MOST:
        _more(session, found)
    imgui.separator()


def _more(session: Session, found: Findings) -> None:
    """Draw how many findings are not listed; a click finds all of them in their panel."""
    if imgui.selectable(f"and {len(found) - MOST} more", False)[0]:
        session.interface.of(FindingsView).filter = found[0].joint or found[0].item
        session.interface.mixer_panels.tab = "Findings"
    widgets.mark(session, "more own findings")


def _row(session: Session, finding: Finding, number: int) -> bool:
    """Draw severity, rule, clip and amount; return whether it was clicked."""
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    em, tall = widgets.em(), imgui.get_frame_height()
    pressed, _ = imgui.selectable(f"##finding {number}", False, 0, imgui.ImVec2(width, tall))
    widgets.mark(session, f"own finding {number}")
    widgets.hint(tooltip_text([finding]))
    lines, palette = imgui.get_window_draw_list(), theme.palette()
    y = low.y + imgui.get_style().frame_padding.y
    icon, color = finding_marks.sign(finding.severity)
    lines.add_text((low.x, y), theme.packed(color), icon)
    amount = finding.amount_text
    taken = imgui.calc_text_size(amount).x
    lines.add_text((low.x + width - taken, y), theme.packed(palette.text), amount)
    where = f"{finding.rule}, {finding.clip}" if finding.clip else finding.rule
    shown = widgets.shortened(where, width - taken - 2.0 * em)
    lines.add_text((low.x + 1.5 * em, y), theme.packed(palette.text), shown)
    return pressed
