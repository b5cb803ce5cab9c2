"""A file of options, `--config`: what a command takes where its line does not say otherwise.

Keys are the long names of options; a table with the name of a command holds for that one alone::

    samples = 8
    background = "#202428"
    [render]
    resolution = "1920x1080"
    shadow = false

Without `--config` it is ``config.toml`` in the folder of the settings, where there is one;
`--no-config` passes it over.
"""

from collections.abc import Sequence

from .. import settings
from ..errors import UsageError


def with_defaults(command: str, arguments: Sequence[str]) -> list[str]:
    """Return the arguments of a command's line after those of its file of options.

    Raises
    ------
    MotionError
        The file cannot be read, or names what there is not; with its line.
    UsageError
        `--config` has no value, or stands there twice.
    """
    named, rest = _named(command, arguments)
    if named is None:
        return rest
    from .config_file import words  # few runs have such a file

    return [*words(command, named, rest), *rest]


def _named(command: str, arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the file of options, if any, and the arguments without what names it."""
    rest: list[str] = []
    names: list[str] = []
    given = iter(arguments)
    none = False
    for argument in given:
        if argument == "--":
            rest += [argument, *given]
        elif argument == "--no-config":
            none = True
        elif command != "check" and argument == "--config":  # of check it is a file of rules
            names.append(next(given, ""))
        elif command != "check" and argument.startswith("--config="):
            names.append(argument.partition("=")[2])
        else:
            rest.append(argument)
    if "" in names or len(names) > 1:
        raise UsageError("--config: one file of options", hint=f"see rigview {command} --help")
    if names and none:
        raise UsageError("--config and --no-config: one or the other")
    if names or none:
        return (names[0] if names else None), rest
    usual = settings.options_path()
    return (str(usual) if usual.is_file() else None), rest
