"""The table of options, used by the command line, the panels, the help and the documentation.

Its rows are the fields of `Options`, of its parts and of the characters in it. Every option has a
reader, which converts text, numbers or several numbers to a value, or raises ValueError with a
message for the user. Angles are in degrees and times in seconds.
"""

from functools import cache
from typing import Any, NamedTuple

from ..fields.command_groups import ALL
from ..fields.option import Option, value_at, walk
from ..scenedoc.shown import Shown
from .command_options import Options

TITLES = (  # of the help
    "output",
    "thresholds",
    "findings",
    "keys",
    "playback",
    "side by side",
    "camera",
    "picture",
    "window",
    "parallel processing",
    "general",
)


class Row(NamedTuple):
    """An option, and the field that has its value."""

    title: str
    option: Option
    path: tuple[str, ...]  # names of fields, from `Options`, or from each character
    of_character: bool

    def value(self, record: Any) -> Any:  # noqa: ANN401 - of the field
        """Return the value in `Options`, or in a character."""
        return value_at(record, self.path)


ROWS = tuple(
    sorted(
        (
            Row(title, option, path, record is Shown)
            for record in (Shown, Options)
            for path, title, option in walk(record, "playback")
        ),
        key=lambda row: TITLES.index(row.title),
    )
)


PRINTING = (  # options that print something and exit, in place of the command; of no record
    Option("show this help and exit", commands=ALL, name="help", short="-h"),
    Option("show the version and exit", commands=("view",), name="version"),
    Option(
        "print the script that completes commands and options in a shell, and exit",
        "SHELL",
        commands=("view",),
        choices=("bash", "zsh", "fish"),
        name="print-completion",
    ),
)


@cache
def options_of(command: str) -> dict[str, tuple[Option, ...]]:
    """Return the options of a command by title in the help, without empty titles."""
    groups = {
        title: tuple(
            row.option for row in ROWS if row.title == title and command in row.option.commands
        )
        for title in TITLES
    }
    return {title: options for title, options in groups.items() if options}


@cache
def options_by_name(command: str) -> dict[str, Option]:
    """Return the options of a command by name."""
    return {option.name: option for options in options_of(command).values() for option in options}
