"""Findings for the report, grouped by rule, the most severe first."""

from collections.abc import Sequence
from dataclasses import dataclass

from .. import wording
from ..check.finding import SEVERITIES, Finding
from ..check.rule_list import rule

FEW = 12  # with more findings, notes and rules with many findings are collapsed


@dataclass(frozen=True, slots=True)
class FormattedFinding:
    """A formatted finding."""

    severity: str
    rule: str
    message: str
    measure: str  # "12.3 mm", "" if there is no amount
    limit: str
    where: tuple[tuple[str, str], ...]  # kind and name of the affected objects
    place: str
    fix: str
    search: str  # text for the search


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """The findings of one rule."""

    rule: str
    severity: str  # the highest
    summary: str
    fix: str  # if all findings have the same
    findings: tuple[FormattedFinding, ...]
    open: bool


def groups(findings: Sequence[Finding]) -> tuple[FindingGroup, ...]:
    """Return the findings grouped by rule, by descending severity."""
    by_rule: dict[str, list[Finding]] = {}
    for finding in sorted(findings, key=lambda each: SEVERITIES.index(each.severity)):
        by_rule.setdefault(finding.rule, []).append(finding)
    return tuple(
        _group(name, found, unfolded=len(findings) <= FEW) for name, found in by_rule.items()
    )


def tally(findings: Sequence[Finding]) -> dict[str, int]:
    """Return the number of findings of each severity."""
    return {
        severity: sum(finding.severity == severity for finding in findings)
        for severity in SEVERITIES
    }


def severity_key(findings: Sequence[Finding]) -> int:
    """Return a sort key for files: one error outweighs all warnings, one warning all notes."""
    errors, warnings, notes = tally(findings).values()
    return (errors << 40) + (warnings << 20) + notes


def of_clip(findings: Sequence[Finding], clip: str) -> tuple[FormattedFinding, ...]:
    """Return the findings of one clip."""
    return tuple(_formatted(finding) for finding in findings if finding.clip == clip)


def _group(name: str, found: Sequence[Finding], *, unfolded: bool) -> FindingGroup:
    fixes = {finding.fix for finding in found}
    return FindingGroup(
        rule=name,
        severity=found[0].severity,
        summary=_summary(name),
        fix=wording.capitalized(fixes.pop()) if len(fixes) == 1 else "",
        findings=tuple(_formatted(finding) for finding in found),
        open=unfolded or (found[0].severity != "info" and len(found) <= FEW),
    )


def _summary(name: str) -> str:
    try:
        return wording.capitalized(rule(name).summary)
    except KeyError:  # a rule of another version, or of a test
        return ""


def _formatted(finding: Finding) -> FormattedFinding:
    where = [(kind, getattr(finding, kind)) for kind in ("clip", "joint", "item")]
    if finding.time is not None:
        where.append(("at", wording.page_measure(finding.time, "s")))
    named = tuple((kind, name) for kind, name in where if name)
    measure = "" if finding.amount is None else wording.page_measure(finding.amount, finding.unit)
    limit = "" if finding.limit is None else wording.page_measure(finding.limit, finding.unit)
    words = [finding.rule, finding.message, *(name for _, name in named)]
    return FormattedFinding(
        severity=finding.severity,
        rule=finding.rule,
        message=wording.capitalized(finding.message),
        measure=measure,
        limit=limit,
        where=named,
        place=finding.place,
        fix=wording.capitalized(finding.fix),
        search=" ".join(words).casefold(),
    )
