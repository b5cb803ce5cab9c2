"""Default options from configuration files; the command line overrides them.

Keys are the long names of options; a table with the name of a command applies to that command::

    samples = 8
    background = "#202428"
    [render]
    resolution = "1920x1080"
    shadow = false

The tables `rules`, `ignore` and `clips` and the list `only` are those of the checks: see
`checks.rule_settings`. There are two files, and the second overrides the first:

* ``rigview.toml`` beside the first file of a command, else in the nearest folder above it. It may
  come with a character from elsewhere: it cannot name files, or set limits of this machine.
* the user's: `--config FILE`, else ``config.toml`` in the settings folder, if it exists

`--no-config` reads neither ``rigview.toml`` nor ``config.toml``.
"""

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .. import resources
from ..errors import KeyPath, MotionError, UsageError
from ..fields.command_groups import COMMANDS
from ..fields.option import Option
from ..fields.readers import text, times
from ..tomlfile.toml_errors import motion_error
from .command_options import GeneralOptions, Options
from .parser import read_line
from .table import options_by_name

PROJECT = "rigview.toml"
_LINE_ONLY = ("config", "no-config", "output", "in-place", "mix", "rules")  # of a single run
_LISTS = {"JOINTS", "NODES"}  # values that are lists themselves
_NAMES = {"NAME", "JOINT", "JOINTS", "NODES", "ITEM"}  # values that name what a character has
_PLACES = re.compile("FILE|OUT|DIR|ADDRESS|REV|PATH")  # in the name of other texts
_OF_USER = {  # other options that a project cannot set, and why
    "update-baseline": "it writes a file",
    "rule-file": "it names code",
    "jobs": "it is for a machine",
    "max-memory": "it is a limit of a machine",
    "convert-timeout": "it is a limit of a machine",
    "convert": "it starts another program",
    "verbose": "it is the choice of the user",
    "quiet": "it is the choice of the user",
}
_TURNED = "view", "camera-azimuth", "camera-elevation"
_PLACED = *_TURNED, "camera-position", "camera-target", "camera-fov", "ortho"
_EXCLUSIVE: tuple[frozenset[str], ...] = (  # of each group a run has one
    frozenset(("time", "phase", "frame", "key", "frames")),
    frozenset(("animation", "all-clips")),
    frozenset(("background", "no-background")),
    frozenset(("background", "environment-background")),
    frozenset(("json", "format")),
    *(frozenset(("camera", name)) for name in _PLACED),
    *(frozenset(("camera-position", name)) for name in _TURNED),
)


class ConfigFile(NamedTuple):
    """A configuration file.

    Attributes
    ----------
    path
        As the user named it, else absolute.
    of_project
        Whether it is a ``rigview.toml``, which is not the user's.
    """

    path: str
    of_project: bool


def project_file(file: str) -> str | None:
    """Return the ``rigview.toml`` beside a file or in a folder, or the nearest above; else None.

    Standard input, and text that is no path of a file, count as a file in the working folder.
    """
    try:
        folder = os.path.abspath(file)
    except OSError:  # the working folder was removed
        return None
    near = Path(folder) if os.path.isdir(folder) else Path(folder).parent
    files = (str(each / PROJECT) for each in (near, *near.parents))
    return next(filter(os.path.lexists, files), None)


def config_files(file: str | None, general: GeneralOptions) -> list[ConfigFile]:
    """Return the configuration files that apply to a file, None: the bundled one.

    The later overrides the earlier.
    """
    found: list[ConfigFile] = []
    project = None if general.no_config or file is None else project_file(file)
    if project is not None:
        found.append(ConfigFile(project, of_project=True))
    usual = resources.options_path()
    if general.config is not None:
        found.append(ConfigFile(general.config, of_project=False))
    elif not general.no_config and usual.is_file():
        found.append(ConfigFile(str(usual), of_project=False))
    return found


def options_of_line(command: str, arguments: Sequence[str]) -> Options:
    """Return the options of a command from its arguments and the configuration files.

    Raises
    ------
    MotionError
        A configuration file cannot be read, has an unknown option or an invalid value; with its
        line.
    UsageError
        An unknown option, a missing or an invalid value in the arguments; two values of `--config`.
    """
    line = read_line(command, arguments)
    given = line.given.get("config")
    end = arguments.index("--") if "--" in arguments else len(arguments)
    flags = [word.partition("=")[0] for word in arguments[:end]]
    if given == "" or flags.count("--config") > 1:
        raise UsageError(
            "--config: expected one configuration file", hint=f"see rigview {command} --help"
        )
    general = GeneralOptions(config=given, no_config=line.given.get("no-config", False))
    values: dict[str, Any] = {}
    for file in config_files(line.files[0] if line.files else None, general):
        read = read_values(command, file.path, line.given, of_project=file.of_project)
        excluded = _excluded_by(read)
        values = {name: value for name, value in values.items() if name not in excluded} | read
    return line.options(values)


