"""The list of open characters above the clips; a single character has none."""

from imgui_bundle import imgui

from ..session.opened_character import OpenedCharacter
from ..session.session import Session
from . import icons, theme, widgets

LEAST, SHARE = 3, 0.5  # visible rows; of the panel's height
GAP = 3.0  # points between two rows
OFFSETS = (-2.0, 2.0)  # seconds, range of the slider; more can be typed
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
    widgets.label("Characters")
    imgui.same_line()
    widgets.quiet(str(len(open_characters)))
    button = imgui.get_frame_height()
    imgui.same_line(imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - button)
    widgets.icon_button(session, icons.ADD, "add", button)
    most = max(int(SHARE * widgets.room_below(session) / (button + GAP)), LEAST)
    high = min(len(open_characters), most) * (button + GAP) - GAP
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (0.0, GAP))
    if imgui.begin_child("characters", imgui.ImVec2(0.0, high)):
        for k, character in enumerate(open_characters):
            _row(session, k, character, button)
    imgui.end_child()
    imgui.pop_style_var()
    _offset(session)
    widgets.switch(session, "together")
    widgets.switch(session, "same size")
    imgui.separator()


def _offset(session: Session) -> None:
    """Draw by how much the active character plays ahead of the others."""
    active = session.active
    if active is None:
        return
    words, tip = (
        ("Start offset", f"{active.offset:.2f} s"),
        "Seconds that the character plays ahead of the others; Ctrl+click to type",
    )
    offset = widgets.slider(session, "offset", words, active.offset, OFFSETS, tip=tip)
    if offset != active.offset:
        session.show(active, "offset", offset=round(offset, 2))
    if imgui.is_item_deactivated():
        session.history.close()


def _drop_down(session: Session, open_characters: list[OpenedCharacter]) -> None:
    words = {k: _named(k, each) for k, each in enumerate(open_characters)}
    now = -1 if session.active is None else open_characters.index(session.active)
    chosen = widgets.choice(session, "characters", words, now)
    if chosen != now:
        session.activate(open_characters[chosen])


def _named(k: int, character: OpenedCharacter) -> str:
    """Return number and file name of a character, with a star for unsaved changes."""
    return f"{k + 1}  {'*' if character.dirty else ''}{character.name}"


def _row(session: Session, k: int, character: OpenedCharacter, height: float) -> None:
    """Draw a row: visibility, number and file name, and a button that removes the character."""
    em, active = widgets.em(), character is session.active
    button = 1.6 * em
    top, left = imgui.get_cursor_screen_pos(), imgui.get_cursor_pos_x()
    size = imgui.get_content_region_avail().x - 2.0 * button, height
    imgui.set_cursor_pos_x(left + button)
    tip = character.name if character.path is None else str(character.path)
    pressed = widgets.row(session, f"character {k + 1}", size, selected=active, tip=tip)
    if active and session.interface.scroll_to_character:
        imgui.set_scroll_here_y(0.5)
        session.interface.scroll_to_character = False
    with widgets.Colored((imgui.Col_.button, widgets.CLEAR_COLOR)):
        imgui.same_line()
        imgui.set_cursor_pos_x(left)
        icon = icons.HIDDEN if character.hidden else icons.VISIBLE
        words = "Show" if character.hidden else "Hide; its place stays free"
        if widgets.toggle(session, f"hide {k + 1}", icon, False, words, button):
            session.show(character, hidden=not character.hidden)
        imgui.same_line(left + button + size[0])
        words = "Remove from the scene"
        if widgets.toggle(session, f"remove {k + 1}", icons.REMOVE, False, words, button):
            session.remove(character)
    lines, x = imgui.get_window_draw_list(), top.x + button
    ink = theme.palette().quiet if character.hidden else theme.palette().text
    place = x + 0.5 * em, top.y + (height - em) / 2.0
    name = widgets.shortened(_named(k, character), size[0] - 0.8 * em)
    lines.add_text(place, theme.packed(ink), name)
    if active:
        low, high = (x, top.y), (x + 3.0, top.y + height)
        lines.add_rect_filled(low, high, theme.packed(theme.palette().accent))
    if pressed:
        session.activate(character)
