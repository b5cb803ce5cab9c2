"""The inspector: what is known of the selected joint, vertex or part of a mesh."""

from imgui_bundle import imgui

from ...checks.finding import Finding
from ...model.lookup import joint_prefix
from ...session.finding_places import Findings, tooltip_text
from ...session.findings.findings_view import FindingsView, sentence, size_text
from ...session.findings.go_to_finding import open_next
from ...session.inspection.inspector import joint_facts
from ...session.opened_character import OpenedCharacter
from ...session.selection import Selection
from ...session.session import Session
from .. import theme, widgets
from ..findings import finding_list, finding_marks
from . import fact_rows, joint_details, mesh_details

MOST = 4  # findings: the transform must stay in sight
_NOTHING = (
    "Nothing is selected. A click in the scene or in the list of joints selects; with wireframe "
    "or weights a click selects a vertex."
)


def draw(session: Session) -> None:
    """Draw what is known of the selection."""
    current = session.selections.current
    if current is None or current.character is not session.active:
        widgets.note(_NOTHING)
        return
    active, chosen = current.character, current.chosen
    _heading(session, current)
    _findings(session, active, active.check.places(active.model).of(chosen))
    if chosen.primitive < 0:
        joint_details.draw(session, active, chosen.joint)
    elif chosen.vertex < 0:
        mesh_details.draw_part(session, active, chosen)
    else:
        mesh_details.draw_vertex(session, active, chosen)


def _heading(session: Session, current: Selection) -> None:
    """Draw name and kind, and the character if there are several; a click copies the name."""
    model, name = current.character.model, current.name
    kind = _kind(current)
    words = f"{kind} of {current.character.name}" if len(session.open_characters) > 1 else kind
    shown = name.removeprefix(joint_prefix(model))
    room = imgui.get_content_region_avail().x
    beside = imgui.calc_text_size(f"{shown}  {words}").x <= room
    shown = widgets.shortened(shown, room)
    tip = f"{name}\n{fact_rows.COPIES}"
    if widgets.selectable(session, "inspected", shown, tip=tip):
        fact_rows.copy(session, name)
    if beside:
        imgui.same_line(imgui.get_cursor_pos_x() + room - imgui.calc_text_size(words).x)
    widgets.quiet(words)


def _kind(current: Selection) -> str:
    """Return what is selected: a joint of a skin, another node, a part of a mesh, a vertex."""
    if not current.is_joint:
        return "Mesh part" if current.chosen.vertex < 0 else "Vertex"
    facts = joint_facts(current.character.model, current.chosen.joint)
    return "Joint" if facts.skins else "Node"


def _findings(session: Session, active: OpenedCharacter, found: Findings) -> None:
    """Draw findings of the selection, if there are some; a click goes to one, in its panel, too."""
    if not found:
        return
    for k, finding in enumerate(found[:MOST]):
        if _finding(session, finding, k):
            open_next(session, active, [finding])
    if len(found) > MOST:
        _more(session, found)
    imgui.separator()


def _more(session: Session, found: Findings) -> None:
    """Draw how many findings are not listed; a click finds all of them in their panel."""
    if widgets.selectable(session, "more own findings", f"and {len(found) - MOST} more"):
        session.interface.of(FindingsView).filter = found[0].joint or found[0].item
        session.interface.mixer_panels.tab = "Findings"


def _finding(session: Session, finding: Finding, number: int) -> bool:
    """Draw severity, sentence and visible size; return whether it was clicked."""
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    em, tall = widgets.em(), imgui.get_frame_height()
    tip = tooltip_text([finding])
    pressed = widgets.row(session, f"own finding {number}", (width, tall), tip=tip)
    lines, palette = imgui.get_window_draw_list(), theme.palette()
    y = low.y + imgui.get_style().frame_padding.y
    icon, color = finding_marks.sign(finding.severity)
    lines.add_text((low.x, y), theme.packed(color), icon)
    taken = widgets.text_before(low.x + width, y, size_text(finding), palette.text)
    shown = finding_list.cut(sentence(finding), width - taken - 2.0 * em)
    lines.add_text((low.x + 1.5 * em, y), theme.packed(palette.text), shown)
    return pressed
