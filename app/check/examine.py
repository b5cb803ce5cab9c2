"""Every rule on a character: limits as they apply to it, and hits as findings."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from .finding import SEVERITIES, Finding, Severity
from .rule import Hit, Rule
from .rule_list import RULES as RULES
from .rule_settings import Settings as Settings
from .rules.load_warnings import ODDITY
from .subject import Subject


def examine(subject: Subject, settings: Settings | None = None) -> list[Finding]:
    """Return what all rules find, the gravest first, in the order of the rules.

    What the settings accept is among it: `Settings.accepts` tells it apart.
    """
    settings = settings or Settings()
    with np.errstate(all="ignore"):  # absurd numbers of a file are what some rules look for
        found = [finding for rule in RULES for finding in _found(rule, subject, settings)]
    found = [each for each in dict.fromkeys(found) if not _said(each, found)]
    return sorted(found, key=lambda each: SEVERITIES.index(each.severity))


def limits_of(rule: Rule, settings: Settings, scale: float = 1.0) -> dict[str, float]:
    """Return the limits of a rule by name, for a character `scale` times 1.8 m tall."""
    told = settings.limits.get(rule.id, {})
    return {
        each.name: told.get(each.name, each.default) * (scale if each.scaled else 1.0)
        for each in rule.limits
    }


def _said(finding: Finding, found: Iterable[Finding]) -> bool:
    """Whether a warning of loading is one that the finding of another rule says better."""
    if finding.rule != ODDITY.id:
        return False
    words = {rule.id: rule.covers for rule in RULES if rule.covers}
    return any(
        any(word in finding.sentence for word in words.get(other.rule, ()))
        and (finding.place.startswith(other.place) or other.place.startswith(finding.place))
        for other in found
    )


def _found(rule: Rule, subject: Subject, settings: Settings) -> Iterator[Finding]:
    if not settings.runs(rule.id):
        return
    severity = settings.severities.get(rule.id) or rule.severity
    limits = limits_of(rule, settings, subject.scale)
    changed = rule.id in settings.severities
    for hit in rule.find(subject, limits):
        own = severity if changed or hit.severity is None else hit.severity
        place = hit.place or subject.place(hit.clip, hit.joint)
        yield _finding(rule, hit, own, place, limits)


def _finding(
    rule: Rule, hit: Hit, severity: Severity, place: str, limits: Mapping[str, float]
) -> Finding:
    return Finding(
        rule=rule.id,
        severity=severity,
        sentence=hit.sentence,
        mend=hit.mend or rule.mend,
        place=place,
        amount=hit.amount,
        unit=hit.unit,
        limit=limits[hit.limit] if hit.limit else None,
        clip=hit.clip,
        joint=hit.joint,
        item=hit.item,
        time=hit.time,
    )
