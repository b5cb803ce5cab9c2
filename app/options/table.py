"""The one table of options: the command line, the panels, the help page and the docs read it.

Every option stands here once, with the function that reads it from text. A parser takes the text
and returns the value, or raises ValueError with a sentence for the user. Angles are in degrees
here, as in everything that a person writes; seconds are seconds.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from .check_options import CHECKING, LOOKED_FOR
from .command_groups import COMMANDS as COMMANDS
from .command_groups import PAIR as PAIR
from .command_groups import SEVERAL as SEVERAL
from .command_groups import TOGETHER as TOGETHER
from .motion_options import MOVES
from .option import Option
from .output_options import FARM, KEYS, OUTPUT
from .picture_options import CAMERA, GENERAL, PICTURE
from .several_character_options import BESIDE

GROUPS: dict[str, tuple[Option, ...]] = {
    "output": OUTPUT,
    "what is looked for": LOOKED_FOR,
    "what is told": CHECKING,
    "keys": KEYS,
    "what moves": MOVES,
    "side by side": BESIDE,
    "camera": CAMERA,
    "picture": PICTURE,
    "many files": FARM,
    "general": GENERAL,
}


def options_of(command: str) -> dict[str, tuple[Option, ...]]:
    """Return the options of a command, by group; groups without any are left out."""
    found = {
        group: tuple(option for option in options if command in option.commands)
        for group, options in GROUPS.items()
    }
    return {group: options for group, options in found.items() if options}


def option(name: str) -> Option:
    """Return the option of that name (KeyError: there is none)."""
    return {each.name: each for options in GROUPS.values() for each in options}[name]


def given(command: str, values: Mapping[str, Any]) -> Iterator[tuple[Option, Any]]:
    """Yield the options of a command that have a value, by option name, beside their default."""
    for each in (each for group in options_of(command).values() for each in group):
        value = values.get(each.name)
        if value is None or value == each.default_for(command):
            continue
        if each.metavar or value or each.negative:
            yield each, value


def written(command: str, values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the arguments that give a command these values by option name, but its defaults."""
    for each, value in given(command, values):
        if not each.metavar:
            yield each.flag if value else f"--no-{each.name}"
            continue
        several = isinstance(value, list) and command in (*each.repeat, *each.apiece)
        for one in value if several else (value,):
            text = ",".join(map(str, one)) if isinstance(one, tuple) else str(one)
            if text.startswith("-"):
                yield f"{each.flag}={text}"
            else:
                yield from (each.short or each.flag, text)
