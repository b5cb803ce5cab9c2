"""Every rule on a character: limits as they apply to it, and hits as findings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from app.check.finding import SEVERITIES, Finding, Severity
from app.check.rule import Hit, Rule
from app.check.rules import RULES
from app.check.subject import Subject


@dataclass(frozen=True, slots=True)
class Settings:
    """What a TOML file says of the rules.

    `limits` has values by rule and name, for a character 1.8 m tall where the limit is scaled;
    `severities` one a rule, None: the rule is left out.
    """

    limits: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    severities: Mapping[str, Severity | None] = field(default_factory=dict)


def examine(subject: Subject, settings: Settings | None = None) -> list[Finding]:
    """Return what all rules find, the gravest first, in the order of the rules."""
    settings = settings or Settings()
    found = [finding for rule in RULES for finding in _found(rule, subject, settings)]
    return sorted(found, key=lambda each: SEVERITIES.index(each.severity))


def _found(rule: Rule, subject: Subject, settings: Settings) -> Iterator[Finding]:
    severity = settings.severities.get(rule.id, rule.severity)
    if severity is None:
        return
    told = settings.limits.get(rule.id, {})
    limits = {
        each.name: told.get(each.name, each.default) * (subject.scale if each.scaled else 1.0)
        for each in rule.limits
    }
    changed = rule.id in settings.severities
    for hit in rule.find(subject, limits):
        own = severity if changed or hit.severity is None else hit.severity
        yield _finding(rule, hit, own, limits)


def _finding(rule: Rule, hit: Hit, severity: Severity, limits: Mapping[str, float]) -> Finding:
    return Finding(
        rule=rule.id,
        severity=severity,
        sentence=hit.sentence,
        mend=hit.mend or rule.mend,
        place=hit.place,
        amount=hit.amount,
        unit=hit.unit,
        limit=limits[hit.limit] if hit.limit else None,
        clip=hit.clip,
        joint=hit.joint,
        item=hit.item,
        time=hit.time,
    )
