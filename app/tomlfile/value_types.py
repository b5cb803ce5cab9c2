"""Kinds of values in a motion file: what each may be, and how it stands in the file and in Python.

`read` takes what TOML gave and returns what the document holds, or raises MotionError with the
place; `plain` goes back, to what TOML can write.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

from ..animation.playback import parse_loop
from ..errors import MotionError
from .toml_errors import KeyPath, fault, quoted, shortened
from .value_parsing import MOST


class Kind(Protocol):
    """What a value may be."""

    @property
    def words(self) -> str:
        """Return it as a sentence goes on: "a number from 0 to 1"."""

    def read(self, value: object, path: KeyPath) -> Any:  # noqa: ANN401 - the kind's own type
        """Return a TOML value as the document holds it (MotionError)."""

    def plain(self, value: Any) -> Any:  # noqa: ANN401
        """Return a value of the document as TOML writes it."""


def not_a(kind: Kind, value: object, path: KeyPath) -> MotionError:
    """Return the error about a value that is not of its kind."""
    return fault(path, f"must be {kind.words}, not {shown(value)}")


def shown(value: object) -> str:
    """Return a TOML value as a message quotes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        return "a table"
    try:
        return shortened(str(value))
    except ValueError:  # Python does not write out integers of thousands of digits
        return "a number of that size"


def is_number(value: object) -> bool:
    """Whether TOML gave a number that we can reckon with."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST


def tidy(value: float) -> float | int:
    """Return a number as people write it: 4 rather than 4.0."""
    return int(value) if float(value).is_integer() else float(value)


@dataclass(frozen=True, slots=True)
class Number:
    """A number within bounds, both included unless `above`, the lower one."""

    low: float = -MOST
    high: float = MOST
    above: bool = False

    @property
    def words(self) -> str:
        """Return it as a sentence goes on."""
        if self.high < MOST:
            return f"a number from {self.low:g} to {self.high:g}"
        if self.low > -MOST:
            return f"a number {'above' if self.above else 'from'} {self.low:g}"
        return "a number"

    def read(self, value: object, path: KeyPath) -> float:
        """Return a TOML number as a float."""
        if not is_number(value):
            raise not_a(self, value, path)
        number = float(value)  # type: ignore[arg-type]
        if not self.low <= number <= self.high or (self.above and number == self.low):
            raise not_a(self, value, path)
        return number

    def plain(self, value: float) -> float | int:
        """Return it as TOML writes it."""
        return tidy(value)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low`."""

    low: int
    high: int = 1_000_000
    words: str = "a whole number"

    def read(self, value: object, path: KeyPath) -> int:
        """Return a TOML integer."""
        if not is_number(value) or not float(value).is_integer():  # type: ignore[arg-type]
            raise not_a(self, value, path)
        number = int(value)  # type: ignore[call-overload]
        if not self.low <= number <= self.high:
            raise fault(path, f"must be from {self.low} to {self.high}, not {number}")
        return int(number)

    def plain(self, value: int) -> int:
        """Return it as TOML writes it."""
        return value


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is not empty, unless it may be: a name, a path, a pattern."""

    words: str = "a text"
    empty: bool = False

    def read(self, value: object, path: KeyPath) -> str:
        """Return a TOML string."""
        if not isinstance(value, str) or not (value or self.empty):
            raise not_a(self, value, path)
        return value

    def plain(self, value: str) -> str:
        """Return it as TOML writes it."""
        return value


@dataclass(frozen=True, slots=True)
class Switch:
    """Yes or no."""

    words: str = "true or false"

    def read(self, value: object, path: KeyPath) -> bool:
        """Return a TOML boolean."""
        if not isinstance(value, bool):
            raise not_a(self, value, path)
        return value

    def plain(self, value: bool) -> bool:
        """Return it as TOML writes it."""
        return value


class Choice:
    """One of a few words."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices

    @property
    def words(self) -> str:
        """Return it as a sentence goes on."""
        return " or ".join(f'"{choice}"' for choice in self.choices)

    def read(self, value: object, path: KeyPath) -> str:
        """Return the word."""
        if isinstance(value, str) and value not in self.choices:
            raise fault(path, f"no {path[-1]} {quoted(value)}", wrong=value, known=self.choices)
        if not isinstance(value, str):
            raise not_a(self, value, path)
        return value

    def plain(self, value: str) -> str:
        """Return it as TOML writes it."""
        return value


