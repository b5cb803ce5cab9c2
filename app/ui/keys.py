"""From keys to actions, by the actions table."""

import re
import sys
from functools import cache

from imgui_bundle import imgui

from app.actions import ACTIONS, Action
from app.session import Session

_NAMES = {
    "Space": imgui.Key.space,
    "Left": imgui.Key.left_arrow,
    "Right": imgui.Key.right_arrow,
    "Up": imgui.Key.up_arrow,
    "Down": imgui.Key.down_arrow,
    "PageUp": imgui.Key.page_up,
    "PageDown": imgui.Key.page_down,
    "Backspace": imgui.Key.backspace,
    "Tab": imgui.Key.tab,
    "Esc": imgui.Key.escape,
}
_SHOWN = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓", "PageUp": "PgUp", "PageDown": "PgDn"}
_KEYPAD = {"1": imgui.Key.keypad1, "3": imgui.Key.keypad3, "7": imgui.Key.keypad7}
_MODIFIERS = {"Ctrl": imgui.Key.mod_ctrl, "Shift": imgui.Key.mod_shift, "Alt": imgui.Key.mod_alt}
_MASK = int(imgui.Key.mod_mask_)
_HELD = 0.3  # seconds: a character that comes again sooner is a key that is held down

Chord = tuple[imgui.Key, int]  # key, modifiers


def shown(chord: str, *, mac: bool = sys.platform == "darwin") -> str:
    """Return a chord of the table as it is shown: "Ctrl+O", "Shift+←"."""
    parts = [_SHOWN.get(part, part) for part in re.split(r"(?<=.)\+", chord)]
    return "+".join("Cmd" if mac and part == "Ctrl" else part for part in parts)


def run(session: Session) -> None:
    """Run the actions whose keys were pressed since the frame before.

    While a text field has the keyboard only Esc counts, and in a pop-up only what may leave it.
    """
    io = imgui.get_io()
    writing = io.want_text_input
    modal = bool(session.interface.popup)
    for action in ACTIONS:
        if (writing and action.name != "close") or (modal and not action.modal):
            continue
        if any(_pressed(chord, repeat=action.repeat) for chord in _chords(action)):
            action.run(session)
    if not writing:
        for code in io.input_queue_characters:
            _typed(session, chr(code), modal=modal)


def _typed(session: Session, character: str, *, modal: bool) -> None:
    action = _characters().get(character)
    if action is None or (modal and not action.modal):
        return
    last, until = session.interface.typed
    held = character == last and session.tau < until
    session.interface.typed = character, session.tau + _HELD
    if action.repeat or not held:
        action.run(session)


def _pressed(chord: Chord, *, repeat: bool) -> bool:
    key, modifiers = chord
    return imgui.is_key_pressed(key, repeat) and imgui.get_io().key_mods == modifiers


@cache
def _chords(action: Action) -> tuple[Chord, ...]:
    found: list[Chord] = []
    for text in action.keys:
        *modifiers, name = re.split(r"(?<=.)\+", text)
        key = _NAMES.get(name) or _KEYPAD.get(name)
        if key is None and name.isalnum():
            key = imgui.Key.__members__.get(name.lower())
        if key is not None:
            found.append((key, sum(int(_MODIFIERS[each]) for each in modifiers)))
    return tuple(found)


@cache
def _characters() -> dict[str, Action]:
    """Return the actions that are reached by what is typed, wherever the key for it lies."""
    return {
        key: action
        for action in ACTIONS
        for key in action.keys
        if len(key) == 1 and not key.isalpha()
    }
