"""Options that may be given once for each file: their values for one of the files.

With fewer values than files the last one applies to the remaining files, except for options that
fit one file only. "-" leaves the option unset for the file at that position.
"""

import argparse
from typing import Any

from ..errors import UsageError
from .table import options_of

NOT_GIVEN = "-"
_ONE_FILE = ("motion", "variant")
_ACTIVE_ONLY = ("set", "at")  # apply to the active file's motion


def use_active_file(args: argparse.Namespace, command: str) -> None:
    """Replace the per-file arguments by those of the active file.

    `args.per_file` keeps the values of all files; `args.number` is the active file's index.

    Raises
    ------
    UsageError
        More values than files, or a file number out of range.
    """
    count = max(len(args.files), 1)
    options = [each for group in options_of(command).values() for each in group]
    given: dict[str, list[Any]] = {}
    for option in options:
        if command not in option.per_file:
            continue
        given[option.key] = values = getattr(args, option.key) or []
        shared = (
            option.key == "animation" and args.crowd is not None
        )  # distributed evenly over the crowd
        if len(values) > count and not shared:
            raise UsageError(
                f"{option.flag} was given {len(values)} times for {_files(count)}",
                hint="once, or once for each file",
            )
    for name, number in [("active", args.active), *(("hide", each) for each in args.hide or ())]:
        if number > count:
            raise UsageError(f"--{name}: no file {number}; there {_are(count)}")
    args.per_file = given
    args.defaults = {option.key: option.default_for(command) for option in options}
    args.defaults["no_motion"] = args.no_motion  # applies to all files
    args.number = args.active - 1
    vars(args).update(vars(arguments_of_file(args, args.number)))


def arguments_of_file(args: argparse.Namespace, number: int) -> argparse.Namespace:
    """Return the arguments for one of the files, by index."""
    values: dict[str, Any] = {}
    for key, given in args.per_file.items():
        there = number < len(given)
        last = given[-1] if given and key not in _ONE_FILE else None
        value = given[number] if there else last
        values[key] = args.defaults[key] if value is None else value
        if key == "motion" and given:
            values["no_motion"] = args.defaults["no_motion"] or (there and value is None)
    if number != args.number:
        values |= dict.fromkeys(_ACTIVE_ONLY)
    values["file"] = args.files[number] if args.files else None
    return argparse.Namespace(**{**vars(args), **values})


def arguments_per_file(args: argparse.Namespace) -> list[argparse.Namespace]:
    """Return the arguments for each file, or for the bundled character."""
    return [arguments_of_file(args, number) for number in range(max(len(args.files), 1))]


def has_own_times(args: argparse.Namespace) -> bool:
    """Return whether each file is shown at its own fixed time."""
    return len(args.per_file.get("time", ())) > 1


def _files(count: int) -> str:
    return f"{count} file{'s' if count > 1 else ''}"


def _are(count: int) -> str:
    return f"{'are' if count > 1 else 'is'} {_files(count)}"
