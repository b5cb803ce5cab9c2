"""What a file of options says to a command, as words of its line."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..errors import MotionError
from ..motion.read import TomlFile, read_toml
from ..tomlfile.toml_errors import KeyPath, fault, quoted
from .option import Option
from .table import COMMANDS, options_of

_LINE_ONLY = ("config", "no-config", "output")  # what is of one run


def words(command: str, path: str, line: Sequence[str]) -> list[str]:
    """Return the options of a file as words of a command line, but those that the line has.

    Raises
    ------
    MotionError
        The file cannot be read, or names what there is not; with its line.
    """
    toml = read_toml(path)
    try:
        return list(_words(command, toml, line))
    except MotionError as error:
        error.file, error.line = toml.place(error.path)
        raise


def _words(command: str, toml: TomlFile, line: Sequence[str]) -> Iterator[str]:
    known = {each.name: each for name in COMMANDS for each in _options(name)}
    mine = {each.name: each for each in _options(command)}
    said = dict(_flat(toml.table, known))
    said |= dict(_flat(toml.table.get(command, {}), mine, (command,)))
    for name in COMMANDS:  # what is said of other commands is held to the table, too
        list(_flat(toml.table.get(name, {}), {each.name: each for each in _options(name)}, (name,)))
    for name, (path, value) in said.items():
        if name in mine and not _stands(mine[name], line):
            yield from _written(mine[name], command, value, path)


def _options(command: str) -> list[Option]:
    return [each for options in options_of(command).values() for each in options]


def _flat(
    table: Any,  # noqa: ANN401 - as TOML has it
    known: Mapping[str, Option],
    path: KeyPath = (),
) -> Iterator[tuple[str, tuple[KeyPath, Any]]]:
    """Yield name, place and value of what a table says of options; raise for an unknown name."""
    if not isinstance(table, dict):
        raise fault(path, "is a table of options")
    for name, value in table.items():
        if not path and name in COMMANDS and isinstance(value, dict):
            continue
        if name not in known or name in _LINE_ONLY:
            names = [each for each in known if each not in _LINE_ONLY]
            raise fault((*path, name), "unknown option", wrong=name, known=names)
        yield name, ((*path, name), value)


def _stands(option: Option, line: Sequence[str]) -> bool:
    """Tell whether a command line has the option."""
    flags = {option.flag, f"--no-{option.name}", option.short} - {""}
    return any(word.partition("=")[0] in flags for word in line)


def _written(
    option: Option,
    command: str,
    value: Any,  # noqa: ANN401 - as TOML has it
    path: KeyPath,
) -> Iterator[str]:
    """Yield the words that give an option its value, once they can be read."""
    if not option.metavar:
        if not isinstance(value, bool):
            raise fault(path, "is true or false")
        if value or option.negative:
            yield option.flag if value else f"--no-{option.name}"
        return
    several = isinstance(value, list) and command in option.repeat
    for each in value if several else [value]:
        parts = each if isinstance(each, list) else [each]
        if any(not isinstance(part, str | int | float) or part is True for part in parts):
            raise fault(path, "is a text, a number, or several of them")
        text = ",".join(map(str, parts))
        try:
            option.parse_for(command)(text)
        except ValueError as error:
            raise fault(path, str(error)) from None
        if option.choices and text not in option.choices:
            raise fault(
                path, f"is none of the choices: {quoted(text)}", wrong=text, known=option.choices
            )
        yield f"{option.flag}={text}"
