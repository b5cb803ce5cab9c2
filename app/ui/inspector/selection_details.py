"""The inspector: what is known of the selected joint, vertex or part of a mesh."""

from imgui_bundle import imgui

from ...session.inspection.inspector import Inspector
from ...session.selection import Selection
from ...session.session import Session
from .. import short_names, theme, widgets
from . import fact_rows, finding_rows, joint_details, part_details, vertex_details

_NOTHING = (
    "Nothing is selected. A click in the scene or in the list of joints selects; with wireframe "
    "or weights a click selects a vertex."
)


def draw(session: Session) -> None:
    """Draw what is known of the selection."""
    current = session.selections.current
    if current is None or current.character is not session.active:
        with widgets.colored((imgui.Col_.text, theme.palette().quiet)):
            imgui.text_wrapped(_NOTHING)
        return
    active, chosen = current.character, current.chosen
    _heading(session, current)
    finding_rows.draw(session, active, active.check.places(active.model).of(chosen))
    if chosen.primitive < 0:
        joint_details.draw(session, active, chosen.joint)
    elif chosen.vertex < 0:
        part_details.draw(session, active, chosen)
    else:
        vertex_details.draw(session, active, chosen)


def _heading(session: Session, current: Selection) -> None:
    """Draw name and kind, and the character if there are several; a click copies the name."""
    model, name = current.character.model, current.name
    kind = _kind(session, current)
    words = f"{kind} of {current.character.name}" if len(session.open_characters) > 1 else kind
    shown = name.removeprefix(short_names.joint_prefix(model))
    room = imgui.get_content_region_avail().x
    beside = imgui.calc_text_size(f"{shown}  {words}").x <= room
    shown = widgets.shortened(shown, room)
    if imgui.selectable(f"{shown}###inspected", False)[0]:
        fact_rows.copy(session, name)
    widgets.mark(session, "inspected")
    widgets.hint(f"{name}\n{fact_rows.COPIES}")
    if beside:
        imgui.same_line(imgui.get_cursor_pos_x() + room - imgui.calc_text_size(words).x)
    widgets.quiet(words)


def _kind(session: Session, current: Selection) -> str:
    """Return what is selected: a joint of a skin, another node, a part of a mesh, a vertex."""
    if not current.is_joint:
        return "Mesh part" if current.chosen.vertex < 0 else "Vertex"
    facts = session.interface.of(Inspector).joint(current.character.model, current.chosen.joint)
    return "Joint" if facts.skins else "Node"
