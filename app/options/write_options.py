"""Write options as arguments of a command or of a Python call: those that are not defaults."""

from collections.abc import Iterator
from typing import Any

from ..fields.option import NOT_GIVEN, Option, unwritten
from .build_options import build_options
from .command_options import Options
from .table import ROWS, Row
from .without_effect import without_effect


def changed_options(command: str, options: Options) -> Iterator[tuple[Option, Any]]:
    """Yield the options of a command that differ from their defaults, with the value.

    Options that have no effect beside the others are left out. A list has a value for each use of
    an option; `NOT_GIVEN` leaves it unset for a file.
    """
    useless = without_effect(command, options)
    for row in ROWS:
        option = row.option
        if command not in option.commands or option.name in useless:
            continue
        found = _of_characters(command, options, row) if row.of_character else row.value(options)
        if found is not None and found != option.default_for(command):
            yield option, list(found) if option.repeat else found


def _of_characters(command: str, options: Options, row: Row) -> Any:  # noqa: ANN401 - of the field
    """Return the value of an option of characters; None if it is the default for all of them."""
    option, scene = row.option, options.scene
    default = option.default_for(command)
    given = [row.value(each) for each in scene.characters]
    if option.numbered:
        return tuple(number for number, value in enumerate(given, 1) if value)
    if option.name == "animation" and scene.crowd.clips:
        return [NOT_GIVEN if one is None else one for one in scene.crowd.clips]
    if len(given) == 1 or option.active:
        return row.value(scene.character)
    if option.name == "no-motion":  # else the files without a motion file have `NOT_GIVEN`
        return any(given) and all(each.motion.file is None for each in scene.characters)
    changed = [value for value in given if value != default]
    if not changed:
        return None
    if command not in option.per_file:
        seen = [row.value(each) for each in scene.characters if not each.hidden]
        return next((value for value in seen if value != default), default if seen else changed[0])
    is_same = option.last_repeats and len(changed) == len(given) == changed.count(given[0])
    return [NOT_GIVEN if one is None else one for one in (given[:1] if is_same else given)]


def left_out(command: str, options: Options) -> list[str]:
    """Return what the options of a command cannot say of visible characters, in words.

    It is found by reading what is written: a field has no option, or several characters share one.
    """
    given = {
        option.name: _as_read(command, option, value)
        for option, value in changed_options(command, options)
    }
    scene, back = options.scene, build_options(command, options.files, given).scene
    useless = without_effect(command, options)
    seen = [each for each in scene.characters if "hide" in useless or not each.hidden]
    lost = [
        f"{row.option.label or row.option.flag} of several characters"
        for row in ROWS
        if row.of_character and command in row.option.commands and row.option.name not in useless
        if any(
            row.value(one) != row.value(other)
            for one, other in zip(scene.characters, back.characters, strict=True)
            if one in seen
        )
    ]
    words = [label for each in (scene, *seen) for label in unwritten(each)]
    return list(dict.fromkeys([*words, *lost]))


def _as_read(command: str, option: Option, value: Any) -> Any:  # noqa: ANN401 - of the option
    """Return a written value as the parser reads it."""
    if command not in option.per_file:
        return value
    several = value if isinstance(value, list) else [value]
    return [None if one == NOT_GIVEN and not option.choices else one for one in several]


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
