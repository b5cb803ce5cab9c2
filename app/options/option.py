"""One option: of the command line, of a panel, of the help page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Option:
    """One option of the command line, and one setting of the program.

    `metavar` names its value in the help; an option without one is a switch. `default` is the
    value where it is not given; `defaults`, `helps` and `parses` name the commands that differ.
    """

    name: str  # "frame-rate": written --frame-rate
    commands: tuple[str, ...]
    help: str
    metavar: str = ""
    parse: Callable[[str], Any] = str
    default: Any = None
    choices: tuple[str, ...] = ()
    short: str = ""  # "-o"
    negative: bool = False  # a switch that also has --no-NAME
    repeat: tuple[str, ...] = ()  # commands in which it may be given several times
    apiece: tuple[str, ...] = ()  # commands in which it may be given once for each file
    many: bool = False  # several values may follow it at once
    required: tuple[str, ...] = ()  # commands that cannot do without it
    defaults: Mapping[str, Any] = field(default_factory=dict)
    helps: Mapping[str, str] = field(default_factory=dict)  # of commands where it means more
    parses: Mapping[str, tuple[str, Callable[[str], Any]]] = field(
        default_factory=dict
    )  # of commands where its value is another: metavar and reader

    @property
    def key(self) -> str:
        """Return the name as a Python one: ``frame_rate``."""
        return self.name.replace("-", "_")

    @property
    def flag(self) -> str:
        """Return it as it is written: ``--frame-rate``."""
        return f"--{self.name}"

    def help_for(self, command: str) -> str:
        """Return what it does in `command`."""
        return self.helps.get(command, self.help)

    def metavar_for(self, command: str) -> str:
        """Return what stands for its value in the help of `command`."""
        return self.parses[command][0] if command in self.parses else self.metavar

    def parse_for(self, command: str) -> Callable[[str], Any]:
        """Return what reads its value in `command`."""
        return self.parses[command][1] if command in self.parses else self.parse

    def default_for(self, command: str) -> Any:  # noqa: ANN401 - the type is the option's own
        """Return the value it has in `command` where it is not given."""
        return self.defaults.get(command, self.default)
