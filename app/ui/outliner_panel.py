"""The outliner at the left: the joints, meshes and morph targets of the active character."""

import math
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from imgui_bundle import imgui

from ..memo import is_same
from ..model.joint_branches import branch_of
from ..model.lookup import joint_prefix
from ..model.mesh_parts import Part
from ..model.model import Model
from ..scene.character import Character
from ..scene.selected import Selected
from ..session.findings.go_to_finding import open_next
from ..session.inspector import morph_effects, moved_text
from ..session.opened_character import OpenedCharacter
from ..session.outliner import (
    MeshRow,
    MorphOrder,
    MorphRow,
    TreeRow,
    depth_of,
    model_lists,
    scene_tree,
    searched_joints,
    searched_meshes,
    searched_morphs,
    sorted_morphs,
    unfold_above,
)
from ..session.session import Session
from . import icons, row_list, theme, widgets
from .findings import finding_marks

INDENT = 0.5  # font heights a level, at most
INDENTED = 0.25  # of the width of the list: the indent of the deepest joint, at most
EYE = "Show or hide the joints and meshes of this branch; with Ctrl show only its joints"
LEAST_MATERIAL = 3.0  # font heights: in less room only the tooltip names the material
EYE_OF_MESH = "Show or hide; with Ctrl show only this part, again show all"
GAP = 3.0  # points between sliders
ORDERS: dict[MorphOrder, str] = {"file": "File", "weight": "Weight", "effect": "Effect"}


def draw(session: Session) -> None:
    """Draw the search field and the tree; Enter selects the first match, ↓ and ↑ the next ones."""
    character, active = session.character, session.active
    if character is None or active is None:
        widgets.quiet("No file is open")
        return
    model = character.model
    outliner, folded = session.interface.outliner, session.interface.mixer_panels.folded
    outliner.filter, takes_first, step = widgets.search_field(
        session, "search outliner", outliner.filter, steps=True
    )
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


def draw_meshes(session: Session) -> None:
    """Draw a row for each part of each mesh: eye, name, triangles; the tooltip has the material."""
    active, chosen = session.active, session.selected
    if active is None:
        widgets.quiet("No file is open")
        return
    character, outliner = active.character, session.interface.outliner
    if not searched_meshes(character.model):
        widgets.quiet("No meshes")
        return
    outliner.filter_meshes, takes_first, _ = widgets.search_field(
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
    draw_row = partial(_mesh_row, session, active, listed, at)
    row_list.draw(session, "mesh list", len(listed), at, draw_row)


def _mesh_row(
    session: Session, active: OpenedCharacter, listed: list[MeshRow], at: int, k: int
) -> None:
    """Draw a part: eye, name, findings and number of triangles."""
    row, character = listed[k], active.character
    em, tall, part = widgets.em(), imgui.get_frame_height(), row.part
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    branch, palette = part[0] in character.hidden_joints, theme.palette()
    hidden = branch or part in character.hidden_parts
    if row_list.eye(session, f"eye {row.name}", EYE_OF_MESH, hidden=hidden, always=True):
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


@dataclass(slots=True)
class MorphList:
    """The rows as they were sorted last, and what they depended on."""

    asked: tuple[object, ...] = ()
    rows: list[MorphRow] = field(default_factory=list)


def draw_morphs(session: Session) -> None:
    """Draw a search field, the order, a button that resets all weights, and a slider for each."""
    character, outliner = session.character, session.interface.outliner
    if character is None:
        widgets.quiet("No file is open")
        return
    if not searched_morphs(character.model):
        widgets.quiet("No morph targets")
        return
    outliner.filter_morphs, _, _ = widgets.search_field(
        session, "search morphs", outliner.filter_morphs
    )
    outliner.morph_order = widgets.segments(
        session, "order of morphs", ORDERS, outliner.morph_order
    )
    listed = _in_order(session, character)
    with widgets.Disabled(bool(np.isnan(character.override).all())):
        if widgets.button(session, "release morphs", f"{icons.UNDO}  Reset to the clip", -1.0):
            session.editor.drag_morph(None, math.nan, "Reset of morph weights")
    if not listed:
        widgets.quiet("No matching morph targets")
        return

    reaches = _reaches(session, character) if outliner.morph_order == "effect" else {}

    def row(k: int) -> None:
        _morph_row(session, character, listed[k], reaches)

    row_list.draw(session, "morph list", len(listed), -1, row, GAP)


def _in_order(session: Session, character: Character) -> list[MorphRow]:
    """Return the rows in the chosen order, which rests while something is dragged."""
    outliner, state = session.interface.outliner, session.interface.of(MorphList)
    rows = searched_morphs(character.model, outliner.filter_morphs)
    values, order = character.pose.values, outliner.morph_order
    asked = character.model, order, outliner.filter_morphs, session.selected
    if not (imgui.is_any_item_active() and is_same(asked, state.asked)):
        reaches = _reaches(session, character) if order == "effect" else {}
        state.asked, state.rows = asked, sorted_morphs(rows, order, values, reaches)
    return state.rows


def _reaches(session: Session, character: Character) -> dict[int, float]:
    effects = morph_effects(character, session.selected)
    return {effect.value: effect.reach for effect in effects}


def _morph_row(
    session: Session, character: Character, row: MorphRow, reaches: dict[int, float]
) -> None:
    """Draw the name of a mesh, or the slider of a target, coloured if it overrides the clip.

    Where `reaches` has the target, the slider says how far that moves the selection.
    """
    if row.value < 0:
        shown = widgets.shortened(row.label, imgui.get_content_region_avail().x)
        widgets.label(shown, theme.palette().quiet)
        return
    held = not math.isnan(character.override[row.value])
    now = float(character.pose.values[row.value])
    reach = reaches.get(row.value, 0.0)
    shown = moved_text(reach, now) if reach else f"{now:.2f}"
    tall, palette = imgui.get_frame_height(), theme.palette()
    new = widgets.slider(
        session,
        f"morph {row.value}",
        (row.label, shown),
        now,
        (min(0.0, now), max(1.0, now)),
        imgui.get_content_region_avail().x - tall,
        color=palette.accent if held else palette.quiet,
        tip=f"{row.label}: drag to override the clip; right click to reset",
    )
    if new != now:
        session.editor.drag_morph(row.value, new, f"Morph {row.label}")
    reset = imgui.is_item_clicked(imgui.MouseButton_.right)
    if held:
        imgui.same_line(0.0, 0.0)
        with widgets.Colored((imgui.Col_.button, widgets.CLEAR_COLOR)):
            reset |= widgets.toggle(
                session, f"reset morph {row.value}", icons.UNDO, False, "Reset to the clip", tall
            )
    if reset and held:
        session.editor.drag_morph(row.value, math.nan, f"Reset of morph {row.label}")
