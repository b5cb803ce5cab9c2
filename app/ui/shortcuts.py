"""Keyboard shortcuts: runs the actions of pressed keys and typed characters."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from imgui_bundle import imgui

from ..session.commands.action import Action
from ..session.commands.actions import ACTIONS, keys_of
from ..session.commands.keys_file import KeyBindings, UserKeys, split_chord
from ..session.file_wall import FileWall
from ..session.session import Session

_NAMES = {
    "Space": imgui.Key.space,
    "Left": imgui.Key.left_arrow,
    "Right": imgui.Key.right_arrow,
    "Up": imgui.Key.up_arrow,
    "Down": imgui.Key.down_arrow,
    "PageUp": imgui.Key.page_up,
    "PageDown": imgui.Key.page_down,
    "Esc": imgui.Key.escape,
} | {
    name: imgui.Key.__members__[name.lower()]
    for name in ("Home", "End", "Insert", "Delete", "Backspace", "Enter", "Tab")
}
_SHOWN = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓", "PageUp": "PgUp", "PageDown": "PgDn"}
_KEYPAD = {str(digit): imgui.Key.__members__[f"keypad{digit}"] for digit in range(10)} | {
    ".": imgui.Key.keypad_decimal,
    "*": imgui.Key.keypad_multiply,
    "/": imgui.Key.keypad_divide,
    "+": imgui.Key.keypad_add,
    "-": imgui.Key.keypad_subtract,
}
_WITH_MODIFIERS = {str(digit): imgui.Key.__members__[f"_{digit}"] for digit in range(10)} | {
    "[": imgui.Key.left_bracket,
    "]": imgui.Key.right_bracket,
    ",": imgui.Key.comma,
    ".": imgui.Key.period,
    ";": imgui.Key.semicolon,
    "'": imgui.Key.apostrophe,
    "/": imgui.Key.slash,
    "-": imgui.Key.minus,
    "=": imgui.Key.equal,
}
_MODIFIERS = {"Ctrl": imgui.Key.mod_ctrl, "Shift": imgui.Key.mod_shift, "Alt": imgui.Key.mod_alt}
_NAVIGATION = {_NAMES[name] for name in ("Space", "Left", "Right", "Up", "Down")}
_NAVIGATION |= {_NAMES["PageUp"], _NAMES["PageDown"], _NAMES["Tab"]}
_OVER_WALL = ("File", "Help")  # groups of actions while the wall of files covers the scene
_HELD = 0.3  # seconds: a character repeated sooner comes from a held key

Chord = tuple[imgui.Key, int]  # key, modifiers


@dataclass(slots=True)
class TypedCharacter:
    """The last typed character with an action, and until when it repeats, seconds of tau."""

    text: str = ""
    until: float = 0.0


def shown(chord: str, *, mac: bool = sys.platform == "darwin") -> str:
    """Return the label of a chord: "Ctrl+O", "Shift+←"."""
    modifiers, key = split_chord(chord)
    parts = [*modifiers, _SHOWN.get(key, key)]
    return "+".join("Cmd" if mac and part == "Ctrl" else part for part in parts)


def first_key(session: Session, what: Action) -> str:
    """Return the label of the first key of an action, "" without one."""
    keys = keys_of(session, what)
    return shown(keys[0]) if keys else ""


def run(session: Session, pressed: Sequence[Chord]) -> None:
    """Run the actions of keys pressed since the previous frame, or repeated while held.

    While a text field, a list or a menu has the focus, only Esc counts; in a pop-up of the window
    only modal actions, and Esc not while one of its lists is open; during keyboard navigation of
    the panels, ImGui uses the navigation keys; letters and digits are not shortcuts while the joint
    tree has the focus.
    """
    io = imgui.get_io()
    writing = io.want_text_input
    listing = imgui.is_popup_open("", imgui.PopupFlags_.any_popup) and not session.interface.popup
    session.interface.typing = writing or listing
    bindings = session.interface.of(UserKeys).bindings
    for chord in (*pressed, *_repeated(session)):
        action = _by_chord(bindings).get(chord)
        if action is None or ((writing or listing) and action.name != "close"):
            continue
        if session.interface.keyboard_navigation and chord[0] in _NAVIGATION:
            continue
        if action.name == "close" and session.interface.list_in_popup:
            continue
        if session.interface.outliner.focused and _is_letter(chord):
            continue
        if (chord in pressed or action.repeat) and _allowed(session, action):
            action.run(session)
    if not (writing or listing):
        for character in map(chr, io.input_queue_characters):
            outliner = session.interface.outliner
            if not (outliner.focused and outliner.typed.takes(character, session.tau)):
                _typed(session, character)


def _is_letter(chord: Chord) -> bool:
    """Return whether a chord types a letter or digit."""
    plain = chord[1] in (0, int(imgui.Key.mod_shift))
    return plain and imgui.Key.a <= chord[0] <= imgui.Key.z


def _allowed(session: Session, action: Action) -> bool:
    if session.interface.popup:
        return action.modal
    return action.modal or action.group in _OVER_WALL or not session.interface.of(FileWall).shown


def _repeated(session: Session) -> list[Chord]:
    """Return the held keys that repeat in this frame, of actions that do."""
    modifiers = imgui.get_io().key_mods
    return [
        chord
        for chord in _repeating(session.interface.of(UserKeys).bindings)
        if chord[1] == modifiers
        and imgui.is_key_pressed(chord[0])
        and not imgui.is_key_pressed(chord[0], False)
    ]


def _typed(session: Session, character: str) -> None:
    action = _characters(session.interface.of(UserKeys).bindings).get(character)
    if action is None or not _allowed(session, action):
        return
    last = session.interface.of(TypedCharacter)
    held = character == last.text and session.tau < last.until
    last.text, last.until = character, session.tau + _HELD
    if action.repeat or not held:
        action.run(session)


@lru_cache(4)
def _by_chord(bindings: KeyBindings) -> dict[Chord, Action]:
    found: dict[Chord, Action] = {}
    for action in ACTIONS:
        for text in bindings.of(action.name, action.keys):
            modifiers, name = split_chord(text)
            held = sum(int(_MODIFIERS[modifier]) for modifier in modifiers)
            for key in _keys(name, modified=bool(modifiers)):
                found[key, held] = action
    return found


@lru_cache(4)
def _repeating(bindings: KeyBindings) -> tuple[Chord, ...]:
    """Return the chords whose actions run again while they are held."""
    return tuple(chord for chord, action in _by_chord(bindings).items() if action.repeat)


def _keys(name: str, *, modified: bool) -> list[imgui.Key]:
    """Return the keys of a name; without modifiers, digits and signs are typed characters."""
    keys = [table[name] for table in (_NAMES, _KEYPAD) if name in table]
    if modified and name in _WITH_MODIFIERS:
        keys.append(_WITH_MODIFIERS[name])
    if not keys and name.isalnum() and name.lower() in imgui.Key.__members__:
        keys.append(imgui.Key.__members__[name.lower()])
    return keys


@lru_cache(4)
def _characters(bindings: KeyBindings) -> dict[str, Action]:
    """Return the actions of typed characters, independent of the keyboard layout."""
    return {
        key: action
        for action in ACTIONS
        for key in bindings.of(action.name, action.keys)
        if len(key) == 1 and not key.isalpha()
    }
