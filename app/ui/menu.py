"""The menu bar: the actions by group, recent files, settings, and the time per frame."""

from pathlib import Path

from imgui_bundle import imgui

from ..session import character_files
from ..session.commands.action import Action
from ..session.commands.actions import ACTIONS, GROUPS, MOUSE_HELP, POSES
from ..session.session import Session
from . import shortcuts, theme, widgets

SCALES = (0.75, 1.0, 1.25, 1.5, 2.0, 3.0)


def draw(session: Session) -> None:
    """Draw the menu bar along the upper edge."""
    if not imgui.begin_main_menu_bar():
        return
    for group in GROUPS:
        opened = imgui.begin_menu(group)
        widgets.mark(session, f"menu {group}")
        if opened:
            _items(session, group)
            if group == "File":
                _recent(session)
            if group == "View":
                _scales(session)
                _looks(session)
                _mouse_presets(session)
            imgui.end_menu()
    _status(session)
    imgui.end_main_menu_bar()


def _items(session: Session, group: str) -> None:
    for action in ACTIONS:
        if action.group != group or action.name == "close":
            continue
        if action.name == "quit":
            imgui.separator()
        checked = action.checked(session) if action.checked is not None else False
        key = shortcuts.first_key(session, action)
        label, usable = _label_of(session, action)
        name = f"menu {action.name}"
        tip = action.tip
        if widgets.menu_item(
            session, name, label, checked=checked, key=key, usable=usable, tip=tip
        ):
            action.run(session)


def _label_of(session: Session, action: Action) -> tuple[str, bool]:
    """Return an action's label, for undo and redo with the edit, and whether it is enabled."""
    history = session.history
    for name, edit in (("undo", history.undo_label), ("redo", history.redo_label)):
        if action.name == name:
            return f"{action.label} {edit}".rstrip(), bool(edit)
    return action.label, True


def _recent(session: Session) -> None:
    if not session.settings.recent:
        return
    imgui.separator()
    widgets.quiet("Recent")
    for k, text in enumerate(list(session.settings.recent)):
        path = Path(text)
        if widgets.menu_item(session, f"menu recent {k}", path.name, tip=text):
            character_files.try_open(session, path)


def _scales(session: Session) -> None:
    imgui.separator()
    if imgui.begin_menu("Text size"):
        for scale in SCALES:
            now = session.settings.ui_scale == scale
            if imgui.menu_item(f"{scale:.0%}", "", now)[0]:
                session.settings.ui_scale = scale
        imgui.end_menu()


def _looks(session: Session) -> None:
    """Draw the themes and the densities of the panels."""
    settings = session.settings
    for menu, listed, field in (
        ("Theme", theme.THEMES, "theme"),
        ("Density", theme.METRICS, "density"),
    ):
        opened = imgui.begin_menu(menu)
        widgets.mark(session, f"menu {field}")
        if not opened:
            continue
        for name in listed:
            now = getattr(settings, field) == name
            if widgets.menu_item(session, f"menu {name}", name.capitalize(), checked=now):
                setattr(settings, field, name)
        imgui.end_menu()


def _mouse_presets(session: Session) -> None:
    if imgui.begin_menu("Mouse"):
        for name, words in MOUSE_HELP.items():
            now, label = session.settings.mouse == name, f"{name.capitalize()} preset"
            tip = "\n".join(f"{how}: {what}" for how, what in words)
            if widgets.menu_item(session, f"menu mouse {name}", label, checked=now, tip=tip):
                session.settings.mouse = name
        imgui.end_menu()
    widgets.mark(session, "menu mouse")


def _status(session: Session) -> None:
    """Draw the pose at the right if it is not the clip, and the time per frame.

    What does not fit beside the menus is left out, the time first.
    """
    character = session.character
    shown = "" if character is None or character.show == "clip" else POSES[character.show]
    taken = session.interface.frame_ms
    rate = f"{1e3 / taken:.0f} fps" if taken > 0.0 else "– fps"
    em = widgets.em()
    right = imgui.get_window_width() - em
    room = right - imgui.get_cursor_pos_x()
    for text in (f"{taken:.1f} ms  {rate}", rate, ""):
        wide = imgui.calc_text_size(text).x
        gap = em if shown and text else 0.0
        if wide + gap + imgui.calc_text_size(shown).x <= room:
            break
    else:
        return
    if shown:
        imgui.set_cursor_pos_x(right - wide - gap - imgui.calc_text_size(shown).x)
        widgets.text(session, "pose shown", shown)
    if not text:
        return
    imgui.set_cursor_pos_x(right - wide)
    tip = "Time per frame (animation, panels and drawing), and the frames per second that it allows"
    widgets.text(session, "frame time", text, theme.palette().quiet, tip)
