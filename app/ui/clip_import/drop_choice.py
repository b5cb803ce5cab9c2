"""The pop-ups about files with clips: what to do with a dropped one, and few joints that match."""

from pathlib import Path

from imgui_bundle import imgui

from ...session import character_files
from ...session.clip_import import add_clips
from ...session.clip_import.import_view import ClipImportView
from ...session.session import Session
from ...wording import counted, joined
from .. import theme, widgets

WIDTH = 24.0  # font heights: of a button
NAMED = 3  # files that are named; more are counted


def draw(session: Session) -> None:
    """Draw a button for each thing that can be done with the dropped files."""
    paths = session.interface.of(ClipImportView).dropped
    active = session.active
    if active is None or not paths:
        session.interface.popup = ""
        return
    many = len(paths) > 1
    widgets.quiet(_names(paths, WIDTH * widgets.em()))
    imgui.spacing()
    if imgui.is_window_appearing():
        imgui.set_keyboard_focus_here()
    if _button(session, "Open", "drop open", "Close what is open and show it instead"):
        character_files.try_open(session, *paths)
    hint = "Show it next to what is open; Shift+drop does the same"
    if _button(session, "Add beside", "drop add", hint):
        character_files.try_add(session, *paths)
    words = f"Add {'their' if many else 'its'} clips to {active.name}"
    hint = "Joints are matched by name; a drop on the list of clips does the same"
    if _button(session, words, "drop clips", hint):
        add_clips.add_clips(session, *paths)


def few_joints(session: Session) -> None:
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


def _button(session: Session, label: str, name: str, hint: str) -> bool:
    """Draw a wide button that closes the pop-up; return whether it was pressed."""
    wide = WIDTH * widgets.em()
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
