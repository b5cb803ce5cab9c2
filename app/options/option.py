"""One option of the command line, of a panel and of the help."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Option:
    """One option of the command line, and one setting of the program.

    `metavar` names the value in the help; an option without it is a switch. `default` is the
    value of an option that is not given; `defaults`, `helps` and `parses` override per command.
    """

    name: str  # "frame-rate" for --frame-rate
    commands: tuple[str, ...]
    help: str
    metavar: str = ""
    parse: Callable[[str], Any] = str
    default: Any = None
    choices: tuple[str, ...] = ()
    short: str = ""  # "-o"
    negative: bool = False  # a switch with --no-NAME too
    repeat: tuple[str, ...] = ()  # commands where it may be given several times
    per_file: tuple[str, ...] = ()  # commands where it may be given once for each file
    many: bool = False  # several values may follow one flag
    required: tuple[str, ...] = ()  # commands that require it
    defaults: Mapping[str, Any] = field(default_factory=dict)
    helps: Mapping[str, str] = field(default_factory=dict)  # help texts of commands that differ
    parses: Mapping[str, tuple[str, Callable[[str], Any]]] = field(
        default_factory=dict
    )  # metavar and parser of commands that differ

    @property
    def key(self) -> str:
        """Return the name as a Python identifier: ``frame_rate``."""
        return self.name.replace("-", "_")

    @property
    def flag(self) -> str:
        """Return the flag: ``--frame-rate``."""
        return f"--{self.name}"

    def help_for(self, command: str) -> str:
        """Return the help text in `command`."""
        return self.helps.get(command, self.help)

    def metavar_for(self, command: str) -> str:
        """Return the name of the value in the help of `command`."""
        return self.parses[command][0] if command in self.parses else self.metavar

    def parse_for(self, command: str) -> Callable[[str], Any]:
        """Return the parser of the value in `command`."""
        return self.parses[command][1] if command in self.parses else self.parse

    def default_for(self, command: str) -> Any:  # noqa: ANN401 - the type is the option's own
        """Return the default value in `command`."""
        return self.defaults.get(command, self.default)
