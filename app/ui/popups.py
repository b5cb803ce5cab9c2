"""Pop-ups: help page, error, unsaved changes, go to frame, open a file."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from imgui_bundle import imgui

from ..errors import AppError
from ..session import motion_saving
from ..session.clip_import import dropped_files
from ..session.clip_import.add_clips import add_clips
from ..session.commands import keys_file
from ..session.commands.actions import ACTIONS, GROUPS, MOUSE_HELP, action, keys_of
from ..session.opened_character import OpenedCharacter
from ..session.session import Leaving, Session
from ..session.ui_state import Popup
from ..wording import joined
from . import command_list, icons, shortcuts, theme, widgets
from .clip_import import drop_choice
from .export import export_dialog

KEYS_WIDTH, LABEL_WIDTH = 9.5, 14.5  # font heights: columns of the help page
HELP_COLUMNS = (("Playback", "Edit", "Help"), ("File", "Characters", "Mouse"), ("Camera", "View"))
HELP_TWO_COLUMNS = (("Playback", "Characters", "File", "Edit", "Help"), ("Camera", "View", "Mouse"))
HELP_ONE_COLUMN = (tuple(group for groups in HELP_TWO_COLUMNS for group in groups),)
LISTED = 5  # names in a sentence, at most
_FLAGS = (
    imgui.WindowFlags_.always_auto_resize
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_move
)


def draw(session: Session) -> None:
    """Draw the open pop-up, if any, and close one that is no longer wanted."""
    session.interface.list_in_popup = False
    if not (session.interface.popup or imgui.is_popup_open("", imgui.PopupFlags_.any_popup)):
        return
    for name, (words, body) in POPUPS.items():
        wanted = session.interface.popup == name
        title = f"{session.interface.error_title if name == 'error' else words}###{name}"
        if wanted and not imgui.is_popup_open(title):
            imgui.open_popup(title)
        if not imgui.is_popup_open(title):
            continue
        area = imgui.get_main_viewport()
        middle = area.get_center()
        imgui.set_next_window_pos(middle, imgui.Cond_.always, imgui.ImVec2(0.5, 0.5))
        imgui.set_next_window_size_constraints((0.0, 0.0), (area.size.x, area.size.y))
        visible, opened = imgui.begin_popup_modal(title, True, _FLAGS)
        if not visible:
            continue
        if wanted:
            body(session)
            above = imgui.is_popup_open("", imgui.PopupFlags_.any_popup_id)
            session.interface.list_in_popup = above
            if not opened:
                session.interface.popup = ""
        if session.interface.popup != name:
            imgui.close_current_popup()
        imgui.end_popup()


def _close_button(session: Session, label: str = "Close") -> None:
    imgui.spacing()
    if widgets.button(session, f"{label} pop-up", label, 6.0 * widgets.em()):
        session.interface.popup = ""


def _help(session: Session) -> None:
    width = (KEYS_WIDTH + LABEL_WIDTH + 1.0) * widgets.em()
    fit = (imgui.get_main_viewport().size.x - 3.0 * widgets.em()) / width
    columns = HELP_COLUMNS if fit >= 3.0 else HELP_TWO_COLUMNS if fit >= 2.0 else HELP_ONE_COLUMN
    if not imgui.begin_table("keys", len(columns), imgui.TableFlags_.sizing_fixed_fit):
        return
    for title, *_ in columns:
        imgui.table_setup_column(title, imgui.TableColumnFlags_.width_fixed, width)
    for groups in columns:
        imgui.table_next_column()
        for group in groups:
            imgui.text_colored(theme.palette().accent, group)
            _rows(session, group)
            imgui.spacing()
    imgui.end_table()
    _keys_file(session)
    _close_button(session)


def _keys_file(session: Session) -> None:
    """Draw the path of the keys file, and a button that writes it."""
    path = keys_file.keys_path()
    room = imgui.get_content_region_avail().x - 10.0 * widgets.em()
    widgets.quiet(f"Keys of your own: {widgets.shortened(str(path), room)}")
    widgets.hint(str(path))
    if not path.exists() and imgui.button("Write this file with all keys"):
        try:
            keys_file.write_template(ACTIONS)
        except AppError as error:
            session.fail(error, "The keys file cannot be written")
    widgets.mark(session, "keys file")


def help_rows(session: Session, group: str) -> list[tuple[str, str]]:
    """Return keys and label of each action of a group; of "Mouse" the mouse controls."""
    if group not in GROUPS:
        return list(MOUSE_HELP[session.settings.mouse])
    rows = [(keys_of(session, each), each.label) for each in ACTIONS if each.group == group]
    return [(" or ".join(map(shortcuts.shown, keys)), label) for keys, label in rows if keys]


def _rows(session: Session, group: str) -> None:
    em = widgets.em()
    if imgui.begin_table(f"rows {group}", 2, imgui.TableFlags_.sizing_fixed_fit):
        imgui.table_setup_column("keys", imgui.TableColumnFlags_.width_fixed, KEYS_WIDTH * em)
        imgui.table_setup_column("what", imgui.TableColumnFlags_.width_fixed, LABEL_WIDTH * em)
        for chords, label in help_rows(session, group):
            imgui.table_next_row()
            imgui.table_next_column()
            widgets.quiet(chords)
            imgui.table_next_column()
            imgui.text(label)
        imgui.end_table()


def _error(session: Session) -> None:
    imgui.text_colored(theme.palette().warning, icons.WARNING)
    imgui.same_line()
    widgets.wrapped(session.interface.error)
    _close_button(session)


def _unsaved(session: Session) -> None:
    """Ask whether to save unsaved changes."""
    interface, leaving = session.interface, session.interface.of(Leaving)
    unsaved = [character for character in leaving.unsaved if character.editor.dirty]
    names = [_motion_name(character) for character in unsaved]
    widgets.wrapped(f"Save the changes to {listed(names)}?")
    if leaving.note:
        widgets.quiet(leaving.note)
    imgui.spacing()
    wide = 7.0 * widgets.em()
    if imgui.is_window_appearing():
        imgui.set_keyboard_focus_here()
    save = widgets.button(session, "Save pop-up", "Save", wide)
    imgui.same_line()
    discard = widgets.button(session, "Discard pop-up", "Discard", wide)
    imgui.same_line()
    cancel = widgets.button(session, "Cancel pop-up", "Cancel", wide)
    if not (save or discard or cancel):
        return
    leave, leaving.leave = leaving.leave, None
    interface.popup = ""
    if save:
        motion_saving.save_all(session, unsaved, leave or (lambda: None))
        return
    if discard:
        for character in unsaved:
            character.editor.discard()
    if leave is not None and not cancel:
        leave()


def _motion_name(opened_character: OpenedCharacter) -> str:
    path = motion_saving.motion_file(opened_character)
    return "the motion file" if path is None else path.name


def _save_as(session: Session) -> None:
    """Ask for the path of a motion file; an existing file is replaced by button only."""
    asked = session.interface.of(motion_saving.NewName)
    if asked.opened_character is not None and motion_saving.needs_name(asked.opened_character):
        widgets.quiet("The bundled motion file is not changed: save the motion under another name")
    asked.path, entered = _path_field(session, "motion path", asked.path, 30.0 * widgets.em())
    typed = asked.path.strip()
    path = motion_saving.with_suffix(Path(typed)) if typed else None
    exists = path is not None and path.is_file()
    imgui.same_line()
    pressed = widgets.button(session, "save as pop-up", "Replace" if exists else "Save")
    if exists:
        widgets.quiet("This file exists")
    if path is not None and (pressed or (entered and not exists)):
        session.interface.popup = ""
        motion_saving.finish(session, path)


def _path_field(session: Session, name: str, path: str, width: float) -> tuple[str, bool]:
    """Draw the field of a path, which has the focus; return it, and whether Enter was pressed."""
    if imgui.is_window_appearing():
        imgui.set_keyboard_focus_here()
    return widgets.text_field(session, name, path, width), widgets.entered()


def listed(names: list[str]) -> str:
    """Return names joined for a sentence; beyond `LISTED` only their count."""
    if len(names) > LISTED:
        names = [*names[: LISTED - 1], f"{len(names) - LISTED + 1} more"]
    return joined(names)


def _go_to_frame(session: Session) -> None:
    first, last = session.transport.frames
    numbers = f"{first} or later" if last is None else f"{first} to {last}"
    widgets.quiet(f"{numbers}, at {session.frame_rate:g} frames per second")
    if imgui.is_window_appearing():
        imgui.set_keyboard_focus_here()
    imgui.set_next_item_width(10.0 * widgets.em())
    entered, number = imgui.input_int(
        "##frame", session.interface.frame, 1, 10, imgui.InputTextFlags_.enter_returns_true
    )
    widgets.mark(session, "frame number")
    session.interface.frame = number
    imgui.same_line()
    if imgui.button("Go") or entered:
        session.transport.go_to_frame(number)
        session.interface.popup = ""


@dataclass(slots=True)
class TypedPath:
    """What is typed in the pop-up that replaces a file dialog."""

    path: str = ""


def _open(session: Session) -> None:
    with widgets.Colored((imgui.Col_.text, theme.palette().quiet)):
        widgets.wrapped("This system has no file dialog: type the path of a file, or drop it here")
    room = imgui.get_main_viewport().size.x - 10.0 * widgets.em()
    asked, width = session.interface.of(TypedPath), min(30.0 * widgets.em(), room)
    asked.path, entered = _path_field(session, "path", asked.path, width)
    imgui.same_line()
    if (imgui.button("Open") or entered) and asked.path.strip():
        path = Path(asked.path.strip()).expanduser()
        take = _TAKE[session.interface.popup]
        session.interface.popup = ""
        take(session, path)


_TAKE: dict[str, Callable[[Session, Path], object]] = {
    "open": dropped_files.open_files,
    "add": dropped_files.add_files,
    "add clips": add_clips,
}
POPUPS: dict[Popup, tuple[str, Callable[[Session], None]]] = {
    "help": (action("help").label, _help),
    "error": ("Error", _error),
    "go to frame": ("Go to frame", _go_to_frame),
    "open": ("Open", _open),
    "add": ("Add", _open),
    "add clips": ("Add clips of a file", _open),
    "dropped": ("Dropped files", drop_choice.draw),
    "few joints": ("Few joints match", drop_choice.few_joints),
    "unsaved": ("Unsaved changes", _unsaved),
    "save as": ("Save the motion file", _save_as),
    "commands": ("Find a command", command_list.draw),
    "export": ("Export", export_dialog.draw),
}