def _excluded_by(given: Collection[str]) -> set[str]:
    """Return the options that given ones exclude; values of theirs from elsewhere do not apply."""
    groups = [set(group) for group in _EXCLUSIVE if not group.isdisjoint(given)]
    return {name for group in groups for name in group if (group - {name}) & set(given)}


def read_values(
    command: str, path: str, given: Collection[str], *, of_project: bool = False
) -> dict[str, Any]:
    """Return the values in a file by option name, without those of options that are given.

    Raises
    ------
    MotionError
        The file cannot be read, has an unknown option, one that a project cannot set, or an
        invalid value; with its line.
    """
    from ..tomlfile.parse import read_toml  # imported late: few runs have such a file

    toml = read_toml(path)
    try:
        return dict(_values(command, toml.table, given, of_project=of_project))
    except MotionError as error:
        raise toml.locate(error) from None


def why_not_in_projects(option: Option) -> str:
    """Return why a ``rigview.toml`` cannot set an option; ``""`` if it can.

    It can set switches, choices, numbers and names of what a character has.
    """
    if option.name in _OF_USER:
        return _OF_USER[option.name]
    if option.name in _LINE_ONLY:
        return "it is for a single run"
    is_place = bool(_PLACES.search(option.metavar))
    if is_place or (option.reader is text and option.metavar not in _NAMES):
        return "it names a file, a folder, a revision or an address"
    return ""


def _values(
    command: str, table: Mapping[str, Any], given: Collection[str], *, of_project: bool
) -> Iterator[tuple[str, Any]]:
    from ..checks.rule_settings import TABLES  # imported late, as above

    known = {name: option for other in COMMANDS for name, option in options_by_name(other).items()}
    tables = {name: table[name] for name in COMMANDS if isinstance(table.get(name), dict)}
    others = {
        name: value for name, value in table.items() if name not in tables and name not in TABLES
    }
    written = dict(_entries(others, known, of_project=of_project))
    for other, inner in tables.items():  # those of other commands are checked, too
        own = options_by_name(other)
        entries = dict(_entries(inner, own, (other,), of_project=of_project))
        written |= entries if other == command else {}
    mine = options_by_name(command)
    overridden = {*given, *_excluded_by(given)}
    for name, (path, value) in written.items():
        if name in mine and name not in overridden:
            yield name, _read(mine[name], command, value, path)


def _entries(
    table: Mapping[str, Any],
    known: Mapping[str, Option],
    path: KeyPath = (),
    *,
    of_project: bool,
) -> Iterator[tuple[str, tuple[KeyPath, Any]]]:
    """Yield name, key path and value of the options in a table (MotionError: unknown name)."""
    from ..checks.rule_settings import TABLES

    names = [name for name in known if name not in _LINE_ONLY]
    for name, value in table.items():
        why = why_not_in_projects(known[name]) if of_project and name in known else ""
        if why:
            place = "" if name in _LINE_ONLY else " or in config.toml"
            hint = f"give it on the command line{place}"
            raise motion_error((*path, name), f"a {PROJECT} cannot set it: {why}", hint=hint)
        switch = name.removeprefix("no-")
        if name not in names and switch in names and not known[switch].metavar:
            hint = f"write {switch} = {'true' if value is False else 'false'}"
            raise motion_error((*path, name), "unknown option", hint=hint)
        if name not in names:
            listed = names if path else [*TABLES, *names]
            raise motion_error((*path, name), "unknown option", wrong=name, known=listed)
        yield name, ((*path, name), value)


def _read(option: Option, command: str, value: Any, path: KeyPath) -> Any:  # noqa: ANN401
    """Return the value of an option for a TOML value (MotionError: it is invalid)."""
    from ..tomlfile.value_types import Boolean, Choice, Either, Number, Text

    if not option.metavar:
        return Boolean().read(value, path)
    one = Either(number=Number(), text=Text(empty=True))
    kind = Choice(*option.choices) if option.choices else one
    for part in value if isinstance(value, list) else [value]:
        kind.read(part, path)
    listed = option.reader is times or option.metavar in _LISTS or command not in option.per_file
    try:
        return option.read_given(
            tuple(value) if listed and isinstance(value, list) else value, command
        )
    except ValueError as error:
        raise motion_error(path, str(error)) from None
