"""Read a configuration file as arguments of a command."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..errors import MotionError
from ..motion.read import TomlFile, read_toml
from ..tomlfile.toml_errors import KeyPath, motion_error, quoted
from .option import Option
from .table import COMMANDS, options_of

_LINE_ONLY = ("config", "no-config", "output")  # options of a single run


def as_arguments(command: str, path: str, line: Sequence[str]) -> list[str]:
    """Return the options of a file as arguments, without those given on the command line.

    Raises
    ------
    MotionError
        The file cannot be read, or has an unknown option; with its line.
    """
    toml = read_toml(path)
    try:
        return list(_arguments(command, toml, line))
    except MotionError as error:
        error.file, error.line = toml.place(error.path)
        raise


def _arguments(command: str, toml: TomlFile, line: Sequence[str]) -> Iterator[str]:
    known = {each.name: each for name in COMMANDS for each in _options(name)}
    mine = {each.name: each for each in _options(command)}
    said = dict(_entries(toml.table, known))
    said |= dict(_entries(toml.table.get(command, {}), mine, (command,)))
    for name in COMMANDS:  # check the tables of the other commands too
        list(
            _entries(
                toml.table.get(name, {}), {each.name: each for each in _options(name)}, (name,)
            )
        )
    for name, (path, value) in said.items():
        if name in mine and not _is_given(mine[name], line):
            yield from _as_words(mine[name], command, value, path)


def _options(command: str) -> list[Option]:
    return [each for options in options_of(command).values() for each in options]


def _entries(
    table: Any,  # noqa: ANN401 - any TOML value
    known: Mapping[str, Option],
    path: KeyPath = (),
) -> Iterator[tuple[str, tuple[KeyPath, Any]]]:
    """Yield name, key path and value of the options in a table (MotionError: unknown name)."""
    if not isinstance(table, dict):
        raise motion_error(path, "must be a table of options")
    for name, value in table.items():
        if not path and name in COMMANDS and isinstance(value, dict):
            continue
        if name not in known or name in _LINE_ONLY:
            names = [each for each in known if each not in _LINE_ONLY]
            raise motion_error((*path, name), "unknown option", wrong=name, known=names)
        yield name, ((*path, name), value)


def _is_given(option: Option, line: Sequence[str]) -> bool:
    """Return whether a command line has the option."""
    flags = {option.flag, f"--no-{option.name}", option.short} - {""}
    return any(word.partition("=")[0] in flags for word in line)


def _as_words(
    option: Option,
    command: str,
    value: Any,  # noqa: ANN401 - any TOML value
    path: KeyPath,
) -> Iterator[str]:
    """Yield the arguments that set an option to a value (MotionError: invalid value)."""
    if not option.metavar:
        if not isinstance(value, bool):
            raise motion_error(path, "must be true or false")
        if value or option.negative:
            yield option.flag if value else f"--no-{option.name}"
        return
    several = isinstance(value, list) and command in option.repeat
    for each in value if several else [value]:
        parts = each if isinstance(each, list) else [each]
        if any(not isinstance(part, str | int | float) or part is True for part in parts):
            raise motion_error(path, "must be a text, a number, or a list of them")
        text = ",".join(map(str, parts))
        try:
            option.parse_for(command)(text)
        except ValueError as error:
            raise motion_error(path, str(error)) from None
        if option.choices and text not in option.choices:
            raise motion_error(
                path, f"invalid choice {quoted(text)}", wrong=text, known=option.choices
            )
        yield f"{option.flag}={text}"
