"""The keys of actions, and the file `keys.toml` with those that the user has set."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from ...errors import MotionError
from ...file_io import write_file
from ...resources import settings_folder
from ...tomlfile.format import inline
from ...tomlfile.tables import ListOf, TableOf
from ...tomlfile.toml_errors import motion_error, quoted
from ...tomlfile.value_types import Text
from .action import Action

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
_HEAD = """\
# The keys of Rigview. Remove the "#" of a line to change the keys of that action; [] is no key.
# A key is a letter, a digit or a sign, F1 to F24, Space, Left, Right, Up, Down, PageUp, PageDown,
# Home, End, Insert, Delete, Backspace, Enter, Tab or Esc, after Ctrl+, Shift+ and Alt+.
# A key that is used here is taken from the action that had it. Reload (Ctrl+R) reads this file.
"""


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


def keys_path() -> Path:
    """Return the path of the file."""
    return settings_folder() / "keys.toml"


def load(actions: Sequence[Action], path: Path | None = None) -> tuple[KeyBindings, list[str]]:
    """Read the file.

    Returns
    -------
    KeyBindings, list of str
        The keys, without what is wrong in the file; and what is wrong, a line each.
    """
    from ...tomlfile.parse import read_toml  # imported late: not needed without a window

    path = path or keys_path()
    if not path.exists():
        return KeyBindings(), []
    try:
        toml = read_toml(path)
    except MotionError as error:
        return KeyBindings(), [str(error)]
    defaults = {each.name: each.keys for each in actions}
    table = TableOf(ListOf(Text("a key")), "action", tuple(defaults))
    wanted: dict[str, tuple[str, ...]] = {}
    wrong: list[str] = []
    for name, value in toml.table.items():
        try:
            keys = table.read({name: [value] if isinstance(value, str) else value}, ())[name]
            _check(name, keys, wanted)
        except MotionError as error:
            wrong.append(str(toml.locate(error)))
        else:
            wanted[name] = keys
    return rebound(defaults, wanted), wrong


def _check(name: str, keys: Sequence[str], others: Mapping[str, Sequence[str]]) -> None:
    """Raise MotionError if a key of an action is none, or that of another one."""
    for key in keys:
        if not is_chord(key):
            hint = 'an example is "Ctrl+Shift+K"'
            raise motion_error((name,), f"{quoted(key)} is no key", hint=hint)
        for other, used in others.items():
            if key in used:
                raise motion_error((name,), f"{quoted(key)} is the key of {quoted(other)}, too")


def template(actions: Sequence[Action]) -> str:
    """Return the text of a file that changes nothing, with all actions and their keys."""
    lines = [_HEAD]
    for group, members in groupby(actions, lambda each: each.group):
        lines.append(f"\n# {group}\n")
        for each in members:
            name = each.name if each.name.isidentifier() else inline(each.name)
            lines.append(f"# {name} = {inline([*each.keys])}  # {each.label}\n")
    return "".join(lines)


def write_template(actions: Sequence[Action]) -> None:
    """Write the file if there is none.

    Raises
    ------
    OutputError
        It cannot be written.
    """
    path = keys_path()
    if not path.exists():
        write_file(path, template(actions).encode(), make_folder=True)
