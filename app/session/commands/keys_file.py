"""The file `keys.toml` of the settings folder: the keys that the user has set."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from ...file_io import read_file, write_file
from ...resources import settings_folder
from ...tomlfile.format import inline
from ...wording import suggestion
from .action import Action
from .key_bindings import KeyBindings, is_chord, rebound

MAX_BYTES = 1 << 20  # of the file
_HEAD = """\
# The keys of Rigview. Remove the "#" of a line to change the keys of that action; [] is no key.
# A key is a letter, a digit or a sign, F1 to F24, Space, Left, Right, Up, Down, PageUp, PageDown,
# Home, End, Insert, Delete, Backspace, Enter, Tab or Esc, after Ctrl+, Shift+ and Alt+.
# A key that is used here is taken from the action that had it. Reload (Ctrl+R) reads this file.
"""


def keys_path() -> Path:
    """Return the path of the file."""
    return settings_folder() / "keys.toml"


def load(actions: Sequence[Action], path: Path | None = None) -> tuple[KeyBindings, list[str]]:
    """Read the file.

    Returns
    -------
    KeyBindings, list of str
        The keys, without what is wrong in the file; and what is wrong, a sentence each.
    """
    from ...tomlfile.parse import parse_toml  # imported late: not needed without a window

    path = path or keys_path()
    try:
        data = parse_toml(read_file(path, MAX_BYTES).decode("utf-8"))
    except FileNotFoundError:
        return KeyBindings(), []
    except OSError as error:
        return KeyBindings(), [f"{path}: cannot be read ({error.strerror})"]
    except ValueError as error:
        return KeyBindings(), [f"{path}: {error}"]
    defaults = {each.name: each.keys for each in actions}
    wanted: dict[str, tuple[str, ...]] = {}
    wrong: list[str] = []
    for name, value in data.items():
        keys, fault = _checked(name, value, wanted, list(defaults))
        if fault:
            wrong.append(f"{path}: {fault}")
        else:
            wanted[name] = keys
    return rebound(defaults, wanted), wrong


def _checked(
    name: str, value: object, others: dict[str, tuple[str, ...]], known: Sequence[str]
) -> tuple[tuple[str, ...], str]:
    """Return the keys of an action, and what is wrong with them."""
    if name not in known:
        return (), "; ".join(filter(None, (f"no action {name!r}", suggestion(name, known))))
    keys = [value] if isinstance(value, str) else value
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        return (), f"{name!r} must be a list of keys"
    for key in keys:
        if not is_chord(key):
            return (), f"{name!r}: {key!r} is no key; an example is 'Ctrl+Shift+K'"
        for other, used in others.items():
            if key in used:
                return (), f"{name!r}: {key!r} is the key of {other!r}, too"
    return tuple(keys), ""


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
