"""A finding: what is wrong, where, by how much, and how to fix it."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")  # the most severe first


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem of a character.

    Attributes
    ----------
    rule
        Id of the rule that found it: ``loop-seam``.
    message
        What is wrong, with names and numbers, without a final full stop.
    fix
        How to fix it, as an imperative.
    place
        JSON pointer into the file (``/animations/2/channels/9``), or ``""``.
    amount, unit, limit
        The measured value, its unit, and its limit; None if there is no measure or no limit.
    clip, joint, item
        Names of the affected objects; an item is a mesh, material, texture, node or extension.
    time
        Seconds of the clip; None if the finding has no time.
    vertices
        Indices of the faulty vertices in the primitive of the place, where they are known.
    """

    rule: str
    severity: Severity
    message: str
    fix: str
    place: str = ""
    amount: float | None = None
    unit: str = ""
    limit: float | None = None
    clip: str = ""
    joint: str = ""
    item: str = ""
    time: float | None = None
    vertices: tuple[int, ...] = ()

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """Key of the finding in a baseline; without amounts, which change with every edit."""
        return self.rule, self.clip, self.joint, self.item
