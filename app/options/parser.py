"""Build the argparse parser of a command from the options table."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ..errors import UsageError
from .option import Option
from .per_file import NOT_GIVEN, use_active_file
from .table import COMMANDS, IN_ONE_SCENE, MANY_FILES, TWO_FILES, options_of


class _Parser(argparse.ArgumentParser):
    """Raises UsageError where argparse would print an error and exit."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message.removeprefix("argument "), hint=f"see {self.prog} --help")


class _Help(argparse.HelpFormatter):
    """Wider columns, and the value named once after the flags: ``-o, --output OUT``."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        flags = ", ".join(action.option_strings)
        if not flags or action.nargs == 0 or isinstance(action, argparse.BooleanOptionalAction):
            return flags or super()._format_action_invocation(action)
        return f"{flags} {action.metavar}"


def parse(command: str, arguments: Sequence[str]) -> argparse.Namespace:
    """Return the parsed arguments of `command`, with defaults.

    Raises
    ------
    UsageError
        An unknown option, a missing or an invalid value.
    """
    parser = _parser(command)
    spread = _spread(_join_negative(arguments, command), command)
    if command in (*MANY_FILES, *IN_ONE_SCENE):  # files may be mixed with options
        parsed = parser.parse_intermixed_args(_without_dashes(spread))
    else:
        parsed = parser.parse_args(spread)
    if command in TWO_FILES:
        parsed.files = [parsed.a, parsed.b]
    if command in (*MANY_FILES, *TWO_FILES):
        parsed.file = parsed.files[0] if parsed.files else None
    if command in IN_ONE_SCENE:
        use_active_file(parsed, command)
    return parsed


def _parser(command: str) -> argparse.ArgumentParser:
    plain = command == "view"
    parser = _Parser(
        prog="rigview" if plain else f"rigview {command}",
        usage="rigview [FILE...] [OPTION...]\n       rigview COMMAND [FILE...] [OPTION...]"
        if plain
        else f"rigview {command} {_files(command)} [OPTION...]",
        description=_commands() if plain else f"{COMMANDS[command].capitalize()}.",
        formatter_class=_Raw if plain else _Help,
        allow_abbrev=False,
        add_help=False,
    )
    if command in TWO_FILES:
        parser.add_argument(
            "a", metavar="A", help="the older version; REV:PATH names a git revision"
        )
        parser.add_argument("b", metavar="B", help="the newer version, likewise")
    elif command in (*MANY_FILES, *IN_ONE_SCENE):
        parser.add_argument("files", nargs="*", metavar="FILE", help=_file_help(command))
    else:
        parser.add_argument("file", nargs="?", metavar="FILE", help=_file_help(command))
    for group, options in options_of(command).items():
        section = parser.add_argument_group(group)
        for each in options:
            _add(section, each, command)
        if group == "general":
            section.add_argument("-h", "--help", action="help", help="show this help and exit")
            if plain:
                section.add_argument(
                    "--version", action="store_true", help="show the version and exit"
                )
    return parser


def _files(command: str) -> str:
    if command in TWO_FILES:
        return "A B"
    return "[FILE...]" if command in (*MANY_FILES, *IN_ONE_SCENE) else "[FILE]"


def _file_help(command: str) -> str:
    if command == "view":
        return "files to open, side by side; default: the bundled character"
    if command in MANY_FILES:
        return (
            "glTF or .bvh files, or folders of them; default: the bundled character; - is "
            "standard input"
        )
    if command in IN_ONE_SCENE:
        return (
            "glTF or .bvh file; several are placed side by side; default: the bundled character; "
            "- is standard input"
        )
    return "glTF or .bvh file; default: the bundled character; - is standard input"


class _Raw(_Help, argparse.RawDescriptionHelpFormatter):
    """Keeps the line breaks of the list of commands."""


def _commands() -> str:
    lines = "\n".join(f"  {name:9} {summary}" for name, summary in COMMANDS.items())
    return (
        "View animated glTF characters, or inspect them without a display.\n\n"
        f"commands:\n{lines}\n\n"
        "`rigview COMMAND --help` shows the options of a command; these are the options of view."
    )


def _add(section: "argparse._ArgumentGroup", each: Option, command: str) -> None:
    flags = [each.short, each.flag] if each.short else [each.flag]
    default = each.default_for(command)
    text = each.help_for(command).replace("%", "%%")
    if not each.metavar:
        action: Any = argparse.BooleanOptionalAction if each.negative else "store_true"
        section.add_argument(
            *flags, action=action, default=None if each.negative else False, help=text
        )
        return
    per_file = command in each.per_file  # its default is filled in per file
    if per_file:
        text += "; once, or once for each file"
    parse = each.parse_for(command)
    if per_file and not each.choices:
        parse = _or_nothing(parse)
    section.add_argument(
        *flags,
        action="append" if per_file or command in each.repeat else "store",
        metavar=each.metavar_for(command),
        type=_reader(parse),
        choices=each.choices or None,
        default=None if per_file else default,
        required=command in each.required,
        help=_with_values(text, each, default),
    )


def _with_values(text: str, each: Option, default: object) -> str:
    """Return the help text with the choices and the default."""
    if each.choices:
        text = f"{text}: {', '.join(each.choices)}"
    shown = ""
    if isinstance(default, int | float):
        shown = f"{default:g}"
    elif isinstance(default, str) and default != "-":
        shown = default
    elif isinstance(default, tuple) and all(isinstance(part, int) for part in default):
        shown = ",".join(map(str, default))
    return f"{text} ({shown})" if shown else text


def _reader(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    def read(text: str) -> Any:  # noqa: ANN401 - the type is the option's own
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def _or_nothing(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda text: None if text == NOT_GIVEN else parse(text)


def _join_negative(arguments: Sequence[str], command: str) -> list[str]:
    """Rewrite ``--time -1,2`` as ``--time=-1,2``, so that argparse reads it as a value."""
    valued = {
        flag
        for options in options_of(command).values()
        for each in options
        if each.metavar
        for flag in (each.flag, each.short)
    }
    joined: list[str] = []
    for argument in arguments:
        negative = argument[:1] == "-" and (argument[1:2].isdigit() or argument[1:2] == ".")
        if negative and joined and joined[-1] in valued and joined[-1].startswith("--"):
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def _spread(arguments: Sequence[str], command: str) -> list[str]:
    """Rewrite ``FILE --anims a b`` as ``FILE --anims a --anims b``.

    Before FILE a flag takes one value: the next argument that is not an option is FILE.
    """
    options = [each for group in options_of(command).values() for each in group if each.metavar]
    valued = {flag for each in options for flag in (each.flag, each.short) if flag}
    many = {each.flag for each in options if each.many}
    spread: list[str] = []
    seen, holding = False, ""
    for argument in arguments:
        value = bool(spread) and spread[-1] in valued
        if not value and argument.startswith("-") and argument != "-":
            holding = argument if argument in many else ""
        elif not value and holding and seen:
            spread.append(holding)
        elif not value:
            seen, holding = True, ""
        spread.append(argument)
    return spread


def _without_dashes(arguments: Sequence[str]) -> list[str]:
    """Rewrite ``-- -x.glb`` as ``./-x.glb``: argparse loses ``--`` on its second pass."""
    if "--" not in arguments:
        return list(arguments)
    at = list(arguments).index("--")
    files = (
        f"./{each}" if each.startswith("-") and each != "-" else each
        for each in arguments[at + 1 :]
    )
    return [*arguments[:at], *files]
