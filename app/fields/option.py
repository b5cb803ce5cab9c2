"""Options as fields of records: `switch`, `toggle`, `value`, `values` and `choice` declare them.

A field of an option record is the row of the options table: it has the type of the value and its
default, and describes the option for the command line, the help and configuration files::

    exposure: float = value(RENDERING, "exposure in stops (EV)", "EV", stops, default=0.0)

The name of the option is that of the field (``tone_mapping`` is ``--tone-mapping``) or is given by
``name``. Two fields may have one name if no command has both.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar, overload

__all__ = [
    "NOT_GIVEN",
    "ONE_FILE",
    "Commands",
    "Option",
    "choice",
    "rows",
    "switch",
    "toggle",
    "value",
    "values",
]

T = TypeVar("T")
Commands = tuple[str, ...]
NOT_GIVEN = "-"  # of an option given once for each file: this file has no value
# options whose last value does not apply to further files
ONE_FILE = ("motion", "variant", "hide-mesh")
_ROW = "option"  # key in the metadata of a field

if TYPE_CHECKING:  # what only the type checker needs
    from typing import TypedDict, Unpack

    class Details(TypedDict, total=False):
        """Further attributes of an `Option`."""

        name: str
        short: str
        per_file: Commands
        required: Commands
        defaults: Mapping[str, Any]
        helps: Mapping[str, str]
        writer: Callable[[Any], str]
        crowd: bool


@dataclass(slots=True, eq=False)
class Option:
    """One option of the command line, and one setting of the program.

    `metavar` names the value in the help; an option without it is a switch. `default` is the
    value of an option that is not given; `defaults` and `helps` override per command.
    """

    commands: Commands
    help: str
    metavar: str = ""
    reader: Callable[[Any], Any] = str
    default: Any = None
    choices: tuple[str, ...] = ()
    negative: bool = False  # a switch with --no-NAME too
    repeat: bool = False  # may be given several times
    many: bool = False  # several values may follow one flag
    name: str = ""  # "frame-rate" for --frame-rate
    attribute: str = ""  # its field in the record
    short: str = ""  # "-o"
    per_file: Commands = ()  # commands where it may be given once for each file
    required: Commands = ()  # commands that require it
    defaults: Mapping[str, Any] = field(default_factory=dict)
    helps: Mapping[str, str] = field(default_factory=dict)  # help texts of commands that differ
    writer: Callable[[Any], str] | None = None  # of a value that only text can express
    crowd: bool = True  # whether it applies to a crowd

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

    def default_for(self, command: str) -> Any:  # noqa: ANN401 - the type is the option's own
        """Return the default value in `command`."""
        return self.defaults.get(command, self.default)

    def read(self, value: Any) -> Any:  # noqa: ANN401 - the type is the option's own
        """Return the value of a text, or of a number or numbers from Python or TOML.

        Raises
        ------
        ValueError
            The value is invalid; with a message for the user.
        """
        if self.choices and value not in self.choices:
            known = ", ".join(map(repr, self.choices))
            raise ValueError(f"invalid choice: {value!r} (choose from {known})")
        return self.reader(value)

    def read_per_file(self, value: Any) -> Any:  # noqa: ANN401 - the type is the option's own
        """Return the value for one of several files; None for ``-``, which leaves it unset."""
        return None if value == NOT_GIVEN and not self.choices else self.read(value)

    def plain(self, value: Any) -> Any:  # noqa: ANN401 - the type is the option's own
        """Return a value that `read` reads: a number, several numbers, or text."""
        return value if self.writer is None or value == NOT_GIVEN else self.writer(value)

    def text(self, value: Any) -> str:  # noqa: ANN401 - the type is the option's own
        """Return a value as text, as on the command line."""
        value = self.plain(value)
        return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def switch(commands: Commands, help: str, **details: "Unpack[Details]") -> bool:
    """Declare an option without a value: given or not."""
    return _row(Option(commands, help, default=False, **details))


@overload
def toggle(
    commands: Commands, help: str, *, default: bool, **details: "Unpack[Details]"
) -> bool: ...


@overload
def toggle(commands: Commands, help: str, **details: "Unpack[Details]") -> bool | None: ...


def toggle(
    commands: Commands, help: str, *, default: bool | None = None, **details: "Unpack[Details]"
) -> bool | None:
    """Declare a switch with ``--no-NAME``; without a default it is None if it is not given."""
    return _row(Option(commands, help, default=default, negative=True, **details))


@overload
def value(
    commands: Commands,
    help: str,
    metavar: str,
    reader: Callable[[Any], T],
    *,
    default: T,
    **details: "Unpack[Details]",
) -> T: ...


@overload
def value(
    commands: Commands,
    help: str,
    metavar: str,
    reader: Callable[[Any], T],
    **details: "Unpack[Details]",
) -> T | None: ...


def value(
    commands: Commands,
    help: str,
    metavar: str,
    reader: Callable[[Any], T],
    *,
    default: T | None = None,
    **details: "Unpack[Details]",
) -> T | None:
    """Declare an option with a value; without a default it is None if it is not given."""
    return _row(Option(commands, help, metavar, reader, default, **details))


def values(
    commands: Commands,
    help: str,
    metavar: str,
    reader: Callable[[Any], T],
    *,
    many: bool = False,
    **details: "Unpack[Details]",
) -> tuple[T, ...]:
    """Declare an option that may be given several times; with `many`, as ``--anims a b`` too."""
    row = Option(commands, help, metavar, reader, (), repeat=True, many=many, **details)
    return _row(row)


@overload
def choice(
    commands: Commands,
    help: str,
    metavar: str,
    choices: tuple[T, ...],
    *,
    default: T,
    **details: "Unpack[Details]",
) -> T: ...


@overload
def choice(
    commands: Commands,
    help: str,
    metavar: str,
    choices: tuple[T, ...],
    **details: "Unpack[Details]",
) -> T | None: ...


def choice(
    commands: Commands,
    help: str,
    metavar: str,
    choices: tuple[Any, ...],
    *,
    default: Any = None,
    **details: "Unpack[Details]",
) -> Any:
    """Declare an option with one of several texts."""
    return _row(Option(commands, help, metavar, str, default, choices, **details))


def rows(record: type) -> tuple[Option, ...]:
    """Return the options that the fields of a record declare, in order."""
    declared = [(own.name, own.metadata[_ROW]) for own in fields(record) if _ROW in own.metadata]
    for attribute, option in declared:
        option.attribute = attribute
        option.name = option.name or attribute.replace("_", "-")
    return tuple(option for _, option in declared)


def _row(row: Option) -> Any:  # noqa: ANN401 - the type of the declared field
    return field(default=row.default, metadata={_ROW: row})
