"""Read a configuration file as values of options."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..errors import KeyPath, MotionError
from ..fields.option import Option
from ..motion.read import TomlFile, read_toml
from ..tomlfile.toml_errors import motion_error, quoted
from .table import COMMANDS, options_by_name

_LINE_ONLY = ("config", "no-config", "output", "in-place")  # options of a single run


def read_values(command: str, path: str, line: Sequence[str]) -> dict[str, Any]:
    """Return the values in a file by option name, without those of options given on the line.

    Raises
    ------
    MotionError
        The file cannot be read, has an unknown option or an invalid value; with its line.
    """
    toml = read_toml(path)
    try:
        return dict(_values(command, toml, line))
    except MotionError as error:
        error.file, error.line = toml.place(error.path)
        raise


def _values(command: str, toml: TomlFile, line: Sequence[str]) -> Iterator[tuple[str, Any]]:
    known = {name: option for other in COMMANDS for name, option in options_by_name(other).items()}
    mine = options_by_name(command)
    written = dict(_entries(toml.table, known))
    written |= dict(_entries(toml.table.get(command, {}), mine, (command,)))
    for other in COMMANDS:  # check the tables of the other commands too
        list(_entries(toml.table.get(other, {}), options_by_name(other), (other,)))
    for name, (path, value) in written.items():
        if name in mine and not _is_given(mine[name], line):
            yield name, _read(mine[name], command, value, path)


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
            names = [key for key in known if key not in _LINE_ONLY]
            raise motion_error((*path, name), "unknown option", wrong=name, known=names)
        yield name, ((*path, name), value)


def _is_given(option: Option, line: Sequence[str]) -> bool:
    """Return whether a command line has the option."""
    flags = {option.flag, f"--no-{option.name}", option.short} - {""}
    return any(word.partition("=")[0] in flags for word in line)


def _read(option: Option, command: str, value: Any, path: KeyPath) -> Any:  # noqa: ANN401
    """Return the value of an option for a TOML value (MotionError: it is invalid)."""
    if not option.metavar:
        if not isinstance(value, bool):
            raise motion_error(path, "must be true or false")
        return value
    if command in option.per_file:
        return [option.read_per_file(_checked(option, value, path))]
    if not option.repeat:
        return option.read(_checked(option, value, path))
    several = value if isinstance(value, list) else [value]
    return [option.read(_checked(option, one, path)) for one in several]


def _checked(option: Option, value: Any, path: KeyPath) -> Any:  # noqa: ANN401
    """Return a TOML value that the option can read (MotionError: it cannot)."""
    for part in value if isinstance(value, list) else [value]:
        if not isinstance(part, str | int | float) or isinstance(part, bool):
            raise motion_error(path, "must be a text, a number, or a list of them")
    if option.choices and value not in option.choices:
        wrong = str(value)
        raise motion_error(
            path, f"invalid choice {quoted(wrong)}", wrong=wrong, known=option.choices
        )
    try:
        option.read(value)
    except ValueError as error:
        raise motion_error(path, str(error)) from None
    return value
