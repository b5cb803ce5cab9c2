"""The joint tree of the outliner: a click selects, marks say which joints move vertices."""

from functools import partial

from imgui_bundle import imgui

from ...model.joint_branches import branch_of
from ...model.lookup import joint_prefix
from ...model.model import Model
from ...scene.selected import Selected
from ...session.findings.go_to_finding import open_next
from ...session.opened_character import OpenedCharacter
from ...session.outliner import (
    TreeRow,
    depth_of,
    model_lists,
    scene_tree,
    searched_joints,
    unfold_above,
)
from ...session.session import Session
from .. import icons, theme, widgets
from ..findings import finding_marks
from . import row_list

INDENT = 0.5  # font heights a level, at most
INDENTED = 0.25  # of the width of the list: the indent of the deepest joint, at most
EYE = "Show or hide the bones and meshes of this branch; with Ctrl show only its bones"


def draw(session: Session) -> None:
    """Draw the search field and the tree; Enter selects the first match, ↓ and ↑ the next ones."""
    character, active = session.character, session.active
    if character is None or active is None:
        widgets.quiet("No file is open")
        return
    model = character.model
    outliner, folded = session.interface.outliner, session.interface.mixer_panels.folded
    outliner.filter, takes_first = widgets.search_field(session, "search outliner", outliner.filter)
    step = widgets.arrow_step()
    _type_ahead(session, model)
    chosen = -1 if session.selected is None else session.selected.joint
    if outliner.scroll_to_selected and chosen >= 0:
        unfold_above(model, folded, chosen)
    listed = scene_tree(model, frozenset(folded), outliner.filter)
    if not listed:
        widgets.quiet("No matching joints")
        return
    at = next((k for k, row in enumerate(listed) if row.joint == chosen), -1)
    if takes_first or step:
        at = min(max(at + step, 0), len(listed) - 1) if step and at >= 0 else 0
        session.selections.select(active, Selected(listed[at].joint))
    prefix = joint_prefix(model)
    width, deepest = imgui.get_content_region_avail().x, max(depth_of(listed), 1)
    indent = min(INDENT * widgets.em(), INDENTED * width / deepest)
    row = partial(_row, session, active, (prefix, indent), listed, at)
    row_list.draw(session, "joint tree", len(listed), at, row)
    row_list.keep_focus(session)


def _type_ahead(session: Session, model: Model) -> None:
    """Select the next joint whose name begins with what is typed while the tree has the focus."""
    outliner, active = session.interface.outliner, session.active
    if not outliner.had_focus or active is None or imgui.get_io().want_text_input:
        return
    typed = [chr(code) for code in imgui.get_io().input_queue_characters]
    for letter in typed:
        if not outliner.typed.takes(letter, session.tau):
            continue
        outliner.typed.type(letter, session.tau)
        joints, names = searched_joints(model, joint_prefix(model))
        chosen = -1 if session.selected is None else session.selected.joint
        now = joints.index(chosen) if chosen in joints else -1
        found = outliner.typed.find(names, now)
        if found is not None:
            outliner.filter = ""
            session.selections.select(active, Selected(joints[found]))


def _mark(model: Model, joint: int) -> tuple[row_list.Mark, str, str]:
    """Return the mark of a row at the right, its number of vertices, and the meaning of both."""
    lists = model_lists(model)
    vertices = lists.vertices(joint)
    if vertices < 0:
        return "node", "", "in no skin"
    if not vertices:
        return "unused", "0", "in a skin, but moves no vertex"
    if joint in lists.rigid:
        return "mesh", f"{vertices:,}", f"has a mesh of {vertices:,} vertices, without a skin"
    return "joint", f"{vertices:,}", f"moves {vertices:,} vertices of a skin"


def _row(
    session: Session,
    active: OpenedCharacter,
    look: tuple[str, float],
    listed: list[TreeRow],
    at: int,
    k: int,
) -> None:
    """Draw a joint: eye, fold arrow, name, findings, how many vertices it moves, and its mark.

    Findings of a folded joint are those of its branch. A name that needs the room takes that of
    the number.

    Parameters
    ----------
    look
        Prefix of all names, and the indent of a level in points.
    """
    prefix, indent = look
    row, character = listed[k], active.character
    model = character.model
    mark, count, words = _mark(model, row.joint)
    em, tall = widgets.em(), imgui.get_frame_height()
    interface, name = session.interface, model.skeleton.names[row.joint]
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    hidden = row.joint in character.hidden_joints
    if row_list.eye(session, f"eye joint {name}", EYE, hidden=hidden):
        _toggle(session, active, row.joint, solo=imgui.get_io().key_ctrl)
    palette, lines = theme.palette(), imgui.get_window_draw_list()
    left = low.x + row_list.EYE * em
    arrow = left + indent * row.depth
    size = low.x + width - left, tall
    pressed = widgets.row(session, f"joint row {name}", size, selected=k == at)
    interface.outliner.focused |= pressed or (
        interface.keyboard_navigation and imgui.is_item_focused()
    )
    end = low.x + width - 1.2 * em
    folded, places = interface.mixer_panels.folded, active.check.places(model)
    is_folded = row.has_children and row.joint in folded
    found = (places.branches if is_folded else places.joints).get(row.joint, ())
    taken, shown = imgui.calc_text_size(count).x, name.removeprefix(prefix)
    room = end - arrow - 1.2 * em - finding_marks.width(found)
    if imgui.calc_text_size(shown).x > room - taken - 0.5 * em:
        count, taken, shown = "", 0.0, widgets.shortened(shown, room)
    on_mark = finding_marks.row_mark(
        session, name, found, end - taken - 0.5 * em, low.y + 0.5 * tall
    )
    if not on_mark:
        widgets.hint(f"{name}: {words}")
    if pressed and on_mark:
        open_next(session, active, found)
    elif pressed and row.has_children and imgui.get_io().mouse_pos.x < arrow + em:
        folded ^= {row.joint}
    elif pressed:
        session.selections.select(active, Selected(row.joint))
        interface.outliner.scroll_to_selected = False
    y = low.y + imgui.get_style().frame_padding.y
    if row.has_children:
        icon = icons.CLOSED if is_folded else icons.OPENED
        lines.add_text((arrow, y), theme.packed(palette.quiet), icon)
    row_list.mark(mark, (end + 0.6 * em, low.y + 0.5 * tall))
    ink = palette.quiet if hidden or mark == "node" else palette.text
    lines.add_text((arrow + em, y), theme.packed(ink), shown)
    widgets.text_before(end - 0.2 * em, y, count, palette.quiet)


def _toggle(session: Session, active: OpenedCharacter, joint: int, *, solo: bool) -> None:
    """Show or hide a branch; solo hides all other bones, or if they are hidden shows all."""
    character = active.character
    hidden, branch = character.hidden_joints, branch_of(character.model, joint)
    if solo:
        others = frozenset(character.drawn_joints.joints.tolist()) - branch
        joints = frozenset() if hidden == others else others
    else:
        joints = hidden - branch if joint in hidden else hidden | branch
    session.show(**active.hidden_names(character.hidden_parts, joints))
