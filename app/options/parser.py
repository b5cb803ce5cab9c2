"""Build the argparse parser of a command from the options table."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from ..errors import UsageError
from ..fields.command_groups import COMMANDS, IN_ONE_SCENE, MANY_FILES, NO_FILES, TWO_FILES
from ..fields.option import Option
from ..wording import capitalized
from .build_options import build_options
from .command_options import Options
from .table import PRINTING, options_by_name, options_of
from .without_effect import warn_of_useless


class _Parser(argparse.ArgumentParser):
    """Raises UsageError where argparse would print an error and exit."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message.removeprefix("argument "), hint=f"see {self.prog} --help")


class _Help(argparse.RawDescriptionHelpFormatter):
    """Wider columns, and the value named once after the flags: ``-o, --output OUT``.

    Line breaks of the list of commands and of the examples are kept.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        flags = ", ".join(action.option_strings)
        if not flags or action.nargs == 0 or isinstance(action, argparse.BooleanOptionalAction):
            return flags or super()._format_action_invocation(action)
        return f"{flags} {action.metavar}"


class Line(NamedTuple):
    """The arguments of a command.

    Attributes
    ----------
    files
        As given.
    given
        Values of the given options by name, in the types of the records.
    """

    command: str
    files: tuple[str, ...]
    given: Mapping[str, Any]

    def options(self, defaults: Mapping[str, Any]) -> Options:
        """Return the options; `defaults` are values for those that are not given.

        Raises
        ------
        UsageError
            A required option is missing, or the values do not fit the files.
        """
        values = {**defaults, **self.given}
        missing = [
            f"{option.short}/{option.flag}" if option.short else option.flag
            for option in options_by_name(self.command).values()
            if self.command in option.required and option.name not in values
        ]
        if missing:
            raise UsageError(
                f"the following arguments are required: {', '.join(missing)}",
                hint=f"see {_program(self.command)} --help",
            )
        options = build_options(self.command, self.files, values)
        warn_of_useless(self.command, options, self.given)
        return options


def read_line(command: str, arguments: Sequence[str]) -> Line:
    """Return files and values from the arguments of a command.

    Raises
    ------
    UsageError
        An unknown option, or an invalid value.
    """
    parser = _parser(command)
    spread = _spread(_join_negative(arguments, command), command)
    if command in (*MANY_FILES, *IN_ONE_SCENE):  # files may be mixed with options
        given = vars(parser.parse_intermixed_args(_without_dashes(spread)))
    else:
        given = vars(parser.parse_args(spread))
    if command in TWO_FILES:
        files = [name for name in (given.pop("a"), given.pop("b", None)) if name is not None]
    else:
        named = given.pop("files")
        files = [named] if isinstance(named, str) else named or []
    return Line(command, tuple(files), given)


def parse(
    command: str, arguments: Sequence[str], defaults: Mapping[str, Any] | None = None
) -> Options:
    """Return the options of `command` from its arguments.

    `defaults` are values for options that are not given, by name, in the types of the records.

    Raises
    ------
    UsageError
        An unknown option, a missing or an invalid value.
    """
    return read_line(command, arguments).options(defaults or {})


def _program(command: str) -> str:
    return "rigview" if command == "view" else f"rigview {command}"


def _parser(command: str) -> argparse.ArgumentParser:
    plain = command == "view"
    parser = _Parser(
        prog=_program(command),
        usage="rigview [FILE...] [OPTION...]\n       rigview COMMAND [FILE...] [OPTION...]"
        if plain
        else f"rigview {command} {_files(command)} [OPTION...]",
        description=_commands() if plain else f"{capitalized(COMMANDS[command].help)}.",
        epilog=_examples(command),
        formatter_class=_Help,
        allow_abbrev=False,
        add_help=False,
        argument_default=argparse.SUPPRESS,  # the result has given options only
    )
    if command in TWO_FILES:
        parser.add_argument(
            "a", metavar="A", help="the older version, or a folder; REV:PATH names a git revision"
        )
        parser.add_argument("b", nargs="?", metavar="B", help="the newer version, likewise")
    else:
        many = command in (*MANY_FILES, *IN_ONE_SCENE)
        parser.add_argument(
            "files",
            nargs="*" if many else "?",
            default=None,
            metavar="WHAT" if command in NO_FILES else "FILE",
            help=_file_help(command),
        )
    for group, options in options_of(command).items():
        section = parser.add_argument_group(group)
        for option in options:
            _add(section, option, command)
    for option in PRINTING:  # apart from the help, `rigview.cli.main` does it before
        if command in option.commands:
            _add(section, option, command)
    return parser


def _files(command: str) -> str:
    if command in TWO_FILES:
        return "A B"
    if command in NO_FILES:
        return "install|uninstall"
    return "[FILE...]" if command in (*MANY_FILES, *IN_ONE_SCENE) else "[FILE]"


def _file_help(command: str) -> str:
    if command == "view":
        return "files to open, side by side; default: the bundled character"
    if command == "convert":
        return "files that Blender reads (.blend, .fbx, .dae, .usd, .obj), or folders of them"
    if command in NO_FILES:
        return "install or uninstall"
    default = "default: the bundled character; - is standard input"
    if command in MANY_FILES:
        return f"glTF, .bvh, .blend, .fbx or other files, or folders of them; {default}"
    if command in IN_ONE_SCENE:
        return f"glTF, .bvh, .blend, .fbx or other file; several are placed side by side; {default}"
    return f"glTF, .bvh, .blend, .fbx or other file; {default}"


def _commands() -> str:
    lines = "\n".join(f"  {name:9} {command.help}" for name, command in COMMANDS.items())
    return (
        "View animated glTF characters, or inspect them without a display.\n\n"
        f"commands:\n{lines}\n\n"
        "`rigview COMMAND --help` shows the options of a command; these are the options of view."
    )


def _examples(command: str) -> str:
    lines = "\n".join(f"  {example}" for example in COMMANDS[command].examples)
    return f"examples:\n{lines}\n\nmanual: docs/{COMMANDS[command].manual}"


def _add(section: "argparse._ArgumentGroup", option: Option, command: str) -> None:
    flags = [option.short, option.flag] if option.short else [option.flag]
    text = help_text(option, command).replace("%", "%%")
    if option.name == "help":
        section.add_argument(*flags, action="help", help=text)
        return
    if not option.metavar:
        action: Any = argparse.BooleanOptionalAction if option.negative else "store_true"
        section.add_argument(*flags, action=action, dest=option.name, help=text)
        return
    per_file = command in option.per_file
    section.add_argument(
        *flags,
        action="append" if per_file or option.repeat else "store",
        dest=option.name,
        metavar=option.metavar,
        type=_reader(option.read_per_file if per_file else option.read),
        help=text,
    )


def help_text(option: Option, command: str) -> str:
    """Return the help text of an option of a command, with the choices and the default."""
    text, default = option.help_for(command), option.default_for(command)
    if not option.metavar:
        return text
    if command in option.per_file:
        text += "; once, or once for each file"
    if option.choices:
        text = f"{text}: {', '.join(option.choices)}"
    shown = ""
    if isinstance(default, int | float):
        shown = f"{default:g}" if option.writer is None else option.writer(default)
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


def _join_negative(arguments: Sequence[str], command: str) -> list[str]:
    """Rewrite ``--time -1,2`` as ``--time=-1,2``, so that argparse reads it as a value."""
    valued = {option.flag for option in options_by_name(command).values() if option.metavar}
    joined: list[str] = []
    for argument in arguments:
        negative = argument[:1] == "-" and (argument[1:2].isdigit() or argument[1:2] == ".")
        if negative and joined and joined[-1] in valued:
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def _spread(arguments: Sequence[str], command: str) -> list[str]:
    """Rewrite ``FILE --anims a b`` as ``FILE --anims a --anims b``.

    Before FILE a flag takes one value: the next argument that is not an option is FILE.
    """
    options = [option for option in options_by_name(command).values() if option.metavar]
    valued = {flag for option in options for flag in (option.flag, option.short) if flag}
    many = {option.flag for option in options if option.many}
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
        f"./{name}" if name.startswith("-") and name != "-" else name
        for name in arguments[at + 1 :]
    )
    return [*arguments[:at], *files]
