"""Write options as arguments of a command or of a Python call: those that are not defaults."""

from collections.abc import Iterator
from typing import Any

from ..fields.option import NOT_GIVEN, Option, unwritten
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
        return list(scene.crowd.clips)
    if len(given) == 1 or option.active:
        return row.value(scene.character)
    if option.name == "no-motion":  # else the files without a motion file have `NOT_GIVEN`
        return any(given) and all(each.motion.file is None for each in scene.characters)
    changed = [value for value in given if value != default]
    if not changed:
        return None
    if command not in option.per_file:
        return changed[0]
    is_same = option.last_repeats and len(changed) == len(given) == changed.count(given[0])
    return [NOT_GIVEN if one is None else one for one in (given[:1] if is_same else given)]


def left_out(command: str, options: Options) -> list[str]:
    """Return what no option of a command can say, in words."""
    found = []
    scene = options.scene
    for row in ROWS:
        option = row.option
        if not row.of_character or command not in option.commands or option.numbered:
            continue
        given = [row.value(each) for each in scene.characters if not each.hidden]
        own = command in option.per_file or option.name == "no-motion"
        others = any(
            row.value(each) != option.default
            for number, each in enumerate(scene.characters, 1)
            if number != scene.active and not each.hidden
        )
        if others if option.active else not own and any(one != given[0] for one in given):
            found.append(f"{option.label or option.flag} of several characters")
    words = [label for each in scene.characters if not each.hidden for label in unwritten(each)]
    return [*dict.fromkeys([*unwritten(scene), *words, *found])]


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
