"""The list of open characters above the clips, and a caption below each character.

A single character has neither.
"""

from collections.abc import Iterator

import numpy as np
from imgui_bundle import imgui

from ..images.label_layout import Box, first_free
from ..session.open_character import OpenCharacter
from ..session.session import Session
from . import clips, icons, joint_names, theme, widgets

ROWS, FEW_ROWS = 6, 3  # visible rows; while the mixer is open
GAP = 3.0  # points between two rows
LOW = 36.0  # font heights: a lower window shows a drop-down instead of a list


def draw(session: Session) -> None:
    """Draw the list; a click on a character makes it active.

    In a low window it is a drop-down; the other commands are in the menu.
    """
    open_characters = session.open_characters
    if len(open_characters) < 2:
        return
    if imgui.get_main_viewport().size.y < LOW * widgets.em():
        _drop_down(session, open_characters)
        return
    imgui.align_text_to_frame_padding()
    imgui.text("Characters")
    imgui.same_line()
    widgets.quiet(str(len(open_characters)))
    button = imgui.get_frame_height()
    imgui.same_line(imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - button)
    widgets.icon_button(session, icons.ADD, "add", button)
    most = FEW_ROWS if session.interface.mixer_panels.shown else ROWS
    high = min(len(open_characters), most) * (button + GAP) - GAP
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (0.0, GAP))
    if imgui.begin_child("characters", imgui.ImVec2(0.0, high)):
        for k, character in enumerate(open_characters):
            _row(session, k, character, button)
    imgui.end_child()
    imgui.pop_style_var()
    widgets.switch(session, "together")
    widgets.switch(session, "same size")
    imgui.separator()


def _drop_down(session: Session, open_characters: list[OpenCharacter]) -> None:
    words = {str(k): _named(k, open_character) for k, open_character in enumerate(open_characters)}
    now = "" if session.active is None else str(open_characters.index(session.active))
    chosen = widgets.choice(session, "characters", words, now)
    if chosen != now:
        session.activate(open_characters[int(chosen)])


def _named(k: int, character: OpenCharacter) -> str:
    """Return number and file name of a character, with a star for unsaved changes."""
    return f"{k + 1}  {'*' if character.editor.dirty else ''}{character.name}"


def _row(session: Session, k: int, character: OpenCharacter, height: float) -> None:
    """Draw a row: visibility, number and file name, and a button that removes the character."""
    em, active = widgets.em(), character is session.active
    button, clear = 1.6 * em, (0.0, 0.0, 0.0, 0.0)
    top, left = imgui.get_cursor_screen_pos(), imgui.get_cursor_pos_x()
    size = imgui.ImVec2(imgui.get_content_region_avail().x - 2.0 * button, height)
    imgui.set_cursor_pos_x(left + button)
    with widgets.colored(*(clips.selected() if active else ())):
        pressed, _ = imgui.selectable(f"##character{k}", active, 0, size)
    widgets.mark(session, f"character {k + 1}")
    widgets.hint(character.name if character.path is None else str(character.path))
    if active and session.interface.scroll_to_character:
        imgui.set_scroll_here_y(0.5)
        session.interface.scroll_to_character = False
    with widgets.colored((imgui.Col_.button, clear)):
        imgui.same_line()
        imgui.set_cursor_pos_x(left)
        icon = icons.HIDDEN if character.hidden else icons.VISIBLE
        words = "Show" if character.hidden else "Hide; its place stays free"
        if widgets.toggle(session, f"hide {k + 1}", icon, False, words, button):
            session.show(character, hidden=not character.hidden)
        imgui.same_line(left + button + size.x)
        words = "Remove from the scene"
        if widgets.toggle(session, f"remove {k + 1}", icons.REMOVE, False, words, button):
            session.remove(character)
    lines, x = imgui.get_window_draw_list(), top.x + button
    ink = theme.palette().quiet if character.hidden else theme.palette().text
    place = imgui.ImVec2(x + 0.5 * em, top.y + (height - em) / 2.0)
    name = widgets.shortened(_named(k, character), size.x - 0.8 * em)
    lines.add_text(place, theme.packed(ink), name)
    if active:
        low, high = imgui.ImVec2(x, top.y), imgui.ImVec2(x + 3.0, top.y + height)
        lines.add_rect_filled(low, high, theme.packed(theme.palette().accent))
    if pressed:
        session.activate(character)


def captions(session: Session) -> None:
    """Draw the file name below each character; the active one's has a border."""
    session.interface.viewport.captions = ()
    open_characters = [character for character in session.open_characters if not character.hidden]
    compared = session.comparison.mode is not None  # they are at the same place
    if len(session.open_characters) < 2 or session.interface.hidden or compared:
        return
    left, top, right, bottom = session.interface.viewport.box
    size = np.array([right - left, bottom - top])
    camera, floor = session.scene.camera.used, session.scene.bounds.floor
    feet = np.array(
        [each.edge_on_floor(floor, camera.direction()) for each in open_characters]
    ).reshape(-1, 3)
    with np.errstate(invalid="ignore"):
        seen = session.scene.camera.used.project(feet, float(size[0] / max(size[1], 1.0)))
    order = sorted(
        range(len(open_characters)), key=lambda k: open_characters[k] is not session.active
    )
    lines, em = imgui.get_background_draw_list(), widgets.em()
    taken: list[Box] = []
    lines.push_clip_rect(imgui.ImVec2(left, top), imgui.ImVec2(right, bottom))
    for k in order:
        if not np.isfinite(seen[k]).all() or abs(seen[k, 0] - 0.5) > 0.5 or seen[k, 1] < 0.0:
            continue
        text = widgets.shortened(open_characters[k].name, 12.0 * em)
        x, y = (seen[k, :2] * size + (left, top)).tolist()
        wide = imgui.calc_text_size(text).x
        below = _lines_below(x - wide / 2.0, min(y + 0.4 * em, bottom - 1.6 * em), wide, bottom)
        spot = first_free(below, taken, joint_names.GAP)
        if spot is None:
            continue
        taken.append(spot)
        if session.interface.widget_boxes is not None:
            number = session.open_characters.index(open_characters[k]) + 1
            session.interface.widget_boxes[f"caption {number}"] = spot
        low, high = imgui.ImVec2(spot[0] - 5, spot[1] - 2), imgui.ImVec2(spot[2] + 5, spot[3] + 3)
        lines.add_rect_filled(low, high, theme.packed(theme.palette().bar, 0.62), 3.0)
        active = open_characters[k] is session.active
        if active:
            lines.add_rect(low, high, theme.packed(theme.palette().accent), 3.0, 1.5)
        ink = theme.packed(theme.palette().text if active else theme.palette().quiet)
        lines.add_text(imgui.ImVec2(spot[0], spot[1]), ink, text)
    session.interface.viewport.captions = tuple(taken)
    lines.pop_clip_rect()


def _lines_below(x: float, y: float, wide: float, bottom: float) -> Iterator[Box]:
    """Yield the boxes of a caption at a point and in the lines below it."""
    em = widgets.em()
    while y <= bottom - 1.5 * em:
        yield round(x), round(y), round(x + wide), round(y + em)
        y += 1.6 * em
