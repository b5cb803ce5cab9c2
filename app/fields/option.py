"""Options as fields of records: `switch`, `toggle`, `value`, `values` and `choice` declare them.

A field of an option record is the row of the options table: it has the type of the value and its
default, and describes the option for the command line, the help and configuration files::

    exposure: float = value("exposure in stops (EV)", "EV", stops, default=0.0)

The name of the option is that of the field (``tone_mapping`` is ``--tone-mapping``) or is given by
``name``. Two fields may have one name if no command has both. `part` declares a field that is a
record of options itself, with the commands that take those which name none by ``commands``; `walk`
lists the options of a record and of its parts.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar, get_args, overload

from .readers import whole_number_from

__all__ = [
    "NOT_GIVEN",
    "Commands",
    "Option",
    "choice",
    "of_files",
    "part",
    "parts",
    "replaced",
    "restored",
    "rows",
    "switch",
    "toggle",
    "unwritten",
    "value",
    "value_at",
    "values",
    "walk",
    "without_option",
]

T = TypeVar("T")
MOST_FILES = 1000  # side by side
Commands = tuple[str, ...]
NOT_GIVEN = "-"  # of an option given once for each file: this file has no value
_ROW, _PART, _TITLE, _LABEL, _UNDO = "option", "part", "title", "label", "undo"  # metadata keys

if TYPE_CHECKING:  # what only the type checker needs
    from typing import TypedDict, Unpack

    class Details(TypedDict, total=False):
        """Further attributes of an `Option`."""

        commands: Commands
        name: str
        title: str
        short: str
        per_file: Commands
        required: Commands
        defaults: Mapping[str, Any]
        helps: Mapping[str, str]
        writer: Callable[[Any], str]
        crowd: bool
        last_repeats: bool
        names: str
        undo: bool
        label: str
        active: bool


@dataclass(slots=True, eq=False)
class Option:
    """One option of the command line, and one setting of the program.

    `metavar` names the value in the help; an option without it is a switch. `default` is the
    value of an option that is not given; `defaults` and `helps` override per command.
    """

    help: str
    metavar: str = ""
    reader: Callable[[Any], Any] = str
    default: Any = None
    choices: tuple[str, ...] = ()
    commands: Commands = ()  # that take it; by default those of its part
    negative: bool = False  # a switch with --no-NAME too
    repeat: bool = False  # may be given several times
    many: bool = False  # several values may follow one flag
    name: str = ""  # "frame-rate" for --frame-rate
    attribute: str = ""  # its field in the record
    title: str = ""  # over it in the help; "": that of its record
    label: str = ""  # of its value, for people
    short: str = ""  # "-o"
    per_file: Commands = ()  # commands where it may be given once for each file
    last_repeats: bool = True  # the last value applies to further files
    active: bool = False  # of several files it applies to the active one
    required: Commands = ()  # commands that require it
    defaults: Mapping[str, Any] = field(default_factory=dict)
    helps: Mapping[str, str] = field(default_factory=dict)  # help texts of commands that differ
    writer: Callable[[Any], str] | None = None  # of a value that only text can express
    crowd: bool = True  # whether it applies to a crowd
    undo: bool = True  # whether a change of it is undone; else it stays through an undo
    numbered: bool = False  # given as the numbers of the files for which it is true
    names: str = ""  # what of the file its value names, as `info --names` lists it: "joints"

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

    def read_given(self, given: Any, command: str) -> Any:  # noqa: ANN401
        """Return the value from which records are built for one given in Python or TOML.

        A list has a value for each use of the option, or for each file; a tuple is one value of
        several numbers, or the uses of an option. Switches are not read.

        Raises
        ------
        ValueError
            A value is invalid; with a message for the user.
        """
        if self.repeat:
            several = given if isinstance(given, list | tuple) else [given]
            return [self.read(one) for one in several]
        if command not in self.per_file:
            return self.read(given)
        one_for_each = (given or [""]) if isinstance(given, list) else [given]
        return [None if one is None else self.read_per_file(one) for one in one_for_each]

    def plain(self, value: Any) -> Any:  # noqa: ANN401 - the type is the option's own
        """Return a value that `read` reads: a number, several numbers, or text."""
        return value if self.writer is None or value == NOT_GIVEN else self.writer(value)

    def text(self, value: Any) -> str:  # noqa: ANN401 - the type is the option's own
        """Return a value as text, as on the command line."""
        value = self.plain(value)
        return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def switch(help: str, **details: "Unpack[Details]") -> bool:
    """Declare an option without a value: given or not."""
    return _row(Option(help, default=False, **details))


@overload
def toggle(help: str, *, default: bool, **details: "Unpack[Details]") -> bool: ...


@overload
def toggle(help: str, **details: "Unpack[Details]") -> bool | None: ...


def toggle(help: str, *, default: bool | None = None, **details: "Unpack[Details]") -> bool | None:
    """Declare a switch with ``--no-NAME``; without a default it is None if it is not given."""
    return _row(Option(help, default=default, negative=True, **details))


@overload
def value(
    help: str,
    metavar: str,
    reader: Callable[[Any], T],
    *,
    default: T,
    **details: "Unpack[Details]",
) -> T: ...


@overload
def value(
    help: str,
    metavar: str,
    reader: Callable[[Any], T],
    **details: "Unpack[Details]",
) -> T | None: ...


def value(
    help: str,
    metavar: str,
    reader: Callable[[Any], T],
    *,
    default: T | None = None,
    **details: "Unpack[Details]",
) -> T | None:
    """Declare an option with a value; without a default it is None if it is not given."""
    return _row(Option(help, metavar, reader, default, **details))


def values(
    help: str,
    metavar: str,
    reader: Callable[[Any], T],
    *,
    many: bool = False,
    **details: "Unpack[Details]",
) -> tuple[T, ...]:
    """Declare an option that may be given several times; with `many`, as ``--anims a b`` too."""
    row = Option(help, metavar, reader, (), repeat=True, many=many, **details)
    return _row(row)


def choice(
    help: str,
    metavar: str,
    of: object,
    *,
    default: str | None = None,
    **details: "Unpack[Details]",
) -> Any:  # noqa: ANN401 - a text of the Literal type
    """Declare an option with one of the texts of a Literal type."""
    return _row(Option(help, metavar, str, default, get_args(of), **details))


def of_files(help: str, **details: "Unpack[Details]") -> bool:
    """Declare a field of each of several files; the option has numbers of files, from 1."""
    reader = whole_number_from(1, MOST_FILES)
    row = Option(help, "N", reader, (), repeat=True, numbered=True, **details)
    return field(default=False, metadata={_ROW: row})


def part(of: type[T], title: str = "", *, commands: Commands = (), undo: bool = True) -> T:
    """Declare a field that is a record; `title` is over its options in the help.

    `commands` take those of its options that name none. With `undo` False none of it is undone.
    """
    for option in rows(of):
        option.commands = option.commands or commands
    return field(default=of(), metadata={_PART: of, _TITLE: title, _UNDO: undo})


def without_option(default: T, label: str) -> T:
    """Declare a field that no option can give; `label` says what a command leaves out."""
    return field(default=default, metadata={_LABEL: label})


def unwritten(record: Any) -> Iterator[str]:  # noqa: ANN401 - any record
    """Yield the labels of fields without an option that differ from their defaults."""
    for own in fields(record):
        value = getattr(record, own.name)
        if _PART in own.metadata:
            yield from unwritten(value)
        elif _LABEL in own.metadata and value != own.default:
            yield own.metadata[_LABEL]


def walk(record: type, title: str = "") -> Iterator[tuple[tuple[str, ...], str, Option]]:
    """Yield path, title in the help and option of the fields of a record and of its parts."""
    for option in rows(record):
        yield (option.attribute,), option.title or title, option
    titles = {own.name: own.metadata.get(_TITLE) for own in fields(record)}
    for name, inner in parts(record).items():
        for path, above, option in walk(inner, titles[name] or title):
            yield (name, *path), above, option


def value_at(record: Any, path: tuple[str, ...]) -> Any:  # noqa: ANN401 - of any field
    """Return the value of a field of a record, or of one of its parts."""
    for name in path:
        record = getattr(record, name)
    return record


def replaced(record: T, path: tuple[str, ...], value: Any) -> T:  # noqa: ANN401 - of any field
    """Return a record with another value of one field, which may be that of a part."""
    name, *inner = path
    if inner:
        value = replaced(getattr(record, name), tuple(inner), value)
    return replace(record, **{name: value})  # type: ignore[type-var]


def restored(now: T, then: T) -> T:
    """Return the record `then`, with the values of `now` in fields that undo keeps."""
    values: dict[str, Any] = {}
    for own in fields(now):  # type: ignore[arg-type]
        present, past = getattr(now, own.name), getattr(then, own.name)
        row = own.metadata.get(_ROW)
        if _PART in own.metadata and own.metadata[_UNDO]:
            past = restored(present, past)
        elif not own.metadata.get(_UNDO, row is None or row.undo):
            past = present
        if past is not present:
            values[own.name] = past
    return replace(now, **values) if values else now  # type: ignore[type-var]


def parts(record: type) -> dict[str, type]:
    """Return the parts of a record by field."""
    return {own.name: own.metadata[_PART] for own in fields(record) if _PART in own.metadata}


def rows(record: type) -> tuple[Option, ...]:
    """Return the options that the fields of a record declare, in order."""
    declared = [(own.name, own.metadata[_ROW]) for own in fields(record) if _ROW in own.metadata]
    for attribute, option in declared:
        option.attribute = attribute
        option.name = option.name or attribute.replace("_", "-")
    return tuple(option for _, option in declared)


def _row(row: Option) -> Any:  # noqa: ANN401 - the type of the declared field
    return field(default=row.default, metadata={_ROW: row})
