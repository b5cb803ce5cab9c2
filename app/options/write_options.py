"""Write options as arguments of a command or of a Python call: those that are not defaults."""

from collections.abc import Iterator
from typing import Any

from ..fields.option import NOT_GIVEN, ONE_FILE, Option
from .command_options import Options
from .table import GROUPS
from .without_effect import without_effect


def changed_options(command: str, options: Options) -> Iterator[tuple[Option, Any]]:
    """Yield the options of a command that differ from their defaults, with the value.

    Options that have no effect beside the others are left out. A list has a value for each use of
    an option; `NOT_GIVEN` leaves it unset for a file.
    """
    useless = without_effect(command, options)
    for group in GROUPS:
        for option in group.options:
            if command not in option.commands or option.name in useless:
                continue
            default = option.default_for(command)
            given = [
                getattr(getattr(own, group.attribute), option.attribute) for own in options.per_file
            ]
            value = getattr(getattr(options, group.attribute), option.attribute)
            if option.name == "animation" and options.crowd_clips:
                yield option, list(options.crowd_clips)
            elif command in option.per_file and len(given) > 1:
                if any(one != default for one in given):
                    yield option, _once_or_per_file(option, given)
            elif option.name == "no-motion" and len(given) > 1:
                if any(given) and all(own.motion.file is None for own in options.per_file):
                    yield option, True  # else the files without a motion file have `NOT_GIVEN`
            elif value != default:
                yield option, list(value) if option.repeat else value


def _once_or_per_file(option: Option, given: list[Any]) -> list[Any]:
    """Return one value if it applies to all files, else the value of each file."""
    is_same = option.name not in ONE_FILE and all(one == given[0] for one in given)
    return [NOT_GIVEN if one is None else one for one in (given[:1] if is_same else given)]


def as_arguments(command: str, options: Options) -> Iterator[str]:
    """Yield the arguments that give the options of a command, without files and defaults."""
    for option, value in changed_options(command, options):
        if not option.metavar:
            yield option.flag if value else f"--no-{option.name}"
            continue
        for one in value if isinstance(value, list) else (value,):
            text = option.text(one)
            if text.startswith("-"):
                yield f"{option.flag}={text}"
            else:
                yield from (option.short or option.flag, text)
