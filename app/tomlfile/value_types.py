"""Kinds of values in a motion file, with their conversion from and to TOML.

`read` converts a TOML value to a value of the document, or raises MotionError with its place;
`plain` converts back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

from ..animation.playback import parse_loop
from ..errors import KeyPath, MotionError
from ..fields.readers import LARGEST_NUMBER
from .toml_errors import motion_error, quoted, shortened


class Kind(Protocol):
    """A kind of value."""

    @property
    def words(self) -> str:
        """Return a description for messages: "a number from 0 to 1"."""

    def read(self, value: object, path: KeyPath) -> Any:  # noqa: ANN401 - the kind's own type
        """Return a TOML value as a value of the document (MotionError if it is invalid)."""

    def plain(self, value: Any) -> Any:  # noqa: ANN401
        """Return a value of the document for TOML, whole numbers as integers."""
        if isinstance(value, tuple):
            return [whole_as_int(number) for number in value]
        return whole_as_int(value) if isinstance(value, float) else value


def wrong_kind(kind: Kind, value: object, path: KeyPath) -> MotionError:
    """Return the error about a value of the wrong kind."""
    return motion_error(path, f"must be {kind.words}, not {value_text(value)}")


def value_text(value: object) -> str:
    """Return a TOML value as text for a message."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        return "a table"
    try:
        return shortened(str(value))
    except ValueError:  # Python limits the conversion of integers to thousands of digits
        return "a number of that size"


def is_number(value: object) -> bool:
    """Return whether a TOML value is a number of usable size."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) <= LARGEST_NUMBER
    )


def whole_as_int(value: float) -> float | int:
    """Return a number, as an integer where it is whole: 4 rather than 4.0."""
    return int(value) if float(value).is_integer() else float(value)


@dataclass(frozen=True, slots=True)
class Number(Kind):
    """A number within inclusive bounds; `above` excludes the lower one."""

    low: float = -LARGEST_NUMBER
    high: float = LARGEST_NUMBER
    above: bool = False

    @property
    def words(self) -> str:
        """Return a description for messages."""
        if self.high < LARGEST_NUMBER:
            return f"a number from {self.low:g} to {self.high:g}"
        if self.low > -LARGEST_NUMBER:
            return f"a number {'above' if self.above else 'from'} {self.low:g}"
        return "a number"

    def read(self, value: object, path: KeyPath) -> float:
        """Return a TOML number as a float."""
        if not is_number(value):
            raise wrong_kind(self, value, path)
        number = float(value)  # type: ignore[arg-type]
        if not self.low <= number <= self.high or (self.above and number == self.low):
            raise wrong_kind(self, value, path)
        return number


@dataclass(frozen=True, slots=True)
class Integer(Kind):
    """A whole number from `low` to `high`."""

    low: int
    high: int = 1_000_000
    words: str = "a whole number"

    def read(self, value: object, path: KeyPath) -> int:
        """Return a TOML integer."""
        if not is_number(value) or not float(value).is_integer():  # type: ignore[arg-type]
            raise wrong_kind(self, value, path)
        number = int(value)  # type: ignore[call-overload]
        if not self.low <= number <= self.high:
            raise motion_error(path, f"must be from {self.low} to {self.high}, not {number}")
        return int(number)


@dataclass(frozen=True, slots=True)
class Text(Kind):
    """A string: a name, a path, a pattern; not empty unless `empty`."""

    words: str = "a text"
    empty: bool = False

    def read(self, value: object, path: KeyPath) -> str:
        """Return a TOML string."""
        if not isinstance(value, str) or not (value or self.empty):
            raise wrong_kind(self, value, path)
        return value


@dataclass(frozen=True, slots=True)
class Boolean(Kind):
    """A boolean."""

    words: str = "true or false"

    def read(self, value: object, path: KeyPath) -> bool:
        """Return a TOML boolean."""
        if not isinstance(value, bool):
            raise wrong_kind(self, value, path)
        return value


class Choice(Kind):
    """One of several strings."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices

    @property
    def words(self) -> str:
        """Return a description for messages."""
        return " or ".join(f'"{choice}"' for choice in self.choices)

    def read(self, value: object, path: KeyPath) -> str:
        """Return a TOML string that is one of the choices."""
        if isinstance(value, str) and value not in self.choices:
            raise motion_error(
                path, f"unknown {path[-1]} {quoted(value)}", wrong=value, known=self.choices
            )
        if not isinstance(value, str):
            raise wrong_kind(self, value, path)
        return value


