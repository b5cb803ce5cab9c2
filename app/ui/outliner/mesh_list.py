"""The meshes of the outliner: what is drawn, with materials and triangles."""

from functools import partial

from imgui_bundle import imgui

from ...model.lookup import joint_prefix
from ...model.mesh_parts import Part
from ...scene.selected import Selected
from ...session.findings.go_to_finding import open_next
from ...session.opened_character import OpenedCharacter
from ...session.outliner import MeshRow, searched_meshes
from ...session.session import Session
from .. import theme, widgets
from ..findings import finding_marks
from . import row_list

LEAST_MATERIAL = 3.0  # font heights: in less room only the tooltip names the material
EYE = "Show or hide; with Ctrl show only this part, again show all"


def draw(session: Session) -> None:
    """Draw a row for each part of each mesh: eye, name, triangles; the tooltip has the material."""
    active, chosen = session.active, session.selected
    if active is None:
        widgets.quiet("No file is open")
        return
    character, outliner = active.character, session.interface.outliner
    if not searched_meshes(character.model):
        widgets.quiet("No meshes")
        return
    outliner.filter_meshes, takes_first = widgets.search_field(
        session, "search meshes", outliner.filter_meshes
    )
    listed = searched_meshes(character.model, outliner.filter_meshes)
    if not listed:
        widgets.quiet("No matching meshes")
        return
    if takes_first:
        session.selections.select(active, Selected(*listed[0].part))
    at = -1
    if chosen is not None:
        part = chosen.joint, chosen.primitive
        at = next((k for k, row in enumerate(listed) if row.part == part), -1)
    draw_row = partial(_row, session, active, listed, at)
    row_list.draw(session, "mesh list", len(listed), at, draw_row)


def _row(session: Session, active: OpenedCharacter, listed: list[MeshRow], at: int, k: int) -> None:
    """Draw a part: eye, name, findings and number of triangles."""
    row, character = listed[k], active.character
    em, tall, part = widgets.em(), imgui.get_frame_height(), row.part
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    branch, palette = part[0] in character.hidden_joints, theme.palette()
    hidden = branch or part in character.hidden_parts
    if row_list.eye(session, f"eye {row.name}", EYE, hidden=hidden, always=True):
        joints, parts = character.hidden_joints - {part[0]}, character.hidden_parts
        if not branch or part in parts or imgui.get_io().key_ctrl:
            every = searched_meshes(character.model)
            parts = _toggled(parts, every, part, solo=imgui.get_io().key_ctrl)
        session.show(**active.hidden_names(parts, joints))
    left = row_list.EYE * em
    size = width - left, tall
    clicked = widgets.row(session, f"part {row.name}", size, selected=k == at)
    triangles = f"{row.triangles:,}"
    taken = imgui.calc_text_size(triangles).x
    end = low.x + width - taken - 0.3 * em
    found = active.check.places(character.model).parts.get(part, ())
    on_mark = finding_marks.row_mark(session, row.name, found, end - 0.3 * em, low.y + 0.5 * tall)
    if not on_mark:
        widgets.hint(f"{row.name}: {row.material}, {triangles} triangles")
    if clicked and on_mark:
        open_next(session, active, found)
    elif clicked:
        session.selections.select(active, Selected(*part))
    ink = palette.quiet if hidden else palette.text
    shown = row.name.removeprefix(joint_prefix(character.model))
    room = width - left - taken - 1.2 * em - finding_marks.width(found)
    shown = widgets.shortened(shown, room)
    lines, y = imgui.get_window_draw_list(), low.y + imgui.get_style().frame_padding.y
    lines.add_text((low.x + left + 0.2 * em, y), theme.packed(ink), shown)
    lines.add_text((end, y), theme.packed(palette.quiet), triangles)
    beside = 0.2 * em + imgui.calc_text_size(shown).x + 0.7 * em
    if room - beside > LEAST_MATERIAL * em and row.material not in row.name:
        material = widgets.shortened(row.material, room - beside)
        lines.add_text((low.x + left + beside, y), theme.packed(palette.quiet), material)


def _toggled(
    hidden: frozenset[Part], listed: list[MeshRow], part: Part, *, solo: bool
) -> frozenset[Part]:
    """Return the hidden parts after one is shown or hidden; solo hides or shows all others."""
    others = frozenset(row.part for row in listed) - {part}
    if solo:
        return frozenset() if hidden == others else others
    return hidden ^ {part}
