"""Options of a command from Python keyword arguments instead of a command line."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..errors import UsageError
from ..fields.option import Option
from ..wording import suggestion
from .build_options import Values, build_options
from .command_options import Options
from .table import options_by_name


def options_from_python(
    command: str,
    file: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    values: Values,
    *,
    without: Iterable[str] = (),
) -> Options:
    """Return the options of a command.

    Parameters
    ----------
    file
        A file, or several files side by side.
    values
        Values by option name with ``_`` for ``-``: text as on the command line, numbers, True for a
        switch, sequences for several numbers or uses, a mapping for ``NAME=VALUE``; None: not
        given.
    without
        Options that are not allowed.

    Raises
    ------
    UsageError
        An option is unknown, its value is invalid, or a file is not a path.
    """
    table = {option.key: option for option in options_by_name(command).values()}
    offered = [key for key in table if key not in without]
    for name in values:
        if name not in offered:
            hint = suggestion(name, offered) or f"rigview {command} --help lists them"
            raise UsageError(f"no option {name!r}", hint=hint)
    given = {
        table[key].name: _read(table[key], value, command)
        for key, value in values.items()
        if value is not None
    }
    files = file if isinstance(file, list | tuple) else [file]
    for each in files:
        if not isinstance(each, str | os.PathLike):
            raise UsageError(
                f"a file is named by its path, not by {type(each).__name__}",
                hint="rigview.render and rigview.page take bytes and models",
            )
    return build_options(command, [*map(str, files)], given)


def _read(option: Option, value: Any, command: str) -> Any:  # noqa: ANN401 - type of the option
    """Return the value of an option (UsageError: it is invalid)."""
    value = _plain(value)
    if not option.metavar:
        if not isinstance(value, bool):
            raise UsageError(f"{option.key} must be True or False, not {value!r}")
        return value
    if isinstance(value, Mapping):
        value = [f"{name}={one}" for name, one in value.items()]
    try:
        return option.read_given(value, command)
    except ValueError as error:
        flags = f"{option.short}/{option.flag}" if option.short else option.flag
        raise UsageError(f"{flags}: {error}", hint=f"see rigview {command} --help") from None


def _plain(value: Any) -> Any:  # noqa: ANN401 - the value of an option
    """Return a value without numpy types, ranges and sets."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, list | tuple):
        return type(value)(map(_plain, value))
    return tuple(map(_plain, value)) if isinstance(value, range | set | frozenset) else value