@dataclass(frozen=True, slots=True)
class Numbers(Kind):
    """A list of `count` numbers.

    `rising`: the last above the first; `nonzero`: not all 0; `level`: a direction that is not
    vertical.
    """

    count: int
    low: float = -LARGEST_NUMBER
    high: float = LARGEST_NUMBER
    rising: bool = False
    nonzero: bool = False
    level: bool = False

    @property
    def words(self) -> str:
        """Return a description for messages."""
        names = {2: "two numbers, such as [0, 1]", 3: "three numbers, such as [0, 1, 0]"}
        return names[self.count]

    def read(self, value: object, path: KeyPath) -> tuple[float, ...]:
        """Return a TOML array as a tuple."""
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != self.count:
            raise wrong_kind(self, value, path)
        number_type = Number(self.low, self.high)
        numbers = tuple(number_type.read(part, (*path, k)) for k, part in enumerate(value))
        if self.rising and numbers[-1] <= numbers[0]:
            raise motion_error(
                path, f"the end {numbers[-1]:g} must be above the start {numbers[0]:g}"
            )
        if self.nonzero and not any(numbers):
            raise motion_error(path, "a direction must not be zero in all components")
        if self.level and not (numbers[0] or numbers[2]):
            raise motion_error(path, "the direction must not be vertical")
        return numbers


@dataclass(frozen=True, slots=True)
class Either(Kind):
    """A number, a list of numbers or a string: those kinds that are given."""

    number: Number | None = None
    vector: Numbers | None = None
    text: Text | None = None

    @property
    def words(self) -> str:
        """Return a description for messages."""
        return " or ".join(k.words for k in (self.text, self.number, self.vector) if k)

    def read(self, value: object, path: KeyPath) -> float | tuple[float, ...] | str:
        """Return a TOML value read as its kind."""
        if self.text and isinstance(value, str):
            return self.text.read(value, path)
        if self.vector and isinstance(value, list):
            return self.vector.read(value, path)
        if self.number and is_number(value):
            return self.number.read(value, path)
        raise wrong_kind(self, value, path)


@dataclass(frozen=True, slots=True)
class Phases(Kind):
    """A phase, or a list of increasing phases, one for each cycle."""

    words: str = "a phase from 0 to 1, or a list of them"

    def read(self, value: object, path: KeyPath) -> tuple[float, ...]:
        """Return the phases."""
        number_type = Number(0, 1)
        if not isinstance(value, list):
            return (number_type.read(value, path),)
        phases = tuple(number_type.read(part, (*path, k)) for k, part in enumerate(value))
        if not phases or any(b <= a for a, b in pairwise(phases)):
            raise motion_error(path, "must be increasing phases, one for each cycle")
        return phases

    def plain(self, value: tuple[float, ...]) -> Any:  # noqa: ANN401 - a number or a list
        """Return the value for TOML."""
        return Kind.plain(self, value if len(value) > 1 else value[0])


@dataclass(frozen=True, slots=True)
class SpacePosition(Kind):
    """A position in a blend space: one number in 1D, two in 2D."""

    words: str = "a number, or two numbers such as [0, 1]"

    def read(self, value: object, path: KeyPath) -> tuple[float, ...]:
        """Return its one or two numbers."""
        if not isinstance(value, list):
            if not is_number(value):
                raise wrong_kind(self, value, path)
            return (Number().read(value, path),)
        return Numbers(2).read(value, path)

    def plain(self, value: tuple[float, ...]) -> Any:  # noqa: ANN401 - a number or a list
        """Return the value for TOML."""
        return Kind.plain(self, value if len(value) > 1 else value[0])


@dataclass(frozen=True, slots=True)
class Loop(Kind):
    """A loop mode: a word or a number of passes."""

    words: str = '"once", "loop", "pingpong", a number of passes, or "pingpong:N"'

    def read(self, value: object, path: KeyPath) -> str:
        """Return the loop mode as a string."""
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise wrong_kind(self, value, path)
        try:
            parse_loop(str(value))
        except ValueError:
            raise wrong_kind(self, value, path) from None
        return str(value)

    def plain(self, value: str) -> str | int:
        """Return the value for TOML."""
        return int(value) if value.isdigit() else value


@dataclass(frozen=True, slots=True)
class Axes(Kind):
    """Axes of model space, by letter."""

    words: str = 'letters of "xyz", each once'

    def read(self, value: object, path: KeyPath) -> str:
        """Return the letters."""
        letters = set(value) if isinstance(value, str) else set()
        if not letters or letters - set("xyz") or len(letters) != len(str(value)):
            raise wrong_kind(self, value, path)
        return str(value)
