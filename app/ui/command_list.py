"""The pop-up "Find a command": a search over all actions."""

from dataclasses import dataclass

from imgui_bundle import imgui

from ..session.commands.action import Action, found_commands
from ..session.commands.actions import ACTIONS
from ..session.session import Session
from . import icons, shortcuts, theme, widgets

WIDTH, ROWS = 30.0, 14  # font heights; rows of the list
BESIDES = 4.0  # rows of the pop-up besides the list
_OMITTED = {"close", "commands"}


@dataclass(slots=True)
class CommandSearch:
    """What is searched for, and the chosen row."""

    text: str = ""
    row: int = 0


def draw(session: Session) -> None:
    """Draw the search field and the list; Enter or a click runs, the arrows choose."""
    search = session.interface.of(CommandSearch)
    if imgui.is_window_appearing():
        imgui.set_keyboard_focus_here()
        search.text, search.row = "", 0
    wide = min(WIDTH * widgets.em(), imgui.get_main_viewport().size.x - 4.0 * widgets.em())
    before = search.text
    search.text = widgets.text_field(session, "search commands", before, wide, widgets.SEARCH)
    runs, step = widgets.entered(), widgets.arrow_step()
    found = [each for each in found_commands(ACTIONS, search.text) if each.name not in _OMITTED]
    last = max(len(found) - 1, 0)
    search.row = 0 if search.text != before else search.row + step
    search.row = min(max(search.row, 0), last)
    row = imgui.get_text_line_height_with_spacing()
    room = imgui.get_main_viewport().size.y - BESIDES * imgui.get_frame_height_with_spacing()
    if imgui.begin_child("commands", (wide, min(ROWS * row, max(room, row)))):
        for number, each in enumerate(found):
            if _row(session, each, wide, chosen=number == search.row):
                search.row, runs = number, True
            if step and number == search.row:
                imgui.set_scroll_here_y(0.5)
        if not found:
            widgets.quiet("No matching commands")
    imgui.end_child()
    if runs and found:
        session.interface.popup = ""
        found[search.row].run(session)


def _row(session: Session, each: Action, wide: float, *, chosen: bool) -> bool:
    """Draw an action: its label, group and key; return whether it was clicked."""
    top = imgui.get_cursor_screen_pos()
    pressed = widgets.selectable(session, f"command {each.name}", each.label, chosen=chosen)
    key = shortcuts.first_key(session, each)
    state = icons.CHECK if each.checked is not None and each.checked(session) else ""
    quiet, right = theme.palette().quiet, top.x + wide - 1.2 * widgets.em()
    widgets.text_before(right, top.y, key, quiet)
    widgets.text_before(right - 8.0 * widgets.em(), top.y, each.group, quiet)
    if state:
        place = right - 16.0 * widgets.em(), top.y
        imgui.get_window_draw_list().add_text(place, theme.packed(quiet), state)
    return pressed
