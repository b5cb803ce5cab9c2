"""Findings as the page tells them: in groups, one a rule, the gravest first."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..check.finding import SEVERITIES, Finding
from ..check.rule_list import rule
from . import number_format

FEW = 12  # findings that are all shown at once; of more, notes are folded, and rules with many


@dataclass(frozen=True, slots=True)
class Told:
    """One finding in words."""

    severity: str
    rule: str
    sentence: str
    measure: str  # "12.3 mm", "" where nothing is counted
    limit: str
    where: tuple[tuple[str, str], ...]  # what it is, and its name
    place: str
    fix: str
    search: str  # all that a search looks into


@dataclass(frozen=True, slots=True)
class Group:
    """The findings of one rule."""

    rule: str
    severity: str  # the gravest of them
    what: str
    fix: str  # where it is the same for all
    told: tuple[Told, ...]
    open: bool


def groups(findings: Sequence[Finding]) -> tuple[Group, ...]:
    """Return the findings by rule, in the order of their gravest."""
    by_rule: dict[str, list[Finding]] = {}
    for finding in sorted(findings, key=lambda each: SEVERITIES.index(each.severity)):
        by_rule.setdefault(finding.rule, []).append(finding)
    return tuple(
        _group(name, found, unfolded=len(findings) <= FEW) for name, found in by_rule.items()
    )


def tally(findings: Sequence[Finding]) -> dict[str, int]:
    """Return how many there are of each severity."""
    return {each: sum(found.severity == each for found in findings) for each in SEVERITIES}


def gravity(findings: Sequence[Finding]) -> int:
    """Return a number that is greater for what is worse: one error outweighs all warnings."""
    errors, warnings, notes = tally(findings).values()
    return (errors << 40) + (warnings << 20) + notes


def of_clip(findings: Sequence[Finding], clip: str) -> tuple[Told, ...]:
    """Return what was found about one clip."""
    return tuple(_told(each) for each in findings if each.clip == clip)


def _group(name: str, found: Sequence[Finding], *, unfolded: bool) -> Group:
    fixes = {each.fix for each in found}
    return Group(
        rule=name,
        severity=found[0].severity,
        what=_what(name),
        fix=number_format.sentence(fixes.pop()) if len(fixes) == 1 else "",
        told=tuple(_told(each) for each in found),
        open=unfolded or (found[0].severity != "info" and len(found) <= FEW),
    )


def _what(name: str) -> str:
    try:
        return number_format.sentence(rule(name).summary)
    except KeyError:  # of another version, or of a test
        return ""


def _told(finding: Finding) -> Told:
    where = [(kind, getattr(finding, kind)) for kind in ("clip", "joint", "item")]
    if finding.time is not None:
        where.append(("at", number_format.amount(finding.time, "s")))
    named = tuple((kind, name) for kind, name in where if name)
    measure = "" if finding.amount is None else number_format.amount(finding.amount, finding.unit)
    limit = "" if finding.limit is None else number_format.amount(finding.limit, finding.unit)
    words = [finding.rule, finding.sentence, *(name for _, name in named)]
    return Told(
        severity=finding.severity,
        rule=finding.rule,
        sentence=number_format.sentence(finding.sentence),
        measure=measure,
        limit=limit,
        where=named,
        place=finding.place,
        fix=number_format.sentence(finding.fix),
        search=" ".join(words).casefold(),
    )
