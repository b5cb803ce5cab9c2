"""The joint tree of the outliner: a click selects, marks say which joints move vertices."""

from functools import partial

from imgui_bundle import imgui

from ...model.model import Model
from ...scene.selected import Selected
from ...session.outliner import TreeRow, unfold_above
from ...session.session import Session
from .. import clips, icons, short_names, theme, widgets
from . import row_list

INDENT = 0.5  # font heights a level
MOST_INDENTED = 14  # levels


def draw(session: Session) -> None:
    """Draw the search field and the tree; Enter selects the first match, ↓ and ↑ the next ones."""
    model, active = session.model, session.active
    if model is None or active is None:
        widgets.quiet("No file is open")
        return
    outliner, folded = session.interface.outliner, session.interface.mixer_panels.folded
    outliner.filter = widgets.search_field(
        session, "search outliner", outliner.filter, f"{icons.SEARCH}  Search"
    )
    takes_first = widgets.entered() and bool(outliner.filter.strip())
    step = widgets.arrow_step()
    chosen = -1 if session.selected is None else session.selected.joint
    if outliner.scroll_to_selected and chosen >= 0:
        unfold_above(model, folded, chosen)
    listed = outliner.tree(model, folded, widgets.matches(outliner.filter))
    if not listed:
        widgets.quiet("No matching joints")
        return
    at = next((k for k, row in enumerate(listed) if row.joint == chosen), -1)
    if takes_first or step:
        at = min(max(at + step, 0), len(listed) - 1) if step and at >= 0 else 0
        session.selections.select(active, Selected(listed[at].joint))
    row_list.draw(session, "joint tree", len(listed), at, partial(_row, session, model, listed, at))


def _mark(vertices: int) -> tuple[str, str]:
    """Return the mark of a row at the right, and its meaning."""
    if vertices < 0:
        return "", "in no skin"
    if not vertices:
        return "0", "in a skin, but moves no vertex"
    return f"{vertices:,}", f"moves {vertices:,} vertices"


def _row(session: Session, model: Model, listed: list[TreeRow], at: int, k: int) -> None:
    """Draw a joint: fold arrow, name, and how many vertices it moves."""
    row, selected = listed[k], k == at
    mark = _mark(session.interface.outliner.moved(model, row.joint))
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
        interface.outliner.scroll_to_selected = False
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
