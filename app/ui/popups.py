"""Pop-ups: help, error, unsaved changes, names and paths of files, dropped files, commands."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from imgui_bundle import imgui

from ..errors import AppError
from ..session import attaching, character_files, motion_saving
from ..session.clip_import import add_clips, dropped_files
from ..session.clip_import.dropped_files import can_give_clips
from ..session.clip_import.mapping_rows import ClipImportView
from ..session.commands import keys_file
from ..session.commands.actions import ACTIONS, GROUPS, MOUSE_HELP, action, keys_of
from ..session.search import paths_after
from ..session.session import Leaving, Session
from ..session.ui_state import Popup
from ..wording import counted, joined
from . import command_list, icons, material_rows, shortcuts, theme, widgets
from .export import export_dialog

KEYS_WIDTH, LABEL_WIDTH = 9.5, 14.5  # font heights: columns of the help page
HELP_COLUMNS = (("Playback", "Edit", "Help"), ("File", "Characters", "Mouse"), ("Camera", "View"))
HELP_TWO_COLUMNS = (("Playback", "Characters", "File", "Edit", "Help"), ("Camera", "View", "Mouse"))
HELP_ONE_COLUMN = (tuple(group for groups in HELP_TWO_COLUMNS for group in groups),)
LISTED_PATHS = 300
LISTED = 5  # names in a sentence, at most
_FLAGS = (
    imgui.WindowFlags_.always_auto_resize
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_move
)
CHOICE_WIDTH = 24.0  # font heights: of a button
NAMED = 3  # files that are named; more are counted


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
        widgets.measure_new(session)
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
    unsaved = [character for character in leaving.unsaved if character.dirty]
    paths = [motion_saving.motion_file(each) for each in unsaved if each.editor.dirty]
    names = ["the motion file" if path is None else path.name for path in paths]
    names += [f"{each.name} ({each.changes.words})" for each in unsaved if each.changes.dirty]
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
            for editor in character.editors:
                editor.discard()
    if leave is not None and not cancel:
        leave()


def _save_as(session: Session) -> None:
    """Ask for the path of a file; an existing file is replaced by button only."""
    asked = session.interface.of(motion_saving.NewName)
    own = asked.opened_character
    if own is not None and asked.model:
        widgets.quiet(own.changes.words)
    elif own is not None and motion_saving.needs_name(own):
        widgets.quiet("The bundled motion file is not changed: save the motion under another name")
    asked.path, entered = _path_field(session, "motion path", asked.path, 30.0 * widgets.em())
    path = asked.typed()
    exists = path is not None and path.is_file()
    imgui.same_line()
    pressed = widgets.button(session, "save as pop-up", "Replace" if exists else "Save")
    if path is not None and exists:
        is_source = (
            own is not None and own.path is not None and path.absolute() == own.path.absolute()
        )
        widgets.quiet("This is the open file" if is_source else "This file exists")
    if path is not None and (pressed or (entered and not exists)):
        session.interface.popup = ""
        motion_saving.finish(session, path)


def _path_field(
    session: Session,
    name: str,
    path: str,
    width: float,
    complete: Callable[[imgui.InputTextCallbackData], int] | None = None,
) -> tuple[str, bool]:
    """Draw the field of a path, which has the focus; return it, and whether Enter was pressed.

    Its text is selected at first. `complete` is called when Tab is pressed.
    """
    if imgui.is_window_appearing():
        imgui.set_keyboard_focus_here()
    flags = imgui.InputTextFlags_.auto_select_all
    if complete is not None:
        flags |= imgui.InputTextFlags_.callback_completion
    path = widgets.text_field(session, name, path, width, flags=flags, callback=complete)
    return path, widgets.entered()


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
    """What is typed in the pop-up that replaces a file dialog.

    Attributes
    ----------
    before
        The path that `listed` continues.
    """

    path: str = ""
    before: str | None = None
    listed: tuple[str, ...] = ()

    def complete(self, data: imgui.InputTextCallbackData) -> int:
        """Complete the text of the active field, as far as all listed paths agree."""
        common = os.path.commonprefix(self.listed)  # noqa: RUF071 - of characters
        if len(common.encode()) > data.buf_text_len:
            data.delete_chars(0, data.buf_text_len)
            data.insert_chars(0, common)
        return 0


def _open(popup: dropped_files.Asked, session: Session) -> None:
    with widgets.Colored((imgui.Col_.text, theme.palette().quiet)):
        words = "type the path of a file (Tab completes it), choose one, or drop it here"
        widgets.wrapped(f"This system has no file dialog: {words}")
    room = imgui.get_main_viewport().size.x - 10.0 * widgets.em()
    asked, width = session.interface.of(TypedPath), min(30.0 * widgets.em(), room)
    if imgui.is_window_appearing():
        asked.before = None  # files may be new
        folder = Path.cwd() if session.path is None else session.path.absolute().parent
        asked.path = asked.path or f"{folder}/"
    asked.path, entered = _path_field(session, "path", asked.path, width, asked.complete)
    imgui.same_line()
    opened = imgui.button("Open") or entered
    chosen = _listed_paths(session, asked, width)
    if chosen:
        asked.path, opened = chosen, not chosen.endswith("/")
    path = Path(asked.path.strip()).expanduser()
    if opened and asked.path.strip() and not path.is_dir():
        _, take = dropped_files.TAKES[popup]
        session.interface.popup = ""
        take(session, path)


def _listed_paths(session: Session, asked: TypedPath, width: float) -> str:
    """Draw the folders and files that continue the typed path; return the clicked one, if any."""
    if asked.before != asked.path:
        suffixes = character_files.SUFFIXES + dropped_files.ENVIRONMENTS
        asked.before, asked.listed = asked.path, tuple(paths_after(asked.path, suffixes))
    chosen = ""
    high = command_list.ROWS * imgui.get_text_line_height_with_spacing()
    if imgui.begin_child("paths", (width, high)):
        for each in asked.listed[:LISTED_PATHS]:
            name = each.rstrip("/").rpartition("/")[2] + each[len(each.rstrip("/")) :]
            icon = icons.OPEN if each.endswith("/") else icons.FILE
            if widgets.selectable(session, f"path {name}", f"{icon}  {name}"):
                chosen = each
        if len(asked.listed) > LISTED_PATHS:
            widgets.quiet(f"{len(asked.listed) - LISTED_PATHS} more")
        elif not asked.listed:
            widgets.quiet("Nothing that can be opened")
    imgui.end_child()
    return chosen


def _dropped(session: Session) -> None:
    """Draw a button for each thing that can be done with the dropped files."""
    paths = session.interface.of(ClipImportView).dropped
    active = session.active
    if active is None or not paths:
        session.interface.popup = ""
        return
    many = len(paths) > 1
    widgets.quiet(_names(paths, CHOICE_WIDTH * widgets.em()))
    imgui.spacing()
    if imgui.is_window_appearing():
        imgui.set_keyboard_focus_here()
    if _choice_button(session, "Open", "drop open", "Close what is open and show it instead"):
        character_files.try_open(session, *paths)
    hint = "Show it next to what is open; Shift+drop does the same"
    if _choice_button(session, "Add beside", "drop add", hint):
        character_files.try_add(session, *paths)
    chosen = session.selections.current
    if chosen is not None and chosen.is_joint and not many:
        hint = "It moves with the joint, and is kept in the motion file"
        if _choice_button(session, f"Attach to {chosen.name}", "drop attach", hint):
            attaching.attach(session, *paths)
    if not can_give_clips(session, paths):
        return
    words = f"Add {'their' if many else 'its'} clips to {active.name}"
    hint = "Joints are matched by name; a drop on the list of clips does the same"
    if _choice_button(session, words, "drop clips", hint):
        add_clips.add_clips(session, *paths)


def _few_joints(session: Session) -> None:
    """Say how many joints match, and ask whether to add the clips nevertheless."""
    own = add_clips.asking(session)
    asked = None if own is None else own.clip_import
    if asked is None or asked.found is None:
        session.interface.popup = ""
        return
    for each in asked.new(asked.found[1]):
        name = Path(each.file).name
        text = f"{name}: only {len(each.matched)} of {counted(each.total, 'joint')} match."
        widgets.wrapped(text if each.few else f"{name}: {each.summary}.")
    with widgets.Colored((imgui.Col_.text, theme.palette().quiet)):
        widgets.wrapped("The others stay in the rest pose. The mapping can be edited after adding.")
    imgui.spacing()
    wide = 8.0 * widgets.em()
    added = widgets.button(session, "few joints add", "Add the clips", wide)
    imgui.same_line()
    cancelled = widgets.button(session, "few joints cancel", "Cancel", wide)
    if added or cancelled:
        session.interface.popup = ""
        add_clips.accept_few(session, accepted=added)


def _choice_button(session: Session, label: str, name: str, hint: str) -> bool:
    """Draw a wide button that closes the pop-up; return whether it was pressed."""
    wide = CHOICE_WIDTH * widgets.em()
    shown = widgets.shortened(label, wide - 2.0 * widgets.em())
    tip = hint if shown == label else f"{label}. {hint}"
    pressed = widgets.button(session, name, shown, wide, tip)
    if pressed:
        session.interface.popup = ""
    return pressed


def _names(paths: tuple[Path, ...], room: float) -> str:
    if len(paths) > NAMED:
        return counted(len(paths), "file")
    return widgets.shortened(joined([path.name for path in paths]), room)


POPUPS: dict[Popup, tuple[str, Callable[[Session], None]]] = {
    "help": (action("help").label, _help),
    "error": ("Error", _error),
    "go to frame": ("Go to frame", _go_to_frame),
    "open": ("Open", partial(_open, "open")),
    "add": ("Add", partial(_open, "add")),
    "add clips": ("Add clips of a file", partial(_open, "add clips")),
    "attach": ("Attach a file to the selected joint", partial(_open, "attach")),
    "dropped": ("Dropped files", _dropped),
    "few joints": ("Few joints match", _few_joints),
    "unsaved": ("Unsaved changes", _unsaved),
    "save as": ("Save under a name", _save_as),
    "commands": ("Find a command", command_list.draw),
    "export": ("Export", export_dialog.draw),
    "texture": ("Texture", material_rows.draw_large),
}
