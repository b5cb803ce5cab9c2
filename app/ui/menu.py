"""The menu bar: the actions by group, recent files, settings, and the time per frame."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from imgui_bundle import imgui

from ..session import character_files
from ..session.commands.action import Action
from ..session.commands.actions import ACTIONS, GROUPS, MOUSE_HELP, POSES
from ..session.session import Session
from . import shortcuts, theme, widgets

NAME = 20.0  # font heights: longest name of a recent file


class Setting(NamedTuple):
    """A setting of the window, `Settings.field`, and the labels and tooltips of its values."""

    label: str
    field: str
    labels: Mapping[object, str]
    tips: Mapping[object, str] = MappingProxyType({})


SETTINGS = (
    Setting("Text size", "ui_scale", {x: f"{x:.0%}" for x in (0.75, 1.0, 1.25, 1.5, 2.0, 3.0)}),
    Setting("Theme", "theme", {name: name.capitalize() for name in theme.THEMES}),
    Setting("Density", "density", {name: name.capitalize() for name in theme.METRICS}),
    Setting(
        "Mouse",
        "mouse",
        {name: f"{name.capitalize()} preset" for name in MOUSE_HELP},
        {
            name: "\n".join(f"{how}: {what}" for how, what in words)
            for name, words in MOUSE_HELP.items()
        },
    ),
)


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
                _settings(session)
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
        name = widgets.shortened(path.name, NAME * widgets.em())
        if widgets.menu_item(session, f"menu recent {k}", name, tip=text):
            character_files.try_open(session, path)


def _settings(session: Session) -> None:
    """Draw a menu of values for each of the `SETTINGS`."""
    imgui.separator()
    for setting in SETTINGS:
        opened = imgui.begin_menu(setting.label)
        widgets.mark(session, f"menu {setting.field}")
        if not opened:
            continue
        now = getattr(session.settings, setting.field)
        for value, label in setting.labels.items():
            tip = setting.tips.get(value, "")
            name = f"menu {setting.field} {value}"
            if widgets.menu_item(session, name, label, checked=now == value, tip=tip):
                setattr(session.settings, setting.field, value)
        imgui.end_menu()


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
