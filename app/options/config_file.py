"""Default options from a configuration file, `--config`; the command line overrides them.

Keys are the long names of options; a table with the name of a command applies to that command::

    samples = 8
    background = "#202428"
    [render]
    resolution = "1920x1080"
    shadow = false

Without `--config` the file is ``config.toml`` in the settings folder, if it exists;
`--no-config` ignores it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .. import resources
from ..errors import KeyPath, MotionError, UsageError
from ..fields.option import Option
from ..tomlfile.toml_errors import motion_error
from .table import COMMANDS, options_by_name

_LINE_ONLY = ("config", "no-config", "output", "in-place")  # options of a single run


def config_defaults(command: str, arguments: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """Return the arguments without `--config`, and the values of the configuration file by name.

    Raises
    ------
    MotionError
        The file cannot be read, has an unknown option or an invalid value; with its line.
    UsageError
        `--config` has no value, or is given twice.
    """
    named, rest = _named(command, arguments)
    if named is None:
        return rest, {}
    return rest, read_values(command, named, rest)


def _named(command: str, arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the configuration file, if any, and the arguments without `--config`."""
    rest: list[str] = []
    names: list[str] = []
    given = iter(arguments)
    none = False
    for argument in given:
        if argument == "--":
            rest += [argument, *given]
        elif argument == "--no-config":
            none = True
        elif command != "check" and argument == "--config":  # of check it is the rules file
            names.append(next(given, ""))
        elif command != "check" and argument.startswith("--config="):
            names.append(argument.partition("=")[2])
        else:
            rest.append(argument)
    if "" in names or len(names) > 1:
        raise UsageError(
            "--config: expected one configuration file", hint=f"see rigview {command} --help"
        )
    if names and none:
        raise UsageError("--config and --no-config exclude each other")
    if names or none:
        return (names[0] if names else None), rest
    usual = resources.options_path()
    return (str(usual) if usual.is_file() else None), rest


def read_values(command: str, path: str, line: Sequence[str]) -> dict[str, Any]:
    """Return the values in a file by option name, without those of options given on the line.

    Raises
    ------
    MotionError
        The file cannot be read, has an unknown option or an invalid value; with its line.
    """
    from ..tomlfile.parse import read_toml  # imported late: few runs have such a file

    toml = read_toml(path)
    try:
        return dict(_values(command, toml.table, line))
    except MotionError as error:
        raise toml.locate(error) from None


def _values(
    command: str, table: Mapping[str, Any], line: Sequence[str]
) -> Iterator[tuple[str, Any]]:
    known = {name: option for other in COMMANDS for name, option in options_by_name(other).items()}
    tables = {name: table[name] for name in COMMANDS if isinstance(table.get(name), dict)}
    written = dict(_entries({name: table[name] for name in table if name not in tables}, known))
    for other, inner in tables.items():  # those of other commands are checked, too
        entries = dict(_entries(inner, options_by_name(other), (other,)))
        written |= entries if other == command else {}
    mine = options_by_name(command)
    for name, (path, value) in written.items():
        if name in mine and not _is_given(mine[name], line):
            yield name, _read(mine[name], command, value, path)


def _entries(
    table: Mapping[str, Any], known: Mapping[str, Option], path: KeyPath = ()
) -> Iterator[tuple[str, tuple[KeyPath, Any]]]:
    """Yield name, key path and value of the options in a table (MotionError: unknown name)."""
    names = [name for name in known if name not in _LINE_ONLY]
    for name, value in table.items():
        if name not in names:
            raise motion_error((*path, name), "unknown option", wrong=name, known=names)
        yield name, ((*path, name), value)


def _is_given(option: Option, line: Sequence[str]) -> bool:
    """Return whether a command line has the option."""
    flags = {option.flag, f"--no-{option.name}", option.short} - {""}
    return any(word.partition("=")[0] in flags for word in line)


def _read(option: Option, command: str, value: Any, path: KeyPath) -> Any:  # noqa: ANN401
    """Return the value of an option for a TOML value (MotionError: it is invalid)."""
    from ..tomlfile.value_types import Boolean, Choice, Either, Number, Text

    if not option.metavar:
        return Boolean().read(value, path)
    one = Either(number=Number(), text=Text(empty=True))
    kind = Choice(*option.choices) if option.choices else one
    for part in value if isinstance(value, list) else [value]:
        kind.read(part, path)
    try:
        return option.read_given(tuple(value) if isinstance(value, list) else value, command)
    except ValueError as error:
        raise motion_error(path, str(error)) from None
