"""The table of options, used by the command line, the panels, the help and the documentation.

Every option has a parser, which converts text to a value or raises ValueError with a message for
the user. Angles are in degrees and times in seconds.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from .check_options import FINDINGS, THRESHOLDS
from .command_groups import COMMANDS as COMMANDS
from .command_groups import IN_ONE_SCENE as IN_ONE_SCENE
from .command_groups import MANY_FILES as MANY_FILES
from .command_groups import TWO_FILES as TWO_FILES
from .motion_options import PLAYBACK
from .option import Option
from .output_options import KEYS, OUTPUT, PARALLEL
from .picture_options import CAMERA, GENERAL, PICTURE
from .several_character_options import SIDE_BY_SIDE

GROUPS: dict[str, tuple[Option, ...]] = {
    "output": OUTPUT,
    "thresholds": THRESHOLDS,
    "findings": FINDINGS,
    "keys": KEYS,
    "playback": PLAYBACK,
    "side by side": SIDE_BY_SIDE,
    "camera": CAMERA,
    "picture": PICTURE,
    "parallel processing": PARALLEL,
    "general": GENERAL,
}


def options_of(command: str) -> dict[str, tuple[Option, ...]]:
    """Return the options of a command by group, without empty groups."""
    found = {
        group: tuple(option for option in options if command in option.commands)
        for group, options in GROUPS.items()
    }
    return {group: options for group, options in found.items() if options}


def option(name: str) -> Option:
    """Return an option by name (KeyError if it does not exist)."""
    return {each.name: each for options in GROUPS.values() for each in options}[name]


def changed_options(command: str, values: Mapping[str, Any]) -> Iterator[tuple[Option, Any]]:
    """Yield the options of a command whose value differs from the default, with the value."""
    for each in (each for group in options_of(command).values() for each in group):
        value = values.get(each.name)
        if value is None or value == each.default_for(command):
            continue
        if each.metavar or value or each.negative:
            yield each, value


def as_arguments(command: str, values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the arguments that set the options of a command to values, without defaults."""
    for each, value in changed_options(command, values):
        if not each.metavar:
            yield each.flag if value else f"--no-{each.name}"
            continue
        several = isinstance(value, list) and command in (*each.repeat, *each.per_file)
        for one in value if several else (value,):
            text = ",".join(map(str, one)) if isinstance(one, tuple) else str(one)
            if text.startswith("-"):
                yield f"{each.flag}={text}"
            else:
                yield from (each.short or each.flag, text)
