"""A rule: what it looks for, its severity, its limits, and how to fix what it finds."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .finding import Severity

if TYPE_CHECKING:
    from .check_context import CheckContext


@dataclass(frozen=True, slots=True)
class Limit:
    """A threshold of a rule; a rule file can change it.

    A `scaled` limit is a length (or a speed) for a character 1.8 m tall: it is multiplied by the
    relative height of the character, so that files in centimetres and in metres are treated alike.
    """

    name: str  # its key in a rule file: "mm"
    default: float
    unit: str  # "mm", "mm/s", "°", "joints"
    summary: str  # for the docs, in a few words
    scaled: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a rule, from which `examine` makes a `Finding`; see there for the fields.

    `limit` is the name of the exceeded limit, ``""`` for none; `fix` and `severity` override
    those of the rule.
    """

    message: str
    amount: float | None = None
    unit: str = ""
    limit: str = ""
    place: str = ""
    clip: str = ""
    joint: str = ""
    item: str = ""
    time: float | None = None
    fix: str = ""
    severity: Severity | None = None
    vertices: tuple[int, ...] = ()


Limits = Mapping[str, float]  # by name, scaled to the character
Find = Callable[["CheckContext", Limits], Iterable[Match]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of problem and the function that finds it."""

    id: str  # "loop-seam": lower case, words joined by hyphens
    severity: Severity
    summary: str  # one sentence for the docs, without a full stop
    fix: str
    find: Find
    limits: tuple[Limit, ...] = ()
    covers: tuple[str, ...] = ()  # parts of load warnings that its findings replace
