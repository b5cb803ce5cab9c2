"""A command's options as Python has them: keywords with values instead of words on a line."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..model.lookup import nearest
from .option import Option
from .parser import parse
from .table import options_of, written

Values = Mapping[str, Any]


def arguments(
    command: str,
    file: str | Path | Sequence[str | Path],
    values: Values,
    *,
    without: Iterable[str] = (),
) -> argparse.Namespace:
    """Return the arguments of a command on a file, read as they are from its command line.

    Parameters
    ----------
    file
        One, or several that stand side by side.
    values
        By the names of the options table with ``_`` for ``-``: text as on the command line, or
        numbers, True for a switch, sequences for several numbers or several uses, a mapping for
        ``NAME=VALUE``. None: not given.
    without
        Options that are not to be had.

    Raises
    ------
    UsageError
        There is no such option, or its value cannot be read.
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
    return parse(command, [*map(str, files), *written(command, given), *needed])


def _plain(option: Option, value: Any, command: str) -> Any:  # noqa: ANN401 - the option's own
    """Return a value as `options.written` takes it; UsageError where a switch gets none."""
    if value is None:
        return None
    if hasattr(value, "tolist"):  # of numpy
        value = value.tolist()
    if not option.metavar:
        if not isinstance(value, bool):
            raise UsageError(f"{option.key} is True or False, not {value!r}")
        return value
    if isinstance(value, Mapping):
        value = [f"{name}={each}" for name, each in value.items()]
    many = list(value) if isinstance(value, list | tuple | set | frozenset | range) else None
    if command in option.repeat:
        return [value] if many is None else many
    if command in option.apiece and isinstance(value, list):
        return value or ""  # one for each file
    if many is None:
        return value
    return tuple(each.item() if hasattr(each, "item") else each for each in many)
