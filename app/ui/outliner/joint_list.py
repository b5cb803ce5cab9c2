"""The joint tree of the outliner: a click selects, marks say which joints move vertices."""

import numpy as np
from imgui_bundle import imgui

from ...model.model import Model
from ...model.skin_joints import moved_vertices, weighted_joints
from ...scene.selected import Selected
from ...session.session import Session
from .. import clips, icons, short_names, theme, widgets
from .joint_tree import Row, rows, unfold_above

INDENT = 0.5  # font heights a level
MOST_INDENTED = 14  # levels


def draw(session: Session) -> None:
    """Draw the search field and the tree; Enter selects the first match, ↓ and ↑ the next ones."""
    model, active = session.model, session.active
    if model is None or active is None:
        widgets.quiet("No file is open")
        return
    interface = session.interface
    interface.filter_outliner = widgets.search_field(
        session, "search outliner", interface.filter_outliner, f"{icons.SEARCH}  Search"
    )
    takes_first = widgets.entered() and bool(interface.filter_outliner.strip())
    step = widgets.arrow_step()
    shown = np.zeros(model.skeleton.count, bool)
    shown[model.scene_joints] = True
    folded = interface.mixer_panels.folded
    chosen = -1 if session.selected is None else session.selected.joint
    if interface.scroll_to_selected and chosen >= 0:
        unfold_above(model, folded, chosen)
    listed = rows(model, folded, shown, interface.filter_outliner)
    if not listed:
        widgets.quiet("No matching joints")
        return
    if takes_first or step:
        joints = [row.joint for row in listed]
        at = joints.index(chosen) + step if step and chosen in joints else 0
        chosen = joints[min(max(at, 0), len(joints) - 1)]
        session.selections.select(active, Selected(chosen))
    _tree(session, model, listed, chosen)


def _tree(session: Session, model: Model, listed: list[Row], chosen: int) -> None:
    """Draw the rows that are in sight, and scroll to a new selection."""
    interface, tall = session.interface, imgui.get_frame_height()
    height = min(len(listed) * tall, max(widgets.room_below(session), 4.0 * tall))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (4.0, 0.0))
    if imgui.begin_child("joint tree", imgui.ImVec2(0.0, height), imgui.ChildFlags_.nav_flattened):
        if interface.scroll_to_selected:
            at = next((k for k, row in enumerate(listed) if row.joint == chosen), -1)
            top, low = imgui.get_scroll_y(), at * tall
            if at >= 0 and not top <= low <= top + height - tall:
                imgui.set_scroll_y(max(low - 0.5 * (height - tall), 0.0))
            interface.scroll_to_selected = False
        weighted, moved = set(weighted_joints(model)), _moved(session, model)
        clipper = imgui.ListClipper()
        clipper.begin(len(listed), tall)
        while clipper.step():
            for k in range(clipper.display_start, clipper.display_end):
                joint = listed[k].joint
                mark = _mark(joint in weighted, moved[joint])
                _row(session, model, listed[k], joint == chosen, mark)
        clipper.end()
    imgui.end_child()
    imgui.pop_style_var()


def _moved(session: Session, model: Model) -> list[int]:
    """Return the number of vertices that each joint moves, cached."""
    known = session.interface.moved
    if known is None or known[0] is not model:
        known = session.interface.moved = model, moved_vertices(model).tolist()
    return known[1]


def _mark(weighted: bool, vertices: int) -> tuple[str, str]:
    """Return the mark of a row at the right, and its meaning."""
    if vertices:
        return f"{vertices:,}", f"moves {vertices:,} vertices"
    if weighted:
        return "0", "in a skin, but moves no vertex"
    return "", "in no skin"


def _row(session: Session, model: Model, row: Row, selected: bool, mark: tuple[str, str]) -> None:
    """Draw a joint: fold arrow, name, and how many vertices it moves."""
    em, tall = widgets.em(), imgui.get_frame_height()
    interface, name = session.interface, model.skeleton.names[row.joint]
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    arrow = low.x + INDENT * em * min(row.depth, MOST_INDENTED)
    palette, lines = theme.palette(), imgui.get_window_draw_list()
    with widgets.colored(*(clips.selected() if selected else ())):
        pressed, _ = imgui.selectable(f"##joint{row.joint}", selected, 0, imgui.ImVec2(width, tall))
    widgets.mark(session, f"joint row {name}")
    widgets.hint(f"{name}: {mark[1]}")
    if pressed and row.has_children and imgui.get_io().mouse_pos.x < arrow + em:
        interface.mixer_panels.folded ^= {row.joint}
    elif pressed and session.active is not None:
        session.selections.select(session.active, Selected(row.joint))
        interface.scroll_to_selected = False
    y = low.y + imgui.get_style().frame_padding.y
    if row.has_children:
        icon = icons.CLOSED if row.joint in interface.mixer_panels.folded else icons.OPENED
        lines.add_text((arrow, y), theme.packed(palette.quiet), icon)
    taken = imgui.calc_text_size(mark[0]).x
    room = low.x + width - arrow - em - taken - 0.8 * em
    shown = widgets.shortened(name.removeprefix(short_names.joint_prefix(model)), room)
    ink = palette.text if mark[0] else palette.quiet
    lines.add_text((arrow + em, y), theme.packed(ink), shown)
    lines.add_text((low.x + width - taken - 0.3 * em, y), theme.packed(palette.quiet), mark[0])
