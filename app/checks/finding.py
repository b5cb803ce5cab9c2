"""A finding: what is wrong, where, by how much, and how to fix it; and the rule that finds it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..wording import measure

if TYPE_CHECKING:
    from .check_context import CheckContext

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")  # the most severe first


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem of a character.

    Rules leave out their id; `examine` sets it, and their severity, fix and place if not given.

    Attributes
    ----------
    message
        What is wrong, with names and numbers, without a final full stop.
    amount, unit, limit
        The measured value, its unit, and its limit; None if there is no measure or no limit.
    place
        JSON pointer into the file (``/animations/2/channels/9``), or ``""``.
    clip, joint, item
        Names of the affected objects; an item is a mesh, material, texture, node or extension.
    time
        Seconds of the clip; None if the finding has no time.
    fix
        How to fix it, as an imperative.
    vertices
        Indices of the faulty vertices in the primitive of the place, where they are known.
    rule
        Id of the rule that found it: ``loop-seam``.
    """

    message: str
    amount: float | None = None
    unit: str = ""
    limit: float | None = None
    place: str = ""
    clip: str = ""
    joint: str = ""
    item: str = ""
    time: float | None = None
    fix: str = ""
    severity: Severity | Literal[""] = ""
    vertices: tuple[int, ...] = ()
    rule: str = ""

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """Key of the finding in a baseline; without amounts, which change with every edit."""
        return self.rule, self.clip, self.joint, self.item

    @property
    def amount_text(self) -> str:
        """The amount with its unit, ``""`` without one."""
        return "" if self.amount is None else measure(self.amount, self.unit)

    @property
    def limit_text(self) -> str:
        """The exceeded limit with its unit, ``""`` without one."""
        return "" if self.limit is None else measure(self.limit, self.unit)

    @property
    def line(self) -> str:
        """The finding on one line: message, amount, limit, time and place."""
        parts = [self.message]
        if self.amount is not None and self.amount_text not in self.message:
            parts.append(self.amount_text)
        if self.limit is not None:
            parts.append(f"limit {self.limit_text}")
        if self.time is not None:
            parts.append(f"at {self.time:.3f} s")
        if self.place:
            parts.append(self.place)
        return "; ".join(parts)


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


Limits = Mapping[str, float]  # by name, scaled to the character
Find = Callable[["CheckContext", Limits], Iterable[Finding]]


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
