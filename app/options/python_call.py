"""Arguments of a command from Python keyword arguments instead of a command line."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..model.lookup import nearest
from .option import Option
from .parser import parse
from .table import as_arguments, options_of

Values = Mapping[str, Any]


def arguments(
    command: str,
    file: str | Path | Sequence[str | Path],
    values: Values,
    *,
    without: Iterable[str] = (),
) -> argparse.Namespace:
    """Return the arguments of a command, parsed as on its command line.

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
        An option is unknown, or its value is invalid.
    """
    table = {each.key: each for group in options_of(command).values() for each in group}
    offered = [key for key in table if key not in without]
    for name in values:
        if name not in offered:
            near = nearest(offered, name)
            hint = f"did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise UsageError(
                f"no option {name!r}", hint=hint or f"rigview {command} --help lists them"
            )
    given = {table[key].name: _plain(table[key], value, command) for key, value in values.items()}
    needed = ["--output=-"] if "output" in table and "output" not in values else []
    files = [file] if isinstance(file, str | Path) else file
    return parse(command, [*map(str, files), *as_arguments(command, given), *needed])


def _plain(option: Option, value: Any, command: str) -> Any:  # noqa: ANN401 - type of the option
    """Return a value as `table.as_arguments` takes it (UsageError: a switch that is not a bool)."""
    if value is None:
        return None
    if hasattr(value, "tolist"):  # numpy values
        value = value.tolist()
    if not option.metavar:
        if not isinstance(value, bool):
            raise UsageError(f"{option.key} must be True or False, not {value!r}")
        return value
    if isinstance(value, Mapping):
        value = [f"{name}={each}" for name, each in value.items()]
    many = list(value) if isinstance(value, list | tuple | set | frozenset | range) else None
    if command in option.repeat:
        return [value] if many is None else many
    if command in option.per_file and isinstance(value, list):
        return value or ""  # one for each file
    if many is None:
        return value
    return tuple(each.item() if hasattr(each, "item") else each for each in many)
