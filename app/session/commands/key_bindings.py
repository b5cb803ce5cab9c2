"""The keys of actions: those of the table of actions, or those that the user has set."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

MODIFIERS = ("Ctrl", "Shift", "Alt")
NAMED_KEYS = (
    "Space",
    "Left",
    "Right",
    "Up",
    "Down",
    "PageUp",
    "PageDown",
    "Home",
    "End",
    "Insert",
    "Delete",
    "Backspace",
    "Enter",
    "Tab",
    "Esc",
)
_FUNCTION_KEY = re.compile(r"F(?:[1-9]|1[0-9]|2[0-4])")
_PLUS = re.compile(r"(?<=[^+])\+")  # separates modifiers; a final "+" is the key


@dataclass(frozen=True, slots=True)
class KeyBindings:
    """The actions whose keys differ from those of the table, with their keys."""

    changed: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def of(self, name: str, default: tuple[str, ...]) -> tuple[str, ...]:
        """Return the keys of an action."""
        return next((keys for changed, keys in self.changed if changed == name), default)


@dataclass(slots=True)
class UserKeys:
    """The keys that the user has set, of a session."""

    bindings: KeyBindings = KeyBindings()


def split_chord(chord: str) -> tuple[list[str], str]:
    """Return the modifiers and the key of a chord: "Ctrl+Shift+Left"."""
    *modifiers, key = _PLUS.split(chord)
    return modifiers, key


def is_chord(text: str) -> bool:
    """Return whether a text is a chord: modifiers and one key, as `ACTIONS` writes them."""
    modifiers, key = split_chord(text)
    letter = len(key) == 1 and key.isprintable() and key == key.upper() and not key.isspace()
    known = letter or key in NAMED_KEYS or _FUNCTION_KEY.fullmatch(key) is not None
    return known and len(set(modifiers)) == len(modifiers) and set(modifiers) <= set(MODIFIERS)


def rebound(
    defaults: Mapping[str, tuple[str, ...]], wanted: Mapping[str, tuple[str, ...]]
) -> KeyBindings:
    """Return the key bindings with the `wanted` keys of some actions.

    A key that is wanted for one action is taken from the others.
    """
    taken = {key for keys in wanted.values() for key in keys}
    changed = {
        name: tuple(key for key in keys if key not in taken)
        for name, keys in defaults.items()
        if name not in wanted and taken & set(keys)
    }
    changed |= {name: keys for name, keys in wanted.items() if keys != defaults[name]}
    return KeyBindings(tuple(sorted(changed.items())))
