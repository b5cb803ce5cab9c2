"""A finding: what is wrong, where, by how much, and how to fix it; and the rule that finds it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..wording import counted, listed, measure, number

if TYPE_CHECKING:
    from .check_context import CheckContext

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")  # the most severe first
Group = Literal["Motion", "Rig", "Mesh", "Material", "File"]
GROUPS: tuple[Group, ...] = ("Motion", "Rig", "Mesh", "Material", "File")
UNSEEN = 1e-4  # of the height: smaller sizes are not shown
VISIBLE: tuple[tuple[Severity, float], ...] = (("error", 0.02), ("warning", 0.002))


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem of a character.

    Rules leave out their id; `examine` sets it, and their severity, fix and place if not given;
    also unit and limit of an amount, where a rule has one limit.

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
    path
        Of the faulty track of the joint: "rotation", "weights"; set by `examine` where the place
        is that of a track.
    rule
        Id of the rule that found it: ``loop-seam``.
    size
        Visible size, metres: how far it moves the surface at most. None: it moves nothing, or how
        far is not known.
    touches
        How many things it touches: vertices, keys, joints.
    group
        What it is about; set by `examine`.
    share
        Visible size as a share of the character's height; set by `examine`.

    Examples
    --------
    >>> short = rigview.Finding("it is short", 0.1, "s", 0.2, clip="Nod")
    >>> short.line
    'it is short; 0.1 s; limit 0.2 s'
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
    path: str = ""
    rule: str = ""
    size: float | None = None
    touches: int = 1
    group: Group | Literal[""] = ""
    share: float | None = None

    @property
    def is_unseen(self) -> bool:
        """Whether it is about the file itself, and nothing of it is seen: lists fold it."""
        return self.group == "File" and self.severity == "info" and not self.size

    @property
    def cause(self) -> tuple[str, ...]:
        """Key of the cause: equal for the same fault in several clips, or at several times."""
        if self.clip:
            return self.rule, self.joint, self.item, self.fix
        return self.rule, self.joint, self.item, self.place, self.message

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """Key of the finding in a baseline; without amounts, which change with every edit."""
        return self.rule, self.clip, self.joint, self.item

    @property
    def size_text(self) -> str:
        """The visible size: ``24 mm, 1.4 % of the height``; ``""`` without one."""
        if not self.size or (self.share is not None and self.share < UNSEEN):
            return ""
        share = f", {number(100 * self.share)} % of the height" if self.share is not None else ""
        return f"{measure(1000 * self.size, 'mm')}{share}"

    @property
    def amount_text(self) -> str:
        """The amount with its unit, ``""`` without one."""
        return "" if self.amount is None else measure(self.amount, self.unit)

    @property
    def unsaid_amount(self) -> str:
        """The amount with its unit, ``""`` if the message has it, or there is none."""
        if self.amount is None:
            return ""
        amount = re.escape(self.amount_text if self.limit is not None else number(self.amount))
        said = re.search(rf"(?<![\d.,]){amount}(?!\d|[.,]\d)", self.message)
        return "" if said else self.amount_text

    @property
    def limit_text(self) -> str:
        """The exceeded limit with its unit, ``""`` without one."""
        return "" if self.limit is None else measure(self.limit, self.unit)

    @property
    def line(self) -> str:
        """The finding on one line: message, visible size, amount, limit, time and place."""
        parts = [self.message, *filter(None, [self.size_text, self.unsaid_amount])]
        if self.limit is not None:
            parts.append(f"limit {self.limit_text}")
        if self.time is not None:
            parts.append(f"at {self.time:.3f} s")
        if self.place:
            parts.append(self.place)
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Limit:
    """A threshold of a rule; a configuration file can change it.

    A `scaled` limit is a length (or a speed) for a character 1.8 m tall: it is multiplied by the
    relative height of the character, so that files in centimetres and in metres are treated alike.
    """

    name: str  # its key there: "mm"
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
    severity: Severity | Literal["size"]  # "size": by the visible size of each finding
    summary: str  # one sentence for the docs, without a full stop
    fix: str
    find: Find
    limits: tuple[Limit, ...] = ()
    covers: tuple[str, ...] = ()  # parts of load warnings that its findings replace
    group: Group | Literal[""] = ""  # "": that of most rules of its module
    measure: Limit | None = None  # the limit of amounts, where findings give no unit


def rule(
    identity: str,
    severity: Severity | Literal["size"],
    summary: str,
    fix: str,
    *limits: Limit,
    covers: tuple[str, ...] = (),
    group: Group | Literal[""] = "",
) -> Callable[[Find], Rule]:
    """Return a decorator that makes a `Rule` of the function that finds its problem."""
    only = limits[0] if len(limits) == 1 else None
    return lambda find: Rule(identity, severity, summary, fix, find, limits, covers, group, only)


def rules_of(module: object) -> list[Rule]:
    """Return the rules that a module has, in its order."""
    return [each for each in vars(module).values() if isinstance(each, Rule)]


def severity_of_size(size: float | None, height: float) -> Severity:
    """Return the severity of a finding by its visible size and the character's height, metres.

    An error is 2 % of the height, which is about 20 pixels of a picture 1080 pixels tall that is
    framed on the character; a warning is 0.2 %.
    """
    if size is None:
        return "info"
    shares = (severity for severity, share in VISIBLE if not size < share * height)
    return next(shares, "info")


def by_visible_size(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings by severity, then by visible size, then by how many things they touch.

    Those of the same cause follow each other, at the place of the first of them; findings that
    are equal in all this keep their order. What is not seen is last of its severity.
    """
    return [finding for same in by_cause(sorted(findings, key=_rank)) for finding in same]


def _rank(finding: Finding) -> tuple[int, bool, float, int]:
    severity = SEVERITIES.index(finding.severity or SEVERITIES[-1])
    size = finding.size if finding.size is not None and finding.size == finding.size else -1.0
    return severity, finding.is_unseen, -size, -finding.touches


def by_cause(findings: Iterable[Finding]) -> list[tuple[Finding, ...]]:
    """Return the findings of each cause, in the order of the first ones: a row of a list each."""
    causes: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        causes.setdefault(finding.cause, []).append(finding)
    return [tuple(same) for same in causes.values()]


def repetition(same: Sequence[Finding]) -> str:
    """Return where the findings of a cause are, if there are several: ``in 3 clips: “Walk”, …``."""
    clips = list(dict.fromkeys(finding.clip for finding in same))
    if len(clips) > 1:
        return f"in {counted(len(clips), 'clip')}: {listed(clips)}"
    return f"{len(same)} times" if len(same) > 1 else ""
