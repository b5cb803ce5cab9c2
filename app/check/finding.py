"""A finding: what is wrong, where, by how much, and how to mend it."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")  # the gravest first


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a character.

    Attributes
    ----------
    rule
        Id of the rule that found it: ``loop-seam``.
    sentence
        What is wrong, with names and numbers, without a final full stop.
    mend
        How to mend it, as an imperative.
    place
        JSON pointer into the file (``/animations/2/channels/9``), or ``""``.
    amount, unit, limit
        How much there is of it and how much there may be; None where it cannot be counted.
    clip, joint, item
        Names of what it is about; an item is a mesh, a material, a texture, a node, an extension.
    time
        Seconds of the clip, None where it is not of a moment.
    """

    rule: str
    severity: Severity
    sentence: str
    mend: str
    place: str = ""
    amount: float | None = None
    unit: str = ""
    limit: float | None = None
    clip: str = ""
    joint: str = ""
    item: str = ""
    time: float | None = None

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What a baseline knows it by: never a number, which changes with every edit."""
        return self.rule, self.clip, self.joint, self.item
