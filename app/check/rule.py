"""A rule: what it looks for, how grave that is, its limits, and how to mend what it finds."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .finding import Severity

if TYPE_CHECKING:
    from .subject import Subject


@dataclass(frozen=True, slots=True)
class Limit:
    """A number that a rule compares with; a TOML file may set another one.

    A `scaled` one is a length (or a speed) for a character 1.8 m tall: it grows and shrinks with
    the character, so that a file in centimetres is judged as one in metres is.
    """

    name: str  # its key in a TOML file: "mm"
    default: float
    unit: str  # "mm", "mm/s", "°", "joints"
    what: str  # for the docs, in a few words
    scaled: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule has found; `Finding` tells the fields.

    `limit` is the name of the limit that was passed, ``""`` where there is none; `mend` and
    `severity` stand in for the rule's own where they are given.
    """

    sentence: str
    amount: float | None = None
    unit: str = ""
    limit: str = ""
    place: str = ""
    clip: str = ""
    joint: str = ""
    item: str = ""
    time: float | None = None
    mend: str = ""
    severity: Severity | None = None


Limits = Mapping[str, float]  # by name, as they apply to the character at hand
Find = Callable[["Subject", Limits], Iterable[Hit]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing to look for."""

    id: str  # "loop-seam": lower case, words joined by hyphens
    severity: Severity
    what: str  # one sentence for the docs, without a full stop
    mend: str
    find: Find
    limits: tuple[Limit, ...] = ()
    covers: tuple[str, ...] = ()  # words of the warnings of loading that its hits say better