@dataclass(frozen=True, slots=True)
class Numbers:
    """A list of so many numbers; `rising`: each not below the one before; `nonzero`: not all 0."""

    count: int
    low: float = -MOST
    high: float = MOST
    rising: bool = False
    nonzero: bool = False

    @property
    def words(self) -> str:
        """Return it as a sentence goes on."""
        names = {2: "two numbers, such as [0, 1]", 3: "three numbers, such as [0, 1, 0]"}
        return names[self.count]

    def read(self, value: object, path: KeyPath) -> tuple[float, ...]:
        """Return a TOML array as a tuple."""
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != self.count:
            raise not_a(self, value, path)
        each = Number(self.low, self.high)
        numbers = tuple(each.read(part, (*path, k)) for k, part in enumerate(value))
        if self.rising and numbers[-1] <= numbers[0]:
            raise fault(path, f"ends at {numbers[-1]:g}, not above its beginning {numbers[0]:g}")
        if self.nonzero and not any(numbers):
            raise fault(path, "has no direction: all its numbers are 0")
        return numbers

    def plain(self, value: tuple[float, ...]) -> list[float | int]:
        """Return it as TOML writes it."""
        return [tidy(number) for number in value]


@dataclass(frozen=True, slots=True)
class Either:
    """A number (within bounds or not) or a list of numbers, or else a text: what one may be."""

    number: Number | None = None
    vector: Numbers | None = None
    text: Text | None = None

    @property
    def words(self) -> str:
        """Return it as a sentence goes on."""
        return " or ".join(k.words for k in (self.text, self.number, self.vector) if k)

    def read(self, value: object, path: KeyPath) -> float | tuple[float, ...] | str:
        """Return the value as the kind that it looks like."""
        if self.text and isinstance(value, str):
            return self.text.read(value, path)
        if self.vector and isinstance(value, list):
            return self.vector.read(value, path)
        if self.number and is_number(value):
            return self.number.read(value, path)
        raise not_a(self, value, path)

    def plain(self, value: float | tuple[float, ...] | str) -> Any:  # noqa: ANN401 - one of three
        """Return it as TOML writes it."""
        if isinstance(value, str):
            return value
        return [tidy(n) for n in value] if isinstance(value, tuple) else tidy(value)


@dataclass(frozen=True, slots=True)
class Phases:
    """A phase, or a list of phases that rise: one a cycle."""

    words: str = "a phase from 0 to 1, or a list of them"

    def read(self, value: object, path: KeyPath) -> tuple[float, ...]:
        """Return the phases."""
        each = Number(0, 1)
        if not isinstance(value, list):
            return (each.read(value, path),)
        phases = tuple(each.read(part, (*path, k)) for k, part in enumerate(value))
        if not phases or any(b <= a for a, b in pairwise(phases)):
            raise fault(path, "must be phases that rise, one for each cycle")
        return phases

    def plain(self, value: tuple[float, ...]) -> Any:  # noqa: ANN401 - a number or a list
        """Return it as TOML writes it."""
        numbers = [tidy(number) for number in value]
        return numbers[0] if len(numbers) == 1 else numbers


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a blend space: a number on a line, a pair elsewhere."""

    words: str = "a number, or two numbers such as [0, 1]"

    def read(self, value: object, path: KeyPath) -> tuple[float, ...]:
        """Return its one or two numbers."""
        if not isinstance(value, list):
            if not is_number(value):
                raise not_a(self, value, path)
            return (Number().read(value, path),)
        return Numbers(2).read(value, path)

    def plain(self, value: tuple[float, ...]) -> Any:  # noqa: ANN401 - a number or a list
        """Return it as TOML writes it."""
        numbers = [tidy(number) for number in value]
        return numbers[0] if len(numbers) == 1 else numbers


@dataclass(frozen=True, slots=True)
class Loop:
    """How a clip repeats: a word or a number of passes."""

    words: str = '"once", "loop", "pingpong", a number of passes, or "pingpong:N"'

    def read(self, value: object, path: KeyPath) -> str:
        """Return it as text."""
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise not_a(self, value, path)
        try:
            parse_loop(str(value))
        except ValueError:
            raise not_a(self, value, path) from None
        return str(value)

    def plain(self, value: str) -> str | int:
        """Return it as TOML writes it."""
        return int(value) if value.isdigit() else value


@dataclass(frozen=True, slots=True)
class Axes:
    """Axes of model space by their letters."""

    words: str = 'letters of "xyz", each once'

    def read(self, value: object, path: KeyPath) -> str:
        """Return the letters."""
        if not isinstance(value, str) or not value or set(value) - set("xyz"):
            raise not_a(self, value, path)
        if len(set(value)) != len(value):
            raise not_a(self, value, path)
        return value

    def plain(self, value: str) -> str:
        """Return it as TOML writes it."""
        return value
