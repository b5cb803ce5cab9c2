"""Build the options record of a command from the values that were given, by option name.

Options that may be given once for each file have a list of values. With fewer values than files
the last one applies to the remaining files, except for options that fit one file only; None leaves
the option unset for the file at that position.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ..errors import UsageError
from ..fields.command_groups import IN_ONE_SCENE
from ..fields.option import parts, rows
from ..scenedoc.shown import Shown
from ..wording import counted
from .command_options import Options
from .table import options_by_name

T = TypeVar("T")
Values = Mapping[str, Any]


def build_options(command: str, files: Sequence[str], values: Values) -> Options:
    """Return the options of a command.

    Raises
    ------
    UsageError
        More values than files, or a file number out of range.
    """
    options = _built(Options, command, values)
    count = max(len(files), 1) if command in IN_ONE_SCENE else 1
    if command in IN_ONE_SCENE:
        _check_counts(command, count, values)
    characters = tuple(
        replace(
            _built(Shown, command, _values_of_file(command, values, number)),
            file=files[number] if files else None,
        )
        for number in range(count)
    )
    clips = values.get("animation", ())
    if "crowd" in values and len(clips) > 1:
        options = options.with_scene(crowd=replace(options.scene.crowd, clips=tuple(clips)))
    options = options.with_scene(characters=characters)
    return replace(options, files=tuple(files), given=frozenset(values))


def _built(of: type[T], command: str, values: Values) -> T:
    """Return a record and its parts, with the given values, else the defaults of the command."""
    found = {
        row.attribute: _value(values.get(row.name), row.default_for(command))
        for row in rows(of)
        if command in row.commands
    }
    found |= {name: _built(part, command, values) for name, part in parts(of).items()}
    return of(**found)


def _value(given: Any, default: Any) -> Any:  # noqa: ANN401 - the type of the option
    if given is None:
        return default
    return tuple(given) if isinstance(given, list) else given


def _values_of_file(command: str, values: Values, number: int) -> dict[str, Any]:
    """Return the values for one of several files, by index."""
    own = dict(values)
    is_active = number == values.get("active", 1) - 1
    for name, option in options_by_name(command).items():
        given = values.get(name)
        if option.numbered:
            own[name] = number + 1 in (given or ())
        elif option.active and not is_active and command in IN_ONE_SCENE:
            own.pop(name, None)
        elif given and command in option.per_file:
            last = given[-1] if option.last_repeats else None
            own[name] = given[number] if number < len(given) else last
            if name == "motion" and number < len(given) and own[name] is None:
                own["no-motion"] = True
    return own


def _check_counts(command: str, count: int, values: Values) -> None:
    """Raise UsageError for more values than files, or a file number out of range."""
    for name, option in options_by_name(command).items():
        shared = name == "animation" and "crowd" in values  # distributed evenly over the crowd
        given = len(values.get(name, ())) if command in option.per_file else 0
        if given > count and not shared:
            raise UsageError(
                f"{option.flag} was given {given} times for {counted(count, 'file')}",
                hint="once, or once for each file",
            )
    numbers = [("active", values.get("active", 1))]
    for name, number in numbers + [("hide", number) for number in values.get("hide", ())]:
        if number > count:
            verb = "are" if count > 1 else "is"
            raise UsageError(f"--{name}: no file {number}; there {verb} {counted(count, 'file')}")
    if "compare" in values and count < 2:
        raise UsageError("--compare needs two files", hint="name the old one, then the new one")
