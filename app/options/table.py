"""The table of options, used by the command line, the panels, the help and the documentation.

Its rows are the fields of the records in `command_options`. Every option has a reader, which
converts text, numbers or several numbers to a value, or raises ValueError with a message for the
user. Angles are in degrees and times in seconds.
"""

from dataclasses import fields
from functools import cache
from typing import Any, NamedTuple

from ..fields.command_groups import COMMANDS as COMMANDS
from ..fields.command_groups import IN_ONE_SCENE as IN_ONE_SCENE
from ..fields.command_groups import MANY_FILES as MANY_FILES
from ..fields.command_groups import TWO_FILES as TWO_FILES
from ..fields.option import Option, rows
from .command_options import Options


class Group(NamedTuple):
    """The options of one record."""

    attribute: str  # of `Options`
    title: str  # in the help
    record: type[Any]
    options: tuple[Option, ...]


GROUPS = tuple(
    Group(group.name, group.metadata["title"], record, rows(record))
    for group in fields(Options)
    if (record := group.metadata.get("record")) is not None
)


@cache
def options_of(command: str) -> dict[str, tuple[Option, ...]]:
    """Return the options of a command by title in the help, without empty titles."""
    groups: dict[str, tuple[Option, ...]] = {}
    for group in GROUPS:
        options = tuple(option for option in group.options if command in option.commands)
        if options:
            groups[group.title] = groups.get(group.title, ()) + options
    return groups


@cache
def options_by_name(command: str) -> dict[str, Option]:
    """Return the options of a command by name."""
    return {option.name: option for options in options_of(command).values() for option in options}
