"""The wall of a folder: its files as thumbnails, in place of the scene and its panels."""

from pathlib import Path

from imgui_bundle import imgui

from ..session.commands.actions import action
from ..session.file_wall import FilePictures, FileWall, open_entry, show_wall
from ..session.session import Session
from ..wording import counted
from . import icons, side_panels, theme, widgets

PICTURE = 10.0  # font heights: edge of a thumbnail
SEARCH = 14.0  # font heights: width of the search field
NAME = 1.4  # font heights of the name below it
_STEPS = {
    imgui.Key.left_arrow: (-1, 0),
    imgui.Key.right_arrow: (1, 0),
    imgui.Key.up_arrow: (0, -1),
    imgui.Key.down_arrow: (0, 1),
    imgui.Key.page_up: (0, -4),
    imgui.Key.page_down: (0, 4),
}


def draw(session: Session) -> bool:
    """Draw the wall below the menu bar if it is shown; return whether it is."""
    wall = session.interface.of(FileWall)
    if wall.opening is not None and wall.opening == session.path:
        wall.shown, wall.opening = False, None
    if not wall.shown or wall.folder is None:
        return False
    area, top = imgui.get_main_viewport().size, imgui.get_frame_height()
    color = theme.opaque(theme.palette().face)
    if side_panels.begin_docked(session, "Wall", (0.0, top), (area.x, area.y - top), color):
        widgets.measure_new(session)
        _head(session, wall, wall.folder)
        if imgui.begin_child("files", (0.0, 0.0)):
            _grid(session, wall)
        imgui.end_child()
    imgui.end()
    return True


def _head(session: Session, wall: FileWall, folder: Path) -> None:
    """Draw a search field, the folder, the count of its files and the way back."""
    if widgets.button(session, "wall up", icons.UP, tip="The folder above"):
        show_wall(session, folder.absolute().parent)
    imgui.same_line()
    if imgui.begin_child("wall search", (SEARCH * widgets.em(), imgui.get_frame_height())):
        search, _, _ = widgets.search_field(session, "search files", wall.search)
        if search != wall.search:
            wall.find(search)
    imgui.end_child()
    imgui.same_line()
    count = counted(len(wall.entries) - wall.folder_count, "file")
    room = imgui.get_content_region_avail().x - 16.0 * widgets.em()
    widgets.label(widgets.shortened(str(folder.absolute()), room))
    imgui.same_line()
    widgets.label(count, theme.palette().quiet)
    close = action("wall")
    words = "Back to the scene"
    widgets.at_right(f"{words}    ")
    if widgets.button(session, "wall close", words, tip=widgets.named(session, close, words)):
        wall.shown = False


def _grid(session: Session, wall: FileWall) -> None:
    """Draw the entries in rows; arrow keys choose one, Enter or a click opens it."""
    em, entries = widgets.em(), wall.entries
    if not entries:
        where = "has this in its name" if wall.search.strip() else "is in this folder"
        widgets.quiet(f"Nothing that can be opened {where}")
        return
    gap = imgui.get_style().item_spacing.x
    size, room = PICTURE * em, imgui.get_content_region_avail().x
    columns = max(int((room + gap) // (size + gap)), 1)
    _choose(session, wall, columns)
    rows = -(-len(entries) // columns)
    high = size + NAME * em + imgui.get_style().item_spacing.y
    chosen_row = wall.chosen // columns
    for row in widgets.in_sight(rows, high, chosen_row if wall.scroll else -1):
        for k in range(row * columns, min((row + 1) * columns, len(entries))):
            if k % columns:
                imgui.same_line()
            is_file, chosen = k >= wall.folder_count, k == wall.chosen
            name = f"wall {k}"
            if draw_tile(session, name, entries[k], size, is_file=is_file, chosen=chosen):
                wall.chosen = k
                open_entry(session, entries[k])
        if wall.scroll and row == chosen_row:
            imgui.set_scroll_here_y(0.5)
            wall.scroll = False


def _choose(session: Session, wall: FileWall, columns: int) -> None:
    """Move the choice by arrow keys; Enter opens what is chosen."""
    last = len(wall.entries) - 1
    wall.chosen = min(wall.chosen, last)
    if (
        imgui.is_any_item_active()
        or session.interface.popup
        or imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
    ):
        return
    for key, (right, down) in _STEPS.items():
        if imgui.is_key_pressed(key):
            wall.chosen = min(max(wall.chosen + right + down * columns, 0), last)
            wall.scroll = True
    keys = imgui.Key.enter, imgui.Key.keypad_enter
    if any(imgui.is_key_pressed(key, False) for key in keys):
        open_entry(session, wall.entries[wall.chosen])


def draw_tile(
    session: Session,
    name: str,
    path: Path,
    size: float,
    *,
    is_file: bool = True,
    chosen: bool = False,
) -> bool:
    """Draw a file or folder as a picture with its name; return whether it was clicked.

    While there is no picture an icon takes its place, and for a file that cannot be drawn the
    reason.

    Parameters
    ----------
    size
        Edge of the picture, points.
    """
    em, low = widgets.em(), imgui.get_cursor_screen_pos()
    pressed = widgets.area(session, name, (size, size + NAME * em))
    hovered, lines, palette = imgui.is_item_hovered(), imgui.get_window_draw_list(), theme.palette()
    high = imgui.ImVec2(low.x + size, low.y + size)
    rounding = imgui.get_style().frame_rounding
    lines.add_rect_filled(low, high, theme.packed(palette.field), rounding)
    pictures = session.interface.of(FilePictures)
    texture = pictures.texture(path) if is_file else None
    reason = pictures.failed.get(pictures.key(path), "") if is_file else ""
    if texture is not None:
        lines.add_image(imgui.ImTextureRef(texture), low, high)
    elif reason:
        _reason(low, size, reason)
    else:
        middle = (low.x + (size - em) / 2.0, low.y + (size - em) / 2.0)
        icon = icons.FILE if is_file else icons.OPEN
        lines.add_text(middle, theme.packed(palette.quiet), icon)
    if hovered or chosen:
        lines.add_rect(low, high, theme.packed(palette.accent), rounding, 2.0)
    ink = palette.accent if hovered else palette.text
    words = widgets.shortened(path.name, size)
    lines.add_text((low.x, high.y + 0.2 * em), theme.packed(ink), words)
    widgets.hint(f"{path}\n{reason}".rstrip())
    return pressed


def _reason(low: imgui.ImVec2, size: float, reason: str) -> None:
    """Draw why a file has no picture, over the last widget."""
    em, palette, lines = widgets.em(), theme.palette(), imgui.get_window_draw_list()
    pad = 0.5 * em
    lines.add_text((low.x + pad, low.y + pad), theme.packed(palette.warning), icons.WARNING)
    clip = imgui.ImVec4(low.x, low.y, low.x + size - pad, low.y + size - pad)
    font, place = imgui.get_font(), imgui.ImVec2(low.x + pad, low.y + pad + 1.4 * em)
    color = theme.packed(palette.quiet)
    lines.add_text(font, 0.9 * em, place, color, reason, size - 2.0 * pad, clip)
