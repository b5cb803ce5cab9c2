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

from collections.abc import Sequence
from typing import Any

from .. import resources
from ..errors import UsageError


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
    from .config_file import read_values  # imported late: few runs have such a file

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
