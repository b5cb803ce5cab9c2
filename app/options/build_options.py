"""Build the options record of a command from the values that were given, by option name.

Options that may be given once for each file have a list of values. With fewer values than files
the last one applies to the remaining files, except for options that fit one file only; None leaves
the option unset for the file at that position.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..errors import UsageError
from ..fields.option import ONE_FILE
from ..wording import counted
from .command_options import Options
from .table import GROUPS, IN_ONE_SCENE, options_by_name

Values = Mapping[str, Any]

_ACTIVE_ONLY = ("set", "at")  # apply to the active file's motion


def build_options(command: str, files: Sequence[str], values: Values) -> Options:
    """Return the options of a command.

    Raises
    ------
    UsageError
        More values than files, or a file number out of range.
    """
    options = _options(command, files[0] if files else None, values)
    if command in IN_ONE_SCENE:
        options = _side_by_side(command, files, values)
    return replace(options, files=tuple(files), given=frozenset(values))


def _options(command: str, file: str | None, values: Values) -> Options:
    """Return the options for one file."""
    records = {
        group.attribute: group.record(
            **{
                row.attribute: _value(values.get(row.name), row.default_for(command))
                for row in group.options
                if command in row.commands
            }
        )
        for group in GROUPS
    }
    return Options(file=file, **records)


def _value(given: Any, default: Any) -> Any:  # noqa: ANN401 - the type of the option
    if given is None:
        return default
    return tuple(given) if isinstance(given, list) else given


def _side_by_side(command: str, files: Sequence[str], values: Values) -> Options:
    """Return the options for the active one of several files."""
    count = max(len(files), 1)
    _check_counts(command, count, values)
    active = values.get("active", 1) - 1
    each_file = tuple(
        _options(
            command,
            files[number] if files else None,
            _values_of_file(command, values, number, is_active=number == active),
        )
        for number in range(count)
    )
    clips = values.get("animation", ())
    return replace(
        each_file[active],
        each_file=each_file if count > 1 else (),
        own_times=len(values.get("time", ())) > 1,
        crowd_clips=tuple(clips) if "crowd" in values and len(clips) > 1 else (),
    )


def _values_of_file(
    command: str, values: Values, number: int, *, is_active: bool
) -> dict[str, Any]:
    """Return the values for one of several files, by index."""
    own = dict(values)
    for name, option in options_by_name(command).items():
        given = values.get(name)
        if not given or command not in option.per_file:
            continue
        last = None if name in ONE_FILE else given[-1]
        own[name] = given[number] if number < len(given) else last
        if name == "motion" and number < len(given) and own[name] is None:
            own["no-motion"] = True
    return own if is_active else {**own, **dict.fromkeys(_ACTIVE_ONLY)}


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
